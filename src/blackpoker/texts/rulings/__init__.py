"""Every reading of the rules, numbered: what it says in both languages, where it comes from, what proves it.

The texts are the TOML files of this folder, one per chapter. A ruling has

- ``from``: its sources, ``DOCUMENT`` or ``DOCUMENT:PLACES`` with the documents of ``sources.toml``. A place of the
  rules is a section (``3.10.4``), a figure (``fig2.6``), a table (``tab5.2``) or a point of the flow (``[14]``); a
  place of a list is the id of an action, character or trump; elsewhere it is the number of a question or an edition.
- ``ours``: what of it is our own reading, and why.
- ``proof``: scenarios (tests/scenarios), ``ID`` or ``ID: VARIANT``, the most telling first.
- ``asks``: the question it answers, as a player at the table would put it.
- ``words``: everyday words people look for it with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from blackpoker.texts.data import Pair, pair, read_tables, read_texts


@dataclass(frozen=True)
class Origin:
    """Where a ruling comes from: a document and places in it."""

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
    title: Pair
    text: Pair
    sources: tuple[Origin, ...]
    ours: Pair
    proof: tuple[Proof, ...]
    words: str
    asks: Pair  # the title as the question it answers

    @property
    def number(self) -> int:
        return int(self.id.removeprefix("R-"))


@dataclass(frozen=True)
class RulingChapter:
    id: str
    title: Pair
    rulings: tuple[Ruling, ...]


@cache
def chapters() -> tuple[RulingChapter, ...]:
    """All rulings by chapter, in the order of their numbers."""
    return tuple(
        RulingChapter(name, pair(table, "title"), tuple(_ruling(name, entry) for entry in table["ruling"]))
        for name, table in read_tables(__name__).items()
        if name != "sources"
    )


@dataclass(frozen=True)
class Heading:
    """A chapter without its texts: its title, its first and its last ruling."""

    title: Pair
    first: str
    last: str


def headings() -> tuple[Heading, ...]:
    """Of all chapters, for an index: their files are looked through, not read (a tenth of the time)."""
    found = []
    for name, text in read_texts(__name__).items():
        if name != "sources":
            titles = dict(re.findall(r'^title_(ja|en) = "(.*)"$', text, re.MULTILINE)[:2])
            numbers = re.findall(r'^id = "(R-\d+)"$', text, re.MULTILINE)
            found.append(Heading(Pair(titles["ja"], titles["en"]), numbers[0], numbers[-1]))
    return tuple(found)


@cache
def rulings() -> dict[str, Ruling]:
    """All rulings by their number, ``"R-154"``."""
    return {ruling.id: ruling for chapter in chapters() for ruling in chapter.rulings}


@dataclass(frozen=True)
class Example:
    """A scenario to try a ruling with: where it comes from, and its text with one position and one script."""

    scenario: str
    variant: str
    text: str


@cache
def examples() -> dict[str, Example]:
    """By ruling, what *try it* opens; generated from the scenarios by ``python -m blackpoker.cli.docs``."""
    import json
    from importlib import resources

    text = resources.files(__name__).joinpath("examples.json").read_text(encoding="utf-8")
    return {id: Example(**entry) for id, entry in json.loads(text).items()}


@cache
def documents() -> dict[str, Pair]:
    """The documents rulings come from."""
    return {entry["id"]: pair(entry) for entry in read_tables(__name__)["sources"]["source"]}


def _ruling(chapter: str, entry: dict[str, Any]) -> Ruling:
    return Ruling(
        entry["id"],
        chapter,
        pair(entry, "title"),
        pair(entry),
        tuple(_source(text) for text in entry.get("from", ())),
        pair(entry, "ours"),
        tuple(_proof(text) for text in entry.get("proof", ())),
        entry.get("words", ""),
        pair(entry, "asks"),
    )


def _source(text: str) -> Origin:
    document, _, places = text.partition(":")
    return Origin(document, tuple(places.split()))


def _proof(text: str) -> Proof:
    scenario, _, variant = text.partition(": ")
    return Proof(scenario, variant)
