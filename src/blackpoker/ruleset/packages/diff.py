"""The differences between two editions in a player's words, derived from the rule pages."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from blackpoker.ruleset.edition import Edition, definition_text, standard_edition
from blackpoker.ruleset.packages.validation import changes_between
from blackpoker.ruleset.reference import definitions
from blackpoker.text.resources import Lang, in_lang
from blackpoker.text.rulebook import Page, phrase

TITLE: Final = ("ローカルルール", "Local rules")
WORDS: Final = {
    "added": ("新しい{0}「{1}」", "new {0} {1}"),
    "removed": ("{0}「{1}」がなくなる", "the {0} {1} is gone"),
    "changed": ("{0}「{1}」が変わる", "the {0} {1} changes"),
    "name": ("名前", "name"),
    "text": ("文章", "text"),
    "was": ("{0}：{1} → {2}", "{0}: {1} → {2}"),
    "nothing": ("なし", "none"),
    "gone": ("「{0}」はなくなる", "no longer: {0}"),
    "new": ("「{0}」が加わる", "from now on: {0}"),
    "unsaid": ("文章は同じで、働きが変わる", "it reads the same and works differently"),
    "same": ("遊び方は同じです。", "They play the same."),
    "also": ("このため変わる項目：{0}", "This changes too: {0}"),
}


@dataclass(frozen=True)
class EditionDifference:
    """A definition that is added, removed or changed: a headline and its lines."""

    headline: str
    lines: tuple[str, ...]


def differences(before: Edition, after: Edition, lang: Lang) -> list[EditionDifference]:
    """Return every definition that differs, in the order of the lists, and finally the pages that change as a
    consequence."""

    def word(name: str, *values: str) -> str:
        return in_lang(WORDS[name], lang).format(*values)

    old = {(page.kind, page.id): page for page in definitions(lang, before)}
    new = {(page.kind, page.id): page for page in definitions(lang, after)}
    found: list[EditionDifference] = []
    listed: set[tuple[str, str]] = set()
    for change in changes_between(before, after):
        key = change.list.removesuffix("s"), change.id
        listed.add(key)
        page = new.get(key) or old[key]
        kind = phrase(page.kind, lang)
        if change.before is None:
            found.append(EditionDifference(word("added", kind, page.title), _page_lines(page)))
        elif change.after is None:
            found.append(EditionDifference(word("removed", kind, page.title), ()))
        else:
            lines = _changed(old[key], new[key], lang)
            silent = definition_text(change.before) != definition_text(change.after) and not lines
            if lines or silent:  # otherwise only its rulings have other numbers
                found.append(EditionDifference(word("changed", kind, page.title), tuple(lines) or (word("unsaid"),)))
    also = [new[key].title for key in new if key in old and key not in listed and new[key] != old[key]]
    if also:
        found.append(EditionDifference(word("also", ("・" if lang == "ja" else ", ").join(also)), ()))
    return found


def diff_text(before: Edition, after: Edition, lang: Lang) -> str:
    """Return the differences as plain text."""
    lines: list[str] = []
    for difference in differences(before, after, lang):
        lines += [f"- {difference.headline}", *(f"    {line}" for line in difference.lines)]
    return "\n".join(lines) or in_lang(WORDS["same"], lang)


def _page_lines(page: Page) -> tuple[str, ...]:
    return (*(f"{label}: {text}" for label, text in page.facts), *(f"※ {note}" for note in page.notes), *page.clauses)


def _changed(old: Page, new: Page, lang: Lang) -> list[str]:
    """Return the lines for all text differences of a page."""

    def was(label: str, one: str, other: str) -> str:
        nothing = in_lang(WORDS["nothing"], lang)
        return in_lang(WORDS["was"], lang).format(label, one or nothing, other or nothing)

    lines: list[str] = []
    if old.title != new.title:
        lines.append(was(in_lang(WORDS["name"], lang), old.title, new.title))
    facts, now = dict(old.facts), dict(new.facts)
    for label in {**facts, **now}:
        if facts.get(label, "") != now.get(label, ""):
            lines.append(was(label, facts.get(label, ""), now.get(label, "")))
    for one, other in ((old.notes, new.notes), (old.clauses, new.clauses)):
        lines += _sentences(one, other, lang)
    return lines


def _sentences(old: tuple[str, ...], new: tuple[str, ...], lang: Lang) -> list[str]:
    lines: list[str] = []
    for _, i, j, k, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if old[i:j] != new[k:end]:
            lines += [in_lang(WORDS["gone"], lang).format(sentence) for sentence in old[i:j]]
            lines += [in_lang(WORDS["new"], lang).format(sentence) for sentence in new[k:end]]
    return lines


def local_page(edition: Edition, lang: Lang) -> Page:
    """Return the chapter on local rules: the packages of an edition and their changes."""
    prose: list[str] = []
    for package in edition.packages:
        name, text = (package.ja, package.text_ja) if lang == "ja" else (package.en, package.text_en)
        prose.append(f"{name} {package.version}: {text}")
        by = ", ".join((*package.authors, *filter(None, (package.licence,))))
        prose += [by] if by else []
    for difference in differences(standard_edition(), edition, lang):
        prose += [difference.headline, *(f"- {line}" for line in difference.lines)]
    title, other = TITLE if lang == "ja" else reversed(TITLE)
    return Page("section", "local.rules", title, other, title, (), prose=tuple(prose), words=" ".join(_names(edition)))


def _names(edition: Edition) -> list[str]:
    return [word for package in edition.packages for word in (package.id, package.ja, package.en)]
