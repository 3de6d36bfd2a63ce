"""The numbered rulings: their texts in both languages, their sources and their proofs.

The texts are the TOML files of the edition's folder, one per chapter. Rulings of edition 6 have the letter R, those of
edition 9 the letter N. A chapter with ``carried`` lists rulings of the edition ``of`` that still hold: their texts
stand once, in the folder of that edition. ``changed`` names the rulings in place of those that do not. A ruling has

- ``from``: its sources, ``DOCUMENT`` or ``DOCUMENT:PLACES`` with the documents of ``sources.toml``. A place of the
  rules is a section (``3.10.4``), a figure (``fig2.6``), a table (``tab5.2``) or a point of the flow (``[14]``); a
  place of a list is the id of an action, character or trump; elsewhere it is the number of a question or an edition.
- ``ours``: the part that is our own reading, with the reason.
- ``proof``: scenarios (tests/scenarios), ``ID`` or ``ID: VARIANT``, the clearest first.
- ``asks``: the question it answers, in a player's words.
- ``words``: everyday search words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from blackpoker.text.resources import FIRST_EDITION, Bilingual, bilingual, read_tables, read_texts, text_editions

_CITED = re.compile(r"R-\d{2,3}")


@dataclass(frozen=True)
class Origin:
    """The source of a ruling: a document and places in it."""

    document: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proof:
    """A scenario that proves a ruling; ``variant`` is empty for the whole file."""

    scenario: str
    variant: str = ""


@dataclass(frozen=True)
class Ruling:
    id: str
    chapter: str
    title: Bilingual
    text: Bilingual
    sources: tuple[Origin, ...]
    ours: Bilingual
    proof: tuple[Proof, ...]
    words: str
    asks: Bilingual  # the title as the question it answers

    @property
    def number(self) -> int:
        return int(self.id[2:])


@dataclass(frozen=True)
class RulingChapter:
    id: str
    title: Bilingual
    rulings: tuple[Ruling, ...]


@cache
def chapters(edition: str = FIRST_EDITION) -> tuple[RulingChapter, ...]:
    """Return all rulings of an edition by chapter, in the order of their numbers."""
    return tuple(
        RulingChapter(name, bilingual(table, "title"), tuple(_rulings_of(name, table)))
        for name, table in read_tables(__name__, edition).items()
        if name != "sources"
    )


def _rulings_of(chapter: str, table: dict[str, Any]) -> list[Ruling]:
    """Return the rulings of a chapter in the order of their numbers."""
    found = [_ruling(chapter, entry) for entry in table.get("ruling", ())]
    found += (_carried(rulings(table["of"])[id], chapter, table["changed"]) for id in table.get("carried", ()))
    return sorted(found, key=lambda ruling: ruling.number)


def _carried(ruling: Ruling, chapter: str, changed: dict[str, str]) -> Ruling:
    """Return a ruling of an earlier edition: citations name what replaces a changed ruling. Its scenarios stay behind,
    for they are played by the rules of that edition."""

    def current(text: Bilingual) -> Bilingual:
        return Bilingual(*(_CITED.sub(lambda id: changed.get(id[0], id[0]), each) for each in text))

    return replace(ruling, chapter=chapter, text=current(ruling.text), ours=current(ruling.ours), proof=())


def replaced(edition: str) -> dict[str, str]:
    """Return the rulings of earlier editions that have changed, each with the ruling of this edition in its place."""
    tables = read_tables(__name__, edition).values()
    return {old: new for table in tables for old, new in table.get("changed", {}).items()}


@dataclass(frozen=True)
class Heading:
    """The heading of a chapter: its title, its first and its last ruling."""

    title: Bilingual
    first: str
    last: str


def headings(edition: str = FIRST_EDITION) -> tuple[Heading, ...]:
    """Return the headings of all chapters for an index. The files are scanned with regular expressions, which takes a
    tenth of the time of parsing them."""
    found = []
    for name, text in read_texts(__name__, edition).items():
        if name != "sources":
            titles = dict(re.findall(r'^title_(ja|en) = "(.*)"$', text, re.MULTILINE)[:2])
            numbers = re.findall(r'^(?:id =|   ) "([NR]-\d+)",?$', text, re.MULTILINE)
            found.append(Heading(Bilingual(titles["ja"], titles["en"]), numbers[0], numbers[-1]))
    return tuple(found)


@cache
def rulings(edition: str = FIRST_EDITION) -> dict[str, Ruling]:
    """Return all rulings of an edition by their number, ``"R-154"``."""
    return {ruling.id: ruling for chapter in chapters(edition) for ruling in chapter.rulings}


@cache
def documents() -> dict[str, Bilingual]:
    """Return the source documents of the rulings of all editions."""
    return {
        entry["id"]: bilingual(entry)
        for edition in text_editions()
        for entry in read_tables(__name__, edition)["sources"]["source"]
    }


def _ruling(chapter: str, entry: dict[str, Any]) -> Ruling:
    return Ruling(
        entry["id"],
        chapter,
        bilingual(entry, "title"),
        bilingual(entry),
        tuple(_source(text) for text in entry.get("from", ())),
        bilingual(entry, "ours"),
        tuple(_proof(text) for text in entry.get("proof", ())),
        entry.get("words", ""),
        bilingual(entry, "asks"),
    )


def _source(text: str) -> Origin:
    document, _, places = text.partition(":")
    return Origin(document, tuple(places.split()))


def _proof(text: str) -> Proof:
    scenario, _, variant = text.partition(": ")
    return Proof(scenario, variant)
