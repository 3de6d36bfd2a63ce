"""The walks of CONTRIBUTING.md, applied to a copy of the tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PIECE = re.compile(
    r'<!-- walk (?P<walk>\w+): (?P<how>before|after|new) (?:"(?P<mark>[^"]+)" in )?(?P<path>\S+) -->\n```\w+\n(?P<code>.*?)```',
    re.DOTALL,
)
PIECES = list(PIECE.finditer(TEXT))
#: in the order of the document
NAMES = tuple(dict.fromkeys(piece["walk"] for piece in PIECES))
#: results that are rebuilt, and files of this tree alone
LEFT = shutil.ignore_patterns(
    "*.so",
    "__pycache__",
    "static",
    "node_modules",
    ".git",
    ".venv",
    "build",
    "dist",
    "*.egg-info",
    ".*_cache",
    ".hypothesis",
)


class Walk(NamedTuple):
    root: Path
    sources: list[str]  # the files of the package and the page that a walk touches
    others: list[str]


def touched_files(name: str) -> Walk:
    """Return the files of a walk, in the order they are touched."""
    paths = dict.fromkeys(piece["path"] for piece in PIECES if piece["walk"] == name)
    sources = [path for path in paths if path.startswith(("src/", "web/"))]
    return Walk(ROOT, sources, [path for path in paths if path not in sources])


def copy(root: Path) -> None:
    """Copy the tree as source, with the built page."""
    shutil.copytree(ROOT, root, ignore=LEFT, dirs_exist_ok=True)
    for built in ("web/node_modules", "src/blackpoker/server/static"):
        if (ROOT / built).exists():
            (root / built).symlink_to(ROOT / built)


def apply_walks(root: Path, *names: str) -> None:
    """Apply some walks to a copy of the tree."""
    copy(root)
    for piece in PIECES:
        if piece["walk"] not in names:
            continue
        path = root / piece["path"]
        if piece["how"] == "new":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(piece["code"], encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        mark = piece["mark"].replace("\\n", "\n")
        assert f"\n{text}".count("\n" + mark) == 1, f"{mark!r} must begin exactly one line of {piece['path']}"
        place = f"\n{text}".index("\n" + mark)
        if piece["how"] == "after":
            place = text.index("\n", place) + 1
        gap = "\n\n" if piece["how"] == "before" else ""
        path.write_text(text[:place] + piece["code"] + gap + text[place:], encoding="utf-8")


def command(root: Path, *words: str, compiled: bool = False, shown: bool = False) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy, interpreted unless it was compiled there. ``shown``: inherit the output."""
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    if not compiled:
        environment["BLACKPOKER_PURE"] = "1"
    return subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=not shown, text=True)


def run(root: Path, *words: str) -> str:
    done = command(root, *words)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout
