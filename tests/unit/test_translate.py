"""The translator refuses with file, line and rule; a packed game equals the original."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import blackpoker
from blackpoker.engine.shuffler import seeded
from blackpoker.native.layout import STORAGE, Packed
from blackpoker.native.translate import translate
from blackpoker.ruleset import Regulation, new_game

SOURCE = Path(blackpoker.__file__).parent

#: file, original text, replacement, broken rule
PLANTED = (
    ("engine/setup.py", "    n = s.preset // 2\n", "    n = s.preset / 2\n", "rule 6"),
    (
        "engine/combat.py",
        "    index = 0\n    for unit in doomed:",
        "    index = None\n    for unit in doomed:",
        "rule 11",
    ),
    ("engine/combat.py", "    doomed: list[Unit] = []\n", "    doomed = []\n", "rule 5"),
    ("engine/combat.py", "    draws = side", "    draws = 'x' and side", "rule 10"),
    ("engine/combat.py", "    zone_moves.end_roles(s)", "    zone_moves.end_roles(s=s)", "rule 8"),
    ("engine/zone_moves.py", "    s.sides[player].aside = 0", "    s.sides[player].other = 0", "rule 6"),
    (
        "engine/request_builder.py",
        "    plan = s.rules.plans[action]\n    player = s.chance",
        "    plan = s.rules.plans[action]\n    plan.key = 1\n    player = s.chance",
        "rule 3",
    ),
    (
        "engine/flow.py",
        "            self.options = options\n",
        "            self.options = options\n            options.append(1)\n",
        "rule 5",
    ),
    ("definitions/steps/cards.py", "        n = self.count\n", "        n = self.number\n", "rule 2"),
    (
        "ai/evaluation.py",
        "        f[3] = float(a.hand - b.hand) / 4.0\n",
        "        f[3] = (a.hand - b.hand) / 4.0\n",
        "rule 6",
    ),
    ("ai/evaluation.py", "            x = 12.0\n", "            x = 12\n", "rule 11"),
    ("ai/search.py", "            path.append(chosen)\n", "            path.sort()\n", "rule 5"),
    ("ai/heuristics/action_role.py", "        return -20\n", "        self.score = 1\n        return -20\n", "rule 3"),
    ("ai/heuristics/threats.py", "    here.hits = 0\n", "    here.hits = {}\n", "rule 10"),
    (
        "engine/atoms.py",
        "    request.raised = True\n",
        "    request.raised = Side([], [], [], []).pack_open\n",
        "rule 7",
    ),
)


def test_everything_is_translated() -> None:
    text, refusals = translate()
    assert refusals == []
    assert "State_push" in text


@pytest.mark.parametrize(("file", "line", "becomes", "rule"), PLANTED, ids=[f"{p[3]} {p[0]}" for p in PLANTED])
def test_a_breach_is_refused(file: str, line: str, becomes: str, rule: str, tmp_path: Path) -> None:
    for folder in ("engine", "definitions", "ai"):
        shutil.copytree(SOURCE / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(SOURCE / "determinization.py", tmp_path)
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert line in text, f"{line!r} no longer stands in {file}"
    path.write_text(text.replace(line, becomes, 1), encoding="utf-8")
    _, refusals = translate(tmp_path)
    assert any(refusal.startswith(f"{file}:") and f": {rule}: " in refusal for refusal in refusals), refusals


def test_every_field_of_the_roles_belongs_to_a_role() -> None:
    """All roles share one structure; an unused field would always be 0."""
    text = "".join(file.read_text(encoding="utf-8") for file in (SOURCE / "ai/heuristics").glob("*.py"))
    assert [name for name in STORAGE["Role"] if f"        self.{name}: " not in text] == []


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_a_game_comes_back_from_its_memory(regulation: str) -> None:
    game = new_game(Regulation.parse(regulation), seeded(3))
    packed = Packed(game.rules)
    game.advance()
    dice = seeded(5)
    turn = 0
    while game.options:
        game.push(game.options[dice.below(len(game.options))])
        turn += 1
        if turn % 25 == 0:
            memory = packed.pack(game)
            game = packed.unpack(memory)
            assert bytes(packed.pack(game)) == bytes(memory)
    other = new_game(Regulation.parse(regulation), seeded(3))
    other.advance()
    dice = seeded(5)
    while other.options:
        other.push(other.options[dice.below(len(other.options))])
    assert (game.winner, game.turn_number, game.next_id) == (other.winner, other.turn_number, other.next_id)
