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

# Bottom to top. A module imports its own part and lower rows; parts of one row do not import each other. A part is a
# folder or a module; inside the server the rooms are below the network ("server.rooms").
LAYERS: tuple[tuple[str, ...], ...] = (
    ("engine", "errors", "seeds"),
    ("definitions",),
    ("content",),
    ("text",),
    ("ruleset",),
    ("notation", "printing", "card", "define"),
    ("determinization",),
    ("assist",),
    ("game",),
    ("formats",),
    ("scenario",),
    (PACKAGE,),  # the façade, blackpoker/__init__.py
    ("ai",),  # compiled and translated with the engine
    ("native",),
    ("protocol",),
    ("players",),
    ("learn", "smoke"),
    ("server.admission",),
    ("server.confusables", "server.clock", "server.process_guard"),
    ("server.fairness",),
    ("server.rooms",),  # pure: no network, no database
    ("server.storage",),
    ("lab", "envs", "server"),
    ("client",),
    ("cli",),
    ("__main__",),
)
ROW = {part: row for row, parts in enumerate(LAYERS) for part in parts}
ENGINE_TOP = ROW[PACKAGE]

FREE = {"_build", "_native_library"}  # report the running build; import nothing of the package
# Game has methods for the text formats, and the façade creates opponents; these are imported on call only.
LATE = {("game", "formats"), (PACKAGE, "players")}
# ``Game`` is the public interface: higher layers do not import engine or definitions, except the modules below.
ENGINE_PARTS = {"engine", "definitions"}
GAME_USERS = ("protocol", "players", "smoke", "learn", "lab", "envs", "server", "client", "cli")
#: modules that need the engine itself, and why
BOUNDARY = {
    # prove by searching the engine's data
    "learn.puzzles.maker": "searches",
    "learn.puzzles.proof": "searches",
    # inspect every choice of trial games
    "smoke.games": "checks",
    "smoke.invariants": "checks",
    # plays whole games on the engine's data and reads its log
    "lab.game_runner": "plays",
    # decode rows of the encoder, and encode events as rows
    "envs.layout": "decodes",
    "envs.recall": "encodes",
    # decides the engine's shuffles, card by card
    "envs.spiel": "shuffles",
}
#: modules above ``Game`` that use ``game._engine`` without importing its modules, and why
ENGINE_TAKERS = {
    "cli.bench": "measures a copy of it",
    "players.analysis": "searches",
    "players.arena": "draws trumps by chance from it",
    "learn.falls": "plays on in worlds",
    "learn.puzzles.maker": "searches",
    "learn.puzzles.proof": "searches",
    "players.player_view": "imagines worlds that look the same",
    "learn.puzzles.model": "starts one from a position",
    "learn.puzzles.play": "searches",
    "players.computer_moves": "shows a player its seat of it",
    "server.fairness.sealed_match": "seals its shuffles",
}
#: public attributes of a game besides its methods
FIELDS = {"regulation", "names"}
#: private fields that modules of the package use; all others belong to the game and its steps
SHARED = {"_engine", "_start"}
ENGINE_LIBRARIES = {"mypy_extensions"}  # besides the standard library


class Import(NamedTuple):
    place: str  # path:line
    module: str  # dotted, inside the package
    source: str  # the importing part: "rules", "server.rooms", …
    target: str  # the imported part or library
    ours: bool
    late: bool  # inside a function, or for type checkers only


def part_of(names: list[str], parts: set[str]) -> str:
    """Return the part of a dotted name inside the package; the package itself if it is none of its modules."""
    for part in (".".join(names[:2]), *names[:1]):
        if part in parts:
            return part
    return PACKAGE


def parts_of(root: Path) -> set[str]:
    return {path.stem for path in root.glob("*.py")} - {"__init__"} | {
        path.name for path in root.iterdir() if path.is_dir() and any(path.rglob("*.py"))
    }


