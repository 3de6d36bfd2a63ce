"""Counts of a position that the heuristics share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from blackpoker.engine.cards import LOW, VALUE
from blackpoker.engine.engine import Engine
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import BLOCKER, Side, Unit
from blackpoker.engine.step import NO_PART
from blackpoker.engine.tables import FREE_QUICK_MAGIC, LARGER_DIES, RuleTables

if TYPE_CHECKING:
    from blackpoker.ai.heuristics.action_role import Role

#: scores outside the range of all others
NEVER: Final = -300
WINS: Final = 400
#: value of keeping a card in hand, by card: numbers fight, faces become heroes, Jokers replace any card
KEEP: Final[list[int]] = [5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14] * 4 + [16, 16]
#: result for an attacker that no soldier blocks
UNBLOCKED: Final = -1000000


#: storage in the native build, see ``engine.request``
STORAGE: Final = {
    "PositionSummary": {
        "rules": "RuleTables",
        "roles": "128 Role",
        "parts": "128 u8",
        "trump_worth": "54 u8",
        "top": "i64",
        "me": "i64",
        "my_life": "i64",
        "op_life": "i64",
        "hand": "i64",
        "charged": "i64",
        "walls": "i64",
        "ready": "i64",
        "ready_sum": "i64",
        "blockers": "i64",
        "op_best": "i64",
        "op_charged": "i64",
        "op_attack": "i64",
        "op_count": "i64",
        "b_top": "i64",
        "danger": "i64",
        "hits": "i64",
        "revolution": "bool",
    },
}


class PositionSummary:
    """The counts of one position, computed anew for every decision."""

    __slots__ = (
        "b_top",
        "blockers",
        "charged",
        "danger",
        "hand",
        "hits",
        "me",
        "my_life",
        "op_attack",
        "op_best",
        "op_charged",
        "op_count",
        "op_life",
        "parts",
        "ready",
        "ready_sum",
        "roles",
        "rules",
        "top",
        "trump_worth",
        "revolution",
        "walls",
    )

    def __init__(self, rules: RuleTables, roles: list[Role], parts: list[int], trump_worth: list[int]) -> None:
        self.rules: RuleTables = rules
        self.roles: list[Role] = roles  # by plan
        self.parts: list[int] = parts  # by plan: the part of a fight it is
        self.trump_worth: list[int] = trump_worth  # by card: value of the open trump for its owner
        self.top: i64 = NO_PART  # of the request that takes effect next
        self.me: i64 = 0
        self.my_life: i64 = 0
        self.op_life: i64 = 0
        self.hand: i64 = 0
        self.charged: i64 = 0  # my charged bulwarks
        self.walls: i64 = 0  # all my bulwarks
        self.ready: i64 = 0  # my soldiers that may attack
        self.ready_sum: i64 = 0
        self.blockers: i64 = 0  # charged units of the opponent
        self.op_best: i64 = 0  # the largest charged soldier of the opponent
        self.op_charged: i64 = 0  # sum of the opponent's charged soldiers
        self.op_attack: i64 = 0  # sum of all soldiers of the opponent
        self.op_count: i64 = 0
        self.b_top: i64 = 0  # the largest soldier of the opponent
        self.danger: i64 = 0  # expected damage in the opponent's next turn
        self.hits: i64 = 0  # damage of unblocked attackers now on the field
        self.revolution: bool = False  # 革命: the larger soldier dies

    def read(self, s: Engine, me: i64) -> None:
        mine = s.sides[me]
        theirs = s.sides[1 - me]
        self.me = me
        self.my_life = len(mine.life)
        self.op_life = len(theirs.life)
        self.hand = mine.hand_count
        self.revolution = (mine.abilities | theirs.abilities) & LARGER_DIES != 0
        charged: i64 = 0
        for unit in mine.bulwarks:
            if not unit.driven:
                charged += 1
        self.charged = charged
        self.walls = len(mine.bulwarks)
        ready: i64 = 0
        ready_sum: i64 = 0
        fit: i64 = 0
        number: i64 = 0
        for unit in mine.soldiers:
            if not unit.driven:
                fit += 1
                if may_attack(s, mine, unit):
                    ready += 1
                    ready_sum += s.number(mine, unit)
        self.ready = ready
        self.ready_sum = ready_sum
        blockers: i64 = 0
        for unit in theirs.bulwarks:
            if not unit.driven:
                blockers += 1
        best: i64 = 0
        charged_sum: i64 = 0
        attack: i64 = 0
        largest: i64 = 0
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            if not unit.driven:
                blockers += 1
                charged_sum += number
                if number > best:
                    best = number
            if number > 0:
                attack += number
            if number > largest:
                largest = number
        self.blockers = blockers
        self.op_best = best
        self.op_charged = charged_sum
        self.op_attack = attack
        self.op_count = len(theirs.soldiers)
        self.b_top = largest
        # Assume an attack with all units next turn; each charged guard stops about one attacker, the largest first.
        guards: i64 = fit + charged
        if self.op_count <= guards:
            self.danger = 0
        else:
            self.danger = attack * (self.op_count - guards) // self.op_count


def worth_of(s: Engine, side: Side, unit: Unit) -> i64:
    """Return the worth of a unit in points: about its number for a soldier, a little for a bulwark."""
    kind = s.rules.kinds[unit.kind]
    if kind.bulwark:
        if unit.lead >= 52:
            return 9
        value: i64 = VALUE[unit.lead]
        return 5 if value >= 2 and value <= 10 else 4
    if kind.abilities & FREE_QUICK_MAGIC != 0:
        return 6
    number = s.number(side, unit)
    return number + 3 if number > 0 else 2


def highest(cards: i64) -> i64:
    best: i64 = -1
    while cards != 0:
        low: i64 = cards & -cards
        value: i64 = VALUE[LOW[low % 59]]
        if value > best:
            best = value
        cards ^= low
    return best


def two_highest(cards: i64) -> i64:
    best: i64 = 0
    second: i64 = 0
    while cards != 0:
        low: i64 = cards & -cards
        value: i64 = VALUE[LOW[low % 59]]
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
        cards ^= low
    return best + second


def blockers_of(s: Engine, other: Side, attacker: Unit) -> i64:
    """Return the sum of the soldiers that block it, or UNBLOCKED if none does."""
    sum: i64 = UNBLOCKED
    for blocker in other.soldiers:
        if blocker.role == BLOCKER and blocker.blocks == attacker.id:
            number = s.number(other, blocker)
            sum = number if sum == UNBLOCKED else sum + number
    return sum
