"""Players in machine code make the same choices as in Python, with the same seeds and budgets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blackpoker import Game, Regulation, seeded
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.search import Search
from blackpoker.engine.engine import Engine
from blackpoker.engine.locations import PLAYERS
from blackpoker.lab.experiment import Arm, Experiment
from blackpoker.lab.game_runner import play_deals
from blackpoker.native import build as native_build
from blackpoker.native import library as door
from blackpoker.native.search import NativeSearch
from blackpoker.players import arena
from blackpoker.players.analysis import analyse
from blackpoker.players.batch_play import GameBatch, games, play
from blackpoker.players.engine_players import level_of
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.search_results import AnySearch, new_search, tallies
from tests.native.conftest import in_python, small_library

pytestmark = pytest.mark.skipif(native_build.compiler() is None, reason="no C++ compiler: Python plays many games")
COLUMNS = ("winner", "first", "turns", "decisions", "forced", "hash", "uses")


@pytest.mark.parametrize(
    ("regulation", "players", "n"),
    [
        ("lite+entry", ("heuristic", "easy"), 12),
        ("master+full", ("easy", "heuristic"), 12),
        ("extra+full", ("heuristic", "heuristic"), 12),
        ("master+constructed40+pack", ("easy", "heuristic"), 6),
        ("master+random40", ("heuristic", "easy"), 12),
        ("master+full", ("normal", "heuristic"), 2),
        ("extra+full", ("search:playouts=80/horizon=3/heat=30", "easy"), 1),
        ("extra+regular", ("strong", "casual"), 2),
        ("lite+random40+pack", ("search:playouts=40/net=shipped", "normal"), 1),
        ("standard+entry+preset2", ("search:playouts=60/net=shipped", "strong"), 2),
        ("lite+entry", ("search:playouts=60/net=shipped/soft=12", "strong:temper=250"), 1),
        ("master+full", ("search:playouts=60/net=shipped", "search:playouts=60/net=shipped/curiosity=0.6"), 1),
        ("extra+regular", ("search:playouts=12/net=shipped/rollout=10", "strong:rollout=3"), 1),
        ("9:master+draft", ("search:playouts=12/net=shipped/rollout=4", "easy"), 1),
        ("9:standard+rare_pack", ("casual", "normal"), 2),
    ],
)
def test_the_same_games(
    regulation: str, players: tuple[str, str], n: int, native: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(100, 100 + n)
    fast = games(regulation, seeds, players, threads=2, uses=True)
    assert fast.outgrown == 0
    in_python(monkeypatch)
    slow = games(regulation, seeds, players, uses=True)
    assert all(getattr(fast, column) == getattr(slow, column) for column in COLUMNS)
    assert len(set(slow.hash)) == n


def test_a_search_that_chooses_from_its_pack(
    native: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """R-198, regression: a world had other cards in the pack than were offered, so a play-out had nothing to choose."""
    players = ("normal", "search:playouts=60/horizon=3/heat=30")
    fast = games("lite+constructed40+pack", [2], players, uses=True)
    in_python(monkeypatch)
    slow = games("lite+constructed40+pack", [2], players, uses=True)
    assert fast.outgrown == 0
    assert not caplog.records
    assert all(getattr(fast, column) == getattr(slow, column) for column in COLUMNS)


def test_the_arena_plays_these_games(native: None) -> None:
    fast = games("extra+full", range(4), ("heuristic", "easy"))
    results = [arena.play(arena.ScheduledGame("extra+full", "heuristic", "easy", seed)) for seed in range(4)]
    assert [(each.winner, each.turns) for each in results] == list(zip(fast.winner, fast.turns, strict=True))


@pytest.mark.parametrize("trumps", [True, False])
def test_choices_are_kept(trumps: bool, native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the caller's own dice: the same choices in both builds, and the game can be replayed from them."""
    levels = [level_of("easy"), level_of("random")]
    bouts = GameBatch(Regulation.parse("extra+full"), [7, 8, 9], levels, player_seeds=[5, 6, 7, 8, 5, 6], trumps=trumps)
    fast = play(bouts, choices=True)
    assert fast.outgrown == 0
    in_python(monkeypatch)
    slow = play(bouts, choices=True)
    assert fast.choices == slow.choices
    assert fast.hash == slow.hash
    game = Game("extra+full", seed=8)
    left = iter(fast.choices[1])
    while game.options:
        game.push(game.options[0] if len(game.options) == 1 else next(left))
    over = game.outcome()
    assert over is not None
    assert over.winner == PLAYERS[fast.winner[1]]
    assert next(left, None) is None


