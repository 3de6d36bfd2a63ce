"""Trumps of hearts, their actions and characters."""

from __future__ import annotations

from blackpoker.content.shared import (
    A_SOLDIER, MY_UNIT, PREPARATION, THEN_PASS, TWO_GENERATIONS, UNTARGETABLE, jack_soldier, jack_summons,
    king_summons,
)  # fmt: skip
from blackpoker.language.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, SOLDIER_CAUSED, TRIGGERED, Ability, Action, Character, Clause,
    Drives, Key, Leaves, Target, Trump, UnitType, Zone,
)  # fmt: skip
from blackpoker.language.steps.cards import AsideToBottom, RevealAside
from blackpoker.language.steps.choosing import ChooseCard, ChooseUnit, ChooseUnits
from blackpoker.language.steps.requests import Negate, Raise
from blackpoker.language.steps.trumps import CloseTrump
from blackpoker.language.steps.units import (
    Bonus, Bury, ChargeAll, Enter, Gather, GatheredToLifeTop, RearrangeRow, UnitsToBulwarks,
)  # fmt: skip
from blackpoker.language.values import Ref, KEY_SUM, OPPONENT, SOURCE_NUMBER, OwnTrump
from blackpoker.language.words import CARD, UNIT, UNITS, action, card, cards

# Names for what is chosen or done.
MINE = Ref("mine")
THEIRS = Ref("theirs")

REINFORCEMENTS = Action(
    "reinforcements", "援軍", "Reinforcements", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="reinforcements",
    cost="BL", per_turn=True,
    effect=(
        Clause("ライフの上から2枚を表にし、1枚を選んで兵士として場に出す。",
               "Turn up the top two cards of your life and choose one; it enters as a soldier.",
               (RevealAside(2), ChooseCard(CARD, Zone.ASIDE), Enter(CARD, Zone.ASIDE)),
               asks=(Question("どちらのカードを兵士として出しますか？", "Which of the two cards enters as a soldier?"),)),
        Clause("残りをライフの下に置く。", "The other goes under your life.", (AsideToBottom(),),
               asks=(Question("残りを、どの順でライフの下に置きますか？", "In which order do the rest go under your life?"),)),
    ),
    rulings=("R-123", "R-38", "R-80"),
)  # fmt: skip

ENCOURAGE = Action(
    "encourage", "激励", "Encourage", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="♡",
    permission="encourage", target=A_SOLDIER,
    effect=(Clause("ターン終了まで、対象の数字にドライブした兵士の数字を足す。",
                   "Until end of turn, add the driven soldier's number to the target's number.", (Bonus(SOURCE_NUMBER),)),),
    rulings=("R-107", "R-115", "R-52"),
)  # fmt: skip

ARMISTICE = Action(
    "armistice", "休戦", "Armistice", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True, permission="armistice",
    target=Target("ステージ上のアタック", "an Attack on the stage", "request", action="attack"),
    effect=(
        Clause("対象を無効にしてステージから取り除く。", "The target is negated and leaves the stage.", (Negate(),)),
        Clause("自分の切札の♡4を裏にする。", "Your trump ♡4 is turned face down.", (CloseTrump(OwnTrump(card("♡4"))),)),
        Clause("自分のキャラクターをすべてチャージ状態にする。", "All your characters become charged.",
               (ChargeAll(UnitType.ANY),)),
    ),
    rulings=("R-124", "R-44"),
)  # fmt: skip

PURSUIT = Action(
    "pursuit", "追撃", "Pursuit", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True, permission="pursuit",
    cost="BDD", per_turn=True,
    effect=(
        Clause("自分の兵士をすべてチャージ状態にする。", "All your soldiers become charged.",
               (ChargeAll(UnitType.SOLDIER),)),
        Clause("アタックアクションを起こす。これは1ターン1回の制限に数えない。",
               "The Attack action is raised; it does not count for the limit of one per turn.", (Raise(action("attack")),)),
    ),
    rulings=("R-124", "R-38", "R-21"),
)  # fmt: skip

PHANTOM = Action(
    "phantom", "ファントム", "Phantom", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True, permission="phantom",
    cost="B", target=MY_UNIT,
    effect=(Clause("♡7と♠7をキーカードとして、対象へのリバースアクションを起こす。",
                   "The Reverse action is raised on the target, with ♡7 and ♠7 as its keys.",
                   (Raise(action("reverse"), keep_target=True, virtual_keys=cards("♡7 ♠7"), then_pass=True),)),),
    notes=(THEN_PASS,), rulings=("R-105", "R-106", "R-126"),
)  # fmt: skip

