"""Storage of tournaments: events, each written once at its position, and the results of their rooms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, insert, or_, select, update

from blackpoker.server.store.rows import room_row
from blackpoker.server.store.schema import ACTS, RECORDS, ROOMS, TOURNAMENTS

#: tournaments per phase in a list, and seconds for which finished ones are listed
MOST: Final = 60
RECENT: Final = 7 * 86_400.0


class HeldCame(Struct):
    came: tuple[bool, bool] | None = None


class HeldHead(Struct):
    """The fields of a room's row needed here."""

    held: HeldCame
    since: float = 0.0


class TournamentRow(NamedTuple):
    """``seq``: events so far."""

    id: str
    phase: str
    listed: int
    updated: float
    seq: int


class KeptRoom(NamedTuple):
    """A room of a tournament: its phase and the time it began, the players who had come if no game was played, and its
    games: record, winner and reason."""

    phase: str
    came: tuple[bool, bool] | None
    games: list[tuple[str, str, str]]
    since: float = 0.0


def append(connection: Connection, row: TournamentRow, acts: Sequence[str], rooms: Sequence[dict[str, Any]]) -> None:
    """Write the next events of a tournament and the rooms they open in one transaction. Raise `IntegrityError` if
    another process has written at their positions."""
    first = row.seq - len(acts)
    places = [{"tournament": row.id, "seq": first + more, "text": text} for more, text in enumerate(acts)]
    connection.execute(insert(ACTS), places)
    if first == 0:
        connection.execute(insert(TOURNAMENTS), row._asdict())
    else:
        connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == row.id).values(row._asdict()))
    if rooms:
        names = [column.name for column in ROOMS.columns]
        kept = (room_row(room["id"], room) for room in rooms)
        connection.execute(insert(ROOMS), [dict(zip(names, one, strict=True)) for one in kept])


def acts_after(connection: Connection, id: str, seq: int) -> list[str]:
    """Return the events from position ``seq`` on."""
    wanted = select(ACTS.c.text).where(ACTS.c.tournament == id, ACTS.c.seq >= seq).order_by(ACTS.c.seq)
    return list(connection.execute(wanted).scalars())


def pairs_of(connection: Connection, wanted: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(wanted)}


def unfinished(connection: Connection) -> dict[str, int]:
    """Return the unfinished tournaments with their number of events."""
    wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.seq).where(TOURNAMENTS.c.phase != "over")
    return pairs_of(connection, wanted)


def listed(connection: Connection, now: float) -> dict[str, int]:
    """Return the public tournaments with their number of events: running, open, finished; each the latest first."""
    found: dict[str, int] = {}
    for phase, since in (("running", 0.0), ("open", 0.0), ("over", now - RECENT)):
        wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.seq).where(
            TOURNAMENTS.c.phase == phase, TOURNAMENTS.c.listed == 1, TOURNAMENTS.c.updated > since
        )
        found |= pairs_of(connection, wanted.order_by(TOURNAMENTS.c.updated.desc()).limit(MOST))
    return found


def rooms_of(connection: Connection, ids: Sequence[str]) -> dict[str, KeptRoom]:
    """Return the states of these rooms."""
    found: dict[str, KeptRoom] = {}
    wanted = select(ROOMS.c.id, ROOMS.c.phase, ROOMS.c.data).where(ROOMS.c.id.in_(ids))
    for id, phase, text in connection.execute(wanted):
        head = msgspec.json.decode(text, type=HeldHead) if phase == "over" else HeldHead(HeldCame())
        found[id] = KeptRoom(phase, head.held.came, [], head.since)
    ended = [id for id, room in found.items() if room.phase == "over"]
    if ended:
        records = select(RECORDS.c.room, RECORDS.c.id, RECORDS.c.meta).where(RECORDS.c.room.in_(ended))
        for room, id, meta in connection.execute(records.order_by(RECORDS.c.room, RECORDS.c.game, RECORDS.c.part)):
            told = msgspec.json.decode(meta)
            found[room].games.append((id, told["winner"], told["reason"]))
    return found


def forget_entrant(connection: Connection, guest: str) -> None:
    """Remove a deleted account's name from the tournaments it hosted or entered. The entrant stays, because the
    standings of the others follow from it."""
    holds, enters = (ACTS.c.text.contains(f'"{field}":"{guest}"', autoescape=True) for field in ("host", "guest"))
    for row in connection.execute(select(ACTS).where(or_(holds, enters))).all():
        act = msgspec.json.decode(row.text)
        if act["act"] == "entered" and act["guest"] == guest:
            act = {**act, "name": "", "player": "", "crest": ""}
        elif act["act"] == "announced" and act["host"] == guest:
            act["host_name"] = ""
        one = ACTS.c.tournament == row.tournament, ACTS.c.seq == row.seq
        connection.execute(update(ACTS).where(*one).values(text=msgspec.json.encode(act).decode()))


def is_over(connection: Connection, id: str) -> bool:
    phase = connection.execute(select(TOURNAMENTS.c.phase).where(TOURNAMENTS.c.id == id)).scalar()
    return phase in (None, "over")
