"""The metrics as tables, the source of the page and the CSV files; texts are pairs of Japanese and English."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from blackpoker.lab.metrics import ArmMetrics, Curve, Difference, ReportMetrics, Usage, extremes
from blackpoker.lab.statistics import Estimate
from blackpoker.lab.summary import Pair, percent, plain, points

#: kinds of columns
TEXT, RATE, NUMBER, COUNT, POINTS, MARK = "text", "rate", "number", "count", "points", "mark"


@dataclass(frozen=True)
class Column:
    id: str
    title: Pair
    kind: str = NUMBER


@dataclass
class Table:
    """A table; ``rows``: the row's id and one value per column: a number, an Estimate, a pair of texts, or None."""

    id: str
    title: Pair
    columns: tuple[Column, ...]
    rows: list[tuple[str, list[Any]]]
    note: Pair = ("", "")


_ARM: Final = Column("arm", ("条件", "arm"), TEXT)
_GAMES: Final = Column("games", ("ゲーム", "games"), COUNT)
_FIRST: Final = Column("first", ("先攻の勝率", "first player wins"), RATE)
_X: Final = Column("x", ("Xの勝率", "X wins"), RATE)
_DRAWS: Final = Column("draws", ("引き分け", "draws"), RATE)
_TURNS: Final = Column("turns", ("ターン", "turns"))
_DECISIONS: Final = Column("decisions", ("選択", "decisions"))
_WINS: Final = Column("wins", ("使った側の勝率", "win rate of its user"), RATE)
_USERS: Final = Column("users", ("使った回数（人・ゲーム）", "users"), COUNT)
_MARK: Final = Column("stands_out", ("目立つ", "stands out"), MARK)

MEASURE_NAMES: Final[dict[str, Pair]] = {
    "first": ("先攻の勝率（ポイント）", "first player wins (points)"),
    "x": ("Xの勝率（ポイント）", "X wins (points)"),
    "draws": ("引き分け（ポイント）", "draws (points)"),
    "turns": ("ターン数", "turns"),
    "decisions": ("選択の数", "decisions"),
}
SELECTION_NOTE: Final = (
    "使った側の勝率は原因ではない：勝っている側が使いやすいアクションは高く出る。「目立つ」は50 %と違うもの"
    "（多数を同時に見るので、挙げたもののうち偶然は20に1つまで：Benjamini–Hochberg）。",
    "A user's win rate is no cause: what winners get to use looks strong. “Stands out” means not 50 %; as many are"
    " looked at together, one in twenty of those marked may be chance (Benjamini–Hochberg).",
)


def overview(figures: ReportMetrics) -> Table:
    columns = [
        _ARM,
        Column("regulation", ("レギュレーション", "regulation"), TEXT),
        _GAMES,
        _FIRST,
        _X,
        _DRAWS,
        _TURNS,
        _DECISIONS,
        Column("forced", ("うち選択肢1つ", "of these forced"), RATE),
        Column("one_point", ("±1ポイントに要るゲーム", "games for ±1 point"), COUNT),
    ]
    rows = [
        (
            str(arm.number),
            [
                (arm.name, arm.name),
                tuple(arm.data["names"]["regulation"]),
                arm.games,
                arm.first,
                arm.x,
                arm.draws,
                arm.turns,
                arm.decisions,
                arm.forced,
                arm.one_point,
            ],
        )
        for arm in figures.arms
    ]
    if all(arm.x is None for arm in figures.arms):  # with identical players there is no X
        columns.remove(_X)
        rows = [(id, [*cells[:4], *cells[5:]]) for id, cells in rows]
    return Table("arms", ("条件", "Arms"), tuple(columns), rows)


