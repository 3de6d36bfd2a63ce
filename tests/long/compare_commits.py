"""Compare play and views of two commits: every decision, option list, event and view of seeded random games.

    python -m tests.long.compare_commits write FILE [--games 20] [--from 1] [--to N] [--without place]
    python -m tests.long.compare_commits compare FILE OTHER

``write`` stores a line per regulation and hundred games; run it in both trees, then ``compare``. Views are taken for
every audience at the first decision of each turn, and at every decision of the first game of a line. ``--without``
omits fields of a view that only one of the two commits has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from tests.properties.digest import state_bytes
from tests.properties.play import decisions, start

from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.visibility import Audience, Report, seen
from blackpoker.notation.options import view_of
from blackpoker.ruleset import all_known_regulations

CHUNK = 100


def stripped(value: object, without: frozenset[str]) -> object:
    """Return a view without some fields of its own or of its units."""
    if isinstance(value, dict):
        return {
            name: stripped(inner, without)
            for name, inner in value.items()
            # of units soldiers only: bulwarks and trumps always had a place; and of sides
            if not (name in without and ("number" in value or "turn_number" in value or "life_known" in value))
        }
    return [stripped(inner, without) for inner in value] if isinstance(value, list) else value


def shown(engine: Engine, without: frozenset[str]) -> Iterator[bytes]:
    for audience in Audience:
        built = msgspec.to_builtins(view_of(engine, audience))
        yield json.dumps(stripped(built, without) if without else built, sort_keys=True).encode()


def game_digest(regulation: str, seed: int, without: frozenset[str], always: bool) -> tuple[bytes, int]:
    engine, _ = start(regulation, seed)
    engine.trace = None
    log: list[RawEvent] = []
    engine.log = log
    digest = hashlib.blake2b(digest_size=16)
    turn, number = -1, 0
    for option in decisions(engine, seeded(seed + 1)):
        digest.update(bytes([engine.kind, engine.asked, option, len(engine.options), *engine.options]))
        number += 1
        for raw in log:
            digest.update(repr(tuple(map(int, raw))).encode())  # in the compiled build a name is a number
        if always:
            for audience in Audience:
                digest.update(msgspec.json.encode([seen(Report(raw, engine), audience) for raw in log]))
        if always or engine.turn_number != turn:
            turn = engine.turn_number
            for part in shown(engine, without):
                digest.update(part)
        engine.log = log = []
    for raw in log:
        digest.update(repr(tuple(map(int, raw))).encode())  # in the compiled build a name is a number
    digest.update(state_bytes(engine))
    return digest.digest(), number


def lines(games: int, first: int, last: int, without: frozenset[str]) -> Iterator[str]:
    for place, regulation in list(enumerate(all_known_regulations(), 1))[first - 1 : last]:
        for begin in range(0, games, CHUNK):
            digest, total = hashlib.blake2b(digest_size=16), 0
            for seed in range(begin, min(begin + CHUNK, games)):
                found, number = game_digest(regulation.text, seed, without, seed == begin)
                digest.update(found)
                total += number
            yield f"{regulation.text} {begin} {total} {digest.hexdigest()}"
        if sys.stderr.isatty():
            print(f"\r  {place}: {regulation.text}", end="\033[K", file=sys.stderr, flush=True)


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.compare_commits")
    reader.add_argument("what", choices=("write", "compare"))
    reader.add_argument("files", type=Path, nargs="+")
    reader.add_argument("--games", type=int, default=20)
    reader.add_argument("--from", type=int, default=1, dest="first")
    reader.add_argument("--to", type=int, default=len(all_known_regulations()), dest="last")
    reader.add_argument("--without", default="")
    args = reader.parse_args()
    if args.what == "write":
        without = frozenset(filter(None, args.without.split(",")))
        text = "".join(line + "\n" for line in lines(args.games, args.first, args.last, without))
        args.files[0].write_text(text, encoding="utf-8")
        return 0
    one, other = ({line.rsplit(" ", 2)[0]: line for line in path.read_text().splitlines()} for path in args.files)
    different = [line for key, line in one.items() if key in other and other[key] != line]
    common = one.keys() & other.keys()
    decided = sum(int(one[key].split()[-2]) for key in common)
    print(
        f"{len(common)} lines of {len(one)} and {len(other)} compared, {decided:,} decisions, {len(different)} differ"
    )
    for line in different:
        print("  " + line)
    return 1 if different or not common else 0


if __name__ == "__main__":
    sys.exit(main())
