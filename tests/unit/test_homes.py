"""One idea, one home: nobody but its home lists the steps, the zones or a limit of the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import blackpoker
from blackpoker.language.model import Zone
from blackpoker.language.steps import STEPS
from blackpoker.rules import events as ev
from blackpoker.rules.shapes import MANY, ZoneName
from blackpoker.rules.state import LIFE_COUNTED

SOURCE = Path(blackpoker.__file__).parent
STEP_NAMES = frozenset(step.__name__ for step in STEPS)
#: where steps are written, written with, and handed on to authors of local rules
STEP_HOMES = ("language/", "content/", "define.py")
#: roles that were thought out for combinations of steps; every other combination is valued by what its steps say
STEP_SHAPES = "thinking/heuristics/roles.py"


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        if "static" not in path.parts:
            yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def names_steps(tree: ast.Module) -> Iterator[int]:
    """Lines that import a class of a step, ask whether something is one, or list their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("blackpoker.language.steps."):
            yield node.lineno
        elif isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            parts = node.keys if isinstance(node, ast.Dict) else node.elts
            words = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
            if len(words & STEP_NAMES) > 1:
                yield node.lineno
        elif isinstance(node, ast.Compare):
            if any(
                isinstance(part, ast.Constant) and part.value in STEP_NAMES for part in (node.left, *node.comparators)
            ):
                yield node.lineno


def test_nobody_lists_steps() -> None:
    """What a step is, it says itself (``Step.facts``)."""
    found = [
        f"{name}:{line}"
        for name, tree in trees()
        if not name.startswith(STEP_HOMES) and name != STEP_SHAPES
        for line in names_steps(tree)
    ]
    assert found == []


def test_the_search_finds_a_list() -> None:
    for text in (
        "from blackpoker.language.steps.units import Bury",
        "LEAVING = ('Bury', 'BuryAll')",
        "X = {'Bury': 1, 'Draw': 2}",
        "if 'Damage' in steps: pass",
    ):
        assert list(names_steps(ast.parse(text))), text


def test_the_limit_of_a_counted_life_stands_once() -> None:
    """R-210's ten: one number, and the text that is told instead."""
    assert f"{LIFE_COUNTED}+" == MANY
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and "life" in ast.unparse(node)
        and any(isinstance(part, ast.Constant) and part.value == LIFE_COUNTED for part in node.comparators)
    ]
    assert found == []


def test_zones_are_numbered_once() -> None:
    """What definitions, events and views call a zone is one list in one order."""
    assert [zone.name.lower() for zone in Zone] == list(get_args(ZoneName))
    assert [getattr(ev, zone.name) for zone in Zone] == list(Zone)