def shifts(figures: ReportMetrics, difference: Difference) -> Table:
    columns = (
        Column("measure", ("数値", "figure"), TEXT),
        Column("change", ("差", "difference"), POINTS),
        Column("needed", ("1ポイント（0.1）の差に要る配り", "deals needed for one point (or 0.1)"), COUNT),
        Column("as_seen", ("この大きさの差に要る配り", "deals needed for a difference as seen"), COUNT),
    )
    rows = [
        (shift.measure, [MEASURE_NAMES[shift.measure], shift.change, shift.one_point, shift.as_seen])
        for shift in difference.shifts
    ]
    arm, base = figures.arms[difference.arm].name, figures.arms[0].name
    return Table(
        f"difference-{difference.arm}",
        (f"「{arm}」−「{base}」", f"{arm} minus {base}"),
        columns,
        rows,
        (
            "同じ配り・同じ席のゲームどうしの差。区間は配りを引き直すブートストラップの95 %。",
            "Game by game at the same deal and seats; 95 % intervals by a bootstrap over the deals.",
        ),
    )


def use_shifts(figures: ReportMetrics, difference: Difference) -> Table:
    names = {**figures.arms[0].data["names"]["actions"], **figures.arms[difference.arm].data["names"]["actions"]}
    columns = (
        Column("action", ("アクション", "action"), TEXT),
        Column("change", ("1ゲームあたりの差", "uses per game")),
        _MARK,
    )
    rows = [(each.id, [tuple(names[each.id]), each.change, each.significant]) for each in difference.uses]
    return Table(
        f"uses-{difference.arm}", ("アクションの使われ方の差", "How the use of actions changes"), columns, rows
    )


def uses(arm: ArmMetrics, id: str, title: Pair, what: Pair, used: Sequence[Usage], names: dict[str, Any]) -> Table:
    columns = (
        Column("name", what, TEXT),
        Column("per_game", ("1ゲームあたり", "per game")),
        Column("share", ("使われたゲーム", "games used in"), RATE),
        _USERS,
        _WINS,
        _MARK,
    )
    rows = [
        (use.id, [_name(use.id, names), use.per_game, use.games, use.wins.n, use.wins, use.significant]) for use in used
    ]
    return Table(f"{id}-{arm.number}", title, columns, rows)


def _name(id: str, names: dict[str, Any]) -> Pair:
    """Return the display name; an opening consists of several ids."""
    parts = [names.get(part, [part, part]) for part in id.split()]
    return " → ".join(ja for ja, _ in parts), " → ".join(en for _, en in parts)


def trump_table(arm: ArmMetrics) -> Table:
    names = trump_names(arm)
    columns = (
        Column("trump", ("切札", "trump"), TEXT),
        Column("held", ("持っていた人", "holders"), COUNT),
        Column("opened", ("開いた割合", "opened"), RATE),
        Column("wins", ("持つ側の勝率", "win rate of its holder"), RATE),
        _MARK,
    )
    rows = [(use.id, [names[use.id], use.wins.n, use.opened, use.wins, use.significant]) for use in arm.trumps]
    return Table(f"trumps-{arm.number}", ("切札", "Trumps"), columns, rows)


def trump_names(arm: ArmMetrics) -> dict[str, Pair]:
    """Return the names of trumps by id, such as "♠J Reanimator"."""
    signs = str.maketrans("SHDC", "♠♡♢♣")
    known = arm.data["names"]["trumps"]
    out: dict[str, Pair] = {}
    for use in arm.trumps:
        card = use.id if use.id.startswith("J") and use.id != "J" else use.id[0].translate(signs) + use.id[1:]
        ja, en = known.get(use.id, ["", ""])
        out[use.id] = (f"{card} {ja}".strip(), f"{card} {en}".strip())
    return out


def pairing_table(arm: ArmMetrics, everything: bool = False) -> Table:
    names = trump_names(arm)
    columns = (
        Column("mine", ("切札", "trump"), TEXT),
        Column("other", ("相手の切札", "against"), TEXT),
        Column("games", ("対戦", "meetings"), COUNT),
        Column("wins", ("勝率", "win rate"), RATE),
    )
    chosen = arm.pairings if everything else extremes(arm.pairings)
    rows = [
        (f"{each.mine} {each.other}", [names[each.mine], names[each.other], each.wins.n, each.wins]) for each in chosen
    ]
    return Table(
        f"pairings-{arm.number}", ("切札どうし：差の大きいもの", "Trump against trump: the widest"), columns, rows
    )


