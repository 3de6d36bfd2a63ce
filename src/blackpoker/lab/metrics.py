"""The metrics of a report, computed only from the rows of an experiment's file."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from scipy import stats

from blackpoker.lab.experiment_file import Store
from blackpoker.lab.statistics import SHARE, Estimate, deals_needed, estimate, significant

#: a curve ends when the share of unfinished games falls below this
CURVE_SHARE: Final = 0.05
OPENING_WORDS: Final = 2
MOST_OPENINGS: Final = 12
#: minimum games of a pair of trumps to be listed among the best and worst
LEAST_PAIR: Final = 30
MOST_PAIRS: Final = 10
MOST_EXTREME_DEALS: Final = 4
#: with more arms than this, arms are listed side by side instead of compared with the first
MOST_COMPARED: Final = 12
#: order of the compared measures; the first that applies to the arms is the one in the summary
RATES: Final = ("x", "first", "draws")
MEASURES: Final = ("x", "first", "turns", "decisions", "draws")


@dataclass
class Usage:
    """Usage of an action, trump or opening, and the results of its users. ``significant``: their win rate differs
    from one half, at a false discovery rate of one in twenty.
    """

    id: str
    per_game: float
    games: float  # share of the games it occurred in
    wins: Estimate  # of its users; a draw counts half
    significant: bool = False
    opened: float = 0.0  # for a trump: share of the games held in which it was opened


@dataclass
class Curve:
    """Means by turn; ``games``: the number of games still running."""

    first: list[float]
    second: list[float]
    games: list[int]


@dataclass
class Pairing:
    """Results of the holders of one trump against holders of another."""

    mine: str
    other: str
    wins: Estimate


@dataclass
class ArmMetrics:
    """The metrics of one arm."""

    number: int
    name: str
    data: dict[str, Any]
    games: int
    first: Estimate  # win rate of the first player
    x: Estimate | None  # win rate of X, if X and Y differ
    draws: Estimate
    turns: Estimate
    decisions: Estimate
    forced: float
    lengths: dict[int, int]  # number of turns to number of games
    life: Curve
    hand: Curve
    actions: list[Usage]
    unused: list[str]
    openings: dict[str, list[Usage]]  # of the first and the second player
    trumps: list[Usage]
    pairings: list[Pairing]
    #: games that would give the main rate with an interval of one point on each side
    one_point: int | None = None


@dataclass
class Shift:
    """The difference of a measure between an arm and the base at the same deals, and the deals needed for more
    precision.
    """

    measure: str
    change: Estimate
    one_point: int | None = None  # deals needed to detect one point (rates) or one tenth (turns, decisions)
    as_seen: int | None = None  # deals needed to detect a difference of the observed size


@dataclass
class UseShift:
    id: str
    change: Estimate  # uses per game
    significant: bool


@dataclass
class ExtremeDeal:
    """A deal with the most different outcomes in the two arms."""

    deal: int
    swapped: int
    arms: tuple[int, int]
    winners: tuple[int, int]
    turns: tuple[int, int]


@dataclass
class Difference:
    """Comparison of an arm with the first one, deal by deal."""

    arm: int
    deals: int
    shifts: list[Shift]
    uses: list[UseShift]
    extreme_deals: list[ExtremeDeal]

    @property
    def main(self) -> Shift:
        return self.shifts[0]


@dataclass
class ReportMetrics:
    name: str
    about: dict[str, str]
    deals: int
    games: int
    faults: int
    arms: list[ArmMetrics] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


# -- reading -----------------------------------------------------------------------------------------------------------


class ArmGames:
    """The games of one arm by column, in the order of deal and seat."""

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        columns = list(zip(*rows, strict=True)) or [()] * 8
        numbers = [np.array(column, dtype=np.int64) for column in columns[:7]]
        self.deal, self.swapped, self.first, self.winner, self.turns, self.decisions, self.forced = numbers
        self.texts = columns[7:]
        self.places = np.unique(self.deal, return_inverse=True)[1]
        self.deals: int = int(self.places.max()) + 1 if len(self.places) else 0

    COLUMNS: Final = (
        "deal",
        "swapped",
        "first",
        "winner",
        "turns",
        "decisions",
        "forced",
        "life",
        "hand",
        "actions",
        "opening",
        "trumps",
    )

    def __len__(self) -> int:
        return len(self.deal)

    @cached_property
    def life(self) -> list[list[list[int]]]:
        return [json.loads(text) for text in self.texts[0]]

    @cached_property
    def hand(self) -> list[list[list[int]]]:
        return [json.loads(text) for text in self.texts[1]]

    @cached_property
    def actions(self) -> list[list[dict[str, int]]]:
        return [json.loads(text) for text in self.texts[2]]

    @cached_property
    def opening(self) -> list[list[list[str]]]:
        return [json.loads(text) for text in self.texts[3]]

    @cached_property
    def trumps(self) -> list[list[dict[str, int]]]:
        return [json.loads(text) for text in self.texts[4]]

    def drop_parsed(self) -> None:
        """Drop the parsed texts to free memory; they are parsed again when needed."""
        for name in ("life", "hand", "actions", "opening", "trumps"):
            self.__dict__.pop(name, None)

    def score(self, seat: Any) -> Any:
        """Return the score of these seats, one per game: 1, 0, or 0.5 for a draw."""
        return np.where(self.winner == 2, 0.5, (self.winner == seat).astype(float))

    def by_deal(self, values: Any) -> Any:
        return np.bincount(self.places, weights=np.asarray(values, dtype=float), minlength=self.deals)

    def started(self) -> Any:
        """Return 1 for games that had a first turn (a game can end before it), else 0."""
        return (self.first >= 0).astype(float)

    def measure(self, name: str) -> Any:
        """Return a measure of every game."""
        if name == "first":
            return self.score(self.first) * self.started()
        if name == "x":
            return self.score(self.swapped)
        if name == "draws":
            return (self.winner == 2).astype(float)
        values: Any = self.turns if name == "turns" else self.decisions
        return values.astype(float)

    def estimate(self, name: str) -> Estimate:
        wholes = self.started() if name == "first" else np.ones(len(self))
        expected = 0.5 if name in ("first", "x") else 0.0
        return estimate(self.by_deal(self.measure(name)), self.by_deal(wholes), expected, name in RATES)


def read_games(store: Store) -> list[ArmGames]:
    rows: dict[int, list[tuple[Any, ...]]] = {number: [] for number in range(len(store.arms))}
    for arm, *row in store.rows(("arm", *ArmGames.COLUMNS)):
        rows[arm].append(tuple(row))
    return [ArmGames(rows[number]) for number in rows]


def compute_metrics(store: Store) -> ReportMetrics:
    """Return all metrics of a report."""
    games = read_games(store)
    faults = sum(1 for (line,) in store.rows(("faults",)) if line)
    deals = games[0].deals if games else 0
    out = ReportMetrics(store.about["name"], dict(store.about), deals, sum(map(len, games)), faults)
    if deals == 0:
        return out
    for number, (data, played) in enumerate(zip(store.arms, games, strict=True)):
        out.arms.append(_arm(number, data, played))
        played.drop_parsed()  # limits the memory to one arm
    for number in range(1, len(games) if len(games) <= MOST_COMPARED else 0):
        mirrored = is_mirrored(store.arms[0]) and is_mirrored(store.arms[number])
        out.differences.append(_difference(number, games[0], games[number], mirrored))
        games[number].drop_parsed()
    return out


def is_mirrored(arm: dict[str, Any]) -> bool:
    """Return whether X and Y of the arm are identical."""
    return bool(arm["players"][0] == arm["players"][1] and arm["decks"][0] == arm["decks"][1])


# -- one arm -----------------------------------------------------------------------------------------------------------


def _arm(number: int, data: dict[str, Any], games: ArmGames) -> ArmMetrics:
    actions = action_uses(games)
    used = {use.id for use in actions}
    turns, counts = np.unique(games.turns, return_counts=True)
    trumps, pairings = trump_uses(games)
    return ArmMetrics(
        number,
        data["name"],
        data,
        len(games),
        games.estimate("first"),
        None if is_mirrored(data) else games.estimate("x"),
        games.estimate("draws"),
        games.estimate("turns"),
        games.estimate("decisions"),
        float(games.forced.sum() / max(1, games.decisions.sum())),
        {int(turn): int(count) for turn, count in zip(turns, counts, strict=True)},
        _curve(games, games.life),
        _curve(games, games.hand),
        actions,
        sorted(set(data["names"]["actions"]) - used),
        _openings(games),
        trumps,
        pairings,
        _games_needed(games, "first" if is_mirrored(data) else "x"),
    )


def _games_needed(games: ArmGames, measure: str) -> int | None:
    """Return the number of games for an interval of one point on each side of the rate."""
    values = _per_deal(games, measure)
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return None
    variance = float(np.var(values, ddof=1))
    deals = math.ceil(stats.norm.ppf((1 + SHARE) / 2) ** 2 * variance / 0.01**2)
    return round(deals * len(games) / games.deals) or None


def _curve(games: ArmGames, values: Sequence[Sequence[Sequence[int]]]) -> Curve:
    """Return the means at the start of every turn, for the first and the second player. The last number of a game is
    its end and not counted.
    """
    longest = max(len(value[0]) for value in values)
    sums = np.zeros((2, longest))
    alive = np.zeros(longest, dtype=np.int64)
    for first, value in zip(games.first, values, strict=True):
        n = len(value[0]) - 1
        if first < 0 or n < 1:
            continue
        alive[:n] += 1
        sums[0, :n] += value[first][:n]
        sums[1, :n] += value[1 - first][:n]
    shown = int(np.count_nonzero(alive >= max(1, CURVE_SHARE * len(values))))
    means = sums[:, :shown] / np.maximum(1, alive[:shown])
    return Curve(means[0].tolist(), means[1].tolist(), alive[:shown].tolist())


class _Tally:
    """Users and their points per deal, for many names."""

    def __init__(self, games: ArmGames) -> None:
        self.games = games
        self.users: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.points: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.times: dict[str, int] = defaultdict(int)
        self.occurred: dict[str, int] = defaultdict(int)

    def add(self, name: str, game: int, seat: int, times: int) -> None:
        deal = int(self.games.places[game])
        winner = int(self.games.winner[game])
        self.users[name][deal] += 1
        self.points[name][deal] += 0.5 if winner == 2 else float(winner == seat)
        self.times[name] += times

    def wins(self, name: str) -> Estimate:
        users = np.zeros(self.games.deals)
        points = np.zeros(self.games.deals)
        places = list(self.users[name])
        users[places] = list(self.users[name].values())
        points[places] = list(self.points[name].values())
        return estimate(points, users, 0.5, True)

    def uses(self, names: Iterable[str]) -> list[Usage]:
        n = max(1, len(self.games))
        found = [Usage(name, self.times[name] / n, self.occurred[name] / n, self.wins(name)) for name in names]
        for use, marked in zip(found, significant([use.wins.p for use in found]), strict=True):
            use.significant = marked
        return found


def action_uses(games: ArmGames) -> list[Usage]:
    tally = _Tally(games)
    for game, seats in enumerate(games.actions):
        for seat, used in enumerate(seats):
            for id, times in used.items():
                tally.add(id, game, seat, times)
        for id in {*seats[0], *seats[1]}:
            tally.occurred[id] += 1
    return sorted(tally.uses(sorted(tally.times)), key=lambda use: -use.per_game)


def opening_name(requested: Sequence[str]) -> str:
    """Return the name of an opening: the first requests of a player's first turn."""
    return " ".join(requested[:OPENING_WORDS])


