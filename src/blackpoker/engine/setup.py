"""Set-up of a game (R-191…R-196): first the players' choices, then the dealing.

``s.setup_step`` is the player choosing trumps. Until both are done, the choices stay in ``Side.picked`` as a set, which
no view reads; ``Side.picked_down`` means that the card chosen later is lower in the order of the cards.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine import atoms, zone_moves
from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, count
from blackpoker.engine.flow import DRAW, UNDECIDED
from blackpoker.engine.key_cards import list_cards
from blackpoker.engine.state import DONE, TRUMPS_KIND, State

#: cards that set-up needs besides the starting hand, trumps and preset characters: the flipped one, the first one
#: drawn, and one that remains (R-190)
MIN_LIFE: Final = 3


def prepare(s: State) -> bool:
    """Set the game up; return False while a player must choose trumps."""
    if s.rules.most_trumps > 0:
        while s.setup_step < 2:
            if ask_trumps(s, s.setup_step):
                return False
            s.setup_step += 1
        place_trumps(s, 0)
        place_trumps(s, 1)
    s.setup_step = 2
    deal(s)
    return True


def ask_trumps(s: State, player: i64) -> bool:
    """Offer the cards of the deck as trumps; return False if the player may choose no more. Trumps stay in the order
    chosen, so that the position of a face-down trump reveals nothing about its card (R-100, R-210)."""
    chosen = s.sides[player].picked
    deck = s.sides[player].life
    n = count(chosen)
    if n >= s.rules.most_trumps or len(deck) - n <= s.rules.starting_hand + MIN_LIFE + s.preset:
        return False
    cards: i64 = 0
    for card in deck:
        cards |= BIT[card]
    cards &= ~chosen
    s.options = [DONE]
    list_cards(cards, s.options)
    s.kind = TRUMPS_KIND
    s.asked = player
    return True


def choose_trump(s: State, option: i64) -> None:
    if option == DONE:
        s.setup_step += 1
        return
    bit: i64 = BIT[option]
    side = s.sides[s.asked]
    side.picked_down = side.picked > bit
    side.picked |= bit


def place_trumps(s: State, player: i64) -> None:
    side = s.sides[player]
    chosen: list[int] = []
    list_cards(side.picked, chosen)
    if side.picked_down:
        chosen.reverse()
    for card in chosen:
        zone_moves.set_trump(s, player, card)
    side.picked = 0
    side.picked_down = False


def deal(s: State) -> None:
    """Shuffle, place, deal and determine the first player. The decks are the players' lives."""
    for player in range(2):
        atoms.shuffle(s, player)
    for player in range(2):
        place_preset(s, player)
    for player in range(2):
        for _ in range(s.rules.starting_hand):
            atoms.draw(s, player)
    first_player(s)
    if s.winner == UNDECIDED:
        atoms.draw(s, s.turn)
        s.judge()


def place_preset(s: State, player: i64) -> None:
    """Place the preset bulwarks, then soldiers (R-195); they count as having entered before turn 1 (R-196)."""
    life = s.sides[player].life
    n = s.preset // 2
    for _ in range(n):
        if life:
            zone_moves.life_to_bulwark(s, player, False)
    for _ in range(n):
        if life:
            zone_moves.life_to_soldier(s, player)
    zone_moves.clear_fresh(s, player)


def first_player(s: State) -> None:
    """Flip cards until the numbers differ, and set the first player (R-192, R-193)."""
    while True:
        first = zone_moves.flip(s, 0)
        second = zone_moves.flip(s, 1)
        if first < 0 or second < 0:
            s.winner = DRAW if first < 0 and second < 0 else (1 if first < 0 else 0)
            return
        if first != second:
            s.turn = 0 if first > second else 1
            atoms.emit(s, ev.TURN, s.turn, 0, ev.ALL_AUDIENCES, s.turn_number)
            return
