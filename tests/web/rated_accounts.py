"""Accounts with months of rated games, written to the database of a running server: for screenshots and tests."""

from __future__ import annotations

import json
import math
import random
import time
from functools import cache
from pathlib import Path
from typing import Any, Final

from blackpoker import Game
from blackpoker.server.rooms.seats import FinishedGame, player_id
from blackpoker.server.storage import accounts, ratings
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import ACCOUNTS, RECORDS

PEOPLE: Final = (
    ("鉄", "SK"),
    ("紫苑", "SQ"),
    ("蓮", "HK"),
    ("楓", "CQ"),
    ("葵", "SA"),
    ("きつね面の男", "JK"),
    ("Maximilian-Alexander", "CJ"),
    ("ゲスト上がり", "H9"),
    ("松風", "D8"),
    ("Kaede", "DA"),
    ("松葉", "C10"),
    ("Ume", "HQ"),
)
REGULATIONS: Final = ("master+full", "master+full", "master+constructed40", "extra+full", "lite+entry", "pro+full")
#: names, and the start as a share of the time from the first game to now
SEASONS: Final = (("夏", "Summer", 0.8), ("秋", "Autumn", 0.6))
DAY: Final = 86_400.0
MONTHS: Final = 150


@cache
def text_of(regulation: str, number: int) -> str:
    """Return the record of a random game."""
    game = Game(regulation, seed=number)
    chosen = random.Random(number)
    while game.outcome() is None:
        game.push(chosen.choice(list(game.options)))
    return game.record()


def fill(database: Path, mine: str = "", games: int = 420, seed: int = 32) -> None:
    """Add the accounts and their games. ``mine``: an existing account that plays among them. The others are equal at
    every call."""
    chosen, now = random.Random(seed), time.time()
    engine = make_engine(str(database))
    with engine.connect() as connection:
        known = ratings.seasons(connection)
    with engine.begin() as connection:
        begun = now - 2 * MONTHS * DAY
        connection.execute(ACCOUNTS.update().where(ACCOUNTS.c.player == mine).values(created=begun))
        ids: dict[str, tuple[str, float]] = {mine: ("", -0.6)} if mine else {}
        for number, (name, crest) in enumerate(PEOPLE):
            id = f"rated-{number}"
            ids[player_id(id)] = name, 3.0 - 0.5 * number
            if known:
                continue
            row = accounts.AccountRow(id, player_id(id), name, crest, begun, 0.0, 0.0, 0.0, "", 0.0, 0.0, now)
            device = accounts.DeviceRow(f"device {id}", f"d{id}", id, "desk", "", now, now, now, now)
            accounts.create_account(connection, row, [f"looks {id}"], device)
    for ja, en, before in () if known else SEASONS:
        with engine.begin() as connection:
            ratings.begin_season(connection, ja, en, now - before * MONTHS * DAY, now + 14 * DAY)
    with engine.begin() as connection:
        for number in range(games):
            one, two = chosen.sample(list(ids), 2)
            if mine and number % 5 == 0 and mine not in (one, two):
                one = mine
            at = now - MONTHS * DAY * (1 - (number + 1) / games)
            store_game(connection, chosen, number, ((one, *ids[one]), (two, *ids[two])), at, seed)
    engine.dispose()


def store_game(connection: Any, chosen: random.Random, number: int, pair: Any, at: float, seed: int) -> None:
    (one, first, strong), (two, second, stronger) = pair
    chance = 1 / (1 + math.exp(stronger - strong))
    winner = "draw" if chosen.random() < 0.04 else "p1" if chosen.random() < chance else "p2"
    regulation = chosen.choice(REGULATIONS)
    meta = {
        "regulation": regulation,
        "names": [first or "千鶴", second or "千鶴"],
        "levels": ["", ""],
        "bots": ["", ""],
        "queue": True,
        "players": [one, two],
        "rated": True,
        "winner": winner,
        "reason": "life",
        "turns": 9,
        "practice": False,
        "at": at,
        "part": 1,
    }
    done = FinishedGame(1, 1, f"rated{seed}x{number}", text_of(regulation, number % 9), meta)
    row = {"id": done.record_id, "room": "r", "game": 1, "part": 1, "text": done.record, "meta": json.dumps(meta)}
    connection.execute(RECORDS.insert().values(created=at, **row))
    accounts.insert_played(connection, [done])
    ratings.rate_people(connection, [done])
