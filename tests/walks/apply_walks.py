"""The walks of examples/extend, applied to a copy of the tree.

A walk is a folder with ``walk.toml``, which lists its pieces in order: the ``file`` of the piece (or its ``text``), the
path it goes ``into``, and where: ``new`` (a file of its own), ``before``, ``after`` or in place of the one line that
begins with a mark (``replace``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "extend"
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


class Piece(NamedTuple):
    """A piece of a walk. ``how``: new, before, after or replace; ``mark`` is empty for a new file."""

    walk: str
    how: str
    mark: str
    path: str
    code: str


def pieces_of(name: str) -> list[Piece]:
    """Return the pieces of a walk, in order; raise `ValueError` if one has no place."""
    folder = FOLDER / name
    out: list[Piece] = []
    for row in tomllib.loads((folder / "walk.toml").read_text(encoding="utf-8"))["piece"]:
        code = row["text"] if "text" in row else (folder / row["file"]).read_text(encoding="utf-8")
        how = [way for way in ("new", "before", "after", "replace") if way in row]
        if len(how) != 1:
            raise ValueError(f"a piece of {name} for {row['into']} needs one of new, before, after, replace")
        mark = "" if how == ["new"] else row[how[0]]
        out.append(Piece(name, how[0], mark, row["into"], code))
    return out


NAMES = tuple(sorted(path.parent.name for path in FOLDER.glob("*/walk.toml")))
PIECES = [piece for name in NAMES for piece in pieces_of(name)]


class Walk(NamedTuple):
    root: Path
    sources: list[str]  # the files of the package and the page that a walk touches
    others: list[str]


def touched_files(name: str) -> Walk:
    """Return the files of a walk, in the order they are touched."""
    paths = dict.fromkeys(piece.path for piece in PIECES if piece.walk == name)
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
        if piece.walk in names:
            insert(root, piece)


def insert(root: Path, piece: Piece) -> None:
    path = root / piece.path
    if piece.how == "new":
        assert not path.exists(), f"{piece.walk}: {piece.path} exists already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(piece.code, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    assert f"\n{text}".count("\n" + piece.mark) == 1, f"{piece.mark!r} must begin exactly one line of {piece.path}"
    start = f"\n{text}".index("\n" + piece.mark)
    end = text.index("\n", start) + 1
    if piece.how == "replace":
        text = text[:start] + piece.code + text[end:]
    elif piece.how == "after":
        text = text[:end] + piece.code + text[end:]
    else:
        gap = "" if piece.code.endswith("\n\n") or piece.path.endswith(".json") else "\n\n"
        text = text[:start] + piece.code + gap + text[start:]
    path.write_text(text, encoding="utf-8")


def command(root: Path, *words: str, compiled: bool = False, shown: bool = False) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy, interpreted unless it was compiled there. ``shown``: inherit the output."""
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    if not compiled:
        environment["BLACKPOKER_PURE"] = "1"
    return subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=not shown, text=True)


def run(root: Path, *words: str) -> str:
    """Run Python in the copy and return its output; fail if it fails."""
    done = command(root, *words)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout
