"""Formats, frames, options and the tables of their combinations (tables 5.1 to 5.3 of the rules, R-204). Data only."""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.definitions.model import EXTRA, LITE, MASTER, PRO, STANDARD, Format
from blackpoker.engine.setup import DRAFT, TO_HAND, TO_PACK, TO_RARE, TO_TRUMPS

FIXED = "fixed"
RANDOM = "random"
CONSTRUCTED = "constructed"


@dataclass(frozen=True)
class Entry:
    """A part of a regulation."""

    id: str
    ja: str
    en: str


@dataclass(frozen=True)
class FormatEntry(Entry):
    """A format: the action list in play."""

    format: Format
    aliases: tuple[str, ...] = ()
    most_trumps: int = 0
    frames: tuple[str, ...] = ()  # ids of its frames; empty: all
    recommended: tuple[str, ...] = ()  # ids of the frames it is recommended with (N-122)

    def allows(self, frame: Frame) -> bool:
        return not self.frames or frame.id in self.frames


@dataclass(frozen=True)
class SetUp:
    """A step of a set-up, and its number of cards or its variant (``engine.setup``)."""

    step: int
    number: int = 0


@dataclass(frozen=True)
class Frame(Entry):
    """A frame: the kind and number of decks."""

    build: str  # fixed, random, constructed
    decks: int  # decks of one player in a match
    text_ja: str
    text_en: str
    cards: str = ""  # the cards of a fixed deck; empty: all 54
    exactly: int = 0
    most: int = 54
    aliases: tuple[str, ...] = ()
    built_in: str = ""  # the default decks of a constructed frame, as text; empty: the first cards
    least: int = 0  # the least number of cards of a deck; 0: what the set-up needs
    brings: tuple[str, ...] = ()  # groups of definitions it adds to every format (N-121)
    setup: tuple[SetUp, ...] = ()  # its set-up (N-131…N-140); empty: R-191

    @property
    def trumps(self) -> int:
        """The number of trumps its set-up chooses."""
        return self.chosen(TO_TRUMPS)

    def chosen(self, step: int) -> int:
        return sum(one.number for one in self.setup if one.step == step)

    @property
    def setup_cards(self) -> dict[str, int]:
        """The numbers of cards its set-up lays as a pack, a rare card, a scenario hand and trumps, and of its picks."""
        steps = {"pack": TO_PACK, "rare": TO_RARE, "scenario": TO_HAND, "trumps": TO_TRUMPS, "draft": DRAFT}
        return {name: self.chosen(step) for name, step in steps.items()}

    @property
    def left_out(self) -> int:
        """The minimum number of the 54 cards that are left out."""
        return 54 - (self.exactly or self.most)


@dataclass(frozen=True)
class Option(Entry):
    text_ja: str
    text_en: str
    preset: int = 0  # characters per player at the start
    actions: tuple[str, ...] = ()  # option actions it adds
    aliases: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()  # ids of its formats and frames (the ○ of the table); empty: all
    frames: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()  # options it cannot be combined with
    pack: bool = False  # cards left out of the deck form a pack

    def goes_with(self, part: FormatEntry | Frame) -> bool:
        allowed = self.formats if isinstance(part, FormatEntry) else self.frames
        return not allowed or part.id in allowed


FORMATS = (
    FormatEntry("lite", "ライト", "Lite", LITE),
    FormatEntry("standard", "スタンダード", "Standard", STANDARD, ("std",)),
    FormatEntry("pro", "プロ", "Pro", PRO),
    FormatEntry("master", "マスター", "Master", MASTER, ("mast",)),
    FormatEntry("extra", "エクストラ", "Extra", EXTRA, most_trumps=2, frames=("regular", "full")),
)

_FORTY = """
name: Forty
frame: constructed40
♠ A 3 4 5 6 7 8 9 10 J
♡ A 3 4 5 6 7 8 9 10 Q
♢ A 2 3 5 6 8 9 10 K
♣ A 2 3 5 6 8 9 10 K
JK JK2
"""
_HALVES = """
name: Halves
frame: constructedhalf
deck 1
♠ A 2 4 6 8 10 J
♡ A 3 5 7 9 10 Q
♢ 2 4 6 8 10 K
♣ 3 5 7 9 J K
JK
deck 2
♠ 3 5 7 9 Q K
♡ 2 4 6 8 J K
♢ A 3 5 7 9 J Q
♣ A 2 4 6 8 10 Q
JK2
"""

FRAMES = (
    Frame(
        "entry",
        "エントリー",
        "Entry",
        FIXED,
        1,
        "決められた21枚のデッキを使う。",
        "Everybody plays the same 21 cards.",
        cards="SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK",
        exactly=21,
        most=21,
    ),
    Frame(
        "random40",
        "ランダム40",
        "Random 40",
        RANDOM,
        1,
        "54枚からランダムに14枚を抜いた40枚を使う。",
        "54 cards minus 14 taken out at random.",
        exactly=40,
        most=40,
    ),
    Frame(
        "randomhalf",
        "ランダムハーフ",
        "Random Half",
        RANDOM,
        2,
        "54枚をランダムに2つのデッキに分ける（27枚ずつでなくてもよい）。",
        "The 54 cards are split at random into two decks, not necessarily in halves.",
        exactly=27,
    ),
    Frame(
        "constructedhalf",
        "構築ハーフ",
        "Constructed Half",
        CONSTRUCTED,
        2,
        "54枚で2つのデッキを組む。カードを抜いてもよい。",
        "Build two decks from the 54 cards; cards may be left out.",
        built_in=_HALVES,
    ),
    Frame(
        "constructed40",
        "構築40",
        "Constructed 40",
        CONSTRUCTED,
        1,
        "54枚から14枚以上を抜き、40枚以下のデッキを組む。",
        "Take at least 14 of the 54 cards out and build a deck of at most 40.",
        most=40,
        built_in=_FORTY,
    ),
    Frame(
        "regular",
        "レギュラー",
        "Regular",
        CONSTRUCTED,
        1,
        "54枚からデッキを組む。カードを抜いてもよい。",
        "Build a deck of the 54 cards; cards may be left out.",
    ),
    Frame("full", "フル", "Full", FIXED, 1, "54枚すべてを使う。", "All 54 cards.", exactly=54),
)

OPTIONS = (
    Option(
        "preset2",
        "プリセット2",
        "Preset 2",
        "切札を置いたあと、デッキをシャッフルして上から1枚を防壁、次の1枚を兵士として場に出して始める。",
        "After trumps, shuffle the deck and start with its top card as a bulwark and the next as a soldier.",
        preset=2,
        formats=("standard", "pro", "master", "extra"),
        excludes=("preset4",),
    ),
    Option(
        "preset4",
        "プリセット4",
        "Preset 4",
        "切札を置いたあと、デッキをシャッフルして上から2枚を防壁、次の2枚を兵士として場に出して始める。",
        "After trumps, shuffle the deck and start with its top two cards as bulwarks and the next two as soldiers.",
        preset=4,
        formats=("standard", "pro", "master", "extra"),
        frames=("random40", "constructed40", "regular", "full"),
        excludes=("preset2",),
    ),
    Option(
        "pack",
        "パック",
        "Pack",
        "デッキに入らなかったカードを裏向きのパックにし、「パック開封」で1ゲームに1回だけ1枚を手札に加えられる。",
        "The cards left out of the deck are a face-down pack; once in the game Open Pack takes a card from it.",
        actions=("open_pack",),
        formats=("lite", "standard", "pro", "master"),
        frames=("random40", "constructed40"),
        pack=True,
    ),
)
