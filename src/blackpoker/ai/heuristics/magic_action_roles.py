"""Roles of actions that concern requests, cards, life and trumps."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.position_summary import KEEP, NEVER, WINS, PositionSummary, highest
from blackpoker.ai.heuristics.threats import danger_now, own_request_on_top, threat_of, top_threat
from blackpoker.engine.cards import BIT, LOW, SUIT, VALUE, total
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import REQUEST, Request
from blackpoker.engine.request_builder import list_targets
from blackpoker.engine.state import SIDE_CODE
from blackpoker.engine.tables import CompiledAction


class Fixed(Role):
    """The same scores in every position."""

    def __init__(self, turn_score: i64, answer_score: i64 = -20, worth: i64 = 0) -> None:
        super().__init__(worth)
        self.turn_score: i64 = turn_score
        self.answer_score: i64 = answer_score

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.turn_score

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.answer_score


# -- requests ----------------------------------------------------------------------------------------------------------


def aim_at_request(here: PositionSummary, s: Engine, option: i64) -> i64:
    """Score negating or redirecting this request on the stage."""
    request = s.stage[option]
    if request.controller == here.me:
        return -100
    return threat_of(here, request) + option


class Counter(Role):
    """Negate a request with two keys, or with one key that is no higher than its own."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -25

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        threat = top_threat(here, s)
        if threat is None or threat.key_count < 1 or threat.key_count > 2:
            return -40
        if own_request_on_top(here, s):
            return -40
        if threat.key_count == 1 and highest(s.sides[here.me].hand & plan.key_a) < total(threat.keys):
            return -60
        return threat_of(here, threat) - 17

    def threat(self, here: PositionSummary, request: Request) -> i64:
        return 28

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        value: i64 = VALUE[option]
        threat = top_threat(here, s)
        if threat is not None and threat.key_count == 1 and value < total(threat.keys):
            return -80
        return 20 - 2 * value

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        request = s.stage[option]
        if request.controller != here.me and request.key_count == 1 and total(draft.keys) < total(request.keys):
            return -60
        return aim_at_request(here, s, option)


class NegateAtPrice(Role):
    """Negate any request with keys; ``price``: the additional cost if more than one card is in hand."""

    def __init__(self, price: i64, worth: i64) -> None:
        super().__init__(worth)
        self.price: i64 = price

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -15

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        threat = top_threat(here, s)
        if threat is None or threat.key_count == 0 or own_request_on_top(here, s):
            return -60
        return threat_of(here, threat) - (self.price if here.hand > 1 else 30)

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return aim_at_request(here, s, option)


class Ceasefire(Role):
    """Negate the judgement: no fight and no damage."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -25

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if s.turn == here.me:
            return -60
        return 150 if here.hits >= here.my_life else 4 * here.hits - 25

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return aim_at_request(here, s, option)


class Armistice(Role):
    """Negate one attack."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -15

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if s.turn == here.me:
            return -60
        return 150 if danger_now(here, s) >= here.my_life else -10

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return aim_at_request(here, s, option)