def curve_table(arm: ArmMetrics, id: str, title: Pair, curve: Curve) -> Table:
    columns = (
        Column("turn", ("ターン", "turn"), COUNT),
        Column("games", ("続いているゲーム", "games going on"), COUNT),
        Column("first", ("先攻", "first player")),
        Column("second", ("後攻", "second player")),
    )
    rows = [
        (str(turn), [turn, games, first, second])
        for turn, (games, first, second) in enumerate(zip(curve.games, curve.first, curve.second, strict=True), 1)
    ]
    return Table(f"{id}-{arm.number}", title, columns, rows)


def length_table(arm: ArmMetrics) -> Table:
    columns = (Column("turn", ("ターン", "turns"), COUNT), _GAMES)
    rows = [(str(turns), [turns, games]) for turns, games in sorted(arm.lengths.items())]
    return Table(f"lengths-{arm.number}", ("ゲームの長さ", "How long games are"), columns, rows)


def arm_tables(arm: ArmMetrics, everything: bool = False) -> list[Table]:
    """Return all tables of one arm. ``everything``: with every pair of trumps."""
    names = arm.data["names"]["actions"]
    action = uses(arm, "actions", ("アクション", "Actions"), ("アクション", "action"), arm.actions, names)
    action.note = SELECTION_NOTE
    tables = [action]
    for role, title in (
        ("first", ("先攻の出だし", "Openings of the first player")),
        ("second", ("後攻の出だし", "Openings of the second player")),
    ):
        opening: Pair = ("出だし（最初の2つ）", "opening (its first two requests)")
        tables.append(uses(arm, f"openings-{role}", title, opening, arm.openings[role], names))
    if arm.trumps:
        tables += [trump_table(arm), pairing_table(arm, everything)]
    tables += [
        length_table(arm),
        curve_table(arm, "life", ("ターンの始めのライフ", "Life at the beginning of turns"), arm.life),
        curve_table(arm, "hand", ("ターンの始めの手札", "Hand at the beginning of turns"), arm.hand),
    ]
    return tables


def all_tables(figures: ReportMetrics) -> list[Table]:
    """Return all tables, for CSV."""
    tables = [overview(figures)]
    for difference in figures.differences:
        tables += [shifts(figures, difference), use_shifts(figures, difference)]
    for arm in figures.arms:
        tables += arm_tables(arm, everything=True)
    return tables


# -- formatting --------------------------------------------------------------------------------------------------------


def format_value(value: Any, kind: str, row: str = "") -> Pair | str:
    """Return a value formatted for the reader."""
    if value is None:
        return "–"
    if isinstance(value, tuple) and not isinstance(value, Estimate):
        return value
    if kind == MARK:
        return "●" if value else ""
    if kind == COUNT:
        return f"{value:,}"
    form = percent
    if kind == NUMBER or (kind == POINTS and row in ("turns", "decisions")):
        form = plain
    elif kind == POINTS:
        form = points
    if not isinstance(value, Estimate):
        return form(value)
    return f"{form(value.value)} ({form(value.low)} – {form(value.high)})"


def csv_of(table: Table) -> str:
    """Return a table as CSV. An estimate takes three columns; names are given as ids and in English."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["id"]
    wide = [any(isinstance(cells[place], Estimate) for _, cells in table.rows) for place in range(len(table.columns))]
    for column, estimated in zip(table.columns, wide, strict=True):
        head += [column.id, f"{column.id}_low", f"{column.id}_high"] if estimated else [column.id]
    writer.writerow(head)
    for id, cells in table.rows:
        line: list[Any] = [id]
        for value, estimated in zip(cells, wide, strict=True):
            if isinstance(value, Estimate):
                line += [f"{number:.6g}" for number in value[:3]]
            elif isinstance(value, tuple):
                line.append(value[1])
            else:
                plain_value = "" if value is None else f"{value:.6g}" if isinstance(value, float) else value
                line += [plain_value, "", ""] if estimated else [plain_value]
        writer.writerow(line)
    return out.getvalue()
