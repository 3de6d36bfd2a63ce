"""Players for each level (``ai.levels``) and for bots."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from blackpoker import Shuffler, seeded
from blackpoker.assist.decision import Decision
from blackpoker.players.bots.bot_names import Bot, bot_of
from blackpoker.players.errors import PlayersError as PlayersError  # re-exported for callers
from blackpoker.players.known_before import briefing_of
from blackpoker.players.seat import Player, Seat
from blackpoker.players.tree import AnySearch, absorb, new_search, tallies
from blackpoker.regulation import Deck, Regulation
from blackpoker.thinking.heuristic import heuristic_choice
from blackpoker.thinking.levels import FOR_PEOPLE as FOR_PEOPLE  # re-exported with the players
from blackpoker.thinking.levels import LEVELS as LEVELS
from blackpoker.thinking.levels import TEMPERS
from blackpoker.thinking.levels import Level as Level
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.worlds import Briefing
from blackpoker.words import saved_state
from blackpoker.words.state_reading import read_state

#: progress callback during a search: play-outs done, play-outs at most
Thinking = Callable[[int, int], None]

CHUNK = 64  # play-outs between two checks of the clock
#: level settings that can be part of a name, ``master:playouts=500``
SETTINGS: dict[str, Callable[[str], Any]] = {
    "playouts": int, "noise": int, "overlook": int, "horizon": int, "curiosity": float, "heat": float, "seconds": float,
    "net": str, "soft": int,
    "temper": lambda value: TEMPERS[value] if value in TEMPERS else int(value),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class BotLevel(Level):
    """An external bot that runs in its own process."""

    bot: Bot


class RandomPlayer:
    def __init__(self, chance: Shuffler) -> None:
        self.chance = chance

    def choose(self, seat: Seat, decision: Decision) -> int:
        return seat.options[self.chance.below(len(seat.options))]


class HeuristicPlayer:
    """A player by heuristics with the level's noise."""

    def __init__(self, level: Level, policy: Policy, briefing: Briefing, chance: Shuffler) -> None:
        self.level = level
        self.policy = policy
        self.briefing = briefing
        self.chance = chance

    def choose(self, seat: Seat, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        level = self.level
        return heuristic_choice(
            seat.world, seat.player, self.briefing, self.policy, level.noise, level.overlook, self.chance
        )


def search_elsewhere(
    regulation: Regulation, state: dict[str, Any], briefing: tuple[list[int], list[int], list[int], int], seat: int,
    level: Level, seed: int, playouts: int,
) -> list[tuple[int, int, float]]:  # fmt: skip
    """Run a helper process's share of the search, with its own tree of the same decision; return its tallies."""
    rules = regulation.rules()
    world = read_state(rules, state, seeded(0))
    player = SearchPlayer(level, Policy(rules), Briefing(*briefing), seat, seeded(seed))
    player.search.grow(world, playouts)
    return tallies(player.search, world)


class SearchPlayer:
    """Tree search of one seat; the tree is reused from decision to decision. With ``helpers``, other processes grow
    their own trees at the same time and the results are added up; the choice still depends on the seed alone.
    """

    def __init__(
        self,
        level: Level,
        policy: Policy,
        briefing: Briefing,
        seat: int,
        chance: Shuffler,
        regulation: Regulation | None = None,
        helpers: ProcessPoolExecutor | None = None,
        cores: int = 1,
    ) -> None:
        self.level = level
        self.policy = policy
        self.briefing = briefing
        self.chance = chance
        self.search: AnySearch = new_search(policy, briefing, seat, chance, level)
        self.thinking: Thinking | None = None
        self.regulation = regulation
        self.helpers = helpers
        self.cores: int = cores if helpers is not None else 1

    def choose(self, seat: Seat, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        level = self.level
        if level.overlook and self.chance.below(100) < level.overlook:
            return heuristic_choice(seat.world, seat.player, self.briefing, self.policy, level.noise, 0, self.chance)
        self.search.find(seat.world)
        self.think(seat)
        return self.search.best(seat.world)

    def think(self, seat: Seat) -> None:
        search = self.search
        budget = self.level.playouts
        elsewhere = self.ask_helpers(seat, budget - int(search.root.visits))
        budget -= sum(n for n, _ in elsewhere)
        begun, had = time.monotonic(), int(search.root.visits)
        collecting = gc.isenabled()
        gc.disable()  # the tree is large and has no cycles: collecting would cost a fifth of the time
        try:
            while search.go_on(seat.world, budget, CHUNK):
                visits, gone = int(search.root.visits), time.monotonic() - begun
                if self.level.timed:  # estimated total, so that a settled search ends early
                    budget = had + int((visits - had) * self.level.seconds / max(gone, 1e-6))
                if self.thinking is not None:
                    self.thinking(visits, budget)
                if gone > self.level.seconds:
                    break
            for _, share in elsewhere:
                absorb(search, seat.world, share.result())
        finally:
            if collecting:
                gc.enable()

    def ask_helpers(self, seat: Seat, left: int) -> list[tuple[int, Future[list[tuple[int, int, float]]]]]:
        """Submit equal shares of the remaining play-outs to the helpers if they are large enough to pay off."""
        helpers = self.helpers
        share = left // self.cores
        regulation = self.regulation
        if helpers is None or regulation is None or share < 4 * CHUNK or self.level.timed:
            return []
        known = self.briefing
        briefing = (known.pools, known.own_pools, known.sizes, int(known.most))
        state = saved_state.dump(seat.world)
        return [
            (
                share,
                helpers.submit(
                    search_elsewhere,
                    regulation,
                    state,
                    briefing,
                    seat.player,
                    self.level,
                    self.chance.below(2**30),
                    share,
                ),
            )
            for _ in range(self.cores - 1)
        ]


def level_of(name: str) -> Level:
    """Return the level for a name; raise `PlayersError` if there is none.

    A name is a level's id or name, a search with settings (``search:playouts=500/horizon=3``, ``god:seconds=2``,
    ``master:temper=patient``), or a bot: a class in a file (``mybot.py:Bot``) or a program (``exec:"node bot.js"``).
    """
    folded = name.strip().casefold()
    for level in LEVELS.values():
        if folded in (level.id, level.ja.casefold(), level.en.casefold()):
            return level
    bot = bot_of(name)
    if bot is not None:
        return BotLevel(id=bot.name, ja=bot.short, en=bot.short, line_ja="", line_en="", bot=bot)
    kind, _, settings = name.strip().partition(":")
    if kind in LEVELS or kind == "search":
        base = LEVELS.get(kind) or Level(name, name, name, "", "", playouts=500)
        changes: dict[str, Any] = {}
        for item in settings.split("/"):
            key, _, value = item.partition("=")
            if key not in SETTINGS:
                raise PlayersError(
                    f"{name!r}: a level has no setting {key!r}", f"「{name}」：レベルに「{key}」という設定はありません"
                )
            try:
                changes[key] = SETTINGS[key](value)
            except ValueError:
                raise PlayersError(
                    f"{name!r}: {key} is a number, not {value!r}",
                    f"「{name}」：{key} は数です。「{value}」は数ではありません",
                ) from None
        if "seconds" in changes and "playouts" not in changes:  # limited by time only
            changes.update(timed=True, playouts=2**40)
        return replace(base, id=name.strip(), **changes)
    known = ", ".join(LEVELS)
    raise PlayersError(
        f'there is no player {name!r}; known are {known}, or a bot: mybot.py:Bot, exec:"node bot.js"',
        f'「{name}」というプレイヤーはいません。いるのは {known}、ボットなら mybot.py:Bot、exec:"node bot.js"',
    )


def make_player(
    name: str | Level,
    regulation: Regulation,
    seat: int,
    seed: int,
    briefing: Briefing | None = None,
    decks: Sequence[Deck | None] = (None, None),
    helpers: ProcessPoolExecutor | None = None,
    cores: int = 2,
) -> Player:
    """Return a player of this level for one game. The same seed plays the same game. ``helpers``: a process pool
    that shares the search over ``cores`` processes.
    """
    level = name if isinstance(name, Level) else level_of(name)
    if isinstance(level, BotLevel):
        from blackpoker.players.bots.player import BotPlayer  # needs a library of its own

        return BotPlayer(level.bot, regulation, seat, seed)
    chance = seeded(seed)
    if level.id == "random":
        return RandomPlayer(chance)
    known = briefing if briefing is not None else briefing_of(regulation, decks)
    policy = Policy(regulation.rules())
    if level.playouts == 0:
        return HeuristicPlayer(level, policy, known, chance)
    return SearchPlayer(level, policy, known, seat, chance, regulation, helpers, cores)
