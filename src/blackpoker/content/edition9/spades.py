"""Actions and trumps of spades in edition 9 (N-246…N-259, N-331…N-338)."""

from __future__ import annotations

from blackpoker.content.edition6.base import magic, triggered
from blackpoker.content.edition9.shared import (
    again, jack_summons, king_summons, of_trump, quick_soldier, regenerate, soldier_from_grave,
)  # fmt: skip
from blackpoker.content.edition6.extra import spades
from blackpoker.definitions.literals import cards
from blackpoker.definitions.model import (
    LITE, MAGIC, QUICK, SOLDIER_CAUSED, TRIGGERED_MAGIC, TRUMP_GROUP, Ability, Action, Key, Trigger, Trump,
    UnitType,
)  # fmt: skip

REVOLUTION_DRAW = of_trump(
    spades.REVOLUTION_DRAW, "N-246", kind=TRIGGERED_MAGIC,
    trigger=Trigger("「ダメージ判定」で、自分の<革命ドロー>を持つアタッカーがブロックされていなかったとき。1体につき1回。",
                    "When an attacker of yours with the label Revolution Draw was not blocked at the Damage Judgement: once for each."),
)  # fmt: skip
SLASH = of_trump(spades.SLASH, "N-247", "N-081", timing=QUICK, empty_stage=False, cost="C")
QUICK_SOLDIER_SPADES = quick_soldier("♠", "spades", "Spades", "N-248")
DRAIN = of_trump(spades.DRAIN, "N-249", kind=MAGIC)
INTIMIDATE = of_trump(spades.INTIMIDATE, "N-250", kind=MAGIC)
QUICK_INTIMIDATE = of_trump(
    spades.INTIMIDATE, "N-251", id="quick_intimidate", ja="クイック威圧", en="Quick Intimidate", kind=MAGIC, timing=QUICK,
    key=Key("one", ("♠A-10",)), permission="quick_intimidate",
)  # fmt: skip
REVIVE = of_trump(
    spades.REVIVE, "N-252", "N-418", kind=MAGIC,
    effect=(soldier_from_grave("自分の墓地から♠のカードを1枚選び、兵士としてチャージ状態で場に出す。",
                               "Choose a ♠ card in your grave; it enters as a charged soldier.", cards("♠A-K")),),
)  # fmt: skip
INSTANT_KILL = of_trump(spades.INSTANT_KILL, "N-253", kind=MAGIC)
_FIRST = soldier_from_grave("自分の墓地からカードを1枚選び、兵士として表向き・チャージ状態で場に出す。",
                            "choose a card in your grave, it enters as a soldier, face up and charged.")  # fmt: skip
SUMMON_REANIMATOR, QUICK_SUMMON_REANIMATOR = (
    jack_summons(id, ja, en, "♠J", "♡2-10", "reanimator", "リアニメーター", "Reanimator", quick, ruling, _FIRST)
    for id, ja, en, quick, ruling in (
        ("summon_reanimator", "リアニメーター召喚", "Summon Reanimator", False, "N-254"),
        ("quick_summon_reanimator", "クイックリアニメーター召喚", "Quick Summon Reanimator", True, "N-255"),
    )
)  # fmt: skip
REINCARNATION = again(
    magic.REANIMATE, "N-256", id="reincarnation", ja="転生召喚", en="Reincarnation", kind=SOLDIER_CAUSED, timing=QUICK, since=LITE,
    group=TRUMP_GROUP, immediate=True, source="self", permission="reincarnation", key=None, cost="C",
)  # fmt: skip
REGENERATE_REANIMATOR = regenerate(
    "reanimator", "regenerate_reanimator", "リアニメーター再生", "Regenerate Reanimator", "♠J", "リアニメーター", "Reanimator", "N-257",
)  # fmt: skip
SUMMON_DEMON_LORD = king_summons(
    "summon_demon_lord", "魔王召喚", "Summon Demon Lord", "♠K", "♣K", "demon_lord", "魔王", "Demon Lord", UnitType.SOLDIER, "N-258",
)  # fmt: skip
DARK_WHISPER = again(
    triggered.NEXT_GENERATION, "N-259", "N-403", id="dark_whisper", ja="魔王の囁き", en="Demon Lord's Whisper", kind=TRIGGERED_MAGIC,
    since=LITE, group=TRUMP_GROUP,
    trigger=Trigger("自分が「エンド」を起こし、自分の場に魔王がいるとき。", "When you have requested End and have a Demon Lord on the field."),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    REVOLUTION_DRAW, SLASH, QUICK_SOLDIER_SPADES, DRAIN, INTIMIDATE, QUICK_INTIMIDATE, REVIVE, INSTANT_KILL,
    SUMMON_REANIMATOR, QUICK_SUMMON_REANIMATOR, REINCARNATION, REGENERATE_REANIMATOR, SUMMON_DEMON_LORD, DARK_WHISPER,
)  # fmt: skip

TRUMPS: tuple[Trump, ...] = (
    Trump("♠A", "revolution", "革命", "Revolution", on="unblocked", raises="revolution_draw",
          short_ja="サイズの大きい兵士が倒れる", short_en="The larger soldier falls",
          abilities=spades.TRUMPS[0].abilities, rulings=("N-331",)),
    Trump("♠2", "slash", "スラッシュ", "Slash", allows=("slash", "quick_soldier_spades"), rulings=("N-332",),
          short_ja="♠の兵士を横にし、そのサイズ以下の兵士1体を墓地へ。♠の兵士をすぐに出せる", short_en="Drive a ♠ soldier: one no larger falls. ♠ soldiers enter at any time",
          abilities=(Ability("自分の♠の兵士は<スラッシュ>を持つ。", "Your ♠ soldiers have the label Slash."),)),
    Trump("♠3", "drain", "ドレイン", "Drain", allows=("drain",), rulings=("N-333",),
          short_ja="自分の1体をライフの底へ。相手に2ダメージ", short_en="One of yours goes under your life: 2 damage"),
    Trump("♠4", "intimidate", "威圧", "Intimidate", allows=("intimidate", "quick_intimidate"), rulings=("N-334",),
          short_ja="サイズ10以下の兵士すべてを墓地へ", short_en="Every soldier of 10 or less falls"),
    Trump("♠5", "revive", "蘇生", "Revive", allows=("revive",), rulings=("N-335",),
          short_ja="墓地の♠を1枚、兵士として出す", short_en="A ♠ of your grave enters as a soldier"),
    Trump("♠7", "instant_kill", "瞬殺", "Instant Kill", allows=("instant_kill",), rulings=("N-336",),
          short_ja="自分の兵士を墓地へ、合計以下の1体も墓地へ", short_en="Lose soldiers to take one no larger than their sum"),
    Trump("♠J", "reanimator", "リアニメーター", "Reanimator", allows=("summon_reanimator", "quick_summon_reanimator"), rulings=("N-337",),
          short_ja="墓地の1枚を場に出し、リアニメーターになる", short_en="Field a card of your grave, then a Reanimator"),
    Trump("♠K", "demon_lord", "魔王", "Demon Lord", allows=("summon_demon_lord",), rulings=("N-338",),
          short_ja="場の兵士すべてを墓地へ。♣Kと合わさる", short_en="All soldiers fall; joins ♣K"),
)  # fmt: skip