ILLUSION = Action(
    "illusion", "幻影", "Illusion", kind=TRIGGERED, timing=QUICK, since=EXTRA, direct=False,
    effect=(
        Clause("自分の兵士を好きな数選び、カード1枚につき1体のチャージ状態の防壁にする。",
               "Choose any number of your soldiers; they become charged bulwarks, one per card.",
               (ChooseUnits(UNITS), UnitsToBulwarks(UNITS)),
               asks=(Question("あなたのどの兵士を防壁にしますか？", "Which of your soldiers become bulwarks?"),
                     Question("防壁になるカードをどの順に並べますか？", "In which order do the cards stand as bulwarks?"))),
        Clause("自分の防壁を好きな順に並べ替えてもよい。", "You may put your bulwarks in any order.", (RearrangeRow(),),
               asks=(Question("防壁をどの順に並べますか？", "In which order do you place your bulwarks?"),)),
    ),
    rulings=("R-112", "R-126", "R-216"),
)  # fmt: skip

SALVATION = Action(
    "salvation", "救済", "Salvation", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="salvation",
    cost="B", key=Key("one", ("♡A-K",)),
    effect=(
        Clause("数字がキーカードの数字以上の兵士をすべて、それぞれの持ち主が好きな順で自分のライフの上に置く。",
               "Every soldier whose number is at least the key's number goes on top of its owner's life, in that owner's order.",
               (Gather(MINE, THEIRS, KEY_SUM), GatheredToLifeTop(MINE), GatheredToLifeTop(THEIRS, OPPONENT)),
               asks=(Question("あなたのカードを、どの順でライフの上に置きますか？", "In which order do your cards go on top of your life?"), Question("あなたのカードを、どの順でライフの上に置きますか？", "In which order do your cards go on top of your life?"))),
    ),
    rulings=("R-127", "R-48"),
)  # fmt: skip

SUMMON_CHARIOT = jack_summons(
    "summon_chariot", "チャリオット召喚", "Summon Chariot", "♡J", "♢2-10", "chariot", "チャリオット", "Chariot",
    Clause("防壁を1体選び、墓地に移す。", "choose a bulwark, it goes to the grave.",
           (ChooseUnit(UNIT, type=UnitType.BULWARK), Bury(UNIT)),
               asks=(Question("どの防壁を墓地に移しますか？", "Which bulwark goes to the grave?"),)),
    ("R-128",),
)  # fmt: skip

SUMMON_GIANT = king_summons(
    "summon_giant", "巨人召喚", "Summon Giant", "♡K", "♢K", "giant", "巨人", "Giant", UnitType.BULWARK,
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    REINFORCEMENTS, ENCOURAGE, ARMISTICE, PURSUIT, PHANTOM, ILLUSION, SALVATION, SUMMON_CHARIOT, SUMMON_GIANT,
)  # fmt: skip

CHARIOT = jack_soldier(
    "chariot", "チャリオット", "Chariot", "♡J", "♢2-10",
    Ability("自分のターンのステージが空のとき、これをドライブして、♡Jと♢Jをキーカードとする防壁破壊を起こせる。その後、チャンスをパスする。",
            "On your turn with the stage empty you may drive it to request Destroy Bulwark with ♡J and ♢J as its keys; then you "
            "pass."),
    drives=Drives("destroy_bulwark", "♡J ♢J"), rulings=("R-105", "R-106", "R-126"),
)  # fmt: skip

GIANT = Character(
    "giant", "巨人", "Giant", EXTRA, cards="♡K + ♢K", pair=("♡K", "♢K"), number=26, leaves=Leaves("next_generation", times=2),
    abilities=(
        UNTARGETABLE, PREPARATION, TWO_GENERATIONS,
        Ability("可能なかぎり攻撃しなければならない。", "It must attack if it can.", "must_attack"),
        Ability("防壁のブロックでは墓地に移らない。", "A bulwark's block does not send it to the grave.", "wall_proof"),
    ),
    rulings=("R-121", "R-125", "R-68", "R-27"),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (CHARIOT, GIANT)

TRUMPS: tuple[Trump, ...] = (
    Trump("♡2", "reinforcements", "援軍", "Reinforcements", allows=("reinforcements",), rulings=("R-123",)),
    Trump("♡3", "encourage", "激励", "Encourage", allows=("encourage",), rulings=("R-107",),
          abilities=(Ability("自分の♡の兵士をドライブして、激励を起こせる。", "You may drive a ♡ soldier of yours to request Encourage."),)),
    Trump("♡4", "armistice", "休戦", "Armistice", allows=("armistice",), rulings=("R-124",)),
    Trump("♡5", "pursuit", "追撃", "Pursuit", allows=("pursuit",), rulings=("R-124",)),
    Trump("♡7", "phantom", "ファントム", "Phantom", allows=("phantom",), on="end", raises="illusion", rulings=("R-112", "R-126")),
    Trump("♡8", "salvation", "救済", "Salvation", allows=("salvation",), rulings=("R-127",)),
    Trump("♡J", "chariot", "チャリオット", "Chariot", allows=("summon_chariot",), rulings=("R-128", "R-109")),
    Trump("♡K", "giant", "巨人", "Giant", allows=("summon_giant",), rulings=("R-120", "R-109")),
)  # fmt: skip
