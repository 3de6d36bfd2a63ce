"""The table as an SVG picture, for notebooks; drawn only from the view of one seat."""

from __future__ import annotations

from html import escape
from typing import Final

from blackpoker.assist.text_board import TextBoard, in_set_up, sign
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.views import SideView, View
from blackpoker.text.prompts import Prompts

WIDTH: Final = 760
CARD_WIDTH: Final = 42
CARD_HEIGHT: Final = 60
#: a driven card lies on its side
SLOT: Final = CARD_HEIGHT + 8
LABEL_WIDTH: Final = 92
ROW_HEIGHT: Final = CARD_HEIGHT + 22
LINE: Final = 20
#: items in one row; the number of the others is written after them
MOST_ITEMS: Final = 9
RED: Final = "#b3261e"
BLACK: Final = "#1d1b20"


class SvgBoard:
    """Renderer of a view as one SVG element."""

    def __init__(self, prompts: Prompts) -> None:
        self.prompts = prompts
        self.text_board = TextBoard(prompts, prompts.names)
        self.parts: list[str] = []
        self.y = 0

    def draw(self, view: View, seat: int, regulation: str) -> str:
        """Return the picture, the opponent on top."""
        label = self.prompts.label
        turn = self.prompts.names[PLAYERS.index(view.turn)]
        when = label("set_up") if in_set_up(view) else label("turn", view.turn_number, turn)
        self.line(f"{regulation} · {when}", bold=True)
        ids = self.text_board.unit_names(view)
        self.side(view.side(1 - seat), 1 - seat, ids, own=False)
        self.line(f"{label('stage')}", bold=True)
        requests = [self.text_board.request(request) for request in reversed(view.stage)]
        if view.resolving is not None:
            requests.insert(0, label("resolving", self.text_board.request(view.resolving)))
        for text in requests or [label("empty")]:
            self.line(text, 16)
        self.side(view.side(seat), seat, ids, own=True)
        height = self.y + 8
        body = "".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" '
            f'aria-label="{escape(regulation)}" font-family="sans-serif" font-size="13">'
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#f4f1ea"/>{body}</svg>'
        )

    def line(self, text: str, indent: int = 0, bold: bool = False) -> None:
        self.y += LINE
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{10 + indent}" y="{self.y}" fill="{BLACK}"{weight}>{escape(text)}</text>')

    def side(self, side: SideView, owner: int, ids: dict[int, str], own: bool) -> None:
        label = self.prompts.label
        grave = f"{label('grave')} {side.grave.count}" + (f" [{sign(side.grave.top)}]" if side.grave.top else "")
        counts = [f"{label('life')} {self.text_board.life(side.life)}", f"{label('hand')} {side.hand.count}", grave]
        self.line(self.prompts.names[owner] + "  ·  " + "  ·  ".join(counts), bold=True)
        board = self.text_board
        rows = [
            (
                label("bulwarks"),
                [(unit.card or "", unit.driven, unit.name + board.marks(unit, ids)) for unit in side.bulwarks],
            ),
            (
                label("soldiers"),
                [(unit.cards[0], unit.driven, f"{unit.number}{board.marks(unit, ids)}") for unit in side.soldiers],
            ),
        ]
        if side.trumps:
            rows.insert(0, (label("trumps"), [(trump.card or "", False, trump.name) for trump in side.trumps]))
        if own:
            rows.reverse()
        if side.hand.cards is not None:
            rows.append((label("hand"), [(card, False, "") for card in side.hand.cards]))
        for title, items in rows:
            if items:
                self.row(title, items)

    def row(self, title: str, items: list[tuple[str, bool, str]]) -> None:
        """Draw a row of cards: the card or an empty name if it is hidden, whether it is driven, and its caption."""
        top = self.y + 8
        self.parts.append(f'<text x="26" y="{top + CARD_HEIGHT // 2}" fill="{BLACK}">{escape(title)}</text>')
        for index, (card, driven, caption) in enumerate(items[:MOST_ITEMS]):
            self.card(LABEL_WIDTH + index * SLOT, top, card, driven, caption)
        if len(items) > MOST_ITEMS:
            x = LABEL_WIDTH + MOST_ITEMS * SLOT
            self.parts.append(f'<text x="{x}" y="{top + CARD_HEIGHT // 2}">+{len(items) - MOST_ITEMS}</text>')
        self.y += ROW_HEIGHT + 4

    def card(self, x: int, y: int, card: str, driven: bool, caption: str) -> None:
        left = x + (SLOT - CARD_WIDTH) // 2
        centre = (left + CARD_WIDTH // 2, y + CARD_HEIGHT // 2)
        turned = f' transform="rotate(90 {centre[0]} {centre[1]})"' if driven else ""
        fill = "#ffffff" if card else "#3d5a80"
        color = RED if card[:1] in ("H", "D") else BLACK
        face = f'<text x="{centre[0]}" y="{centre[1] + 6}" fill="{color}" text-anchor="middle" font-size="17">'
        face = f"{face}{sign(card)}</text>" if card else ""
        self.parts.append(
            f'<g{turned}><rect x="{left}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="{fill}" '
            f'stroke="#8a8578"/>{face}</g>'
        )
        if caption:
            self.parts.append(
                f'<text x="{centre[0]}" y="{y + CARD_HEIGHT + 13}" fill="{BLACK}" text-anchor="middle" '
                f'font-size="11">{escape(caption)}</text>'
            )
