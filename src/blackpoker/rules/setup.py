"""Setting a game up (R-191…R-196): first the players' choices, then the dealing.

``s.setup_step`` is the player who chooses his trumps. What the two have chosen stays in ``s.v0`` and ``s.v1`` as sets,
where no view looks, until both are done; ``s.v2`` and ``s.v3`` are 1 where the second card comes before the first in
the order of the cards.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, VALUE, count, members
from blackpoker.rules import atoms
from blackpoker.rules import events as ev
from blackpoker.rules.requests import list_cards
from blackpoker.rules.state import DONE, TRUMPS_KIND, State
from blackpoker.rules.flow import DRAW, UNDECIDED

HAND_SIZE: Final = 7
#: cards set-up needs besides trumps and preset characters (R-190)
LEAST_DECK: Final = 10


def prepare(s: State) -> bool:
    """Set the game up; False while a player must choose his trumps."""
    if s.rules.most_trumps > 0:
        while s.setup_step < 2:
            if ask_trumps(s, s.setup_step):
                return False
            s.setup_step += 1
        place_trumps(s, 0, s.v0, s.v2 != 0)
        place_trumps(s, 1, s.v1, s.v3 != 0)
        s.v0 = 0
        s.v1 = 0
        s.v2 = 0
        s.v3 = 0
    s.setup_step = 2
    deal(s)
    return True


def ask_trumps(s: State, player: i64) -> bool:
    """Offer the cards of the deck one after another; they lie in the order chosen, so that the place of a face-down
    trump tells nothing of its card (R-100, R-210)."""
    chosen = s.v0 if player == 0 else s.v1
    deck = s.sides[player].life
    n = count(chosen)
    if n >= s.rules.most_trumps or len(deck) - n <= LEAST_DECK + s.preset:
        return False
    cards: i64 = 0
    for card in deck:
        cards |= BIT[card]
    cards &= ~chosen
    options: list[int] = [DONE]
    list_cards(cards, options)
    s.options = options
    s.kind = TRUMPS_KIND
    s.asked = player
    return True


def choose_trump(s: State, option: i64) -> None:
    if option == DONE:
        s.setup_step += 1
        return
    bit: i64 = BIT[option]
    if s.asked == 0:
        s.v2 = 1 if s.v0 > bit else 0
        s.v0 |= bit
    else:
        s.v3 = 1 if s.v1 > bit else 0
        s.v1 |= bit


def place_trumps(s: State, player: i64, cards: i64, descending: bool) -> None:
    side = s.sides[player]
    chosen = members(cards)
    if descending:
        chosen.reverse()
    for card in chosen:
        side.life.remove(card)
        side.trumps.append(card)
        atoms.emit(s, ev.TRUMP_SET, player, BIT[card], atoms.SEAT[player])


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
