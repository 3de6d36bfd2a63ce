"""Honest games of people and computers, matches, tournaments, reconnects, second devices, take-backs, deletions: no
false alarm.

python -m tests.long.honest_games --games 200
"""

from __future__ import annotations

import argparse

from tests.server.test_dishonest_server import check_honest_game
from tests.server.test_fairness import make_keepers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    keepers = make_keepers(1)
    for number in range(games):
        check_honest_game(number, keepers)
        if number % 20 == 19:
            print(f"{number + 1} of {games}", flush=True)
    print(f"{games} games, no false alarm")


if __name__ == "__main__":
    main()
