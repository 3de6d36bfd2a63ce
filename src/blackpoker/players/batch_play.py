"""Batches of games between two players: in machine code if available, else one by one, with the same results.

Each game equals the one ``arena.play`` plays with the same seed and players.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from blackpoker import Regulation, seeded
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.random_player import action_uses, random_trumps
from blackpoker.ai.search import Search
from blackpoker.determinization import PriorKnowledge, World
from blackpoker.native import PLANS, Games, available, library
from blackpoker.native import ai_games as native_players
from blackpoker.native.library import Decks
from blackpoker.players.engine_players import CHUNK, BotLevel, Level, level_of, make_player
from blackpoker.players.player_view import ComputerPlayer, PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.search_results import plain_search
from blackpoker.ruleset import new_game
from blackpoker.seeds import PLAYER_STREAM, TRUMP_STREAM


@dataclass(frozen=True)
class GameBatch:
    """Games to be played, one for each seed. ``players`` and ``decks`` are indexed by seat.

    ``player_seeds``: two seeds a game, one per player; by default those of the arena. ``trumps``: drawn at random,
    as in the arena, or chosen by the players. ``use_views``: every player gets a `PlayerView`, as in the arena;
    else players without search determinize worlds from the game itself (they see no more, but get other worlds).
    ``starts``: positions to start from instead of a deal. ``openings``: the first choices of each game instead of
    random trumps.
    """

    regulation: Regulation
    seeds: Sequence[int]
    players: Sequence[Level]
    decks: Decks = (None, None)
    player_seeds: Sequence[int] = ()
    trumps: bool = True
    use_views: bool = True
    starts: Sequence[World] = ()
    openings: Sequence[list[int]] = ()

    def __post_init__(self) -> None:
        edition, format = self.regulation.edition.id, self.regulation.format.format.id
        object.__setattr__(self, "players", [level.in_format(edition, format) for level in self.players])

    def uses_view(self, level: Level) -> bool:
        return self.use_views or level.playouts > 0

    def player_seed(self, index: int, seat: int) -> int:
        return (
            self.player_seeds[2 * index + seat] if self.player_seeds else 2 * self.seeds[index] + seat + PLAYER_STREAM
        )

    @cached_property
    def knowledge(self) -> PriorKnowledge:
        return prior_knowledge(self.regulation, self.decks)

    def new_world(self, seed: int) -> World:
        return new_game(self.regulation, seeded(seed), self.decks)

    def trump_choices(self, engine: World, seed: int) -> list[int]:
        """Return the random choices of trumps for a game at set-up."""
        return random_trumps(engine, seeded(seed + TRUMP_STREAM)) if self.trumps else []


def games(
    regulation: str | Regulation,
    seeds: Sequence[int],
    players: Sequence[str | Level],
    *,
    threads: int = 0,
    uses: bool = False,
) -> Games:
    """Play one game per seed between two players. ``uses``: also count each player's uses of each action."""
    parsed = Regulation.parse(regulation) if isinstance(regulation, str) else regulation
    levels = [each if isinstance(each, Level) else level_of(each) for each in players]
    return play(GameBatch(parsed, seeds, levels), threads=threads, uses=uses)


def play(
    batch: GameBatch, *, threads: int = 0, uses: bool = False, choices: bool = False, times: bool = False
) -> Games:
    """Play the batch and return the results.

    ``choices``: include the options chosen at every decision with two or more; ``times``: include each seat's thinking
    time, with machine code only. ``threads``: 0 means one per core; Python always uses one.
    """
    n = len(batch.seeds)
    out = library.empty_games(n, uses)
    left: Sequence[int] = range(n)
    if available() and not any(isinstance(level, BotLevel) or level.timed for level in batch.players):
        # excluded: a bot is a separate process, and machine code counts play-outs instead of time
        known = [search_of(level, batch, seat) for seat, level in enumerate(batch.players)]
        player_seeds = [batch.player_seed(index, seat) for index in range(n) for seat in (0, 1)]
        plays = [seat_level(level, batch.uses_view(level)) for level in batch.players]
        left = native_players.play(
            out,
            batch.regulation,
            batch.decks,
            batch.seeds,
            player_seeds,
            plays,
            known,
            setup_choices(batch),
            threads,
            choices,
            times,
            batch.starts,
        )
        out.outgrown = len(left)
    if choices and not out.choices:
        out.choices = [b""] * n
    for index in left:
        made = bytearray()
        out._set(index, play_game(batch, index, made, out.uses if uses else None))
        if choices:
            out.choices[index] = bytes(made)
    return out


def seat_level(level: Level, use_views: bool) -> library.SeatLevel:
    return library.SeatLevel(level.id == "random", level.noise, level.overlook, level.playouts, CHUNK, use_views)


def search_of(level: Level, batch: GameBatch, seat: int) -> Search:
    """Return a search with the player's settings; its generator is replaced for every game."""
    return plain_search(HeuristicScorer(batch.regulation.rules()), batch.knowledge, seat, seeded(0), level)


def setup_choices(batch: GameBatch) -> list[list[int]]:
    """Return the random trump choices, or the given first choices, of each game."""
    if batch.openings:
        return list(batch.openings)
    if batch.starts:
        return [[]] * len(batch.seeds)
    source = seeded(0)
    before = source.state
    engine = new_game(batch.regulation, source, batch.decks)
    same = source.state == before  # the decks do not depend on the seed
    engine.advance()
    if same and not batch.trump_choices(engine, 0):
        return [[]] * len(batch.seeds)
    out: list[list[int]] = []
    for seed in batch.seeds:
        if not same:
            engine = batch.new_world(seed)
            engine.advance()
        out.append(batch.trump_choices(engine, seed))
    return out


def play_game(batch: GameBatch, index: int, choices: bytearray, uses: array[int] | None) -> Any:
    """Play one game in Python, with the same result as machine code."""
    seed = batch.seeds[index]
    engine = batch.starts[index].copy() if batch.starts else batch.new_world(seed)
    if uses is not None:
        engine.log = []
    if not engine.options:
        engine.advance()
    result = library.NativeResult(hash=library.HASH_SEED)

    def push(option: int) -> None:
        if len(engine.options) > 1:
            choices.append(option)
        library.push_hashed(engine, option, result)

    opening = batch.openings[index] if batch.openings else [] if batch.starts else batch.trump_choices(engine, seed)
    for option in opening:
        push(option)
    players = [
        SandboxedPlayer(
            make_player(level, batch.regulation, seat, batch.player_seed(index, seat), batch.knowledge), level.id
        )
        for seat, level in enumerate(batch.players)
    ]
    set_up = False
    while engine.options:
        if not set_up and library.is_set_up(engine):
            set_up = True
            result.first = engine.turn
        only = len(engine.options) == 1
        result.decisions += set_up
        result.forced += set_up and only
        push(engine.options[0] if only else choose_option(engine, players, batch))
    result.winner, result.turns = engine.winner, engine.turn_number
    for each in players:
        each.over(int(engine.winner) if engine.winner in (0, 1) else None, "")
    if uses is not None:
        at = index * 2 * PLANS
        uses[at : at + 2 * PLANS] = array("I", bytes(8 * PLANS))
        for player, action in action_uses(engine):
            uses[at + player * PLANS + action] += 1
    return result


def choose_option(engine: World, players: Sequence[ComputerPlayer], batch: GameBatch) -> int:
    seat = PlayerView(engine, int(engine.asked), batch.knowledge)
    if not batch.uses_view(batch.players[seat.player]):
        seat._world = engine
    return players[seat.player].choose(seat, seat.decision)
