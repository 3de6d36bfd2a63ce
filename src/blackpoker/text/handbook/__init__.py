"""The rulebook chapters: newcomers' questions, how to play, the core flow, common rules, regulations.

The texts are the TOML files of the edition's folder, one per chapter; ``flow.toml`` is the figure of the core flow. A
section may name a ``table`` or ``figure``, which is generated from the definitions on display.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from blackpoker.text.resources import FIRST_EDITION, Bilingual, bilingual, read_tables


@dataclass(frozen=True)
class Section:
    id: str  # unique within its chapter
    chapter: str
    title: Bilingual
    text: Bilingual
    rulings: tuple[str, ...]
    words: str
    table: str
    figure: str

    @property
    def key(self) -> str:
        """The id of the section in the whole book: ``questions.win``."""
        return f"{self.chapter}.{self.id}"


@dataclass(frozen=True)
class Chapter:
    id: str
    title: Bilingual
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Edge:
    to: str
    label: Bilingual


@dataclass(frozen=True)
class Point:
    """A point of the core flow: ``[6]``, or ``6b`` for its second occurrence in the figure."""

    id: str
    text: Bilingual
    question: bool
    edges: tuple[Edge, ...]


@cache
def chapters(edition: str = FIRST_EDITION) -> tuple[Chapter, ...]:
    return tuple(
        Chapter(
            table["id"],
            bilingual(table, "title"),
            tuple(
                Section(
                    entry["id"],
                    table["id"],
                    bilingual(entry, "title"),
                    bilingual(entry),
                    tuple(entry.get("rulings", ())),
                    entry.get("words", ""),
                    entry.get("table", ""),
                    entry.get("figure", ""),
                )
                for entry in table["section"]
            ),
        )
        for name, table in read_tables(__name__, edition).items()
        if name != "flow"
    )


@cache
def sections(edition: str = FIRST_EDITION) -> dict[str, Section]:
    """Return all sections by their key."""
    return {section.key: section for chapter in chapters(edition) for section in chapter.sections}


@cache
def flow(edition: str = FIRST_EDITION) -> tuple[Point, ...]:
    """Return the figure of the core flow."""
    return tuple(
        Point(
            entry["id"],
            bilingual(entry),
            entry.get("question", False),
            tuple(Edge(to, Bilingual(ja, en)) for to, ja, en in entry["to"]),
        )
        for entry in read_tables(__name__, edition)["flow"]["point"]
    )
