"""``blackpoker arena``: players against each other, with intervals and ratings."""

from __future__ import annotations

import json as json_module
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from blackpoker.cli.console import NO_TEXT, STOPPED, UNREADABLE, UsageError, language, os_error_text
from blackpoker.cli.regulations import parse
from blackpoker.cli.terminal import console, status_console
from blackpoker.players.arena import GameResult, Results, Standings, check_bots, check_players, run, schedule
from blackpoker.players.bots.bot_names import split_names
from blackpoker.players.engine_players import BotLevel, PlayersError, level_of
from blackpoker.players.player_view import SEAT_NAMES
from blackpoker.text.resources import Lang, in_lang

TEXTS = {
    "title": ("{0}　{1} / {2} ゲーム（シード {3}〜）", "{0}: {1} of {2} games (seeds from {3})"),
    "player": ("プレイヤー", "player"),
    "rating": ("レーティング", "rating"),
    "points": ("得点", "points"),
    "ms": ("1手 ms", "ms/decision"),
    "slowest": ("最長 ms", "slowest"),
    "faults": ("異常", "faults"),
    "pair": ("対戦", "pair"),
    "wins": ("勝-分-敗", "won-drawn-lost"),
    "rate": ("勝率（95%区間）", "rate (95 % interval)"),
    "progress": ("{0} 秒：{1} / {2} ゲーム", "{0} s: {1} of {2} games"),
    "stopped": ("途中で止めました。", "Stopped early."),
    "resume": (
        "同じ命令でもう一度始めると、{0} の続きから進みます。",
        "The same command again goes on from {0}.",
    ),
}


def standings_tables(table: Standings, title: str, lang: Lang) -> Group:
    """Return the current standings as tables."""

    def phrase(name: str) -> str:
        return in_lang(TEXTS[name], lang)

    players = Grid(box=None, pad_edge=False, padding=(0, 1))
    players.add_column(phrase("player"), overflow="fold")
    for name in ("rating", "points", "ms", "slowest", "faults"):
        players.add_column(phrase(name), justify="right", no_wrap=True)
    for line in table.ranked():
        players.add_row(
            label(line.name, lang),
            f"{line.mu:.1f} ± {line.sigma:.1f}",
            f"{line.points:g} / {line.games}",
            f"{line.ms:.2f}",
            f"{1000 * line.slowest:.0f}",
            str(line.faults),
        )
    pairs = Grid(box=None, pad_edge=False, padding=(0, 1))
    pairs.add_column(phrase("pair"), overflow="fold")
    for name in ("wins", "rate"):
        pairs.add_column(phrase(name), justify="right", no_wrap=True)
    for pair in table.pairs.values():
        if pair.games:
            low, high = pair.interval
            pairs.add_row(
                f"{label(pair.a, lang)} – {label(pair.b, lang)}",
                f"{pair.wins}-{pair.draws}-{pair.games - pair.wins - pair.draws}",
                f"{pair.rate:.1%} ({low:.1%}–{high:.1%})",
            )
    return Group(Text(title, style="bold"), players, Text(), pairs)


def label(name: str, lang: Lang) -> str:
    level = level_of(name)
    return name if ":" in name and not isinstance(level, BotLevel) else level.name(lang)


class Progress:
    """A line of progress every few seconds while games are played, also before the first of them is finished."""

    def __init__(self, games: int, lang: Lang, show: Callable[[str], None], seconds: float) -> None:
        self.games = games
        self.lang: Lang = lang
        self.show = show
        self.seconds = seconds
        self.finished = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self) -> Progress:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.thread.join()

    def run(self) -> None:
        start = time.monotonic()
        while not self.ended.wait(self.seconds):
            elapsed = round(time.monotonic() - start)
            self.show(in_lang(TEXTS["progress"], self.lang).format(elapsed, self.finished, self.games))


def print_output(result: GameResult) -> None:
    """Print what the bots of a game wrote to standard error."""
    for name, seat, text in zip((result.first, result.second), SEAT_NAMES, result.output, strict=False):
        for line in text.splitlines():
            print(f"{name} ({seat}, seed {result.seed}): {line}", file=sys.stderr, flush=True)


def arena(
    players: str,
    regulation: str,
    games: int,
    seed: int,
    jobs: int,
    results: Path | None,
    forgive: int,
    verbose: bool,
    packages: list[Path] | None,
    json: bool,
    lang: str | None,
) -> int:
    """Run an arena: every deal is played twice with the seats exchanged. Ctrl-C stops and prints the results so far."""
    tongue = language(lang)
    chosen = parse(regulation, packages)
    text, edition = chosen.text, chosen.edition
    try:
        names = check_players(split_names(players))
        check_bots(names, chosen)
        kept = Results(results)
        if results is not None:
            results.open("a").close()  # fail before the first game if the file is not writable
    except PlayersError as error:
        raise UsageError((error.ja, error.en)) from None
    except UnicodeDecodeError:
        raise UsageError(UNREADABLE, results, in_lang(NO_TEXT, tongue)) from None
    except OSError as error:
        raise UsageError(UNREADABLE, results, os_error_text(error, tongue)) from None
    bouts = schedule(text, names, games, seed, edition, forgive)
    left = kept.left(bouts)
    stopped = False
    workers = jobs or os.cpu_count() or 1

    def now() -> Group:
        finished = kept.of(bouts)
        title = in_lang(TEXTS["title"], tongue).format(text, len(finished), len(bouts), seed)
        return standings_tables(Standings(names, finished), title, tongue)

    def add(result: GameResult) -> None:
        kept.add(result)
        if verbose:
            print_output(result)

    try:
        if sys.stderr.isatty():
            with Live(now(), console=status_console(), transient=True, auto_refresh=False) as live:
                progress = Progress(
                    len(left), tongue, lambda line: live.update(Group(now(), Text(line)), refresh=True), 1
                )
                with progress:
                    for result in run(left, workers, edition):
                        add(result)
                        progress.finished += 1
                        live.update(now(), refresh=True)
        else:
            with Progress(len(left), tongue, lambda line: print(line, file=sys.stderr, flush=True), 10) as progress:
                for result in run(left, workers, edition):
                    add(result)
                    progress.finished += 1
    except KeyboardInterrupt:
        stopped = True
    finished = kept.of(bouts)
    if json:
        head = {
            "regulation": text,
            "edition": edition.text,
            "seed": seed,
            "asked": len(bouts),
            "finished": len(finished),
            "stopped": stopped,
        }
        print(json_module.dumps({**head, **Standings(names, finished).data()}, ensure_ascii=False, indent=2))
    else:
        out = console()
        out.print(now())
        if stopped:
            out.print(in_lang(TEXTS["stopped"], tongue), style="yellow")
            if results is not None:
                out.print(in_lang(TEXTS["resume"], tongue).format(results))
    return STOPPED if stopped else 0
