"""A digest of seeded random games: every decision, every option, every state at the start of a turn.

As a script it prints one line per game, so that two builds can be compared: ``python -m tests.properties.digest
master+full 0 1000``.
"""

from __future__ import annotations

import hashlib
import sys

from blackpoker.engine.cards import count
from blackpoker.engine.engine import Engine
from blackpoker.engine.shuffler import seeded
from tests.properties.play import decisions, start


def state_bytes(engine: Engine) -> bytes:
    """Return the state on which the two builds must agree, apart from the options."""
    parts: list[object] = [engine.turn, engine.chance, engine.turn_number, engine.next_id, engine.source.state]
    for side in engine.sides:
        parts += [
            side.life,
            side.hand,
            side.grave,
            side.grave_top,
            side.public,
            side.seen,
            side.own_seen,
            side.fresh,
            side.bonus,
        ]
        parts += [count(side.hand), side.trumps, side.open_trumps, side.used, side.requests]
        parts += [(u.id, u.kind, u.cards, u.driven, u.bonus, u.role) for u in side.soldiers + side.bulwarks]
    parts += [(r.id, r.action, r.keys, r.virtual, r.target_kind, r.target) for r in engine.stage]
    return repr(parts).encode()


def digest(regulation: str, seed: int) -> tuple[str, int]:
    engine, _ = start(regulation, seed)
    engine.log = None
    engine.trace = None
    hash = hashlib.blake2b(digest_size=12)
    turn, n = 0, 0
    for option in decisions(engine, seeded(seed + 1)):
        hash.update(bytes([engine.kind, engine.asked, option, len(engine.options), *engine.options]))
        n += 1
        if engine.turn_number != turn:
            turn = engine.turn_number
            hash.update(state_bytes(engine))
    hash.update(state_bytes(engine))
    hash.update(bytes([engine.winner]))
    return hash.hexdigest(), n


def main(regulation: str, first: str, games: str) -> None:
    for seed in range(int(first), int(first) + int(games)):
        print(seed, *digest(regulation, seed))


if __name__ == "__main__":
    main(*sys.argv[1:4])
