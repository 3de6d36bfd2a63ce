"""``blackpoker analyse``: the win chance and best lines of a position, the turning points of a game."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from blackpoker.cli.common import LangOption, Problem, console, language
from blackpoker.errors import BlackPokerError
from blackpoker.game import Game
from blackpoker.notation.parser import display
from blackpoker.players.analysis import Analysis, Point, Turning, analyse, turning_points
from blackpoker.rules.flow import UNDECIDED
from blackpoker.rules.names import PLAYERS
from blackpoker.texts.rulebook import Lang, of_pair

TEXTS = {
    "asked": ("{0} の番", "{0} to choose"),
    "chance": (
        "{0} の勝つ見込み {1:.0%}（95%区間 {2:.0%}–{3:.0%}）",
        "{0} wins {1:.0%} (95 % interval {2:.0%}–{3:.0%})",
    ),
    "move": ("手", "move"),
    "value": ("見込み", "chance"),
    "share": ("読んだ割合", "share of play-outs"),
    "line": ("続き", "goes on"),
    "turning": ("勝負の分かれ目", "turning points"),
    "turn": ("ターン", "turn"),
    "swing": ("変化", "swing"),
    "better": ("読みの推奨", "the search preferred"),
    "over": ("勝者 {0}", "won by {0}"),
    "draw": ("引き分け", "drawn"),
}


def read_game(path: Path) -> Game:
    """A record, a saved game or a position, whichever the file holds."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Problem(f"{path} is no text") from None
    errors: list[str] = []
    readers: list[tuple[str, Callable[[str], Game]]] = [("record", Game.from_record), ("position", Game.from_position)]
    if text.lstrip().startswith("{"):
        readers = [("saved game", Game.from_json)]
    for what, reader in readers:
        try:
            return reader(text)
        except BlackPokerError as error:
            errors.append(f"as a {what}: {error}")
    raise Problem(f"{path} cannot be read; " + "; ".join(errors))


def analyse_command(
    file: Annotated[Path, typer.Argument(help="A record, a saved game or a position.")],
    playouts: Annotated[int, typer.Option("--playouts", "-n", min=10, max=1_000_000, help="Effort.")] = 2000,
    lines: Annotated[int, typer.Option("--lines", min=1, max=20, help="How many moves to show.")] = 3,
    points: Annotated[int, typer.Option("--points", min=0, max=50, help="How many turning points to show.")] = 3,
    seat: Annotated[bool, typer.Option("--seat", help="Only with what the asked player knows.")] = False,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0, max=2**31, help="Of the play-outs.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON only.")] = False,
    lang: LangOption = None,
) -> None:
    """The win chance and the best lines of a position, the turning points of a game."""
    tongue = language(lang)
    game = read_game(file)
    found = None if game.engine.winner != UNDECIDED else analyse(game, playouts, lines, seed, as_seat=seat)
    course: list[Point] = []
    turnings: list[Turning] = []
    if points and game.history:
        error = Console(stderr=True, highlight=False)
        with Progress(
            TextColumn(file.name), BarColumn(), console=error, transient=True, disable=not sys.stderr.isatty()
        ) as bar:
            task = bar.add_task("", total=len(game.history))
            course, turnings = turning_points(
                game, points, max(10, playouts // 8), seed, lambda done, _: bar.update(task, completed=done)
            )
    if json:
        data = {
            "position": None if found is None else found.data(),
            "course": [[point.index, point.turn, round(point.chance.first_wins, 4)] for point in course],
            "turning_points": [turning.data() for turning in turnings],
        }
        print(json_module.dumps(data, ensure_ascii=False, indent=2))
        return
    show(console(), game, found, turnings, tongue)


def show(out: Console, game: Game, found: Analysis | None, turnings: list[Turning], lang: Lang) -> None:
    def say(name: str, *values: object) -> str:
        return of_pair(*TEXTS[name], lang).format(*values)

    if found is None:
        outcome = game.outcome()
        winner = None if outcome is None else outcome.winner
        out.print(say("draw") if winner is None else say("over", PLAYERS[winner]), style="bold")
    else:
        mine = found.chance.of(found.player)
        out.print(say("asked", PLAYERS[found.player]), style="bold")
        out.print(say("chance", PLAYERS[found.player], mine.first_wins, mine.low, mine.high))
        table = Table(box=None, pad_edge=False, padding=(0, 2))
        table.add_column(say("move"))
        table.add_column(say("value"), justify="right")
        table.add_column(say("share"), justify="right")
        table.add_column(say("line"))
        for move in found.moves:
            table.add_row(display(move.text, lang), f"{move.chance:.0%}", f"{move.share:.0%}", ", ".join(move.line))
        out.print(table)
    if turnings:
        out.print()
        out.print(say("turning"), style="bold")
        table = Table(box=None, pad_edge=False, padding=(0, 2))
        for name in ("turn", "move", "swing", "better"):
            table.add_column(say(name))
        for turning in turnings:
            table.add_row(
                str(turning.point.turn),
                f"{PLAYERS[turning.point.player]} {display(turning.point.text, lang)}",
                f"{turning.swing:+.0%}",
                display(turning.better, lang) if turning.better else "",
            )
        out.print(table)
