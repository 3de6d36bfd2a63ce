"""Retention: old rooms are deleted, records of finished games are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, Select, and_, delete, exists, func, or_, select

from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.server.storage.schema import ENTRIES, PLAYED, RECORDS, ROOMS

DAY: Final = 86_400.0
#: rooms deleted per transaction
BATCH: Final = 500


def expired_rooms(policy: RetentionPolicy, now: float) -> Select[tuple[str]]:
    """Return a query for the expired rooms."""
    cases = []
    for phases, days in (
        (("waiting",), policy.waiting),
        (("playing", "alone"), policy.unfinished),
        (("over",), policy.over),
    ):
        if days > 0:
            since = now - days * DAY
            cases.append(and_(ROOMS.c.phase.in_(phases), ROOMS.c.updated < since, ~has_entry_since(since)))
    return select(ROOMS.c.id).where(or_(*cases) if cases else ROOMS.c.id.is_(None))


def has_entry_since(since: float) -> Any:
    """Return a condition: the room has an entry since then."""
    return exists().where(ENTRIES.c.room == ROOMS.c.id, ENTRIES.c.at >= since)


def delete_some(connection: Connection, policy: RetentionPolicy, now: float) -> list[str]:
    """Delete some expired rooms and return their ids; empty if none are left. Imported records that have expired are
    deleted as well."""
    if policy.imported > 0:
        old = select(RECORDS.c.id).where(RECORDS.c.room == "", RECORDS.c.created < now - policy.imported * DAY)
        connection.execute(delete(RECORDS).where(RECORDS.c.id.in_(old)))
    rooms = [str(row[0]) for row in connection.execute(expired_rooms(policy, now).limit(BATCH))]
    if rooms:
        connection.execute(delete(ENTRIES).where(ENTRIES.c.room.in_(rooms)))
        connection.execute(delete(ROOMS).where(ROOMS.c.id.in_(rooms)))
    return rooms


def count_rows(connection: Connection, policy: RetentionPolicy, now: float) -> dict[str, Any]:
    """Return counts of the stored data."""
    phases = connection.execute(select(ROOMS.c.phase, func.count()).group_by(ROOMS.c.phase)).all()
    counts = {str(phase): int(count) for phase, count in phases}

    def one(statement: Select[Any]) -> Any:
        return connection.execute(statement).scalar_one()

    return {
        "waiting": counts.get("waiting", 0),
        "playing": counts.get("playing", 0) + counts.get("alone", 0),
        "over": counts.get("over", 0),
        "expired": one(select(func.count()).select_from(expired_rooms(policy, now).subquery())),
        "entries": one(select(func.count()).select_from(ENTRIES)),
        "records": one(select(func.count()).select_from(RECORDS)),
        "oldest_record": one(select(func.min(RECORDS.c.created))),
        "newest_record": one(select(func.max(RECORDS.c.created))),
    }


class ImportedRecord(NamedTuple):
    id: str
    created: float
    size: int


def imported_records(connection: Connection, most: int) -> list[ImportedRecord]:
    """Return the records that clients have imported, the largest first."""
    size = func.length(RECORDS.c.text)
    wanted = select(RECORDS.c.id, RECORDS.c.created, size).where(RECORDS.c.room == "").order_by(size.desc())
    return [ImportedRecord(*row) for row in connection.execute(wanted.limit(most))]


def delete_record(connection: Connection, id: str) -> bool:
    """Delete a record, whoever played it; ratings keep their result. Return True if there was one."""
    connection.execute(delete(PLAYED).where(PLAYED.c.record == id))
    return connection.execute(delete(RECORDS).where(RECORDS.c.id == id)).rowcount == 1


def all_records(connection: Connection, since: float = 0.0) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every finished game, oldest first: id, record, metadata."""
    found = connection.execution_options(yield_per=200).execute(
        select(RECORDS.c.id, RECORDS.c.text, RECORDS.c.meta)
        .where(RECORDS.c.created >= since)
        .order_by(RECORDS.c.created)
    )
    for id, text, meta in found:
        yield id, text, msgspec.json.decode(meta)
