"""The bot ladder in the database: each game is rated once even if a commit is retried; old databases are migrated."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.server.rooms.seats import FinishedGame, RoomSeat
from blackpoker.server.storage.bot_ratings import bot_leaderboard, find_bot, is_rated, rate_bots
from blackpoker.server.storage.database import make_engine, migrate
from blackpoker.server.storage.schema import META

FIRST, SECOND, THIRD = ("a" * 16, "b" * 16, "c" * 16)


def finished(number: int, pair: tuple[str, str], winner: str, **changes: Any) -> FinishedGame:
    meta = {
        "regulation": "lite+entry",
        "names": [pair[0][:1], pair[1][:1]],
        "levels": ["", ""],
        "bots": list(pair),
        "winner": winner,
        "reason": "life",
        "turns": 9,
        "practice": False,
        "queue": True,
        "at": float(number),
        "part": 1,
        **changes,
    }
    return FinishedGame(number, 1, f"record{number}", "", meta)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    found = make_engine(str(tmp_path / "ladder.db"))
    with found.begin() as connection:
        migrate(connection)
    yield found
    found.dispose()


def test_games_are_rated_in_their_order(engine: Engine) -> None:
    games = [
        finished(1, (FIRST, SECOND), "p1"),
        finished(2, (SECOND, THIRD), "p2"),
        finished(3, (THIRD, FIRST), "draw"),
    ]
    ratings = {FIRST: Rating(), SECOND: Rating(), THIRD: Rating()}
    for one, two, winner in ((FIRST, SECOND, 0), (SECOND, THIRD, 1), (THIRD, FIRST, None)):
        ratings[one], ratings[two] = updated_ratings(ratings[one], ratings[two], winner)
    for game in games:
        with engine.begin() as connection:
            rate_bots(connection, [game])
    with engine.connect() as connection:
        found = bot_leaderboard(connection)
        page = find_bot(connection, FIRST)
        assert find_bot(connection, "d" * 16) is None
    assert {rung.id: rung.rating for rung in found} == ratings
    assert [rung.rating.conservative for rung in found] == sorted(
        (one.conservative for one in ratings.values()), reverse=True
    )
    assert {rung.id: (rung.games, rung.won, rung.drawn) for rung in found} == {
        FIRST: (2, 1, 1),
        SECOND: (2, 0, 0),
        THIRD: (2, 1, 1),
    }
    assert page is not None
    rung, place, plays, games_of = page
    assert (rung.name, plays, [game.record for game in games_of]) == ("a", {"lite+entry": 2}, ["record3", "record1"])
    assert found[place - 1].rating.conservative == rung.rating.conservative


def test_a_commit_that_is_tried_again_counts_once(engine: Engine) -> None:
    game = finished(1, (FIRST, SECOND), "p2")
    for _ in range(3):
        with engine.begin() as connection:
            rate_bots(connection, [game, game])
    with engine.connect() as connection:
        assert [(rung.id, rung.games) for rung in bot_leaderboard(connection)] == [(SECOND, 1), (FIRST, 1)]


def test_a_commit_that_fails_leaves_nothing(engine: Engine) -> None:
    with engine.connect() as connection:
        rate_bots(connection, [finished(1, (FIRST, SECOND), "p1")])
        connection.rollback()
    with engine.connect() as connection:
        assert bot_leaderboard(connection) == []


def test_a_game_lost_by_a_fault_counts_however_short(engine: Engine) -> None:
    broke = finished(1, (FIRST, SECOND), "p2", reason="fault", turns=1)
    gave_up = finished(2, (FIRST, SECOND), "p2", reason="resigned", turns=1)
    assert is_rated(broke)
    assert not is_rated(gave_up)
    with engine.begin() as connection:
        rate_bots(connection, [broke, gave_up, finished(3, (FIRST, SECOND), "p2")])
        assert [(rung.id, rung.games, rung.won, rung.faults) for rung in bot_leaderboard(connection)] == [
            (SECOND, 2, 2, 0),
            (FIRST, 2, 0, 1),
        ]


@pytest.mark.parametrize(
    "game",
    [
        finished(1, (FIRST, ""), "p1"),
        finished(1, ("", ""), "p1"),
        finished(1, (FIRST, FIRST), "p1"),
        finished(1, (FIRST, SECOND), "p1", practice=True),
        finished(1, (FIRST, SECOND), "draw", reason="abandoned"),
    ],
)
def test_games_that_are_not_rated(game: FinishedGame) -> None:
    assert not is_rated(game)


def test_tables_of_before_get_the_ladder(tmp_path: Path) -> None:
    """Migrate a database of the first schema with its content."""
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    dump = Path(__file__).parents[1] / "server" / "data" / "schema_8cba12b.sql"
    old.executescript(dump.read_text(encoding="utf-8"))
    before = old.execute("SELECT count(*) FROM records").fetchone()
    old.close()
    engine = make_engine(str(path))
    with engine.begin() as connection:
        migrate(connection)
        assert bot_leaderboard(connection) == []
        assert tuple(connection.exec_driver_sql("SELECT count(*) FROM records").one()) == before
        names = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
    engine.dispose()
    assert set(META.tables) <= names


def test_the_guest_cannot_be_derived_from_the_account() -> None:
    seat = RoomSeat("human", "guest-id")
    assert seat.bot_id == ""
    seat.bot = True
    assert len(seat.bot_id) == 16
    assert "guest" not in seat.bot_id
    assert seat.bot_id != RoomSeat("human", "guest-ie", bot=True).bot_id