def test_the_lab_writes_the_same_rows(native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    arms = tuple(
        Arm(name=f"{number}", regulation=regulation, players=players, trumps=trumps)
        for number, (regulation, players, trumps) in enumerate(
            (
                ("master+full", ("heuristic", "easy"), "random"),
                ("extra+full", ("random", "heuristic"), "random"),
                ("extra+full", ("heuristic", "heuristic"), "players"),
                ("lite+constructed40+pack", ("easy", "heuristic"), "random"),
            )
        )
    )
    experiment = Experiment("same", arms, deals=3, seed=5).checked()
    fast = play_deals(experiment, range(3))
    in_python(monkeypatch)
    assert fast == play_deals(experiment, range(3))


def position(regulation: str, seed: int, decisions: int) -> Engine:
    engine = Game(regulation, seed=seed)._engine
    dice = seeded(seed)
    while decisions > 0 or (engine.options and len(engine.options) < 3):
        engine.push(engine.options[dice.below(len(engine.options))])
        decisions -= 1
    return engine


def searches(engine: Engine, regulation: str, monkeypatch: pytest.MonkeyPatch) -> tuple[AnySearch, Search]:
    """Return a search in machine code and one in Python."""
    briefing = prior_knowledge(Regulation.parse(regulation))
    seat = int(engine.asked)
    level = level_of("search:horizon=3/heat=30")
    fast = new_search(HeuristicScorer(engine.rules), briefing, seat, seeded(9), level)
    with monkeypatch.context() as patch:
        in_python(patch)
        slow = new_search(HeuristicScorer(engine.rules), briefing, seat, seeded(9), level)
    assert isinstance(slow, Search)
    return fast, slow


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_the_same_tree(regulation: str, native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = position(regulation, 4, 40)
    fast, slow = searches(engine, regulation, monkeypatch)
    assert isinstance(fast, NativeSearch)
    for search in (fast, slow):
        search.find(engine)
        while search.advance(engine, 150, 64):
            pass
    assert tallies(fast, engine) == tallies(slow, engine)
    assert (fast.playouts, fast.nodes, fast.decisions) == (slow.playouts, slow.nodes, slow.decisions)
    assert fast.best(engine) == slow.best(engine)
    engine.push(fast.best(engine))
    while len(engine.options) == 1 or engine.asked != slow.seat:  # a search only handles decisions of its own seat
        engine.push(engine.options[0])
    for search in (fast, slow):  # the tree is kept, or both start a new one
        search.find(engine)
        search.grow(engine, 50)
    assert fast.root.visits == slow.root.visits
    assert tallies(fast, engine) == tallies(slow, engine)


def test_a_world_that_outgrows_its_memory_is_played_by_python(
    tmp_path: Path, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = small_library(tmp_path, 2)
    monkeypatch.setattr(door, "native_library", lambda: small)
    engine = position("master+full", 6, 60)
    fast, slow = searches(engine, "master+full", monkeypatch)
    assert isinstance(fast, NativeSearch)
    for search in (fast, slow):
        search.find(engine)
        while search.advance(engine, 300, 64):
            pass
    assert fast.outgrown
    assert 0 < fast._memory.playouts < fast.playouts
    assert tallies(fast, engine) == tallies(slow, engine)
    assert (fast.playouts, fast.nodes, fast.decisions) == (slow.playouts, slow.nodes, slow.decisions)
    shrunk = games("master+full", range(8), ("heuristic", "easy"))
    assert 0 < shrunk.outgrown
    monkeypatch.setattr(door, "native_library", lambda: library)
    whole = games("master+full", range(8), ("heuristic", "easy"))
    assert whole.outgrown == 0
    assert all(getattr(shrunk, column) == getattr(whole, column) for column in COLUMNS)


def test_an_analysis_reads_the_same(native: None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("master+full", seed=5)
    fast = analyse(game, 200, 3, 1, as_seat=True)
    in_python(monkeypatch)
    assert fast == analyse(game, 200, 3, 1, as_seat=True)
    assert fast.moves
