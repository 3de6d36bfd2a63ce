"""The walks of CONTRIBUTING.md, put into a copy of the tree."""

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
#: what was made, is made again or belongs to this tree alone
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
    sources: list[str]  # what a walk touches of the package and the page
    others: list[str]


def touched(name: str) -> Walk:
    """The files of a walk, in the order they are touched."""
    paths = dict.fromkeys(piece["path"] for piece in PIECES if piece["walk"] == name)
    sources = [path for path in paths if path.startswith(("src/", "web/"))]
    return Walk(ROOT, sources, [path for path in paths if path not in sources])


def copy(root: Path) -> None:
    """The tree, interpreted, with the page as it was built."""
    shutil.copytree(ROOT, root, ignore=LEFT, dirs_exist_ok=True)
    for built in ("web/node_modules", "src/blackpoker/server/static"):
        if (ROOT / built).exists():
            (root / built).symlink_to(ROOT / built)


def take(root: Path, *names: str) -> None:
    """Put the pieces of some walks into a copy of the tree."""
    copy(root)
    for piece in PIECES:
        if piece["walk"] not in names:
            continue
        path = root / piece["path"]
        if piece["how"] == "new":
            path.write_text(piece["code"], encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        mark = piece["mark"].replace("\\n", "\n")
        assert text.count("\n" + mark) == 1, f"{mark!r} must begin exactly one line of {piece['path']}"
        place = text.index("\n" + mark) + 1
        if piece["how"] == "after":
            place = text.index("\n", place) + 1
        gap = "\n\n" if piece["how"] == "before" else ""
        path.write_text(text[:place] + piece["code"] + gap + text[place:], encoding="utf-8")


def command(root: Path, *words: str, compiled: bool = False, shown: bool = False) -> subprocess.CompletedProcess[str]:
    """Python in the copy, interpreted unless it was compiled there; ``shown``: its output goes where ours goes."""
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    if not compiled:
        environment["BLACKPOKER_PURE"] = "1"
    return subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=not shown, text=True)


def run(root: Path, *words: str) -> str:
    done = command(root, *words)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout
