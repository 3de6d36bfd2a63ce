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
from blackpoker.native import PLANS, Games, available, door
from blackpoker.native import players as native_players
from blackpoker.native.door import Decks
from blackpoker.players.arena import PLAYER_STREAM, TRUMP_STREAM
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import CHUNK, BotLevel, Level, level_of, make_player
from blackpoker.players.seat import Contained, Player, Seat
from blackpoker.players.tree import plain_search
from blackpoker.regulation import new_game
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.random import random_trumps, uses_of
from blackpoker.thinking.search import Search
from blackpoker.thinking.worlds import Briefing, World


@dataclass(frozen=True)
class Bouts:
    """Games to be played, one for each seed. ``players`` and ``decks`` are indexed by seat.

    ``player_seeds``: two seeds a game, one per player; by default those of the arena. ``trumps``: drawn at random,
    as in the arena, or chosen by the players. ``use_views``: every player gets a `PlayerView`, as in the arena;
    else players without search determinize worlds from the game itself (they see no more, but get other worlds).
    ``starts``: positions to start from instead of a deal.
    """

    regulation: Regulation
    seeds: Sequence[int]
    players: Sequence[Level]
    decks: Decks = (None, None)
    dice: Sequence[int] = ()
    trumps: bool = True
    seated: bool = True
    begun: Sequence[World] = ()

    def sits(self, level: Level) -> bool:
        return self.seated or level.playouts > 0

    def dice_of(self, index: int, seat: int) -> int:
        return self.dice[2 * index + seat] if self.dice else 2 * self.seeds[index] + seat + PLAYER_STREAM

    @cached_property
    def briefing(self) -> Briefing:
        return briefing_of(self.regulation, self.decks)

    def begin(self, seed: int) -> World:
        return new_game(self.regulation, seeded(seed), self.decks)

    def drawn(self, engine: World, seed: int) -> list[int]:
        """Return the random choices of trumps for a game at set-up."""
        return random_trumps(engine, seeded(seed + TRUMP_STREAM)) if self.trumps else []


def games(
    regulation: str | Regulation, seeds: Sequence[int], players: Sequence[str | Level], *, threads: int = 0,
    uses: bool = False,
) -> Games:  # fmt: skip
    """Play one game per seed between two players. ``uses``: also count each player's uses of each action."""
    asked = Regulation.parse(regulation) if isinstance(regulation, str) else regulation
    levels = [each if isinstance(each, Level) else level_of(each) for each in players]
    return play(Bouts(asked, seeds, levels), threads=threads, uses=uses)


def play(bouts: Bouts, *, threads: int = 0, uses: bool = False, choices: bool = False, times: bool = False) -> Games:
    """Play the batch and return the results.

    ``choices``: include the options chosen at every decision with two or more; ``times``: include each seat's thinking
    time, with machine code only. ``threads``: 0 means one per core; Python always uses one.
    """
    n = len(bouts.seeds)
    out = door._empty(n, uses)
    left: Sequence[int] = range(n)
    if available() and not any(isinstance(level, BotLevel) or level.timed for level in bouts.players):
        # excluded: a bot is a separate process, and machine code counts play-outs instead of time
        known = [search_of(level, bouts, seat) for seat, level in enumerate(bouts.players)]
        dice = [bouts.dice_of(index, seat) for index in range(n) for seat in (0, 1)]
        plays = [settings_of(level, bouts.sits(level)) for level in bouts.players]
        left = native_players.play(
            out, bouts.regulation, bouts.decks, bouts.seeds, dice, plays, known, setup_choices(bouts), threads,
            choices, times, bouts.begun,
        )  # fmt: skip
        out.outgrown = len(left)
    if choices and not out.choices:
        out.choices = [b""] * n
    for index in left:
        made = bytearray()
        out._set(index, play_game(bouts, index, made, out.uses if uses else None))
        if choices:
            out.choices[index] = bytes(made)
    return out


def settings_of(level: Level, seated: bool) -> door.SeatLevel:
    return door.SeatLevel(level.id == "random", level.noise, level.overlook, level.playouts, CHUNK, seated)


def search_of(level: Level, bouts: Bouts, seat: int) -> Search:
    """Return a search with the player's settings; its generator is replaced for every game."""
    return plain_search(Policy(bouts.regulation.rules()), bouts.briefing, seat, seeded(0), level)


def setup_choices(bouts: Bouts) -> list[list[int]]:
    """Return the random trump choices of each game."""
    if bouts.begun:
        return [[]] * len(bouts.seeds)
    source = seeded(0)
    before = source.state
    engine = new_game(bouts.regulation, source, bouts.decks)
    same = source.state == before  # the decks do not depend on the seed
    engine.advance()
    if same and not bouts.drawn(engine, 0):
        return [[]] * len(bouts.seeds)
    out: list[list[int]] = []
    for seed in bouts.seeds:
        if not same:
            engine = bouts.begin(seed)
            engine.advance()
        out.append(bouts.drawn(engine, seed))
    return out


def play_game(bouts: Bouts, index: int, choices: bytearray, uses: array[int] | None) -> Any:
    """Play one game in Python, with the same result as machine code."""
    seed = bouts.seeds[index]
    engine = bouts.begun[index].copy() if bouts.begun else bouts.begin(seed)
    if uses is not None:
        engine.log = []
    if not engine.options:
        engine.advance()
    result = door._Result(hash=door._SEED)

    def push(option: int) -> None:
        if len(engine.options) > 1:
            choices.append(option)
        door._push(engine, option, result)

    for option in [] if bouts.begun else bouts.drawn(engine, seed):
        push(option)
    players = [
        Contained(make_player(level, bouts.regulation, seat, bouts.dice_of(index, seat), bouts.briefing), level.id)
        for seat, level in enumerate(bouts.players)
    ]
    begun = False
    while engine.options:
        if not begun and door.is_set_up(engine):
            begun = True
            result.first = engine.turn
        only = len(engine.options) == 1
        result.decisions += begun
        result.forced += begun and only
        push(engine.options[0] if only else choice(engine, players, bouts))
    result.winner, result.turns = engine.winner, engine.turn_number
    for each in players:
        each.over(int(engine.winner) if engine.winner in (0, 1) else None, "")
    if uses is not None:
        at = index * 2 * PLANS
        uses[at : at + 2 * PLANS] = array("I", bytes(8 * PLANS))
        for player, action in uses_of(engine):
            uses[at + player * PLANS + action] += 1
    return result


def choice(engine: World, players: Sequence[Player], bouts: Bouts) -> int:
    seat = Seat(engine, int(engine.asked), bouts.briefing)
    if not bouts.sits(bouts.players[seat.player]):
        seat._world = engine
    return players[seat.player].choose(seat, seat.decision)
