"""Compare two checkouts, or the builds of one: every decision, option list, event and view of seeded random games.

    python -m tests.long.compare_commits OLD NEW [--games 2000] [--skip 0] [-j 2] [--seconds N] [--out FILE]
    python -m tests.long.compare_commits --builds NEW [--edition 9] ...
    python -m tests.long.compare_commits OLD NEW --explain REGULATION SEED

A checkout is a folder with ``src/blackpoker``, compiled as it is to be compared. Every regulation of OLD is played
with the seeds from ``--skip`` on, in rounds over all regulations, so that a run that ``--seconds`` ends has about
equally many games of each; ``--skip`` continues it. Per decision are compared: the options and the choice, every raw
event, every event and view of the four audiences; at the end the whole state and the winner. ``--views turns`` takes
the views and events of audiences only at the first decision of each turn and in one game of a hundred, which is
several times faster.

Names of OLD are mapped (``Renames``). A ``declared`` request, which views of up to 0b24fb11 do not have, is counted
and left out.

``--builds`` plays in machine code, compiled and interpreted, and compares a hash of every decision with its options.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

#: games of one task of a worker, and seeds of one round
CHUNK = 25
ROUND = 100
#: seconds between two lines of progress
INTERVAL = 20
MAX_DECISIONS = 200_000
BUILDS = {
    "native": {"BLACKPOKER_NATIVE": "1"},
    "compiled": {"BLACKPOKER_NATIVE": "0"},
    "interpreted": {"BLACKPOKER_NATIVE": "0", "BLACKPOKER_PURE": "1"},
}


# -- worker process of one checkout ------------------------------------------------------------------------------------


def either(module: str, former: str) -> Any:
    """Return a module by its present or its former name."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return import_module(former)


class Renames:
    """Views and events as JSON, with the present names and without the fields that 0b24fb11 does not have."""

    #: spellings of 0b24fb11
    _FORMER = (
        (b'{"place":', b'{"name":'),
        (b'"said":', b'"so_far":'),
        (b'"over":{"winner":"draw"', b'"over":{"winner":null'),
    )
    #: later fields
    _NEWER = ((b',"rare":null,"fogs":[]}', b"}"), (b',"declared":[]}', b"}"))

    def __init__(self, former: bool) -> None:
        self.pairs = self._FORMER if former else self._NEWER
        self.declared = 0

    def apply(self, text: bytes) -> bytes:
        """Return the text of events and views with the names of both commits made equal."""
        for former, present in self.pairs:
            text = text.replace(former, present)
        if b',"declared":[' not in text:
            return text
        events, views = json.loads(text)
        for view in views:
            self.declared += bool(view.pop("declared", ()))
        return json.dumps([events, views], separators=(",", ":"), ensure_ascii=False).encode()


