"""Games from the positions of a ruling, played by the source as it is and with a planted fault."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import blackpoker
from tests.faults.faults import FAULTS
from tests.faults.position_faults import FOCUS_OF, FURTHER_FAULTS, POSITION_FAULTS, PositionFault
from tests.properties.positions import READY

SOURCE = Path(blackpoker.__file__).parent
ROOT = Path(__file__).parents[2]
#: positions within which a fault must be noticed
GAMES = 200
OLDER = tuple(
    PositionFault(fault.ruling, FOCUS_OF.get(fault.ruling, "any"), fault.file, fault.line, fault.becomes)
    for fault in FAULTS
)
EVERY = (*POSITION_FAULTS, *FURTHER_FAULTS, *OLDER)


class NotRunning(AssertionError):
    """Raised for a source that cannot be imported, or makes no tables: that is no fault of a rule."""


def copy_source(folder: Path) -> Path:
    """Copy the interpreted source into a folder and return its path."""
    target = folder / "blackpoker"
    shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))
    return target


@cache
def texts(focus: str, first: int) -> str:
    """Return the positions of a focus from a number on, one a line; the unchanged source makes them."""
    command = [sys.executable, "-m", "tests.properties.positions", "texts", focus, "--from", str(first)]
    command += ["--count", str(GAMES)]
    environment = {**os.environ, "PYTHONPATH": f"{SOURCE.parent}:{ROOT}"}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def lines(source: Path, focus: str, first: int) -> list[str]:
    """Return the digests of the games of a focus, played by the interpreted source at this path."""
    environment = {
        **os.environ,
        "BLACKPOKER_PURE": "1",
        "PYTHONPATH": f"{source.parent}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "tests.properties.positions", "digest", focus]
    done = subprocess.run(
        command, env=environment, input=texts(focus, first), capture_output=True, text=True, timeout=600
    )
    ready, _, rest = done.stdout.partition("\n")
    if not ready.startswith(READY):
        raise NotRunning(done.stderr)
    return rest.splitlines()


@cache
def unchanged(focus: str, first: int) -> list[str]:
    return lines(SOURCE, focus, first)


def first_difference(source: Path, focus: str, first: int = 0) -> int:
    """Return which of the games differs first from that of the unchanged source, -1 if none does."""
    wanted = unchanged(focus, first)
    assert len(wanted) == GAMES
    found = lines(source, focus, first)
    return next((n for n, line in enumerate(wanted) if n >= len(found) or found[n] != line), -1)


def noticed(fault: PositionFault, source: Path, first: int = 0) -> int:
    """Plant the fault in the copied source and return which of the games from the positions of this number on differs
    first, -1 if none does."""
    path = source / fault.file
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.line) == 1, f"the line stands {text.count(fault.line)} times in {fault.file}"
    path.write_text(text.replace(fault.line, fault.becomes), encoding="utf-8")
    try:
        return first_difference(source, fault.focus, first)
    finally:
        path.write_text(text, encoding="utf-8")
