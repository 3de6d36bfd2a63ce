"""``blackpoker puzzles``: list puzzles, show one with hints and solution, make more by search, prove them all again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from blackpoker import Audience
from blackpoker.cli.console import STOPPED, UsageError, language, os_error_text
from blackpoker.cli.terminal import console, progress, status_console
from blackpoker.learn.puzzles.maker import LIVES, ProvenPuzzle, make_puzzles
from blackpoker.learn.puzzles.model import TASKS, Puzzle, all_puzzles, by_id, difficulty
from blackpoker.learn.puzzles.proof import Undecided, answer_proven, refuted
from blackpoker.learn.puzzles.text import best_of, hints, solution_text, title
from blackpoker.players.process_pool import worker_pool
from blackpoker.text.resources import Lang, in_lang

FORMATS = ("lite", "standard", "pro", "master", "extra")
TEXTS = {
    "total": ("手作り{0}問、探索で作った{1}問。", "{0} made by hand, {1} by search."),
    "which": (
        "どの問題ですか。例：blackpoker puzzles show {0}",
        "which puzzle? For example: blackpoker puzzles show {0}",
    ),
    "unknown": ("「{0}」という問題はありません", "there is no puzzle {0!r}"),
    "hints": ("ヒント", "Hints"),
    "solution": ("解答", "Solution"),
    "making": ("自己対戦", "games"),
    "proving": ("証明", "proving"),
    "made": ("{0}問できました。", "{0} puzzles made."),
    "stopped": ("途中で止めました。", "Stopped early."),
    "proven": (
        "{0}問を、手順の最後まで{5}通りのライフで証明、{1}問は失敗（勝つ{2}、生き残る{3}、最善を選ぶ{4}）。",
        "{0} proven to the end of their lines with {5} lives each, {1} failed (win {2}, survive {3}, best {4}).",
    ),
    "actions": ("解答に現れるアクション（{0}）：{1}", "Actions in solutions ({0}): {1}"),
    "failed": ("失敗：{0}", "failed: {0}"),
    "unwritable": ("{0} に書けません：{1}", "cannot write {0}: {1}"),
}


def puzzles(what: str, id: str | None, games: int, seed: int, output: Path | None, jobs: int, lang: str | None) -> int:
    """Print the list, one puzzle, or the results of making or proving."""
    tongue = language(lang)
    if what == "make":
        return make_more(games, seed, output, jobs, tongue)
    if what == "check":
        return check(jobs, tongue)
    if what == "show":
        show(id, tongue)
    else:
        show_list(tongue)
    return 0


def show_list(lang: Lang) -> None:
    out = console()
    table = Table(box=None)
    table.add_column("ID", overflow="fold")
    for name in ("段階", "フォーマット", "課題") if lang == "ja" else ("level", "format", "task"):
        table.add_column(name)
    puzzles = list(by_id().values())
    for puzzle in puzzles:
        title_text = escape(puzzle.title.in_lang(lang))
        table.add_row(escape(puzzle.id), str(puzzle.level), place_of(puzzle), title_text)
    out.print(table)
    made = sum(puzzle.generated for puzzle in puzzles)
    out.print(in_lang(TEXTS["total"], lang).format(len(puzzles) - made, made))


def place_of(puzzle: Puzzle) -> str:
    """Return the format of a puzzle, or its regulation in a later edition."""
    return str(puzzle.position.get("format") or puzzle.position.get("regulation", "master"))


def show(id: str | None, lang: Lang) -> None:
    if id is None:
        raise UsageError(in_lang(TEXTS["which"], lang).format(all_puzzles()[0].id))
    puzzle = by_id().get(id)
    if puzzle is None:
        raise UsageError(in_lang(TEXTS["unknown"], lang).format(id))
    out = console()
    game = puzzle.start()
    title_text = "" if puzzle.generated else f"{escape(puzzle.title.in_lang(lang))}  "
    out.print(f"[bold]{escape(title(puzzle, lang))}[/bold]  {title_text}[dim]{escape(puzzle.id)}[/dim]")
    out.print(escape(game.board(Audience.JUDGE, lang)))
    out.print(f"[bold]{in_lang(TEXTS['hints'], lang)}[/bold]")
    for number, hint in enumerate(hints(puzzle, lang), 1):
        out.print(f"  {number}. {escape(hint)}")
    out.print(f"[bold]{in_lang(TEXTS['solution'], lang)}[/bold]")
    for line in solution_text(puzzle, lang):
        out.print(f"  {escape(line)}")


def made_of(number: int) -> list[ProvenPuzzle]:
    return list(make_puzzles(FORMATS[number % len(FORMATS)], number))


def make_more(games: int, seed: int, output: Path | None, jobs: int, lang: Lang) -> int:
    if output is not None:
        try:
            output.open("a").close()  # fail before the first game if the file is not writable
        except OSError as error:
            raise UsageError(TEXTS["unwritable"], output, os_error_text(error, lang)) from None
    out = status_console() if output is None else console()  # the puzzles themselves go to standard output
    found = code = 0
    bar = progress()
    numbers = range(seed, seed + games)
    try:
        with bar, worker_pool(jobs) as pool:
            task = bar.add_task(in_lang(TEXTS["making"], lang), total=games)
            for number, puzzles in zip(numbers, pool.map(made_of, numbers), strict=True):
                for puzzle in puzzles:
                    found += 1
                    line = json.dumps(entry(f"{puzzle.theme}-{number}-{found}", puzzle), ensure_ascii=False)
                    if output is None:
                        print(line, flush=True)
                    else:
                        with output.open("a", encoding="utf-8") as file:
                            file.write(line + "\n")
                bar.advance(task)
    except KeyboardInterrupt:
        code = STOPPED
        out.print(in_lang(TEXTS["stopped"], lang))
    out.print(in_lang(TEXTS["made"], lang).format(found))
    return code


def entry(id: str, puzzle: ProvenPuzzle) -> dict[str, object]:
    """Return a puzzle in the format of learn/puzzles/data/made.json."""
    return {
        "id": id,
        "theme": puzzle.theme,
        "level": difficulty(puzzle.moves, puzzle.line),
        "position": puzzle.position,
        "play": puzzle.play,
        "best": puzzle.best,
        "line": list(puzzle.line),
    }


def proof_failure(puzzle: Puzzle) -> str:
    """Return why a puzzle is not proven, or "" if it is."""
    try:
        wrong = refuted(puzzle)
        return f"{puzzle.id} ({wrong})" if wrong else "" if answer_proven(puzzle) else puzzle.id
    except Undecided as doubt:
        return f"{puzzle.id} ({doubt})"


def check(jobs: int, lang: Lang) -> int:
    out = console()
    code = 0
    failed: list[str] = []
    actions: Counter[str] = Counter()
    proven: Counter[str] = Counter()
    bar = progress()
    try:
        with bar, worker_pool(jobs) as pool:
            puzzles = list(by_id().values())
            task = bar.add_task(in_lang(TEXTS["proving"], lang), total=len(puzzles))
            for puzzle, problem in zip(puzzles, pool.map(proof_failure, puzzles), strict=True):
                if problem:
                    failed.append(problem)
                else:
                    proven[puzzle.task] += 1
                    actions.update(actions_of(puzzle))
                bar.advance(task)
    except KeyboardInterrupt:
        code = STOPPED  # the check is incomplete
        out.print(in_lang(TEXTS["stopped"], lang))
    out.print(
        in_lang(TEXTS["proven"], lang).format(proven.total(), len(failed), *(proven[task] for task in TASKS), LIVES)
    )
    listed = ", ".join(f"{action} {n}" for action, n in actions.most_common())
    out.print(in_lang(TEXTS["actions"], lang).format(len(actions), listed))
    if failed:
        raise UsageError(in_lang(TEXTS["failed"], lang).format(", ".join(failed)))
    return code


def actions_of(puzzle: Puzzle) -> set[str]:
    """Return the actions p1 requests in the solution; a block counts as one."""
    line = puzzle.line or (f"p1: {best_of(puzzle.id)}",)
    mine = [move.partition(": ")[2] for move in line if move.startswith("p1: ")]
    known = {action.id for action in puzzle.start().regulation.edition.actions}
    blocks = {"block"} if any(":" in words for words in mine) else set()
    return ({words.split()[0].rstrip("@") for words in mine} & known) | blocks
