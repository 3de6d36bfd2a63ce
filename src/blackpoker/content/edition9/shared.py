"""Parts shared by several definitions of edition 9: what reads as in edition 6, and the forms of summons and soldiers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from blackpoker.definitions.literals import CARD, card
from blackpoker.definitions.model import (
    LITE, MAIN, QUICK, SOLDIER_CAUSED, SUMMON, TRUMP_GROUP, TRUMP_OPERATION, Ability, Action, Character, Clause, If, Key,
    Leaves, Question, Steps, Trigger, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import Shuffle
from blackpoker.definitions.steps.choosing import SOLDIERS_ONLY, ChooseCard
from blackpoker.definitions.steps.trumps import BuryTrump, FindAnywhere, RestoreTrump
from blackpoker.definitions.steps.units import BuryAll, Enter, EnterAs
from blackpoker.definitions.values import KEY, CharacterName, Number, OwnTrump, Ref, TrumpOpen
from blackpoker.definitions.model import UnitType
from blackpoker.content.shared import NOT_EQUIPPABLE, PREPARATION, TWO_CARDS, two_suits

FOUND = Ref("found")


def again(action: Action, *rulings: str, **changes: Any) -> Action:
    """Return an action of edition 6 that reads the same in edition 9, except for these fields."""
    return replace(action, rulings=rulings, **changes)


def of_trump(action: Action, *rulings: str, **changes: Any) -> Action:
    """Return an action of Extra of edition 6 that reads the same in edition 9, where frames bring it."""
    return again(action, *rulings, **{"since": LITE, "group": TRUMP_GROUP, "per_turn": False, **changes})


def quick_soldier(suit: str, name: str, en: str, ruling: str) -> Action:
    """Return one of the four quick summons of a soldier of one suit."""
    id = f"quick_soldier_{name}"
    return Action(
        id, f"クイック兵士召喚{suit}", f"Quick Soldier {suit}", kind=SUMMON, timing=QUICK, since=LITE, group=TRUMP_GROUP,
        permission=id, cost="D", key=Key("one", (f"{suit}2-10",)),
        effect=(Clause("キーカードを一般兵として表向き・チャージ状態で場に出す。", "The key enters as a common soldier, face up and charged.", (Enter(KEY),)),),
        rulings=(ruling, "N-100"),
    )  # fmt: skip


def jack_summons(
    id: str, ja: str, en: str, jack: str, key: str, character: str, name_ja: str, name_en: str, quick: bool, ruling: str,
    first: Clause | None = None, then: Clause | None = None,
) -> Action:  # fmt: skip
    """Return a summons with a trump Jack, main for BL or quick for D (N-083); no effect unless it is face up (N-085)."""
    is_open = TrumpOpen(card(jack))
    clauses: list[Clause] = []
    if first is not None:
        clauses.append(
            Clause(
                f"切札の{jack}が表なら、{first.ja}",
                f"If your trump {jack} is face up: {first.en}",
                (If(is_open, first.steps),),
                first.asks,
            )
        )
    enters: Steps = (EnterAs(CharacterName(character), card(jack)),)
    if then is None:
        clauses.append(
            Clause(
                f"切札の{jack}が表なら、それとキーカードを合わせ、{name_ja}としてチャージ状態で場に出す。",
                f"If your trump {jack} is face up, it and the key enter together, charged, as a {name_en}.",
                (If(is_open, enters),),
            )
        )
    else:
        clauses.append(
            Clause(
                f"切札の{jack}が表なら、それとキーカードを合わせ、{name_ja}としてチャージ状態で場に出す。そのあと、{then.ja}",
                f"If your trump {jack} is face up, it and the key enter together, charged, as a {name_en}. Then {then.en}",
                (If(is_open, (*enters, *then.steps)),),
            )
        )
    return Action(
        id, ja, en, kind=SUMMON, timing=QUICK if quick else MAIN, since=LITE, group=TRUMP_GROUP, permission=id,
        cost="D" if quick else "BL", key=Key("one", (key,)), effect=tuple(clauses),
        rulings=(ruling, "N-083", "N-085"),
    )  # fmt: skip


def king_summons(
    id: str, ja: str, en: str, king: str, partner: str, character: str, name_ja: str, name_en: str, type: UnitType,
    ruling: str,
) -> Action:  # fmt: skip
    """Return one of the two summons with a trump King and the King of the other suit of its colour (N-258, N-413)."""
    victims_ja, victims_en = ("兵士", "soldiers") if type is UnitType.SOLDIER else ("防壁", "bulwarks")
    is_open = TrumpOpen(card(king))
    return Action(
        id, ja, en, kind=SUMMON, timing=MAIN, since=LITE, group=TRUMP_GROUP, permission=id, cost="SS",
        effect=(
            Clause(f"切札の{king}が表なら、場の{victims_ja}をすべて墓地に移し、自分のすべての場所から{partner}を探す。表でなければ何も起きない。",
                   f"If your trump {king} is face up, all {victims_en} on the field go to the grave, then look for {partner} in all "
                   f"your zones. If {king} is face down, nothing happens.",
                   (If(is_open, (BuryAll(type=type), FindAnywhere(card(partner), FOUND))),)),
            Clause(f"見つかれば、切札の{king}と{partner}を合わせ、{name_ja}としてチャージ状態で場に出す。",
                   f"If it is found, {king} and {partner} enter together, charged, as the {name_en}.",
                   (If(FOUND.at_least(1), (If(FOUND.at_most(3), (EnterAs(CharacterName(character), card(king), Number(card(partner)), anywhere=True),)),)),)),
            Clause(f"見つからなければ、切札の{king}を墓地に移す。", f"If it is not found, your trump {king} goes to the grave.",
                   (If(FOUND.equals(4), (BuryTrump(OwnTrump(card(king))),)),)),
            Clause("ライフの中を見たなら、ライフをシャッフルする。", "If you looked into your life, shuffle it.",
                   (If(FOUND.at_least(2), (Shuffle(),)),)),
        ),
        rulings=(ruling, "N-413", "N-085"),
    )  # fmt: skip


def regenerate(character: str, id: str, ja: str, en: str, jack: str, name_ja: str, name_en: str, ruling: str) -> Action:
    """Return one of the four actions that bring a Jack back as a trump."""
    return Action(
        id, ja, en, kind=TRUMP_OPERATION, timing=QUICK, since=LITE, group=TRUMP_GROUP, immediate=True, direct=False,
        trigger=Trigger(f"自分の{name_ja}が場から墓地に移ったとき。", f"When your {name_en} has gone from the field to the grave."),
        effect=(Clause(f"自分の墓地の{jack}を、自分の切札として表向きに置く。", f"Put {jack} of your grave face up among your trumps.",
                       (RestoreTrump(from_hand=False),)),),
        rulings=(ruling, "N-428"),
    )  # fmt: skip


def jack_soldier(
    id: str, ja: str, en: str, jack: str, other: str, regenerates: str, used: Action, ruling: str,
) -> Character:  # fmt: skip
    name = used
    return Character(
        id, ja, en, LITE, group=TRUMP_GROUP, cards=f"{jack} + {other}", pair=(jack, other), number=11,
        abilities=(
            NOT_EQUIPPABLE, PREPARATION,
            Ability(f"場から墓地に移ったとき、「{ja}再生」を誘発する。",
                    f"When it goes from the field to the grave, Regenerate {en} is triggered.",
                    leaves=Leaves(regenerates, names=jack)),
            two_suits(jack[0], other[0]), TWO_CARDS,
            Ability(f"チャンスを持っているとき、チャージ状態のこれをドライブして「{name.ja}」を起こせる。",
                    f"While you hold the chance, you may drive it, charged, to request {name.en}.", allows=name.id),
        ),
        rulings=(ruling, "N-207", "N-427", "N-429"),
    )  # fmt: skip


def soldier_from_grave(ja: str, en: str, among: int | None = None) -> Clause:
    """Return the sentence that a card of the grave enters."""
    chosen = (
        ChooseCard(CARD, Zone.GRAVE, limit=SOLDIERS_ONLY)
        if among is None
        else ChooseCard(CARD, Zone.GRAVE, among=among, limit=SOLDIERS_ONLY)
    )
    return Clause(ja, en, (chosen, Enter(CARD, Zone.GRAVE)),
                  (Question("墓地のどのカードを兵士として出しますか？", "Which card of your grave enters as a soldier?"),))  # fmt: skip


__all__ = [
    "SOLDIER_CAUSED",
    "again",
    "jack_soldier",
    "jack_summons",
    "king_summons",
    "of_trump",
    "quick_soldier",
    "regenerate",
]
