"""The named opponents: settings, name and description of each. Levels differ in search depth and error rate, never
in the information they see. Each level listed here is available at every table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

#: the net included in the package
SHIPPED_NET = "shipped"


class LevelChanges(TypedDict, total=False):
    """Settings of a level that differ in one format."""

    overlook: int
    playouts: int


@dataclass(frozen=True)
class Level:
    """A playing strength. ``playouts`` 0: heuristics only."""

    id: str
    ja: str
    en: str
    description_ja: str
    description_en: str
    playouts: int = 0
    noise: int = 1  # noise added to heuristic scores
    overlook: int = 0  # percent of options overlooked; for a searcher: percent of decisions made without search
    horizon: int = 2
    curiosity: float = 1.2
    heat: float = 22.0  # temperature of the heuristic prior in the search
    seconds: float = 3.0  # limit of thinking time; only a guard, the budget is ``playouts`` …
    timed: bool = False  # … unless the time is the budget
    net: str = ""  # net for value and policy (``net_file``); without one, play-outs are used
    soft: int = 8  # temperature of the net prior
    rollout: int = 0  # as in ``ai.search.Search``
    lite_playouts: int = 0  # budget in Lite, without rollouts, which gain nothing there; 0: as in the other formats
    temper: int = 0  # as in ``ai.search.Search``

    def in_format(self, edition: str, format: str) -> Level:
        """Return the level with its settings for a format of an edition."""
        level = self
        if format == "lite" and self.lite_playouts:
            level = replace(self, playouts=self.lite_playouts, lite_playouts=0, rollout=0)
        return replace(level, **EDITION_9.get((self.id, format), {})) if edition == "9" else level

    def name(self, lang: str) -> str:
        return self.ja if lang == "ja" else self.en

    def description(self, lang: str) -> str:
        return self.description_ja if lang == "ja" else self.description_en


RANDOM = Level("random", "ランダム", "Random", "サイコロで決めます。", "Rolls a die for everything.")
HEURISTIC = Level(
    "heuristic",
    "定石",
    "Rule of Thumb",
    "先は読まず、定石どおりにプレイします。",
    "Plays by the book and never looks ahead.",
)
EASY = Level(
    "easy",
    "やさしい",
    "Easy",
    "覚えたてで、できることをよく見落とします。",
    "Has just learnt the game and often overlooks what could be done.",
    noise=30,
    overlook=50,
)
CASUAL = Level(
    "casual",
    "きがる",
    "Casual",
    "定石はだいたい知っています。細かいことは気にしません。",
    "Knows most of the book and does not fuss over the rest.",
    noise=22,
    overlook=2,
)
NORMAL = Level(
    "normal",
    "ふつう",
    "Normal",
    "よい手は分かるものの、考えずに選ぶことがよくあります。",
    "Has an eye for a good move, but often plays without a thought.",
    playouts=4,
    noise=30,
    overlook=38,
    net=SHIPPED_NET,
)
STRONG = Level(
    "strong",
    "つよい",
    "Strong",
    "相手の手札を想像し、経験と勘でプレイします。たまに考えずに選びます。",
    "Imagines what you hold and plays by long experience; now and then without a thought.",
    playouts=16,
    noise=30,
    overlook=10,
    net=SHIPPED_NET,
)
MASTER = Level(
    "master",
    "達人",
    "Master",
    "ありうる手札を次々に思い浮かべ、百通り以上を読んでから選びます。",
    "Weighs the hands you might hold, well over a hundred lines deep.",
    playouts=160,
    net=SHIPPED_NET,
)
GOD = Level(
    "god",
    "神",
    "God",
    "何千通りも読み尽くします。間違いはまずありません。",
    "Reads thousands of lines to their end and hardly ever errs.",
    playouts=1800,
    rollout=10,
    lite_playouts=6400,
    seconds=10.0,
    net=SHIPPED_NET,
)

#: settings of levels by format that differ in edition 9, which keep neighbours about 60 to 80 % apart there: the
#: rules of thumb do worse against the net in Pro and Master, and the deal decides more in Lite
EDITION_9: dict[tuple[str, str], LevelChanges] = {
    **{("easy", format): {"overlook": 65} for format in ("lite", "standard", "pro", "master")},
    ("normal", "lite"): {"overlook": 58},
    ("normal", "pro"): {"overlook": 62},
    ("normal", "master"): {"overlook": 65},
    ("strong", "lite"): {"overlook": 22},
    ("strong", "pro"): {"overlook": 26},
    ("strong", "master"): {"overlook": 26},
    ("master", "lite"): {"playouts": 40},
    ("master", "pro"): {"playouts": 90},
    ("master", "master"): {"playouts": 110},
}

#: value of one card less on either life, in 65536ths of a win, for an attacking or a patient style (``Search.temper``)
TEMPERS = {"attacking": 800, "patient": -800}

#: levels offered to users, easiest first
USER_LEVELS = (
    EASY,
    CASUAL,
    NORMAL,
    STRONG,
    MASTER,
    GOD,
)
#: levels available at the tables of a server or a terminal
TABLE_LEVELS = (*USER_LEVELS, RANDOM)
LEVELS: dict[str, Level] = {level.id: level for level in (RANDOM, HEURISTIC, *USER_LEVELS)}
