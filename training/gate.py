"""Match of two players: every deal twice with the seats exchanged, on all cores, with the processor time of each.

    python -m training.gate "search:playouts=300/net=new.bpnet" "search:playouts=300/net=old.bpnet" [--pairs 200]
        [--edition 9 | --regulations master+full,lite+entry] [--seed N] [--seconds S]

A new net is accepted if it wins at least 55 % of 400 games or more.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from blackpoker import Regulation
from blackpoker.players.batch_play import GameBatch, play
from blackpoker.players.engine_players import Level, level_of

#: regulations of a gate match by edition
REGULATIONS = {
    "6": (
        "master+full",
        "extra+regular",
        "pro+full",
        "standard+full",
        "lite+entry",
        "master+random40",
        "standard+randomhalf",
    ),
    "9": (
        "9:lite+entry16",
        "9:lite+pack",
        "9:standard+pack",
        "9:standard+rare_pack",
        "9:pro+rare_pack",
        "9:pro+strategy",
        "9:master+strategy",
        "9:master+extra",
        "9:master+draft",
    ),
}
WANTED = 0.55
LEAST = 400


def wilson(won: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if n == 0:
        return 0.0, 1.0
    z, share = 1.959964, won / n
    middle = share + z * z / (2 * n)
    width = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


def elo(share: float) -> float:
    share = min(0.9999, max(0.0001, share))
    return 400 * math.log10(share / (1 - share))


@dataclass
class Score:
    """Result for the first player: draws count half."""

    won: float = 0.0
    games: int = 0
    time: tuple[float, float] = (0.0, 0.0)  # nanoseconds
    choices: tuple[int, int] = (0, 0)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.won + other.won,
            self.games + other.games,
            (self.time[0] + other.time[0], self.time[1] + other.time[1]),
            (self.choices[0] + other.choices[0], self.choices[1] + other.choices[1]),
        )

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.5

    @property
    def passes(self) -> bool:
        return self.games >= LEAST and self.share >= WANTED

    def __str__(self) -> str:
        low, high = wilson(self.won, self.games)
        us = [1e-3 * t / max(1, n) for t, n in zip(self.time, self.choices, strict=True)]
        return (
            f"{100 * self.share:.1f} % of {self.games} ({100 * low:.1f}–{100 * high:.1f}), {elo(self.share):+.0f}; "
            f"µs a decision {us[0]:.0f} : {us[1]:.0f} ({us[0] / max(us[1], 1e-9):.2f})"
        )


def match(
    first: Level, second: Level, regulation: str, pairs: int, seed: int, seconds: float = 1e9, threads: int = 0
) -> Score:
    """Play up to ``pairs`` pairs of games, in portions until the time is over."""
    parsed = Regulation.parse(regulation)
    score = Score()
    end = time.monotonic() + seconds
    portion = max(8, min(pairs, 64))
    for at in range(seed, seed + pairs, portion):
        seeds = range(at, min(at + portion, seed + pairs))
        for place, players in enumerate(((first, second), (second, first))):
            done = play(GameBatch(parsed, seeds, players), times=True, threads=threads)
            won = sum(1.0 if winner == place else 0.5 if winner == 2 else 0.0 for winner in done.winner)
            spent = [sum(done.times[column::4]) for column in range(4)] if done.times else [0] * 4
            mine, theirs = 2 * place, 2 * (1 - place)
            score += Score(won, len(seeds), (spent[mine], spent[theirs]), (spent[mine + 1], spent[theirs + 1]))
        if time.monotonic() > end:
            break
    return score


def gate(
    first: Level,
    second: Level,
    pairs: int,
    seed: int,
    regulations: Sequence[str] = REGULATIONS["6"],
    seconds: float = 1e9,
    threads: int = 0,
) -> dict[str, Score]:
    """Return the score of a match in each regulation, and the total under ``all``."""
    each = {
        name: match(
            first,
            second,
            name,
            -(-pairs // len(regulations)),
            seed + 100_000 * place,
            seconds / len(regulations),
            threads,
        )
        for place, name in enumerate(regulations)
    }
    whole = Score()
    for score in each.values():
        whole = whole + score
    return {**each, "all": whole}


def main() -> None:
    reader = argparse.ArgumentParser(prog="training.gate")
    reader.add_argument("first")
    reader.add_argument("second")
    reader.add_argument("--pairs", type=int, default=300)
    reader.add_argument("--seed", type=int, default=500_000_000)
    reader.add_argument("--edition", choices=REGULATIONS, default="6")
    reader.add_argument("--regulations", default="", help="instead of those of the edition")
    reader.add_argument("--seconds", type=float, default=1e9)
    reader.add_argument("--threads", type=int, default=0)
    args = reader.parse_args()
    scores = gate(
        level_of(args.first),
        level_of(args.second),
        args.pairs,
        args.seed,
        args.regulations.split(",") if args.regulations else REGULATIONS[args.edition],
        args.seconds,
        args.threads,
    )
    for name, score in scores.items():
        print(f"{name}: {score}", flush=True)
    print("taken" if scores["all"].passes else "not taken")


if __name__ == "__main__":
    main()
