"""A robot that plays through the page beside a copy of the engine: shown move, sent message and effect must agree.

It uses slow, doubled and cut connections, in two browsers or at one screen.

    python -m tests.web.robot [--edition 9] [--acts 10000] [--minutes 60] [--seed 0] [--tables 4] [--resume] [--again N]

Every sentence, number and mark around the button is compared too. It prefers what has been covered least: scenarios with
an action or a kind of decision, games of every regulation. The results are stored in build/robot-6.json; ``--resume``
adds to them, ``--again`` replays a recorded difference.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from blackpoker.ruleset import all_regulations, editions
from tests.server.live import Live
from tests.web.browser import FLAGS, chromium
from tests.web.robot_ledger import Fault, Ledger, offers
from tests.web.robot_table import SCRIPT, Deal, Table
from tests.web.tap_scripts import STANDARD, Script, ScriptMove, scripts

__all__ = ["SCRIPT", "Ledger", "run"]

#: rooms per pair of players
ROOMS = 20
#: tries per script that has not covered its goals
TRIES = 3
#: moves after a script if no goals remain
LONG = 50


class Plan:
    """Chooses the next deal."""

    def __init__(self, chance: Random, ledger: Ledger, order: list[Script] | None, more: int) -> None:
        """Create a plan. ``order``: the only scripts to play. ``more``: moves after the end of each script."""
        self.chance = chance
        self.ledger = ledger
        self.order = None if order is None else list(order)
        self.more = more
        self.tries: dict[str, int] = {}
        self.deals = 0

    def next(self) -> Deal | None:
        if self.order is not None:
            return self.of(self.order.pop(0)) if self.order else None
        self.deals += 1
        missing, edition = set(self.ledger.missing), self.ledger.edition
        goals = {one.name: offers(one, edition) & missing for one in scripts(edition)}
        found = [one for one in scripts(edition) if goals[one.name] and self.tries.get(one.name, 0) < TRIES]
        if found and self.deals % 3:
            script = max(found, key=lambda one: (len(goals[one.name]) / (3 + len(one.moves)), -self.tried(one)))
            self.tries[script.name] = self.tried(script) + 1
            return self.of(script)
        return self.long(self.chance.choice(scripts(edition))) if self.deals % 2 else self.game()

    def tried(self, script: Script) -> int:
        return self.tries.get(script.name, 0)

    def of(self, script: Script) -> Deal:
        return Deal(script.name, script.position, moves=script.moves, most=len(script.moves) + self.more)

    def long(self, script: Script) -> Deal:
        """Return the script's deal with further moves, because opening a room costs more than a move."""
        return Deal(script.name, script.position, moves=script.moves, most=len(script.moves) + LONG)

    def game(self) -> Deal:
        """Return a game from its start, of the format and frame with the fewest moves so far."""
        acts = self.ledger.acts_by
        texts = [one.text for one in all_regulations(editions()[self.ledger.edition])]
        self.chance.shuffle(texts)

        def played(text: str) -> tuple[int, int]:
            format, _, frame = text.partition("+")
            return acts[f"format {format}"], acts[f"frame {frame}"]

        text = min(texts, key=played)
        return Deal(text, regulation=text, most=3 * LONG)


async def play(ledger: Ledger, plan: Plan, live: Live, acts: int, end: float, tables: int, seed: int) -> None:
    from playwright.async_api import async_playwright

    async def work(browser: Any, place: int) -> None:
        """Play one deal after another, with new players now and then."""
        table: Table | None = None
        rooms = 0
        while ledger.acts < acts and time.monotonic() < end and (deal := plan.next()) is not None:
            if table is None or rooms % ROOMS == 0:
                if table is not None:
                    await table.close()
                table = Table(live, Random(f"{seed} {place} {rooms}"), ledger)
                await table.open(browser)
            rooms += 1
            table.deal = deal
            try:
                await table.play(deal)
            except Exception as error:
                ledger.faults.append(table.fault(error))
                print(f"✗ {ledger.faults[-1]}", flush=True)
                await table.close()
                table = None
        if table is not None:
            await table.close()

    async with async_playwright() as running:
        browser = await running.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            await asyncio.gather(*(work(browser, place) for place in range(tables)))
        finally:
            await browser.close()


def run(
    acts: int,
    minutes: float,
    seed: int,
    ledger: Ledger,
    order: list[Script] | None = None,
    more: int = 15,
    tables: int = 4,
    keep: bool = False,
) -> Ledger:
    async def whole() -> None:
        started, before = time.monotonic(), ledger.seconds

        async def report_progress() -> None:
            while True:
                await asyncio.sleep(60)
                ledger.seconds = before + time.monotonic() - started
                print(ledger, flush=True)
                if keep:
                    ledger.save()

        reporter = asyncio.create_task(report_progress())
        try:
            await play(
                ledger, Plan(Random(seed), ledger, order, more), live, acts, started + minutes * 60, tables, seed
            )
        finally:
            reporter.cancel()
            ledger.seconds = before + time.monotonic() - started
            if keep:
                ledger.save()

    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "games.db") as live:
        asyncio.run(whole())
    return ledger


def again(fault: Fault) -> Ledger:
    """Replay the moment of a difference with the same players and connection settings."""
    from playwright.async_api import async_playwright

    from blackpoker.game.game import Game

    ledger = Ledger()
    draft = Game.from_position(fault.position).draft(fault.words, finish=True)
    move = ScriptMove("", draft.text, draft.words, "", {}, list(draft.options))

    async def whole() -> None:
        async with async_playwright() as running:
            browser = await running.chromium.launch(executable_path=chromium(), args=FLAGS)
            table = Table(live, Random(0), ledger, fault.line)
            await table.open(browser)
            deal = Deal(fault.deal, fault.position, moves=[move], most=1, line=fault.line, style=fault.style)
            table.deal = deal
            try:
                await table.play(deal)
            except Exception as error:
                ledger.faults.append(table.fault(error))
            await browser.close()

    with tempfile.TemporaryDirectory() as folder, Live(Path(folder) / "games.db") as live:
        asyncio.run(whole())
    return ledger


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.robot", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edition", choices=list(editions()), default=STANDARD)
    parser.add_argument("--acts", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", type=int, default=4, help="so many are played at once")
    parser.add_argument("--resume", action="store_true", help="add to the stored results")
    parser.add_argument("--again", type=int, metavar="N", help="play the moment of the Nth difference again")
    given = parser.parse_args()
    stored = given.resume or given.again is not None
    before = Ledger.load(given.edition) if stored else Ledger(given.edition)
    if given.again is not None:
        ledger = again(before.faults[given.again])
    else:
        ledger = run(given.acts, given.minutes, given.seed, before, tables=given.tables, keep=True)
    print(ledger)
    return 1 if ledger.faults else 0


if __name__ == "__main__":
    sys.exit(main())
