"""Types of the package as seen from outside: pyright's completeness, and a user's script.

Pyright resolves libraries with the first ``python`` on the path. It must be ours, else all types built from library
types count as unknown.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LEAST_COMPLETE = 0.98
#: with fewer symbols pyright has not found the package
LEAST_SYMBOLS = 5000

needs_pyright = pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")


def pyright(folder: Path, *arguments: str) -> dict[str, Any]:
    """Return pyright's report, run in a folder without our settings."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:  # Node.js is missing and could not be fetched
        pytest.skip(f"pyright does not run here: {(done.stderr or done.stdout)[-300:]}")
    return report


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return the code of the guide's page as a user's script."""
    page = (ROOT / "docs" / "guide" / "api.md").read_text(encoding="utf-8")
    path = tmp_path / "script.py"
    path.write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), encoding="utf-8")
    return path


def mypy(script: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", script.name],
        cwd=script.parent,
        env={**os.environ, "MYPYPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout + done.stderr


WRONG = "\nnumber: int = game.record()\n"


def test_a_users_script_is_clean_for_mypy(script: Path) -> None:
    pytest.importorskip("mypy")
    assert mypy(script).startswith("Success")
    script.write_text(script.read_text(encoding="utf-8") + WRONG, encoding="utf-8")
    assert 'expression has type "str"' in mypy(script)


@needs_pyright
def test_a_users_script_is_clean_for_pyright(script: Path) -> None:
    assert pyright(script.parent, script.name)["generalDiagnostics"] == []
    script.write_text(script.read_text(encoding="utf-8") + WRONG, encoding="utf-8")
    (found,) = pyright(script.parent, script.name)["generalDiagnostics"]
    assert found["rule"] == "reportAssignmentType"


def examples() -> list[Path]:
    return sorted(path for folder in ("bots", "api") for path in (ROOT / "examples" / folder).glob("*.py"))


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name)
def test_an_example_is_clean_for_mypy(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    copy = tmp_path / path.name
    copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert mypy(copy).startswith("Success")


@needs_pyright
def test_the_examples_are_clean_for_pyright(tmp_path: Path) -> None:
    for path in examples():
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    found = pyright(tmp_path, ".")
    assert found["summary"]["filesAnalyzed"] == len(examples())
    assert found["generalDiagnostics"] == []


@needs_pyright
def test_the_types_are_complete(tmp_path: Path) -> None:
    found = pyright(tmp_path, "--verifytypes", "blackpoker", "--ignoreexternal")["typeCompleteness"]
    assert found["exportedSymbolCounts"]["withKnownType"] > LEAST_SYMBOLS
    incomplete = [symbol["name"] for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert found["completenessScore"] >= LEAST_COMPLETE, incomplete
