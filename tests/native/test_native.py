"""The translated rules play the same games, decision by decision, and report a game that is too large for them."""

from __future__ import annotations

import logging
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest

from blackpoker.engine.shuffler import seeded
from blackpoker.game.game import Game
from blackpoker.native import build as native_build
from blackpoker.native import library as door
from blackpoker.native.batch import MAX_OPTIONS, Batch, step_many
from blackpoker.native.layout import Packed
from blackpoker.ruleset import Regulation, new_game
from tests.native.conftest import in_python, small_library
from tests.properties.action_games import ACTIONS, WANTED_USES, action_games

pytestmark = pytest.mark.skipif(native_build.compiler() is None, reason="no C++ compiler: Python plays many games")
COLUMNS = ("winner", "first", "turns", "decisions", "forced", "hash", "uses")


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_the_same_games(regulation: str, native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = [*range(40), 2**40 + 5]
    fast = door.games(regulation, seeds, threads=2, hashed=True, uses=True)
    assert fast.outgrown == 0
    in_python(monkeypatch)
    slow = door.games(regulation, seeds, hashed=True, uses=True)
    for column in COLUMNS:
        assert getattr(fast, column) == getattr(slow, column), column
    assert len(set(slow.hash)) == len(seeds)


@pytest.mark.parametrize("action", ACTIONS[::7])
def test_the_same_games_from_the_positions_of_an_action(
    action: str, native: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = action_games(action)
    in_python(monkeypatch)
    assert fast == action_games(action)
    assert fast.uses >= WANTED_USES


def test_without_hashes_the_same_numbers(native: None) -> None:
    plain = door.games("extra+full", range(30))
    hashed = door.games("extra+full", range(30), hashed=True, threads=1)
    assert all(getattr(plain, column) == getattr(hashed, column) for column in COLUMNS[:5])


def test_random_decks_are_dealt_per_seed(native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = door.games("master+random40", range(12), hashed=True)
    in_python(monkeypatch)
    assert fast.hash == door.games("master+random40", range(12), hashed=True).hash


@pytest.mark.parametrize("noise", [0, 30])
def test_playouts(noise: int, native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(Regulation.parse("extra+full"), seeded(3))
    game.advance()
    dice = seeded(4)
    for _ in range(60):
        game.push(game.options[dice.below(len(game.options))])
    before = Packed(game.rules).pack(game)
    fast = door.playouts(game, 40, 9, noise=noise)
    assert fast.outgrown == 0
    in_python(monkeypatch)
    slow = door.playouts(game, 40, 9, noise=noise)
    assert all(getattr(fast, column) == getattr(slow, column) for column in COLUMNS[:5])
    assert bytes(Packed(game.rules).pack(game).options) == bytes(before.options)


def test_playouts_of_a_game(native: None) -> None:
    game = Game("master+full", seed=3)
    ends = door.playouts(game, 20, 9)
    assert ends.winner == door.playouts(game._engine, 20, 9).winner
    assert not game.history


def test_a_game_that_outgrows_its_memory_is_played_by_python(
    tmp_path: Path, native: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled with rows of six soldiers: games are flagged, none is dropped, none is wrong."""
    whole = door.games("master+full", range(60), hashed=True, uses=True)
    shrunk = small_library(tmp_path)
    monkeypatch.setattr(door, "native_library", lambda: shrunk)
    again = door.games("master+full", range(60), hashed=True, uses=True)
    assert 0 < again.outgrown < 60
    assert all(getattr(whole, column) == getattr(again, column) for column in COLUMNS)


def test_observations_do_not_depend_on_the_machine(
    tmp_path: Path, native: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = Batch("extra+full", range(8))
    plain_library = small_library(tmp_path, most=32)
    monkeypatch.setattr(door, "native_library", lambda: plain_library)
    plain = Batch("extra+full", range(8))
    dice = seeded(6)
    for _ in range(400):
        options = [wide.options[i * MAX_OPTIONS + dice.below(wide.counts[i])] for i in range(8)]
        step_many(wide, options)
        step_many(plain, options)
        assert wide.observations == plain.observations
    assert plain.outgrown == 0


#: steps some games on two threads, then in a forked process
FORKED = """
import os
from blackpoker.native import Batch, step_many
batch = Batch("lite+entry", range(64))
def steps():
    for _ in range(50):
        step_many(batch, bytes(batch.options[i * 112] for i in range(64)), threads=2)
steps()
child = os.fork()
steps()
os._exit(0) if child == 0 else os._exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not door.available(), reason="the translated rules are not built (make native)")
def test_a_forked_process_has_threads_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_another_source_is_not_used(
    library: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(library._name)
    assert door.load(path) is not None
    monkeypatch.setattr(door, "fingerprint", lambda: "another")
    with caplog.at_level(logging.INFO, "blackpoker.native"):
        assert door.load(path) is None
    assert "is made from other rules than these, Python plays instead" in caplog.text
    assert door.load(tmp_path / "nothing.so") is None


def test_columns_are_arrays(native: None) -> None:
    played = door.games("lite+entry", range(5))
    assert isinstance(played.winner, array)
    assert len(played) == 5
    assert memoryview(played.turns).nbytes == 40


def test_a_missing_nvcc_is_one_line() -> None:
    command = [sys.executable, "-m", "blackpoker.native.build", "--gpu"]
    done = subprocess.run(command, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "no nvcc" in done.stderr


def test_without_a_gpu_the_processor_plays(native: None) -> None:
    assert door.games("lite+entry", range(5), gpu=True) == door.games("lite+entry", range(5))


def test_a_missing_compiler_is_one_line() -> None:
    command = [sys.executable, "-m", "blackpoker.native.build"]
    done = subprocess.run(command, env={"CXX": "no-such-compiler"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "no C++ compiler" in done.stderr
