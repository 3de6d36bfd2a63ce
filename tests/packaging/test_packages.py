"""The sdist and the wheel are complete, and the installed package plays from another folder."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.git_files import known_to_git

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "blackpoker" / "server" / "static" / "index.html"

# The wheel is built from the sdist; this shows that the sdist is complete.
BUILD = """
import os, sys
from setuptools import build_meta
os.chdir(sys.argv[1])
print(getattr(build_meta, "build_" + sys.argv[2])(sys.argv[3]))
"""

PLAYED = """
import random
import blackpoker as bp
from pathlib import Path

assert Path(bp.__file__).is_relative_to(Path.cwd().parent / "installed"), bp.__file__
game = bp.Game("master+full", seed=7)
while game.outcome() is None:
    game.push(random.choice(game.options))
same = bp.Game.from_record(game.record())
assert same.outcome() == game.outcome()
print(game.outcome())
"""


def build(source: Path, what: str, into: Path) -> Path:
    into.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(source), what, str(into)],
        env={**os.environ, "BLACKPOKER_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return into / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Return the sdist, its unpacked folder and the wheel."""
    folder = tmp_path_factory.mktemp("packages")
    # A copy, so that the egg-info of an editable install does not influence the content of the package.
    tracked = known_to_git()
    if not tracked:
        pytest.skip("this is no checkout: packages are built from one")
    copy = folder / "copy"
    for name in tracked:
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    page = copy / PAGE.relative_to(ROOT)
    page.parent.mkdir(parents=True)
    page.write_bytes(PAGE.read_bytes() if PAGE.exists() else b"<!doctype html>")  # `make web` tests the real build
    sdist = build(copy, "sdist", folder / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return sdist, unpacked, build(unpacked, "wheel", folder / "wheel")


def test_the_sdist_is_complete(packages: tuple[Path, Path, Path]) -> None:
    unpacked = packages[1]
    for name in (
        "README.md",
        "README.ja.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "pyproject.toml",
        "setup.py",
        "web/build.py",
        "web/package-lock.json",
        "docs/notation.md",
        "docs/guide/cli.md",
        "tests/unit/test_cli.py",
        "tests/scenarios/canon",
        "benchmarks",
        "src/blackpoker/py.typed",
        "src/blackpoker/server/static/index.html",
    ):
        assert (unpacked / name).exists(), name
    tracked = {
        path.relative_to(ROOT)
        for path in (ROOT / "tests").rglob("*")
        if path.suffix in (".py", ".toml", ".json", ".txt")
    }
    missing = {path for path in tracked if "__pycache__" not in path.parts and not (unpacked / path).exists()}
    assert not missing
    assert not list(unpacked.rglob("node_modules"))
    assert not list(unpacked.rglob("*.pyc"))


def test_the_wheel_is_complete(packages: tuple[Path, Path, Path]) -> None:
    with zipfile.ZipFile(packages[2]) as wheel:
        inside = set(wheel.namelist())
        metadata = wheel.read(next(name for name in inside if name.endswith("METADATA"))).decode()
    root = ROOT / "src"
    source = {
        path.relative_to(root).as_posix()
        for path in (root / "blackpoker").rglob("*")
        if path.suffix in (".py", ".toml", ".mako") and "__pycache__" not in path.parts
    }
    assert len(source) > 100
    assert source <= inside, source - inside
    assert {"blackpoker/py.typed", "blackpoker/server/static/index.html"} <= inside
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]
    assert len(needs) <= 3
    for extra in ("cli", "server", "scale", "all"):
        assert f"Provides-Extra: {extra}" in metadata
    assert "Provides-Extra: dev" not in metadata


def test_the_wheel_plays_from_another_folder(packages: tuple[Path, Path, Path], tmp_path: Path) -> None:
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(packages[2]) as wheel:
        wheel.extractall(installed)
    environment = {**os.environ, "PYTHONPATH": str(installed), "BLACKPOKER_LANG": "en"}

    def python(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=elsewhere,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Outcome" in python("-c", PLAYED)
    assert "non-profit" in python("-m", "blackpoker.cli", "--version")
    assert "Counter" in python("-m", "blackpoker.cli", "rules", "counter")
    assert "held, 0 failed" in python(
        "-m", "blackpoker.cli", "scenario", str(packages[1] / "tests" / "scenarios" / "canon")
    )
