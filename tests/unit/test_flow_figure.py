"""The figure of the core flow matches the engine: in whole games, every step from point to point is an arrow of the
figure, every arrow occurs, and each arrow's condition holds."""

from __future__ import annotations

import random

import pytest

from blackpoker import _build
from blackpoker.engine import flow
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.game.game import Game
from blackpoker.text import handbook

ARROWS = {(point.id, edge.to) for point in handbook.flow() for edge in point.edges}

pytestmark = pytest.mark.skipif(_build.compiled(), reason="compiled classes cannot be watched")


class Watched(Engine):
    """An engine that records the points of the flow it passes."""

    __slots__ = ("arrows", "at")
    arrows: set[tuple[str, str]]
    at: str

    def reach(self, *points: str) -> None:
        for point in points:
            assert (self.at, point) in ARROWS, f"[{self.at}] → [{point}] is no arrow of the figure"
            self.arrows.add((self.at, point))
            self.at = point

    def prepare(self) -> bool:
        done = super().prepare()
        if done:
            self.at = "1"
            self.reach("2")
        return done

    def list_requests(self) -> None:
        self.reach("3")
        super().list_requests()

    def request(self, request: Request) -> None:
        assert self.at == "3"
        self.reach("4", "5", "6")
        super().request(request)
        assert self.passed == 0  # [4]

    def begin(self, request: Request) -> None:
        if self.point == flow.RESOLVE_NOW:
            assert request.immediate  # [7]
            self.reach("7", "8")
        elif self.point == flow.RESOLVE_TOP:
            assert self.at == "14"
            self.reach("8")
        super().begin(request)  # else: a triggered one, inside [6]

    def judge(self) -> None:
        super().judge()
        if self.point in (flow.RESOLVE_NOW, flow.RESOLVE_TOP):
            self.reach("9")
        elif self.winner != flow.UNDECIDED and self.at != "1":
            self.at = "9"  # [6-5-4] is a [9] inside the check
        if self.winner != flow.UNDECIDED and self.at == "9":
            self.reach("end")

    def staged(self, request: Request) -> None:
        assert not request.immediate  # [7]
        self.reach("7", "10", "6b")
        super().staged(request)

    def begin_check(self, point: int) -> None:
        if self.at == "9":
            self.reach("6b")
        super().begin_check(point)

    def end_check(self) -> None:
        last = self.point == flow.LAST_CHECK
        super().end_check()
        if last:
            self.reach("2")
            assert self.chance == self.turn
            assert self.passed == 0

    def record_pass(self) -> None:
        if self.at != "3":  # the pass that must follow is already decided
            self.reach("3")
        waiting, passed, chance = bool(self.stage), self.passed, self.chance
        self.reach("11", "12")
        if passed == 0:
            self.reach("15")
        elif waiting:
            self.reach("13", "14")
        else:
            self.reach("13", "2")
        super().record_pass()
        if passed == 0:
            assert self.chance == 1 - chance
        elif not waiting:
            assert self.chance == self.turn


def watched(regulation: str, seed: int) -> Watched:
    game = Game(regulation, seed=seed)
    plain = game._engine
    engine = Watched(plain.rules, [plain.sides[0].copy(), plain.sides[1].copy()], plain.source.copy())
    plain.fill(engine)
    engine.arrows, engine.at = set(), "1"
    if engine.point == flow.CHANCE:
        engine.reach("2", "3")
    return engine


def test_the_engine_walks_the_figure() -> None:
    walked: set[tuple[str, str]] = set()
    for seed, regulation in enumerate(
        ("lite+entry", "master+full", "extra+full", "pro+full", "extra+full", "standard+full")
    ):
        engine = watched(regulation, seed)
        rng = random.Random(seed)
        for _ in range(3000):
            if not engine.options:
                break
            engine.push(rng.choice(engine.options))
        walked |= engine.arrows
    assert walked == ARROWS, ARROWS - walked
