"""Bots in place of a level: arena, play, analyse, batch games, the lab, the environments; mistakes give one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker import Game
from blackpoker.lab import game_runner
from blackpoker.lab.experiment import Arm
from blackpoker.players import analysis, arena, batch_play
from blackpoker.players.bots.process import terminate_all
from tests.bots.test_bad_bots import marked
from tests.bots.tools import CLASS, EXAMPLES, PYTHON_LINES


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    yield
    terminate_all()


def command(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "blackpoker.cli", *words], input=typed, capture_output=True, text=True, timeout=120
    )


def test_many_games_are_those_of_the_arena() -> None:
    """Also if the other player runs as machine code."""
    for name in (CLASS, PYTHON_LINES):
        played = batch_play.games("lite+entry", range(4), (name, "heuristic"))
        for seed in range(4):
            result = arena.play(arena.ScheduledGame("lite+entry", name, "heuristic", seed))
            assert (played.winner[seed], played.turns[seed]) == (result.winner, result.turns)
            assert result.faults == []


def test_the_lab() -> None:
    """The bot's games differ from those of the heuristic player, its stand-in if a level without play-outs were chosen."""
    arm = Arm("bot", "lite+entry", (CLASS, "heuristic"))
    mirror = Arm("heuristic", "lite+entry", ("heuristic", "heuristic"))
    assert game_runner.choices_of(arm, [3, 4], 0) == [None, None]
    rows = [game_runner.play(arm, 0, seed, seed, 0) for seed in (3, 4)]
    other = [game_runner.play(mirror, 0, seed, seed, 0) for seed in (3, 4)]
    assert [row.choices for row in rows] != [row.choices for row in other]
    assert [row.choices for row in rows] == [game_runner.play(arm, 0, seed, seed, 0).choices for seed in (3, 4)]
    assert [row.faults for row in rows] == ["", ""]


def test_an_environment() -> None:
    gym = pytest.importorskip("gymnasium")
    import blackpoker.envs  # registers the environments

    assert blackpoker.envs
    env = gym.make("blackpoker/lite-entry-v0", opponent=CLASS)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        mask = info["action_mask"]
        _, _, over, _, info = env.step(max(option for option in range(len(mask)) if mask[option]))
    env.close()


def test_bot_replies_in_a_position() -> None:
    game = Game("lite+entry", seed=7)
    move = analysis.chosen_move(game, f"{EXAMPLES}/first.py:Bot")
    assert move.startswith("attack")
    assert game.push_text(move)


def test_analyse_prints_the_result(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(Game("lite+entry", seed=7).record(), encoding="utf-8")
    done = command("analyse", str(path), "--player", f"{EXAMPLES}/first.py:Bot", "-n", "20", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["player"]["move"].startswith("attack")


def test_play_seats_it() -> None:
    done = command("play", "-o", f"{EXAMPLES}/first.py:Bot", "-s", "7", typed="end\n" * 6 + "quit\n\n")
    assert done.returncode == 0, done.stderr
    assert "played by default" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("arena", "-p", "nobody.py:Bot,easy"), "there is no file nobody.py"),
        (("arena", "-p", 'exec:"no-such-program",easy'), "there is no program 'no-such-program'"),
        (("play", "-o", "nobody.py:Bot"), "there is no file nobody.py"),
        (("play", "-o", "nobody"), "there is no player 'nobody'"),
        (("bot", "join", "localhost", "--bot", CLASS), "is no address of a server"),
        (("bot", "join", "http://localhost:1", "--bot", "easy"), "is no bot"),
        (("bot", "join", "http://localhost:1", "--bot", "nobody.py:Bot"), "there is no file nobody.py"),
        (("bot", "leave", "http://localhost:1", "--bot", CLASS), "leave"),
        (("bot", "join"), "URL"),
    ],
)
def test_a_mistake_is_one_line(words: tuple[str, ...], told: str) -> None:
    done = command(*words, "--lang", "en")
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_nothing_is_left_when_we_are_killed(tmp_path: Path) -> None:
    """Also for a bot that ignores signals, when the parent cannot clean up."""
    path = tmp_path / "deaf.py"
    path.write_text(
        "import os, signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
        "class Bot:\n    def choose(self, seat, decision):\n        if os.fork() == 0: os.setsid()\n        time.sleep(60)\n"
    )
    mark = f"killed-{os.getpid()}-{time.monotonic_ns()}"
    arena_process = subprocess.Popen(
        [sys.executable, "-m", "blackpoker.cli", "arena", "-p", f"{path}:Bot:seconds=60,random", "-n", "2"],
        env={**os.environ, "BLACKPOKER_TEST_MARK": mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while len(marked(mark)) < 4 and time.monotonic() < end:  # the arena, the limiter process, the bot, its child
        time.sleep(0.05)
    assert len(marked(mark)) >= 4
    arena_process.kill()
    arena_process.wait()
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert marked(mark) == []
