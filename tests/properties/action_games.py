"""Random games from the positions of the scenarios of an action, until it was used often: the same in every build.

``python -m tests.properties.action_games [--python] [ACTION …]`` prints for each action of edition 9 its uses, the games
and a digest of every decision. ``--python``: without the translated rules. ``BLACKPOKER_PURE=1``: interpreted.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from blackpoker.engine.engine import Engine
from blackpoker.engine.shuffler import Shuffler
from blackpoker.native import library as door
from blackpoker.ruleset import Deck, Regulation, edition_named
from blackpoker.scenario.scenario import read_scenario, start_variant

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "9" / "actions"
NINTH = edition_named("9")
#: every action of edition 9
ACTIONS = tuple(sorted(path.stem for path in SCENARIOS.glob("*.toml")))
#: uses of an action that are wanted, and games from each position after which the search for them ends
WANTED_USES = 20
MOST_GAMES = 400
#: games from each position at a time
ROUND = 4


class ActionGames(NamedTuple):
    action: str
    uses: int
    games: int
    digest: str


def starts_of(action: str) -> list[tuple[Regulation, Engine]]:
    """Return the positions of the scenarios of an action whose regulation has it."""
    scenario = read_scenario((SCENARIOS / f"{action}.toml").read_text(encoding="utf-8"))
    games = [start_variant(variant, NINTH) for variant in scenario.variants if variant.position is not None]
    found = [(game.regulation, game._engine) for game in games]
    return [(regulation, engine) for regulation, engine in found if action in {plan.id for plan in engine.rules.plans}]


def played(regulation: Regulation, start: Engine, seeds: range) -> door.Games:
    """Play random games from a position by the same functions as games from set-up."""

    def placed(_: Regulation, source: Shuffler, decks: tuple[Deck | None, Deck | None] = (None, None)) -> Engine:
        engine = start.copy()
        engine.source = source
        return engine

    with patch.object(door, "new_game", placed):
        return door.games(regulation, seeds, threads=1, hashed=True, uses=True)


def action_games(action: str) -> ActionGames:
    """Play games from every position of an action, round by round, until it was used often enough."""
    starts = starts_of(action)
    digest = hashlib.blake2b(digest_size=8)
    uses = number = 0
    for first in range(0, MOST_GAMES, ROUND):
        for regulation, start in starts:
            index = [plan.id for plan in start.rules.plans].index(action)
            games = played(regulation, start, range(first, first + ROUND))
            number += len(games)
            uses += sum(games.uses[index :: door.PLANS])
            digest.update(games.hash.tobytes() + games.winner.tobytes())
        if uses >= WANTED_USES:
            break
    return ActionGames(action, uses, number, digest.hexdigest())


def all_games(actions: Sequence[str]) -> Iterator[ActionGames]:
    for action in actions or ACTIONS:
        yield action_games(action)


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.properties.action_games")
    reader.add_argument("actions", nargs="*")
    reader.add_argument("--python", action="store_true")
    asked = reader.parse_args()
    rare = 0
    with patch.object(door, "native_library", lambda: None) if asked.python else nullcontext():
        for games in all_games(asked.actions):
            rare += games.uses < WANTED_USES
            print(*games, flush=True)
    return 1 if rare else 0


if __name__ == "__main__":
    sys.exit(main())
