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


FORMATS = (
    FormatEntry("lite", "ライト", "Lite", LITE),
    FormatEntry("standard", "スタンダード", "Standard", STANDARD, ("std",)),
    FormatEntry("pro", "プロ", "Pro", PRO),
    FormatEntry("master", "マスター", "Master", MASTER, ("mast",)),
    FormatEntry("extra", "エクストラ", "Extra", EXTRA, most_trumps=2),
)

FRAMES = (
    Frame("entry", "エントリー", "Entry", FIXED, 1, "決められた21枚のデッキを使う。", "Everybody plays the same 21 cards.",
          cards="SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK", exactly=21, most=21),
    Frame("random40", "ランダム40", "Random 40", RANDOM, 1, "54枚からランダムに14枚を抜いた40枚を使う。",
          "54 cards minus 14 taken out at random.", exactly=40, most=40),
    Frame("randomhalf", "ランダムハーフ", "Random Half", RANDOM, 2, "54枚をランダムに2つのデッキに分ける（27枚ずつでなくてもよい）。",
          "The 54 cards are split at random into two decks, not necessarily in halves.", exactly=27),
    Frame("constructedhalf", "構築ハーフ", "Constructed Half", CONSTRUCTED, 2, "54枚で2つのデッキを組む。カードを抜いてもよい。",
          "Build two decks from the 54 cards; cards may be left out."),
    Frame("constructed40", "構築40", "Constructed 40", CONSTRUCTED, 1, "54枚から14枚以上を抜き、40枚以下のデッキを組む。",
          "Take at least 14 of the 54 cards out and build a deck of at most 40.", most=40),
    Frame("regular", "レギュラー", "Regular", CONSTRUCTED, 1, "54枚からデッキを組む。カードを抜いてもよい。", "Build a deck of the 54 cards; cards may be left out."),
    Frame("full", "フル", "Full", FIXED, 1, "54枚すべてを使う。", "All 54 cards.", exactly=54),
)  # fmt: skip

OPTIONS = (
    Option("preset2", "プリセット2", "Preset 2", "切札を置いたあと、デッキをシャッフルして上から1枚を防壁、次の1枚を兵士として場に出して始める。",
           "After trumps, shuffle the deck and start with its top card as a bulwark and the next as a soldier.", preset=2),
    Option("preset4", "プリセット4", "Preset 4", "切札を置いたあと、デッキをシャッフルして上から2枚を防壁、次の2枚を兵士として場に出して始める。",
           "After trumps, shuffle the deck and start with its top two cards as bulwarks and the next two as soldiers.", preset=4),
    Option("pack", "パック", "Pack", "デッキに入らなかったカードを裏向きのパックにし、「パック開封」で1ゲームに1回だけ1枚を手札に加えられる。",
           "The cards left out of the deck are a face-down pack; once in the game Open Pack takes a card from it.",
           actions=("open_pack",)),
)  # fmt: skip

_ALL_FRAMES = tuple(frame.id for frame in FRAMES)
#: frames a format may be played in
FRAMES_OF_FORMAT = {
    "lite": _ALL_FRAMES,
    "standard": _ALL_FRAMES,
    "pro": _ALL_FRAMES,
    "master": _ALL_FRAMES,
    "extra": ("regular", "full"),
}
#: the ○ of the option table, per option: formats, frames
OPTION_FORMATS = {
    "preset2": ("standard", "pro", "master", "extra"),
    "preset4": ("standard", "pro", "master", "extra"),
    "pack": ("lite", "standard", "pro", "master"),
}
OPTION_FRAMES = {
    "preset2": _ALL_FRAMES,
    "preset4": ("random40", "constructed40", "regular", "full"),
    "pack": ("random40", "constructed40"),
}
#: options that exclude each other (R-197)
EXCLUSIVE = (("preset2", "preset4"),)
