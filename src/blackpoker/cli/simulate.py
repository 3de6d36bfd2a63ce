"""``blackpoker simulate``: many games between random players, with statistics."""

from __future__ import annotations

import json as json_module
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from blackpoker import native
from blackpoker.cli.console import STOPPED, language
from blackpoker.cli.regulations import parse
from blackpoker.cli.terminal import console, progress
from blackpoker.native import PLANS, Games
from blackpoker.players.process_pool import as_completed
from blackpoker.ruleset import Regulation
from blackpoker.text.resources import Lang, in_lang
from blackpoker.text.rulebook import Book

CHUNK = 50  # games per worker task

TEXTS = {
    "title": ("{0} ランダムどうしの{1}ゲーム（シード {2}）", "{0}: {1} games between random players (seed {2})"),
    "stopped": ("途中で止めました。{0}ゲームの結果です。", "Stopped early: figures of {0} games."),
    "first": ("先攻の勝率", "first player wins"),
    "draws": ("引き分け", "draws"),
    "turns": ("ターン数", "turns"),
    "decisions": ("選択の数", "decisions"),
    "forced": ("うち選択肢が1つ", "of these forced"),
    "mean": ("平均 {0:.1f}（最小 {1}・最大 {2}）", "mean {0:.1f} (least {1}, most {2})"),
    "interval": ("{0:.1%}（95%区間 {1:.1%}–{2:.1%}）", "{0:.1%} (95 % interval {1:.1%}–{2:.1%})"),
    "action": ("アクション", "action"),
    "uses": ("1ゲームあたり", "per game"),
    "used": ("使ったゲーム", "games used in"),
    "wins": ("使った側の勝率", "win rate of its user"),
    "games": ("ゲーム", "games"),
    "none": ("まだ1ゲームも終わっていません。", "No game was finished."),
}


