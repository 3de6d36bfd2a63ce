"""``blackpoker bench``: the speed of the engine on this machine, as a table or as JSON.

Figures are medians of several runs, per second of processor time, so that other processes have little influence.
"""

from __future__ import annotations

import json as json_module
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from rich.table import Table

from blackpoker import seeded
from blackpoker._build import compiled
from blackpoker.ai.random_player import play_out
from blackpoker.cli.regulations import parse
from blackpoker.cli.terminal import console, progress
from blackpoker.game.game import Game
from blackpoker.ruleset import Regulation, new_game

REGULATIONS = ("lite+full", "master+full", "extra+full")
RUNS = 5
#: duration of one run of one figure, in seconds
SPAN = 0.6

Figures = dict[str, float]


def engine_loop(rules: Regulation, first: int) -> tuple[int, int, int, float]:
    """Return decisions, forced decisions, games and seconds of random play inside the engine."""
    chance = seeded(first)
    decisions = forced = games = 0
    began = time.process_time()
    while True:
        engine = new_game(rules, seeded(first + games))
        engine.advance()
        n, of_them = play_out(engine, chance)
        decisions += n
        forced += of_them
        games += 1
        spent = time.process_time() - began
        if spent >= SPAN:
            return decisions, forced, games, spent


def python_loop(regulation: Regulation, first: int) -> float:
    """Return decisions per second of random play from interpreted Python through Game."""
    random = Random(first)
    dice = [random.getrandbits(20) for _ in range(100_000)]
    decisions = games = 0
    spent = 0.0
    while spent < SPAN:
        game = Game(regulation, seed=first + games)
        push = game.push
        n = 0
        began = time.process_time()
        for die in dice:
            options = game.options
            if not options:
                break
            push(options[die % len(options)])
            n += 1
        spent += time.process_time() - began
        decisions += n
        games += 1
        dice = dice[n:] + dice[:n]
    return decisions / spent


def middle_game(regulation: Regulation, seed: int) -> Game:
    """Return a game after some random decisions, with units on the board."""
    game = Game(regulation, seed=seed)
    random = Random(seed).random
    for _ in range(120):
        if game.outcome() is not None:
            return middle_game(regulation, seed + 1000)
        game.push(game.options[int(random() * len(game.options))])
    return game


def microseconds_per_call(work: Callable[[], object]) -> float:
    """Return microseconds per call."""
    n = 0
    began = time.process_time()
    while True:
        for _ in range(50):
            work()
        n += 50
        spent = time.process_time() - began
        if spent >= SPAN / 4:
            return spent / n * 1e6


def measure(regulation: Regulation, tick: Callable[[], None]) -> Figures:
    """Return all figures of one regulation; ``tick`` is called after every run."""
    fast: list[float] = []
    games: list[float] = []
    loop: list[float] = []
    copies: list[float] = []
    views: list[float] = []
    decisions = forced = 0
    for run in range(RUNS):
        n, of_them, played, spent = engine_loop(regulation, 1 + 10_000 * run)
        fast.append(n / spent)
        games.append(played / spent)
        decisions += n
        forced += of_them
        loop.append(python_loop(regulation, 1 + 10_000 * run))
        game = middle_game(regulation, run)
        copies.append(microseconds_per_call(game._engine.copy))
        views.append(microseconds_per_call(partial(game.view, 0)))
        tick()
    return {
        "decisions_per_s": round(statistics.median(fast)),
        "decisions_per_s_python_loop": round(statistics.median(loop)),
        "forced_share": round(forced / decisions, 3),
        "games_per_s": round(statistics.median(games), 1),
        "copy_us": round(statistics.median(copies), 2),
        "view_us": round(statistics.median(views), 1),
    }


def bench(packages: list[Path] | None, json: bool, lang: str | None) -> None:
    """Measure the regulations and print the figures."""
    measured = [parse(text, packages) for text in REGULATIONS]
    results: dict[str, Figures] = {}
    with progress() as bar:
        task = bar.add_task("bench", total=RUNS * len(REGULATIONS))
        for regulation in measured:
            results[regulation.text] = measure(regulation, lambda: bar.advance(task))
    if json:
        print(json_module.dumps({"compiled": compiled(), "regulations": results}, indent=2))
        return
    table = Table(title=f"engine: {'compiled' if compiled() else 'interpreted'}")
    table.add_column("")
    for text in REGULATIONS:
        table.add_column(text, justify="right")
    for figure in results[REGULATIONS[0]]:
        table.add_row(figure, *(f"{results[text][figure]:,}" for text in REGULATIONS))
    console().print(table)
