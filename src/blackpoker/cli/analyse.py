"""``blackpoker analyse``: the win chance and best lines of a position, the turning points of a game."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from blackpoker.cli.console import UsageError, language, load_edition, read_text
from blackpoker.cli.terminal import console, progress
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.notation.display import display
from blackpoker.players import analysis
from blackpoker.players.analysis import Analysis, SwingMove, WinChancePoint
from blackpoker.players.errors import PlayersError
from blackpoker.ruleset import Edition
from blackpoker.text.resources import LANGUAGES, Lang, in_lang, text_of

TEXTS = {
    "asked": ("選択：{0}", "{0} to choose"),
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
    "better": ("コンピューターなら", "the computer would play"),
    "says": ("{0} なら：{1}", "{0} says: {1}"),
    "over": ("勝者 {0}", "won by {0}"),
    "draw": ("引き分け", "drawn"),
    "as_record": ("棋譜として：{0}", "as a record: {0}"),
    "as_position": ("局面として：{0}", "as a position: {0}"),
    "as_saved": ("保存したゲームとして：{0}", "as a saved game: {0}"),
}
PLAYERS = ("p1", "p2")
NO_GAME = ("{0} を読めません。{1}", "{0} cannot be read; {2}")


def read_game(path: Path, edition: Edition, lang: Lang) -> Game:
    """Return the game of a file: a record, a saved game or a position; raise `UsageError` if it is none of them."""
    text = read_text(path, lang)
    readers: tuple[tuple[str, Callable[..., Game]], ...] = (
        ("as_record", Game.from_record),
        ("as_position", Game.from_position),
    )
    if text.lstrip().startswith("{"):
        readers = (("as_saved", Game.from_json),)
    errors: list[BlackPokerError] = []
    for _, reader in readers:
        try:
            return reader(text, edition=edition)
        except BlackPokerError as error:
            errors.append(error)
    reasons = [
        "; ".join(
            in_lang(TEXTS[what], lang).format(text_of(error, lang))
            for (what, _), error in zip(readers, errors, strict=True)
        )
        for lang in LANGUAGES
    ]
    raise UsageError(NO_GAME, path, *reasons)


def analyse(
    file: Path,
    playouts: int,
    lines: int,
    points: int,
    seat: bool,
    seed: int,
    player: str | None,
    packages: list[Path] | None,
    json: bool,
    lang: str | None,
) -> None:
    """Print win chance and best lines of a position, and the turning points of a game."""
    tongue = language(lang)
    game = read_game(file, load_edition(packages), tongue)
    found = None if game.outcome() is not None else analysis.analyse(game, playouts, lines, seed, as_seat=seat)
    choice = "" if player is None or found is None else player_choice(game, player, seed)
    course: list[WinChancePoint] = []
    turnings: list[SwingMove] = []
    if points and game.history:
        with progress() as bar:
            task = bar.add_task(file.name, total=len(game.history))
            course, turnings = analysis.turning_points(
                game, points, max(10, playouts // 8), seed, lambda done, _: bar.update(task, completed=done)
            )
    if json:
        data: dict[str, Any] = {
            "position": None if found is None else found.data(),
            "course": [[point.index, point.turn, round(point.chance.first_wins, 4)] for point in course],
            "turning_points": [turning.data() for turning in turnings],
        }
        if choice:
            data["player"] = {"name": player, "move": choice}
        print(json_module.dumps(data, ensure_ascii=False, indent=2))
        return
    show(console(), game, found, turnings, tongue)
    if choice:
        console().print(in_lang(TEXTS["says"], tongue).format(player, display(choice, tongue, game.regulation.edition)))


def player_choice(game: Game, name: str, seed: int) -> str:
    """Return the choice of a level or a bot in the position."""
    try:
        return analysis.chosen_move(game, name, seed)
    except PlayersError as error:
        raise UsageError((error.ja, error.en)) from None


def show(out: Console, game: Game, found: Analysis | None, turnings: list[SwingMove], lang: Lang) -> None:
    def phrase(name: str, *values: object) -> str:
        return in_lang(TEXTS[name], lang).format(*values)

    edition = game.regulation.edition
    if found is None:
        outcome = game.outcome()
        winner = None if outcome is None else outcome.winner
        out.print(phrase("draw") if winner is None else phrase("over", PLAYERS[winner]), style="bold")
    else:
        mine = found.chance.of(found.player)
        out.print(phrase("asked", PLAYERS[found.player]), style="bold")
        out.print(phrase("chance", PLAYERS[found.player], mine.first_wins, mine.low, mine.high))
        table = Table(box=None, pad_edge=False, padding=(0, 2))
        table.add_column(phrase("move"))
        table.add_column(phrase("value"), justify="right")
        table.add_column(phrase("share"), justify="right")
        table.add_column(phrase("line"))
        for move in found.moves:
            table.add_row(
                display(move.text, lang, edition), f"{move.chance:.0%}", f"{move.share:.0%}", ", ".join(move.line)
            )
        out.print(table)
    if turnings:
        out.print()
        out.print(phrase("turning"), style="bold")
        table = Table(box=None, pad_edge=False, padding=(0, 2))
        for name in ("turn", "move", "swing", "better"):
            table.add_column(phrase(name))
        for turning in turnings:
            table.add_row(
                str(turning.point.turn),
                f"{PLAYERS[turning.point.player]} {display(turning.point.text, lang, edition)}",
                f"{turning.swing:+.0%}",
                display(turning.better, lang, edition) if turning.better else "",
            )
        out.print(table)
