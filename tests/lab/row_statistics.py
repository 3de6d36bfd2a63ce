"""Every figure of a report recomputed from the rows in the simplest way, without the lab's own code."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

RESAMPLES = 3000


class FigureParser(HTMLParser):
    """The numbers of a page: the figure's path, value, bounds and text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "data":
            self.inside = True
            self.found.append({"text": "", **dict(attrs)})

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "data"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1]["text"] += data


def numbers_of(page: str) -> list[dict[str, Any]]:
    parser = FigureParser()
    parser.feed(page)
    return parser.found


class Naive:
    """The games as dictionaries."""

    def __init__(self, path: Path) -> None:
        base = sqlite3.connect(path)
        base.row_factory = sqlite3.Row
        self.arms = [json.loads(data) for (data,) in base.execute("SELECT data FROM arms ORDER BY arm")]
        self.games = [dict(row) for row in base.execute("SELECT * FROM games ORDER BY deal, arm, swapped")]
        base.close()
        for game in self.games:
            for name in ("life", "hand", "actions", "opening", "trumps"):
                game[name] = json.loads(game[name])
        self.deals = sorted({game["deal"] for game in self.games})
        self.cache: dict[Any, Any] = {}
        self.drawn = np.random.default_rng(99).integers(len(self.deals), size=(RESAMPLES, len(self.deals)))

    def of(self, arm: int) -> list[dict[str, Any]]:
        return [game for game in self.games if game["arm"] == arm]

    # -- one number out of pairs (deal, part, whole)

    def ratio(self, parts: Iterator[tuple[int, float, float]] | list[tuple[int, float, float]]) -> dict[str, float]:
        above = dict.fromkeys(self.deals, 0.0)
        below = dict.fromkeys(self.deals, 0.0)
        for deal, part, whole in parts:
            above[deal] += part
            below[deal] += whole
        a, b = np.array(list(above.values())), np.array(list(below.values()))
        sums = b[self.drawn].sum(axis=1)
        values = a[self.drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
        low, high = np.quantile(values, [0.025, 0.975])
        return {
            "value": float(a.sum() / b.sum()),
            "low": float(low),
            "high": float(high),
            "n": b.sum(),
            "sd": float(values.std()),
            "deals": int((b > 0).sum()),
        }

    def score(self, game: dict[str, Any], seat: int) -> float:
        return 0.5 if game["winner"] == 2 else float(game["winner"] == seat)

    def measure(self, arm: int, name: str) -> list[tuple[int, float, float]]:
        each: dict[str, Callable[[dict[str, Any]], float]] = {
            "first": lambda game: self.score(game, game["first"]),
            "x": lambda game: self.score(game, game["swapped"]),
            "draws": lambda game: float(game["winner"] == 2),
            "turns": lambda game: game["turns"],
            "decisions": lambda game: game["decisions"],
        }
        return [(g["deal"], each[name](g), 1) for g in self.of(arm) if name != "first" or g["first"] >= 0]

    def arm_figure(self, arm: int, column: str) -> Any:
        games = self.of(arm)
        if column == "games":
            return len(games)
        if column == "forced":
            return sum(g["forced"] for g in games) / sum(g["decisions"] for g in games)
        if column == "one_point":
            return self.one_point(arm)
        return self.ratio(self.measure(arm, column))

    def one_point(self, arm: int) -> int:
        """Return the games for an interval of one point on each side: of the first player's rate where both players
        are the same, else of the first-named player's."""
        data = self.arms[arm]
        mirrored = data["players"][0] == data["players"][1] and data["decks"][0] == data["decks"][1]
        by_deal: dict[int, list[float]] = {}
        for deal, value, _ in self.measure(arm, "first" if mirrored else "x"):
            by_deal.setdefault(deal, []).append(value)
        means = [sum(values) / len(values) for values in by_deal.values()]
        mean = sum(means) / len(means)
        variance = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
        deals = math.ceil(1.959963985**2 * variance / 0.01**2)
        return round(deals * len(self.of(arm)) / len(by_deal))

    # -- uses: lists of (game, seat, name, times)

    def uses(self, arm: int, kind: str) -> list[tuple[dict[str, Any], int, str, int]]:
        if (arm, kind) in self.cache:
            return list(self.cache[arm, kind])
        out: list[Any] = []
        for game in self.of(arm):
            for seat in (0, 1):
                if kind == "actions":
                    out += [(game, seat, id, times) for id, times in game["actions"][seat].items()]
                elif kind == "trumps":
                    out += [(game, seat, card, times) for card, times in game["trumps"][seat].items()]
                elif (game["first"] == seat) == (kind == "openings-first") and game["opening"][seat][:2]:
                    out.append((game, seat, " ".join(game["opening"][seat][:2]), 1))
        self.cache[arm, kind] = out
        return out

    def wins(self, used: list[tuple[dict[str, Any], int, str, int]], name: str) -> dict[str, float]:
        return self.ratio([(g["deal"], self.score(g, seat), 1) for g, seat, id, _ in used if id == name])

    def use_figure(self, arm: int, kind: str, id: str, column: str) -> Any:
        used = self.uses(arm, kind)
        mine = [each for each in used if each[2] == id]
        n = len(self.of(arm))
        if column == "per_game":
            return sum(each[3] for each in mine) / n
        if column == "share":
            return len({(g["deal"], g["swapped"]) for g, *_ in mine}) / n
        if column in ("users", "held"):
            return len(mine)
        if column == "opened":
            return sum(each[3] > 0 for each in mine) / len(mine)
        if column == "wins":
            return self.wins(used, id)
        assert column == "stands_out"
        key = ("marks", arm, kind)
        if key not in self.cache:
            names = [id for id, in_table in self.tabled(used, kind) if in_table]
            self.cache[key] = self.marked({name: self.wins(used, name) for name in names}, 0.5)
        return self.cache[key][id]

    def tabled(self, used: list[Any], kind: str) -> list[tuple[str, bool]]:
        names = sorted({each[2] for each in used})
        if not kind.startswith("openings"):
            return [(name, True) for name in names]
        often = sorted(names, key=lambda name: (-sum(each[2] == name for each in used), name))
        return [(name, place < 12) for place, name in enumerate(often)]

    def marked(self, found: dict[str, dict[str, float]], expected: float) -> dict[str, bool | None]:
        """Apply Benjamini and Hochberg's step-up rule; return None for values too close to the limit."""
        chances = {name: self.chance(each, expected) for name, each in found.items()}
        ranked = sorted(chances, key=lambda name: chances[name])
        adjusted, least = {}, 1.0
        for rank in range(len(ranked), 0, -1):
            name = ranked[rank - 1]
            least = min(least, chances[name] * len(ranked) / rank)
            adjusted[name] = least
        return {name: None if 0.03 < p < 0.08 else bool(p <= 0.05) for name, p in adjusted.items()}

    def chance(self, found: dict[str, float], expected: float) -> float:
        if found["sd"] == 0:
            if expected == 0:
                return float(found["value"] == 0)
            # all equal: as if each deal were one game
            return 1.0 if found["value"] == expected else 2 * 0.5 ** found["deals"]
        return math.erfc(abs(found["value"] - expected) / found["sd"] / math.sqrt(2))

    # -- two arms

    def differences(self, arm: int, measure: str) -> list[float]:
        means: list[dict[int, float]] = []
        for number in (0, arm):
            by_deal: dict[int, list[float]] = {}
            for deal, value, _ in self.measure(number, measure):
                by_deal.setdefault(deal, []).append(value)
            means.append({deal: sum(values) / len(values) for deal, values in by_deal.items()})
        return [means[1][deal] - means[0][deal] for deal in self.deals if deal in means[0] and deal in means[1]]

    def shift_figure(self, arm: int, measure: str, column: str) -> Any:
        differences = self.differences(arm, measure)
        if column == "change":
            return self.ratio([(deal, d, 1) for deal, d in zip(self.deals, differences, strict=True)])
        mean = sum(differences) / len(differences)
        variance = sum((d - mean) ** 2 for d in differences) / (len(differences) - 1)
        size = mean if column == "as_seen" else 0.1 if measure in ("turns", "decisions") else 0.01
        return math.ceil((1.959963985 + 2.326347874) ** 2 * variance / size**2)

    def use_shift(self, arm: int, id: str, column: str) -> Any:
        def change(name: str) -> dict[str, float]:
            seats = len(self.of(0)) / len(self.deals)
            parts = [(g["deal"], times / seats, 0.0) for g, _, each, times in self.uses(arm, "actions") if each == name]
            parts += [(g["deal"], -times / seats, 0.0) for g, _, each, times in self.uses(0, "actions") if each == name]
            return self.ratio([*parts, *((deal, 0.0, 1.0) for deal in self.deals)])

        if column == "change":
            return change(id)
        key = ("shifts", arm)
        if key not in self.cache:
            names = {each[2] for number in (0, arm) for each in self.uses(number, "actions")}
            self.cache[key] = self.marked({name: change(name) for name in names}, 0.0)
        return self.cache[key][id]

    # -- curves

    def curve(self, arm: int, kind: str, turn: int, column: str) -> Any:
        if column == "turn":
            return turn
        going = [g for g in self.of(arm) if len(g[kind][0]) > turn and g["first"] >= 0]
        if column == "games":
            return len(going)
        seats = [g["first"] if column == "first" else 1 - g["first"] for g in going]
        return sum(g[kind][seat][turn - 1] for g, seat in zip(going, seats, strict=True)) / len(going)

    # -- by the path given in the page

    def figure(self, path: str) -> Any:
        table, id, column = path.split("/")
        if table == "arms":
            return self.arm_figure(int(id), column)
        kind, _, number = table.rpartition("-")
        arm = int(number)
        if kind == "difference":
            return self.shift_figure(arm, id, column)
        if kind == "uses":
            return self.use_shift(arm, id, column)
        if kind == "lengths":
            return int(id) if column == "turn" else sum(g["turns"] == int(id) for g in self.of(arm))
        if kind in ("life", "hand"):
            return self.curve(arm, kind, int(id), column)
        if kind == "pairings":
            mine, other = id.split()
            used = [
                each for each in self.uses(arm, "trumps") if each[2] == mine and other in each[0]["trumps"][1 - each[1]]
            ]
            return len(used) if column == "games" else self.wins(used, mine)
        return self.use_figure(arm, kind, id, column)
