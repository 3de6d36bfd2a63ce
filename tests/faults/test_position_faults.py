"""Every planted fault changes a game from one of the first 200 positions of its ruling."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import blackpoker
from tests.faults.faults import FAULTS, HOT_CHECK
from tests.faults.position_faults import FOCUS_OF, POSITION_FAULTS, PositionFault

SOURCE = Path(blackpoker.__file__).parent
ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("BLACKPOKER_LONG"))
#: positions within which a fault must be noticed
GAMES = 200
OLDER = tuple(
    PositionFault(fault.ruling, FOCUS_OF.get(fault.ruling, "any"), fault.file, fault.line, fault.becomes)
    for fault in FAULTS
)
EVERY = (*POSITION_FAULTS, *OLDER)


def games(source: Path, focus: str) -> subprocess.Popen[str]:
    """Start the games of a focus with the interpreted source at this path; each prints its digest."""
    environment = {
        **os.environ,
        "BLACKPOKER_PURE": "1",
        "PYTHONPATH": f"{source.parent}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "tests.properties.positions", "digest", focus, "--games", str(GAMES)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


@cache
def unchanged(focus: str) -> tuple[str, ...]:
    return tuple(games(SOURCE, focus).communicate(timeout=600)[0].splitlines())


def noticed(source: Path, focus: str) -> int:
    """Return the number of the first game that differs from that of the unchanged source, -1 if none does."""
    wanted = unchanged(focus)
    assert len(wanted) == GAMES
    with games(source, focus) as running:
        assert running.stdout is not None
        for number, line in enumerate(wanted):
            if running.stdout.readline().rstrip("\n") != line:
                running.kill()
                return number
    return -1


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("source") / "blackpoker"
    shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))
    return target


def test_the_copied_source_plays_the_same_games(copied: Path) -> None:
    assert noticed(copied, "R-120") == -1


@pytest.mark.parametrize("number", range(0, len(EVERY), 1 if LONG else 3))
def test_a_planted_fault_changes_a_game(number: int, copied: Path) -> None:
    """A third of the faults in a short run, all of them in a long one."""
    fault = EVERY[number]
    path = copied / fault.file
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.line) == 1, f"the line stands {text.count(fault.line)} times in {fault.file}"
    path.write_text(text.replace(fault.line, fault.becomes), encoding="utf-8")
    try:
        assert noticed(copied, fault.focus) >= 0, f"{fault.ruling}: no game noticed {fault.becomes!r}"
    finally:
        path.write_text(text, encoding="utf-8")


def test_there_are_forty_new_ones() -> None:
    assert len(set(POSITION_FAULTS)) == 40
    assert len(OLDER) == len(FAULTS)
    assert sum(fault.caught_by == HOT_CHECK for fault in FAULTS) == 1
