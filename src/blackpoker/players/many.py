"""Many games between two players: in machine code where that is there, else one by one, with the same numbers.

A game is the one ``arena.play`` plays with the same seed and players.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from blackpoker import Regulation, seeded
from blackpoker.native import PLANS, Games, available, door
from blackpoker.native import players as native_players
from blackpoker.players.arena import PLAYER_STREAM, TRUMP_STREAM
from blackpoker.players.levels import CHUNK, Level, level_of, make_player
from blackpoker.players.policy import Policy
from blackpoker.players.random import random_trumps, uses_of
from blackpoker.players.search import Search, decay_of
from blackpoker.players.seat import Seat
from blackpoker.players.setup import briefing_of
from blackpoker.players.worlds import Briefing, World
from blackpoker.regulation import new_game


def games(
    regulation: str | Regulation, seeds: Sequence[int], players: Sequence[str | Level], *, threads: int = 0,
    uses: bool = False,
) -> Games:  # fmt: skip
    """A game for each seed between two players, by seat. ``uses``: with how often each player used each action. As many
    threads as cores, or ``threads``; where Python plays, one."""
    asked = Regulation.parse(regulation) if isinstance(regulation, str) else regulation
    levels = [each if isinstance(each, Level) else level_of(each) for each in players]
    briefing = briefing_of(asked)
    out = door._empty(len(seeds), uses)
    left: Sequence[int] = range(len(seeds))
    if available():
        known = [search_of(level, asked, briefing, seat) for seat, level in enumerate(levels)]
        plays = [settings_of(level) for level in levels]
        made = setup_choices(asked, seeds)
        left = native_players.play(out, asked, seeds, PLAYER_STREAM, plays, known, made, threads)
        out.outgrown = len(left)
    for index in left:
        counted = out.uses if uses else None
        out._set(index, play_game(asked, seeds[index], levels, briefing, counted, index * 2 * PLANS))
    return out


def settings_of(level: Level) -> door.Level:
    return door.Level(level.id == "random", level.noise, level.overlook, level.playouts, CHUNK)


def search_of(level: Level, regulation: Regulation, briefing: Briefing, seat: int) -> Search:
    """All that a player knows and has; its chance is another in every game."""
    search = Search(Policy(regulation.rules()), briefing, seat, seeded(0))
    search.horizon = level.horizon
    search.curiosity = level.curiosity
    search.decay = decay_of(level.heat)
    return search


def setup_choices(regulation: Regulation, seeds: Sequence[int]) -> list[list[int]]:
    """The trumps of each game, as the arena draws them."""
    source = seeded(0)
    before = source.state
    engine = new_game(regulation, source)
    same = source.state == before  # the decks are the same in every game
    engine.advance()
    if same and not random_trumps(engine, seeded(0)):
        return [[]] * len(seeds)
    out: list[list[int]] = []
    for seed in seeds:
        if not same:
            engine = new_game(regulation, seeded(seed))
            engine.advance()
        out.append(random_trumps(engine, seeded(seed + TRUMP_STREAM)))
    return out


def play_game(
    regulation: Regulation, seed: int, levels: Sequence[Level], briefing: Briefing, uses: array[int] | None, at: int
) -> Any:
    """The same in Python."""
    engine = new_game(regulation, seeded(seed))
    if uses is not None:
        engine.log = []
    engine.advance()
    result = door._Result(hash=door._SEED)
    for option in random_trumps(engine, seeded(seed + TRUMP_STREAM)):
        door._push(engine, option, result)
    players = [
        make_player(level, regulation, seat, 2 * seed + seat + PLAYER_STREAM, briefing)
        for seat, level in enumerate(levels)
    ]
    begun = False
    while engine.options:
        if not begun and door.is_set_up(engine):
            begun = True
            result.first = engine.turn
        only = len(engine.options) == 1
        option = engine.options[0] if only else choice(engine, players, briefing)
        result.decisions += begun
        result.forced += begun and only
        door._push(engine, option, result)
    result.winner, result.turns = engine.winner, engine.turn_number
    if uses is not None:
        uses[at : at + 2 * PLANS] = array("I", bytes(8 * PLANS))
        for player, action in uses_of(engine):
            uses[at + player * PLANS + action] += 1
    return result


def choice(engine: World, players: Sequence[Any], briefing: Briefing) -> int:
    seat = Seat(engine, int(engine.asked), briefing)
    option: int = players[seat.player].choose(seat, seat.decision)
    return option
