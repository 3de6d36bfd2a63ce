"""No byte sent to a seat contains what it cannot know (R-210…R-216)."""

from __future__ import annotations

import random

import pytest

from blackpoker.engine.visibility import AUDIENCES
from blackpoker.game.game import Game
from blackpoker.notation.options import tokens_so_far
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions
from blackpoker.ruleset import all_regulations
from tests.server.room_driver import Driver, Listener
from tests.server.spy import Spy, spied_game

FORMATS = ("lite", "standard", "pro", "master", "extra")


def regulations(count: int, seed: int = 1) -> list[str]:
    """Return regulations of all formats in turn, with mixed frames and options."""
    chosen = random.Random(seed)
    by_format = {name: [r.text for r in all_regulations() if r.format.id == name] for name in FORMATS}
    return [chosen.choice(by_format[FORMATS[number % len(FORMATS)]]) for number in range(count)]


@pytest.mark.parametrize("number", range(10))
def test_random_games_leak_nothing(number: int) -> None:
    spy = spied_game(regulations(10)[number], number, interval=9)
    assert spy.leaks == []
    assert spy.messages["update"] > 20


FIGHT = """
format = "master"
turn = "p1"
[p1]
life = {mine}
hand = "S2"
bulwarks = "D2"
field = "S9 H8 C7"
[p2]
life = {theirs}
hand = "H2"
bulwarks = "D4"
field = "CK"
"""


def attack(mine: int, theirs: int) -> Game:
    game = Game.from_position(FIGHT.format(mine=mine, theirs=theirs))
    game.push_text("attack")
    while game.decision is not None and game.decision.kind == "chance":
        game.push_text("pass")
    assert game.decision is not None
    assert game.decision.kind == "attackers"
    return game


def test_a_draft_does_not_reveal_the_life_left() -> None:
    """24 damage against 12 or 30 life cards: the attacker sees the same sum, and lethality only if the remaining life
    is public (R-210)."""
    words = ["S9", "H8", "C7"]
    drafts = [questions.preview_result(attack(20, theirs).draft(words), 1, 1, "en", False) for theirs in (12, 30)]
    assert drafts[0] == drafts[1]
    assert drafts[0].damage == {"p2": 24}
    assert drafts[0].lethal_for == []
    low = questions.preview_result(attack(20, 9).draft(words), 1, 1, "en", False)
    assert (low.damage, low.lethal_for, low.warnings) == ({"p2": 24}, ["p2"], [])


def test_a_defender_is_warned_of_a_loss() -> None:
    game = attack(20, 24)
    game.push_text("S9 H8 C7")
    while game.decision is not None and game.decision.kind == "chance":
        game.push_text("pass")
    assert game.decision is not None
    assert game.decision.kind == "blockers"
    draft = questions.preview_result(game.draft(["done", "done", "done"]), 1, 1, "en", False)
    assert (draft.damage, draft.lethal_for, draft.warnings) == ({"p2": 24}, ["p2"], ["lose"])
    blocked = questions.preview_result(game.draft(["CK", "done", "done"]), 1, 1, "en", False)
    assert (blocked.lethal_for, blocked.warnings) == ([], [])


def test_the_spy_finds_planted_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows the opponent's hand, and an event that names a drawn card."""
    from blackpoker.game.game import Game

    honest = Game.view
    monkeypatch.setattr(Game, "view", lambda self, player: honest(self, 1 if player == 0 else player))
    assert any("options of another seat" in leak or "hand" in leak for leak in spied_game("lite+entry", 1).leaks)
    monkeypatch.undo()
    spy = Spy()
    spy.driver = Driver()
    spy.event("a", 0, {"event": "drew", "player": "p2", "count": 1, "cards": ["S5"]}, "here")
    assert spy.leaks


def test_a_draft_is_hidden_until_it_is_complete() -> None:
    """The engine handles attackers and blockers token by token; the server pushes complete moves (docs/guide/api.md)."""
    several = {"attackers": 0, "blockers": 0}
    for seed in range(60):
        if seed > 5 and all(several.values()):
            break
        driver = Driver("standard+entry", seed)
        driver.listener = partial_move_listener(driver)
        driver.start()
        while driver.room.phase == "playing":
            key = driver.prompted()
            ask = driver.asks.get(key) if key else None
            if ask is not None and ask.kind in several:
                check_partial_move(driver, key, ask)
                several[ask.kind] += 1
            if not driver.step():
                break
    assert all(several.values()), several


def partial_move_listener(driver: Driver) -> Listener:
    """Return a listener which checks that no message is sent during a partial move."""

    def check(key: str, data: bytes) -> None:
        game = driver.room.room_game.game
        tokens = [] if game is None else tokens_so_far(game._engine)
        assert [word for word in tokens if not word.endswith(":")] == [], "but for the attacker that is asked about"

    return check


def check_partial_move(driver: Driver, key: str, ask: p.Prompt) -> None:
    """Draft a token for the prompted seat: only it gets a response, and no view changes."""
    game = driver.room.room_game.game
    assert game is not None
    before = [game.view(audience) for audience in AUDIENCES]
    others = [other for other in ("a", "b", "w") if other != key]
    for other in others:
        driver.inbox[other] = []
    answer = driver.send(key, p.PreviewMove(9, ask.seq, [ask.options[0].token]))
    assert [type(message) for message in answer] == [p.PreviewResult]
    assert [driver.inbox[other] for other in others] == [[], []]
    assert [game.view(audience) for audience in AUDIENCES] == before
