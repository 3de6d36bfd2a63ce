"""The hot modules can be translated, and the check detects what cannot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tools.hot import check

import blackpoker
from blackpoker._native_library import HOT_MODULES, hot_modules
from blackpoker.definitions.steps import CONDITIONS, PLAYERS, STEPS, VALUES
from blackpoker.engine import flow, request, state
from blackpoker.engine.shuffler import seeded
from blackpoker.ruleset import Regulation, new_game

SOURCE = Path(blackpoker.__file__).parent


def test_the_hot_modules_are_clean() -> None:
    assert [str(breach) for breach in check(SOURCE)] == []


MARKS = ("compiled", "plain", "subset", "classes", "native")


def test_every_line_of_the_list_names_modules() -> None:
    found = {mark: hot_modules(mark) for mark in MARKS}
    assert all(found.values())
    lines = HOT_MODULES.read_text(encoding="utf-8").splitlines()
    used = {mark for line in lines for mark in line.partition("#")[0].split()[1:]}
    assert used == set(MARKS)
    # the checked and the translated modules are part of the fingerprint, so that a change of one is noticed
    assert set(found["subset"]) | set(found["classes"]) <= set(found["native"])
    assert "engine/views.py" in found["plain"]


def test_a_line_without_a_module_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="names no module"):
        hot_modules("subset", tmp_path)


def test_the_closed_sets_hold_every_class() -> None:
    assert len(STEPS) > 40
    assert all(len({each.__name__ for each in them}) == len(them) for them in (STEPS, VALUES, CONDITIONS, PLAYERS))
    assert all("run" in vars(step) for step in STEPS)


RANGES = {
    "i8": (-(2**7), 2**7),
    "u8": (0, 2**8),
    "i16": (-(2**15), 2**15),
    "i32": (-(2**31), 2**31),
    "i64": (-(2**63), 2**63),
}


def test_a_game_fits_the_declared_widths() -> None:
    widths = {**request.STORAGE, **state.STORAGE, "State": {**flow.STORAGE["Flow"], **state.STORAGE["State"]}}
    for text in ("lite+entry", "master+full", "extra+full"):
        for seed in range(6):
            engine = new_game(Regulation.parse(text), seeded(seed))
            engine.advance()
            dice = seeded(seed + 1)
            while engine.options:
                fits(engine, widths["State"])
                for side in engine.sides:
                    fits(side, widths["Side"])
                    for unit in (*side.soldiers, *side.bulwarks):
                        fits(unit, widths["Unit"])
                for each in (*engine.stage, *engine.buffer):
                    fits(each, widths["Request"])
                engine.push(engine.options[dice.below(len(engine.options))])


def fits(thing: object, widths: dict[str, str]) -> None:
    for name, declared in widths.items():
        value = getattr(thing, name)
        most, _, width = declared.rpartition(" ")
        assert not most or len(value) <= int(most), f"{name} holds {len(value)}, declared {declared}"
        if width in RANGES:
            least, end = RANGES[width]
            assert all(least <= each < end for each in (value if most else [value])), (
                f"{name} is {value}, declared {declared}"
            )


#: file, original text, replacement, broken rule
PLANTED = (
    ("definitions/steps/cards.py", "class Draw(Step):", "class Draw(Shuffle):", "rule 1"),
    ("definitions/steps/cards.py", "    count: i64 = 1\n", "    count: int | None = 1\n", "rule 2"),
    ("definitions/steps/cards.py", "    who: PlayerRef = ME\n", "    who: i64 = 0\n", "rule 2"),
    (
        "definitions/steps/cards.py",
        "        n = self.count\n",
        "        n = self.count\n        self.count = 0\n",
        "rule 3",
    ),
    (
        "definitions/steps/cards.py",
        "    def run(self, s: State, request: Request) -> bool:\n        atoms.show_hand",
        "    def walk(self, s: State, request: Request) -> bool:\n        atoms.show_hand",
        "rule 1",
    ),
    ("engine/zone_moves.py", "    enter_bulwark(s, player,", "    life_to_bulwark(s, player,", "rule 4"),
    ("engine/zone_moves.py", "    new: list[Unit] = []", "    new: list[list[Unit]] = []", "rule 5"),
    ("engine/zone_moves.py", "    new: list[Unit] = []", "    new = []", "rule 5"),
    ("engine/state.py", '        "preset": "u8",\n', "", "rule 6"),
    ("engine/combat.py", "number: i64 = VALUE[bulwark.lead]", "number: i64 = 1 << bulwark.lead", "rule 6"),
    ("engine/combat.py", "    draws = ", "    draws = s.rules.name == 'x' and ", "rule 10"),
    ("engine/atoms.py", "    left = n\n", "    left = {0: n}[0]\n", "rule 10"),
    ("engine/combat.py", "    zone_moves.end_roles(s)", "    side.soldiers[0].role = 0", "atoms"),
)


@pytest.mark.parametrize(("file", "line", "becomes", "rule"), PLANTED, ids=[f"{p[3]} {p[0]}" for p in PLANTED])
def test_a_breach_is_named(file: str, line: str, becomes: str, rule: str, tmp_path: Path) -> None:
    for name in hot_modules("subset"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, target)
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert text.count(line) >= 1, f"{line!r} no longer stands in {file}"
    path.write_text(text.replace(line, becomes, 1), encoding="utf-8")
    found = check(tmp_path)
    assert any(breach.rule == rule and breach.file == file and breach.line > 0 for breach in found), found
