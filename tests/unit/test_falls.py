"""Falls of the chance: their causes, the better moves, and the sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blackpoker import Game
from blackpoker.learn.falls import (
    CAUSES,
    MIN_FALL,
    MIN_GAIN,
    Fall,
    Figures,
    PlayedOn,
    cause_of,
    cause_text,
    due_falls,
    find_cause,
    real_figures,
    remedy_text,
    try_moves,
)
from blackpoker.players.analysis import last_chance, win_chances

#: P1 passes although a Counter in the hand stops the last request
RECORD = """
BlackPoker record 3
edition: act6.1+ex6.30.1 d19ceb0ece38df38
regulation: lite+entry
p1:
p2:
result: p2 life
deck p1: SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK
deck p2: SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK
shuffle p1: C10 H8 S4 S3 D3 HJ D7 DA D10 S2 H9 H10 HA CA C6 CK S5 SA DQ JK C5
shuffle p2: D7 S2 C10 C6 HJ DA CK HA H10 H8 C5 SA D3 S5 D10 CA S4 DQ JK S3 H9
start: deal
turn 1 p2 37c615101d1a6de7
p2: attack
p2: pass
p1: pass
p2: set_bulwark
p2: S2
p2: summon_soldier D7 $b1
p2: pass
p1: pass
p2: end
p2: pass
p1: pass
turn 2 p1 60718dda347ae96c
p1: pass
p2: pass
p1: yes
p1: set_bulwark
p1: H8
p1: summon_soldier H10 $b1
p1: pass
p2: pass
p1: end
p1: pass
p2: pass
turn 3 p2 27efe341811afb10
p2: pass
p1: pass
p2: yes
p2: twist DA $HJ >p1.H10
p2: pass
p1: pass
p2: driven
p2: attack
p2: pass
p1: twist D3 $HJ >p2.D7
p1: pass
p2: counter C5 $CK >#2
p2: pass
p1: pass
p2: pass
p1: twist D7 $H9 >p2.D7
p1: pass
p2: counter C10 $D10 >#2
p2: pass
p1: pass
p2: pass
p1: pass
p2: D7
p2: pass
p1: pass
p2: pass
p1: down S4 $S3 >p2.D7
p1: pass
p2: counter C6 $S5 >#2
p2: pass
p1: pass
p2: pass
p1: pass
"""


@pytest.fixture(scope="module")
def fall() -> Fall:
    game = Game.from_record(RECORD)
    points = list(win_chances(game, 150))
    found = due_falls(game, points, last_chance(game, 150))
    assert all(due.before - due.after >= MIN_FALL for due in found)
    return find_cause(game, next(due for due in found if due.player == 0), 450)


def test_a_request_that_could_be_answered(fall: Fall) -> None:
    assert fall.point.turn == 3
    assert fall.point.text == "pass"
    assert fall.cause == "unanswered"
    assert fall.better is not None
    assert fall.better.text.startswith("counter")
    assert fall.better.figures.wins - fall.played.figures.wins >= MIN_GAIN
    assert "could be answered" in cause_text(fall).en
    assert f"{fall.games} games played on" in remedy_text(fall).en


def test_the_better_move_wins_more_often_in_other_worlds(fall: Fall) -> None:
    assert fall.better is not None
    then = Game.from_record(RECORD)
    then.go_to(fall.point.index)
    moves = [(one.text, one.options) for one in (fall.played, fall.better)]
    played, better = try_moves(then, moves, 60, 70_000)
    assert better.figures.wins > played.figures.wins + MIN_GAIN
    assert better.figures.lost_soon < played.figures.lost_soon


def test_the_figures_of_the_real_game() -> None:
    game = Game.from_record(RECORD)
    last_turn = next(step for step in game.steps() if step.before.turn_number == 2)
    assert real_figures(game, 0, last_turn._start) == (7, 1)


def made(**figures: float) -> PlayedOn:
    return PlayedOn("pass", (), replace(Figures(), **figures))


@pytest.mark.parametrize(
    ("kind", "bad", "good", "cause"),
    [
        ("chance", {}, {"won_soon": 0.4}, "lethal"),
        ("chance", {"lost_soon": 0.5}, {}, "unanswered"),
        ("key", {"lost_soon": 0.5}, {"guards": 1.0}, "guards"),
        ("key", {"lost_soon": 0.5}, {}, "lost"),
        ("key", {"taken": 3.0}, {}, "taken"),
        ("key", {}, {"dealt": 2.0}, "dealt"),
        ("key", {"opposing": 2.0}, {"opposing": 1.0}, "opposing"),
        ("key", {}, {"units": 1.0}, "units"),
        ("key", {}, {"hand": 1.0}, "spent"),
        ("key", {}, {}, "later"),
    ],
)
def test_the_first_clear_figure_is_the_cause(
    fall: Fall, kind: str, bad: dict[str, float], good: dict[str, float], cause: str
) -> None:
    played, better = made(**bad), made(wins=1.0, **good)
    assert cause_of(kind, played, better) == cause
    shown = replace(fall, cause=cause, played=played, better=better, taken=16, guards=0)
    for text in (cause_text(shown), remedy_text(shown)):
        assert all(text)
        assert not any(mark in both for both in text for mark in "{}")
    if cause == "guards":
        assert "16" in cause_text(shown).ja
        assert "No character able to block" in cause_text(shown).en


def test_without_a_better_move(fall: Fall) -> None:
    assert cause_of("chance", made(), None) == "unclear"
    shown = replace(fall, cause="unclear", better=None, taken=0)
    assert cause_text(shown) == CAUSES["unclear"]
    assert remedy_text(shown) == ("", "")
    assert "16" in cause_text(replace(shown, taken=16)).en
