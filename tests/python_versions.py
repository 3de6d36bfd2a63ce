"""``make test-versions``: the install and the tests on every Python from 3.11 to 3.14 found on this machine.

Each Python gets its own environments under build/versions. First the plain install, which must bring no more than three
packages, play a game and report in one line which extra a command lacks; then the tests, with the libraries at the
lowest versions pyproject.toml allows.

python -m tests.python_versions                    all of them
python -m tests.python_versions 3.12 3.13          only these
python -m tests.python_versions --whole 3.11       the whole suite instead of a selection
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "versions"
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
MOST_PACKAGES = 3
#: the areas that differ most between versions: language, libraries, sockets, the database
SELECTION = (
    "tests/unit",
    "tests/scenarios",
    "tests/perft",
    "tests/packaging",
    "tests/server/test_serve.py",
    "tests/server/test_live.py",
)

PLAY = """
import blackpoker as bp
game = bp.Game("master+full", seed=7)
players = bp.opponent("easy", seed=1), bp.opponent("easy", seed=2)
while game.outcome() is None:
    game.push(players[game.player].choose(game))
assert bp.Game.from_record(game.record()).outcome() == game.outcome()
"""


def pythons() -> Iterator[tuple[str, str]]:
    """Yield the supported versions that are installed here, each with one interpreter."""
    for version in SUPPORTED:
        places = [
            shutil.which(f"python{version}"),
            *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python")),
        ]
        for place in filter(None, places):
            ask = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
            version_output = subprocess.run([place, "-c", ask], capture_output=True, text=True, check=False)
            if version_output.stdout.strip() == version:
                yield version, place
                break


def test_tools() -> list[str]:
    """Return the dependency group ``test``; older versions of pip cannot install a group by its name."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    return [text for text in groups["test"] if isinstance(text, str)]


def lowest() -> list[str]:
    """Return pip constraints: every library we name, at the lowest version we allow."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    named += test_tools()
    found = set()
    for text in named:
        match = re.match(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*[>=]=\s*([0-9][0-9.]*)", text)
        if match is not None:
            found.add(f"{match[1]}=={match[2]}")
        elif not text.startswith("blackpoker["):
            raise SystemExit(f"{text!r} in pyproject.toml has no lowest version")
    return sorted(found)


def call(command: list[str | Path], log: Path, **more: str) -> int:
    with log.open("a", encoding="utf-8") as file:
        file.write(f"$ {' '.join(map(str, command))}\n")
        file.flush()
        return subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
            env={**os.environ, "BLACKPOKER_PURE": "1", **more},
        ).returncode


def environment(python: str, name: str, log: Path, *packages: str | Path) -> Path | None:
    """Return the interpreter of a new environment with these packages; None if they cannot be installed."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if call([python, "-m", "venv", folder], log):
        return None
    if call([inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages], log):
        return None
    return inside


def check_plain(python: str, version: str, log: Path) -> str:
    """Return the defect of the plain install; empty if there is none."""
    inside = environment(python, f"plain-{version}", log, ".")
    if inside is None:
        return "cannot be installed"
    listed = subprocess.run(
        [inside, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    brought = [line for line in listed if not line.startswith(("pip==", "setuptools==", "blackpoker"))]
    if len(brought) > MOST_PACKAGES:
        return f"brings {len(brought)} packages: {' '.join(brought)}"
    if call([inside, "-c", PLAY], log):
        return "cannot play a game"
    commands = {
        "play": [],
        "rules": ["counter"],
        "regulations": [],
        "simulate": ["lite+entry"],
        "arena": ["-p", "easy,random"],
        "bench": [],
    }
    commands |= {"analyse": ["x"], "serve": [], "verify": ["x"], "": []}
    for name, words in commands.items():
        done = subprocess.run(
            [inside, "-m", "blackpoker.cli", *filter(None, [name]), *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=FOLDER,
        )
        if done.returncode != 2 or done.stderr.count("\n") != 1 or "pip install" not in done.stderr:
            return f"blackpoker {name}: exit code {done.returncode}, {done.stderr[-300:]!r}"
    if call([inside, "-m", "blackpoker.cli", "--version"], log) or call(
        [inside, "-m", "blackpoker.cli", "--help"], log
    ):
        return "has no --version or --help"
    if call([inside, "-m", "blackpoker.cli", "scenario", "tests/scenarios/canon"], log):
        return "fails scenarios"
    return ""


def check_lowest(python: str, version: str, log: Path, tests: tuple[str, ...], jobs: int) -> str:
    constraints = FOLDER / "lowest.txt"
    constraints.write_text("\n".join(lowest()) + "\n", encoding="utf-8")
    inside = environment(python, f"lowest-{version}", log, "-c", constraints, "-e", ".[all,envs]", *test_tools())
    if inside is None:
        return "cannot be installed at the lowest versions"
    # Warnings of old libraries on a new Python are not ours to fix.
    command: list[str | Path] = [
        inside,
        "-m",
        "pytest",
        "-q",
        "-rf",
        "-n",
        str(jobs),
        "-W",
        "default",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    return "fails tests" if call(command, log) else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", help="only these")
    parser.add_argument("--whole", action="store_true", help="the whole suite")
    parser.add_argument("--plain", action="store_true", help="only the plain install")
    parser.add_argument("--jobs", type=int, default=2)
    wanted = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = [(version, python) for version, python in pythons() if not wanted.versions or version in wanted.versions]
    if not found:
        print("no such Python is installed here", file=sys.stderr)
        return 2
    tests = ("tests", "--ignore=tests/web") if wanted.whole else SELECTION
    failed = False
    for version, python in found:
        log = FOLDER / f"{version}.log"
        log.unlink(missing_ok=True)
        for what in ("plain install",) if wanted.plain else ("plain install", "lowest versions"):
            print(f"· Python {version}, {what} …", end=" ", flush=True)
            began = time.monotonic()
            plain = what == "plain install"
            wrong = (
                check_plain(python, version, log) if plain else check_lowest(python, version, log, tests, wanted.jobs)
            )
            print(f"{wrong or 'good'} ({time.monotonic() - began:.0f} s)", flush=True)
            failed = failed or bool(wrong)
        if failed:
            print(f"  see {log.relative_to(ROOT)}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
