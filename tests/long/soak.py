"""The long run: ``make soak``, under an hour on two cores. Shows its progress, can be interrupted, reports its results.

    python -m tests.long.soak [--scale 0.1] [--jobs 2] [PART …]

Parts: invariants (10,000 random games a format with R-225 at every decision, and one from every scenario's position),
round-trips (500 games a format, 100 of Extra: JSON, copy, pop and secrecy at every decision), matches (500 random matches
in each of the regulations).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from tests.properties.play import Reached, checked_game, checked_position
from tests.properties.test_invariants import unreached

from blackpoker._build import compiled
from blackpoker.ruleset import all_regulations
from blackpoker.scenario.scenario import read_scenario

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*/*.toml"))
FORMATS = ("lite", "standard", "pro", "master")
INVARIANT_GAMES = 10_000
ROUND_TRIP_GAMES = 500
MATCHES = 500
CHUNK = 50


@dataclass
class Report:
    """The results of one chunk of games."""

    regulation: str
    games: int = 0
    violations: list[str] = field(default_factory=list)
    reached: Reached = field(default_factory=Reached)


def invariants(regulation: str, first: int, games: int) -> Report:
    report = Report(regulation)
    for seed in range(first, first + games):
        try:
            checked_game(regulation, seed, report.reached)
        except Exception as error:
            report.violations.append(f"{regulation} seed {seed}: {type(error).__name__}: {error}")
        report.games += 1
    return report


def positions(format: str, first: int, games: int) -> Report:
    """Play random games from the scenarios' positions of one format, which cover cases that random games rarely reach."""
    report = Report(f"{format}+full")
    variants = [v for path in SCENARIOS for v in read_scenario(path.read_text(encoding="utf-8")).variants]
    fitting = [v for v in variants if v.position and v.position.get("format", "master") == format]
    for variant in fitting[first : first + games]:
        try:
            checked_position(variant, first, report.reached)
        except Exception as error:
            report.violations.append(f"{format} from {variant.name!r}: {type(error).__name__}: {error}")
        report.games += 1
    return report


def round_trips(regulation: str, first: int, games: int) -> Report:
    from tests.properties.round_trips import round_trip_game

    report = Report(regulation)
    for seed in range(first, first + games):
        try:
            round_trip_game(regulation, seed)
        except Exception as error:
            report.violations.append(f"{regulation} seed {seed}: {type(error).__name__}: {error}")
        report.games += 1
    return report


def matches(regulation: str, first: int, games: int) -> Report:
    from tests.properties.matches import checked_match

    report = Report(regulation)
    for seed in range(first, first + games):
        try:
            checked_match(regulation, seed, report.reached)
        except Exception as error:
            report.violations.append(f"{regulation} match {seed}: {type(error).__name__}: {error}")
        report.games += 1
    return report


Job = tuple[Callable[[str, int, int], Report], str, int, int]


def jobs_of(part: str, scale: float) -> list[Job]:
    """Return the chunks of one part."""
    work, regulations, games = {
        "invariants": (invariants, [f"{f}+full" for f in FORMATS], INVARIANT_GAMES),
        "round-trips": (round_trips, [f"{f}+full" for f in (*FORMATS, "extra")], ROUND_TRIP_GAMES),
        "matches": (matches, [r.text for r in all_regulations()], MATCHES),
    }[part]
    games = max(1, int(games * scale))
    size = min(CHUNK, games)
    more: list[Job] = [(positions, format, 0, 10_000) for format in FORMATS] if part == "invariants" else []
    return more + [
        (work, name, first, min(size, games - first)) for name in regulations for first in range(0, games, size)
    ]


def run(part: str, scale: float, workers: int, console: Console) -> tuple[dict[str, Report], bool]:
    """Run all chunks of a part; return the report of each regulation, and whether it was interrupted."""
    reports: dict[str, Report] = {}
    todo = jobs_of(part, scale)
    total = sum(job[3] for job in todo if job[0] is not positions)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(workers) as pool:
        task = progress.add_task(part, total=total)
        running: set[Future[Report]] = set()
        try:
            while todo or running:
                while todo and len(running) < workers * 2:
                    work, name, first, games = todo.pop(0)
                    running.add(pool.submit(work, name, first, games))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    report = future.result()
                    whole = reports.setdefault(report.regulation, Report(report.regulation))
                    whole.games += report.games
                    whole.violations += report.violations
                    whole.reached.add(report.reached)
                    progress.advance(task, report.games)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return reports, True
    return reports, False


def coverage(reports: dict[str, Report]) -> dict[str, list[str]]:
    """Return the parts of each format that no game of any of its regulations has reached."""
    by_format: dict[str, tuple[str, Reached]] = {}
    for name, report in reports.items():
        format = name.split("+")[0]
        known = by_format.setdefault(format, (name, Reached()))
        by_format[format] = (name if "pack" in name else known[0], known[1])
        known[1].add(report.reached)
    return {format: unreached(name, reached) for format, (name, reached) in by_format.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="invariants, round-trips, matches; default all")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the games to play")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    known = ("invariants", "round-trips", "matches")
    for part in given.parts:
        if part not in known:
            parser.error(f"no part {part!r}; there are {', '.join(known)}")
    if given.scale <= 0 or given.jobs < 1:
        parser.error("--scale must be above 0 and --jobs at least 1")
    console = Console()
    console.print(f"engine: {'compiled' if compiled() else 'interpreted'}")
    failed = False
    for part in given.parts or known:
        began = time.monotonic()
        reports, interrupted = run(part, given.scale, given.jobs, console)
        games = sum(report.games for report in reports.values())
        violations = [line for report in reports.values() for line in report.violations]
        console.print(f"{part}: {games} in {len(reports)} regulations, {time.monotonic() - began:.0f} s")
        console.print(f"  violations: {len(violations)}")
        for line in violations[:20]:
            console.print(f"    {line}", markup=False)
        failed = failed or bool(violations) or interrupted
        if part != "round-trips":
            for format, missing in coverage(reports).items():
                console.print(f"  {format}: unreached: {', '.join(missing) if missing else 'nothing'}", markup=False)
                failed = failed or bool(missing)
        if interrupted:
            console.print("  interrupted; what had been played is shown above")
            return 130
    console.print(f"{0 if failed else 1} passed, {1 if failed else 0} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
