"""Nothing a seat may not know is in any byte it is sent (R-210…R-216)."""

from __future__ import annotations

import random

import pytest

from blackpoker.regulation import all_regulations
from tests.server.driver import Driver
from tests.server.spy import Spy, spied_game

FORMATS = ("lite", "standard", "pro", "master", "extra")


def regulations(count: int, seed: int = 1) -> list[str]:
    """Regulations of all formats in turn, frames and options mixed."""
    chosen = random.Random(seed)
    by_format = {name: [r.text for r in all_regulations() if r.format.id == name] for name in FORMATS}
    return [chosen.choice(by_format[FORMATS[number % len(FORMATS)]]) for number in range(count)]


@pytest.mark.parametrize("number", range(10))
def test_random_games_leak_nothing(number: int) -> None:
    spy = spied_game(regulations(10)[number], number, every=9)
    assert spy.leaks == []
    assert spy.messages["update"] > 20


def test_the_spy_finds_planted_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows the opponent's hand, and an event that names a drawn card."""
    from blackpoker.game import Game

    honest = Game.view
    monkeypatch.setattr(Game, "view", lambda self, player: honest(self, 1 if player == 0 else player))
    assert any("options of another seat" in leak or "hand" in leak for leak in spied_game("lite+entry", 1).leaks)
    monkeypatch.undo()
    spy = Spy()
    spy.driver = Driver()
    spy.event("a", 0, {"event": "drew", "player": "p2", "count": 1, "cards": ["S5"]}, "here")
    assert spy.leaks
