"""All pages of the reference: actions, characters, trumps, formats, frames and options."""

from __future__ import annotations

from collections.abc import Iterator

from blackpoker.language.model import Format
from blackpoker.regulation import Edition, FormatEntry, Frame, Option, standard_edition
from blackpoker.texts.rulebook import Book, Lang, Page, entry_page, names, of_pair, say

KINDS = ("action", "character", "trump", "format", "frame", "option")


def pages(lang: Lang, edition: Edition | None = None) -> Iterator[Page]:
    """Every page of an edition (the standard one)."""
    edition = standard_edition() if edition is None else edition
    yield from Book(edition, lang).pages()
    for format in edition.formats:
        yield _format(format, lang, edition)
    for frame in edition.frames:
        yield _frame(frame, lang, edition)
    for option in edition.options:
        yield _option(option, lang, edition)


def _format(entry: FormatEntry, lang: Lang, edition: Edition) -> Page:
    actions = [action for action in edition.actions if action.since <= entry.format]
    characters = [character for character in edition.characters if character.since <= entry.format]
    contents = [say("n_actions", lang, len(actions)), say("n_characters", lang, len(characters))]
    if entry.format is Format.EXTRA:
        contents.append(say("n_trumps", lang, len(edition.trumps), entry.most_trumps))
    facts = [
        ("contents", ("・" if lang == "ja" else ", ").join(contents)),
        ("frames", names([frame for frame in edition.frames if entry.allows(frame)], lang)),
        ("options", names([option for option in edition.options if option.goes_with(entry)], lang)),
    ]
    return entry_page("format", entry, lang, facts)


def _frame(frame: Frame, lang: Lang, edition: Edition) -> Page:
    size = say("size_exactly", lang, frame.exactly) if frame.exactly else say("size_most", lang, frame.most)
    facts = [
        ("build", say(frame.build, lang)),
        ("size", size),
        ("match", say("match_decks", lang, frame.decks)),
        ("formats", names([entry for entry in edition.formats if entry.allows(frame)], lang)),
        ("options", names([option for option in edition.options if option.goes_with(frame)], lang)),
        ("cards", frame.cards.translate(str.maketrans("SHDC", "♠♡♢♣"))),
    ]
    return entry_page("frame", frame, lang, facts, (of_pair(frame.text_ja, frame.text_en, lang),))


def _option(option: Option, lang: Lang, edition: Edition) -> Page:
    brings = [action for action in edition.actions if action.id in option.actions]
    facts = [
        ("starts_with", say("preset", lang, option.preset // 2) if option.preset else ""),
        ("brings", names(brings, lang)),
        ("formats", names([entry for entry in edition.formats if option.goes_with(entry)], lang)),
        ("frames", names([frame for frame in edition.frames if option.goes_with(frame)], lang)),
    ]
    return entry_page("option", option, lang, facts, (of_pair(option.text_ja, option.text_en, lang),))
