"""Trumps of clubs, their actions and characters."""

from __future__ import annotations

from blackpoker.content.shared import KEYED_REQUEST, THE_OPPONENT, PUBLIC_CARD_QUESTION, jack_soldier, jack_summons
from blackpoker.definitions.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, SOLDIER_CAUSED, TRIGGERED, Ability, Action, Character, Clause, If, Key,
    Trump, UnitType, Whose, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import Damage, Discard, DiscardHand, Draw
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseCards, ChooseUnit
from blackpoker.definitions.steps.requests import Negate, Raise
from blackpoker.definitions.steps.trumps import BuryTrump, CloseAllTrumps
from blackpoker.definitions.steps.units import Bury, BuryAll, Enter, ReturnSource
from blackpoker.definitions.player_refs import ME, OPPONENT
from blackpoker.definitions.values import TWICE_AMOUNT, HandOf, Number, OwnTrump
from blackpoker.definitions.literals import CARD, CARDS, UNIT, action, card

SWITCH = Action(
    "switch", "スイッチ", "Switch", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="♣",
    permission="switch",
    effect=(
        Clause("手札からカードを1枚選び、兵士としてチャージ状態で場に出す。", "Choose a card in your hand; it enters as a charged soldier.",
               (ChooseCard(CARD, Zone.HAND), Enter(CARD, Zone.HAND)),
               asks=(Question("どの手札を兵士として出しますか？", "Which card of your hand enters as a soldier?"),)),
        Clause("ドライブした兵士を手札に戻す。", "The driven soldier's cards return to your hand.", (ReturnSource(),)),
    ),
    rulings=("R-107", "R-116", "R-221"),
)  # fmt: skip

CIVIL_WAR = Action(
    "civil_war", "内乱", "Civil War", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="civil_war", per_turn=True,
    cost="B", key=Key("one", ("♣A-K",)), target=THE_OPPONENT,
    effect=(Clause("対象の手札の枚数が自分の手札の枚数以上なら、対象は手札を2枚捨てる（捨てるカードは対象が選ぶ）。",
                   "If the target holds at least as many cards as you, they choose two cards of their hand and discard them.",
                   (If(HandOf(OPPONENT).at_least(HandOf(ME)),
                       (ChooseCards(CARDS, Zone.HAND, Number(2), by=OPPONENT), Discard(CARDS, OPPONENT))),),
               asks=(Question("あなたの手札のどれを捨てますか？", "Which cards of your hand do you discard?"), PUBLIC_CARD_QUESTION)),),
    rulings=("R-134", "R-43", "R-38"),
)  # fmt: skip

RIOT = Action(
    "riot", "暴動", "Riot", kind=TRIGGERED, timing=QUICK, since=EXTRA, immediate=True, direct=False,
    effect=(Clause("手札を捨てたプレイヤーに、このアクションを誘発したときに捨てた枚数の2倍の点数のダメージを与える。",
                   "Deal the player who discarded twice as much damage as cards were discarded when this was triggered.", (Damage(OPPONENT, TWICE_AMOUNT),)),),
    rulings=("R-134",),
)  # fmt: skip

HAND_REFILL = Action(
    "hand_refill", "手札補充", "Hand Refill", kind=TRIGGERED, timing=QUICK, since=EXTRA, direct=False,
    effect=(Clause("手札が2枚以下なら2枚、3枚なら1枚引く。", "If you hold two cards or fewer, draw two; if three, draw one.",
                   (If(HandOf(ME).at_most(2), (Draw(2),), (If(HandOf(ME).equals(3), (Draw(1),)),)),)),),
    rulings=("R-112", "R-135"),
)  # fmt: skip

OMEN = Action(
    "omen", "前触れ", "Omen", kind=TRIGGERED, timing=QUICK, since=EXTRA, immediate=True, direct=False,
    effect=(Clause("8点のダメージを受ける。", "You take 8 damage.", (Damage(ME, Number(8)),)),),
    rulings=("R-136",),
)  # fmt: skip

RESET = Action(
    "reset", "リセット", "Reset", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="reset",
    cost="L", key=Key("one", ("♣A-K",)),
    effect=(
        Clause("場の防壁と兵士をすべて墓地に移す。", "All bulwarks and soldiers go to the grave.", (BuryAll(type=UnitType.ANY),)),
        Clause("「切札リセット」を誘発する。", "Trump Reset is triggered.", (Raise(action("trump_reset")),)),
    ),
    rulings=("R-136", "R-48"),
)  # fmt: skip

TRUMP_RESET = Action(
    "trump_reset", "切札リセット", "Trump Reset", kind=TRIGGERED, timing=QUICK, since=EXTRA, immediate=True, direct=False,
    effect=(Clause("すべての切札を裏向きにする。", "All trumps of both players are turned face down.", (CloseAllTrumps(),)),),
    rulings=("R-136", "R-101"),
)  # fmt: skip

