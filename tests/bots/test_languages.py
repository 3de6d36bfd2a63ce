"""One seeded policy as a Python class, a Python program, Node and Rust plays the same games, move by move."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from blackpoker.players import arena
from blackpoker.players.bots import process
from blackpoker.players.bots.process import terminate_all
from tests.bots.tools import CLASS, EXAMPLES, PYTHON_LINES, node, rustc

REGULATIONS = ("lite+entry", "standard+regular", "master+full", "extra+full")


def games(name: str, regulation: str) -> list[tuple[object, ...]]:
    """Return all arena results of a bot except its time."""
    bouts = [
        *arena.schedule(regulation, (name, "heuristic"), 6, 11),
        *arena.schedule(regulation, (name, "random"), 4, 3),
    ]
    results = list(arena.run(bouts, 1))
    table = arena.Standings((name, "heuristic", "random"), results).rows[name]
    played = [(one.winner, one.turns, one.decisions, one.faults) for one in results]
    return [(table.games, table.points, table.decisions, table.mu, table.sigma, table.faults), *played]


@pytest.fixture(scope="module")
def expected() -> dict[str, list[tuple[object, ...]]]:
    return {regulation: games(CLASS, regulation) for regulation in REGULATIONS}


def check(name: str, expected: dict[str, list[tuple[object, ...]]]) -> None:
    try:
        for regulation in REGULATIONS:
            assert games(name, regulation) == expected[regulation]
            assert expected[regulation][0][-1] == 0
    finally:
        terminate_all()


def test_python_without_the_package(expected: dict[str, list[tuple[object, ...]]]) -> None:
    check(PYTHON_LINES, expected)


@pytest.mark.skipif(not node(), reason="Node is not here and cannot be fetched")
def test_node(expected: dict[str, list[tuple[object, ...]]]) -> None:
    check(f'exec:"{node()} {EXAMPLES}/seeded.js"', expected)


@pytest.mark.skipif(not rustc(), reason="there is no Rust compiler")
def test_rust(expected: dict[str, list[tuple[object, ...]]], tmp_path: Path) -> None:
    program = tmp_path / "seeded"
    subprocess.run([rustc(), "-O", "-o", program, EXAMPLES / "seeded.rs"], check=True, timeout=200)
    check(f'exec:"{program}"', expected)


def test_other_processes_change_nothing(expected: dict[str, list[tuple[object, ...]]]) -> None:
    bouts = arena.schedule("lite+entry", (CLASS, "heuristic"), 6, 11)
    alone = {one.scheduled: one for one in arena.run(bouts, 1)}
    running = set(process._running)
    assert len(running) == 1
    for result in arena.run(bouts, 2):
        same = alone[result.scheduled]
        assert (result.winner, result.turns, result.decisions) == (same.winner, same.turns, same.decisions)
    assert arena.play(bouts[0]).faults == []
    assert set(process._running) == running  # the other processes did not touch this process's bot
    terminate_all()
