"""Statements that several stores share: insertion on both databases, and rows changed since a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from sqlalchemy import Column, Connection, Table, select
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

#: overlap of two polls in seconds: rows of several processes do not become visible in the order of their times
POLL_OVERLAP: Final = 120.0


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert statement of the database's dialect, which has ``on_conflict_do_nothing`` and ``…_update``."""
    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)


def rows_changed_since(
    connection: Connection, table: Table, column: Column[float], since: float, make: Callable[..., T]
) -> list[T]:
    """Return the rows whose ``column`` is later than ``since``, less the overlap of two polls."""
    return [make(*row) for row in connection.execute(select(table).where(column > since - POLL_OVERLAP))]
