"""``blackpoker rules new|check|diff|docs``: commands for local rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from blackpoker.cli.console import CANNOT_WRITE, UsageError, language, load_edition, os_error_text
from blackpoker.ruleset import edition_named, editions
from blackpoker.text.resources import in_lang, text_of

if TYPE_CHECKING:
    from blackpoker.ruleset import Edition
    from blackpoker.text.resources import Lang

NOT_EMPTY: Final = ("{0} はもうあります。別の名前にしてください", "{0} is there already; take another name")
NO_NAME: Final = (
    "「{0}」はローカルルールの名前になりません（a-z、0-9、_、- を使い、文字で始める）",
    "{0!r} is no name for local rules; one is made of a-z, 0-9, _ and -, and begins with a letter",
)
MADE: Final = (
    "{0} を作りました。遊ぶ：blackpoker play --rules {0}　調べる：blackpoker rules check {0}",
    "{0} is made. Play it: blackpoker play --rules {0}; check it: blackpoker rules check {0}",
)
WROTE: Final = ("{0} に {1} 個のファイルを書きました", "wrote {1} files to {0}")

TOML: Final = """\
id = "{id}"
version = "0.1"
ja = "{id}"
en = "{id}"
text_ja = "英雄召喚が安い。"
text_en = "Heroes are cheaper."
base = "{base}"
authors = []
licence = "CC0-1.0"
"""
PYTHON: Final = '''\
"""Local rules: what they change of the edition they stand on (docs/guide/rules.md)."""

from blackpoker.define import base

edition = base.change("summon_hero", cost="BL")
'''
SCENARIO: Final = '''\
id = "{id}.hero"
title = "A hero for one bulwark and one damage"
rulings = []

[position]
[position.p1]
hand = "SK"
bulwarks = "D4"
[position.p2]

[[variant]]
name = "works"
play = """
p1: summon_hero SK $b1
pp
expect in p1.field SK
"""
'''


def new(package: Path, lang: str | None) -> None:
    """Make a package that is playable at once."""
    tongue = language(lang)
    id = package.resolve().name
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", id):
        raise UsageError(NO_NAME, id)
    if package.exists() and (not package.is_dir() or any(package.iterdir())):
        raise UsageError(NOT_EMPTY, package)
    files = {
        "rules.toml": TOML.format(id=id, base=edition_named().name),
        "rules.py": PYTHON,
        "scenarios/hero.toml": SCENARIO.format(id=id),
    }
    write(package, files, tongue)
    print(in_lang(MADE, tongue, package))


def write(folder: Path, files: dict[str, str], lang: Lang) -> None:
    """Write files into a folder; raise `UsageError` if that fails."""
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(CANNOT_WRITE, f"{folder}: {os_error_text(error, lang)}") from None


def check(
    package: Path, games: int, seed: int, jobs: int, to: Path | None, packages: list[Path] | None, lang: str | None
) -> int:
    """Run all checks of a package; return exit code 1 if one fails."""
    from blackpoker.cli.package_check import Check

    return Check(package, packages or [], to or package / "check", language(lang)).run(games, seed, jobs)


def _edition(named: Path) -> Edition:
    """Return an edition of the rulebook by its id, or the edition of a package."""
    return editions().get(str(named)) or load_edition([named])


def diff(package: Path, other: Path | None, lang: str | None) -> None:
    """Print the differences between two sets of rules, or between one and the standard rules."""
    from blackpoker.ruleset.packages.diff import diff_text
    from blackpoker.text.resources import LANGUAGES

    after = _edition(package if other is None else other)
    before = edition_named(after.id) if other is None else _edition(package)
    tongues = LANGUAGES if lang is None else (language(lang),)
    print("\n\n".join(f"{before.name} → {after.name}\n{diff_text(before, after, tongue)}" for tongue in tongues))


def docs(package: Path, to: Path | None, packages: list[Path] | None, lang: str | None) -> None:
    """Write the rule pages of a package in both languages."""
    tongue = language(lang)
    edition = load_edition([*(packages or ()), package])
    folder = package / "docs" if to is None else to
    files = pages_of(edition)
    write(folder, files, tongue)
    print(in_lang(WROTE, tongue, folder, len(files)))


def pages_of(edition: Edition) -> dict[str, str]:
    """Return the files of the rule pages: for each language the changes, and the lists."""
    from blackpoker.cli.docs import LISTS, REGULATIONS, TITLES, page_file
    from blackpoker.ruleset.packages.diff import diff_text
    from blackpoker.ruleset.reference import definitions
    from blackpoker.text.resources import LANGUAGES

    files: dict[str, str] = {}
    kinds = {**LISTS, "regulations": REGULATIONS}
    for which, lang in enumerate(LANGUAGES):
        lines: list[str] = []
        for package in edition.packages:
            lines += [f"# {text_of(package, lang)} {package.version}", ""]
            lines += [in_lang((package.text_ja, package.text_en), lang), ""]
            lines += [line for line in (", ".join(package.authors), package.licence) if line] + [""]
        lines += [diff_text(edition_named(edition.id), edition, lang), ""]
        for name, members in kinds.items():
            chosen = [page for page in definitions(lang, edition) if page.kind in members]
            title = TITLES[name][which]
            files[f"{lang}/{name}.md"] = page_file(title, chosen, lang, edition.text)
            lines.append(f"- [{title}]({name}.md) ({len(chosen)})")
        files[f"{lang}/README.md"] = "\n".join([*lines, "", edition.text, ""])
    return files
