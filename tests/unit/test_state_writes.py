"""State changes only through atoms: no other module of the engine writes to a zone or a unit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "blackpoker"
#: modules that may change or create zones and units
ATOMS = {"engine/atoms.py", "engine/zone_moves.py", "engine/state.py"}
#: fields of a side; lists among them are also changed by their methods
ZONES = frozenset(
    "life hand hand_count grave grave_top open_trumps trumps aside pack pack_open soldiers bulwarks fresh mixed public seen "
    "own_seen on_top".split()
)
#: fields of a unit; other classes share the last ones, so there the variable must look like a unit
UNIT = frozenset("driven role blocks lead".split())
SHARED = frozenset("id kind cards base bonus".split())
UNITS = frozenset("unit bulwark target soldier wall attacker blocker source victim other".split())
#: tables of definitions have fields of the same names
DEFINITIONS = frozenset("rules plan base self".split())
CHANGES = frozenset("append remove pop insert clear extend reverse sort".split())


def zone_of(node: ast.expr, aliases: set[str]) -> str:
    """Return the zone or field of a unit that an expression names; empty if none."""
    if isinstance(node, ast.Subscript):
        return zone_of(node.value, aliases)
    if isinstance(node, ast.Name):
        return node.id if node.id in aliases else ""
    if not isinstance(node, ast.Attribute) or (isinstance(node.value, ast.Name) and node.value.id in DEFINITIONS):
        return ""
    if node.attr in ZONES or node.attr in UNIT:
        return node.attr
    if node.attr in SHARED and isinstance(node.value, ast.Name) and node.value.id in UNITS:
        return node.attr
    return ""


def writes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and field of every write to a zone or a unit."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        aliases: set[str] = set()
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr in ZONES:
                aliases |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(function):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = [
                    one
                    for target in node.targets
                    for one in (target.elts if isinstance(target, ast.Tuple) else [target])
                ]
            elif isinstance(node, ast.AugAssign | ast.AnnAssign):
                targets = [node.target]
            elif isinstance(node, ast.Delete):
                targets = node.targets
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                if zone_of(node.func.value, aliases):
                    yield node.lineno, zone_of(node.func.value, aliases)
            for target in targets:
                if not isinstance(target, ast.Name) and zone_of(target, aliases):
                    yield target.lineno, zone_of(target, aliases)


def engine_files() -> list[Path]:
    return sorted(path for folder in ("engine", "definitions") for path in (SOURCE / folder).rglob("*.py"))


@pytest.mark.parametrize("path", engine_files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_atoms_write(path: Path) -> None:
    if str(path.relative_to(SOURCE)) in ATOMS:
        return
    found = list(writes(ast.parse(path.read_text(encoding="utf-8"))))
    assert not found, f"{path.name}: writes to {found}; give atoms.py a function that does it"


@pytest.mark.parametrize(
    "planted",
    [
        "side.hand |= bit",
        "s.sides[me].hand_count -= 1",
        "s.sides[me].grave_top = card",
        "side.life.pop()",
        "life = side.life\n    life.pop()",
        "s.sides[player].life.insert(0, card)",
        "row = side.bulwarks\n    row[0] = unit",
        "side.bulwarks = new",
        "side.trumps[place] = card",
        "del side.soldiers[0]",
        "first, side.aside = 1, 0",
        "unit.driven = True",
        "unit.bonus += 3",
        "unit.role = 1",
        "unit.kind = s.rules.armed_kind",
        "target.cards |= bit",
        "side.seen |= bit",
        "side.public &= ~bit",
        "side.fresh = 0",
    ],
)
def test_a_planted_write_is_found(planted: str) -> None:
    source = f"def run(self, s, request):\n    {planted}\n    return True\n"
    assert list(writes(ast.parse(source)))


def test_the_atoms_are_seen_to_write() -> None:
    """Check the walk itself."""
    fields = {
        field
        for name in ("atoms", "zone_moves")
        for _, field in writes(ast.parse((SOURCE / "engine" / f"{name}.py").read_text(encoding="utf-8")))
    }
    assert fields >= ZONES
