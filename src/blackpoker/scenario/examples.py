"""Scenarios to try a ruling, an action or a trump with: the first of its proofs that has a position and moves.

An installed package has them as data, which ``setup.py`` writes with ``python -m blackpoker.scenario.examples``; in a
checkout they are built from tests/scenarios.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from blackpoker.scenario.scenario import Variant, read_scenario
from blackpoker.text.resources import FIRST_EDITION, text_editions
from blackpoker.text.rulings import rulings

DATA = "examples.json"
SCENARIOS = Path(__file__).parents[3] / "tests" / "scenarios"


@dataclass(frozen=True)
class Example:
    """A scenario to try a rule with: its origin, and its text with one position and one script."""

    scenario: str
    variant: str
    text: str


@cache
def examples() -> dict[str, Example]:
    """Return the examples by ruling (``R-154``, ``N-203``), action (``act.up``) and trump (``trump.…``)."""
    data = resources.files(__package__).joinpath(DATA)
    if not data.is_file():
        return build_examples(SCENARIOS)
    return {id: Example(**entry) for id, entry in json.loads(data.read_text(encoding="utf-8")).items()}


def build_examples(folder: Path) -> dict[str, Example]:
    """Return the examples from a folder of scenarios."""
    scenarios = {
        scenario.id: scenario
        for path in sorted(folder.rglob("*.toml"))
        for scenario in [read_scenario(path.read_text(encoding="utf-8"))]
    }
    out: dict[str, Example] = {}
    for edition, ruling in ((id, ruling) for id in text_editions() for ruling in rulings(id).values()):
        for proof in ruling.proof:
            variants = scenarios[proof.scenario].variants if proof.scenario in scenarios else ()
            variant = next((one for one in variants if proof.variant in ("", one.name)), None)
            if variant is not None and variant.position is not None and variant.play and not variant.regulation:
                text = _scenario_text(ruling.id, f"{ruling.id} {ruling.title.en}", [ruling.id], variant, edition)
                out[ruling.id] = Example(proof.scenario, variant.name, text)
                break
    for id, scenario in scenarios.items():
        if id.startswith(("act.", "trump.")):
            works = [one for one in scenario.variants if one.position is not None and one.name.startswith("works")]
            for variant in works[:1]:
                out[id] = Example(id, variant.name, _scenario_text(id, scenario.title, scenario.rulings, variant))
    return out


def examples_json() -> str:
    """Return the examples as the data of an installed package."""
    return json.dumps({id: asdict(example) for id, example in build_examples(SCENARIOS).items()}, ensure_ascii=False)


def _scenario_text(id: str, title: str, cited: Sequence[str], variant: Variant, edition: str = FIRST_EDITION) -> str:
    position = variant.position or {}
    if edition != FIRST_EDITION:  # in the position, which is also opened alone
        position = {"edition": edition, **position}
    lines = [f'id = "{id}"', f"title = {_toml_value(title)}", f"rulings = {_toml_value(list(cited))}"]
    lines += ["", "[position]", *_entries(position)]
    for player in ("p1", "p2"):
        lines += [f"[position.{player}]", *_entries(position.get(player, {}))]
    return "\n".join([*lines, "", "[script]", 'play = """', variant.play.strip(), '"""', ""])


def _entries(table: dict[str, object]) -> list[str]:
    return [f"{name} = {_toml_value(value)}" for name, value in table.items() if not isinstance(value, dict)]


def _toml_value(value: object) -> str:
    """Return a value in TOML syntax; for texts, numbers, lists and booleans it equals JSON."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.buffer.write((examples_json() + "\n").encode())
