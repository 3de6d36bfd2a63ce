"""The static page in a real Chromium: start time, memory, and decisions with a fraction of a processor.

    make static && python -m benchmarks.static_page [start] [memory] [decisions] [--core 0.25] [--games 3]

Needs root and cgroups (of either version): all processes of the browser are put into one, so that their time is
measured together and can be limited. ``decisions`` are measured on the connection to the room: from one update to the
next while the computer is to move, so they include the room and IndexedDB; the home page is idle in the background.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.browser import FLAGS, Site, Visit, chromium  # noqa: E402
from tests.web.static_site import PLAYER, READY, StaticSite  # noqa: E402
from tests.web.eager_player import EagerPlayer  # noqa: E402

CGROUPS = Path("/sys/fs/cgroup")
#: microseconds of a quota period; short, so that small tasks are delayed in proportion
PERIOD = 10_000
#: limits of the 95th percentile in milliseconds
LIMITS = {"easy": 50, "strong": 300, "master": 1000}
PLACES = """() => ['engine', 'worker'].map(
  part => new URL(JSON.parse(document.getElementById('static').textContent)[part], location.href).href)"""

#: the engine without a page, and Pyodide alone, from the same files, each in a worker
STARTS = {
    "engine_s": """([engine, worker]) => new Promise((done, failed) => {
  const made = new Worker(worker, {type: 'module'});
  made.onmessage = ({data}) => data.op === 'ready' ? done() : data.op === 'failed' && failed(new Error(data.why));
  made.postMessage({op: 'start', engine, name: 'blackpoker'});
})""",
    "pyodide_s": """([engine]) => new Promise((done, failed) => {
  const code = `const {loadPyodide} = await import('${engine}pyodide.mjs');
    await loadPyodide({indexURL: '${engine}'}); postMessage('ready')`;
  const made = new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})), {type: 'module'});
  made.onmessage = () => done();
  made.onerror = event => failed(new Error(event.message));
})""",
}


class Limited:
    """A browser with all its processes in one cgroup, limited to ``core`` cores (0: unlimited)."""

    def __init__(self, core: float = 0) -> None:
        self.unified = (CGROUPS / "cgroup.controllers").exists()
        kinds = [""] if self.unified else ["cpu", "cpuacct"]
        self.groups = [CGROUPS / kind / f"blackpoker-{os.getpid()}" for kind in kinds]
        for group in self.groups:
            group.mkdir()
        if not core:
            return
        if self.unified:
            self.write("cpu.max", f"{int(core * PERIOD)} {PERIOD}")
            self.write("cpu.weight", "10000")
        else:
            self.write("cpu.cfs_period_us", str(PERIOD))
            self.write("cpu.cfs_quota_us", str(int(core * PERIOD)))
            self.write("cpu.shares", "262144")  # avoids delays by other load

    def write(self, name: str, value: str) -> None:
        (self.groups[0] / name).write_text(value)

    def seconds(self) -> float:
        """Return the processor time of all its processes so far."""
        if self.unified:
            return int((self.groups[0] / "cpu.stat").read_text().split()[1]) / 1e6
        return int((self.groups[1] / "cpuacct.usage").read_text()) / 1e9

    def memory(self) -> float:
        """Return the megabytes of its renderers, with shared pages divided among their users."""
        found = 0
        for pid in (self.groups[0] / "cgroup.procs").read_text().split():
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                found += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        return found / 1000

    @contextmanager
    def browser(self, folder: Path) -> Iterator[Any]:
        from playwright.sync_api import sync_playwright

        script = folder / "limited-chromium"
        joins = "".join(f"echo $$ > {group / 'cgroup.procs'}\n" for group in self.groups)
        script.write_text(f'#!/bin/sh\n{joins}exec {chromium()} "$@"\n')
        script.chmod(0o755)
        with sync_playwright() as running:
            found = running.chromium.launch(executable_path=str(script), args=FLAGS)
            try:
                yield found
            finally:
                found.close()
        for group in self.groups:
            for _ in range(100):
                try:
                    group.rmdir()
                    break
                except OSError:
                    time.sleep(0.1)


@contextmanager
def served(site: Any) -> Iterator[Any]:
    site.start()
    try:
        yield site
    finally:
        site.kill()


def start(folder: Path) -> dict[str, Any]:
    """Return processor seconds of the browser with everything cached: blank page to ready engine, engine without a
    page, Pyodide alone.
    """
    box = Limited()
    rows: dict[str, list[float]] = {"page_s": [], **{kind: [] for kind in STARTS}}
    with served(StaticSite(folder, "/")) as site, box.browser(folder) as browser:
        context = browser.new_context()
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(site.url + "/")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        page.wait_for_function(READY)
        places = page.evaluate(PLACES)
        page.close()
        for _ in range(5):
            for kind, found in rows.items():
                page = context.new_page()
                if kind in STARTS:
                    page.goto(site.url + "/static.json")  # an idle page of the same origin
                time.sleep(2)
                before = box.seconds()
                if kind in STARTS:
                    page.evaluate(STARTS[kind], places)
                else:
                    page.goto(site.url + "/")
                    page.wait_for_function(READY)
                found.append(box.seconds() - before)
                page.close()
                time.sleep(1)
    return {kind: round(statistics.median(found), 2) for kind, found in rows.items()}


def memory(folder: Path) -> dict[str, float]:
    """Return the megabytes of the renderers after the same kind of game, with a server and without."""
    found: dict[str, float] = {}
    for kind in ("server", "static"):
        (folder / kind).mkdir()
        box = Limited()
        place = StaticSite(folder, "/") if kind == "static" else Site(folder / kind)
        with served(place) as site, box.browser(folder) as browser:
            visit = Visit(browser, site, lang="en-US")
            visit.start_game("lite+entry", "easy")
            visit.page.wait_for_selector(".table[data-asked*='/']")
            hand = EagerPlayer(visit, 1)
            while hand.tap() != "over":
                visit.page.wait_for_timeout(20)
            visit.page.wait_for_timeout(5000)
            found[f"{kind}_mb"] = round(box.memory(), 1)
    found["above_mb"] = round(found["static_mb"] - found["server_mb"], 1)
    return found


def decisions(folder: Path, core: float, games: int) -> dict[str, Any]:
    """Return median, 95th percentile and maximum per level in milliseconds."""
    box = Limited(core)
    found: dict[str, Any] = {"core": core}
    with served(StaticSite(folder, "/")) as site, box.browser(folder) as browser:
        page = browser.new_context().new_page()
        page.set_default_timeout(600_000)
        page.goto(site.url + "/")
        page.wait_for_function(READY)
        page.wait_for_timeout(15_000)  # until background work is finished and the engine is warm
        for level, limit in LIMITS.items():
            times: list[float] = []
            before, began = box.seconds(), time.monotonic()
            for _ in range(games):
                times += page.evaluate(PLAYER, ["blackpoker", level, "lite+entry"])["times"]
            used = (box.seconds() - before) / (time.monotonic() - began)  # cores used during play
            times.sort()
            at = [round(times[int(len(times) * part)], 1) for part in (0.5, 0.95)]
            row = {"decisions": len(times), "p50": at[0], "p95": at[1], "most": round(times[-1], 1), "limit": limit}
            found[level] = {**row, "used": round(used, 3)}
    return found


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("what", nargs="*", help="start, memory, decisions; all of them if none is named")
    reader.add_argument("--core", type=float, default=0.25)
    reader.add_argument("--games", type=int, default=3)
    args = reader.parse_args()
    measures = {"start": start, "memory": memory, "decisions": lambda where: decisions(where, args.core, args.games)}
    if not set(args.what) <= measures.keys():
        reader.error(f"there are {', '.join(measures)}")
    for name in args.what or measures:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps({name: measures[name](Path(folder))}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
