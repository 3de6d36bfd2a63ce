"""Moderation as rows: muted players and reports to an operator.

Every function runs in a transaction of the caller.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from blackpoker.server.storage.schema import REPORTS, UNHEARD
from blackpoker.server.storage.statements import last_change, next_change, rows_changed

#: most players one player can mute
MAX_MUTED: Final = 1000


class MutedRow(NamedTuple):
    """``id``: the id its owner uses; ``ended``: the time it was lifted, 0: still muted."""

    owner: str
    whom: str
    id: str
    name: str
    since: float
    ended: float
    changed: float


class ReportRow(NamedTuple):
    """``record``: of the game, once it is over; ``heard``: the chat of the room as JSON; ``closed``: 0 while open."""

    id: str
    at: float
    owner: str
    owner_name: str
    whom: str
    whom_name: str
    why: str
    words: str
    room: str
    record: str
    heard: str
    closed: float


def mute_changes_since(connection: Connection, since: float) -> tuple[list[MutedRow], float]:
    """Return the rows changed since then, and the change up to which they are."""
    until = last_change(connection)
    return rows_changed(connection, UNHEARD, UNHEARD.c.changed, since, until, MutedRow), until


def mute(connection: Connection, owner: str, target: str, name: str, now: float) -> bool:
    """Mute a player. Return True if muted now, False if the owner's limit is reached."""
    condition = UNHEARD.c.owner == owner, UNHEARD.c.whom == target
    if connection.execute(
        update(UNHEARD).where(*condition).values(name=name, since=now, ended=0.0, changed=next_change(connection))
    ).rowcount:
        return True
    query = select(func.count()).select_from(UNHEARD).where(UNHEARD.c.owner == owner, UNHEARD.c.ended == 0.0)
    if int(connection.execute(query).scalar_one()) >= MAX_MUTED:
        return False
    row = MutedRow(owner, target, secrets.token_hex(8), name, now, 0.0, next_change(connection))
    connection.execute(insert(UNHEARD).values(row._asdict()))
    return True


def unmute(connection: Connection, owner: str, now: float, *, target: str = "", id: str = "") -> bool:
    """Unmute a player; return True if the player was muted."""
    condition = UNHEARD.c.owner == owner, UNHEARD.c.ended == 0.0, or_(UNHEARD.c.whom == target, UNHEARD.c.id == id)
    return (
        connection.execute(
            update(UNHEARD).where(*condition).values(ended=now, changed=next_change(connection))
        ).rowcount
        > 0
    )


def muted_by(connection: Connection, owner: str) -> list[MutedRow]:
    """Return the muted players, the latest first."""
    mine = select(UNHEARD).where(UNHEARD.c.owner == owner, UNHEARD.c.ended == 0.0).order_by(UNHEARD.c.since.desc())
    return [MutedRow(*row) for row in connection.execute(mine)]


def add_report(connection: Connection, row: ReportRow) -> None:
    """Store a report; it replaces an open one of the same player about the same person."""
    same = REPORTS.c.owner == row.owner, REPORTS.c.whom == row.whom, REPORTS.c.closed == 0.0
    connection.execute(delete(REPORTS).where(*same))
    connection.execute(insert(REPORTS).values(row._asdict()))


def open_reports(connection: Connection, most: int) -> list[ReportRow]:
    """Return the open reports, the oldest first."""
    wanted = select(REPORTS).where(REPORTS.c.closed == 0.0).order_by(REPORTS.c.at).limit(most)
    return [ReportRow(*row) for row in connection.execute(wanted)]


def find_report(connection: Connection, id: str) -> ReportRow | None:
    row = connection.execute(select(REPORTS).where(REPORTS.c.id == id)).first()
    return None if row is None else ReportRow(*row)


def close_report(connection: Connection, id: str, now: float) -> bool:
    condition = REPORTS.c.id == id, REPORTS.c.closed == 0.0
    return connection.execute(update(REPORTS).where(*condition).values(closed=now)).rowcount == 1


def delete_person(connection: Connection, id: str, names: Sequence[str] = ()) -> None:
    """Delete what an account muted, and its names in reports and in the chat they show."""
    connection.execute(delete(UNHEARD).where(UNHEARD.c.owner == id))
    connection.execute(update(UNHEARD).where(UNHEARD.c.whom == id).values(name=""))
    connection.execute(update(REPORTS).where(REPORTS.c.owner == id).values(owner_name=""))
    connection.execute(update(REPORTS).where(REPORTS.c.whom == id).values(whom_name=""))
    written = [msgspec.json.encode(name).decode() for name in names]
    shown = [REPORTS.c.heard.contains(name, autoescape=True) for name in written]
    for row in connection.execute(select(REPORTS.c.id, REPORTS.c.heard).where(or_(*shown))).all() if shown else ():
        lines = [
            ["" if part in names and place == 1 else part for place, part in enumerate(line)]
            for line in msgspec.json.decode(row.heard)
        ]
        text = msgspec.json.encode(lines).decode()
        connection.execute(update(REPORTS).where(REPORTS.c.id == row.id).values(heard=text))


def reports_by(connection: Connection, owner: str) -> list[ReportRow]:
    """Return the reports of a player, the latest first."""
    mine = select(REPORTS).where(REPORTS.c.owner == owner).order_by(REPORTS.c.at.desc())
    return [ReportRow(*row) for row in connection.execute(mine)]
