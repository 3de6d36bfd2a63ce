"""Generation of the report from an experiment's file: one page, and tables and plots on request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from blackpoker import Edition
from blackpoker.lab.experiment import LabError
from blackpoker.lab.experiment_file import Store
from blackpoker.lab.metrics import compute_metrics
from blackpoker.lab.plots import make_plots, png
from blackpoker.lab.replays import replays
from blackpoker.lab.report_page import page
from blackpoker.lab.summary import summary
from blackpoker.lab.tables import all_tables, csv_of
from blackpoker.ruleset import Deck, DeckList, write_decks


def write_report(
    file: Path,
    place: Path,
    csv: Path | None = None,
    png_folder: Path | None = None,
    lang: str = "en",
    editions: Sequence[Edition] = (),
) -> list[str]:
    """Write the page to ``place`` and return the summary in this language; raise `LabError` if there are no games.
    ``editions``: rules that do not come from packages.
    """
    with Store(file) as store:
        figures = compute_metrics(store)
        if not figures.arms:
            raise LabError(f"{file} has no games yet", f"{file} にはまだゲームがありません")
        sentences = summary(figures)
        drawn = make_plots(figures)
        again = replays(store, figures, {edition.text: edition for edition in editions})
        text = page(figures, sentences, drawn, again, toml_of(store), lang)
    place.write_text(text, encoding="utf-8")
    if csv is not None:
        csv.mkdir(parents=True, exist_ok=True)
        for table in all_tables(figures):
            (csv / f"{table.id}.csv").write_text(csv_of(table), encoding="utf-8")
    at = 0 if lang == "ja" else 1
    if png_folder is not None:
        png_folder.mkdir(parents=True, exist_ok=True)
        for picture in drawn:
            (png_folder / f"{picture.id}.png").write_bytes(png(picture, at))
    return [pair[at] for pair in sentences]


def toml_of(store: Store) -> str:
    """Return the experiment as a TOML file that reproduces it. Decks follow as comments, to be saved separately."""
    experiment = json.loads(store.about["experiment"])
    lines = [f"{name} = {json.dumps(experiment[name], ensure_ascii=False)}" for name in ("name", "seed", "seats")]
    lines.insert(1, f"deals = {store.about['deals']}")
    below: list[str] = []
    for number, arm in enumerate(store.arms):
        lines += ["", "[[arm]]", f"# {arm['edition']}", *_arm_lines(arm, number, below)]
    return "\n".join(lines + below) + "\n"


def _arm_lines(arm: Mapping[str, Any], number: int, below: list[str]) -> list[str]:
    lines = [
        f"{name} = {json.dumps(arm[name], ensure_ascii=False)}"
        for name in ("name", "regulation", "players", "rules", "trumps", "dice")
        if arm[name] not in ([], 0, "random")
    ]
    if arm["decks"] != [None, None]:
        files = []
        for person, cards in zip("xy", arm["decks"], strict=True):
            files.append("" if cards is None else f"arm{number}-{person}.txt")
            if cards is not None:
                text = write_decks(DeckList((Deck(tuple(cards)),)))
                below += ["", f"# {files[-1]}:", *(f"#   {line}" for line in text.splitlines())]
        lines.append(f"decks = {json.dumps(files)}")
    return lines
