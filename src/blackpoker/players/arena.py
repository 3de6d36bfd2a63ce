"""Matches between players, paired by seed and seat: every deal is played twice, with the seats exchanged.

Results do not depend on the number of processes: a game is determined by its seed, its players and their seats. Each
finished game is one line of a results file, so an interrupted run can be resumed.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import Any

from blackpoker import Edition, Game, Regulation, seeded
from blackpoker.ai.random_player import random_trumps
from blackpoker.players.engine_players import BotLevel, PlayersError, level_of, make_player
from blackpoker.players.errors import Forfeit
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.process_pool import as_completed
from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.seeds import PLAYER_STREAM, TRUMP_STREAM

#: value of ``winner`` for a draw
DRAW = 2


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played: ``first`` has seat 0."""

    regulation: str
    first: str
    second: str
    seed: int
    edition: str = ""  # text of the edition, "" for the standard one
    forgive: int = 0  # tolerated faults per player before the game is lost


@dataclass
class GameResult:
    """The result of one game. Lists are by seat."""

    regulation: str
    first: str
    second: str
    seed: int
    winner: int  # seat, 2: draw
    turns: int
    decisions: list[int]  # not counting forced ones
    seconds: list[float]  # thinking time
    slowest: list[float]
    faults: list[str] = field(default_factory=list)
    edition: str = ""
    forgive: int = 0
    output: list[str] = field(default_factory=list)  # what bots wrote to standard error; empty if nothing

    @property
    def scheduled(self) -> ScheduledGame:
        return ScheduledGame(self.regulation, self.first, self.second, self.seed, self.edition, self.forgive)


def play(scheduled: ScheduledGame, edition: Edition | None = None) -> GameResult:
    """Play one game, by the standard edition by default; in Extra both players have random trumps. A player that
    commits too many faults loses.
    """
    game = Game(Regulation.parse(scheduled.regulation, edition), seed=scheduled.seed)
    regulation = game.regulation
    for option in random_trumps(game._engine, seeded(scheduled.seed + TRUMP_STREAM)):
        game.push(option)
    knowledge = prior_knowledge(regulation)
    names = (scheduled.first, scheduled.second)
    players = [
        SandboxedPlayer(
            make_player(name, regulation, seat, 2 * scheduled.seed + seat + PLAYER_STREAM, knowledge),
            name,
            scheduled.forgive,
        )
        for seat, name in enumerate(names)
    ]
    for player in players:
        player.attend(game)
    decisions = [0, 0]
    seconds = [0.0, 0.0]
    slowest = [0.0, 0.0]
    while (over := game.outcome()) is None:
        options = game.options
        if len(options) == 1:
            game.push(options[0])
            continue
        at = int(game.player)
        started = time.perf_counter()
        seat = PlayerView(game, at, knowledge)
        try:
            option = players[at].choose(seat, seat.decision)
        except Forfeit:
            game.end("fault", at)
            continue
        took = time.perf_counter() - started
        decisions[at] += 1
        seconds[at] += took
        slowest[at] = max(slowest[at], took)
        game.push(option)
    winner = None if over.winner is None else int(over.winner)
    for player in players:
        player.over(winner, over.reason)
    faults = [line for player in players for line in player.faults]
    return GameResult(
        scheduled.regulation,
        *names,
        scheduled.seed,
        DRAW if winner is None else winner,
        game.turn_number,
        decisions,
        [round(s, 6) for s in seconds],
        [round(s, 6) for s in slowest],
        faults,
        scheduled.edition,
        scheduled.forgive,
        output if any(output := [player.output for player in players]) else [],
    )


def schedule(
    regulation: str, players: Sequence[str], games: int, seed: int, edition: Edition | None = None, forgive: int = 0
) -> list[ScheduledGame]:
    """Return ``games`` for every pair, two per seed."""
    by = "" if edition is None or edition.is_standard else edition.text
    scheduled: list[ScheduledGame] = []
    for deal in range((games + 1) // 2):
        for a, b in combinations(players, 2):
            scheduled.append(ScheduledGame(regulation, a, b, seed + deal, by, forgive))
            if 2 * deal + 1 < games:
                scheduled.append(ScheduledGame(regulation, b, a, seed + deal, by, forgive))
    return scheduled


# -- running -----------------------------------------------------------------------------------------------------------


def run(scheduled: Sequence[ScheduledGame], jobs: int, edition: Edition | None = None) -> Iterator[GameResult]:
    """Yield the results in order of completion."""
    if jobs <= 1:
        for each in scheduled:
            yield play(each, edition)
        return
    yield from as_completed(jobs, play, ((each, edition) for each in scheduled))


class Results:
    """Finished games, appended to a file (one JSON object per line) if a path is given."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.games: list[GameResult] = []
        if path is not None and path.exists():
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                try:
                    self.games.append(GameResult(**json.loads(line)))
                except (ValueError, TypeError):
                    if line != "" and number < len(path.read_text(encoding="utf-8").splitlines()):
                        raise PlayersError(
                            f"{path}, line {number} is no result of a game",
                            f"{path} の{number}行目はゲームの結果ではありません",
                        ) from None
                    # the last line of a killed run may be incomplete; that game is replayed

    def add(self, result: GameResult) -> None:
        self.games.append(result)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())

    def of(self, scheduled: Sequence[ScheduledGame]) -> list[GameResult]:
        """Return the finished games of the schedule, in its order."""
        done = {result.scheduled: result for result in self.games}
        return [done[bout] for bout in scheduled if bout in done]

    def left(self, scheduled: Sequence[ScheduledGame]) -> list[ScheduledGame]:
        done = {result.scheduled for result in self.games}
        return [bout for bout in scheduled if bout not in done]


# -- statistics --------------------------------------------------------------------------------------------------------


def wilson(successes: float, n: int, share: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a rate."""
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + share / 2)
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class PairScore:
    """Results of one pair of players."""

    a: str
    b: str
    games: int = 0
    wins: int = 0  # wins of ``a``
    draws: int = 0

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        return self.points / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.points, self.games)


