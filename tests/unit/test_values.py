"""Public results are values: copied, pickled and compared in every build, and across builds and processes."""

import copy
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker import _build
from blackpoker.assist.decision import Draft
from blackpoker.notation.move import Move

SOURCE = Path(bp.__file__).parents[1]
FORMATS = ("lite+full", "master+random40+pack", "extra+full+preset2")


def results(game: bp.Game, chosen: random.Random) -> list[object]:
    """Return every kind of public result at this decision, and the step of one random option."""
    decision = game.decision
    assert decision is not None
    option = chosen.choice(decision.options)
    draft = game.draft([option.text])
    step = game.push(option.option)
    out: list[object] = [decision, option, draft, step, step.before.legal_moves, step.move, game.legal_moves]
    out += [draft.decision, draft.move, next(game.steps(deal=True)), game.outcome(), *game.steps()][:12]
    return [result for result in out if result is not None]


def played(regulation: str, seed: int) -> list[object]:
    """Return results of a random game, now and then."""
    chosen = random.Random(seed)
    game = bp.Game(regulation, seed=seed)
    out: list[object] = []
    for number in range(120):
        if not game.options:
            break
        if number % 9 == 0:
            out += results(game, chosen)
        else:
            game.push(chosen.choice(game.options))
    game.end("resign", bp.Player.P1) if game.options else None
    return [*out, game.outcome(), game.legal_moves, *list(game.steps())[-1:]]


@pytest.mark.parametrize("regulation", FORMATS)
def test_copies_and_pickles_are_equal(regulation: str) -> None:
    for result in played(regulation, 5):
        for other in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert type(other) is type(result)
            assert other == result
            assert not (other != result)
            assert repr(other) == repr(result)
            if not isinstance(result, Draft):
                assert hash(other) == hash(result)


def test_different_results_are_not_equal() -> None:
    game = bp.Game("lite+entry", seed=7)
    decision, moves, draft = game.decision, game.legal_moves, game.draft(["summon_ace"])
    assert decision is not None
    step = game.push(0)
    assert decision != game.decision
    assert moves != game.legal_moves
    assert moves == bp.Game("lite+entry", seed=7).legal_moves
    assert draft != game.draft()
    assert decision.options[0] != decision.options[1]
    assert step != game.push(0)
    assert step == bp.Game("lite+entry", seed=7).push(0)
    for result in (decision, moves, draft, step, decision.options[0]):
        assert result != "pass"


def test_a_copied_draft_is_independent() -> None:
    game = bp.Game("lite+entry", seed=7)
    draft = game.draft(["summon_ace"])
    other = copy.copy(draft)
    other.append("DA")
    assert draft.words == ["summon_ace"]
    assert repr(draft) == "<Draft p1: summon_ace ...>"
    assert repr(other) == "<Draft p1: summon_ace DA>"


def test_a_step_stays_the_same_after_an_undo() -> None:
    game = bp.Game("lite+entry", seed=7)
    step = game.push_text("summon_ace DA")
    game.pop()
    game.push_text("summon_ace CA")
    again = pickle.loads(pickle.dumps(step))
    assert again == step
    assert again.text == "summon_ace DA"
    assert again.events(bp.Player.P1) == step.events(bp.Player.P1)
    assert again.before == bp.Game("lite+entry", seed=7)


WRITE = """
import pickle, sys
sys.path.insert(0, {tests!r})
from tests.unit.test_values import played
pickle.dump([(repr(result), result) for result in played("extra+full+preset2", 11)], open({path!r}, "wb"))
"""
READ = """
import pickle, sys
sys.path.insert(0, {tests!r})
from tests.unit.test_values import played
read = pickle.load(open({path!r}, "rb"))
made = played("extra+full+preset2", 11)
assert len(read) == len(made) > 20
for (shown, result), other in zip(read, made):
    assert repr(result) == shown == repr(other)
    assert result == other
"""


@pytest.mark.parametrize("pure_first", [True, False])
def test_results_are_read_by_another_process_and_build(tmp_path: Path, pure_first: bool) -> None:
    """One process is interpreted, the other runs the installed build: with no compiled build they are two processes."""
    tests = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    pure = environment | {"BLACKPOKER_PURE": "1"}
    if not _build.PURE:
        environment.pop("BLACKPOKER_PURE", None)
    path = str(tmp_path / "results")
    first, second = (pure, environment) if pure_first else (environment, pure)
    for script, variables in ((WRITE, first), (READ, second)):
        command = [sys.executable, "-c", script.format(tests=tests, path=path)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr


def test_moves_with_options_keep_them() -> None:
    move = next(iter(bp.Game("lite+entry", seed=7).legal_moves))
    assert pickle.loads(pickle.dumps(move)).options == move.options
    assert eval(repr(move), {"Move": Move}) == move
