"""Players for each level (``ai.levels``) and for bots."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from blackpoker import Shuffler, seeded
from blackpoker.ai.heuristic_player import heuristic_choice
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import LEVELS as LEVELS
from blackpoker.ai.levels import TEMPERS
from blackpoker.ai.levels import USER_LEVELS as USER_LEVELS  # re-exported with the players
from blackpoker.ai.levels import Level as Level
from blackpoker.assist.decision import Decision
from blackpoker.determinization import PriorKnowledge
from blackpoker.notation import state_writer
from blackpoker.notation.state_reader import read_state
from blackpoker.players.bots.bot_names import Bot, bot_of
from blackpoker.players.errors import PlayersError as PlayersError  # re-exported for callers
from blackpoker.players.player_view import ComputerPlayer, PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.search_results import AnySearch, merge_tallies, new_search, tallies
from blackpoker.ruleset import Deck, Regulation

#: progress callback during a search: play-outs done, play-outs at most
ProgressCallback = Callable[[int, int], None]

CHUNK = 64  # play-outs between two checks of the clock
#: level settings that can be part of a name, ``master:playouts=500``
SETTINGS: dict[str, Callable[[str], Any]] = {
    "playouts": int,
    "noise": int,
    "overlook": int,
    "horizon": int,
    "curiosity": float,
    "heat": float,
    "seconds": float,
    "net": str,
    "soft": int,
    "rollout": int,
    "temper": lambda value: TEMPERS[value] if value in TEMPERS else int(value),
}
#: the separator of settings; any other slash belongs to the name of a net
SETTING = re.compile(r"/(?=\w+=)")


@dataclass(frozen=True, kw_only=True)
class BotLevel(Level):
    """An external bot that runs in its own process."""

    bot: Bot


class RandomPlayer:
    def __init__(self, chance: Shuffler) -> None:
        self.chance = chance

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        return seat.options[self.chance.below(len(seat.options))]


class HeuristicPlayer:
    """A player by heuristics with the level's noise."""

    def __init__(self, level: Level, policy: HeuristicScorer, knowledge: PriorKnowledge, chance: Shuffler) -> None:
        self.level = level
        self.policy = policy
        self.knowledge = knowledge
        self.chance = chance

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        level = self.level
        return heuristic_choice(
            seat.world, seat.player, self.knowledge, self.policy, level.noise, level.overlook, self.chance
        )


def search_in_helper(
    regulation: Regulation,
    state: dict[str, Any],
    knowledge: tuple[list[int], list[int], list[int], int],
    seat: int,
    level: Level,
    seed: int,
    playouts: int,
) -> list[tuple[int, int, float]]:
    """Run a helper process's share of the search, with its own tree of the same decision; return its tallies."""
    rules = regulation.rules()
    world = read_state(rules, state, seeded(0))
    player = SearchPlayer(level, HeuristicScorer(rules), PriorKnowledge(*knowledge), seat, seeded(seed))
    player.search.grow(world, playouts)
    return tallies(player.search, world)


class SearchPlayer:
    """Tree search of one seat; the tree is reused from decision to decision. With ``helpers``, other processes grow
    their own trees at the same time and the results are added up; the choice still depends on the seed alone.
    """

    def __init__(
        self,
        level: Level,
        policy: HeuristicScorer,
        knowledge: PriorKnowledge,
        seat: int,
        chance: Shuffler,
        regulation: Regulation | None = None,
        helpers: ProcessPoolExecutor | None = None,
        cores: int = 1,
    ) -> None:
        self.level = level
        self.policy = policy
        self.knowledge = knowledge
        self.chance = chance
        self.search: AnySearch = new_search(policy, knowledge, seat, chance, level)
        self.on_progress: ProgressCallback | None = None
        self.regulation = regulation
        self.helpers = helpers
        self.cores: int = cores if helpers is not None else 1

    def choose(self, seat: PlayerView, decision: Decision) -> int:
        if len(seat.options) == 1:
            return seat.options[0]
        level = self.level
        if level.overlook and self.chance.below(100) < level.overlook:
            return heuristic_choice(seat.world, seat.player, self.knowledge, self.policy, level.noise, 0, self.chance)
        self.search.find(seat.world)
        self.think(seat)
        return self.search.best(seat.world)

    def think(self, seat: PlayerView) -> None:
        search = self.search
        budget = self.level.playouts
        helper_shares = self.submit_to_helpers(seat, budget - int(search.root.visits))
        budget -= sum(n for n, _ in helper_shares)
        started, initial_visits = time.monotonic(), int(search.root.visits)
        collecting = gc.isenabled()
        gc.disable()  # the tree is large and has no cycles: collecting would cost a fifth of the time
        try:
            while search.advance(seat.world, budget, CHUNK):
                visits, elapsed = int(search.root.visits), time.monotonic() - started
                if self.level.timed:  # estimated total, so that a settled search ends early
                    budget = initial_visits + int((visits - initial_visits) * self.level.seconds / max(elapsed, 1e-6))
                if self.on_progress is not None:
                    self.on_progress(visits, budget)
                if elapsed > self.level.seconds:
                    break
            for _, share in helper_shares:
                merge_tallies(search, seat.world, share.result())
        finally:
            if collecting:
                gc.enable()

    def submit_to_helpers(self, seat: PlayerView, left: int) -> list[tuple[int, Future[list[tuple[int, int, float]]]]]:
        """Submit equal shares of the remaining play-outs to the helpers if they are large enough to pay off."""
        helpers = self.helpers
        share = left // self.cores
        regulation = self.regulation
        if helpers is None or regulation is None or share < 4 * CHUNK or self.level.timed:
            return []
        known = self.knowledge
        knowledge = (known.pools, known.own_pools, known.sizes, int(known.most))
        state = state_writer.dump(seat.world)
        return [
            (
                share,
                helpers.submit(
                    search_in_helper,
                    regulation,
                    state,
                    knowledge,
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
        return BotLevel(id=bot.name, ja=bot.short, en=bot.short, description_ja="", description_en="", bot=bot)
    kind, _, settings = name.strip().partition(":")
    if kind in LEVELS or kind == "search":
        base = LEVELS.get(kind) or Level(name, name, name, "", "", playouts=500)
        changes: dict[str, Any] = {}
        for item in SETTING.split(settings):
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
        if "playouts" in changes or "rollout" in changes:
            changes["lite_playouts"] = 0
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
    knowledge: PriorKnowledge | None = None,
    decks: Sequence[Deck | None] = (None, None),
    helpers: ProcessPoolExecutor | None = None,
    cores: int = 2,
) -> ComputerPlayer:
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
    known = knowledge if knowledge is not None else prior_knowledge(regulation, decks)
    policy = HeuristicScorer(regulation.rules())
    level = level.in_format(regulation.edition.id, regulation.format.format.id)
    if level.playouts == 0:
        return HeuristicPlayer(level, policy, known, chance)
    return SearchPlayer(level, policy, known, seat, chance, regulation, helpers, cores)
