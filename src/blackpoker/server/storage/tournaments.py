"""Storage of tournaments: events, each written once at its position, and the results of their rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from blackpoker.server.storage.rows import room_row
from blackpoker.server.storage.schema import ACTS, RECORDS, ROOMS, TOURNAMENTS

#: tournaments per phase in a list, and seconds for which finished ones are listed
MAX_LISTED: Final = 60
#: tournaments read per phase, and listed of one address
MAX_READ: Final = 2000
MAX_PER_ADDRESS: Final = 4
RECENT_SECONDS: Final = 7 * 86_400.0


class ReservedArrivals(Struct):
    came: tuple[bool, bool] | None = None


class TournamentRoomSummary(Struct):
    """The fields of a room's row needed here."""

    held: ReservedArrivals
    since: float = 0.0


class TournamentRow(NamedTuple):
    """``seq``: events so far. ``due``: time of the next automatic step; 0: now. ``origin``: keyed hash of the host's
    network, written with the first event."""

    id: str
    phase: str
    listed: int
    updated: float
    seq: int
    due: float = 0.0
    origin: str = ""


class StoredRoom(NamedTuple):
    """A room of a tournament: its phase and the time it began, the players who had come if no game was played, and its
    games: record, winner and reason."""

    phase: str
    arrived: tuple[bool, bool] | None
    games: list[tuple[str, str, str]]
    since: float = 0.0


def append(connection: Connection, row: TournamentRow, events: Sequence[str], rooms: Sequence[dict[str, Any]]) -> None:
    """Write the next events of a tournament and the rooms they open in one transaction. Raise `IntegrityError` if
    another process has written at their positions."""
    first = row.seq - len(events)
    places = [{"tournament": row.id, "seq": first + offset, "text": text} for offset, text in enumerate(events)]
    connection.execute(insert(ACTS), places)
    if first == 0:
        connection.execute(insert(TOURNAMENTS), row._asdict())
    else:
        values = {name: value for name, value in row._asdict().items() if name != "origin"}
        if connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == row.id).values(values)).rowcount != 1:
            raise IntegrityError("the tournament was deleted", None, ValueError(row.id))
    if rooms:
        names = [column.name for column in ROOMS.columns]
        room_rows = (room_row(room["id"], room) for room in rooms)
        connection.execute(insert(ROOMS), [dict(zip(names, values, strict=True)) for values in room_rows])


def events_after(connection: Connection, id: str, seq: int) -> list[str]:
    """Return the events from position ``seq`` on."""
    wanted = select(ACTS.c.text).where(ACTS.c.tournament == id, ACTS.c.seq >= seq).order_by(ACTS.c.seq)
    return list(connection.execute(wanted).scalars())


def seq_by_id(connection: Connection, wanted: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(wanted)}


def due_tournaments(connection: Connection, now: float) -> dict[str, int]:
    """Return the unfinished tournaments that are due, with their number of events."""
    wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.seq)
    return seq_by_id(connection, wanted.where(TOURNAMENTS.c.phase.in_(("open", "running")), TOURNAMENTS.c.due <= now))


def versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of events of these tournaments."""
    return seq_by_id(connection, select(TOURNAMENTS.c.id, TOURNAMENTS.c.seq).where(TOURNAMENTS.c.id.in_(ids)))


def set_due(connection: Connection, id: str, seq: int, due: float) -> None:
    """Set when a tournament is due, unless something has happened since it had ``seq`` events."""
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == id, TOURNAMENTS.c.seq == seq).values(due=due))


def public_tournaments(connection: Connection, now: float) -> dict[str, int]:
    """Return the public tournaments with their number of events: running, open, finished; each the latest first."""
    found: dict[str, int] = {}
    for phase, since in (("running", 0.0), ("open", 0.0), ("over", now - RECENT_SECONDS)):
        wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.seq, TOURNAMENTS.c.origin).where(
            TOURNAMENTS.c.phase == phase, TOURNAMENTS.c.listed == 1, TOURNAMENTS.c.updated > since
        )
        counts: Counter[str] = Counter()
        listed = 0
        for id, seq, origin in connection.execute(wanted.order_by(TOURNAMENTS.c.updated.desc()).limit(MAX_READ)):
            if listed < MAX_LISTED and (not origin or counts[origin] < MAX_PER_ADDRESS):
                counts[origin] += 1
                listed += 1
                found[id] = seq
    return found


def rooms_of(connection: Connection, ids: Sequence[str]) -> dict[str, StoredRoom]:
    """Return the states of these rooms."""
    found: dict[str, StoredRoom] = {}
    wanted = select(ROOMS.c.id, ROOMS.c.phase, ROOMS.c.data).where(ROOMS.c.id.in_(ids))
    for id, phase, text in connection.execute(wanted):
        summary = (
            msgspec.json.decode(text, type=TournamentRoomSummary)
            if phase == "over"
            else TournamentRoomSummary(ReservedArrivals())
        )
        found[id] = StoredRoom(phase, summary.held.came, [], summary.since)
    ended = [id for id, room in found.items() if room.phase == "over"]
    if ended:
        records = select(RECORDS.c.room, RECORDS.c.id, RECORDS.c.meta).where(RECORDS.c.room.in_(ended))
        for room, id, meta in connection.execute(records.order_by(RECORDS.c.room, RECORDS.c.game, RECORDS.c.part)):
            meta_fields = msgspec.json.decode(meta)
            found[room].games.append((id, meta_fields["winner"], meta_fields["reason"]))
    return found


def anonymise_entrant(connection: Connection, guest: str) -> None:
    """Remove a deleted account's name from the tournaments it hosted or entered. The entrant stays, because the
    standings of the others follow from it."""
    for row in acts_of(connection, guest):
        event = msgspec.json.decode(row.text)
        if event["act"] == "entered" and event["guest"] == guest:
            event = {**event, "name": "", "player": "", "crest": ""}
        elif event["act"] == "announced" and event["host"] == guest:
            event["host_name"] = ""
        condition = ACTS.c.tournament == row.tournament, ACTS.c.seq == row.seq
        connection.execute(update(ACTS).where(*condition).values(text=msgspec.json.encode(event).decode()))


def delete_tournament(connection: Connection, id: str) -> bool:
    """Delete a tournament and its events; its games stay. Return True if there was one."""
    connection.execute(delete(ACTS).where(ACTS.c.tournament == id))
    return connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.id == id)).rowcount == 1


def last_tournaments(connection: Connection, most: int) -> list[TournamentRow]:
    """Return the tournaments, the last changed first."""
    wanted = select(TOURNAMENTS).order_by(TOURNAMENTS.c.updated.desc()).limit(most)
    return [TournamentRow(*row) for row in connection.execute(wanted)]


def acts_of(connection: Connection, guest: str) -> list[Any]:
    """Return the events in which a guest hosts or enters."""
    hosts, entered = (ACTS.c.text.contains(f'"{field}":"{guest}"', autoescape=True) for field in ("host", "guest"))
    return list(connection.execute(select(ACTS).where(or_(hosts, entered))).all())


def is_over(connection: Connection, id: str) -> bool:
    phase = connection.execute(select(TOURNAMENTS.c.phase).where(TOURNAMENTS.c.id == id)).scalar()
    return phase in (None, "over")
