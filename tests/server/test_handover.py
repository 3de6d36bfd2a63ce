"""Two servers on one database: games of a killed one continue in the other. The long run is ``tests.long.handover``."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.long.handover import two_servers
from tests.long.scaling import redis


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_games_of_a_killed_server_go_on_in_the_other(tmp_path: Path) -> None:
    with redis() as address:
        figures = asyncio.run(two_servers(str(tmp_path / "games.db"), address, games=6, kills=1, seed=5))
    assert figures["kills"] == 1
    assert figures["acknowledged"] > 500