def _openings(games: ArmGames) -> dict[str, list[Usage]]:
    out = {}
    for role in ("first", "second"):
        tally = _Tally(games)
        for game, seats in enumerate(games.opening):
            if games.first[game] < 0:
                continue
            seat = int(games.first[game]) if role == "first" else 1 - int(games.first[game])
            name = opening_name(seats[seat])
            if name:
                tally.add(name, game, seat, 1)
                tally.occurred[name] += 1
        common = sorted(tally.times, key=lambda name: (-tally.times[name], name))[:MOST_OPENINGS]
        out[role] = tally.uses(common)
    return out


def trump_uses(games: ArmGames) -> tuple[list[Usage], list[Pairing]]:
    tally = _Tally(games)
    pairs = _Tally(games)
    opened: dict[str, int] = defaultdict(int)
    for game, seats in enumerate(games.trumps):
        for seat, held in enumerate(seats):
            for card, times in held.items():
                tally.add(card, game, seat, 1)
                opened[card] += times > 0
                for other in seats[1 - seat]:
                    pairs.add(f"{card} {other}", game, seat, 1)
        for card in {*seats[0], *seats[1]}:
            tally.occurred[card] += 1
    uses = tally.uses(sorted(tally.times))
    for use in uses:
        use.opened = opened[use.id] / tally.times[use.id]
    pairings = []
    for name in sorted(pairs.times):
        mine, other = name.split()
        pairings.append(Pairing(mine, other, pairs.wins(name)))
    return sorted(uses, key=lambda use: -use.wins.value), pairings