def statements(node: ast.AST, late: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, late
        else:
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            typing_only = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from statements(child, late or inside or typing_only)


def targets(statement: ast.Import | ast.ImportFrom, path: Path, root: Path) -> Iterator[str]:
    """Yield absolute dotted names; `from a import b` gives a.b, even if b is not a module."""
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
        source = part_of(list(inside.with_suffix("").parts), parts)
        for statement, late in statements(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            for name in targets(statement, path, root):
                first, *rest = name.split(".")
                ours = first == PACKAGE
                if ours:
                    first = part_of(rest, parts)
                module = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
                yield Import(f"{inside}:{statement.lineno}", module, source, first, ours, late)


def violations(root: Path) -> list[str]:
    found = [f"{part}: has no place in LAYERS" for part in sorted(parts_of(root) - set(ROW) - FREE)]
    for place, _, source, target, ours, late in imports(root):
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


def engine_importers(root: Path) -> set[str]:
    """Return the modules above ``Game`` that import what is below it."""
    return {
        found.module
        for found in imports(root)
        if found.ours and found.target.split(".")[0] in ENGINE_PARTS and found.module.split(".")[0] in GAME_USERS
    }


def test_game_is_the_door() -> None:
    assert engine_importers(SOURCE) <= set(BOUNDARY), "use Game and what it returns (docs/architecture.md)"


def engine_takers(root: Path) -> set[str]:
    """Return the modules above ``Game`` that read the engine of a game or of what it returned."""
    found = set()
    for path in root.rglob("*.py"):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        if module.split(".")[0] in GAME_USERS and any(
            isinstance(node, ast.Attribute) and node.attr == "_engine" and ast.unparse(node.value) != "self"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        ):
            found.add(module)
    return found


def test_few_take_the_engine_itself() -> None:
    assert engine_takers(SOURCE) == set(ENGINE_TAKERS)


def test_a_game_shows_few_fields() -> None:
    """All other fields are private; few of them are used by other modules."""
    tree = ast.parse((SOURCE / "game" / "game.py").read_text(encoding="utf-8"))
    fields = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }
    assert {name for name in fields if not name.startswith("_")} == FIELDS
    private = {name for name in fields if name.startswith("_")}
    assert "_history" in private
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in private - SHARED and ast.unparse(node.value) != "self"
    }
    assert users <= {"game/game.py", "game/step.py"}


def test_the_lists_have_no_dead_names() -> None:
    found = engine_importers(SOURCE)
    assert set(BOUNDARY) <= found


def test_every_import_was_seen() -> None:
    """Check the walker itself: an empty walk would pass everything."""
    pairs = {(found.source, found.target) for found in imports(SOURCE) if found.ours}
    assert (PACKAGE, "_build") in pairs
    assert ("definitions", "engine") in pairs
    assert ("notation", "text") in pairs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a small package that keeps the layering."""
    files = {
        "__init__.py": "from blackpoker import _build\nfrom blackpoker.game.game import Game\n",
        "_build.py": "import sys\n",
        "engine/__init__.py": "from mypy_extensions import i64\n",
        "engine/flow.py": "from . import request\nfrom blackpoker.engine.request import Request\n",
        "engine/request.py": "import typing\n",
        "definitions/__init__.py": "import blackpoker.engine.state\n",
        "definitions/steps.py": "from blackpoker import _build, engine\nfrom ..engine.flow import Flow\n",
        "notation/__init__.py": "",
        "notation/options.py": "from blackpoker.definitions import steps\n",
        "formats/__init__.py": "",
        "formats/record.py": "from blackpoker.game.game import Game\nfrom blackpoker.notation import options\n",
        "game/__init__.py": "",
        "game/game.py": "from ..notation import options\ndef record():\n    from blackpoker.formats import record\n",
        "cli/__init__.py": "import rich\nimport blackpoker as bp\nfrom blackpoker import Game, __version__\n",
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
        (
            "engine/flow.py",
            "from blackpoker.definitions.steps import Step",
            "engine must not import definitions",
        ),
        ("engine/flow.py", "from blackpoker import definitions", "engine must not import definitions"),
        ("engine/flow.py", "from ..definitions import steps", "engine must not import definitions"),
        ("engine/flow.py", "from .. import definitions", "engine must not import definitions"),
        ("engine/flow.py", "import blackpoker.game.game as game", "engine must not import game"),
        ("engine/flow.py", "def late():\n    import blackpoker.formats", "engine must not import formats"),
        (
            "definitions/steps.py",
            "class C:\n    if True:\n        from blackpoker import content",
            "definitions must not import content",
        ),
        ("definitions/__init__.py", "from ..content import base", "definitions must not import content"),
        ("definitions/__init__.py", "import blackpoker", "definitions must not import blackpoker"),
        ("definitions/__init__.py", "from blackpoker import Game", "definitions must not import blackpoker"),
        ("notation/options.py", "from blackpoker.game.game import Game", "notation must not import game"),
        ("game/game.py", "from blackpoker.formats import record", "game must not import formats"),
        ("game/game.py", "def late():\n    from blackpoker.scenario import scenario", "game must not import scenario"),
        ("formats/__init__.py", "from blackpoker.cli import main", "formats must not import cli"),
        ("formats/__init__.py", "import rich.table", "formats must not need the library rich"),
        ("_build.py", "from blackpoker import engine", "_build must not import engine"),
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
