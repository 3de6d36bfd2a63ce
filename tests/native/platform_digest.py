"""One digest of the rules and of every level; it must be equal on every platform and in a page.

    python -m tests.native.platform_digest [--games 100]

In Pyodide ``platform_digest.mjs`` runs the same file. It covers random games of every regulation with a hash of every
decision, games of two levels in every regulation, and games of each level in one regulation of every format.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable

from blackpoker import native
from blackpoker.players import batch_play
from blackpoker.players.engine_players import LEVELS
from blackpoker.ruleset import all_regulations

ONE_OF_EACH = ("lite+entry", "standard+full", "pro+full", "master+full", "extra+full")


def digest(numbers: Iterable[object]) -> str:
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()[:16]


def everywhere(games: int = 100) -> dict[str, object]:
    rows: dict[str, str] = {}
    decisions = outgrown = 0
    for regulation in all_regulations():
        played = native.games(regulation, range(games), hashed=True, threads=1)
        fought = batch_play.games(regulation, range(2), ("strong", "easy"), threads=1)
        for part in (played, fought):
            decisions += sum(part.decisions)
            outgrown += part.outgrown
        rows[str(regulation)] = digest([*played.hash, *fought.hash])
    for level in LEVELS:
        for text in ONE_OF_EACH:
            fought = batch_play.games(text, range(1), (level, "heuristic"), threads=1)
            decisions += sum(fought.decisions)
            rows[f"{level} {text}"] = digest(fought.hash)
    whole = digest(rows.values())
    return {"native": native.available(), "decisions": decisions, "outgrown": outgrown, "digest": whole, "rows": rows}


if __name__ == "__main__":
    found = everywhere(int(sys.argv[2]) if sys.argv[1:2] == ["--games"] else 100)
    print(json.dumps(found, ensure_ascii=False))