def extremes(pairings: Sequence[Pairing]) -> list[Pairing]:
    """Return the pairs of trumps with the best results; the worst are the same pairs reversed."""
    enough = [pairing for pairing in pairings if pairing.wins.n >= LEAST_PAIR and pairing.mine != pairing.other]
    return sorted(enough, key=lambda pairing: -pairing.wins.value)[:MOST_PAIRS]


# -- two arms ----------------------------------------------------------------------------------------------------------


def _difference(number: int, base: ArmGames, other: ArmGames, mirrored: bool) -> Difference:
    measures = [name for name in MEASURES if not (mirrored and name == "x")]
    shifts = []
    for name in measures:
        change = _per_deal(other, name) - _per_deal(base, name)
        change = change[~np.isnan(change)]
        found = estimate(change)
        unit = 0.01 if name in RATES else 0.1
        shifts.append(Shift(name, found, deals_needed(change, unit), deals_needed(change, found.value)))
    return Difference(number, base.deals, shifts, _use_shifts(base, other), _extreme_deals(number, base, other))


def _per_deal(games: ArmGames, name: str) -> Any:
    """Return the mean over each deal's games, NaN for a deal without games to count."""
    wholes = games.by_deal(games.started() if name == "first" else np.ones(len(games)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return games.by_deal(games.measure(name)) / wholes


def _use_shifts(base: ArmGames, other: ArmGames) -> list[UseShift]:
    counted = [_uses_per_deal(games) for games in (base, other)]
    per_deal = len(base) / base.deals
    ids = sorted({*counted[0], *counted[1]})
    none = np.zeros(base.deals)
    found = [estimate((counted[1].get(id, none) - counted[0].get(id, none)) / per_deal) for id in ids]
    marks = significant([each.p for each in found])
    shifts = [UseShift(id, each, mark) for id, each, mark in zip(ids, found, marks, strict=True)]
    return sorted(shifts, key=lambda shift: -abs(shift.change.value))


def _uses_per_deal(games: ArmGames) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for game, seats in enumerate(games.actions):
        for used in seats:
            for id, times in used.items():
                if id not in out:
                    out[id] = np.zeros(games.deals)
                out[id][games.places[game]] += times
    return out


def _extreme_deals(number: int, base: ArmGames, other: ArmGames) -> list[ExtremeDeal]:
    """Return deals won by different seats, ordered by the difference in final life margin."""
    margins = []
    for games in (base, other):
        ends = np.array([[life[0][-1], life[1][-1]] for life in games.life])
        margins.append(ends[:, 0] - ends[:, 1])
    flipped = base.score(0) != other.score(0)
    order = np.lexsort((base.deal, -np.abs(margins[0] - margins[1]), ~flipped))
    out: list[ExtremeDeal] = []
    for game in order:
        if len(out) == MOST_EXTREME_DEALS or not flipped[game]:
            break
        deal = int(base.deal[game])
        if all(deal != apart.deal for apart in out):
            winners = (int(base.winner[game]), int(other.winner[game]))
            turns = (int(base.turns[game]), int(other.turns[game]))
            out.append(ExtremeDeal(deal, int(base.swapped[game]), (0, number), winners, turns))
    return out
