"""Levels that err make beginners' mistakes, never absurd moves: judged by the certain effects of a move."""

from __future__ import annotations

import os

import pytest

from blackpoker import Regulation
from blackpoker.assist.decision import Draft
from blackpoker.assist.forecast import ForecastResult
from blackpoker.engine import events as ev
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.locations import PLAYERS
from blackpoker.players.engine_players import LEVELS

#: events that are good or bad for a player or its units
BETTER = {ev.ENTERED, ev.ATTACHED, ev.TOOK, ev.DREW, ev.CHARGED, ev.OPENED, ev.TRUMP_SET}
WORSE = {
    ev.DAMAGED,
    ev.DISCARDED,
    ev.BURIED,
    ev.RETURNED,
    ev.TOPPED,
    ev.SUNK,
    ev.DROVE,
    ev.CLOSED,
    ev.TRUMP_LOST,
    ev.MILLED,
}
#: events of a request's progress, and those the forecast describes better
NEUTRAL = {
    ev.DECLARED,
    ev.PASSED,
    ev.RESOLVING,
    ev.FIZZLED,
    ev.RAISED,
    ev.STAGED,
    ev.KEYS_SPENT,
    ev.KEYS_RETURNED,
    ev.BONUS,
    ev.NEGATED,
    ev.DROPPED,
}


def result_sign(one: ForecastResult, engine: Engine, seat: int) -> int:
    """Return 1 if the result is good for the seat, -1 if it is bad."""
    kind, _, place = one.location.partition(":")
    if kind == "stage":
        return -1 if engine.stage[int(place) - 1].controller == seat else 1
    sign = 1 if place.startswith(PLAYERS[seat]) else -1
    if one.kind == "number":
        return sign if one.number > one.previous else -sign
    return sign if one.kind in ("draw", "charges") else -sign


def event_sign(event: RawEvent, seat: int) -> int:
    """Return the same for an event; 0 if unclear."""
    sign = 1 if event[1] == seat else -1
    return sign if event[0] in BETTER else -sign if event[0] in WORSE else 0


def absurd(engine: Engine, draft: Draft) -> str:
    """Return why the move is absurd: it certainly loses the game, changes nothing, or only harms its player. Passing is
    always possible instead."""
    found = draft.forecast
    # a life that a triggered search turns over to its end is overlooked by beginners
    if PLAYERS[draft.seat] in found.lethal_for and found.life_lost >= len(engine.sides[draft.player].life):
        return "loses the game by it"
    if draft.forecast.futile:
        return "for nothing"
    signs = {result_sign(one, engine, draft.seat) for one in draft.results}
    signs |= {event_sign(event, draft.seat) for event in draft.forecast.effect if event[0] not in NEUTRAL}
    return "only hurts itself" if signs == {-1} else ""


def replay(engine: Engine, choices: bytes, found: list[str]) -> None:
    """Replay a game from its choices, move by move, and collect the absurd moves."""
    made = iter(choices)
    answers: dict[tuple[int, int], int] = {}
    engine.advance()
    while engine.options:
        draft = Draft(engine)
        while not draft.complete and draft._engine.options:
            options = draft._engine.options
            draft.push(options[0] if len(options) == 1 else next(made))
        if engine.kind == CHANCE_KIND and draft.options[0] != PASS:
            why = "" if engine.rules.plans[draft.options[0] - 1].ends_turn else absurd(engine, draft)
            found += [f"{draft.text}: {why}"] if why else []
            if engine.asked != engine.turn or engine.stage:
                moment = (int(engine.turn_number), int(engine.asked))
                answers[moment] = answers.get(moment, 0) + 1
        for option in draft.options:
            engine.push(option)
    assert max(answers.values(), default=0) <= 1, "one answer a turn"


@pytest.mark.parametrize(
    "text",
    [
        "lite+entry",
        "standard+full",
        "pro+full",
        "master+full",
        "extra+regular",
        "9:lite+entry16",
        "9:standard+rare_pack",
        "9:pro+strategy",
        "9:master+draft",
    ],
)
@pytest.mark.parametrize("name", ["easy", "casual"])
def test_weak_levels_make_no_absurd_moves(text: str, name: str) -> None:
    """500 games in the soak."""
    from blackpoker.players.batch_play import GameBatch, play

    seeds = range(800, 1300 if os.environ.get("BLACKPOKER_LONG") else 830)
    bouts = GameBatch(Regulation.parse(text), seeds, [LEVELS[name]] * 2)
    found: list[str] = []
    for seed, choices in zip(seeds, play(bouts, choices=True).choices, strict=True):
        replay(bouts.new_world(seed), choices, found)
    assert found == []
