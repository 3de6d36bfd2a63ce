"""Formats, frames, options and the tables that say what goes with what (RULINGS 2.8), data only."""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.language.model import EXTRA, LITE, MASTER, PRO, STANDARD, Format

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
    """Which action list is played."""

    format: Format
    aliases: tuple[str, ...] = ()
    most_trumps: int = 0
    frames: tuple[str, ...] = ()  # ids of the frames it may be played in; empty: all

    def allows(self, frame: Frame) -> bool:
        return not self.frames or frame.id in self.frames


@dataclass(frozen=True)
class Frame(Entry):
    """Which deck is played, and how many of them."""

    build: str  # fixed, random, constructed
    decks: int  # decks of one player in a match
    text_ja: str
    text_en: str
    cards: str = ""  # the cards of a fixed deck; empty: all 54
    exactly: int = 0
    most: int = 54
    aliases: tuple[str, ...] = ()
    built_in: str = ""  # the text of what a constructed frame plays when nobody brings a deck; empty: the first cards

    @property
    def left_out(self) -> int:
        """How many of the 54 cards stay outside at least."""
        return 54 - (self.exactly or self.most)


@dataclass(frozen=True)
class Option(Entry):
    text_ja: str
    text_en: str
    preset: int = 0  # characters a player starts with
    actions: tuple[str, ...] = ()  # option actions it brings
    aliases: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()  # ids of the formats and frames it goes with (the ○ of the table); empty: all
    frames: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()  # options it does not go with
    pack: bool = False  # cards left out of the deck are a pack

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
    Frame("entry", "エントリー", "Entry", FIXED, 1, "決まった21枚のデッキで遊ぶ。", "Everybody plays the same 21 cards.",
          cards="SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK", exactly=21, most=21),
    Frame("random40", "ランダム40", "Random 40", RANDOM, 1, "54枚から無作為に14枚を除いた40枚で遊ぶ。",
          "54 cards minus 14 taken out at random.", exactly=40, most=40),
    Frame("randomhalf", "ランダムハーフ", "Random Half", RANDOM, 2, "54枚を無作為に2つのデッキに分ける。",
          "The 54 cards are split at random into two decks.", exactly=27),
    Frame("constructedhalf", "構築ハーフ", "Constructed Half", CONSTRUCTED, 2, "54枚から2つのデッキを組む。使わないカードがあってもよい。",
          "Build two decks from the 54 cards; cards may be left out.", built_in=_HALVES),
    Frame("constructed40", "構築40", "Constructed 40", CONSTRUCTED, 1, "54枚から40枚以下のデッキを組む。",
          "Build a deck of at most 40 of the 54 cards.", most=40, built_in=_FORTY),
    Frame("regular", "レギュラー", "Regular", CONSTRUCTED, 1, "54枚以下のデッキを組む。", "Build a deck of at most 54 cards."),
    Frame("full", "フル", "Full", FIXED, 1, "54枚すべてで遊ぶ。", "All 54 cards.", exactly=54),
)  # fmt: skip

OPTIONS = (
    Option("preset2", "プリセット2", "Preset 2", "デッキの上から防壁1体と兵士1体を出して始める。",
           "Start with one bulwark and one soldier from the top of the deck.", preset=2,
           formats=("standard", "pro", "master", "extra"), excludes=("preset4",)),
    Option("preset4", "プリセット4", "Preset 4", "デッキの上から防壁2体と兵士2体を出して始める。",
           "Start with two bulwarks and two soldiers from the top of the deck.", preset=4,
           formats=("standard", "pro", "master", "extra"), frames=("random40", "constructed40", "regular", "full"),
           excludes=("preset2",)),
    Option("pack", "パック", "Pack", "デッキに入らなかったカードをパックにし、ゲーム中に一度だけ開けて1枚手札に加えられる。",
           "The cards left out of the deck are a pack; once in the game you may open it and take a card.",
           actions=("open_pack",), formats=("lite", "standard", "pro", "master"), frames=("random40", "constructed40"),
           pack=True),
)  # fmt: skip
