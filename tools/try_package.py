"""Check that the installed package is complete: it plays, serves its page and reports its version.

    python tools/try_package.py [--compiled | --pure]

Needs only the extras ``cli`` and ``server``; run it outside of the source tree.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
SERVING = re.compile(r"http://127\.0\.0\.1:\d+")


def require(good: object, what: str) -> None:
    if not good:
        raise SystemExit(f"the package is not whole: {what}")


def check_play(build: str | None) -> str:
    import random

    import blackpoker as bp
    from blackpoker import _build

    require(not Path(bp.__file__).is_relative_to(SOURCE), f"{bp.__file__} is the source, not what was installed")
    require(bp.__version__ == importlib.metadata.version("blackpoker"), "the version is not that of its metadata")
    found = "compiled" if _build.compiled() else "pure"
    require(build in (None, found), f"it is {found}")
    chance = random.Random(7)
    game = bp.Game("master+full", seed=7)
    while game.outcome() is None:
        game.push(chance.choice(game.options))
    require(bp.Game.from_record(game.record()).outcome() == game.outcome(), "a record does not tell the same game")
    return f"{bp.__version__}, {found}, {game.outcome()}"


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=20) as answer:
        body: bytes = answer.read()
    return body


def check_server(version: str) -> str:
    """Check the page, all files of its first load, and the version that the server reports."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = [sys.executable, "-m", "blackpoker.cli", "serve", "--no-qr", "--port", "0"]
        command += ["--database", str(Path(folder, "games.db"))]
        start = time.monotonic()
        with log.open("w") as out:
            server = subprocess.Popen(
                command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "BLACKPOKER_LANG": "en"}
            )
        try:
            while not (match := SERVING.search(log.read_text(encoding="utf-8", errors="replace"))):
                require(server.poll() is None and time.monotonic() - start < 60, log.read_text(errors="replace"))
                time.sleep(0.1)
            ready = time.monotonic() - start
            health = json.loads(fetch(f"{match[0]}/api/health"))
            require(health["version"] == version, f"the server says {health['version']}")
            page = fetch(f"{match[0]}/").decode()
            names = re.findall(r'(?:src|href)="([^"]*assets/[^"]+)"', page)
            require(names, "the page names nothing to load")
            size = sum(len(fetch(f"{match[0]}/{name.lstrip('./')}")) for name in names)
        finally:
            server.terminate()
            server.wait(30)
    return f"served after {ready:.1f} s, {len(names)} files of the page, {size:,} bytes"


def main() -> None:
    parser = argparse.ArgumentParser(description="whether the installed package is whole")
    parser.add_argument("--compiled", dest="build", action="store_const", const="compiled")
    parser.add_argument("--pure", dest="build", action="store_const", const="pure")
    print(check_play(parser.parse_args().build))
    print(check_server(importlib.metadata.version("blackpoker")))


if __name__ == "__main__":
    main()
