"""Every test meets the same chance each time it is run."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.chance import draw_from

if os.environ.get("BLACKPOKER_TEST_POSTGRESQL"):
    from tests.server import stores

    stores.use(os.environ[stores.ADDRESS])


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All chance comes from the test's own name: a game that is played today is the one that is played tomorrow. Fresh
    chance is the soak's work, where a game that went wrong can be looked at."""
    # a parameter may be a path, and where this folder lies must not decide how a game goes
    chance = Random(request.node.nodeid.replace(str(request.config.rootpath), ""))
    draw_from(lambda kind: chance, monkeypatch.setattr)
