"""Setting a game up (R-191…R-196)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.cards import BIT, VALUE
from blackpoker.common import atoms
from blackpoker.common import events as ev
from blackpoker.common.state import State
from blackpoker.core.flow import DRAW, UNDECIDED

HAND_SIZE: Final = 7


def deal(s: State) -> None:
    """From the shuffling on. The decks lie in life."""
    for player in range(2):
        atoms.shuffle(s, player)
    for player in range(2):
        place_preset(s, player)
    for player in range(2):
        for _ in range(HAND_SIZE):
            atoms.draw(s, player)
    first_player(s)
    if s.winner == UNDECIDED:
        atoms.draw(s, s.turn)
        s.judge()


def place_preset(s: State, player: i64) -> None:
    """R-195: bulwarks, then soldiers; they count as having entered before turn 1 (R-196)."""
    life = s.sides[player].life
    n = s.preset // 2
    for _ in range(n):
        if life:
            atoms.enter_bulwark(s, player, life.pop(), False, False)
    for _ in range(n):
        if life:
            atoms.enter(s, player, life.pop(), False)
    s.sides[player].fresh = 0


def first_player(s: State) -> None:
    """Flip until the numbers differ (R-192, R-193)."""
    while True:
        first = flip(s, 0)
        second = flip(s, 1)
        if first < 0 or second < 0:
            s.winner = DRAW if first < 0 and second < 0 else (1 if first < 0 else 0)
            return
        if first != second:
            s.turn = 0 if first > second else 1
            atoms.emit(s, ev.TURN, s.turn, 0, ev.EVERYBODY, s.turn_number)
            return


def flip(s: State, player: i64) -> i64:
    """The number of the top card of life, which goes to the grave; -1 if there is none."""
    side = s.sides[player]
    if not side.life:
        return -1
    card: i64 = side.life.pop()
    bit: i64 = BIT[card]
    side.grave |= bit
    side.grave_top = card
    side.seen |= bit
    atoms.emit(s, ev.FLIPPED, player, bit, ev.EVERYBODY)
    return VALUE[card]
