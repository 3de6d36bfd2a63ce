"""The claims of the lessons are true: each appears in its task in both languages, names its rulings and is played out;
its negation fails."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from blackpoker.formats.position import game_from_tables
from blackpoker.game.game import Game
from blackpoker.learn.lessons import Task, all_lessons
from blackpoker.scenario.expectations import Expectations, Failure
from blackpoker.scenario.scenario import ScriptRunner
from blackpoker.text import rulings

CLAIMS: list[dict[str, Any]] = [
    claim
    for path in sorted(Path(__file__).parent.glob("*.toml"))
    for claim in tomllib.loads(path.read_text(encoding="utf-8"))["claim"]
]
TASKS: dict[str, Task] = {
    f"{lesson.id}-{number}": task for lesson in all_lessons() for number, task in enumerate(lesson.tasks, 1)
}
#: the edition of each task
EDITIONS: dict[str, str] = {
    f"{lesson.id}-{number}": lesson.edition for lesson in all_lessons() for number in range(1, len(lesson.tasks) + 1)
}


def start_of(claim: dict[str, Any]) -> Game:
    """Return the game of the task, or of its position with the changes of the claim."""
    task = TASKS[claim["task"]]
    if not {"p1", "p2", "turn"} & set(claim):
        return task.begin()
    return game_from_tables(position_of(claim), "", 0)


def position_of(claim: dict[str, Any]) -> dict[str, Any]:
    table = copy.deepcopy(dict(TASKS[claim["task"]].position))
    for seat in ("p1", "p2"):
        table[seat] = {**table[seat], **claim.get(seat, {})}
    if "turn" in claim:
        table["turn"] = table["chance"] = claim["turn"]
    return table


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['task']}: {claim['en'][:40]}")
def test_the_claim_is_made_and_true(claim: dict[str, Any]) -> None:
    task = TASKS[claim["task"]]
    texts = [task.text, task.hint, task.good, *(why for _, why in task.wrong)]
    assert any(claim["ja"] in one.ja for one in texts), claim["ja"]
    assert any(claim["en"] in one.en for one in texts), claim["en"]
    game = start_of(claim)
    runner = ScriptRunner(game)
    for line in claim["play"].splitlines():
        runner.line(line)
    with pytest.raises(Failure) as wrong:
        Expectations(game, 0).check(claim["false"])
    assert wrong.type is Failure, wrong.value  # the text is readable, and false


def test_every_task_has_its_claims_and_names_their_rulings() -> None:
    claimed: dict[str, set[str]] = {}
    for claim in CLAIMS:
        claimed.setdefault(claim["task"], set()).update(claim["rulings"].split())
    assert set(claimed) == set(TASKS)
    for id, task in TASKS.items():
        assert set(task.rulings) == claimed[id], id
        assert set(task.rulings) <= set(rulings.rulings(EDITIONS[id])), id
