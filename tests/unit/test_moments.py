"""A choice of a finished game as an exercise, from both seats."""

from __future__ import annotations

import pytest
from tests.unit.test_falls import RECORD

from blackpoker import Game, Player
from blackpoker.learn.exercise import OPEN
from blackpoker.learn.moments import FOUND, MomentExercise, moment_of, swap_players
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.exercise import ExerciseRoom

BETTER = "counter C10 $S3 >#3"
#: index of the choice at which P1 passes although a Counter is in the hand
INDEX = 60


def choice() -> Game:
    game = Game.from_record(RECORD)
    game.go_to(INDEX)
    return game


@pytest.fixture(scope="module", params=["p1", "p2"])
def exercise(request: pytest.FixtureRequest) -> MomentExercise:
    if request.param == "p1":
        return moment_of(choice(), BETTER)
    turned = Game.from_position(swap_players(choice().position()), seed=1)
    assert turned.player == Player.P2
    return moment_of(turned, swap_players(BETTER))


def judged(exercise: MomentExercise, text: str) -> tuple[str, str]:
    game = Game.from_json(exercise.start)
    move = game.parse(text).text
    game.push_text(text)
    state = exercise.evaluate(game, [move])
    return state.status, state.text.en


def test_the_player_to_decide_is_p1(exercise: MomentExercise) -> None:
    game = Game.from_json(exercise.start)
    assert game.player == Player.P1
    assert game.position() == choice().position()
    assert exercise.evaluate(game, []) == OPEN


def test_the_better_move_solves_it(exercise: MomentExercise) -> None:
    assert judged(exercise, BETTER) == ("done", FOUND.en)


def test_the_move_of_the_game_does_not(exercise: MomentExercise) -> None:
    status, text = judged(exercise, "pass")
    assert status == "astray"
    assert "better move" in text


def test_it_is_played_in_a_room(exercise: MomentExercise) -> None:
    room = ExerciseRoom(exercise, "lite+entry", [], "auto")
    room.handle(p.Join(1, "practice", "p1"), "en", -1)
    assert room.judgement == OPEN
    seq = room.room.room_game.seq
    room.handle(p.SubmitMove(2, seq, text=BETTER), "en", seq)
    assert room.judgement.status == "done"
