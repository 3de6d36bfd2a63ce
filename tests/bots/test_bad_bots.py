"""Each bad bot loses with a one-line error; nothing hangs and no process is left. Bots that never start are refused."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker import Regulation
from blackpoker.players import arena
from blackpoker.players.bots.process import terminate_all
from blackpoker.players.errors import PlayersError
from tests.bots.bad_bots import CLASSES, HEAD, PROGRAMS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots are run on Linux and macOS only")


def settings(error: str) -> str:
    """Return the limits for a bot that is expected to fail with this error: short if the limit itself ends it, else
    generous."""
    seconds = 1 if "longer than 1 s" in error or "does not read" in error else 15
    return f"seconds={seconds}/start={2 if 'longer than 2 s' in error else 30}/memory=600"


def marked(mark: str) -> list[int]:
    """Return the ids of the processes that were started with this mark in their environment."""
    found = []
    for name in os.listdir("/proc") if Path("/proc").is_dir() else ():
        if name.isdigit() and int(name) != os.getpid():
            try:
                if mark.encode() in Path(f"/proc/{name}/environ").read_bytes():
                    found.append(int(name))
            except OSError:
                pass
    return found


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    text = secrets.token_hex(16)
    monkeypatch.setenv("BLACKPOKER_TEST_MARK", text)
    yield text
    terminate_all()
    assert marked(text) == []


def play(name: str, forgive: int = 0) -> arena.GameResult:
    return arena.play(arena.ScheduledGame("lite+entry", name, "random", 5, forgive=forgive))


def one_fault(name: str, error: str, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    started = time.monotonic()
    with caplog.at_level(logging.WARNING, "blackpoker.players"):
        result = play(name)
    assert time.monotonic() - started < 60
    assert len(result.faults) == 1, result.faults
    line = result.faults[0]
    assert error in line
    assert line.startswith(f"{name} (p1, turn ")
    assert line.endswith("; the game is lost")
    assert result.winner == 1
    assert "\n" not in line
    assert len(line) < 500
    assert [record.getMessage() for record in caplog.records] == result.faults
    assert marked(mark) == []  # the process ends at once, not when the test process ends


def test_there_are_enough() -> None:
    assert len(CLASSES) + len(PROGRAMS) >= 40


@pytest.mark.parametrize("name", CLASSES)
def test_a_bad_class(name: str, tmp_path: Path, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bot.py"
    source, error = CLASSES[name]
    path.write_text(source)
    one_fault(f"{path}:Bot:{settings(error)}", error, mark, caplog)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bad_program(name: str, tmp_path: Path, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bot.py"
    source, error = PROGRAMS[name]
    path.write_text(f"{HEAD}\n{source}\n")
    one_fault(f'exec:"{sys.executable} {path}":{settings(error)}', error, mark, caplog)


#: the entries above that fail before their first game
NEVER_STARTED = (
    "syntax error",
    "exception at start",
    "missing import",
    "no such class",
    "no method",
    "endless start",
    "dead at start",
    "silent at start",
    "no join",
    "unknown detail",
)


@pytest.mark.parametrize("kind", NEVER_STARTED)
def test_a_bot_that_never_starts_is_refused(kind: str, tmp_path: Path, mark: str) -> None:
    path = tmp_path / "bot.py"
    source, error = CLASSES.get(kind) or PROGRAMS[kind]
    path.write_text(source if kind in CLASSES else f"{HEAD}\n{source}\n")
    name = f"{path}:Bot" if kind in CLASSES else f'exec:"{sys.executable} {path}"'
    name += f":{settings(error)}"
    with pytest.raises(PlayersError) as refused:
        arena.check_bots(["random", name], Regulation.parse("lite+entry"))
    assert str(refused.value).startswith(name)
    assert error in refused.value.en
    assert error in refused.value.ja


def test_a_bot_that_starts_is_kept_for_its_first_game(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text("class Bot:\n    def choose(self, seat, decision):\n        return decision.default\n")
    arena.check_bots([f"{path}:Bot"], Regulation.parse("lite+entry"))
    before = marked(mark)
    assert before
    assert play(f"{path}:Bot").faults == []
    assert marked(mark) == before


FLAKY = """
import pathlib
COUNT = pathlib.Path(__file__).with_suffix(".count")
class Bot:
    def choose(self, seat, decision):
        n = int(COUNT.read_text()) if COUNT.exists() else 0
        COUNT.write_text(str(n + 1))
        if n % 2 == 0 and n < 2 * {faults}:
            raise RuntimeError("not today")
        return decision.default
"""


@pytest.mark.parametrize(("faults", "forgive", "lost"), [(2, 2, False), (3, 2, True), (1, 0, True)])
def test_so_many_faults_are_forgiven(faults: int, forgive: int, lost: bool, tmp_path: Path, mark: str) -> None:
    """The default is played and the bot restarted; the next fault loses the game."""
    path = tmp_path / "bot.py"
    path.write_text(FLAKY.format(faults=faults))
    result = play(f"{path}:Bot", forgive)
    assert len(result.faults) == faults
    assert all("not today" in line for line in result.faults)
    assert [line.endswith("; the game is lost") for line in result.faults] == [False] * (faults - lost) + [True] * lost
    if lost:
        assert result.winner == 1


def test_the_table_counts_what_was_lost_by_faults(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text("class Bot:\n    def choose(self, seat, decision):\n        return 1 // 0\n")
    names = arena.check_players([f"{path}:Bot", "random"])
    bouts = arena.schedule("lite+entry", names, 4, 1)
    table = arena.Standings(names, list(arena.run(bouts, 1)))
    bot, other = table.rows[names[0]], table.rows[names[1]]
    assert (bot.points, bot.faults, other.points, other.faults) == (0, 4, 4, 0)
    assert bot.mu < other.mu
