"""Databases of earlier versions with games in progress: the server upgrades them, and the games go on.

``data/games_*.sql`` were written by the servers of these commits, stopped in the middle of a game.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from pathlib import Path

import pytest

from blackpoker import Game
from blackpoker.client import Client, ServerSeat
from tests.server.live import Live, play_seat

DATA = Path(__file__).parent / "data"
#: the room of a game and the cookies of its players, by dump
GAMES = {
    "games_7e7f212, against the computer": (
        "zjNxCJrgyR8",
        ["WyJNODVuYUR3Nlk1VXBrRnFSIiwiQW9pIl0.av9lTQ.qYW1rNAMtqPM4_IsnY923U69MX0"],
    ),
    "games_0b24fb11, against the computer": (
        "GAetCE30Y0E",
        ["WyJWd0pkQmZRa3RBOWRJZjFtIiwiQW9pIl0.av9kEQ.quuBLOWmG45tacfU0Ml_tjbaoFY"],
    ),
    "games_0b24fb11, of two people": (
        "u4a3ip98FVc",
        [
            "WyJWd0pkQmZRa3RBOWRJZjFtIiwiQW9pIl0.av9kEQ.quuBLOWmG45tacfU0Ml_tjbaoFY",
            "WyJjdnZHQ2FqRUhvbm5QaUlhIiwiUmVuIl0.av9kEQ.xE5FR5Zj_ly-_BO8gbocY-Tt0mY",
        ],
    ),
}


def restored(name: str, path: Path) -> sqlite3.Connection:
    """Write the dump as a database of games played just now, with response windows of no length: a server deletes old
    games, and the test plays many windows."""
    text = (
        (DATA / f"{name.partition(',')[0]}.sql")
        .read_text(encoding="utf-8")
        .replace('"window_ms":null', '"window_ms":0')
    )
    database = sqlite3.connect(path)
    database.executescript(re.sub(r"\b1\.79512\d*e\+09", f"{time.time():.1f}", text))
    return database


async def finish(url: str, room: str, cookies: list[str]) -> tuple[list[ServerSeat], str]:
    """Play a game to its end by chance; return its seats and its record."""
    clients = [Client(url, cookie=cookie) for cookie in cookies]
    seats = await asyncio.gather(*(play_seat(client, room, number) for number, client in enumerate(clients)))
    result = seats[0].result
    assert result is not None
    record = await clients[0].request("GET", f"/api/records/{result.record_id}")
    return list(seats), str(record["text"])


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_progress_goes_on(name: str, tmp_path: Path) -> None:
    room, cookies = GAMES[name]
    database = restored(name, tmp_path / "games.db")
    rows = database.execute("SELECT options FROM entries WHERE room = ? ORDER BY seq", (room,)).fetchall()
    stored = [int(option) for row in rows for option in row[0].split()]
    database.close()
    assert len(rows) > 10
    with Live(tmp_path / "games.db") as server:
        seats, record = asyncio.run(finish(server.url, room, cookies))
    assert sorted(str(seat.seat) for seat in seats) == ["p1", "p2"][: len(seats)]
    game = Game.from_record(record)
    assert game.outcome() is not None
    assert game.history[: len(stored)] == stored
    assert len(game.history) > len(stored)
