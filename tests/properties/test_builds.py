"""The compiled and the interpreted engine play the same games, decision for decision."""

import os
import subprocess
import sys

import pytest

from blackpoker._build import compiled
from tests.properties.action_games import ACTIONS

GAMES = {"lite+full": 1000, "standard+full": 1000, "pro+full": 1000, "master+full": 1000, "extra+full": 500}
#: of so many actions of edition 9 one is played
STRIDE = 14


def output_lines(pure: bool, *command: str) -> list[str]:
    environment = {**os.environ, "BLACKPOKER_PURE": "1" if pure else ""}
    done = subprocess.run(
        [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def games(regulation: str, pure: bool, n: int) -> list[str]:
    return output_lines(pure, "tests.properties.digest", regulation, "0", str(n))


@pytest.mark.skipif(not compiled(), reason="only the interpreted engine is installed here: nothing to compare with")
@pytest.mark.parametrize("regulation", GAMES)
def test_both_builds_play_the_same_games(regulation: str) -> None:
    n = GAMES[regulation]
    plain, fast = games(regulation, True, n), games(regulation, False, n)
    assert len(plain) == n
    different = [seed for seed, (one, other) in enumerate(zip(plain, fast, strict=True)) if one != other]
    assert different == []


@pytest.mark.skipif(not compiled(), reason="only the interpreted engine is installed here: nothing to compare with")
def test_both_builds_play_the_same_games_from_positions() -> None:
    command = ("tests.properties.action_games", "--python", *ACTIONS[::STRIDE])
    plain = output_lines(True, *command)
    assert len(plain) == len(ACTIONS[::STRIDE])
    assert plain == output_lines(False, *command)


def test_the_digest_distinguishes_games() -> None:
    lines = games("lite+entry", True, 3)
    assert len({line.split()[1] for line in lines}) == 3
