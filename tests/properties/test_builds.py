"""The compiled and the interpreted engine play the same games, decision for decision."""

import os
import subprocess
import sys

import pytest

from blackpoker._build import compiled

GAMES = {"lite+full": 1000, "standard+full": 1000, "pro+full": 1000, "master+full": 1000, "extra+full": 500}


def games(regulation: str, pure: bool, n: int) -> list[str]:
    environment = {**os.environ, "BLACKPOKER_PURE": "1" if pure else ""}
    command = [sys.executable, "-m", "tests.properties.digest", regulation, "0", str(n)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(not compiled(), reason="only the interpreted engine is installed here: nothing to compare with")
@pytest.mark.parametrize("regulation", GAMES)
def test_both_builds_play_the_same_games(regulation: str) -> None:
    n = GAMES[regulation]
    plain, fast = games(regulation, True, n), games(regulation, False, n)
    assert len(plain) == n
    different = [seed for seed, (one, other) in enumerate(zip(plain, fast, strict=True)) if one != other]
    assert different == []


def test_the_digest_tells_games_apart() -> None:
    lines = games("lite+entry", True, 3)
    assert len({line.split()[1] for line in lines}) == 3
