"""What bots write to standard error is kept with each game and shown on demand; slow games show progress."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker import Regulation
from blackpoker.cli.arena import Progress
from blackpoker.players.arena import Results, play, schedule

TALKING = """
import sys

class Bot:
    def __init__(self, hello):
        print("starts", hello.seed, file=sys.stderr)

    def choose(self, seat, decision):
        print("thinks of", len(decision.words))
        return decision.default

    def over(self, winner):
        print("ends", file=sys.stderr)

class Crashing(Bot):
    def choose(self, seat, decision):
        print("about to crash")
        raise ValueError("broken")
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "talking.py"
    path.write_text(TALKING, encoding="utf-8")
    return path


def test_the_output_of_each_game_is_kept(bots: Path, tmp_path: Path) -> None:
    name = f"{bots}:Bot"
    kept = Results(tmp_path / "results.jsonl")
    for scheduled in schedule(Regulation.parse("lite+entry").text, [name, "random"], 4, 5):
        kept.add(play(scheduled))
    read = Results(tmp_path / "results.jsonl").games
    assert read == kept.games
    for result in read:
        seat = (result.first, result.second).index(name)
        assert result.output[1 - seat] == ""
        lines = result.output[seat].splitlines()
        assert sum(line.startswith("starts") for line in lines) == 1, "of this game only"
        assert any(line.startswith("thinks of") for line in lines), "a class may simply print"


def test_the_output_before_a_crash_is_kept(bots: Path) -> None:
    (scheduled, _) = schedule("lite+entry", [f"{bots}:Crashing", "random"], 2, 1, forgive=1)
    result = play(scheduled)
    assert result.output[0].count("about to crash") == 2
    assert "ValueError: broken" in result.faults[0]


def test_verbose_shows_it(bots: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "blackpoker", "arena", "-p", f"{bots}:Bot,random", "-n", "2", "-j", "1", "--json"]
    runs = [
        subprocess.run([*command, *more], capture_output=True, text=True, check=True, cwd=tmp_path)
        for more in ([], ["--verbose"])
    ]
    quiet, verbose = runs
    assert "thinks of" not in quiet.stderr
    assert f"{bots}:Bot (p1, seed 0): thinks of" in verbose.stderr
    assert f"{bots}:Bot (p2, seed 0): thinks of" in verbose.stderr
    timed = ("ms_per_decision", "decisions_per_s", "slowest_ms")
    tables = [
        [{name: value for name, value in row.items() if name not in timed} for row in json.loads(run.stdout)["players"]]
        for run in runs
    ]
    assert tables[0] == tables[1]


def test_progress_is_shown_before_the_first_game_ends() -> None:
    shown: list[str] = []
    progress = Progress(20, "en", shown.append, 0.05)
    with progress:
        for _ in range(200):
            if progress.ended.wait(0.01) or len(shown) >= 3:
                break
    assert shown[0] == "0 s: 0 of 20 games"
    count = len(shown)
    progress.thread.join()
    assert len(shown) == count, "it ends with the games"
