"""Every planted fault is detected; the unchanged source passes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.hot import check

import blackpoker
from tests.faults.faults import FAULTS, HOT_CHECK, TYPOS, Fault, Typo

SOURCE = Path(blackpoker.__file__).parent
SCENARIOS = Path(__file__).parents[1] / "scenarios"


def holds(source: Path, scenario: str) -> bool:
    """Return whether the scenario passes with the interpreted source at this path."""
    if scenario == HOT_CHECK:
        return not check(source)
    # no bytecode: a fault of equal length, written within a second, would look like the same file
    environment = {
        **os.environ,
        "BLACKPOKER_PURE": "1",
        "PYTHONPATH": str(source.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "blackpoker.cli", "scenario", str(SCENARIOS / scenario)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr or "AssertionError" in done.stderr, done.stderr
    return done.returncode == 0


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("source") / "blackpoker"
    shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))
    return target


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.ruling for fault in FAULTS])
def test_a_planted_fault_is_caught(fault: Fault, copied: Path) -> None:
    path = copied / fault.file
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.line) == 1, f"the line stands {text.count(fault.line)} times in {fault.file}"
    assert holds(copied, fault.caught_by), "the scenario must hold without the fault"
    path.write_text(text.replace(fault.line, fault.becomes), encoding="utf-8")
    try:
        assert not holds(copied, fault.caught_by), f"{fault.ruling}: nothing noticed {fault.becomes!r}"
    finally:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("typo", TYPOS, ids=[typo.becomes for typo in TYPOS])
def test_a_typo_in_a_scenario_is_caught(typo: Typo, copied: Path, tmp_path: Path) -> None:
    text = (SCENARIOS / typo.file).read_text(encoding="utf-8")
    assert typo.line in text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text, encoding="utf-8")
    assert holds(copied, str(wrong)), "the scenario must hold without the typo"
    wrong.write_text(text.replace(typo.line, typo.becomes, 1), encoding="utf-8")
    assert not holds(copied, str(wrong)), f"nothing noticed {typo.becomes!r}"


def test_there_are_enough_of_them() -> None:
    assert len({fault.ruling for fault in FAULTS}) == len(FAULTS) >= 10
