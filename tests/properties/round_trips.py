"""One random game in which saving and loading, copying, undoing and hiding are checked at every decision."""

from __future__ import annotations

import msgspec

from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.visibility import AUDIENCES
from blackpoker.game.game import Game
from blackpoker.notation import state_writer
from blackpoker.notation.options import view_of
from blackpoker.smoke.invariants import require
from tests.hidden_cards import permute_hidden


def check_secrecy(game: Game, seed: int) -> None:
    """Permuting what a seat cannot know changes neither its view nor its options (R-210…R-216)."""
    engine = game._engine
    for seat in AUDIENCES:
        before = msgspec.json.encode(view_of(engine, seat))
        other = engine.copy()
        permute_hidden(other, seat, seeded(seed))
        if other.asked == seat and other.kind == CHANCE_KIND:
            other.list_requests()
        require(msgspec.json.encode(view_of(other, seat)) == before, f"seat {seat} sees what it may not know")


def check_round_trips(game: Game, option: int) -> None:
    saved = game.to_json()
    loaded = Game.from_json(saved)
    require(loaded.to_json() == saved, "JSON round trip")
    require(list(loaded.options) == list(game.options), "loading offers the same")
    other = game.copy()
    other.push(option)
    after = other.to_json()
    loaded.push(option)
    require(loaded.to_json() == after, "a loaded game goes on identically")
    copied = game._engine.copy()
    copied.push(option)
    require(state_writer.dump(copied) == state_writer.dump(other._engine), "a copy goes on identically")
    other.pop()
    require(other.to_json() == saved, "pop undoes push")


def round_trip_game(regulation: str, seed: int) -> None:
    game = Game(regulation, seed=seed)
    chance = seeded(seed + 1)
    try:
        while game.outcome() is None:
            option = game.options[chance.below(len(game.options))]
            check_round_trips(game, option)
            check_secrecy(game, seed)
            game.push(option)
        finished = game.to_json()
        require(Game.from_json(finished).to_json() == finished, "a finished game is saved")
        record = game.record()
        replayed = Game.from_record(record)
        require(
            replayed.hash() == game.hash() and replayed.outcome() == game.outcome(), "a record leads to the same end"
        )
        require(replayed.record() == record, "a record round trip")
    except Exception as error:
        error.add_note(f"in {regulation}, seed {seed}, turn {game.turn_number}")
        raise
