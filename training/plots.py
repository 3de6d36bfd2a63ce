"""Plots of a training run: losses on held-out games, the gates, and the resulting strength.

    python -m training.plots FOLDER/rounds.jsonl OUT.svg

``training.round`` redraws them after every round.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blackpoker.lab.plots import COLOURS, Plot, svg
from training.gate import WANTED, elo, wilson

Line = dict[str, Any]
GREY = "#777777"
LOSSES = (
    ("value", "value, all decisions", "-"),
    ("opinion", "the search's own opinion", ":"),
    ("policy", "policy", "-"),
)


def draw(lines: Sequence[Line], out: Path) -> None:
    """Draw all rounds so far."""
    picture = Plot("training", ("学習の経過", "The rounds of a training"), lambda at: curves(lines))
    out.write_text(svg(picture, 1), encoding="utf-8")


def ratings(lines: Sequence[Line]) -> list[tuple[int, float, float, float]]:
    """Return for the net of every gate: round, Elo above the first accepted net, and the 95 % interval of this gate
    alone.
    """
    best, found = 0.0, []
    for line in lines:
        if "gate" in line:
            low, high = wilson(line["gate"] * line["gate_games"], line["gate_games"])
            found.append((line["round"], *(best + elo(share) for share in (line["gate"], low, high))))
            if line["taken"]:
                best += elo(line["gate"])
    return found


def curves(lines: Sequence[Line]) -> Figure:
    figure = Figure(figsize=(7.5, 7.0), layout="constrained")
    losses, gates, strength = figure.subplots(3, 1, sharex=True)
    for (name, label, style), colour in zip(LOSSES, COLOURS, strict=False):
        losses.plot([line["round"] for line in lines], [line[name] for line in lines], style, color=colour, label=label)
    losses.set_ylabel("loss, held-out games")
    losses.legend(fontsize="small")
    met = [line for line in lines if "gate" in line]
    for line in met:
        share = line["gate"]
        low, high = wilson(share * line["gate_games"], line["gate_games"])
        gates.errorbar(
            line["round"],
            100 * share,
            yerr=[[100 * (share - low)], [100 * (high - share)]],
            fmt="o",
            capsize=3,
            color=COLOURS[0],
            markersize=5,
            markerfacecolor=COLOURS[0] if line["taken"] else "white",
        )
    gates.axhline(100 * WANTED, color=GREY, linewidth=1, linestyle="--")
    gates.axhline(50, color=GREY, linewidth=0.6)
    gates.set_ylabel("gate: % won (full: taken)")
    rated = ratings(lines)
    if rated:
        rounds, values, lows, highs = zip(*rated, strict=True)
        strength.plot(rounds, values, "o-", color=COLOURS[0], markersize=3)
        strength.fill_between(rounds, lows, highs, color=COLOURS[0], alpha=0.15, linewidth=0)
    strength.set_ylabel("Elo above the first")
    strength.set_xlabel("round")
    strength.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in (losses, gates, strength):
        axes.grid(color="#dddddd", linewidth=0.6)
    return figure


def main() -> None:
    reader = argparse.ArgumentParser(prog="training.plots")
    reader.add_argument("rounds", type=Path)
    reader.add_argument("out", type=Path)
    args = reader.parse_args()
    draw([json.loads(line) for line in args.rounds.read_text(encoding="utf-8").splitlines()], args.out)


if __name__ == "__main__":
    main()
