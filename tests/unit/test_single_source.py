"""Single source: only one module lists the steps, the zones or a limit of the rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import blackpoker
from blackpoker.definitions.model import Zone
from blackpoker.definitions.steps import STEPS
from blackpoker.engine import events as ev
from blackpoker.engine.state import LIFE_COUNTED
from blackpoker.engine.views import UNCOUNTED, EventName, ZoneName
from blackpoker.ruleset import standard_edition
from blackpoker.text.catalogue import LINES

#: the zones, as ``engine/events.py`` numbers them
ZONE_CONSTANTS = tuple(zone.upper() for zone in get_args(ZoneName))
SOURCE = Path(blackpoker.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
STEP_NAMES = frozenset(step.__name__ for step in STEPS)
#: modules that define steps, use them in definitions, or export them to authors of local rules
STEP_HOMES = ("definitions/", "content/", "define.py")
#: hand-written roles for combinations of steps; all other combinations are valued by the steps' traits
STEP_SHAPES = "ai/heuristics/action_roles.py"


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        if "static" not in path.parts:
            yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def names_steps(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that import a step class, compare with a step's name, or list several names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("blackpoker.definitions.steps."):
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


def test_no_module_lists_steps() -> None:
    """The traits of a step come from the step itself (``Step.traits``)."""
    found = [
        f"{name}:{line}"
        for name, tree in trees()
        if not name.startswith(STEP_HOMES) and name != STEP_SHAPES
        for line in names_steps(tree)
    ]
    assert found == []


def test_the_search_finds_a_list() -> None:
    for text in (
        "from blackpoker.definitions.steps.units import Bury",
        "LEAVING = ('Bury', 'BuryAll')",
        "X = {'Bury': 1, 'Draw': 2}",
        "if 'Damage' in steps: pass",
    ):
        assert list(names_steps(ast.parse(text))), text


ACTIONS = frozenset(action.id for action in standard_edition().actions)
ZONES = frozenset(get_args(ZoneName))
#: modules that define actions; and the net's ids of actions, which stay as they were trained
ACTION_HOMES = ("content/", "ai/stable_ids.py")


def word_lists(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the content of each list of words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            words = [part.value for part in node.elts if isinstance(part, ast.Constant)]
            if words and len(words) == len(node.elts):
                yield node.lineno, [word for word in words if isinstance(word, str)]


def lists_actions(tree: ast.Module) -> list[int]:
    """Return the lines that list only actions by name: properties of an action belong to its definition."""
    return [line for line, words in word_lists(tree) if len(words) > 1 and ACTIONS.issuperset(words)]


def lists_zones(tree: ast.Module) -> list[int]:
    return [line for line, words in word_lists(tree) if len(ZONES.intersection(words)) > 3]


def test_no_module_lists_actions_or_zones() -> None:
    trees_of = {name: tree for name, tree in trees() if not name.startswith("engine/")}
    found = [f"{name}:{line}" for name, tree in trees_of.items() for line in lists_zones(tree)]
    found += [
        f"{name}:{line}"
        for name, tree in trees_of.items()
        if not name.startswith(ACTION_HOMES)
        for line in lists_actions(tree)
    ]
    assert found == []
    assert lists_actions(ast.parse('if step in ("attack", "block"): pass')) == [1]
    assert lists_zones(ast.parse('X = ("hand", "life", "grave", "pack", "soldiers")')) == [1]


#: a list of words in the page's source
PAGE_LIST = re.compile(r'[\[(]((?:\s*"\w+"\s*,?)+)[\])]')
CHARACTERS = frozenset(character.id for character in standard_edition().characters)
TRUMPS = frozenset(trump.id for trump in standard_edition().trumps)
NAMES = ACTIONS | CHARACTERS | TRUMPS
#: the steps of a turn and a fight, which no edition renames, and names of a page's own state
STEPS_OF_A_TURN = frozenset(action.step for action in standard_edition().actions if action.step)


def lists_names(text: str) -> list[str]:
    """Return the lists of actions, characters or trumps: their properties come from the server."""
    found = (re.findall(r'"(\w+)"', words) for words in PAGE_LIST.findall(text))
    return [
        " ".join(words)
        for words in found
        if len(words) > 1 and NAMES.issuperset(words) and not STEPS_OF_A_TURN.issuperset(words)
    ]


def test_the_page_lists_no_names_of_the_rules() -> None:
    files = [path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
    assert files
    assert [f"{path.name}: {words}" for path in files for words in lists_names(path.read_text(encoding="utf-8"))] == []
    assert lists_names('const HASTE = new Set(["ace", "magician"]);') == ["ace magician"]


def test_the_limit_of_a_counted_life_stands_once() -> None:
    """R-210's ten: one number, and the text shown instead."""
    assert f"{LIFE_COUNTED}+" == UNCOUNTED
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and "life" in ast.unparse(node)
        and any(isinstance(part, ast.Constant) and part.value == LIFE_COUNTED for part in node.comparators)
    ]
    assert found == []


def test_event_kinds_are_named_once() -> None:
    """The constants of ``engine/events.py`` and the names of views and protocol are one list, and each kind
    has a line of the log. The page's table of scenes is complete by its type."""
    kinds = {name: value for name, value in vars(ev).items() if name.isupper() and isinstance(value, int)}
    others = {"BOTH_SEATS", "ALL_AUDIENCES", *ZONE_CONSTANTS}
    numbered = sorted((value, name.lower()) for name, value in kinds.items() if name not in others)
    assert numbered == list(enumerate(get_args(EventName), 1))
    assert set(LINES) == set(range(1, len(numbered) + 1))
    scenes = (ROOT / "web" / "src" / "animation" / "scenes.ts").read_text(encoding="utf-8")
    assert "const SCENES: Record<Kind, (scene: Scene) => Promise<void>>" in scenes


def test_zones_are_numbered_once() -> None:
    """Definitions, events and views use one list of zones in one order."""
    assert [zone.name.lower() for zone in Zone] == list(get_args(ZoneName))
    assert [getattr(ev, zone.name) for zone in Zone] == list(Zone)


def default_editions(tree: ast.Module) -> list[int]:
    """Return the lines that name a default edition."""
    found: list[tuple[int, list[str]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found.append((node.lineno, [alias.name for alias in node.names]))
        elif isinstance(node, ast.Name):
            found.append((node.lineno, [node.id]))
        elif isinstance(node, ast.Attribute):
            found.append((node.lineno, [node.attr]))
    return [line for line, names in found if {"default_edition", "standard_edition"}.intersection(names)]


def test_only_the_registry_names_a_default_edition() -> None:
    """Everything else has an edition, or names one: by its id, or by none for the one of this process."""
    assert default_editions(
        ast.parse("from blackpoker.ruleset import default_edition\nruleset.standard_edition()")
    ) == [
        1,
        2,
    ]
    found = {name: default_editions(tree) for name, tree in trees() if not name.startswith("ruleset/")}
    assert {name: lines for name, lines in found.items() if lines} == {}
