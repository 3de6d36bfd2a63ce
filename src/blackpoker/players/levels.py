"""The opponents people choose by name. They differ in how far they look and in how they err, never in what they see."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from blackpoker import Shuffler, seeded
from blackpoker.assist.decision import Decision
from blackpoker.players.bots.names import Bot, bot_of
from blackpoker.players.errors import PlayersError as PlayersError  # where everybody looks for it
from blackpoker.players.seat import Player, Seat
from blackpoker.players.setup import briefing_of
from blackpoker.players.tree import AnySearch, absorb, new_search, tallies
from blackpoker.regulation import Deck, Regulation
from blackpoker.thinking.heuristic import heuristic_choice
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.worlds import Briefing
from blackpoker.words import saved_state
from blackpoker.words.state_reading import read_state

#: called while a player thinks: play-outs done, play-outs at most
Thinking = Callable[[int, int], None]

#: the net that comes with the package
SHIPPED_NET = "shipped"
CHUNK = 64  # play-outs between two looks at the clock


@dataclass(frozen=True)
class Level:
    """A way to play. ``playouts`` 0 means rules of thumb alone."""

    id: str
    ja: str
    en: str
    line_ja: str
    line_en: str
    playouts: int = 0
    noise: int = 1  # how blurred the rules of thumb are
    overlook: int = 0  # options out of a hundred that are not noticed; for a searcher: decisions made without a thought
    horizon: int = 2
    curiosity: float = 1.2
    heat: float = 22.0  # how evenly the search tries what the rules of thumb do not like
    seconds: float = 3.0  # of thinking at most; a guard, budgets are play-outs
    net: str = ""  # that judges and guides the search (``thinking.nets``); without one worlds are played out
    soft: int = 8  # how evenly the search tries what the net does not like
    bot: Bot | None = None  # somebody else's player, in a process of its own

    def name(self, lang: str) -> str:
        return self.ja if lang == "ja" else self.en

    def line(self, lang: str) -> str:
        return self.line_ja if lang == "ja" else self.line_en


RANDOM = Level("random", "ランダム", "Random", "サイコロで決めます。", "Rolls a die for everything.")
HEURISTIC = Level(
    "heuristic",
    "定石",
    "Rule of Thumb",
    "先は読まず、定石どおりに指します。",
    "Plays by the book and never looks ahead.",
)
EASY = Level(
    "easy", "やさしい", "Easy", "覚えたてで、できることをよく見落とします。",
    "Has just learnt the game and often overlooks what could be done.", noise=30, overlook=50,
)  # fmt: skip
CASUAL = Level(
    "casual", "きがる", "Casual", "定石はだいたい知っています。細かいことは気にしません。",
    "Knows most of the book and does not fuss over the rest.", noise=30, overlook=8,
)  # fmt: skip
NORMAL = Level(
    "normal", "ふつう", "Normal", "よい手を知っているけれど、ときどき考えずに指します。",
    "Has an eye for a good move, but often plays without a thought.",
    playouts=4, noise=30, overlook=40, net=SHIPPED_NET,
)  # fmt: skip
STRONG = Level(
    "strong", "つよい", "Strong", "相手の手札を想像し、経験と勘で指します。めったに間違えません。",
    "Imagines what you hold and plays by long experience; rarely slips.",
    playouts=16, noise=30, overlook=6, net=SHIPPED_NET,
)  # fmt: skip
MASTER = Level(
    "master", "達人", "Master", "ありうる手札を次々に思い浮かべ、何百通りも読んでから指します。",
    "Weighs the hands you might hold, hundreds of lines deep.", playouts=300, net=SHIPPED_NET,
)  # fmt: skip
GOD = Level(
    "god", "神", "God", "何千通りも読み尽くします。間違いはまずありません。",
    "Reads thousands of lines to their end and hardly ever errs.", playouts=6400, seconds=10.0, net=SHIPPED_NET,
)  # fmt: skip

#: those offered to people, easiest first
FOR_PEOPLE = (EASY, CASUAL, NORMAL, STRONG, MASTER, GOD)
LEVELS: dict[str, Level] = {level.id: level for level in (RANDOM, HEURISTIC, *FOR_PEOPLE)}


class RandomPlayer:
    def __init__(self, chance: Shuffler) -> None:
        self.chance = chance

    def choose(self, seat: Seat, decision: Decision) -> int:
        return seat.options[self.chance.below(len(seat.options))]


class HeuristicPlayer:
    """Rules of thumb with a level's blur."""

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
    """A helper process's share of the thinking: its own tree of the same decision."""
    rules = regulation.rules()
    world = read_state(rules, state, seeded(0))
    player = SearchPlayer(level, Policy(rules), Briefing(*briefing), seat, seeded(seed))
    player.search.grow(world, playouts)
    return tallies(player.search, world)


