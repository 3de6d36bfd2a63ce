"""``blackpoker lab``: run an experiment, write its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final

from blackpoker.cli.console import STOPPED, UsageError, language, os_error_text
from blackpoker.cli.terminal import console, progress
from blackpoker.lab.experiment import Arm, Experiment, LabError, default_seats, load_rules, read_deck, read_experiment
from blackpoker.lab.experiment_file import Store
from blackpoker.lab.scheduler import run as play
from blackpoker.players.bots.bot_names import split_names
from blackpoker.ruleset import Regulation, RegulationError, all_regulations
from blackpoker.text.resources import Lang, in_lang

BOTH: Final = ("{0} は実験のファイルに書いてください", "{0} stands in the experiment's file")
CANNOT_WRITE: Final = ("{0} に書けません：{1}", "cannot write {0}: {1}")
PLAYED: Final = (
    "{0}：{1}ゲーム（今回 {2}）。報告書：blackpoker lab report {0}",
    "{0}: {1} games ({2} now). For the report: blackpoker lab report {0}",
)
GO_ON: Final = (
    "途中で止めました。同じ命令でもう一度始めると、{0} の続きから進みます。",
    "Stopped. The same command again goes on from {0}.",
)
ALL_REGULATIONS: Final = "all"
#: flags that an experiment file replaces; deals may be raised later
IN_FILE: Final = {
    "regulation": "--regulation",
    "players": "--players",
    "packages": "--rules",
    "deck": "--deck",
    "seed": "--seed",
    "seats": "--seats",
}


def run(
    file: Path | None,
    regulation: list[str] | None,
    players: list[str] | None,
    packages: list[str] | None,
    deck: list[str] | None,
    deals: int | None,
    seed: int | None,
    seats: int | None,
    jobs: int,
    dask: str,
    output: Path | None,
    lang: str | None,
) -> int:
    """Play the deals of an experiment with all its arms."""
    given: dict[str, Any] = {
        "regulation": regulation,
        "players": players,
        "packages": packages,
        "deck": deck,
        "deals": deals,
        "seed": seed,
        "seats": seats,
    }
    try:
        experiment = requested_experiment(file, given)
        path = output or Path(f"{file.stem}.lab" if file is not None else "experiment.lab")
        return play_all(experiment, path, jobs, dask, language(lang))
    except LabError as error:
        raise UsageError((error.ja, error.en)) from None


def requested_experiment(file: Path | None, given: dict[str, Any]) -> Experiment:
    """Return the experiment of a file, or of the flags; raise `UsageError` if both set the same value."""
    if file is not None:
        for name, flag in IN_FILE.items():
            if given[name] is not None:
                raise UsageError(BOTH, flag)
        found = read_experiment(file)
        return found if given["deals"] is None else replace(found, deals=given["deals"])
    arms = arms_of(given["regulation"], given["players"], given["packages"], given["deck"])
    deals, seed, seats = (given[name] for name in ("deals", "seed", "seats"))
    return Experiment("experiment", arms, deals or 1000, seed or 0, seats or default_seats(arms)).checked()


def arms_of(
    regulations: Sequence[str] | None,
    players: Sequence[str] | None,
    rules: Sequence[str] | None,
    decks: Sequence[str] | None,
) -> tuple[Arm, ...]:
    """Return one arm per combination of the given values, named by the parts that vary."""
    packages = [(), *(tuple(each.split(",")) for each in rules or ())]
    editions = {package: load_rules(package) for package in packages}
    found = []
    for text, names, package, files in product(
        regulations or ["master+full"], players or ["heuristic"], packages, decks or [""]
    ):
        edition = editions[package]
        sides = split_names(names)
        if len(sides) > 2:
            raise LabError("players are two: X,Y", "プレイヤーはXとYの2人です")
        for regulation in all_regulations(edition) if text == ALL_REGULATIONS else [_parse(text, edition)]:
            deck_list = [read_deck(Path(path), regulation) for path in files.split(",") if path]
            pair = (deck_list[0], deck_list[-1]) if deck_list else (None, None)
            name = arm_name(
                (regulation.text, len(regulations or ()) > 1 or text == ALL_REGULATIONS),
                (names, len(players or ()) > 1),
                ("+".join(Path(path).name for path in package) or "base", bool(rules)),
                (files, len(decks or ()) > 1),
            )
            found.append(Arm(name, regulation.text, (sides[0], sides[-1]), package, pair, edition=regulation.edition))
    return tuple(found)


def arm_name(*parts: tuple[str, bool]) -> str:
    """Return the name of an arm: those of its parts that vary."""
    return " · ".join(text for text, varies in parts if varies and text) or "base"


def _parse(text: str, edition: Any) -> Regulation:
    try:
        return Regulation.parse(text, edition)
    except RegulationError as error:
        raise LabError(error.en, error.ja) from None


def play_all(experiment: Experiment, path: Path, jobs: int, dask: str, lang: Lang) -> int:
    out = console()
    try:
        with progress() as bar:
            task = bar.add_task(experiment.name, total=experiment.games)

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            played = play(experiment, path, jobs=jobs, dask=dask, progress=show)
    except KeyboardInterrupt:
        out.print(in_lang(GO_ON, lang, path), soft_wrap=True)
        return STOPPED
    with Store(path) as store:
        out.print(in_lang(PLAYED, lang, path, store.count(), played), soft_wrap=True)
    return 0


def report(file: Path, output: Path | None, csv: Path | None, png: Path | None, lang: str | None) -> int:
    """Write the report of an experiment."""
    tongue = language(lang)
    place = output or file.with_suffix(".html")
    try:
        Store(file).close()  # checks the file before the slow imports of the report
        from blackpoker.lab.report import write_report

        sentences = write_report(file, place, csv, png, tongue)
    except LabError as error:
        raise UsageError((error.ja, error.en)) from None
    except OSError as error:
        raise UsageError(CANNOT_WRITE, error.filename or place, os_error_text(error, tongue)) from None
    out = console()
    for line in (*sentences, str(place)):
        out.print(line, soft_wrap=True)
    return 0
