"""Every test gets the same random values in each run."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.randomness import draw_from

if os.environ.get("BLACKPOKER_TEST_POSTGRESQL"):
    from tests.server import on_postgresql

    on_postgresql.use(os.environ[on_postgresql.ADDRESS])


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed all randomness with the test's own name, so that a failure repeats. The soak run uses fresh randomness and
    prints its seeds."""
    # a parameter may be a path, and the location of this folder must not influence the games
    chance = Random(request.node.nodeid.replace(str(request.config.rootpath), ""))
    draw_from(lambda kind: chance, monkeypatch.setattr)
