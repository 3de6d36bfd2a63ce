"""Plant a fault of edition 9 in a copy of the source, and run the scenarios and properties of edition 9 with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.faults.edition9_faults import EditionFault
from tests.faults.position_games import ROOT, NotRunning

SCENARIOS = ROOT / "tests" / "scenarios" / "9"
PROPERTIES = ("tests/properties/test_edition9.py", "tests/unit/test_edition9.py")
FAILED = "FAIL"


def run(source: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module with the interpreted source at this path."""
    # no bytecode: a fault of equal length, written within a second, would look like the same file
    environment = {
        **os.environ,
        "BLACKPOKER_PURE": "1",
        "PYTHONPATH": f"{source.parent}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, timeout=900, cwd=ROOT
    )
    return done


def failing_scenarios(source: Path, path: Path = SCENARIOS) -> list[str]:
    """Return the files with a scenario that does not hold, by their path below ``SCENARIOS``."""
    done = run(source, "blackpoker.cli", "scenario", str(path))
    if " held, " not in done.stdout:
        raise NotRunning(done.stderr)
    lines = [line.split() for line in done.stdout.splitlines()]
    return [str(Path(words[1]).relative_to(SCENARIOS)) for words in lines if words and words[0] == FAILED]


def failing_property(source: Path) -> str:
    """Return the first property of edition 9 that does not hold, empty if all hold."""
    done = run(source, "pytest", "-n", "0", "-x", "-q", *PROPERTIES)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" ")[1] if lines else ""


def planted(fault: EditionFault, source: Path) -> str:
    """Plant the fault in the copied source; return the text it replaces."""
    path = source / fault.file
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.line) == 1, f"the line stands {text.count(fault.line)} times in {fault.file}"
    path.write_text(text.replace(fault.line, fault.becomes), encoding="utf-8")
    return text


def caught_by(fault: EditionFault, source: Path, properties: bool = True) -> str:
    """Return what detects the fault: a file of scenarios, else a property; empty if nothing does."""
    text = planted(fault, source)
    try:
        failing = failing_scenarios(source)
        if failing:
            return failing[0]
        return failing_property(source) if properties else ""
    finally:
        (source / fault.file).write_text(text, encoding="utf-8")
