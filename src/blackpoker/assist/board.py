"""The table in plain text, drawn only from the view of one seat."""

from __future__ import annotations

import unicodedata
from typing import Final

from blackpoker.rules.cards import parse_card
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.shapes import BulwarkView, Place, RequestView, SoldierView, TrumpView, View
from blackpoker.rules.state import LIFE_COUNTED
from blackpoker.texts.cards import sign as card_sign
from blackpoker.texts.prompts import Prompts
from blackpoker.texts.rulebook import of

DRIVEN: Final = "↷"
NEW: Final = "*"
#: start of the line between two parts of the table
RULE: Final = "── "


def cell_len(text: str) -> int:
    """Return the number of terminal columns of the text: a Japanese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def sign(name: str) -> str:
    return card_sign(parse_card(name))


def signs(names: list[str]) -> str:
    return " ".join(sign(name) for name in names)


def fitted(text: str, width: int) -> str:
    """Return the text, cut to the width of the terminal."""
    if cell_len(text) <= width:
        return text
    while cell_len(text) > width - 1:
        text = text[:-1]
    return text + "…"


class Board:
    """Renderer of views for one seat in one language."""

    def __init__(self, speaker: Prompts, titles: tuple[str, str]) -> None:
        self.speaker = speaker
        self.titles = titles

    def draw(self, view: View, seat: int, regulation: str, width: int) -> list[str]:
        """Return the lines of the table, the opponent on top."""
        label = self.speaker.label
        names = self.speaker.names
        turn = names[PLAYERS.index(view.turn)]
        head = f"{regulation} · {label('turn', view.turn_number, turn)}"
        decision = view.decision
        if decision is not None:
            asked = names[PLAYERS.index(decision.player)]
            head += " · " + (label("has_chance", asked) if decision.kind == "chance" else label("chooses", asked))
        lines = [fitted(head, width)]
        ids = self.unit_names(view)
        title, counts, bulwarks, soldiers, _ = self.side(view, 1 - seat, ids, width)
        lines += title + counts + bulwarks + soldiers
        lines += self.stage(view, width)
        title, counts, bulwarks, soldiers, hand = self.side(view, seat, ids, width)
        return lines + title + soldiers + bulwarks + counts + hand

    def rule(self, title: str, width: int) -> str:
        line = f"{RULE}{title} "
        return line + "─" * max(0, width - cell_len(line))

    def side(self, view: View, owner: int, ids: dict[int, str], width: int) -> tuple[list[str], ...]:
        """Return one player's zones, each as lines: title, counts, bulwarks, soldiers, hand (empty for the
        opponent's)."""
        side = view.side(owner)
        label = self.speaker.label
        counts = [f"{label('life')} {self.life(side.life)}"]
        grave = side.grave
        top = f" [{sign(grave.top)}]" if grave.top else ""
        counts.append(f"{label('grave')} {grave.count}{top}")
        if side.trumps:
            counts.append(f"{label('trumps')} {' '.join(self.trump(trump) for trump in side.trumps)}")
        pack = side.pack
        if pack is not None:
            size = "" if pack.count is None else f"{pack.count} "
            counts.append(f"{label('pack')} {size}{label('opened' if pack.opened else 'unopened')}")
        if side.aside:
            counts.append(f"{label('aside')} {signs(side.aside)}")
        hand = side.hand
        own = hand.cards is not None
        if not own:
            known = label("seen_hand", signs(hand.known)) if hand.known else ""
            counts.insert(1, f"{label('hand')} {hand.count}{known}")
        return (
            [self.rule(self.titles[owner], width)],
            [fitted("  ".join(counts), width)],
            self.row(label("bulwarks"), [self.bulwark(unit, ids) for unit in side.bulwarks], width),
            self.row(label("soldiers"), [self.soldier(unit, ids) for unit in side.soldiers], width),
            self.row(label("hand"), [sign(card) for card in hand.cards or ()], width) if own else [],
        )

    def row(self, label: str, items: list[str], width: int) -> list[str]:
        """Return a labelled row of items, wrapped between items."""
        start = label + " " * max(1, 10 - cell_len(label))
        lines = [start]
        for item in items or [self.speaker.label("empty")]:
            if cell_len(lines[-1]) + cell_len(item) > width and cell_len(lines[-1]) > cell_len(start):
                lines.append(" " * cell_len(start))
            lines[-1] += item + "  "
        return [line.rstrip() for line in lines]

    def life(self, life: int | str) -> str:
        return self.speaker.label("more_than", LIFE_COUNTED) if isinstance(life, str) else str(life)

    def trump(self, trump: TrumpView) -> str:
        card = sign(trump.card) if trump.card else "■"
        return card if trump.open else f"({card})"

    def soldier(self, unit: SoldierView, ids: dict[int, str]) -> str:
        character = self.speaker.book.characters[unit.kind]
        bonus = unit.number - unit.base
        text = "+".join(sign(card) for card in unit.cards)
        text += f"({unit.number}" + (f" {bonus:+d}" if bonus else "") + ")"
        if character.number is not None:  # a named pair of cards
            text += of(character, self.speaker.lang)
        return text + self.marks(unit, ids)

    def bulwark(self, unit: BulwarkView, ids: dict[int, str]) -> str:
        card = sign(unit.card) if unit.card else "■"
        return f"{unit.place}[{card}]" + self.marks(unit, ids)

    def marks(self, unit: SoldierView | BulwarkView, ids: dict[int, str]) -> str:
        label = self.speaker.label
        text = (DRIVEN if unit.driven else "") + (NEW if unit.new else "")
        if unit.role == "attacker":
            text += f"<{label('attacks')}>"
        elif unit.role == "blocker":
            text += f"<{label('blocks', '?' if unit.blocks is None else ids.get(unit.blocks, '?'))}>"
        return text

    def unit_names(self, view: View) -> dict[int, str]:
        names: dict[int, str] = {}
        for side in (view.p1, view.p2):
            for unit in side.soldiers:
                names[unit.id] = "+".join(sign(card) for card in unit.cards)
        return names

    def stage(self, view: View, width: int) -> list[str]:
        label = self.speaker.label
        lines = [self.rule(label("stage"), width)]
        if view.resolving:
            lines.append(fitted(label("resolving", self.request(view.resolving)), width))
        for place, request in reversed(list(enumerate(view.stage, 1))):
            last = place == len(view.stage)
            text = f"#{place} {self.request(request)}" + (f"  {label('next')}" if last else "")
            lines.append(fitted(text, width))
        if len(lines) == 1:
            lines.append(label("empty"))
        return lines

    def request(self, request: RequestView) -> str:
        names = self.speaker.names
        text = f"{names[PLAYERS.index(request.controller)]} {self.speaker.book.name(request.action)}"
        if request.keys:
            text += " " + signs(request.keys)
        if request.virtual_keys:
            text += f" [{signs(request.virtual_keys)}]"
        if request.source:
            text += f" @{self.name(request.source)}"
        if request.target:
            text += f" → {self.place(request.target)}"
        return text

    def place(self, place: Place) -> str:
        """Return a location of the notation with signs: ``p1.S5`` is ``P1 ♠5``."""
        if place.kind == "request" or place.player is None:
            return place.text
        player = self.speaker.names[PLAYERS.index(place.player)]
        return player if place.kind == "player" else f"{player} {self.name(place)}"

    def name(self, place: Place) -> str:
        return sign(place.name) if parse_card(place.name) >= 0 else place.name
