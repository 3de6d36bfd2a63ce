"""Updates with the changed fields of a view lead to the whole view; they are small."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from blackpoker import Audience, Game
from blackpoker.protocol import messages as p
from blackpoker.protocol.view_changes import SIDE_FIELDS, VIEW_FIELDS, apply_changes, changed_fields
from tests.server.spy import spied_game

#: most bytes of an update on average over whole games
MAX_MEAN_BYTES = 1500


def wire(value: Any) -> Any:
    return json.loads(p.encode(value))


@pytest.mark.parametrize("regulation", ["lite+entry", "extra+regular", "9:master+extra"])
def test_changes_lead_to_the_whole_view(regulation: str) -> None:
    chooser = random.Random(regulation)
    game = Game(regulation, seed=5)
    audiences = (Audience.P1, Audience.P2, Audience.PUBLIC, Audience.JUDGE)
    views = {audience: game.view(audience) for audience in audiences}
    held = {audience: wire(view) for audience, view in views.items()}
    changed: set[str] = set()
    for _ in range(400):
        if game.outcome() is not None:
            break
        game.push(chooser.choice(game.options))
        for audience in audiences:
            view = game.view(audience)
            changes = changed_fields(views[audience], view)
            changed |= changes.keys()
            held[audience], views[audience] = apply_changes(held[audience], wire(changes)), view
            assert held[audience] == wire(view)
    assert {"turn", "decision", "p1.hand", "p2.grave"} <= changed
    assert changed <= set(VIEW_FIELDS) | {f"{side}.{name}" for side in ("p1", "p2") for name in SIDE_FIELDS}


def test_updates_are_small() -> None:
    """Whole games, seen by both seats and a spectator; 2,883 bytes before views were sent as changes."""
    updates = sizes = 0
    for seed, regulation in enumerate(("lite+entry", "pro+full", "master+full", "extra+regular")):
        spy = spied_game(regulation, seed, interval=10_000)
        assert not spy.leaks
        updates += spy.messages["update"]
        sizes += spy.update_bytes
    assert updates > 1000
    assert sizes / updates <= MAX_MEAN_BYTES


def test_equal_views_have_no_changes() -> None:
    game = Game(seed=3)
    assert changed_fields(game.view(Audience.P1), game.view(Audience.P1)) == {}
    assert changed_fields(game.view(Audience.P1), game.view(Audience.P2)) != {}
    assert msgspec.to_builtins(apply_changes({"turn": "p1"}, {})) == {"turn": "p1"}
