"""Computer players use the action of the worked example if it wins the game or saves a soldier."""

from __future__ import annotations

from benchmarks.players_rules import use

from blackpoker.ruleset.packages import load
from tests.rule_packages.test_load import HOUSE


def test_the_heuristic_player_uses_a_new_action() -> None:
    used, useful = use("lite+house30", load([HOUSE]), "bolt", 40, 1000)
    assert useful >= 5, "there must be games to judge by"
    assert 2 * used >= useful
