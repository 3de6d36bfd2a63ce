"""Set-up of a game (R-191…R-196): first the players' choices, then the dealing.

``s.setup_step`` is the player choosing trumps. Until both are done, the choices stay in ``Side.picked`` as a set, which
no view reads; ``Side.picked_down`` means that the card chosen later is lower in the order of the cards.

A frame may have a set-up of its own (N-131…N-140): ``RuleTables.setup`` is a list of steps, ``code * 16 + number``;
``s.setup_step`` is twice the index of the step, plus 1 once the first player to choose has chosen. The number of cards
chosen so far follows from the zones. Cards kept while drafting stay in life, marked in ``Side.picked``.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine import atoms, zone_moves
from blackpoker.engine import events as ev
from blackpoker.engine.cards import ABOVE, BIT, LOW, count, last_of
from blackpoker.engine.flow import DRAW, UNDECIDED
from blackpoker.engine.key_cards import list_cards, without_last
from blackpoker.engine.state import DONE, SETUP_KIND, SIDE_CODE, TRUMP_KIND, TRUMPS_KIND, Side, State

#: cards that set-up needs besides the starting hand, trumps and preset characters: the flipped one, the first one
#: drawn, and one that remains (R-190)
MIN_LIFE: Final = 3

# Steps of a set-up. Those that ask do so one player after the other.
TO_TRUMPS: Final = 1  # choose cards of the deck to be face-down trumps …
TO_HAND: Final = 2  # … to be the scenario hand …
TO_RARE: Final = 3  # … to be the rare card
SHUFFLE: Final = 4
TO_PACK: Final = 5  # the top cards of life are the pack
DRAW_CARDS: Final = 6
PRESET: Final = 7  # a bulwark and a soldier; see SHOWN_PRESET, HIDDEN_PRESET
FIRST_PLAYER: Final = 8
OPEN: Final = 9  # turn the preset card up and open one trump, the first player first
DRAFT: Final = 10  # keep one card of each mini pack of three, on top of life

#: names of the steps that ask
QUESTIONS: Final = {TO_TRUMPS: "trumps", TO_HAND: "hand", TO_RARE: "rare", OPEN: "open", DRAFT: "draft"}
STEP: Final = 16  # a step is its code times this, plus its number
#: cards of a mini pack
MINI_PACK: Final = 3
SHOWN_PRESET: Final = 1  # the bulwark is shown to both players (N-401)
HIDDEN_PRESET: Final = 2  # the soldier lies face down until it is turned up (N-137)


def prepare(s: State) -> bool:
    """Set the game up; return False while a player must choose trumps."""
    if s.rules.setup:
        return run_program(s)
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


def choose(s: State, option: i64) -> None:
    """Apply a choice made at set-up."""
    if s.rules.setup:
        take_choice(s, option)
        return
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


# -- a set-up of its own -----------------------------------------------------------------------------------------------


def run_program(s: State) -> bool:
    """Run the steps of the frame's set-up; return False while a player must choose."""
    program = s.rules.setup
    while s.setup_step < 2 * len(program) and s.winner == UNDECIDED:
        step: i64 = program[s.setup_step // 2]
        later: i64 = s.setup_step % 2
        code = step // STEP
        if code == OPEN:
            if ask_open(s, s.turn if later == 0 else 1 - s.turn):
                return False
        elif code == DRAFT or code <= TO_RARE:
            if ask_card(s, later, code, step % STEP):
                return False
        else:
            for player in range(2):
                deal_step(s, player, code, step % STEP)
            if code == FIRST_PLAYER:
                first_player(s)
            s.setup_step += 1
        s.setup_step += 1
    if s.winner == UNDECIDED:
        atoms.draw(s, s.turn)
        s.judge()  # N-139
    return True


def deal_step(s: State, player: i64, code: i64, number: i64) -> None:
    """Run a step that asks no player."""
    if s.winner != UNDECIDED:
        return
    if code == SHUFFLE:
        s.sides[player].picked = 0
        atoms.shuffle(s, player)
    elif code == TO_PACK:
        zone_moves.lay_pack(s, player, number)
    elif code == DRAW_CARDS:
        for _ in range(number):
            atoms.draw(s, player)
    elif code == PRESET:
        zone_moves.life_to_bulwark(s, player, False)
        if number == SHOWN_PRESET:
            zone_moves.show_bulwark(s, player, s.sides[player].bulwarks[0])
        if number == HIDDEN_PRESET:
            zone_moves.life_to_bulwark(s, player, False)
        else:
            preset_soldier(s, player)
        zone_moves.clear_fresh(s, player)


def preset_soldier(s: State, player: i64) -> None:
    """Put the top card of life onto the field as a soldier; a card that makes none goes to the grave, and the next one
    is tried. A player whose life is used up has lost (N-135)."""
    life = s.sides[player].life
    while life and s.rules.makes_soldier & BIT[life[len(life) - 1]] == 0:
        zone_moves.flip(s, player)
    if life:
        zone_moves.life_to_soldier(s, player)
    else:
        s.winner = 1 - player


def number_chosen(side: Side, code: i64) -> i64:
    """Return the number of cards chosen so far in a step."""
    if code == TO_TRUMPS:
        return len(side.trumps)
    if code == TO_HAND:
        return side.hand_count
    return count(side.picked) if code == DRAFT else count(side.rare)


def ask_card(s: State, player: i64, code: i64, number: i64) -> bool:
    """Offer the cards of the deck, of the kept cards, or of the next mini pack; return False if all are chosen. The
    scenario hand is chosen in ascending order, so that each set has one encoding."""
    side = s.sides[player]
    chosen = number_chosen(side, code)
    if chosen >= number:
        return False
    cards: i64 = 0
    if code == DRAFT:
        place: i64 = len(side.life) - MINI_PACK * (chosen + 1)
        for _ in range(MINI_PACK):
            cards |= BIT[side.life[place]]
            place += 1
        zone_moves.look_at_life(s, player, cards)
    elif side.picked != 0:
        cards = side.picked
    else:
        for card in side.life:
            cards |= BIT[card]
    if code == TO_HAND:
        if chosen > 0:
            cards &= ABOVE[LOW[last_of(side.hand) % 59]]
        for _ in range(number - chosen - 1):
            cards = without_last(cards)
    s.options = []
    list_cards(cards, s.options)
    s.kind = SETUP_KIND
    s.asked = player
    return True


def ask_open(s: State, player: i64) -> bool:
    """Turn the preset card up and offer the trumps; return False once one is open (N-137)."""
    side = s.sides[player]
    if side.open_trumps != 0 or s.winner != UNDECIDED:
        return False
    if not side.soldiers:
        turn_preset_up(s, player)
        if s.winner != UNDECIDED:
            return False
    s.options = []
    place: i64 = 0
    while place < len(side.trumps):
        s.options.append(player * SIDE_CODE + place)
        place += 1
    s.kind = TRUMP_KIND
    s.asked = player
    return True


def turn_preset_up(s: State, player: i64) -> None:
    """Turn the card that lies face down in the soldiers' place up; one that makes none goes to the grave (N-419)."""
    side = s.sides[player]
    unit = side.bulwarks[1]
    if s.rules.makes_soldier & unit.cards != 0:
        atoms.to_soldier(s, player, unit)
    else:
        zone_moves.drop_unit(s, player, unit)
        preset_soldier(s, player)
    zone_moves.clear_fresh(s, player)


def take_choice(s: State, option: i64) -> None:
    player = s.asked
    step: i64 = s.rules.setup[s.setup_step // 2]
    code = step // STEP
    side = s.sides[player]
    if code == OPEN:
        atoms.open_trump(s, player, side.trumps[option % SIDE_CODE])
    elif code == DRAFT:
        side.picked |= BIT[option]
    else:
        side.picked &= ~BIT[option]
        if code == TO_TRUMPS:
            zone_moves.set_trump(s, player, option)
        else:
            zone_moves.set_aside(s, player, option, code == TO_RARE)
    if code != OPEN and number_chosen(side, code) < step % STEP:
        return
    s.setup_step += 1