class SearchPlayer:
    """The tree search of one seat; keeps its tree from decision to decision. With ``helpers`` other processes grow
    trees of their own at the same time and what they find is added up; the choice still depends on the seed alone."""

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
        self.search: AnySearch = new_search(
            policy, briefing, seat, chance, level.horizon, level.curiosity, level.heat, level.net, level.soft
        )
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
        deadline = time.monotonic() + self.level.seconds
        collecting = gc.isenabled()
        gc.disable()  # the tree is large and has no cycles: walking it again and again would cost a fifth of the time
        try:
            while search.go_on(seat.world, budget, CHUNK):
                if self.thinking is not None:
                    self.thinking(int(search.root.visits), budget)
                if time.monotonic() > deadline:
                    break
            for _, share in elsewhere:
                absorb(search, seat.world, share.result())
        finally:
            if collecting:
                gc.enable()

    def ask_helpers(self, seat: Seat, left: int) -> list[tuple[int, Future[list[tuple[int, int, float]]]]]:
        """Hand out equal shares of what is left to think, where it is worth the way."""
        helpers = self.helpers
        share = left // self.cores
        regulation = self.regulation
        if helpers is None or regulation is None or share < 4 * CHUNK:
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
    """A level by id or name, a search by its settings (``search:playouts=500/horizon=3``), or a bot: a class in a file
    (``mybot.py:Bot``) or a program (``exec:"node bot.js"``)."""
    folded = name.strip().casefold()
    for level in LEVELS.values():
        if folded in (level.id, level.ja.casefold(), level.en.casefold()):
            return level
    bot = bot_of(name)
    if bot is not None:
        return Level(bot.name, bot.short, bot.short, "", "", bot=bot)
    kind, _, settings = name.strip().partition(":")
    if kind in LEVELS or kind == "search":
        base = LEVELS.get(kind) or Level(name, name, name, "", "", playouts=500)
        changes: dict[str, Any] = {}
        for item in settings.split("/"):
            key, _, value = item.partition("=")
            if key not in ("playouts", "noise", "overlook", "horizon", "curiosity", "heat", "seconds", "net", "soft"):
                raise PlayersError(
                    f"{name!r}: a level has no setting {key!r}", f"「{name}」：レベルに「{key}」という設定はありません"
                )
            try:
                changes[key] = (
                    value if key == "net" else float(value) if key in ("curiosity", "heat", "seconds") else int(value)
                )
            except ValueError:
                raise PlayersError(
                    f"{name!r}: {key} is a number, not {value!r}",
                    f"「{name}」：{key} は数です。「{value}」は数ではありません",
                ) from None
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
    """A player of this level for one game. The same seed plays the same game. ``helpers``: a pool of processes that
    thinks along, so that ``cores`` share the work."""
    level = name if isinstance(name, Level) else level_of(name)
    if level.bot is not None:
        from blackpoker.players.bots.player import BotPlayer  # its messages need a library the others do not

        return BotPlayer(level.bot, regulation, seat, seed)
    chance = seeded(seed)
    if level.id == "random":
        return RandomPlayer(chance)
    known = briefing if briefing is not None else briefing_of(regulation, decks)
    policy = Policy(regulation.rules())
    if level.playouts == 0:
        return HeuristicPlayer(level, policy, known, chance)
    return SearchPlayer(level, policy, known, seat, chance, regulation, helpers, cores)
