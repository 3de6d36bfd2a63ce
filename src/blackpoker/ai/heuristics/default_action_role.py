"""Fallback role for an action without a hand-written one: valued by its steps, its cost and its target."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.combat_action_roles import (
    best_life_exhaustion,
    drive_score,
    kill_by_key,
    strengthen_score,
    victim_score,
)
from blackpoker.ai.heuristics.magic_action_roles import aim_at_request, aim_at_trump
from blackpoker.ai.heuristics.position_summary import (
    KEEP,
    NEVER,
    WINS,
    PositionSummary,
    highest,
    two_highest,
    worth_of,
)
from blackpoker.ai.heuristics.threats import combat_trick, danger_now, own_request_on_top, threat_of, top_threat
from blackpoker.engine.cards import VALUE, total
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import UNIT, Request
from blackpoker.engine.state import SIDE_CODE, Unit
from blackpoker.engine.step import ATTACK, JUDGEMENT, NO_PART
from blackpoker.engine.tables import (
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    AIM_UNIT,
    BULWARK,
    SOLDIER,
    THEIRS,
    CompiledAction,
)

#: weights in points of score: one point of damage, one card, one bulwark …
PER_DAMAGE: Final = 6
PER_CARD: Final = 12
PER_STRIPPED: Final = 10
PER_WALL: Final = 20
PER_SOLDIER: Final = 30
#: cost of a combat trick as ``combat_trick`` counts it: a key and a discard
TRICK_PRICE: Final = 12


class ByEffect(Role):
    """A role filled step by step by ``roles.by_effect``; constant from then on."""

    def __init__(self) -> None:
        super().__init__(0)
        self.aims: i64 = 0
        self.aimed_part: i64 = NO_PART  # of the request it may negate
        self.price: i64 = 0
        self.value: i64 = 0  # value for its owner, independent of the position
        self.by_key: bool = False  # the number depends on the key
        self.hurts: bool = False
        self.hurt: i64 = 0  # damage to the opponent
        self.suffered: i64 = 0  # damage to its owner
        self.buries: bool = False
        self.sweeps: bool = False  # buries all soldiers up to ``limit``
        self.limit: i64 = 0
        self.strengthens: bool = False
        self.weakens: bool = False
        self.for_all: bool = False
        self.bonus: i64 = 0
        self.drives: bool = False
        self.returns: bool = False
        self.readies: bool = False
        self.negates: bool = False
        self.soldiers: i64 = 0
        self.enters_chosen: bool = False
        self.walls: i64 = 0
        self.drawn: i64 = 0
        self.stripped: i64 = 0  # cards the opponent loses

    # -- requesting it ---------------------------------------------------------------------------------------------

    def key_number(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Return the number that the keys in hand would give it."""
        if not self.by_key or plan.key_count == 0:
            return 0
        hand = s.sides[here.me].hand & plan.key_a
        number = highest(hand) if plan.key_count == 1 or plan.key_b != plan.key_a else two_highest(hand)
        return number if number > 0 else 0

    def damage(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        return self.hurt + self.key_number(here, s, plan) if self.hurts else 0

    def decides(self, here: PositionSummary, hurt: i64) -> i64:
        """Return NEVER or WINS if its damage ends the game, else 0."""
        if self.suffered >= here.my_life and self.suffered > 0:
            return NEVER
        return WINS if hurt >= here.op_life and hurt > 0 else 0

    def turn(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        hurt = self.damage(here, s, plan)
        decides = self.decides(here, hurt)
        if decides != 0:
            return decides
        score = self.at_any_time(here, s, plan, hurt)
        score += self.on_units(here, s, plan)
        if self.for_all and here.ready > here.blockers:
            gain = (self.bonus + self.key_number(here, s, plan)) * here.ready
            score += 120 if here.ready_sum + gain >= here.op_life else 5
        return score - self.price

    def at_any_time(self, here: PositionSummary, s: Engine, plan: CompiledAction, hurt: i64) -> i64:
        """Score damage, cards and new units, which are worth the same at any chance."""
        score = PER_DAMAGE * (hurt - self.suffered)
        if hurt * 3 >= here.op_life and hurt > 0:
            score += 28
        if plan.draws_rare and s.sides[here.me].rare == 0:
            return NEVER
        if self.drawn > 0:
            score += PER_CARD * self.drawn if here.my_life > 3 + self.drawn else -30
        theirs = s.sides[1 - here.me].hand_count
        if self.stripped > 0:
            score += PER_STRIPPED * (self.stripped if self.stripped < theirs else theirs)
        if self.soldiers > 0:
            number = self.key_number(here, s, plan)
            score += PER_SOLDIER * self.soldiers if number == 0 else 15 + 3 * number
        if self.walls > 0 and here.walls < 4:
            score += (36 - 8 * here.walls) * self.walls
        if self.readies and here.op_life <= here.ready_sum + 6 * here.walls:
            score += 10
        return score

    def on_units(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Score the effect on units over an empty stage."""
        if self.sweeps:
            return 3 * self.swept(here, s, plan)
        if self.aims != AIM_UNIT:
            return 4 * least_loss(here, s) if self.buries else 0
        if self.buries and not self.weakens:
            emptied = self.life_exhaustion(here, s, plan)
            return emptied if emptied > 0 else burying(here, s, plan)
        number = self.bonus + self.key_number(here, s, plan)
        if self.weakens:
            return kill_by_key(here, s, number)
        if self.strengthens:
            if plan.main:
                return 2 * number if here.ready > 0 else -30
            through = here.blockers == 0 and here.ready > 0 and here.ready_sum + number >= here.op_life
            return 40 if through else -20
        if self.drives:
            return 60 if here.ready > 0 and here.blockers == 1 and here.ready_sum >= here.op_life else -15
        return 2 * here.b_top if self.returns and plan.aim_whose == THEIRS else 0

    def life_exhaustion(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Return the value of burying an opposing soldier when that may exhaust the opponent's life."""
        if not self.buries or self.weakens or self.aims != AIM_UNIT or plan.aim_type == BULWARK:
            return 0
        return best_life_exhaustion(here, s)

    def swept(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        """Return the worth of the opposing units lost minus my own."""
        limit = self.limit + self.key_number(here, s, plan)
        gain: i64 = 0
        for side in s.sides:
            sign: i64 = -1 if side is s.sides[here.me] else 1
            for unit in side.soldiers:
                if s.number(side, unit) <= limit:
                    gain += sign * worth_of(s, side, unit)
        return gain

    def answer(self, here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
        hurt = self.damage(here, s, plan)
        decides = self.decides(here, hurt)
        if decides != 0:
            return decides
        if self.negates:
            return self.negating(here, s)
        emptied = self.life_exhaustion(here, s, plan)
        if emptied > 0:
            return emptied - self.price
        attacked = s.turn != here.me and here.top != NO_PART
        if self.strengthens or self.weakens:
            return self.changing(here, s, self.bonus + self.key_number(here, s, plan))
        if self.buries and here.top != NO_PART and plan.aim_type != BULWARK:
            if attacked and here.hits >= here.my_life:
                return 90
            return 4 * here.b_top - 10 - self.price if here.b_top >= 5 else -15
        if attacked and here.top == ATTACK and (self.soldiers + self.walls > 0 or self.drives):
            return 70 if danger_now(here, s) >= here.my_life else 2 * here.b_top - 10 - self.price
        if self.buries or self.drives:
            return -25
        return self.at_any_time(here, s, plan, hurt) - self.price - 8

    def changing(self, here: PositionSummary, s: Engine, number: i64) -> i64:
        """Score a change of a soldier's number at the judgement, or in response to a request that would kill it."""
        if here.top == JUDGEMENT:
            return combat_trick(here, s, number, self.strengthens) + TRICK_PRICE - self.price
        saved = endangered(here, s, number) if self.strengthens else None
        if saved is not None:
            return 10 + 3 * s.number(s.sides[here.me], saved) - self.price
        if self.weakens and here.top == ATTACK and s.turn != here.me:
            return kill_by_key(here, s, number) + TRICK_PRICE - self.price
        return -25

    def negating(self, here: PositionSummary, s: Engine) -> i64:
        """Score negating the opponent's newest request."""
        threat = top_threat(here, s)
        if threat is None or own_request_on_top(here, s):
            return -60
        if self.aimed_part == JUDGEMENT and s.turn != here.me:
            return 150 if here.hits >= here.my_life else 4 * here.hits - 15 - self.price
        if self.aimed_part == ATTACK and s.turn != here.me:
            return 150 if danger_now(here, s) >= here.my_life else -10
        return threat_of(here, threat) - 12 - self.price

    def threat(self, here: PositionSummary, request: Request) -> i64:
        hurt: i64 = 0
        if self.hurts:
            hurt = self.hurt + (total(request.keys) if self.by_key else 0)
        if hurt >= here.my_life and hurt > 0:
            return 200
        return self.value if self.value > 15 else 15

    def kills(self, s: Engine, request: Request, number: i64) -> bool:
        if self.weakens:
            return number <= self.bonus + (total(request.keys) if self.by_key else 0)
        return self.buries

    # -- choices of the request ---------------------------------------------------------------------------------------

    def key(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        return 2 * VALUE[option] if self.by_key else 20 - 2 * KEEP[option]

    def target(self, here: PositionSummary, s: Engine, draft: Request, option: i64) -> i64:
        if self.aims == AIM_REQUEST:
            return aim_at_request(here, s, option)
        if self.aims == AIM_TRUMP:
            return aim_at_trump(here, s, option)
        if self.aims == AIM_PLAYER:
            harmful = self.hurts or self.stripped > 0
            return 100 if harmful == (option != here.me) else NEVER
        if self.strengthens and not self.weakens and not self.buries:
            saved = endangered(here, s, self.bonus + (total(draft.keys) if self.by_key else 0))
            if saved is not None and s.unit_by_code(option) is saved:
                return 80
            return strengthen_score(here, s, draft, option)
        if self.buries or self.weakens:
            return victim_score(here, s, option)
        if self.drives and option // SIDE_CODE != here.me:
            return drive_score(here, s, option)
        unit = s.unit_by_code(option)
        if unit is None or option // SIDE_CODE == here.me:
            return 0
        return 5 + worth_of(s, s.sides[option // SIDE_CODE], unit)

    def card(self, here: PositionSummary, s: Engine, option: i64) -> i64:
        return 4 * VALUE[option] if self.enters_chosen else 2 * KEEP[option]


def endangered(here: PositionSummary, s: Engine, bonus: i64) -> Unit | None:
    """Return my soldier that the opponent's newest request would remove and this bonus saves, else None."""
    threat = top_threat(here, s)
    if threat is None or threat.target_kind != UNIT or own_request_on_top(here, s):
        return None
    unit = s.unit(threat.target)
    if unit is None or s.owner_of(unit.id) != here.me:
        return None
    role = here.roles[threat.action]
    number = s.number(s.sides[here.me], unit)
    return unit if role.kills(s, threat, number) and not role.kills(s, threat, number + bonus) else None


def burying(here: PositionSummary, s: Engine, plan: CompiledAction) -> i64:
    """Return the value of burying the opponent's best legal target."""
    best = 4 * here.b_top if plan.aim_type != BULWARK else 0
    if plan.aim_type != SOLDIER and s.sides[1 - here.me].bulwarks:
        wall: i64 = 44 if here.ready >= here.blockers and here.blockers > 0 else 24
        best = wall if wall > best else best
    return best if best > 0 else -40


def least_loss(here: PositionSummary, s: Engine) -> i64:
    """Return the worth of the unit the opponent would choose to give up."""
    theirs = s.sides[1 - here.me]
    least: i64 = 0
    for unit in theirs.soldiers:
        worth = worth_of(s, theirs, unit)
        if least == 0 or worth < least:
            least = worth
    return least