class Redirect(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -25

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        threat = top_threat(here, s)
        if threat is None or threat.target_kind == 0 or own_request_on_top(here, s):
            return -40
        others: list[int] = []
        list_targets(s, s.rules.plans[threat.action], threat.controller, threat.keys | threat.virtual, others)
        return 8 if threat.target_kind == REQUEST or len(others) > 1 else -60

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return aim_at_request(here, s, option)


# -- damage ------------------------------------------------------------------------------------------------------------


class Throw(Role):
    """Deal the first key as damage."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        hurt = highest(s.sides[here.me].hand & plan.key_a)
        if hurt >= here.op_life:
            return WINS
        return 6 * hurt - 10 + (28 if hurt * 3 >= here.op_life else 0)

    def threat(self, here: PositionSummary, request: Request) -> i64:
        spade = highest(request.keys & 8191)
        return 200 if spade >= here.my_life else 5 * spade

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 5 * VALUE[option] if option < 13 else 20 - 2 * KEEP[option]


class DecisiveDamage(Role):
    """Deal more damage than any player has life."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return WINS

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return NEVER if option == here.me else 100


class Drain(Role):
    """Put an own unit under life; the opponent takes two damage."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        if here.op_life > 2:
            return 5 if here.walls > 1 else -25
        return 120 if here.walls > 0 else -25


# -- cards -------------------------------------------------------------------------------------------------------------


class MayDraw(Role):
    """Draw a card, with the choice to draw another."""

    def choice(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        if option == 0:
            return 0
        if here.my_life <= 1:
            return NEVER
        # trades a life for a card, which does not pay at low life
        if here.my_life <= 4 or here.my_life <= here.danger + 1:
            return -25
        return 25 if here.hand < 8 else -10


class Reunion(Role):
    """Take a card back from the grave."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 2 if highest(s.sides[here.me].grave) >= 11 else -15

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -3


class SearchLife(Role):
    """Take a card out of life."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 28 if here.my_life > 3 else NEVER

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return -3


class HandDestruction(Role):
    """The opponent discards a card I choose."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 2 if here.hand > 4 and s.sides[1 - here.me].hand_count > 0 else -20


class CivilWar(Role):
    """The opponent discards two cards if their hand is at least as large as mine."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        theirs = s.sides[1 - here.me].hand_count
        return 20 if theirs >= here.hand - 1 and theirs > 0 else -30


class Foresight(Role):
    """Draw two cards and put one back."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 20 if here.my_life > 8 else -20

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 15

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 20 - 2 * KEEP[option]


# -- trumps ------------------------------------------------------------------------------------------------------------


class TurnTrumpUp(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        mine = s.sides[here.me]
        best: i64 = -1
        for card in mine.trumps:
            if mine.open_trumps & BIT[card] == 0 and here.trump_worth[card] > best:
                best = here.trump_worth[card]
        if best <= 0 or here.hand < 3:
            return -40
        return 5 * best - 8


def aim_at_trump(here: PositionSummary, s: Engine, option: i64) -> i64:
    owner: i64 = option // SIDE_CODE
    if owner == here.me:
        return -100
    side = s.sides[owner]
    card: i64 = side.trumps[option % SIDE_CODE]
    if side.open_trumps & BIT[card] == 0:
        return -80
    return 5 * here.trump_worth[card]


class TurnTrumpDown(Role):
    """Turn an open trump of the opponent down; useful with two cards of its suit in hand."""

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.answer(here, s, plan)

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        theirs = s.sides[1 - here.me]
        for card in theirs.trumps:
            if theirs.open_trumps & BIT[card] != 0 and of_suit(s.sides[here.me].hand, SUIT[card]) >= 2:
                return 8 + 3 * here.trump_worth[card]
        return -60

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        """Score a key of the suit of an open trump (two are needed), preferring the most valuable trump (R-101)."""
        theirs = s.sides[1 - here.me]
        best: i64 = -60
        for card in theirs.trumps:
            if theirs.open_trumps & BIT[card] != 0 and SUIT[card] == SUIT[option]:
                if of_suit(s.sides[here.me].hand, SUIT[card]) >= 2 and 5 * here.trump_worth[card] > best:
                    best = 5 * here.trump_worth[card]
        return best - 2 * KEEP[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        card: i64 = s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE]
        return aim_at_trump(here, s, option) if of_suit(draft.keys, SUIT[card]) > 0 else -80


def of_suit(cards: i64, suit: i64) -> i64:
    same: i64 = 0
    while cards != 0:
        low: i64 = cards & -cards
        if SUIT[LOW[low % 59]] == suit:
            same += 1
        cards ^= low
    return same


class DestroyTrump(Role):
    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.answer(here, s, plan)

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return 45 if s.sides[1 - here.me].open_trumps & s.sides[here.me].hand != 0 else -60

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        """Score a key: only the same card as an open trump counts (R-111)."""
        return 5 * here.trump_worth[option] if s.sides[1 - here.me].open_trumps & BIT[option] != 0 else -60

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        card: i64 = s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE]
        return aim_at_trump(here, s, option) if draft.keys & BIT[card] != 0 else -80
