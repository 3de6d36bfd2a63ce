"""Small SVG drawings for print: suits, cards, costs, emblems; and texts with drawn cards."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib import resources
from typing import Final

from blackpoker.text.resources import Lang

SUIT_PATHS: Final = {
    "S": "M50 2C58 23 93 40 93 65C93 80 82 88 70 88C63 88 57 85 54 80C55 88 59 94 67 99H33C41 94 45 88 46 80C43 85 37 "
    "88 30 88C18 88 7 80 7 65C7 40 42 23 50 2Z",
    "H": "M50 96C19 69 4 53 4 33C4 17 15 6 29 6C39 6 46 12 50 21C54 12 61 6 71 6C85 6 96 17 96 33C96 53 81 69 50 96Z",
    "D": "M50 0C60 21 72 37 89 50C72 63 60 79 50 100C40 79 28 63 11 50C28 37 40 21 50 0Z",
    "C": "M50 3A22.5 22.5 0 0 1 70 36A22.5 22.5 0 1 1 57 70C58 83 61 92 69 98H31C39 92 42 83 43 70A22.5 22.5 0 1 1 30 "
    "36A22.5 22.5 0 0 1 50 3Z",
}
LETTERS: Final = {"♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "♣": "C"}
DISCS: Final = {"S": "#241c18", "C": "#17281f", "H": "#7d1a12", "D": "#7a3410"}
_CARD: Final = re.compile(r"([♠♡♥♢♦♣])((?:10|[2-9AJQK])?(?:[–〜](?:10|[2-9AJQK]))?)")


def suit(letter: str) -> str:
    """Return the sign of a suit, as high as the surrounding text."""
    return (
        f'<svg class="su {letter}" viewBox="0 0 100 100" aria-label="{letter}"><path d="{SUIT_PATHS[letter]}"/></svg>'
    )


def draw_suits(text: str) -> str:
    """Return a text with drawn suits; a card is never split over two lines."""
    return _CARD.sub(lambda found: f'<span class="one">{suit(LETTERS[found[1]])}{found[2]}</span>', escape(text))


def card(name: str) -> str:
    """Return a small card with rank and suit. A minus before the name means turned up from face down."""
    if name.startswith("-"):
        return f'<span class="cd down"></span>{card(name[1:])}'
    if name.startswith("JK"):
        return '<span class="cd J"><b>JK</b><i>★</i></span>'
    return f'<span class="cd {name[0]}"><b>{name[1:]}</b>{suit(name[0])}</span>'


def cost(letters: str) -> str:
    drawn = "".join(f'<span class="co">{letter}</span>' for letter in letters)
    return drawn and f'<span class="one">{drawn}</span>'


@cache
def emblems() -> dict[str, str]:
    text = resources.files("blackpoker.printing").joinpath("emblems.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def emblem(id: str, letter: str) -> str:
    disc = DISCS[letter]
    return (
        f'<svg class="em" viewBox="0 0 100 100" style="--e:#f8f0de;--d:{disc}" aria-hidden="true">'
        f'<circle cx="50" cy="50" r="49" fill="{disc}"/><circle cx="50" cy="50" r="46.5" fill="none" stroke="#c9a04b"/>'
        f'<g fill="#f8f0de" transform="translate(50 50) scale(.74) translate(-50 -50)">{emblems().get(id, "")}</g>'
        "</svg>"
    )


def document(title: str, lang: Lang | str, body: str) -> str:
    """Return a complete HTML page with its style included, so that the file is self-contained."""
    style = resources.files("blackpoker.printing").joinpath("paper.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )
