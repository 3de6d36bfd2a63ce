"""Statements that several stores share: insertion on both databases, and rows changed since a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from blackpoker.server.storage.schema import COUNTERS

T = TypeVar("T")


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert statement of the database's dialect, which has ``on_conflict_do_nothing`` and ``…_update``."""
    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)


def next_change(connection: Connection) -> float:
    """Return the number of a change. The counter's row stays locked until the transaction ends, so that changes become
    visible in the order of their numbers, whatever the clocks of several machines show."""
    counted = update(COUNTERS).where(COUNTERS.c.name == "changes").values(value=COUNTERS.c.value + 1)
    return float(connection.execute(counted.returning(COUNTERS.c.value)).scalar_one())


def last_change(connection: Connection) -> float:
    """Return the number of the last committed change; all changes up to it are visible."""
    return float(connection.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == "changes")).scalar_one())


def rows_changed(
    connection: Connection, table: Table, column: Column[float], since: float, until: float, make: Callable[..., T]
) -> list[T]:
    """Return the rows whose ``column`` is after ``since``, up to ``until``."""
    return [make(*row) for row in connection.execute(select(table).where(column > since, column <= until))]
