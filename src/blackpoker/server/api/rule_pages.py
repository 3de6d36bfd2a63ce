"""All pages of the reference as data, in both languages, derived from the definitions."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import Struct

from blackpoker.regulation import all_regulations, standard_edition
from blackpoker.texts.rulebook import Book, Page, plain


class Fact(Struct):
    """A line of an entry: what it is about (an id) and the text."""

    name: str
    text: str


class RulePage(Struct):
    """One entry of the reference."""

    kind: str
    id: str
    title: str
    other: str
    group: str
    facts: list[Fact]
    notes: list[str]
    clauses: list[str]
    rulings: list[str]


class Part(Struct):
    """A format, frame or option."""

    id: str
    ja: str
    en: str
    text_ja: str = ""
    text_en: str = ""
    decks: int = 1
    build: str = ""
    most_trumps: int = 0
    most_cards: int = 54
    exactly: int = 0


class Regulations(Struct):
    """What can be played: the parts, and every legal combination as text."""

    formats: list[Part]
    frames: list[Part]
    options: list[Part]
    legal: list[str]
    edition: str


def _entry(page: Page) -> RulePage:
    return RulePage(
        page.kind,
        page.id,
        page.title,
        page.other,
        page.group,
        [Fact(name, text) for name, text in page.facts if text],
        list(page.notes),
        list(page.clauses),
        list(page.rulings),
    )


@cache
def rules(lang: Literal["ja", "en"]) -> list[RulePage]:
    return [_entry(page) for page in Book(standard_edition(), lang).pages()]


def search(lang: Literal["ja", "en"], words: str) -> list[RulePage]:
    """Pages that have all the words somewhere."""
    wanted = words.casefold().split()
    pages = list(Book(standard_edition(), lang).pages())
    texts = [f"{page.id} {page.title} {page.other} {plain(page, lang)}".casefold() for page in pages]
    return [_entry(page) for page, text in zip(pages, texts, strict=True) if all(word in text for word in wanted)]


@cache
def regulations() -> Regulations:
    def part(entry: Any) -> Part:
        return Part(
            entry.id,
            entry.ja,
            entry.en,
            getattr(entry, "text_ja", ""),
            getattr(entry, "text_en", ""),
            getattr(entry, "decks", 1),
            getattr(entry, "build", ""),
            getattr(entry, "most_trumps", 0),
            getattr(entry, "most", 54),
            getattr(entry, "exactly", 0),
        )

    return Regulations(
        [part(entry) for entry in standard_edition().formats],
        [part(entry) for entry in standard_edition().frames],
        [part(entry) for entry in standard_edition().options],
        [regulation.text for regulation in all_regulations()],
        standard_edition().name,
    )
