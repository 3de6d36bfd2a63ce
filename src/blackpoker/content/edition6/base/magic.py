"""Magic: quick and normal."""

from __future__ import annotations

from blackpoker.content.shared import A_BULWARK, A_SOLDIER, A_UNIT, MY_UNIT, THE_OPPONENT
from blackpoker.definitions.model import (
    Question, LITE, MAIN, MASTER, NORMAL_MAGIC, OPTION, PRO, QUICK, QUICK_MAGIC, STANDARD, Action, Clause, If, Key, Note,
    Target, UnitType, Zone, both, either,
)  # fmt: skip
from blackpoker.definitions.steps.cards import (
    AsideToBottom, Damage, DiscardOne, Look, OpenPack, RevealAndEnter, Shuffle, Take,
)  # fmt: skip
from blackpoker.definitions.steps.choosing import ChooseCard, ChooseWord
from blackpoker.definitions.steps.requests import Negate, Retarget
from blackpoker.definitions.steps.units import (
    Bonus, BonusForAll, BulwarksToSoldiers, Bury, BuryAll, ChargeAll, Enter, LifeToBulwarks, SetState,
    TargetToLifeTop, TurnOver,
)  # fmt: skip
from blackpoker.definitions.player_refs import OPPONENT, OWNER, TARGET_PLAYER
from blackpoker.definitions.values import Ref, KEY_SUM, TARGET_KEY_COUNT, TARGET_KEY_SUM, TARGET_NUMBER, KeyOf, Number
from blackpoker.definitions.literals import CARD, ONE_OR_TWO, STATES, STATES_OR_LEAVE, cards

# Names of bindings.
BURIED = Ref("buried")
COUNT = Ref("count")
FIRST = Ref("first")
SECOND = Ref("second")
STATE = Ref("state")

A_PLAYER = Target("プレイヤー1人", "one player", "player")

UP = Action(
    "up", "アップ", "Up", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="D", key=Key("one", ("♡A-10",)), target=A_SOLDIER,
    effect=(Clause("このターンが終わるまで、対象の数字にキーカードの数字を足す。",
                   "Until end of turn, add the key's number to the target's number.", (Bonus(KEY_SUM),)),),
    rulings=("R-154", "R-52"),
)  # fmt: skip

DOWN = Action(
    "down", "ダウン", "Down", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="D", key=Key("one", ("♠A-10",)), target=A_SOLDIER,
    effect=(
        Clause("このターンが終わるまで、対象の数字からキーカードの数字を引く。",
               "Until end of turn, subtract the key's number from the target's number.", (Bonus(KEY_SUM, negative=True),)),
        Clause("対象の数字が0以下なら、対象を墓地に移す。", "If the target's number is now 0 or less, it goes to the grave.",
               (If(TARGET_NUMBER.at_most(0), (Bury(),)),)),
    ),
    rulings=("R-154", "R-155"),
)  # fmt: skip

TWIST = Action(
    "twist", "ツイスト", "Twist", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="D", key=Key("one", ("♢A-10",)), target=A_UNIT,
    effect=(Clause("チャージ状態かドライブ状態を選び、対象をその状態にする。", "The target becomes charged or driven, as you choose.",
                   (ChooseWord(STATE, STATES), SetState(STATE)),
               asks=(Question("対象をどちらの状態にしますか？", "Does the target become charged or driven?"),)),),
    rulings=("R-156", "R-72"),
)  # fmt: skip

COUNTER = Action(
    "counter", "カウンター", "Counter", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="D", key=Key("one", ("♣A-10",)),
    target=Target("ステージにある、キーカードが1枚か2枚のアクション1つ", "one action on the stage with one or two keys",
                  "request", keys=(1, 2), counterable=True),
    effect=(
        Clause("対象のキーカードが2枚か、1枚でその数字がこのアクションのキーカードの数字以下なら、対象を無効にする。対象をステージから取り除き、そのキーカードを墓地に移す。",
               "If the target has two keys, or one key no higher than this one, it is negated: it leaves the stage and its keys go to the grave.",
               (If(either(TARGET_KEY_COUNT.equals(2), KEY_SUM.at_least(TARGET_KEY_SUM)), (Negate(),)),)),
    ),
    rulings=("R-157", "R-158", "R-159", "R-44"),
)  # fmt: skip

REUNION = Action(
    "reunion", "再会", "Reunion", kind=QUICK_MAGIC, timing=QUICK, since=PRO,
    key=Key("two", ("♡A-10",)),
    effect=(Clause("自分の墓地からカードを1枚選び、対戦相手に見せて手札に加える。", "Choose a card in your grave, show it, take it to your hand.",
                   (ChooseCard(CARD, Zone.GRAVE), Take(CARD, Zone.GRAVE)),
               asks=(Question("墓地のどのカードを手札に加えますか？", "Which card of your grave do you take to your hand?"),)),),
    rulings=("R-161",),
)  # fmt: skip

