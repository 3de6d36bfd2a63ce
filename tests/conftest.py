"""Every test meets the same chance each time it is run."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from random import Random

import pytest


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process would draw from the operating system (shuffles, names of rooms, the players' dice) is drawn
    from the test's own name: a game that is played today is the one that is played tomorrow. Fresh chance is the
    soak's work, where a game that went wrong can be looked at."""
    chance = Random(request.node.nodeid)

    def token_bytes(size: int | None = None) -> bytes:
        return chance.randbytes(32 if size is None else size)

    def token_urlsafe(size: int | None = None) -> str:
        return urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode("ascii")

    monkeypatch.setattr(secrets, "randbits", chance.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size=None: token_bytes(size).hex())
    monkeypatch.setattr(secrets, "token_urlsafe", token_urlsafe)
