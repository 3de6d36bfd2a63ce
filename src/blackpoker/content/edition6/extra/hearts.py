"""Trumps of hearts, their actions and characters."""

from __future__ import annotations

from blackpoker.content.shared import (
    A_SOLDIER, MY_UNIT, PREPARATION, TWO_CARDS, TWO_GENERATIONS, UNTARGETABLE, jack_soldier, jack_summons,
    king_summons, two_suits,
)  # fmt: skip
from blackpoker.definitions.model import (
    Question, EXTRA, MAIN, NORMAL_MAGIC, QUICK, QUICK_MAGIC, SOLDIER_CAUSED, TRIGGERED, Ability, Action, Character, Clause,
    Drives, Key, Target, Trump, UnitType, Zone,
)  # fmt: skip
from blackpoker.definitions.steps.cards import AsideToBottom, RevealAside
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseUnit, ChooseUnits
from blackpoker.definitions.steps.requests import Negate, Raise
from blackpoker.definitions.steps.trumps import CloseTrump
from blackpoker.definitions.steps.units import (
    Bonus, Bury, ChargeAll, Enter, Gather, GatheredToLifeTop, RearrangeRow, UnitsToBulwarks,
)  # fmt: skip
from blackpoker.definitions.player_refs import OPPONENT
from blackpoker.definitions.values import Ref, KEY_SUM, SOURCE_NUMBER, OwnTrump
from blackpoker.definitions.literals import CARD, UNIT, UNITS, action, card, cards

# Names of bindings.
MINE = Ref("mine")
THEIRS = Ref("theirs")

REINFORCEMENTS = Action(
    "reinforcements", "援軍", "Reinforcements", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="reinforcements",
    cost="BL", per_turn=True,
    effect=(
        Clause("自分のライフの一番上から2枚をめくり、1枚を兵士としてチャージ状態で場に出す。",
               "Turn up the top two cards of your life and choose one; it enters as a charged soldier.",
               (RevealAside(2), ChooseCard(CARD, Zone.ASIDE), Enter(CARD, Zone.ASIDE)),
               asks=(Question("どちらのカードを兵士として出しますか？", "Which of the two cards enters as a soldier?"),)),
        Clause("もう1枚をライフの一番下に移す。", "The other goes under your life.", (AsideToBottom(),),
               asks=(Question("残りを、どの順でライフの一番下に移しますか？", "In which order do the rest go under your life?"),)),
    ),
    rulings=("R-123", "R-38", "R-80"),
)  # fmt: skip

ENCOURAGE = Action(
    "encourage", "激励", "Encourage", kind=SOLDIER_CAUSED, timing=QUICK, since=EXTRA, immediate=True, source="♡",
    permission="encourage", target=A_SOLDIER,
    effect=(Clause("このターンが終わるまで、対象の数字に、ドライブした兵士の数字を足す。",
                   "Until end of turn, add the driven soldier's number to the target's number.", (Bonus(SOURCE_NUMBER),)),),
    rulings=("R-107", "R-115", "R-52"),
)  # fmt: skip

ARMISTICE = Action(
    "armistice", "休戦", "Armistice", kind=QUICK_MAGIC, timing=QUICK, since=EXTRA, immediate=True, permission="armistice",
    target=Target("ステージにある「アタック」", "an Attack on the stage", "request", action="attack"),
    effect=(
        Clause("対象を無効にし、ステージから取り除く。", "The target is negated and leaves the stage.", (Negate(),)),
        Clause("自分の切札の♡4を裏向きにする。", "Your trump ♡4 is turned face down.", (CloseTrump(OwnTrump(card("♡4"))),)),
        Clause("自分の場のキャラクターをすべてチャージ状態にする。", "All your characters become charged.",
               (ChargeAll(UnitType.ANY),)),
    ),
    rulings=("R-124", "R-44"),
)  # fmt: skip

PURSUIT = Action(
    "pursuit", "追撃", "Pursuit", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True, permission="pursuit",
    cost="BDD", per_turn=True,
    effect=(
        Clause("自分の場の兵士をすべてチャージ状態にする。", "All your soldiers become charged.",
               (ChargeAll(UnitType.SOLDIER),)),
        Clause("「アタック」を起こす。これは1ターンに1回の制限に数えない。",
               "The Attack action is raised; it does not count for the limit of one per turn.", (Raise(action("attack")),)),
    ),
    rulings=("R-124", "R-38", "R-21"),
)  # fmt: skip

PHANTOM = Action(
    "phantom", "ファントム", "Phantom", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, immediate=True, permission="phantom",
    cost="B", target=MY_UNIT,
    effect=(Clause("対象への「リバース」をコストを払わずに起こす。キーカードは仮想的に♡7と♠7とする。起こしたあと、チャンスをパスする。",
                   "Reverse is raised on the target without paying its cost; its keys are virtually ♡7 and ♠7. Then you pass the chance.",
                   (Raise(action("reverse"), keep_target=True, virtual_keys=cards("♡7 ♠7"), then_pass=True),)),),
    rulings=("R-105", "R-106", "R-126"),
)  # fmt: skip

ILLUSION = Action(
    "illusion", "幻影", "Illusion", kind=TRIGGERED, timing=QUICK, since=EXTRA, direct=False,
    effect=(
        Clause("自分の場の兵士を好きな数だけ選び、チャージ状態の防壁にする。カードが複数なら1枚ずつ防壁にする。兵士のときに受けた効果や能力はなくなる。",
               "Choose any number of your soldiers; they become charged bulwarks, one per card, and lose the effects and abilities they had as soldiers.",
               (ChooseUnits(UNITS), UnitsToBulwarks(UNITS)),
               asks=(Question("あなたのどの兵士を防壁にしますか？", "Which of your soldiers become bulwarks?"),
                     Question("防壁になるカードをどの順に並べますか？", "In which order do the cards stand as bulwarks?"))),
        Clause("自分の場の防壁を好きな順に並べ替えてもよい。", "You may put your bulwarks in any order.", (RearrangeRow(),),
               asks=(Question("防壁をどの順に並べますか？", "In which order do you place your bulwarks?"),)),
    ),
    rulings=("R-112", "R-126", "R-216"),
)  # fmt: skip