KILL = Action(
    "kill", "キル", "Kill", kind=QUICK_MAGIC, timing=QUICK, since=PRO,
    key=Key("two", ("♠A-10",)), target=A_SOLDIER,
    effect=(Clause("対象を墓地に移す。", "The target goes to the grave.", (Bury(),)),),
)  # fmt: skip

CEASEFIRE = Action(
    "ceasefire", "停戦", "Ceasefire", kind=QUICK_MAGIC, timing=QUICK, since=PRO,
    key=Key("two", ("♢A-10",)),
    target=Target("ステージにある「ダメージ判定」", "the Damage Judgement on the stage", "request", action="damage_judgement"),
    effect=(Clause("対象を無効にし、ステージから取り除く。", "The target is negated and leaves the stage.", (Negate(),)),),
    rulings=("R-74", "R-44"),
)  # fmt: skip

RETARGET = Action(
    "retarget", "対象変更", "Retarget", kind=QUICK_MAGIC, timing=QUICK, since=PRO,
    key=Key("two", ("♣A-10",)),
    target=Target("ステージにある、対象を指定しているアクション1つ", "one action on the stage that has a target",
                  "request", targeted=True),
    effect=(Clause("対象のアクションが指定している対象を、そのアクションが指定できる別の対象に変える。",
                   "Change the target of that action to another one it could have named.", (Retarget(),),
               asks=(Question("新しい対象はどれにしますか？", "Which is the new target?"),)),),
    notes=(Note("アクションを対象とするアクションの対象は、この対象変更に変えることもできる。対象にできないものには変えられない。",
                "An action that targets actions may be changed onto this Retarget itself; nothing may be changed onto what cannot be a "
                "target."),),
    rulings=("R-164", "R-165"),
)  # fmt: skip

DESTROY_BULWARK = Action(
    "destroy_bulwark", "防壁破壊", "Destroy Bulwark", kind=NORMAL_MAGIC, timing=MAIN, since=LITE,
    key=Key("each", ("♡A-K", "♢A-K")), target=A_BULWARK,
    effect=(Clause("対象を墓地に移す。", "The target goes to the grave.", (Bury(),)),),
)  # fmt: skip

THROW = Action(
    "throw", "投擲", "Throw", kind=NORMAL_MAGIC, timing=MAIN, since=LITE,
    key=Key("each", ("♠A-K", "♣A-K")), target=THE_OPPONENT,
    effect=(Clause("対象に、♠のキーカードの数字と同じ点数のダメージを与える。", "Deal damage equal to the ♠ key's number to the target.",
                   (Damage(TARGET_PLAYER, KeyOf(cards("♠A-K"))),)),),
    rulings=("R-47",),
)  # fmt: skip

DEATH_LANCE = Action(
    "death_lance", "死の槍", "Death Lance", kind=NORMAL_MAGIC, timing=MAIN, since=STANDARD,
    key=Key("each", ("♠A-K", "♢A-K")), target=A_SOLDIER,
    effect=(
        Clause("対象の数字が0以外で、♢のキーカードの数字で割り切れるなら、対象をオーナーのライフの一番上に裏向きで移し（複数枚なら好きな順）、"
               "オーナーに♠のキーカードの数字と同じ点数のダメージを与える。",
               "If the target's number is not 0 and divisible by the ♢ key's number, put its cards face down on its owner's life "
               "in any order, then deal damage equal to the ♠ key's number to that owner.",
               (If(both(TARGET_NUMBER.differs(0), TARGET_NUMBER.divisible_by(KeyOf(cards("♢A-K")))),
                   (TargetToLifeTop(), Damage(OWNER, KeyOf(cards("♠A-K"))))),),
               asks=(Question("対象のカードを、どの順でライフの一番上に移しますか？", "In which order do its cards go on top of that life?"),)),
    ),
    rulings=("R-167",),
)  # fmt: skip

REPLENISH_BULWARK = Action(
    "replenish_bulwark", "防壁補充", "Replenish Bulwarks", kind=NORMAL_MAGIC, timing=MAIN, since=STANDARD,
    key=Key("each", ("♡A-K", "♣A-K")),
    effect=(
        Clause("自分のライフの一番上から1枚を防壁として裏向き・チャージ状態で、または2枚を防壁として裏向き・ドライブ状態で場に出す。",
               "The top card of your life enters as a bulwark, face down and charged, or the top two enter as bulwarks, face down and driven.",
               (ChooseWord(COUNT, ONE_OR_TWO),
                If(COUNT.equals(0), (LifeToBulwarks(1),), (LifeToBulwarks(2, driven=True),))),
               asks=(Question("チャージ状態の防壁を1体出しますか、ドライブ状態の防壁を2体出しますか？", "One charged bulwark, or two driven ones?"),)),
    ),
    rulings=("R-168",),
)  # fmt: skip

