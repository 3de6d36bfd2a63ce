"""Self-play games in machine code on all cores, and their training records (``RECORD``).

    python -m training.selfplay OUT [--net FILE] [--edition 6] [--seconds 60] [--playouts 300] [--rollout 0] [--seed 1]

Without a net the search uses play-outs: the first round.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from blackpoker import Regulation
from blackpoker.ai.net import Net
from blackpoker.ai.net_file import empty_net, load_net
from blackpoker.engine.shuffler import seeded
from blackpoker.native import library as door
from blackpoker.native.layout import Outgrown
from blackpoker.native.layout import Search as SearchMemory
from blackpoker.players.batch_play import GameBatch, search_of, setup_choices
from blackpoker.players.engine_players import Level
from blackpoker.ruleset import CONSTRUCTED, Deck, new_game

#: regulations and their share of games, about in percent, by edition
MIXTURES = {
    "6": {
        "lite+entry": 10,
        "lite+random40": 3,
        "lite+full": 3,
        "lite+randomhalf": 5,
        "lite+random40+pack": 2,
        "lite+constructed40": 1,
        "standard+full": 6,
        "standard+entry": 2,
        "standard+random40": 3,
        "standard+regular": 1,
        "standard+full+preset4": 1,
        "standard+randomhalf": 4,
        "pro+full": 7,
        "pro+entry": 2,
        "pro+random40": 3,
        "pro+constructed40": 1,
        "pro+randomhalf": 4,
        "pro+randomhalf+preset2": 1,
        "master+full": 16,
        "master+entry": 5,
        "master+random40": 4,
        "master+randomhalf": 5,
        "master+constructed40": 2,
        "master+regular": 2,
        "master+full+preset2": 1,
        "master+random40+pack": 1,
        "master+constructedhalf": 2,
        "extra+regular": 16,
        "extra+full": 8,
        "extra+full+preset2": 1,
        "extra+regular+preset4": 1,
    },
    "9": {
        "9:lite+entry16": 12,
        "9:lite+pack": 9,
        "9:standard+pack": 8,
        "9:standard+rare_pack": 10,
        "9:pro+rare_pack": 10,
        "9:pro+strategy": 11,
        "9:master+strategy": 12,
        "9:master+extra": 14,
        "9:master+draft": 14,
    },
}
BITS_KEPT = 184
OPTIONS_KEPT = 56
#: a record, little-endian; as in native/selfplay.h. ``won``: 0 lost, 1 drawn, 2 won by the player to decide; ``mean``:
#: the search's estimate of that; ``scores``: heuristic points behind the best option
RECORD = np.dtype(
    [
        ("game", "<u4"),
        ("policy", "u1"),
        ("kind", "u1"),
        ("options", "u1"),
        ("bits_on", "u1"),
        ("won", "u1"),
        ("starts", "u1"),
        ("regulation", "u1"),
        ("unused", "u1"),
        ("mean", "<u2"),
        ("visited", "<u2"),
        ("bits", "<u2", (BITS_KEPT,)),
        ("rows", "<u2", (OPTIONS_KEPT,)),
        ("shown", "<u2", (OPTIONS_KEPT,)),
        ("scores", "<i2", (OPTIONS_KEPT,)),
        ("visits", "<u2", (OPTIONS_KEPT,)),
    ]
)


class CannotPlay(RuntimeError):
    """Raised when there is no machine code."""


class Job(ctypes.Structure):
    """The start of a group of games."""

    _fields_ = (
        ("tables", ctypes.c_void_p),
        ("start", ctypes.c_void_p),
        ("players", ctypes.c_void_p),
        ("regulation", ctypes.c_int64),
        ("made", ctypes.c_uint8 * 8),
    )


class SelfPlayConfig(ctypes.Structure):
    """Settings of self-play. Of a thousand decisions, ``policies`` are searched with ``playouts`` and recorded with
    their visits, the others use ``quick``; ``values`` are recorded with the result of the game; ``odd`` are
    sampled by visits, ``blind`` uniformly; ``noise``: share of random noise in the root priors of the recorded
    searches, in thousandths.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64)
        for name in (
            "games",
            "seed",
            "threads",
            "milliseconds",
            "playouts",
            "quick",
            "odd",
            "blind",
            "values",
            "policies",
            "noise",
        )
    )


def random_deck(regulation: Regulation, rng: random.Random) -> Deck | None:
    """Return a plausible constructed deck; often all allowed cards."""
    frame = regulation.frame
    if frame.build != CONSTRUCTED:
        return None
    least, most = (22, 32) if frame.decks == 2 else (max(30, frame.least), frame.most)
    size = most if rng.random() < 0.4 else rng.randint(least, most)
    return Deck(tuple(sorted(rng.sample(range(54), size))))


