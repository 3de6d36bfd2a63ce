"""Actions of attack and defence."""

from __future__ import annotations

from blackpoker.definitions.model import COMBAT, LITE, MAIN, Action, Clause, If, Question
from blackpoker.definitions.steps.combat import AssignBlockers, CompareCombat, NameAttackers
from blackpoker.definitions.steps.requests import Raise
from blackpoker.definitions.values import ATTACKERS
from blackpoker.definitions.literals import action

ATTACK = Action(
    "attack", "アタック", "Attack", kind=COMBAT, timing=MAIN, since=LITE, per_turn=True, attacks=True,
    effect=(
        Clause("自分のチャージ状態で攻撃できる兵士を好きな数だけ選び、ドライブしてアタッカーに指定する。",
               "Choose any number of your charged soldiers that may attack, drive them; they are attackers.",
               (NameAttackers(),),
               asks=(Question("どの兵士でアタックしますか？", "Which of your soldiers attack?"),)),
        Clause("アタッカーが1体以上いれば、「ブロック」を起こす。",
               "If there is at least one attacker, the Block action is raised.",
               (If(ATTACKERS.at_least(1), (Raise(action("block")),)),)),
    ),
    rulings=("R-58", "R-59", "R-60", "R-61"),
)  # fmt: skip

BLOCK = Action(
    "block", "ブロック", "Block", kind=COMBAT, timing=MAIN, since=LITE, direct=False,
    effect=(
        Clause("対戦相手はアタッカーごとに、チャージ状態の防壁1体か、チャージ状態の兵士1体以上をブロッカーに指定してもよい。",
               "For each attacker your opponent may name one charged bulwark, or one or more charged soldiers, as blockers.",
               (AssignBlockers(),),
               asks=(Question("どのキャラクターでブロックしますか？", "Who blocks?"),)),
        Clause("「ダメージ判定」を起こす。", "The Damage Judgement action is raised.", (Raise(action("damage_judgement")),)),
    ),
    rulings=("R-62", "R-63", "R-64", "R-65"),
)  # fmt: skip

DAMAGE_JUDGEMENT = Action(
    "damage_judgement", "ダメージ判定", "Damage Judgement", kind=COMBAT, timing=MAIN, since=LITE, direct=False, judges=True,
    effect=(
        Clause("兵士がブロックしている場合、数字を比べ、小さい側を墓地に移す。同じなら両方を移す。ブロッカーが複数なら、その合計と比べる。",
               "Blocked by soldiers: the smaller side goes to the grave, both if equal. Several blockers count together.",
               (CompareCombat(),)),
        Clause("防壁がブロックしている場合、防壁を表にする。Joker か、アタッカーのカードのどれかと書かれた数字が同じなら、"
               "アタッカーを墓地に移す。その後、防壁を墓地に移す。",
               "Blocked by a bulwark: turn it up. If it is a Joker or has the number of any card of the attacker, the attacker "
               "goes to the grave. Then the bulwark goes to the grave."),
        Clause("ブロッカーが場にいないアタッカーは、対戦相手に、その数字と同じ点数のダメージを与える。",
               "An attacker with no blocker on the field deals damage equal to its number to your opponent."),
    ),
    rulings=("R-66", "R-67", "R-68", "R-69", "R-70", "R-71", "R-72", "R-73", "R-75"),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (ATTACK, BLOCK, DAMAGE_JUDGEMENT)
