"""Ratings of people."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import inspect

from blackpoker.server.store.database import MIGRATIONS, make_engine, migrate
from blackpoker.server.store.schema import META


def test_a_database_of_the_release_before_gets_the_tables(tmp_path: Path) -> None:
    """With accounts and the games they played, which stay; the tables are those the code knows."""
    engine = make_engine(str(tmp_path / "before.db"))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        connection.exec_driver_sql("INSERT INTO played (record, seat, player, at) VALUES ('r', 1, 'p', 2.5)")
    with engine.begin() as connection:
        migrate(connection)
        kept = connection.exec_driver_sql("SELECT record, seat, player, at, regulation, result, used FROM played")
        assert tuple(kept.one()) == ("r", 1, "p", 2.5, "", "", "")
    known = inspect(engine)
    for table in META.tables.values():
        found = [(one["name"], str(one["type"]), one["nullable"]) for one in known.get_columns(table.name)]
        wanted = [(one.name, one.type.compile(engine.dialect), one.nullable) for one in table.columns]
        assert sorted(found) == sorted(wanted), table.name
        assert {one["name"] for one in known.get_indexes(table.name) if not one["unique"]} == {
            str(one.name) for one in table.indexes
        }, table.name
    engine.dispose()
