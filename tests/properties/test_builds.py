"""The compiled and the interpreted engine play the same games, decision for decision."""

import os
import subprocess
import sys

import pytest

from blackpoker._build import compiled

GAMES = 1000
REGULATIONS = ("lite+full", "standard+full", "pro+full", "master+full", "lite+entry")


def games(regulation: str, pure: bool, n: int = GAMES) -> list[str]:
    environment = {**os.environ, "BLACKPOKER_PURE": "1" if pure else ""}
    command = [sys.executable, "-m", "tests.properties.digest", regulation, "0", str(n)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(not compiled(), reason="only the interpreted engine is installed here: nothing to compare with")
@pytest.mark.parametrize("regulation", REGULATIONS)
def test_both_builds_play_the_same_games(regulation: str) -> None:
    plain, fast = games(regulation, pure=True), games(regulation, pure=False)
    assert len(plain) == GAMES
    different = [seed for seed, (one, other) in enumerate(zip(plain, fast, strict=True)) if one != other]
    assert different == []


def test_the_digest_tells_games_apart() -> None:
    lines = games("lite+entry", pure=True, n=3)
    assert len({line.split()[1] for line in lines}) == 3
