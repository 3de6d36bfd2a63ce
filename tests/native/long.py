"""``python -m tests.native.long``, part of ``make soak``: the translated rules against Python in every regulation, and
planted faults, each of which must be noticed. Shows its progress, can be interrupted.

    python -m tests.native.long [--games 2000] [--only identity|faults]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import blackpoker
from blackpoker._build import compiled
from blackpoker.native import build as native_build
from blackpoker.native import door
from blackpoker.regulation import Regulation, all_regulations

SOURCE = Path(blackpoker.__file__).parent
CHUNK = 100
FAULT_GAMES = 400
QUICK_TO_COMPILE = ("-std=c++17", "-O0", "-fPIC", "-shared", "-pthread")

#: file, what stands there, what becomes of it
FAULTS = (
    ("rules/flow.py", "self.passed = 0  # R-07", "pass  # R-07"),
    ("rules/flow.py", "            self.stall = True", "            self.stall = False"),
    ("rules/atoms.py", "(to_grave or (to_hand and kind.leave_to_hand))", "True"),
    ("rules/atoms.py", "        side.bonus = 0\n", "        side.bonus = side.bonus\n"),
    ("rules/obstacles.py", "MIXED_BLOCK if bulwark and others > 0 else", "MIXED_BLOCK if False else"),
    ("rules/obstacles.py", "if unit.cards & ~side.fresh != 0:", "if unit.cards != 0:"),
    ("rules/combat.py", "    if number == 0:\n        return True", "    if number == 0:\n        return False"),
    ("rules/effects.py", "if VALUE[card] <= at_most:", "if VALUE[card] < at_most:"),
    ("rules/setup.py", "s.turn = 0 if first > second else 1", "s.turn = 0 if first < second else 1"),
    ("rules/state.py", "return unit.base + unit.bonus + side.bonus", "return unit.base + unit.bonus"),
    ("rules/engine.py", "DRAW if first and second else (1 if first else 0)", "DRAW if first and second else (0 if first else 1)"),
    ("rules/shuffler.py", "j = self.below(i + 1)", "j = self.below(i)"),
    ("language/values.py", "hand_count - HAND_LIMIT)", "hand_count - HAND_LIMIT + 1)"),
    ("language/steps/cards.py", "        while n > 0:\n            atoms.draw", "        while n > 1:\n            atoms.draw"),
)  # fmt: skip


def with_library(library: Any, regulation: Regulation, seeds: range) -> door.Games:
    door._library = lambda: library  # type: ignore[assignment]
    return door.games(regulation, seeds, hashed=True, uses=True)


def differing(one: door.Games, other: door.Games) -> int:
    columns = ("winner", "first", "turns", "decisions", "forced", "hash")
    each = zip(*(getattr(games, column) for games in (one, other) for column in columns), strict=True)
    return sum(game[: len(columns)] != game[len(columns) :] for game in each) or int(one.uses != other.uses)


def identity(library: Any, games: int) -> Iterator[str]:
    regulations = all_regulations()
    total = outgrown = 0
    for number, regulation in enumerate(regulations, 1):
        for start in range(0, games, CHUNK):
            seeds = range(start, min(start + CHUNK, games))
            fast = with_library(library, regulation, seeds)
            wrong = differing(fast, with_library(None, regulation, seeds))
            total += sum(fast.decisions)
            outgrown += fast.outgrown
            if wrong:
                yield f"{regulation.text}, seeds from {start}: {wrong} games differ"
            print(f"\r  {number}/{len(regulations)} {regulation.text}: {total:,} decisions", end="\033[K", flush=True)
    print(f"\n  {len(regulations)} regulations, {games} games each, {total:,} decisions, {outgrown} games outgrown")


def faults(folder: Path) -> Iterator[str]:
    regulation = Regulation.parse("extra+full")
    seeds = range(FAULT_GAMES)
    right = with_library(None, regulation, seeds)
    for number, (file, line, becomes) in enumerate(FAULTS, 1):
        root = folder / f"{number}"
        for part in ("rules", "language", "players"):
            shutil.copytree(SOURCE / part, root / part, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        text = (root / file).read_text(encoding="utf-8")
        if line not in text:
            yield f"{file}: {line!r} no longer stands there"
            continue
        (root / file).write_text(text.replace(line, becomes, 1), encoding="utf-8")
        trouble = native_build.build(root / "cpp", root / "rules.so", QUICK_TO_COMPILE, root)
        if trouble:
            yield f"{file}: {trouble}"
            continue
        wrong = differing(with_library(door.load(root / "rules.so"), regulation, seeds), right)
        print(
            f"  {number}/{len(FAULTS)} {file}: {becomes.strip()!r}: {wrong} of {FAULT_GAMES} games differ", flush=True
        )
        if not wrong:
            yield f"{file}: {becomes!r} was not noticed"


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.native.long")
    reader.add_argument("--games", type=int, default=2000)
    reader.add_argument("--only", choices=("identity", "faults"))
    asked = reader.parse_args()
    if native_build.compiler() is None:
        print("native: no C++ compiler found, nothing to compare")
        return 0
    print(f"native against the {'compiled' if compiled() else 'interpreted'} engine", flush=True)
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            if asked.only != "faults":
                trouble = native_build.build(folder / "cpp", folder / "rules.so")
                failed += [trouble] if trouble else identity(door.load(folder / "rules.so"), asked.games)
            if asked.only != "identity":
                failed += faults(folder)
        except KeyboardInterrupt:
            print("\n  interrupted")
            return 130
    print("\n".join([*failed, f"{len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