@dataclass
class SelfPlay:
    """Self-play with starting positions packed once; the net can be replaced. ``rollout``: as in ``Search``."""

    seed: int = 1
    groups: int = 400
    edition: str = "6"
    rollout: int = 0

    def __post_init__(self) -> None:
        library = door.native_library()
        if library is None:
            raise CannotPlay("self-play needs the rules as machine code: make native")
        self.library: Any = library
        assert library.blackpoker_record_size() == RECORD.itemsize
        self.keep_alive: list[Any] = []  # keeps the memory alive that the jobs point to
        self.searches: list[Any] = []
        self.net = empty_net()
        mixture = MIXTURES[self.edition]
        self.names = list(mixture)
        self.level = Level("pupil", "", "", "", "", playouts=300, rollout=self.rollout)
        rng = random.Random(self.seed)
        whole = sum(mixture.values())
        jobs: list[Job] = []
        for number, (name, share) in enumerate(mixture.items()):
            regulation = Regulation.parse(name)
            for _ in range(max(1, round(self.groups * share / whole))):
                try:
                    jobs.append(self.job(regulation, number, rng))
                except Outgrown as why:
                    print("left out:", name, why)
        rng.shuffle(jobs)
        self.jobs = (Job * len(jobs))(*jobs)

    def job(self, regulation: Regulation, number: int, rng: random.Random) -> Job:
        seed = rng.randrange(2**30)
        decks = (random_deck(regulation, rng), random_deck(regulation, rng))
        batch = GameBatch(regulation, [seed], [self.level] * 2, decks, trumps=rng.random() < 0.65)
        packed = door.packed_tables(regulation.rules())
        start = packed.pack(new_game(regulation, seeded(seed), decks))
        players = (SearchMemory * 2)()
        for seat, memory in enumerate(players):
            packed.fill(memory, search_of(self.level, batch, seat))
        made = setup_choices(batch)[0]
        self.keep_alive += [packed, start, players]
        self.searches.append(players)
        return Job(
            ctypes.addressof(packed.memory),
            ctypes.addressof(start),
            ctypes.addressof(players),
            number,
            (ctypes.c_uint8 * 8)(len(made), *made),
        )

    def set_net(self, net: Net) -> None:
        """Use this net from now on."""
        self.net = net
        address = net.weights.buffer_info()[0] if net.size else None
        for players in self.searches:
            for memory in players:
                memory.net.weights, memory.net.size = address, net.size

    def play(
        self, out: Path, seed: int, seconds: float, games: int = 10**6, *, first: int = 0, **how: int
    ) -> tuple[int, int]:
        """Append records of games to a file; return the numbers of games and records. ``first``: number of games to
        skip (later games are unaffected, but numbered from zero in the records).
        """
        begin = first % len(self.jobs)
        jobs = (Job * len(self.jobs))(*self.jobs[begin:], *self.jobs[:begin])
        config = SelfPlayConfig(
            games=games,
            seed=seed + first,
            threads=how.get("threads") or os.cpu_count() or 1,
            milliseconds=int(1000 * seconds),
            playouts=how.get("playouts", 300),
            quick=how.get("quick", 80),
            odd=how.get("odd", 100),
            blind=how.get("blind", 15),
            values=how.get("values", 400),
            policies=how.get("policies", 350),
            noise=how.get("noise", 200),
        )
        counts = (ctypes.c_int64 * 2)()
        self.library.blackpoker_selfplay(
            jobs, ctypes.c_int64(len(jobs)), ctypes.byref(config), str(out).encode(), counts
        )
        if counts[0] < 0:
            raise OSError(f"{out} cannot be written")
        return counts[0], counts[1]


def main() -> None:
    reader = argparse.ArgumentParser(prog="training.selfplay")
    reader.add_argument("out", type=Path)
    reader.add_argument("--net", default="")
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--games", type=int, default=10**6)
    reader.add_argument("--edition", choices=MIXTURES, default="6")
    reader.add_argument("--playouts", type=int, default=300)
    reader.add_argument("--rollout", type=int, default=0)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--threads", type=int, default=0)
    args = reader.parse_args()
    try:
        selfplay = SelfPlay(args.seed, edition=args.edition, rollout=args.rollout)
    except CannotPlay as why:
        raise SystemExit(str(why)) from None
    selfplay.set_net(load_net(args.net, args.edition))
    games, records = selfplay.play(
        args.out,
        args.seed * 10**8,
        args.seconds,
        args.games,
        playouts=args.playouts,
        quick=args.playouts // 4,
        threads=args.threads,
    )
    print(f"{games} games, {records} records in {args.out}")


if __name__ == "__main__":
    main()
