"""Operator commands for tournaments: list, close, rename, delete. A running server applies them within seconds."""

from __future__ import annotations

import time
from typing import Any, Final

from sqlalchemy import Connection, Engine

from blackpoker.cli.console import UsageError
from blackpoker.server.rooms.sanitize import printable
from blackpoker.server.storage import tournaments as rows
from blackpoker.server.tournaments.commands import close
from blackpoker.server.tournaments.events import AnyEvent, TournamentRenamed, decode_event, encode_event
from blackpoker.server.tournaments.state import Tournament, replay
from blackpoker.text.resources import in_lang

NONE: Final = ("大会はありません", "there are no tournaments")
NO_TOURNAMENT: Final = ("大会 {0} はありません", "there is no tournament {0}")
NEEDS_ID: Final = ("--id で大会を指定してください", "name the tournament with --id")
LONG_NAME: Final = ("大会の名前は1～{0}文字です", "a tournament's name has 1 to {0} characters")
RENAMED: Final = ("大会 {0} の名前を {1} にしました", "the tournament {0} is called {1} now")
DELETED: Final = ("大会 {0} を削除しました", "the tournament {0} is deleted")
CLOSED: Final = ("大会 {0} を終了しました", "the tournament {0} is closed")
#: tournaments shown, and characters of a name
MAX_SHOWN: Final = 100
MAX_NAME: Final = 60


def show_tournaments(engine: Engine, id: str, name: str, yes: bool, lang: Any) -> list[str]:
    """Return the tournaments, the last changed first. With an id rename that tournament, or delete it."""
    with engine.begin() as connection:
        if not id:
            found = [load(connection, row.id) for row in rows.last_tournaments(connection, MAX_SHOWN)]
            return [describe(one) for one in found] or [in_lang(NONE, lang)]
        tournament = load(connection, id)
        if name:
            name = printable(name)
            if not 1 <= len(name) <= MAX_NAME:
                raise UsageError(LONG_NAME, MAX_NAME)
            append(connection, tournament, [TournamentRenamed(time.time(), name)])
            return [in_lang(RENAMED, lang, id, name)]
        if yes:
            rows.delete_tournament(connection, id)
            return [in_lang(DELETED, lang, id)]
        return [describe(tournament)]


def close_tournament(engine: Engine, id: str, lang: Any) -> list[str]:
    """Close a tournament; what was played counts."""
    if not id:
        raise UsageError(NEEDS_ID)
    with engine.begin() as connection:
        tournament = load(connection, id)
        events = close(tournament, time.time())
        if events:
            append(connection, tournament, events)
    return [in_lang(CLOSED, lang, id)]


def load(connection: Connection, id: str) -> Tournament:
    """Return a stored tournament; raise `UsageError` if there is none."""
    texts = rows.events_after(connection, id, 0)
    if not texts:
        raise UsageError(NO_TOURNAMENT, id)
    return replay(id, map(decode_event, texts))


def append(connection: Connection, tournament: Tournament, events: list[AnyEvent]) -> None:
    for event in events:
        tournament.apply(event)
    listed = int(tournament.rules.listed)
    row = rows.TournamentRow(tournament.id, tournament.phase, listed, time.time(), tournament.seq)
    rows.append(connection, row, [encode_event(event) for event in events], [])


def describe(tournament: Tournament) -> str:
    count = len(tournament.entrants)
    return (
        f"{tournament.id}  {tournament.phase:<8}{count:>4}  {tournament.announced.host_name}: {tournament.rules.name}"
    )
