"""Replays of the most different games for the page: the moves, their events, and the table after each."""

from __future__ import annotations

from typing import Any, Final

from blackpoker import Audience, BlackPokerError, Edition, Game, View
from blackpoker.lab.experiment import LabError, arm_of
from blackpoker.lab.experiment_file import Store
from blackpoker.lab.game_runner import replay
from blackpoker.lab.metrics import ReportMetrics

#: compared arms with replays
MOST_ARMS: Final = 3


def replays(store: Store, figures: ReportMetrics, known: dict[str, Edition] | None = None) -> list[dict[str, Any]]:
    """Return pairs of games of the same deal by two arms, with an error text for games that cannot be replayed."""
    out: list[dict[str, Any]] = []
    for difference in figures.differences[:MOST_ARMS]:
        for apart in difference.extreme_deals:
            games = []
            for number in apart.arms:
                try:
                    arm = arm_of(store.arms[number], known)
                    game = replay(arm, store.row(apart.deal, number, apart.swapped))
                    games.append({"arm": arm.name, "record": game.record(), "frames": frames(game)})
                except (LabError, BlackPokerError) as error:
                    games.append({"arm": store.arms[number]["name"], "missing": [error.ja, error.en]})
            out.append({"deal": apart.deal, "seed": int(store.about["seed"]) + apart.deal, "games": games})
    return out


def frames(game: Game) -> list[dict[str, Any]]:
    """Return a frame for every move with an effect; the first is the deal."""
    audience = Audience.JUDGE
    deal = next(game.steps(deal=True))
    out = [_frame(deal.after, "", deal.lines("ja", audience), deal.lines("en", audience))]
    for step in game.steps():
        ja, en = step.lines("ja", audience), step.lines("en", audience)
        if ja:
            out.append(_frame(step.after, f"{step.player}: {step.text}", ja, en))
    return out


def _frame(game: Game, move: str, ja: list[str], en: list[str]) -> dict[str, Any]:
    view = game.view(Audience.JUDGE)
    sides = [_side(view, seat) for seat in (0, 1)]
    return {"turn": int(game.turn_number), "text": move, "ja": ja, "en": en, "sides": sides}


def _side(view: View, seat: int) -> list[Any]:
    """Return life, hand, soldiers, bulwarks, trumps and grave count; a tilde marks driven units."""
    side = view.side(seat)
    soldiers = [f"{'+'.join(each.cards)}({each.number}){'~' if each.driven else ''}" for each in side.soldiers]
    bulwarks = [f"{each.card}{'~' if each.driven else ''}" for each in side.bulwarks]
    trumps = [f"{each.card}{'' if each.open else '▾'}" for each in side.trumps]
    return [side.life, side.hand.cards or [], soldiers, bulwarks, trumps, side.grave.count]
