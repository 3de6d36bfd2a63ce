"""The game on two pages: the introduction of the rulebook, also printed. Costs and actions come from the definitions.

A block of the edition's ``quick.toml`` has a title, a text, and items; an item may have cards to draw, with a sign
between them. ``page`` is its page in the booklet; a block without one is only printed. ``term`` is the glossary.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from blackpoker.text.resources import FIRST_EDITION, Bilingual, bilingual, read_tables


@dataclass(frozen=True)
class Item:
    title: Bilingual
    text: Bilingual
    cards: tuple[str, ...]
    sign: str  # between the first card and the rest


@dataclass(frozen=True)
class Block:
    id: str
    page: int
    title: Bilingual
    text: Bilingual
    items: tuple[Item, ...]
    actions: tuple[str, ...]  # drawn with their keys and costs


@cache
def blocks(edition: str = FIRST_EDITION) -> tuple[Block, ...]:
    return tuple(
        Block(
            entry["id"],
            entry.get("page", 0),
            bilingual(entry, "title"),
            bilingual(entry),
            _items(entry),
            tuple(entry.get("actions", "").split()),
        )
        for entry in read_tables(__name__, edition)["quick"]["block"]
    )


@cache
def terms(edition: str = FIRST_EDITION) -> tuple[Bilingual, ...]:
    """Return the glossary of the game in both languages, in the order of first use."""
    return tuple(bilingual(entry) for entry in read_tables(__name__, edition)["quick"]["term"])


def _items(entry: dict[str, Any]) -> tuple[Item, ...]:
    return tuple(
        Item(bilingual(one, "title"), bilingual(one), tuple(one.get("cards", "").split()), one.get("sign", ""))
        for one in entry.get("item", ())
    )
