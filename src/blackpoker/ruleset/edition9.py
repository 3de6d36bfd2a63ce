"""The formats and frames of edition 9 (N-120…N-140). Data only."""

from __future__ import annotations

from typing import Final

from blackpoker.definitions.model import LITE, MASTER, PACK_GROUP, PRO, RARE_GROUP, STANDARD, TRUMP_GROUP
from blackpoker.engine import setup
from blackpoker.ruleset.tables import CONSTRUCTED, FIXED, FormatEntry, Frame, SetUp

#: cards of the pack, of the scenario hand, of the first hand with and without one
_PACK: Final = 14
_SCENARIO: Final = 3
_FULL_HAND: Final = 7
#: least number of cards of a deck, counted before anything is set aside
_LEAST: Final = 40

_SHUFFLE: Final = SetUp(setup.SHUFFLE)
_LAY_PACK: Final = SetUp(setup.TO_PACK, _PACK)
_RARE: Final = SetUp(setup.TO_RARE, 1)
_TRUMPS: Final = SetUp(setup.TO_TRUMPS, 2)
_HAND: Final = SetUp(setup.TO_HAND, _SCENARIO)
_DRAW_ALL: Final = SetUp(setup.DRAW_CARDS, _FULL_HAND)
_DRAW_REST: Final = SetUp(setup.DRAW_CARDS, _FULL_HAND - _SCENARIO)
_COMMON: Final = (SetUp(setup.PRESET, setup.SHOWN_PRESET), SetUp(setup.FIRST_PLAYER))
_WITH_TRUMPS: Final = (
    _SHUFFLE,
    _LAY_PACK,
    _DRAW_REST,
    SetUp(setup.PRESET, setup.HIDDEN_PRESET),
    SetUp(setup.FIRST_PLAYER),
    SetUp(setup.OPEN, 1),
)

FORMATS: Final = (
    FormatEntry("lite", "ライト", "Lite", LITE, recommended=("entry16", "pack")),
    FormatEntry("standard", "スタンダード", "Standard", STANDARD, ("std",), recommended=("pack", "rare_pack")),
    FormatEntry("pro", "プロ", "Pro", PRO, recommended=("rare_pack", "strategy")),
    FormatEntry("master", "マスター", "Master", MASTER, ("mast",), recommended=("strategy", "extra", "draft")),
)

_PACK_ONLY: Final = (PACK_GROUP,)
_WITH_RARE: Final = (PACK_GROUP, RARE_GROUP)
_EVERYTHING: Final = (PACK_GROUP, RARE_GROUP, TRUMP_GROUP)

FRAMES: Final = (
    Frame(
        "entry16",
        "エントリー16",
        "Entry 16",
        FIXED,
        1,
        "決められた16枚のデッキを使う。",
        "Both players use the same 16 cards.",
        cards="SA S2 S3 SK H4 H7 HJ HQ D5 D8 D10 DQ CA C6 C9 CK",
        exactly=16,
        most=16,
        setup=(_SHUFFLE, _DRAW_ALL, *_COMMON),
    ),
    Frame(
        "pack",
        "パック",
        "Pack",
        CONSTRUCTED,
        1,
        "40枚以上のデッキを使い、シャッフルしたあと上から14枚を裏向きのパックにする。",
        "A deck of at least 40 cards; after the shuffle its top 14 are a face-down pack.",
        least=_LEAST,
        brings=_PACK_ONLY,
        setup=(_SHUFFLE, _LAY_PACK, _DRAW_ALL, *_COMMON),
    ),
    Frame(
        "rare_pack",
        "レアパック",
        "Rare Pack",
        CONSTRUCTED,
        1,
        "パックに加えて、デッキから選んだ1枚を裏向きのレアカードにする。",
        "As Pack, and a card chosen from the deck is a face-down rare card.",
        aliases=("rarepack",),
        least=_LEAST,
        brings=_WITH_RARE,
        setup=(_RARE, _SHUFFLE, _LAY_PACK, _DRAW_ALL, *_COMMON),
    ),
    Frame(
        "strategy",
        "ストラテジー",
        "Strategy",
        CONSTRUCTED,
        1,
        "最初の手札のうち3枚（シナリオハンド）とレアカードをデッキから選ぶ。",
        "Three cards of the first hand (the scenario hand) and the rare card are chosen from the deck.",
        least=_LEAST,
        brings=_WITH_RARE,
        setup=(_HAND, _RARE, _SHUFFLE, _LAY_PACK, _DRAW_REST, *_COMMON),
    ),
    Frame(
        "extra",
        "エクストラ",
        "Extra",
        CONSTRUCTED,
        1,
        "切札2枚・シナリオハンド3枚・レアカード1枚をデッキから選ぶ。切札の1枚は準備の終わりに表にする。",
        "Two trumps, a scenario hand of three and a rare card are chosen from the deck; one trump is turned up at the end of the set-up.",
        least=_LEAST,
        brings=_EVERYTHING,
        setup=(_TRUMPS, _HAND, _RARE, *_WITH_TRUMPS),
    ),
    Frame(
        "draft",
        "ドラフト",
        "Draft",
        CONSTRUCTED,
        1,
        "自分のデッキから3枚ずつ6回めくって1枚ずつ残し、その6枚をレアカード・切札・シナリオハンドに分ける。あとはエクストラと同じ。",
        "From your deck, look at three cards six times and keep one each; divide the six into rare card, trumps and scenario hand. Then as Extra.",
        least=_LEAST,
        brings=_EVERYTHING,
        setup=(_SHUFFLE, SetUp(setup.DRAFT, 6), _RARE, _TRUMPS, _HAND, *_WITH_TRUMPS),
    ),
)