REANIMATE = Action(
    "reanimate", "リアニメイト", "Reanimate", kind=NORMAL_MAGIC, timing=MAIN, since=STANDARD,
    key=Key("each", ("♠A-K", "♡A-K")), target=MY_UNIT,
    effect=(
        Clause("自分の墓地からカードを1枚選ぶ。", "Choose a card in your grave.", (ChooseCard(CARD, Zone.GRAVE),),
               asks=(Question("墓地のどのカードを兵士にしますか？", "Which card of your grave enters as a soldier?"),)),
        Clause("対象を墓地に移す。移せたら、選んだカードを兵士として表向き・チャージ状態で場に出す。移せなければ、選んだカードは墓地に戻す。",
               "The target goes to the grave. If it did, the chosen card enters as a soldier, face up and charged; if not, the chosen card stays in the grave.",
               (Bury(bind=BURIED), If(BURIED.equals(1), (Enter(CARD, Zone.GRAVE),)))),
    ),
    rulings=("R-169", "R-80"),
)  # fmt: skip

HAND_DESTRUCTION = Action(
    "hand_destruction", "ハンデス", "Hand Destruction", kind=NORMAL_MAGIC, timing=MAIN, since=STANDARD,
    key=Key("each", ("♢A-K", "♣A-K")), target=THE_OPPONENT,
    effect=(
        Clause("対象の手札を見て、カードを1枚指定する。対象はそのカードを捨てる。", "Look at the target's hand and choose a card; they discard it.",
               (Look(), ChooseCard(CARD, Zone.HAND, owner=OPPONENT), DiscardOne(CARD, OPPONENT)),
               asks=(Question("相手にどの手札を捨てさせますか？", "Which card of their hand must your opponent discard?"),)),
    ),
    rulings=("R-170",),
)  # fmt: skip

FORCE = Action(
    "force", "フォース", "Force", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER, counterable=False,
    cost="BB", key=Key("two", ("♡A-10",)),
    effect=(Clause("このターンが終わるまで、自分の兵士すべての数字にキーカードの合計を足す。",
                   "Until end of turn, add the sum of the keys to the numbers of all your soldiers.",
                   (BonusForAll(KEY_SUM),)),),
    rulings=("R-171", "R-157"),
)  # fmt: skip

SWORD_RAIN = Action(
    "sword_rain", "剣の雨", "Rain of Swords", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER, counterable=False,
    cost="BB", key=Key("two", ("♠A-10",)),
    effect=(Clause("数字がキーカードの合計以下の兵士をすべて墓地に移す。",
                   "Every soldier whose number is at most the sum of the keys goes to the grave.",
                   (BuryAll(at_most=KEY_SUM),)),),
    rulings=("R-172", "R-157"),
)  # fmt: skip

RECRUIT = Action(
    "recruit", "徴募", "Recruit", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER, counterable=False,
    cost="BB", key=Key("two", ("♢A-10",)),
    effect=(
        Clause("自分のライフの一番上から4枚をめくり、数字がキーカードの合計以下のカードをすべて、兵士としてドライブ状態で場に出す。",
               "Turn up the top four cards of your life; those with a number at most the sum of the keys enter as driven soldiers.",
               (RevealAndEnter(4, KEY_SUM),)),
        Clause("残りのカードを好きな順でライフの一番下に移す。", "The rest go under your life in any order.", (AsideToBottom(),),
               asks=(Question("残りを、どの順でライフの一番下に移しますか？", "In which order do the rest go under your life?"),)),
    ),
    rulings=("R-173", "R-123", "R-157"),
)  # fmt: skip

SURPRISE_ATTACK = Action(
    "surprise_attack", "奇襲", "Surprise Attack", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER, counterable=False,
    cost="BB", key=Key("two", ("♣A-10",)),
    effect=(
        Clause("自分の場の防壁をすべて兵士にする。このターンに場に出た防壁は、このターンに場に出た兵士として扱う。", "All your bulwarks become soldiers; one that entered this turn counts as a soldier that entered this turn.", (BulwarksToSoldiers(),)),
        Clause("自分の場の兵士をすべてチャージ状態にする。", "All your soldiers become charged.",
               (ChargeAll(UnitType.SOLDIER),)),
    ),
    rulings=("R-174", "R-157"),
)  # fmt: skip