class Player:
    """Random games of this checkout, as the bytes that are compared."""

    def __init__(self) -> None:
        self.parsed: dict[str, Any] = {}
        self.ruleset = either("blackpoker.ruleset", "blackpoker.regulation")
        self.visibility = either("blackpoker.engine.visibility", "blackpoker.rules.visibility")
        self.seeded = either("blackpoker.engine.shuffler", "blackpoker.rules.shuffler").seeded
        self.undecided = either("blackpoker.engine.flow", "blackpoker.rules.flow").UNDECIDED
        self.view_of = either("blackpoker.notation.options", "blackpoker.words.tokens").view_of
        self.encode = import_module("msgspec").json.encode
        self.renames = Renames(former=self.visibility.__name__.startswith("blackpoker.rules"))
        self.audiences = list(self.visibility.Audience)

    def regulations(self) -> list[str]:
        return [regulation.text for regulation in self.ruleset.all_regulations()]

    def shown(self, engine: Any, log: list[Any]) -> bytes:
        """Return the events since the last decision and the view, for every audience."""
        seen, view_of = self.visibility.seen, self.view_of
        reports = [self.visibility.Report(raw, engine) for raw in log]
        events = [[seen(report, audience) for report in reports] for audience in self.audiences]
        views = [view_of(engine, audience) for audience in self.audiences]
        return self.renames.apply(self.encode([events, views]))

    def parts(self, text: str, seed: int, always: bool) -> Iterator[bytes]:
        """Yield all that happens in a game, each part as bytes."""
        if text not in self.parsed:
            self.parsed[text] = self.ruleset.Regulation.parse(text)
        engine = self.ruleset.new_game(self.parsed[text], self.seeded(seed))
        engine.trace = None
        log: list[Any] = []
        engine.log = log
        engine.advance()
        chance = self.seeded(seed + 1)
        turn = -1
        for _ in range(MAX_DECISIONS):
            yield raw_bytes(log)
            if always or engine.turn_number != turn:
                turn = engine.turn_number
                yield self.shown(engine, log)
            if engine.winner != self.undecided:
                yield state_bytes(engine)
                return
            options = engine.options
            option = options[chance.below(len(options))]
            yield bytes([engine.kind, engine.asked, option, len(options), *options])
            engine.log = log = []
            engine.push(option)
        raise RuntimeError(f"{text}, seed {seed}: the game does not end")

    def digests(self, text: str, first: int, n: int, views: str) -> dict[str, Any]:
        """Return a digest per game."""
        found: list[str] = []
        number = 0
        declared = self.renames.declared
        for seed in range(first, first + n):
            parts = list(self.parts(text, seed, views == "all" or seed % 100 == 0))
            number += len(parts)
            found.append(hashlib.sha1(b"\n".join(parts), usedforsecurity=False).hexdigest()[:16])
        return {"games": found, "parts": number, "declared": self.renames.declared - declared}

    def game(self, text: str, seed: int) -> list[str]:
        return [part.decode("latin-1") for part in self.parts(text, seed, always=True)]


def raw_bytes(log: list[Any]) -> bytes:
    return repr([tuple(map(int, raw)) for raw in log]).encode()  # in the compiled build a name is a number


def state_bytes(engine: Any) -> bytes:
    """Return the whole state at the end of a game."""
    parts: list[Any] = [engine.winner, engine.turn, engine.chance, engine.turn_number, engine.next_id]
    parts.append(engine.source.state)
    for side in engine.sides:
        parts += [side.life, side.hand, side.grave, side.grave_top, side.public, side.seen, side.own_seen, side.fresh]
        parts += [side.bonus, side.trumps, side.open_trumps, side.used, side.requests, side.pack]
        parts += [(u.id, u.kind, u.cards, u.driven, u.bonus, u.role) for u in side.soldiers + side.bulwarks]
    parts += [(r.id, r.action, r.keys, r.virtual, r.target_kind, r.target) for r in engine.stage]
    return repr(parts).encode()


def built_games(text: str, first: int, n: int) -> dict[str, Any]:
    """Return the result and the hash of every decision per game, in the build of this process."""
    from blackpoker._build import compiled
    from blackpoker.native import available
    from blackpoker.native.library import games

    found = games(text, range(first, first + n), threads=1, hashed=True)
    columns = (found.winner, found.first, found.turns, found.decisions, found.forced, found.hash)
    return {
        "games": [" ".join(map(str, game)) for game in zip(*columns, strict=True)],
        "parts": sum(found.decisions),
        "declared": 0,
        "build": "native" if available() else "compiled" if compiled() else "interpreted",
        "outgrown": found.outgrown,
    }


def worker() -> None:
    """Answer lines ``[function, argument...]`` with one line of JSON."""

    def all_of_edition(edition: str) -> list[str]:
        every = import_module("blackpoker.ruleset").all_known_regulations()
        return [regulation.text for regulation in every if regulation.edition.id == edition]

    @cache
    def player() -> Player:
        return Player()

    functions: dict[str, Callable[..., Any]] = {
        "regulations": lambda: player().regulations(),
        "edition": all_of_edition,
        "digests": lambda *arguments: player().digests(*arguments),
        "game": lambda *arguments: player().game(*arguments),
        "builds": built_games,
    }
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(functions[name](*arguments)), flush=True)


