"""The walks of CONTRIBUTING.md, taken in a copy of the tree: each touches one source file and breaks nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PIECE = re.compile(
    r'<!-- walk (?P<walk>\w+): (?P<how>before|after|new) (?:"(?P<mark>[^"]+)" in )?(?P<path>\S+) -->\n```\w+\n(?P<code>.*?)```',
    re.DOTALL,
)
#: tests that look at every definition, step and scenario word; quick ones
ALL_DEFINITIONS = (
    "tests/unit/test_extra.py", "tests/unit/test_regulation.py", "tests/unit/test_imports.py",
    "tests/unit/test_hot_modules.py", "tests/unit/test_text.py", "tests/unit/test_notation_move.py",
)  # fmt: skip


class Walk(NamedTuple):
    root: Path
    sources: set[str]
    others: set[str]


def take(name: str, root: Path) -> Walk:
    """Put the pieces of a walk into a copy of the tree."""
    for folder in ("src", "tests", "tools", "docs"):
        leave = shutil.ignore_patterns("*.so", "__pycache__", "static", "web", "server", "soak", "walks")
        shutil.copytree(ROOT / folder, root / folder, ignore=None if folder == "src" else leave, dirs_exist_ok=True)
    for compiled in (root / "src").rglob("*.so"):
        compiled.unlink()
    for file in ("pyproject.toml", "CONTRIBUTING.md", "README.md"):
        shutil.copy(ROOT / file, root / file)
    sources: set[str] = set()
    others: set[str] = set()
    for piece in PIECE.finditer(TEXT):
        if piece["walk"] != name:
            continue
        path = root / piece["path"]
        (sources if piece["path"].startswith("src/") else others).add(piece["path"])
        if piece["how"] == "new":
            path.write_text(piece["code"], encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        mark = piece["mark"].replace("\\n", "\n")
        assert text.count("\n" + mark) == 1, f"{mark!r} must begin exactly one line of {piece['path']}"
        place = text.index("\n" + mark) + 1
        if piece["how"] == "after":
            place = text.index("\n", place) + 1
        path.write_text(
            text[:place] + piece["code"] + ("\n\n" if piece["how"] == "before" else "") + text[place:], "utf-8"
        )
    return Walk(root, sources, others)


def run(walk: Walk, *command: str) -> str:
    environment = {**os.environ, "BLACKPOKER_PURE": "1", "PYTHONPATH": f"{walk.root / 'src'}{os.pathsep}{walk.root}"}
    done = subprocess.run(
        [sys.executable, *command], cwd=walk.root, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name", ["action", "trump", "step", "asking"])
def test_a_walk_touches_one_source_file_and_breaks_nothing(name: str, tmp_path: Path) -> None:
    walk = take(name, tmp_path)
    assert len(walk.sources) == 1
    run(walk, "-m", "blackpoker.cli.docs")
    if walk.others:
        run(walk, "-m", "blackpoker.cli", "scenario", *sorted(walk.others))
    run(walk, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *ALL_DEFINITIONS)


def test_the_new_things_are_there(tmp_path: Path) -> None:
    """That the walks add what they say: else the test above could not fail."""
    look = (
        "from blackpoker.regulation import standard_edition; EDITION = standard_edition(); from blackpoker.language.steps import STEPS;"
        "print([a.id for a in EDITION.actions], [t.id for t in EDITION.trumps], [s.__name__ for s in STEPS])"
    )
    for name, thing in (
        ("action", "'echo'"),
        ("trump", "'whisper'"),
        ("step", "'DrawUpTo'"),
        ("asking", "'ChooseCharged'"),
    ):
        assert thing in run(take(name, tmp_path / name), "-c", look)


def test_a_planted_step_that_asks_is_known_to_all(tmp_path: Path) -> None:
    """The words, the question, the views, the log, automatic passes and the heuristic, from its own file alone."""
    walk = take("asking", tmp_path)
    assert walk.sources == {"src/blackpoker/language/steps/choosing.py"}
    assert "known to all" in run(walk, str(ROOT / "tests" / "walks" / "planted_step.py"))