SEARCH = Action(
    "search", "サーチ", "Search", kind=QUICK_MAGIC, timing=QUICK, since=LITE, immediate=True,
    key=Key("one", ("JK",)),
    effect=(
        Clause("自分のライフから好きなカードを1枚選び、対戦相手に見せて手札に加える。", "Choose a card in your life, show it, take it to your hand.",
               (ChooseCard(CARD, Zone.LIFE), Take(CARD, Zone.LIFE)),
               asks=(Question("ライフのどのカードを手札に加えますか？", "Which card of your life do you take to your hand?"),)),
        Clause("ライフをシャッフルする。", "Shuffle your life.", (Shuffle(),)),
    ),
    rulings=("R-175", "R-217"),
)  # fmt: skip

_SUITS = "♠♡♢♣"

BLACK_JACK = Action(
    "black_jack", "B・J", "Black Jack", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER, immediate=True, late_triggers=True,
    cost="SS", key=Key("whole", tuple(f"{s}A {s}J" for s in _SUITS)),
    effect=(
        Clause("自分のライフから好きなカードを2枚選び、対戦相手に見せて手札に加える。", "Choose two cards in your life, show them, take them to your hand.",
               (ChooseCard(FIRST, Zone.LIFE), Take(FIRST, Zone.LIFE),
                ChooseCard(SECOND, Zone.LIFE), Take(SECOND, Zone.LIFE)),
               asks=(Question("ライフのどのカードを手札に加えますか？（1枚目）", "Which card of your life do you take first?"), Question("ライフのどのカードを手札に加えますか？（2枚目）", "Which card of your life do you take second?"))),
        Clause("ライフをシャッフルする。", "Shuffle your life.", (Shuffle(),)),
    ),
    rulings=("R-23", "R-176"),
)  # fmt: skip

ROYAL_STRAIGHT_FLUSH = Action(
    "royal_straight_flush", "R・S・F", "Royal Straight Flush", kind=NORMAL_MAGIC, timing=MAIN, since=MASTER,
    counterable=False,
    cost="BB", key=Key("whole", tuple(f"{s}A {s}10 {s}J {s}Q {s}K" for s in _SUITS)), target=A_PLAYER,
    effect=(Clause("対象に40点のダメージを与える。", "Deal 40 damage to the target.", (Damage(TARGET_PLAYER, Number(40)),)),),
    rulings=("R-177", "R-157"),
)  # fmt: skip

REVERSE = Action(
    "reverse", "リバース", "Reverse", kind=NORMAL_MAGIC, timing=MAIN, since=STANDARD,
    key=Key("same_number"), target=A_UNIT,
    effect=(
        Clause("対象をチャージ状態かドライブ状態にしてもよい。", "You may set the target charged or driven.",
               (ChooseWord(STATE, STATES_OR_LEAVE), SetState(STATE)),
               asks=(Question("対象の状態を変えますか？", "Do you change the state of the target?"),)),
        Clause("対象が兵士なら、防壁にする。カードが複数なら1枚ずつ防壁にする。兵士のときに受けた効果や能力はなくなる。",
               "A soldier becomes a bulwark, one per card if it has several, and loses the effects and abilities it had as a soldier.",
               (TurnOver(),),
               asks=(Question("防壁になるカードをどの順に並べますか？", "In which order do the cards stand as bulwarks?"),)),
        Clause("対象が防壁なら、兵士にする。防壁のときに受けた効果や能力はなくなる。このターンに場に出た防壁なら、"
               "このターンに場に出た兵士として扱う。",
               "A bulwark becomes a soldier and loses the effects and abilities it had as a bulwark; one that entered this turn "
               "counts as a soldier that entered this turn."),
    ),
    rulings=("R-178", "R-84"),
)  # fmt: skip

OPEN_PACK = Action(
    "open_pack", "パック開封", "Open Pack", kind=QUICK_MAGIC, timing=QUICK, since=OPTION, immediate=True, per_game=True,
    effect=(
        Clause("自分のパックから好きなカードを1枚選び、対戦相手に見せて手札に加える。", "Choose a card in your pack, show it, take it to your hand.",
               (ChooseCard(CARD, Zone.PACK), Take(CARD, Zone.PACK)),
               asks=(Question("パックのどのカードを手札に加えますか？", "Which card of your pack do you take to your hand?"),)),
        Clause("パックを表向きにする（開封済みとなる）。", "Turn your pack face up: it is opened.", (OpenPack(),)),
    ),
    rulings=("R-198",),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    UP, DOWN, TWIST, COUNTER, REUNION, KILL, CEASEFIRE, RETARGET, DESTROY_BULWARK, THROW, DEATH_LANCE, REPLENISH_BULWARK,
    REANIMATE, HAND_DESTRUCTION, FORCE, SWORD_RAIN, RECRUIT, SURPRISE_ATTACK, SEARCH, BLACK_JACK, ROYAL_STRAIGHT_FLUSH,
    REVERSE, OPEN_PACK,
)  # fmt: skip