class Worker:
    """A process that plays in one checkout and one build."""

    def __init__(self, checkout: Path, environment: dict[str, str] | None = None) -> None:
        if not (checkout / "src" / "blackpoker").is_dir():
            raise SystemExit(f"{checkout} is no checkout of this project: it has no src/blackpoker")
        own = checkout / ".venv" / "bin" / "python"
        path = os.pathsep.join(filter(None, (str(checkout / "src"), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [str(own) if own.exists() else sys.executable, __file__, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {}), "PYTHONPATH": path},
        )

    def call(self, *request: object) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a worker has ended; its message stands above")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


# -- comparison --------------------------------------------------------------------------------------------------------


@dataclass
class Count:
    """What has been compared so far."""

    games: dict[str, int] = field(default_factory=dict)
    parts: int = 0
    declared: int = 0
    outgrown: int = 0
    different: list[tuple[str, int]] = field(default_factory=list)
    #: builds that were to be used and were not
    wrong_build: list[str] = field(default_factory=list)

    def result(self, regulations: list[str]) -> dict[str, Any]:
        each = [self.games.get(text, 0) for text in regulations]
        return {
            "regulations": len(regulations),
            "games": sum(each),
            "least_games": min(each, default=0),
            "most_games": max(each, default=0),
            "parts": self.parts,
            "views_with_a_declared_request": self.declared,
            "outgrown": self.outgrown,
            "different": sorted(self.different),
            "wrong_build": sorted(set(self.wrong_build)),
        }


Task = tuple[str, int, int]


def compare(
    start: list[Callable[[], Worker]],
    names: list[str],
    request: Callable[[Task], list[Any]],
    tasks: list[Task],
    jobs: int,
    seconds: float,
    regulations: list[str],
) -> Count:
    """Play all tasks in each kind of worker until the time is over; return what was compared. Each of ``jobs`` threads
    has a worker of every kind, of which one plays at a time."""
    began = time.monotonic()
    todo: queue.SimpleQueue[tuple[Task, int]] = queue.SimpleQueue()
    for task in tasks:
        for kind in range(len(start)):
            todo.put((task, kind))
    found: dict[Task, dict[int, Any]] = {}
    count = Count()
    lock = threading.Lock()
    failed: list[BaseException] = []

    def take(task: Task, kind: int, answer: Any) -> None:
        if answer.get("build", names[kind]) != names[kind]:
            count.wrong_build.append(f"{names[kind]} is {answer['build']}")
        here = found.setdefault(task, {})
        here[kind] = answer
        if len(here) < len(start):
            return
        del found[task]
        text, first, n = task
        count.games[text] = count.games.get(text, 0) + n
        count.parts += answer["parts"]
        count.declared += max(one["declared"] for one in here.values())
        count.outgrown += max(one.get("outgrown", 0) for one in here.values())
        for index, digests in enumerate(zip(*(one["games"] for one in here.values()), strict=True)):
            if len(set(digests)) > 1:
                count.different.append((text, first + index))

    def loop() -> None:
        workers: list[Worker | None] = [None] * len(start)
        try:
            while not failed and time.monotonic() - began < seconds:
                try:
                    task, kind = todo.get_nowait()
                except queue.Empty:
                    return
                worker = workers[kind]
                if worker is None:
                    worker = workers[kind] = start[kind]()
                answer = worker.call(*request(task))
                with lock:
                    take(task, kind, answer)
        except BaseException as error:
            failed.append(error)
        finally:
            for one in workers:
                if one is not None:
                    one.close()

    threads = [threading.Thread(target=loop, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    reported = began
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.2)
        if time.monotonic() - reported >= INTERVAL:
            reported = time.monotonic()
            with lock:
                print(f"{reported - began:4.0f} s: {summary(count, regulations)}", flush=True)
    if failed:
        raise failed[0]
    return count


def summary(count: Count, regulations: list[str]) -> str:
    result = count.result(regulations)
    return (
        f"{result['games']:,} games of {result['regulations']} regulations ({result['least_games']} to "
        f"{result['most_games']} each), {result['parts']:,} parts compared, {len(result['different'])} games differ"
    )


def explain(old: Worker, new: Worker, text: str, seed: int) -> int:
    """Print the first difference of a game."""
    games = old.call("game", text, seed), new.call("game", text, seed)
    for number, (one, other) in enumerate(zip(*games, strict=False)):
        if one != other:
            print(f"part {number} of {len(games[0])} and {len(games[1])}\n- {one}\n+ {other}")
            return 1
    print(f"{len(games[0])} and {len(games[1])} parts" + ("" if len(games[0]) == len(games[1]) else ": one is longer"))
    return int(len(games[0]) != len(games[1]))


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.compare_commits", description=__doc__.splitlines()[0])
    reader.add_argument("checkouts", type=Path, nargs="+", metavar="CHECKOUT")
    reader.add_argument("--builds", action="store_true", help="compare the builds of one checkout")
    reader.add_argument("--edition", default="9", help="whose regulations the builds play")
    reader.add_argument("--games", type=int, default=2000, help="per regulation")
    reader.add_argument("--skip", type=int, default=0, help="first seed")
    reader.add_argument("--views", choices=("all", "turns"), default="all")
    reader.add_argument("--only", nargs="+", metavar="REGULATION", default=[])
    reader.add_argument("-j", "--jobs", type=int, default=2)
    reader.add_argument("--seconds", type=float, default=float("inf"), help="start no task after this time")
    reader.add_argument("--out", type=Path, help="a file for the result as JSON")
    reader.add_argument("--explain", nargs=2, metavar=("REGULATION", "SEED"))
    args = reader.parse_args()
    if len(args.checkouts) != (1 if args.builds else 2):
        reader.error("--builds takes one checkout, a comparison two")
    began = time.monotonic()
    checkouts = [path.resolve() for path in args.checkouts]
    first = Worker(checkouts[0])
    try:
        if args.explain:
            return explain(first, Worker(checkouts[1]), args.explain[0], int(args.explain[1]))
        known = first.call("edition", args.edition) if args.builds else first.call("regulations")
    finally:
        first.close()
    regulations = [text for text in known if text in args.only or not args.only]
    tasks = [
        (text, seed, min(CHUNK, args.skip + args.games - seed))
        for begin in range(args.skip, args.skip + args.games, ROUND)
        for text in regulations
        for seed in range(begin, min(begin + ROUND, args.skip + args.games), CHUNK)
    ]
    start: list[Callable[[], Worker]]
    if args.builds:
        names = list(BUILDS)
        start = [partial(Worker, checkouts[0], environment) for environment in BUILDS.values()]
    else:
        names = ["old", "new"]
        start = [partial(Worker, path) for path in checkouts]

    def request(task: Task) -> list[Any]:
        return ["builds", *task] if args.builds else ["digests", *task, args.views]

    try:
        count = compare(start, names, request, tasks, args.jobs, args.seconds, regulations)
    except KeyboardInterrupt:
        print("compare_commits: interrupted", file=sys.stderr)
        return 130
    result = {**count.result(regulations), "skip": args.skip, "seconds": round(time.monotonic() - began, 1)}
    print(f"{' = '.join(names)}: {summary(count, regulations)}")
    for text, seed in result["different"][:20]:
        print(f"  {text}, seed {seed} differs")
    for line in result["wrong_build"]:
        print(f"  {line}")
    if args.out:
        args.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 1 if result["different"] or result["wrong_build"] or not result["games"] else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        worker()
    else:
        sys.exit(main())
