"""The option "hand of five": both players are dealt five cards, the first player draws one more."""

from __future__ import annotations

import blackpoker as bp


def test_both_players_start_with_five_cards() -> None:
    game = bp.Game("pro+full+hand5", seed=1)
    hands = sorted(game.view(player).side(player).hand.count for player in bp.Player)
    assert hands == [5, 6]
    assert bp.Game("pro+full", seed=1).regulation.min_cards - game.regulation.min_cards == 2