SALVATION = Action(
    "salvation", "救済", "Salvation", kind=NORMAL_MAGIC, timing=MAIN, since=EXTRA, permission="salvation",
    cost="B", key=Key("one", ("♡A-K",)),
    effect=(
        Clause("数字がキーカードの数字以上の兵士をすべて、オーナーのライフの一番上に、それぞれのオーナーの好きな順で移す。",
               "Every soldier whose number is at least the key's number goes on top of its owner's life, in that owner's order.",
               (Gather(MINE, THEIRS, KEY_SUM), GatheredToLifeTop(MINE), GatheredToLifeTop(THEIRS, OPPONENT)),
               asks=(Question("あなたのカードを、どの順でライフの一番上に移しますか？", "In which order do your cards go on top of your life?"), Question("あなたのカードを、どの順でライフの一番上に移しますか？", "In which order do your cards go on top of your life?"))),
    ),
    rulings=("R-127", "R-48"),
)  # fmt: skip

SUMMON_CHARIOT = jack_summons(
    "summon_chariot", "チャリオット召喚", "Summon Chariot", "♡J", "♢2-10", "chariot", "チャリオット", "Chariot",
    Clause("場の防壁を1体選び（どちらの場でもよい）、墓地に移す。", "choose a bulwark on either side, it goes to the grave.",
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
    Ability("チャージ状態で、自分のターンにステージが空でチャンスを持っているとき、これをドライブして「防壁破壊」をコストを払わずに起こせる。"
            "対象は自由に指定し、キーカードは仮想的に♡Jと♢Jとする。起こしたあと、チャンスをパスする。",
            "While it is charged, on your turn with the stage empty and the chance yours, you may drive it to request Destroy Bulwark "
            "without paying its cost; name the target freely, its keys are virtually ♡J and ♢J. Then you pass the chance.",
            drives=Drives("destroy_bulwark", "♡J ♢J")),
    rulings=("R-105", "R-106", "R-126"),
)  # fmt: skip

GIANT = Character(
    "giant", "巨人", "Giant", EXTRA, cards="♡K + ♢K", pair=("♡K", "♢K"), number=26,
    abilities=(
        UNTARGETABLE, PREPARATION, TWO_GENERATIONS, two_suits("♡", "♢"), TWO_CARDS,
        Ability("自分のターンには、できる限り「アタック」を起こし、チャージ状態の巨人をアタッカーに指定しなければならない。"
                "そうできる間は「エンド」を起こせない。",
                "On your turn you must request Attack and name it as attacker whenever that is possible; while it is, you cannot "
                "request End.", "must_attack"),
        Ability("防壁の効果では墓地に移らない。", "The effect of a bulwark does not send it to the grave.", "wall_proof"),
    ),
    rulings=("R-85", "R-86", "R-121", "R-125", "R-68", "R-27"),
)  # fmt: skip

CHARACTERS: tuple[Character, ...] = (CHARIOT, GIANT)

TRUMPS: tuple[Trump, ...] = (
    Trump("♡2", "reinforcements", "援軍", "Reinforcements", allows=("reinforcements",), rulings=("R-123",),
          short_ja="ライフの上2枚から1枚を兵士として出す", short_en="One of the top two cards of life enters"),
    Trump("♡3", "encourage", "激励", "Encourage", allows=("encourage",), rulings=("R-107",),
          short_ja="♡の兵士を横にし、その数字を1体に足す", short_en="Drive a ♡ soldier: its number is added to another",
          abilities=(Ability("チャンスを持っているとき、自分のチャージ状態の♡の兵士をドライブして「激励」を起こせる。", "While you hold the chance you may drive a charged ♡ soldier of yours to request Encourage."),)),
    Trump("♡4", "armistice", "休戦", "Armistice", allows=("armistice",), rulings=("R-124",),
          short_ja="アタックを無効にし、自分は全員チャージ。♡4は裏に", short_en="Negate an attack, charge all of yours; ♡4 turns down"),
    Trump("♡5", "pursuit", "追撃", "Pursuit", allows=("pursuit",), rulings=("R-124",),
          short_ja="兵士全員をチャージし、もう一度アタック", short_en="Charge your soldiers and attack again"),
    Trump("♡7", "phantom", "ファントム", "Phantom", allows=("phantom",), on="end", raises="illusion", rulings=("R-112", "R-126"),
          short_ja="1体を兵士と防壁で入れ替える。エンドで兵士を防壁に", short_en="Reverse one character; at End soldiers may become bulwarks"),
    Trump("♡8", "salvation", "救済", "Salvation", allows=("salvation",), rulings=("R-127",),
          short_ja="キーの数字以上の兵士すべてをライフの上へ", short_en="Soldiers of the key's number or more go onto life"),
    Trump("♡J", "chariot", "チャリオット", "Chariot", allows=("summon_chariot",), rulings=("R-128", "R-109"),
          short_ja="防壁1体を墓地に移し、チャリオットになる", short_en="A bulwark falls, then a Chariot"),
    Trump("♡K", "giant", "巨人", "Giant", allows=("summon_giant",), rulings=("R-120", "R-109"),
          short_ja="♢Kと合わさる。場の防壁すべてを墓地へ", short_en="Joins ♢K; all bulwarks fall"),
)  # fmt: skip
