"""Checks in a copy of the tree with the walk "a step that asks".

An action uses the new step, and all other parts of the program support it although only the step's file was changed.
"""

from __future__ import annotations

import blackpoker as bp
from blackpoker.assist.autopass import AssistSettings
from blackpoker.definitions.model import LITE, MAIN, NORMAL_MAGIC, Action, Clause, Key, Question
from blackpoker.definitions.steps import choosing
from blackpoker.definitions.steps.cards import Draw
from blackpoker.definitions.steps.units import Bury
from blackpoker.definitions.values import Ref
from blackpoker.game.assistant import Assistant
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import standard_edition

TIRED = Ref("tired")
FURLOUGH = Action(
    "furlough",
    "休暇",
    "Furlough",
    kind=NORMAL_MAGIC,
    timing=MAIN,
    since=LITE,
    key=Key("one", ("♡2-10",)),
    effect=(
        Clause(
            "自分のチャージ状態の兵士を1体選ぶ。",
            "Choose a charged soldier of yours.",
            (choosing.ChooseCharged(TIRED),),  # type: ignore[attr-defined]
            asks=(Question("誰を休ませますか？", "Who is to rest?"),),
        ),
        Clause("それを墓地に移し、2枚引く。", "It goes to the grave; draw two cards.", (Bury(TIRED), Draw(2))),
    ),
)
POSITION = '[p1]\nhand = "H5 S9"\nfield = "S2 D3(d) C4"\nlife = "C5 C6 C7 C8"\n[p2]\nfield = "S7"'


def game_at_choice() -> bp.Game:
    game = bp.Game.from_position(POSITION, seed=1, edition=standard_edition().add(FURLOUGH).rename("planted"))
    game.push_text("furlough H5")
    while game.decision is not None and game.decision.kind == "chance":
        game.push_text("pass")
    return game


def main() -> None:
    game = game_at_choice()
    decision = game.decision
    assert decision is not None
    # the tokens, the prompt, the locations on the table
    assert [str(word) for word in decision.options] == ["S2", "C4"]
    assert [word.location for word in decision.options] == ["unit:p1:S2", "unit:p1:C4"]
    assert "Who is to rest?" in decision.prompt_in("en")
    assert "誰を休ませますか？" in decision.prompt_in("ja")
    # it is not decided automatically for a person
    verdict = Assistant(game).automatic(AssistSettings())
    assert verdict.option is None
    assert verdict.window == "choice"
    # two answers, two views, and a line of the log
    views = []
    for word in ("S2", "C4"):
        chosen_game = game_at_choice()
        step = chosen_game.push(chosen_game.parse(word))
        assert any("grave" in line for line in step.lines("en", bp.Player.P1))
        views.append(chosen_game.view(bp.Player.P1))
    assert views[0] != views[1]
    assert [unit.name for unit in views[0].p1.soldiers] == ["D3", "C4"]
    assert [unit.name for unit in views[1].p1.soldiers] == ["S2", "D3"]
    # an earlier choice is in the chooser's view at the effect's next question: the program binds it
    assert game._engine.active is not None
    program = game._engine.rules.plans[game._engine.active.action].program
    assert program[0].chooses
    assert program[0].slot >= 0
    # the heuristic player continues: it gives the least valuable
    player = make_player("heuristic", game.regulation, 0, 1)
    option = player.choose(PlayerView(game, 0, prior_knowledge(game.regulation)), decision)
    assert option in game._engine.options
    print("the planted step is known to all")


if __name__ == "__main__":
    main()
