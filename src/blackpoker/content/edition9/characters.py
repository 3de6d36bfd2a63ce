"""Characters and fogs of edition 9 (N-301…N-324)."""

from __future__ import annotations

from dataclasses import replace

from blackpoker.content.edition6.base import characters as base
from blackpoker.content.edition9 import clubs, diamonds, hearts, spades
from blackpoker.content.edition9.shared import jack_soldier
from blackpoker.content.edition6.extra import hearts as old_hearts
from blackpoker.content.shared import PREPARATION, TWO_CARDS, UNTARGETABLE, two_suits
from blackpoker.definitions.model import LITE, TRUMP_GROUP, Ability, Character, Fog
from blackpoker.engine.state import CLOSE_FOG, DOWN_FOG, FORCE_FOG, UP_FOG


def _again(character: Character, *rulings: str) -> Character:
    """Return a character of edition 6 that is the same in edition 9: next generation is counted by cards (N-207)."""
    abilities = tuple(ability for ability in character.abilities if ability.leaves is None)
    return replace(character, abilities=abilities, rulings=rulings)


MAGICIAN = replace(
    base.MAGICIAN,
    abilities=(
        Ability("魔力増加：場にいる間、自分のクイックの魔法のコストのDはなくなる。", "Magic surge: while it is on the field, the D in the cost of your quick magic falls away.", waives="D"),
        Ability("「装備」の対象にできない。", "Cannot be the target of Equip.", "not_equippable"),
        base.HASTE,
    ),
    rulings=("N-304", "N-407"),
)  # fmt: skip

DEMON_LORD = Character(
    "demon_lord", "魔王", "Demon Lord", LITE, group=TRUMP_GROUP, cards="♠K + ♣K", pair=("♠K", "♣K"), number=26,
    abilities=(
        UNTARGETABLE, PREPARATION, two_suits("♠", "♣"), TWO_CARDS,
        Ability("自分が「エンド」を起こしたとき、「魔王の囁き」を誘発する。", "When you request End, Demon Lord's Whisper is triggered.", at_end="dark_whisper"),
    ),
    rulings=("N-308", "N-259"),
)  # fmt: skip
GIANT = Character(
    "giant", "巨人", "Giant", LITE, group=TRUMP_GROUP, cards="♡K + ♢K", pair=("♡K", "♢K"), number=26,
    abilities=(UNTARGETABLE, PREPARATION, two_suits("♡", "♢"), TWO_CARDS, *old_hearts.GIANT.abilities[-2:]),
    rulings=("N-310",),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (
    _again(base.COMMON_SOLDIER, "N-301"),
    _again(base.HERO, "N-302"),
    _again(base.ACE, "N-303"),
    MAGICIAN,
    _again(base.ARMED_SOLDIER, "N-305"),
    _again(base.BULWARK, "N-306"),
    jack_soldier("reanimator", "リアニメーター", "Reanimator", "♠J", "♡2-10", "regenerate_reanimator", spades.REINCARNATION, "N-307"),
    DEMON_LORD,
    jack_soldier("wall_breaker", "破砕士", "Wall Breaker", "♡J", "♢2-10", "regenerate_wall_breaker", hearts.PULVERIZE, "N-309"),
    GIANT,
    jack_soldier("tactician", "策士", "Tactician", "♢J", "♣2-10", "regenerate_tactician", diamonds.FORESIGHT, "N-311"),
    jack_soldier("knight", "騎士", "Knight", "♣J", "♠2-10", "regenerate_knight", clubs.SWEEP, "N-312"),
)  # fmt: skip

FOGS: tuple[Fog, ...] = (
    Fog("up", "アップ", "Up", UP_FOG, "♡A-10", "対象の兵士のサイズに、このカードの数字を足す。", "Adds its number to the size of the soldier it is bound to.",
        rulings=("N-321", "N-060", "N-061")),
    Fog("down", "ダウン", "Down", DOWN_FOG, "♠A-10", "対象の兵士のサイズから、このカードの数字を引く。", "Subtracts its number from the size of the soldier it is bound to.",
        rulings=("N-322", "N-060", "N-061")),
    Fog("force", "フォース", "Force", FORCE_FOG, "♡A-10", "自分の兵士すべてのサイズに、2枚の合計を足す。", "Adds the sum of its two cards to the sizes of all your soldiers.",
        rulings=("N-323", "N-061")),
    Fog("close", "クローズ", "Close", CLOSE_FOG, "Q", "対象の切札は表にならない。", "The trump it is bound to cannot be turned up.", group=TRUMP_GROUP,
        rulings=("N-324", "N-062")),
)  # fmt: skip
