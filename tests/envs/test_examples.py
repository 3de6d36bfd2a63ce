"""The examples run, and their types check for users who have the package installed."""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
OURS = ("train_ppo.py", "openspiel_mccfr.py")


def has(*modules: str) -> bool:
    return all(importlib.util.find_spec(module) for module in modules)


needs_torch = pytest.mark.skipif(not has("torch", "sb3_contrib"), reason="torch and sb3-contrib are not installed")
needs_spiel = pytest.mark.skipif(not has("pyspiel"), reason="open_spiel is not installed")


@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_learning_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLES / "train_ppo.py"))["main"]
    few = ["--games", "8", "--steps", "16", "--sample", "4", "--measure", "0", "--rung", "0", "--folder", str(tmp_path)]
    main([*few, "--minutes", "0.001"])
    assert "against easy" in capsys.readouterr().out
    main([*few, "--minutes", "0.05", "--resume"])
    assert len((tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()) >= 2
    main(["--evaluate", "2", "--folder", str(tmp_path)])
    assert "of 2 games against easy" in capsys.readouterr().out
    if has("matplotlib"):
        main(["--plot", str(tmp_path / "curve.png"), "--folder", str(tmp_path)])
        assert (tmp_path / "curve.png").stat().st_size > 1000


@needs_spiel
def test_mccfr_runs(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLES / "openspiel_mccfr.py"))["main"]
    share = main(["--iterations", "40", "--every", "20", "--games", "10"])
    assert 0 <= share <= 1
    assert capsys.readouterr().out.count("against random") == 2


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Return a folder outside the checkout that contains the examples."""
    for name in OURS:
        shutil.copy(EXAMPLES / name, tmp_path / name)
    return tmp_path


@needs_torch
@needs_spiel
@pytest.mark.skipif(not has("mypy"), reason="mypy is not installed")
def test_mypy_is_content(user: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", *OURS]
    done = subprocess.run(command, cwd=user, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:]


@needs_torch
@needs_spiel
@pytest.mark.skipif(not has("pyright"), reason="pyright is not installed")
def test_pyright_is_content(user: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", *OURS],
        cwd=user,
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
    assert report["summary"]["filesAnalyzed"] == len(OURS)
    assert [each["message"] for each in report["generalDiagnostics"] if each["severity"] == "error"] == []