@dataclass
class GameSums:
    """Sums over games; two of them can be added."""

    games: int = 0
    first_wins: int = 0
    draws: int = 0
    turns: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    forced: int = 0
    uses: dict[str, int] = field(default_factory=dict)  # requests, and triggered actions taking effect
    users: dict[str, int] = field(default_factory=dict)  # players who used it in a game
    used_games: dict[str, int] = field(default_factory=dict)
    wins: dict[str, float] = field(default_factory=dict)  # wins of these players; a draw counts half

    def add(self, other: GameSums) -> None:
        self.games += other.games
        self.first_wins += other.first_wins
        self.draws += other.draws
        self.turns += other.turns
        self.decisions += other.decisions
        self.forced += other.forced
        for mine, theirs in ((self.uses, other.uses), (self.users, other.users), (self.used_games, other.used_games)):
            for id, n in theirs.items():
                mine[id] = mine.get(id, 0) + n
        for id, won in other.wins.items():
            self.wins[id] = self.wins.get(id, 0.0) + won

    def count(self, played: Games, ids: list[str]) -> None:
        """Count finished games; ``ids`` are those of the actions."""
        self.games += len(played)
        self.turns += played.turns
        self.decisions += played.decisions
        self.forced += sum(played.forced)
        for game, winner in enumerate(played.winner):
            self.first_wins += winner == played.first[game]
            self.draws += winner not in (0, 1)
            seats = [played.uses[start : start + len(ids)] for start in (2 * game * PLANS, (2 * game + 1) * PLANS)]
            for id, *times in zip(ids, *seats, strict=True):
                if any(times):
                    self.use(id, times, winner)

    def use(self, id: str, times: list[int], winner: int) -> None:
        """Count an action used in a game, with its uses per player."""
        self.uses[id] = self.uses.get(id, 0) + sum(times)
        self.used_games[id] = self.used_games.get(id, 0) + 1
        for player in (0, 1):
            if times[player]:
                self.users[id] = self.users.get(id, 0) + 1
                won = 1.0 if winner == player else 0.0 if winner in (0, 1) else 0.5
                self.wins[id] = self.wins.get(id, 0.0) + won

    def data(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        first = {
            "wins": self.first_wins,
            "rate": rate(self.first_wins, self.games),
            "interval95": list(interval(self.first_wins, self.games)),
        }
        return {
            "games": self.games,
            "first_player": first,
            "draws": self.draws,
            "turns": spread(self.turns),
            "decisions": spread(self.decisions),
            "forced_share": rate(self.forced, sum(self.decisions)),
            "actions": {
                id: {
                    "uses": self.uses[id],
                    "games": self.used_games[id],
                    "users": self.users[id],
                    "user_win_rate": rate(self.wins[id], self.users[id]),
                    "interval95": list(interval(self.wins[id], self.users[id])),
                }
                for id in sorted(self.uses)
            },
        }


def rate(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def spread(numbers: list[int]) -> dict[str, float]:
    if not numbers:
        return {"mean": 0.0, "least": 0, "most": 0}
    return {"mean": round(sum(numbers) / len(numbers), 2), "least": min(numbers), "most": max(numbers)}


def interval(successes: float, n: int, share: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a rate."""
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + share / 2)
    p = successes / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)


def play_games(regulation: Regulation, first_seed: int, n: int) -> GameSums:
    """Return the sums of games with seeds from ``first_seed`` on; a worker's task."""
    figures = GameSums()
    played = native.games(regulation, range(first_seed, first_seed + n), threads=1, uses=True)
    figures.count(played, [plan.id for plan in regulation.rules().plans])
    return figures


def chunks(seed: int, games: int) -> Iterator[tuple[int, int]]:
    for start in range(0, games, CHUNK):
        yield seed + start, min(CHUNK, games - start)


def play_sequentially(regulation: Regulation, seed: int, games: int) -> Iterator[GameSums]:
    for start, n in chunks(seed, games):
        yield play_games(regulation, start, n)


def simulate(
    regulation: str, games: int, seed: int, jobs: int, packages: list[Path] | None, json: bool, lang: str | None
) -> int:
    """Play games between random players and print the figures. Ctrl-C stops early and prints the results so far."""
    tongue = language(lang)
    chosen = parse(regulation, packages)
    text = chosen.text
    total = GameSums()
    stopped = False
    out = console()
    workers = min(jobs or os.cpu_count() or 1, math.ceil(games / CHUNK))
    work = (
        play_sequentially(chosen, seed, games)
        if workers == 1
        else as_completed(workers, play_games, ((chosen, *chunk) for chunk in chunks(seed, games)))
    )
    try:
        with progress() as bar:
            task = bar.add_task(text, total=games)
            for figures in work:
                total.add(figures)
                bar.update(task, completed=total.games)
    except KeyboardInterrupt:
        stopped = True
    if json:
        head = {
            "regulation": text,
            "edition": chosen.edition.text,
            "seed": seed,
            "asked": games,
            "stopped": stopped,
            "player": "random",
        }
        print(json_module.dumps({**head, **total.data()}, ensure_ascii=False, indent=2))
    else:
        show(out, chosen, seed, total, stopped, tongue)
    return STOPPED if stopped else 0


def show(out: Console, regulation: Regulation, seed: int, total: GameSums, stopped: bool, lang: Lang) -> None:
    def phrase(name: str, *values: object) -> str:
        return in_lang(TEXTS[name], lang).format(*values)

    if total.games == 0:
        out.print(phrase("none"))
        return
    data = total.data()
    out.print(f"[bold]{escape(phrase('title', regulation.text, total.games, seed))}[/bold]")
    if stopped:
        out.print(f"[yellow]{phrase('stopped', total.games)}[/yellow]")
    table = Table.grid(padding=(0, 2))
    low, high = data["first_player"]["interval95"]
    table.add_row(phrase("first"), phrase("interval", data["first_player"]["rate"], low, high))
    table.add_row(phrase("draws"), f"{total.draws} ({total.draws / total.games:.2%})")
    for name in ("turns", "decisions"):
        values = data[name]
        table.add_row(phrase(name), phrase("mean", values["mean"], values["least"], values["most"]))
    table.add_row(phrase("forced"), f"{data['forced_share']:.1%}")
    out.print(table)
    out.print()
    book = Book(regulation.edition, lang)
    actions = Table(box=None, pad_edge=False, padding=(0, 2))
    actions.add_column(phrase("action"))
    for name in ("uses", "used", "wins"):
        actions.add_column(phrase(name), justify="right")
    for id in sorted(total.uses, key=lambda id: -total.uses[id]):
        low, high = interval(total.wins[id], total.users[id])
        actions.add_row(
            book.action_name(id),
            f"{total.uses[id] / total.games:.2f}",
            f"{total.used_games[id] / total.games:.1%}",
            f"{total.wins[id] / total.users[id]:.1%} ({low:.1%}–{high:.1%})",
        )
    out.print(actions)
