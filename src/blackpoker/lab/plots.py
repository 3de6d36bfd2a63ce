"""Plots of the metrics with matplotlib: SVG for the page, PNG on request."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blackpoker.lab.metrics import ArmMetrics, ReportMetrics
from blackpoker.lab.statistics import Estimate
from blackpoker.lab.summary import Pair
from blackpoker.lab.tables import MEASURE_NAMES, trump_names

#: with more arms than this only the overview is drawn
MOST_DRAWN: Final = 6
COLOURS: Final = ("#0b6e99", "#b3472e", "#5b7f2b", "#7a4f9a", "#8a6d1d", "#4a4a4a")
_FONTS: Final = ["Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "IPAexGothic"]


@dataclass(frozen=True)
class Plot:
    """A plot; ``draw`` renders it in a language (0 Japanese, 1 English); ``alt``: text alternative."""

    id: str
    alt: Pair
    draw: Callable[[int], Figure]


def make_plots(figures: ReportMetrics) -> list[Plot]:
    """Return the plots for which there is data."""
    if not figures.arms:
        return []
    arms = figures.arms
    out = [Plot("first", ("条件ごとの先攻の勝率", "First player's win rate by arm"), lambda at: _first(arms, at))]
    if figures.differences:
        out.append(
            Plot(
                "differences",
                ("基準との差（95 %区間）", "Differences from the base (95 % intervals)"),
                lambda at: _differences(figures, at),
            )
        )
    if len(arms) <= MOST_DRAWN:
        out.append(Plot("lengths", ("ゲームの長さの分布", "How long games are"), lambda at: _lengths(arms, at)))
        out.append(Plot("curves", ("ターンごとのライフと手札", "Life and hand by turn"), lambda at: _curves(arms, at)))
        out += [_matrix_picture(arm) for arm in arms if arm.pairings]
    return out


def _matrix_picture(arm: ArmMetrics) -> Plot:
    alt = (f"「{arm.name}」：切札どうしの勝率", f"{arm.name}: win rates of trump against trump")
    return Plot(f"trumps-{arm.number}", alt, lambda at: _matrix(arm, at))


# -- drawing -----------------------------------------------------------------------------------------------------------


def _intervals(axes: Any, names: Sequence[str], found: Sequence[Estimate], centre: float, scale: float) -> None:
    places = np.arange(len(names))[::-1]
    values = np.array([each.value for each in found]) * scale
    errors = np.abs(np.array([[each.low, each.high] for each in found]).T * scale - values)
    axes.errorbar(values, places, xerr=errors, fmt="o", color=COLOURS[0], capsize=3, markersize=4)
    axes.axvline(centre * scale, color="#777777", linewidth=1, linestyle="--")
    axes.set_yticks(places, names)
    axes.set_ylim(-0.7, len(names) - 0.3)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)


def _first(arms: Sequence[ArmMetrics], at: int) -> Figure:
    figure = Figure(figsize=(7.5, 1.1 + 0.26 * len(arms)), layout="constrained")
    axes = figure.subplots()
    _intervals(axes, [arm.name for arm in arms], [arm.first for arm in arms], 0.5, 100)
    axes.set_xlabel(("先攻の勝率（%）", "first player wins (%)")[at])
    return figure


def _differences(figures: ReportMetrics, at: int) -> Figure:
    names, found = [], []
    for difference in figures.differences:
        for shift in difference.shifts:
            if shift.measure in ("first", "x", "draws"):
                names.append(f"{figures.arms[difference.arm].name}: {MEASURE_NAMES[shift.measure][at]}")
                found.append(shift.change)
    figure = Figure(figsize=(7.5, 1.1 + 0.3 * len(names)), layout="constrained")
    axes = figure.subplots()
    _intervals(axes, names, found, 0.0, 100)
    axes.set_xlabel(("差（ポイント）", "difference (points)")[at])
    return figure


def _lengths(arms: Sequence[ArmMetrics], at: int) -> Figure:
    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    axes = figure.subplots()
    for arm, colour in zip(arms, COLOURS, strict=False):
        turns = range(max(arm.lengths) + 2)
        shares = [100 * arm.lengths.get(turn, 0) / arm.games for turn in turns]
        axes.step(turns, shares, where="mid", color=colour, label=arm.name)
    axes.set_xlabel(("ターン数", "turns")[at])
    axes.set_ylabel(("ゲーム（%）", "games (%)")[at])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")
    return figure


def _curves(arms: Sequence[ArmMetrics], at: int) -> Figure:
    figure = Figure(figsize=(7.5, 2.4 * len(arms) + 0.4), layout="constrained")
    grid = figure.subplots(len(arms), 2, squeeze=False)
    for row, arm in zip(grid, arms, strict=True):
        for axes, curve, title in zip(row, (arm.life, arm.hand), (("ライフ", "life"), ("手札", "hand")), strict=True):
            turns = range(1, len(curve.games) + 1)
            axes.plot(turns, curve.first, color=COLOURS[0], label=("先攻", "first player")[at])
            axes.plot(turns, curve.second, color=COLOURS[1], linestyle="--", label=("後攻", "second player")[at])
            axes.set_title(f"{arm.name}: {title[at]}", fontsize="medium")
            axes.set_xlabel(("ターン", "turn")[at])
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.set_ylim(bottom=0)
            axes.legend(fontsize="small")
    return figure


def _matrix(arm: ArmMetrics, at: int) -> Figure:
    names = trump_names(arm)
    cards = sorted(names)
    places = {card: place for place, card in enumerate(cards)}
    rates = np.full((len(cards), len(cards)), np.nan)
    for each in arm.pairings:
        rates[places[each.mine], places[each.other]] = 100 * each.wins.value
    side = 2.2 + 0.17 * len(cards)
    figure = Figure(figsize=(side + 0.8, side), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(rates, cmap="RdBu", vmin=0, vmax=100)
    signs = [names[card][at].split()[0] for card in cards]
    axes.set_xticks(range(len(cards)), signs, rotation=90, fontsize=6)
    axes.set_yticks(range(len(cards)), [names[card][at] for card in cards], fontsize=6)
    axes.set_xlabel(("相手の切札", "the other's trump")[at])
    figure.colorbar(image, label=("勝率（%）", "win rate (%)")[at], shrink=0.7)
    return figure


# -- files -------------------------------------------------------------------------------------------------------------


@contextmanager
def _quietly(settings: Any) -> Iterator[None]:
    """Suppress warnings about glyphs that only the reader's fonts have."""
    with warnings.catch_warnings(), matplotlib.rc_context(settings):
        warnings.simplefilter("ignore")
        yield


def svg(picture: Plot, at: int) -> str:
    """Return the plot as SVG text; labels use the reader's fonts."""
    out = io.StringIO()
    with _quietly({"svg.fonttype": "none", "svg.hashsalt": picture.id, "font.family": "sans-serif"}):
        picture.draw(at).savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def png(picture: Plot, lang: int) -> bytes:
    """Return the plot as PNG, in Japanese only if a suitable font is installed."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    japanese = [name for name in _FONTS if name in known]
    out = io.BytesIO()
    with _quietly({"font.family": [*japanese, "DejaVu Sans"]}):
        picture.draw(lang if japanese else 1).savefig(out, format="png", dpi=150)
    return out.getvalue()
