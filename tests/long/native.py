"""``python -m tests.long.native``, part of ``make soak``: compare the translated rules and players with Python in every
regulation; run 10,000 games under address and undefined-behaviour sanitizers; plant faults, each of which must be
detected. Shows its progress and can be interrupted.

    python -m tests.long.native [--games 2000] [--from 1] [--to N] [--only identity|players|sanitizers|faults]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import blackpoker
from blackpoker._build import compiled
from blackpoker.native import build as native_build
from blackpoker.native import library as door
from blackpoker.native.batch import MAX_OPTIONS, Batch, step_many
from blackpoker.players import batch_play
from blackpoker.ruleset import Regulation, all_known_regulations

SOURCE = Path(blackpoker.__file__).parent
CHUNK = 100
FAULT_GAMES = 400
#: games of searching players per regulation
PLAYED = 40
SANITIZED = 10_000
CHECKED_ROWS, CHECKED_STEPS = 32, 200
SANITIZERS = (
    "-std=c++17",
    "-O1",
    "-g",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
)
QUICK_TO_COMPILE = ("-std=c++17", "-O0", "-fPIC", "-shared", "-pthread")

#: file, original text, replacement
FAULTS = (
    ("engine/flow.py", "self.passed = 0  # R-07", "pass  # R-07"),
    ("engine/flow.py", "            self.stall = True", "            self.stall = False"),
    ("engine/atoms.py", "(to_grave or (to_hand and kind.leave_to_hand))", "True"),
    ("engine/atoms.py", "        side.bonus = 0\n", "        side.bonus = side.bonus\n"),
    ("engine/legality.py", "MIXED_BLOCK if bulwark and others > 0 else", "MIXED_BLOCK if False else"),
    ("engine/legality.py", "if unit.cards & ~side.fresh != 0:", "if unit.cards != 0:"),
    ("engine/key_cards.py", "        twice |= once & here", "        twice |= here"),
    (
        "engine/request_builder.py",
        "        offered &= offers.cards[side.hand_count]",
        "        offered &= offers.cards[0]",
    ),
    ("engine/combat.py", "    if number == 0:\n        return True", "    if number == 0:\n        return False"),
    ("engine/zone_moves.py", "if VALUE[card] <= at_most:", "if VALUE[card] < at_most:"),
    ("engine/setup.py", "s.turn = 0 if first > second else 1", "s.turn = 0 if first < second else 1"),
    ("engine/state.py", "return unit.base + unit.bonus + side.bonus", "return unit.base"),
    (
        "engine/engine.py",
        "DRAW if first and second else (1 if first else 0)",
        "DRAW if first and second else (0 if first else 1)",
    ),
    ("engine/shuffler.py", "j = self.below(i + 1)", "j = self.below(i)"),
    ("definitions/values.py", "hand_count - HAND_LIMIT)", "hand_count - HAND_LIMIT + 1)"),
    (
        "definitions/steps/cards.py",
        "        while n > 0:\n            atoms.draw",
        "        while n > 1:\n            atoms.draw",
    ),
    ("determinization.py", "while i < n and i < size - 1:", "while i < n and i < size - 2:"),
    ("ai/heuristics/scorer.py", "out.append(0 if quick else -60)", "out.append(0 if quick else 10)"),
    (
        "ai/heuristics/position_summary.py",
        "return number + 3 if number > 0 else 2",
        "return 3 - number if number > 0 else 2",
    ),
    ("ai/heuristics/fighting.py", "        score = 10 + number\n", "        score = -10 - number\n"),
)


def with_library(library: Any, regulation: Regulation, seeds: range) -> door.Games:
    door.native_library = lambda: library  # type: ignore[assignment]
    return door.games(regulation, seeds, hashed=True, uses=True)


def played_with(library: Any, regulation: Regulation, seeds: range, players: tuple[str, str]) -> door.Games:
    door.native_library = lambda: library  # type: ignore[assignment]
    return batch_play.games(regulation, seeds, players, uses=True)


def differing(one: door.Games, other: door.Games) -> int:
    columns = ("winner", "first", "turns", "decisions", "forced", "hash")
    each = zip(*(getattr(games, column) for games in (one, other) for column in columns), strict=True)
    return sum(game[: len(columns)] != game[len(columns) :] for game in each) or int(one.uses != other.uses)


def identity(library: Any, games: int, first: int, last: int) -> Iterator[str]:
    regulations = all_known_regulations()
    total = outgrown = 0
    for number, regulation in list(enumerate(regulations, 1))[first - 1 : last]:
        for start in range(0, games, CHUNK):
            seeds = range(start, min(start + CHUNK, games))
            fast = with_library(library, regulation, seeds)
            wrong = differing(fast, with_library(None, regulation, seeds))
            total += sum(fast.decisions)
            outgrown += fast.outgrown
            if wrong:
                yield f"{regulation.text}, seeds from {start}: {wrong} games differ"
            print(f"\r  {number}/{len(regulations)} {regulation.text}: {total:,} decisions", end="\033[K", flush=True)
    print(f"\n  regulations {first} to {last}, {games} games each, {total:,} decisions, {outgrown} games outgrown")


def thinking(library: Any, first: int, last: int) -> Iterator[str]:
    """Yield the differences of heuristic players in every regulation, and of a small search."""
    regulations = all_known_regulations()
    total = outgrown = 0
    for number, regulation in list(enumerate(regulations, 1))[first - 1 : last]:
        for players, n in ((("heuristic", "easy"), PLAYED), (("normal", "search:playouts=60/horizon=3/heat=30"), 1)):
            fast = played_with(library, regulation, range(n), players)
            wrong = differing(fast, played_with(None, regulation, range(n), players))
            total += sum(fast.decisions)
            outgrown += fast.outgrown
            if wrong:
                yield f"{regulation.text}, {' against '.join(players)}: {wrong} games differ"
        print(f"\r  {number}/{len(regulations)} {regulation.text}: {total:,} decisions", end="\033[K", flush=True)
    print(f"\n  regulations {first} to {last}, players that think, {total:,} decisions, {outgrown} games outgrown")


def sanitized(folder: Path) -> Iterator[str]:
    """Run in a separate process: the sanitizers end it at the first fault."""
    trouble = native_build.build(folder / "cpp", folder / "checked.so", SANITIZERS)
    if trouble:
        yield trouble
        return
    compiler = native_build.compiler()
    found = subprocess.run([str(compiler), "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {**os.environ, "LD_PRELOAD": found.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    command = [sys.executable, "-m", "tests.long.native", "--checked", str(folder / "checked.so")]
    if subprocess.run(command, env=environment, check=False).returncode:
        yield "the sanitizers are not silent"


def play_checked(library: Any) -> None:
    regulations = all_known_regulations()
    each = -(-SANITIZED // len(regulations))
    for number, regulation in enumerate(regulations, 1):
        with_library(library, regulation, range(each))
        played_with(library, regulation, range(4), ("heuristic", "easy"))
        played_with(library, regulation, range(1), ("normal", "search:playouts=40"))
        step_checked(regulation)
        print(f"\r  {number}/{len(regulations)} {regulation.text}", end="\033[K", flush=True)
    steps = CHECKED_ROWS * CHECKED_STEPS * len(regulations)
    games = f"{each * len(regulations):,} random games and {5 * len(regulations)} of players"
    print(f"\n  sanitizers silent over {games}, and {steps:,} steps of batches")


def step_checked(regulation: Regulation) -> None:
    """Step batched games with observations and masks on two threads."""
    batch = Batch(regulation, range(CHECKED_ROWS))
    dice = Random(regulation.text)
    for _ in range(CHECKED_STEPS):
        rows = (batch.options[i * MAX_OPTIONS :][: batch.counts[i]] for i in range(CHECKED_ROWS))
        step_many(batch, [dice.choice(row) for row in rows], threads=2)


def faults(folder: Path) -> Iterator[str]:
    regulation = Regulation.parse("extra+full")
    seeds = range(FAULT_GAMES)
    right = with_library(None, regulation, seeds)
    players = ("heuristic", "easy")
    thought = played_with(None, regulation, range(FAULT_GAMES // 4), players)
    for number, (file, line, becomes) in enumerate(FAULTS, 1):
        root = folder / f"{number}"
        for part in ("engine", "definitions", "ai"):
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
        library = door.load(root / "rules.so")
        if file.startswith("ai/"):
            wrong = differing(played_with(library, regulation, range(len(thought)), players), thought)
        else:
            wrong = differing(with_library(library, regulation, seeds), right)
        print(f"  {number}/{len(FAULTS)} {file}: {becomes.strip()!r}: {wrong} games differ", flush=True)
        if not wrong:
            yield f"{file}: {becomes!r} was not noticed"


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.native")
    reader.add_argument("--games", type=int, default=2000)
    reader.add_argument("--from", type=int, default=1, dest="first", help="of the regulations, for a part of the run")
    reader.add_argument("--to", type=int, default=len(all_known_regulations()), dest="last")
    reader.add_argument("--only", choices=("identity", "players", "sanitizers", "faults"))
    reader.add_argument("--checked", type=Path, help=argparse.SUPPRESS)
    args = reader.parse_args()
    if args.checked:
        play_checked(door.load(args.checked))
        return 0
    if native_build.compiler() is None:
        print("native: no C++ compiler found, nothing to compare")
        return 0
    print(f"native against the {'compiled' if compiled() else 'interpreted'} engine", flush=True)
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            trouble = native_build.build(folder / "cpp", folder / "rules.so")
            if trouble:
                print(trouble)
                return 1
            library = door.load(folder / "rules.so")
            if args.only in (None, "identity"):
                failed += identity(library, args.games, args.first, args.last)
            if args.only in (None, "players"):
                failed += thinking(library, args.first, args.last)
            if args.only in (None, "sanitizers"):
                failed += sanitized(folder)
            if args.only in (None, "faults"):
                failed += faults(folder)
        except KeyboardInterrupt:
            print("\n  interrupted")
            return 130
    print("\n".join([*failed, f"{len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
