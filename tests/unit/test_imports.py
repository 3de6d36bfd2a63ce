"""Imports go one way: the package's folders are the rulebook's layers (docs/adr/001, CONTRIBUTING).

Every import statement counts, also inside functions and under TYPE_CHECKING.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = "blackpoker"
SOURCE = Path(__file__).parents[2] / "src" / PACKAGE

# Bottom to top. A module imports its own part and lower rows; parts of one row do not know each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("cards", "core", "errors"),
    ("common",),
    ("script",),
    ("lists", "extra"),
    ("regulation",),
    ("game",),
    ("match", "notation"),
    (PACKAGE,),  # the façade, blackpoker/__init__.py
    ("players",),
    ("lab", "envs", "server"),
    ("client",),
    ("cli",),
)
ROW = {part: row for row, parts in enumerate(LAYERS) for part in parts}
ENGINE_TOP = ROW[PACKAGE]

FREE = {"_build"}  # says which build runs; imports nothing of the package, anybody may ask it
# Game offers the notation's texts as methods; it may fetch them when called, never when loaded.
LATE = {("game", "notation")}
ENGINE_LIBRARIES = {"mypy_extensions"}  # besides the standard library


class Import(NamedTuple):
    place: str  # path:line
    source: str  # the part that imports: "cards", "core", …
    target: str  # the part or the library imported
    ours: bool
    late: bool  # inside a function


def parts_of(root: Path) -> set[str]:
    return {path.stem for path in root.glob("*.py")} - {"__init__"} | {
        path.name for path in root.iterdir() if path.is_dir() and any(path.rglob("*.py"))
    }


def statements(node: ast.AST, late: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, late
        else:
            yield from statements(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def targets(statement: ast.Import | ast.ImportFrom, path: Path, root: Path) -> Iterator[str]:
    """Absolute dotted names; `from a import b` gives a.b, whatever b is."""
    if isinstance(statement, ast.Import):
        yield from (name.name for name in statement.names)
        return
    base = statement.module or ""
    if statement.level:
        package = [PACKAGE, *path.relative_to(root).with_suffix("").parts]
        base = ".".join(package[: len(package) - statement.level] + ([base] if base else []))
    yield from (f"{base}.{name.name}" for name in statement.names)


def imports(root: Path) -> Iterator[Import]:
    parts = parts_of(root) | set(ROW) | FREE
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        source = PACKAGE if inside.name == "__init__.py" and len(inside.parts) == 1 else inside.with_suffix("").parts[0]
        for statement, late in statements(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            for name in targets(statement, path, root):
                first, *rest = name.split(".")
                ours = first == PACKAGE
                if ours:
                    first = rest[0] if rest and rest[0] in parts else PACKAGE
                yield Import(f"{inside}:{statement.lineno}", source, first, ours, late)


def violations(root: Path) -> list[str]:
    found = [f"{part}: has no place in LAYERS" for part in sorted(parts_of(root) - set(ROW) - FREE)]
    for place, source, target, ours, late in imports(root):
        if source in FREE:
            if ours:
                found.append(f"{place}: {source} must not import {target}")
        elif source not in ROW:
            continue
        elif not ours:
            if ROW[source] <= ENGINE_TOP and target not in ENGINE_LIBRARIES | sys.stdlib_module_names:
                found.append(f"{place}: {source} must not need the library {target}")
        elif target in FREE or target == source or (late and (source, target) in LATE):
            continue
        elif target not in ROW or ROW[target] >= ROW[source]:
            found.append(f"{place}: {source} must not import {target}")
    return found


def test_imports_go_one_way() -> None:
    assert violations(SOURCE) == []


def test_every_import_was_seen() -> None:
    """Guards the walker itself: an empty walk would pass everything."""
    pairs = {(found.source, found.target) for found in imports(SOURCE) if found.ours}
    assert (PACKAGE, "_build") in pairs
    assert ("common", "cards") in pairs
    assert ("common", "core") in pairs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small package that keeps the layering."""
    files = {
        "__init__.py": "from blackpoker import _build\nfrom blackpoker.game import Game\n",
        "_build.py": "import sys\n",
        "cards.py": "from mypy_extensions import i64\n",
        "core/__init__.py": "",
        "core/flow.py": "from . import request\nfrom blackpoker.core.request import Request\n",
        "core/request.py": "import typing\n",
        "common/__init__.py": "",
        "common/state.py": "from blackpoker import _build, cards\nfrom ..core.flow import Flow\n",
        "script/__init__.py": "import blackpoker.common.state\n",
        "game.py": "from .script import run\ndef record():\n    from blackpoker.notation import record\n",
        "notation/__init__.py": "from blackpoker.game import Game\n",
        "cli/__init__.py": "import typer\nimport blackpoker as bp\nfrom blackpoker import Game, __version__\n",
    }
    for name, text in files.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / PACKAGE


def test_a_layered_tree_passes(tree: Path) -> None:
    assert violations(tree) == []


@pytest.mark.parametrize(
    ("file", "line", "complaint"),
    [
        ("core/flow.py", "from blackpoker.common.state import State", "core must not import common"),
        ("core/flow.py", "from blackpoker import cards", "core must not import cards"),
        ("core/flow.py", "from ..common import state", "core must not import common"),
        ("core/flow.py", "from .. import common", "core must not import common"),
        ("cards.py", "import blackpoker.core.flow as flow", "cards must not import core"),
        ("common/state.py", "def late():\n    import blackpoker.script", "common must not import script"),
        (
            "common/state.py",
            "class C:\n    if True:\n        from blackpoker import lists",
            "common must not import lists",
        ),
        ("script/__init__.py", "from ..lists import deploy", "script must not import lists"),
        ("script/__init__.py", "import blackpoker", "script must not import blackpoker"),
        ("script/__init__.py", "from blackpoker import Game", "script must not import blackpoker"),
        ("game.py", "from blackpoker.notation import move", "game must not import notation"),
        ("game.py", "def late():\n    from blackpoker.match import Match", "game must not import match"),
        ("notation/__init__.py", "from blackpoker.cli import main", "notation must not import cli"),
        ("notation/__init__.py", "import rich.table", "notation must not need the library rich"),
        ("_build.py", "from blackpoker import cards", "_build must not import cards"),
        ("helpers.py", "", "helpers: has no place in LAYERS"),
        ("newcomer/__init__.py", "", "newcomer: has no place in LAYERS"),
    ],
)
def test_a_planted_violation_is_found(tree: Path, file: str, line: str, complaint: str) -> None:
    path = tree / file
    path.parent.mkdir(exist_ok=True)
    before = path.read_text() if path.exists() else ""
    path.write_text(f"{before}{line}\n")
    found = violations(tree)
    assert len(found) == 1
    assert found[0].endswith(complaint)
