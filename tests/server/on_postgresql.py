"""The storage tests on PostgreSQL: each file a test would open becomes a database there.

    python -m tests.server.on_postgresql
    python -m tests.server.on_postgresql tests/server/test_ratings.py -k again

``tests/conftest.py`` calls ``use`` if the address of a server is given.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import psycopg
from sqlalchemy import Engine

from blackpoker.server.storage import database

#: the address of a PostgreSQL server on which databases may be created and dropped
ADDRESS: Final = "BLACKPOKER_TEST_POSTGRESQL"
WHAT: Final = [
    f"tests/server/test_{name}.py"
    for name in ("accounts", "ratings", "safety", "tournaments", "delayed_tournament", "lobby")
] + ["tests/bots/test_ladder.py"]
#: one test starts its own server, which ignores this setting (``tests.long.tournaments --postgresql`` covers it), one
#: is about an SQLite file
ELSEWHERE: Final = [
    "tests/server/test_tournaments.py::test_a_tournament_outlives_its_server",
    "tests/bots/test_ladder.py::test_tables_of_before_get_the_ladder",
]


def use(address: str) -> None:
    """Map file paths to databases of that server from now on."""
    plain = database.make_engine
    root = address.rpartition("/")[0]
    made: set[str] = set()

    def make_engine(url: str) -> Engine:
        if "://" in url:
            return plain(url)
        name = "t" + hashlib.sha256(url.encode()).hexdigest()[:24]
        if name not in made:
            made.add(name)
            Path(url).touch()  # for code that checks whether the file exists
            with psycopg.connect(address, autocommit=True) as connection:
                if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
                    connection.execute(f"CREATE DATABASE {name}".encode())
        return plain(f"{root}/{name}")

    for module in list(sys.modules.values()):
        if getattr(module, "make_engine", None) is plain:
            module.make_engine = make_engine  # type: ignore[attr-defined]


def main() -> None:
    from tests.long.scaling import postgres

    with postgres() as address:
        if not address:
            raise SystemExit("PostgreSQL is not installed (Debian: postgresql)")
        given = sys.argv[1:] or ["-q", *(f"--deselect={name}" for name in ELSEWHERE), *WHAT]
        command = [sys.executable, "-m", "pytest", "-n", "0", *given]
        raise SystemExit(subprocess.run(command, env={**os.environ, ADDRESS: address}, check=False).returncode)


if __name__ == "__main__":
    main()