LAST_STRUGGLE = Action(
    "last_struggle", "悪あがき", "Last Struggle", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True,
    permission="last_struggle", target=KEYED_REQUEST,
    effect=(
        Clause("対象をステージから取り除き、そのキーカードを墓地に移す。", "The target leaves the stage and its keys go to the grave.", (Negate(),)),
        Clause("手札をすべて捨てる。手札がなければ、自分の切札の♣10を墓地に移す。",
               "Discard your whole hand; if you have none, your trump ♣10 goes to the grave.",
               (If(HandOf(ME).at_least(1), (DiscardHand(),), (BuryTrump(OwnTrump(card("♣10"))),)),),
               asks=(PUBLIC_CARD_QUESTION,)),
    ),
    rulings=("R-130", "R-44", "R-111"),
)  # fmt: skip

SUMMON_KNIGHT = jack_summons(
    "summon_knight", "騎士召喚", "Summon Knight", "♣J", "♠2-10", "knight", "騎士", "Knight",
    Clause("対戦相手は自分の場の兵士を1体選び、墓地に移す。", "your opponent chooses a soldier of theirs, it goes to the grave.",
           (ChooseUnit(UNIT, Whose.MINE, by=OPPONENT), Bury(UNIT)),
               asks=(Question("あなたのどの兵士を墓地に移しますか？", "Which of your soldiers goes to the grave?"),)),
    ("R-138", "R-121"),
)  # fmt: skip

SWEEP = Action(
    "sweep", "薙払", "Sweep", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="self",
    permission="sweep", target=THE_OPPONENT,
    effect=(Clause("対象は自分の場のキャラクターを1体選び、墓地に移す。", "The target chooses a character of theirs; it goes to the grave.",
                   (ChooseUnit(UNIT, Whose.MINE, UnitType.ANY, by=OPPONENT), Bury(UNIT)),
               asks=(Question("あなたのどのキャラクターを墓地に移しますか？", "Which of your characters goes to the grave?"),)),),
    rulings=("R-107", "R-138", "R-121"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    SWITCH, CIVIL_WAR, RIOT, HAND_REFILL, OMEN, RESET, TRUMP_RESET, LAST_STRUGGLE, SUMMON_KNIGHT, SWEEP,
)  # fmt: skip

KNIGHT = jack_soldier(
    "knight", "騎士", "Knight", "♣J", "♠2-10",
    Ability("チャージ状態でチャンスを持っているとき、これをドライブして「薙払」を起こせる。", "While it is charged and you hold the chance, you may drive it to request Sweep.", allows="sweep"),
    rulings=("R-138",),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (KNIGHT,)

TRUMPS: tuple[Trump, ...] = (
    Trump("♣4", "switch", "スイッチ", "Switch", allows=("switch",), rulings=("R-107", "R-116"),
          short_ja="♣の兵士を横にし、手札の1枚と入れ替える", short_en="Drive a ♣ soldier: swap it with a card in hand",
          abilities=(Ability("チャンスを持っているとき、自分のチャージ状態の♣の兵士をドライブして「スイッチ」を起こせる。", "While you hold the chance you may drive a charged ♣ soldier of yours to request Switch."),)),
    Trump("♣5", "civil_war", "内乱", "Civil War", allows=("civil_war",), on="discard", raises="riot", rulings=("R-134",),
          short_ja="相手に2枚捨てさせる。捨てるたびダメージ", short_en="They discard two; discards hurt them"),
    Trump("♣7", "hand_refill", "手札補充", "Hand Refill", on="end", raises="hand_refill", rulings=("R-112", "R-135"),
          short_ja="エンドで手札を補充する", short_en="Refills your hand at End"),
    Trump("♣8", "reset", "リセット", "Reset", allows=("reset",), on="open", raises="omen", rulings=("R-136",),
          short_ja="場をすべて墓地へ。表になると8ダメージ", short_en="The whole field falls; opening it costs 8"),
    Trump("♣9", "fortress", "要塞", "Fortress", rulings=("R-137",),
          short_ja="キャラクターがいれば、相手の♠のダメージを防ぐ", short_en="With a character: no damage by their ♠ actions",
          abilities=(Ability("キーカードに♠を含む対戦相手のアクションが効果を発揮する直前に、自分の場にキャラクターがいれば、"
                             "その効果によるダメージを受けない。",
                             "If you have a character just before an action of your opponent with a ♠ among its keys takes effect, "
                             "that effect deals you no damage.", "spade_proof"),)),
    Trump("♣10", "last_struggle", "悪あがき", "Last Struggle", allows=("last_struggle",), rulings=("R-130",),
          short_ja="アクション1つを取り除き、手札をすべて捨てる", short_en="Remove an action, discard your whole hand"),
    Trump("♣J", "knight", "騎士", "Knight", allows=("summon_knight",), rulings=("R-138", "R-109"),
          short_ja="相手は兵士を1体失い、騎士になる", short_en="They lose a soldier, then a Knight"),
)  # fmt: skip
