"""Bad bots end in one line each: the game is played to its end, nothing hangs, no process is left."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker.players import arena
from blackpoker.players.bots.process import dismiss_all
from tests.bots.bad import CLASSES, HEAD, PROGRAMS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots are run on Linux and macOS only")


def settings(told: str) -> str:
    """Limits of a bot that ends in this line: short where they are what ends it, else long enough for a busy machine."""
    seconds = 1 if "longer than 1 s" in told or "does not read" in told else 15
    return f"seconds={seconds}/start={2 if 'longer than 2 s' in told else 30}/memory=600"


def marked(mark: str) -> list[int]:
    """Processes that were started with this mark in their environment."""
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
    dismiss_all()
    assert marked(text) == []


def play(name: str) -> arena.BoutResult:
    return arena.play(arena.Bout("lite+entry", name, "random", 5))


def one_fault(name: str, told: str, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING, "blackpoker.players"):
        result = play(name)
    assert time.monotonic() - begun < 60
    assert len(result.faults) == 1, result.faults
    line = result.faults[0]
    assert told in line
    assert line.startswith(f"{name} (p1, turn ")
    assert line.endswith("; the rest of the game is played by default")
    assert "\n" not in line
    assert len(line) < 500
    assert [record.getMessage() for record in caplog.records] == result.faults
    assert marked(mark) == []  # it is ended at once, not when we end


def test_there_are_enough() -> None:
    assert len(CLASSES) + len(PROGRAMS) >= 40


@pytest.mark.parametrize("name", CLASSES)
def test_a_bad_class(name: str, tmp_path: Path, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bot.py"
    source, told = CLASSES[name]
    path.write_text(source)
    one_fault(f"{path}:Bot:{settings(told)}", told, mark, caplog)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bad_program(name: str, tmp_path: Path, mark: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bot.py"
    source, told = PROGRAMS[name]
    path.write_text(f"{HEAD}\n{source}\n")
    one_fault(f'exec:"{sys.executable} {path}":{settings(told)}', told, mark, caplog)
