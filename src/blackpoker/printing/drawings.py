"""Small SVG drawings for print: suits, cards, costs, emblems; and texts with drawn cards.

The drawings are those of the page: ``symbols.json`` is written from its sprite (``web/tests/symbols.test.ts``).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from typing import Any, Final

from blackpoker.text.resources import Lang

LETTERS: Final = {"♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "♣": "C"}
_CARD: Final = re.compile(r"([♠♡♥♢♦♣])((?:10|[2-9AJQK])?(?:[–〜](?:10|[2-9AJQK]))?)")
_COLOUR: Final = re.compile(r"var\(--([a-z-]+)\)")
_USED: Final = re.compile(r'href="#([\w-]+)"')


@dataclass(frozen=True)
class Symbol:
    """A drawing of the page's sprite: its view box, and its content as SVG."""

    box: str
    drawn: str


@dataclass(frozen=True)
class Deck:
    """The page's deck as data. ``cards``: the content of each face, 100 × 140, and of the backs ``near`` and ``far``;
    ``masks``: that of each level's mask, 100 × 100 ("": any other); ``discs``: the colour behind emblems, by suit."""

    colours: dict[str, str]
    gradients: tuple[str, ...]
    symbols: dict[str, Symbol]
    cards: dict[str, str]
    masks: dict[str, str]
    discs: dict[str, str]


def read_json(name: str) -> Any:
    return json.loads(resources.files("blackpoker.printing").joinpath(name).read_text(encoding="utf-8"))


@cache
def deck() -> Deck:
    """Return the deck; colours that are custom properties on the page are replaced by the dark table's values."""
    found = read_json("symbols.json")
    colours: dict[str, str] = found["colours"]

    def coloured(svg: str) -> str:
        return _COLOUR.sub(lambda name: colours[name[1]], svg)

    return Deck(
        colours,
        tuple(found["gradients"]),
        {id: Symbol(one["box"], coloured(one["drawn"])) for id, one in found["symbols"].items()},
        {name: coloured(svg) for name, svg in found["cards"].items()},
        {level: coloured(svg) for level, svg in found["masks"].items()},
        found["discs"],
    )


def suit(letter: str) -> str:
    """Return the sign of a suit, as high as the surrounding text."""
    drawn = deck().symbols[f"s-{letter}"].drawn
    return f'<svg class="su {letter}" viewBox="0 0 100 100" aria-label="{letter}">{drawn}</svg>'


def rank(name: str) -> str:
    """Return the rank of a card's corner."""
    symbol = deck().symbols[f"i-{name}"]
    return f'<svg class="rank" viewBox="{symbol.box}" role="img" aria-label="{name}">{symbol.drawn}</svg>'


def draw_suits(text: str) -> str:
    """Return a text with drawn suits; a card is never split over two lines."""
    return _CARD.sub(lambda found: f'<span class="one">{suit(LETTERS[found[1]])}{found[2]}</span>', escape(text))


def card(name: str) -> str:
    """Return a small card. A minus before the name means turned up from face down."""
    if name.startswith("-"):
        back = f'<svg class="cd down" viewBox="0 0 100 140" aria-hidden="true">{deck().cards["near"]}</svg>'
        return back + card(name[1:])
    letter = "J" if name.startswith("JK") else name[0]
    return f'<svg class="cd {letter}" viewBox="0 0 100 140" role="img" aria-label="{name}">{deck().cards[name]}</svg>'


def cost(letters: str) -> str:
    drawn = "".join(f'<span class="co">{letter}</span>' for letter in letters)
    return drawn and f'<span class="one">{drawn}</span>'


@cache
def emblems() -> dict[str, str]:
    found: dict[str, str] = read_json("emblems.json")
    return found


def emblem(id: str, letter: str) -> str:
    disc = deck().discs[letter]
    drawn = emblems().get(id, "").replace("var(--e)", "#f8f0de").replace("var(--d)", disc)
    return (
        '<svg class="em" viewBox="0 0 100 100" aria-hidden="true">'
        f'<circle cx="50" cy="50" r="49" fill="{disc}"/><circle cx="50" cy="50" r="46.5" fill="none" stroke="#c9a04b"/>'
        f'<g fill="#f8f0de" transform="translate(50 50) scale(.74) translate(-50 -50)">{drawn}</g>'
        "</svg>"
    )


def definitions(body: str) -> str:
    """Return a hidden drawing with every symbol that a body uses; "" if it uses none."""
    needed: list[str] = []
    found = _USED.findall(body)
    while found:
        id = found.pop()
        if id not in needed:
            needed.append(id)
            found += _USED.findall(deck().symbols[id].drawn)
    if not needed:
        return ""
    drawn = []
    for id in sorted(needed):
        corner = ' preserveAspectRatio="xMinYMin meet"' if id.startswith("i-") else ""
        symbol = deck().symbols[id]
        drawn.append(f'<symbol id="{id}" viewBox="{symbol.box}"{corner}>{symbol.drawn}</symbol>')
    clip = '<clipPath id="c-back"><rect x="6.5" y="6.5" width="87" height="127" rx="5"/></clipPath>'
    shared = "".join(deck().gradients) + clip
    return f'<svg class="drawings" aria-hidden="true"><defs>{shared}</defs>{"".join(drawn)}</svg>\n'


def document(title: str, lang: Lang | str, body: str) -> str:
    """Return a complete HTML page with its style included, so that the file is self-contained."""
    style = resources.files("blackpoker.printing").joinpath("paper.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n{definitions(body)}{body}\n</body></html>\n"
    )