@dataclass
class Standing:
    """A player's row of the standings."""

    name: str
    games: int = 0
    points: float = 0.0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: int = 0
    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def ms(self) -> float:
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0


class Standings:
    """Standings and pair results computed from a list of games."""

    def __init__(self, players: Sequence[str], results: Sequence[GameResult]) -> None:
        self.rows: dict[str, Standing] = {name: Standing(name) for name in players}
        self.pairs: dict[tuple[str, str], PairScore] = {(a, b): PairScore(a, b) for a, b in combinations(players, 2)}
        for result in results:
            self.count(result)
        self.rate(results)

    def count(self, result: GameResult) -> None:
        names = (result.first, result.second)
        for seat, name in enumerate(names):
            line = self.rows[name]
            line.games += 1
            line.points += 0.5 if result.winner == DRAW else float(result.winner == seat)
            line.decisions += result.decisions[seat]
            line.seconds += result.seconds[seat]
            line.slowest = max(line.slowest, result.slowest[seat])
            line.faults += sum(1 for fault in result.faults if fault.startswith(f"{name} (p{seat + 1}"))
        pair = self.pairs.get(names)
        swapped = pair is None
        if pair is None:
            pair = self.pairs[(names[1], names[0])]
        pair.games += 1
        if result.winner == DRAW:
            pair.draws += 1
        elif (result.winner == 0) != swapped:
            pair.wins += 1

    def rate(self, results: Sequence[GameResult]) -> None:
        ratings = {name: Rating() for name in self.rows}
        for result in results:
            winner = None if result.winner == DRAW else result.winner
            first, second = result.first, result.second
            ratings[first], ratings[second] = updated_ratings(ratings[first], ratings[second], winner)
        for name, rating in ratings.items():
            self.rows[name].mu, self.rows[name].sigma = rating

    def ranked(self) -> list[Standing]:
        return sorted(self.rows.values(), key=lambda line: -line.mu)

    def data(self) -> dict[str, Any]:
        """Return the standings as JSON."""
        return {
            "players": [
                {
                    "name": line.name,
                    "games": line.games,
                    "points": line.points,
                    "rating": {"mu": round(line.mu, 3), "sigma": round(line.sigma, 3)},
                    "decisions": line.decisions,
                    "ms_per_decision": round(line.ms, 3),
                    "decisions_per_s": round(line.decisions / line.seconds, 1) if line.seconds else None,
                    "slowest_ms": round(1000 * line.slowest, 1),
                    "faults": line.faults,
                }
                for line in self.ranked()
            ],
            "pairs": [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "games": pair.games,
                    "wins": pair.wins,
                    "draws": pair.draws,
                    "losses": pair.games - pair.wins - pair.draws,
                    "rate": round(pair.rate, 4),
                    "interval95": [round(bound, 4) for bound in pair.interval],
                }
                for pair in self.pairs.values()
            ],
        }


def check_players(names: Sequence[str]) -> list[str]:
    """Return the canonical names; raise `PlayersError` for an unknown or duplicate one."""
    out: list[str] = []
    for name in names:
        id = level_of(name).id
        if id in out:
            raise PlayersError(f"the player {id} is named twice", f"プレイヤー {id} が2回書かれています")
        out.append(id)
    if len(out) < 2:
        raise PlayersError("an arena needs at least two players", "対戦には2人以上のプレイヤーが必要です")
    return out


def check_bots(names: Sequence[str], regulation: Regulation) -> None:
    """Raise `PlayersError` for a bot that does not start."""
    for name in names:
        level = level_of(name)
        if isinstance(level, BotLevel):
            from blackpoker.players.bots.player import check_start  # needs a library of its own

            check_start(level.bot, regulation)
