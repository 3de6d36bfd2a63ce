"""``python -m tests.long.compare_builds``: compare the choices of the three builds, by hashes of whole games of players
with the net in every regulation. Games run in machine code, in the compiled engine and in the interpreted one.

    python -m tests.long.compare_builds [-j 2] [--games 3] [--from 1] [--to N] [--builds native,compiled,interpreted]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from blackpoker._build import compiled
from blackpoker.native import available
from blackpoker.players.batch_play import games
from blackpoker.ruleset import all_known_regulations

#: environment of each build
BUILDS = {
    "native": {"BLACKPOKER_NATIVE": "1"},
    "compiled": {"BLACKPOKER_NATIVE": "0"},
    "interpreted": {"BLACKPOKER_NATIVE": "0", "BLACKPOKER_PURE": "1"},
}
PLAYERS = ("search:playouts=24/net=shipped", "strong")
SEED = 7_000


def played(number: int, n: int) -> dict[str, object]:
    """Return, for this build, the hash of every choice of each game and the number of decisions with two options or
    more."""
    regulation = all_known_regulations()[number - 1]
    found = games(regulation, range(SEED, SEED + n), PLAYERS, threads=1)
    return {
        "build": "native" if available() else "compiled" if compiled() else "interpreted",
        "hash": list(found.hash),
        "winner": list(found.winner),
        "decisions": sum(found.decisions) - sum(found.forced),
    }


def played_by(build: str, number: int, n: int) -> dict[str, object]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BLACKPOKER_")}
    command = [sys.executable, "-m", "tests.long.compare_builds", "--games", str(n), "--here", str(number)]
    done = subprocess.run(command, env={**environment, **BUILDS[build]}, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"build": done.stderr[-300:]}
    result: dict[str, object] = json.loads(done.stdout)
    return result


def compare(builds: list[str], number: int, n: int) -> tuple[int, list[str]]:
    """Return the number of compared decisions and the differences."""
    found = [played_by(build, number, n) for build in builds]
    wrong = [f"{build}: {one['build']}" for build, one in zip(builds, found, strict=True) if one.pop("build") != build]
    wrong += [f"{builds[0]} and {build} differ" for build, one in zip(builds, found, strict=True) if one != found[0]]
    return int(str(found[0].get("decisions", 0))), [
        f"{all_known_regulations()[number - 1].text}: {why}" for why in wrong
    ]


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.long.compare_builds")
    reader.add_argument("-j", "--jobs", type=int, default=2)
    reader.add_argument("--games", type=int, default=3)
    reader.add_argument("--from", type=int, default=1, dest="first", help="of the regulations")
    reader.add_argument("--to", type=int, default=len(all_known_regulations()), dest="last")
    reader.add_argument("--builds", default=",".join(BUILDS))
    reader.add_argument("--here", type=int, help=argparse.SUPPRESS)
    args = reader.parse_args()
    if args.here:
        print(json.dumps(played(args.here, args.games)))
        return 0
    builds = args.builds.split(",")
    decisions, failed = 0, []
    with ThreadPoolExecutor(args.jobs) as pool:
        numbers = range(args.first, args.last + 1)
        for done, (here, wrong) in enumerate(pool.map(lambda n: compare(builds, n, args.games), numbers), 1):
            decisions += here
            failed += wrong
            print(
                f"\r{done} of {len(numbers)} regulations, {done * args.games} games, {decisions:,} decisions",
                end="",
                flush=True,
            )
    print(f", in {', '.join(builds)}: {len(failed)} failed")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
