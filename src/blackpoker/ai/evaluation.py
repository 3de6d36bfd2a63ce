"""Evaluation of a position at the start of a turn: a logistic function of a weighted sum of counts.

The weights are fitted to finished games by ``benchmarks/players.py``. Positions are only evaluated right after the
turn has changed, so the function need not understand combat or a partly resolved stage.
"""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i64

from blackpoker.ai.heuristics.position_summary import KEEP
from blackpoker.ai.weights import WEIGHTS
from blackpoker.engine.cards import BIT, LOW
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import DRAW, UNDECIDED
from blackpoker.engine.state import Side
from blackpoker.engine.tables import FREE_QUICK_MAGIC, RuleTables

FEATURES: Final = 24

#: rounded, as mathematics libraries differ in the last digits
_LOG: Final[list[float]] = [round(math.log(n + 1.0), 12) for n in range(64)]


#: storage in the native build, see ``engine.request``
STORAGE: Final = {
    "SideCounts": dict.fromkeys(
        ("best", "free", "guards", "hand", "keep", "life", "power", "soldiers", "trumps", "walls"), "i64"
    ),
    "Evaluator": {
        "a": "SideCounts",
        "b": "SideCounts",
        "features": "24 f64",
        "weights": "24 f64",
        "trump_worth": "54 u8",
    },
}


def exp(x: float) -> float:
    """Return e**x with sums and products only, so that every machine gets the same bits; 13 digits for x within ±25."""
    part: float = x / 256.0
    power: float = 1.0
    n: i64 = 9
    while n > 0:
        power = 1.0 + power * part / float(n)
        n -= 1
    while n < 8:
        power *= power
        n += 1
    return power


def weights_of(rules: RuleTables) -> list[float]:
    """Return the weights for these definitions; a format without its own uses those of master."""
    name = rules.name
    if name in WEIGHTS:
        return WEIGHTS[name]
    return WEIGHTS["master"]


class SideCounts:
    """The counts of one side."""

    __slots__ = (
        "best",
        "free",
        "guards",
        "hand",
        "keep",
        "life",
        "power",
        "soldiers",
        "trumps",
        "walls",
    )

    def __init__(self) -> None:
        self.life: i64 = 0
        self.hand: i64 = 0
        self.keep: i64 = 0
        self.soldiers: i64 = 0
        self.power: i64 = 0
        self.best: i64 = 0
        self.walls: i64 = 0
        self.guards: i64 = 0
        self.free: i64 = 0
        self.trumps: i64 = 0

    def count(self, s: Engine, side: Side, trump_worth: list[int]) -> None:
        self.life = len(side.life)
        self.hand = side.hand_count
        keep: i64 = 0
        cards = side.hand
        while cards != 0:
            low: i64 = cards & -cards
            keep += KEEP[LOW[low % 59]]
            cards ^= low
        self.keep = keep
        power: i64 = 0
        best: i64 = 0
        guards: i64 = 0
        for unit in side.soldiers:
            number = s.number(side, unit)
            if number > 0:
                power += number
            if number > best:
                best = number
            if not unit.driven:
                guards += 1
        self.soldiers = len(side.soldiers)
        self.power = power
        self.best = best
        self.walls = len(side.bulwarks)
        ready: i64 = 0
        for unit in side.bulwarks:
            if not unit.driven:
                ready += 1
        self.guards = guards + ready
        self.free = 1 if side.abilities & FREE_QUICK_MAGIC != 0 else 0
        trumps: i64 = 0
        if side.open_trumps != 0:
            for card in side.trumps:
                if side.open_trumps & BIT[card] != 0:
                    trumps += trump_worth[card]
        self.trumps = trumps


class Evaluator:
    """Position evaluation with preallocated buffers, so that a call allocates nothing."""

    __slots__ = ("a", "b", "features", "trump_worth", "weights")

    def __init__(self, weights: list[float], trump_worth: list[int]) -> None:
        self.weights: list[float] = weights
        self.trump_worth: list[int] = trump_worth  # by card
        self.a: SideCounts = SideCounts()
        self.b: SideCounts = SideCounts()
        self.features: list[float] = [0.0] * FEATURES

    def measure(self, s: Engine) -> None:
        """Fill ``features`` from the point of view of the turn player."""
        a = self.a
        b = self.b
        a.count(s, s.sides[s.turn], self.trump_worth)
        b.count(s, s.sides[1 - s.turn], self.trump_worth)
        f = self.features
        life_a = float(a.life)
        life_b = float(b.life)
        # unblocked attackers as a share of the attackers
        through: float = 0.0
        if a.soldiers > b.guards:
            through = float(a.power) * float(a.soldiers - b.guards) / float(a.soldiers)
        back: float = 0.0
        guards_a: i64 = a.soldiers + a.walls  # all are charged at the start of the turn
        if b.soldiers > guards_a:
            back = float(b.power) * float(b.soldiers - guards_a) / float(b.soldiers)
        f[0] = 1.0
        f[1] = (life_a - life_b) / 10.0
        f[2] = _LOG[a.life] - _LOG[b.life]
        f[3] = float(a.hand - b.hand) / 4.0
        f[4] = float(a.keep - b.keep) / 40.0
        f[5] = float(a.soldiers) / 2.0
        f[6] = float(b.soldiers) / 2.0
        f[7] = float(a.power) / 10.0
        f[8] = float(b.power) / 10.0
        f[9] = float(a.best) / 10.0
        f[10] = float(b.best) / 10.0
        f[11] = float(a.walls) / 2.0
        f[12] = float(b.walls) / 2.0
        f[13] = float(b.guards) / 2.0
        f[14] = min(3.0, through / (life_b + 1.0))
        f[15] = min(3.0, back / (life_a + 1.0))
        f[16] = min(3.0, float(a.power) / (life_b + 2.0))
        f[17] = min(3.0, float(b.power) / (life_a + 2.0))
        f[18] = 1.0 if a.life <= 2 else 0.0
        f[19] = 1.0 if b.life <= 2 else 0.0
        f[20] = float(a.free - b.free)
        f[21] = float(a.trumps - b.trumps) / 8.0
        f[22] = 1.0 / (life_a + 1.0)
        f[23] = 1.0 / (life_b + 1.0)

    def turn_player_wins(self, s: Engine) -> float:
        self.measure(s)
        x: float = 0.0
        i: i64 = 0
        f = self.features
        w = self.weights
        while i < FEATURES:
            x += f[i] * w[i]
            i += 1
        if x > 12.0:
            x = 12.0
        elif x < -12.0:
            x = -12.0
        return 1.0 / (1.0 + exp(-x))

    def first_wins(self, s: Engine) -> float:
        """Return player 0's chance, or the result if the game is over."""
        if s.winner != UNDECIDED:
            if s.winner == DRAW:
                return 0.5
            return 1.0 if s.winner == 0 else 0.0
        chance = self.turn_player_wins(s)
        return chance if s.turn == 0 else 1.0 - chance
