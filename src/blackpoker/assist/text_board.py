"""The table in plain text, drawn only from the view of one seat."""

from __future__ import annotations

import unicodedata
from typing import Final

from blackpoker.engine.cards import parse_card
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.state import LIFE_COUNTED
from blackpoker.engine.views import BulwarkView, Location, RequestView, SoldierView, TrumpView, View
from blackpoker.text.cards import sign as card_sign
from blackpoker.text.prompts import Prompts
from blackpoker.text.resources import text_of

DRIVEN: Final = "↷"
NEW: Final = "*"
#: no terminal is wider
MOST_COLUMNS: Final = 1_000
#: start of the line between two parts of the table
DIVIDER: Final = "── "


def display_width(text: str) -> int:
    """Return the number of terminal columns of the text: a Japanese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def sign(name: str) -> str:
    return card_sign(parse_card(name))


def signs(names: list[str]) -> str:
    return " ".join(sign(name) for name in names)


def truncate(text: str, width: int) -> str:
    """Return the text, cut to the width of the terminal."""
    if display_width(text) <= width:
        return text
    while text and display_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def in_set_up(view: View) -> bool:
    """Return whether nothing has been dealt: there is no first player and no life yet (R-191)."""
    if view.over is None:
        return view.decision is not None and view.decision.kind == "trumps"
    return view.turn_number == 1 and all(side.hand.count == side.grave.count == 0 for side in (view.p1, view.p2))


class TextBoard:
    """Renderer of views for one seat in one language."""

    def __init__(self, prompts: Prompts, titles: tuple[str, str]) -> None:
        self.prompts = prompts
        self.titles = titles

    def draw(self, view: View, seat: int, regulation: str, width: int) -> list[str]:
        """Return the lines of the table, the opponent on top."""
        width = min(max(width, 1), MOST_COLUMNS)
        label = self.prompts.label
        names = self.prompts.names
        turn = names[PLAYERS.index(view.turn)]
        when = label("set_up") if in_set_up(view) else label("turn", view.turn_number, turn)
        head = f"{regulation} · {when}"
        decision = view.decision
        if decision is not None:
            asked = names[PLAYERS.index(decision.player)]
            head += " · " + (label("has_chance", asked) if decision.kind == "chance" else label("chooses", asked))
        lines = [truncate(head, width)]
        ids = self.unit_names(view)
        title, counts, bulwarks, soldiers, _ = self.side(view, 1 - seat, ids, width)
        lines += title + counts + bulwarks + soldiers
        lines += self.stage(view, width)
        title, counts, bulwarks, soldiers, hand = self.side(view, seat, ids, width)
        return lines + title + soldiers + bulwarks + counts + hand

    def divider(self, title: str, width: int) -> str:
        line = f"{DIVIDER}{title} "
        return line + "─" * max(0, width - display_width(line))

    def side(self, view: View, owner: int, ids: dict[int, str], width: int) -> tuple[list[str], ...]:
        """Return one player's zones, each as lines: title, counts, bulwarks, soldiers, hand (empty for the
        opponent's)."""
        side = view.side(owner)
        label = self.prompts.label
        counts = [f"{label('life')} {self.life(side.life)}"]
        if in_set_up(view):  # the whole deck: there is no life yet, and the size of the other deck is hidden
            counts = [label("deck") if isinstance(side.life, str) else f"{label('deck')} {side.life}"]
        grave = side.grave
        top = f" [{sign(grave.top)}]" if grave.top else ""
        counts.append(f"{label('grave')} {grave.count}{top}")
        if side.trumps:
            counts.append(f"{label('trumps')} {' '.join(self.trump(trump) for trump in side.trumps)}")
        pack = side.pack
        if pack is not None:
            size = "" if pack.count is None else f"{pack.count} "
            counts.append(f"{label('pack')} {size}{label('opened' if pack.opened else 'unopened')}")
        if side.rare is not None and side.rare.count:
            counts.append(f"{label('rare')} {sign(side.rare.card) if side.rare.card else label('unopened')}")
        if side.fogs:
            counts.append(f"{label('fog')} {' '.join(signs(fog.cards) for fog in side.fogs)}")
        if side.aside:
            counts.append(f"{label('aside')} {signs(side.aside)}")
        hand = side.hand
        own = hand.cards is not None
        if not own:
            known = label("seen_hand", signs(hand.known)) if hand.known else ""
            counts.insert(1, f"{label('hand')} {hand.count}{known}")
        return (
            [self.divider(self.titles[owner], width)],
            [truncate("  ".join(counts), width)],
            self.row(label("bulwarks"), [self.bulwark(unit, ids) for unit in side.bulwarks], width),
            self.row(label("soldiers"), [self.soldier(unit, ids) for unit in side.soldiers], width),
            self.row(label("hand"), [sign(card) for card in hand.cards or ()], width) if own else [],
        )

    def row(self, label: str, items: list[str], width: int) -> list[str]:
        """Return a labelled row of items, wrapped between items."""
        start = label + " " * max(1, 10 - display_width(label))
        lines = [start]
        for item in items or [self.prompts.label("empty")]:
            if display_width(lines[-1]) + display_width(item) > width and display_width(lines[-1]) > display_width(
                start
            ):
                lines.append(" " * display_width(start))
            lines[-1] += item + "  "
        return [line.rstrip() for line in lines]

    def life(self, life: int | str) -> str:
        return self.prompts.label("more_than", LIFE_COUNTED) if isinstance(life, str) else str(life)

    def trump(self, trump: TrumpView) -> str:
        card = sign(trump.card) if trump.card else "■"
        return card if trump.open else f"({card})"

    def soldier(self, unit: SoldierView, ids: dict[int, str]) -> str:
        character = self.prompts.book.characters[unit.kind]
        bonus = unit.number - unit.base
        text = "+".join(sign(card) for card in unit.cards)
        text += f"({unit.number}" + (f" {bonus:+d}" if bonus else "") + ")"
        if character.number is not None:  # a named pair of cards
            text += text_of(character, self.prompts.lang)
        return text + self.marks(unit, ids)

    def bulwark(self, unit: BulwarkView, ids: dict[int, str]) -> str:
        card = sign(unit.card) if unit.card else "■"
        return f"{unit.name}[{card}]" + self.marks(unit, ids)

    def marks(self, unit: SoldierView | BulwarkView, ids: dict[int, str]) -> str:
        label = self.prompts.label
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
        label = self.prompts.label
        lines = [self.divider(label("stage"), width)]
        if view.resolving:
            lines.append(truncate(label("resolving", self.request(view.resolving)), width))
        lines += [truncate(label("declared", self.request(request)), width) for request in view.declared]
        for number, request in reversed(list(enumerate(view.stage, 1))):
            last = number == len(view.stage)
            text = f"#{number} {self.request(request)}" + (f"  {label('next')}" if last else "")
            lines.append(truncate(text, width))
        if len(lines) == 1:
            lines.append(label("empty"))
        return lines

    def request(self, request: RequestView) -> str:
        names = self.prompts.names
        text = f"{names[PLAYERS.index(request.controller)]} {self.prompts.book.action_name(request.action)}"
        if request.keys:
            text += " " + signs(request.keys)
        if request.virtual_keys:
            text += f" [{signs(request.virtual_keys)}]"
        if request.source:
            text += f" @{self.location_name(request.source)}"
        if request.target:
            text += f" → {self.location(request.target)}"
        return text

    def location(self, location: Location) -> str:
        """Return a location of the notation with signs: ``p1.S5`` is ``P1 ♠5``."""
        if location.kind == "request" or location.player is None:
            return location.text
        player = self.prompts.names[PLAYERS.index(location.player)]
        return player if location.kind == "player" else f"{player} {self.location_name(location)}"

    def location_name(self, location: Location) -> str:
        return sign(location.name) if parse_card(location.name) >= 0 else location.name
