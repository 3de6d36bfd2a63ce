"""Summary of the metrics in plain sentences: Japanese and English."""

from __future__ import annotations

from typing import Final

from blackpoker.lab.metrics import ArmMetrics, Difference, ReportMetrics, Shift
from blackpoker.lab.statistics import Estimate

Pair = tuple[str, str]  # Japanese, English

#: with more arms than this the summary aggregates them
MOST_NAMED: Final = 6

TEXTS: Final[dict[str, Pair]] = {
    "empty": ("まだ1ゲームも終わっていません。", "No game has been finished yet."),
    "first_more": (
        "「{arm}」では先攻の勝率が{size}ポイント上がる（{low}〜{high}）。",
        "{arm} makes the first player win {size} points more often ({low} to {high}).",
    ),
    "first_less": (
        "「{arm}」では先攻の勝率が{size}ポイント下がる（{low}〜{high}）。",
        "{arm} makes the first player win {size} points less often ({low} to {high}).",
    ),
    "first_same": (
        "「{arm}」と「{base}」に違いは見られない：先攻の勝率の差は{size}ポイント（{low}〜{high}）。",
        "No difference seen between {arm} and {base}: the first player's win rate changes by {size} points"
        " ({low} to {high}).",
    ),
    "x_more": (
        "「{arm}」ではX（{x}）の勝率が{size}ポイント上がる（{low}〜{high}）。",
        "{arm} makes X ({x}) win {size} points more often ({low} to {high}).",
    ),
    "x_less": (
        "「{arm}」ではX（{x}）の勝率が{size}ポイント下がる（{low}〜{high}）。",
        "{arm} makes X ({x}) win {size} points less often ({low} to {high}).",
    ),
    "x_same": (
        "「{arm}」と「{base}」に違いは見られない：X（{x}）の勝率の差は{size}ポイント（{low}〜{high}）。",
        "No difference seen between {arm} and {base}: X's ({x}) win rate changes by {size} points ({low} to {high}).",
    ),
    "alike": (
        "「{arm}」と「{base}」に違いは見られない：{deals}回の配りのすべてで、ゲームの結果が同じだった。",
        "No difference seen between {arm} and {base}: all {deals} deals ended alike in both.",
    ),
    "needed": (
        "1ポイントの違いを見つけるには{needed}回の配り（{games}ゲーム）が要る。この実験は{deals}回。",
        "A difference of one point needs {needed} deals ({games} games) to be found; this experiment has {deals}.",
    ),
    "longer": (
        "ゲームは{size}ターン長くなる（{low}〜{high}）。",
        "Games get {size} turns longer ({low} to {high}).",
    ),
    "shorter": (
        "ゲームは{size}ターン短くなる（{low}〜{high}）。",
        "Games get {size} turns shorter ({low} to {high}).",
    ),
    "first_ahead": (
        "「{arm}」では先攻が{rate}勝つ（{low}〜{high}）：先攻が有利。",
        "In {arm} the first player wins {rate} of the games ({low} to {high}): beginning is an advantage.",
    ),
    "first_behind": (
        "「{arm}」では先攻が{rate}勝つ（{low}〜{high}）：後攻が有利。",
        "In {arm} the first player wins {rate} of the games ({low} to {high}): beginning is a drawback.",
    ),
    "first_even": (
        "「{arm}」では先攻が{rate}勝つ（{low}〜{high}）：先攻と後攻に差は見られない。",
        "In {arm} the first player wins {rate} of the games ({low} to {high}): no advantage seen on either side.",
    ),
    "x_wins": (
        "「{arm}」ではX（{x}）がY（{y}）に{rate}勝つ（{low}〜{high}）。",
        "In {arm} X ({x}) wins {rate} of the games against Y ({y}) ({low} to {high}).",
    ),
    "one_point": (
        "この勝率を±1ポイントで知るには{games}ゲームが要る。この実験は{played}ゲーム。",
        "This rate to within one point needs {games} games; this experiment has {played}.",
    ),
    "many": (
        "{arms}の条件のうち、先攻が有利なもの{ahead}、後攻が有利なもの{behind}、差の見られないもの{even}。",
        "Of {arms} arms, beginning is an advantage in {ahead}, a drawback in {behind}; no advantage is seen in {even}.",
    ),
    "extreme": (
        "先攻の勝率が最も高いのは「{most}」の{most_rate}、最も低いのは「{least}」の{least_rate}。",
        "The first player wins most often in {most} ({most_rate}), least often in {least} ({least_rate}).",
    ),
    "faults": (
        "{n}ゲームでプレイヤーが止まった、または反則をした。数値を信じる前に調べること。",
        "In {n} games a player failed or cheated: look into it before you believe the figures.",
    ),
}


def phrase(name: str, **values: object) -> Pair:
    ja, en = TEXTS[name]
    return ja.format(**values), en.format(**values)


def points(value: float, signed: bool = False) -> str:
    """Return a difference of rates in points."""
    text = f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"
    return text.replace("-", "−").replace("−0.0", "0.0").replace("+0.0", "0.0")


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def plain(value: float, signed: bool = False) -> str:
    text = f"{value:+.2f}" if signed else f"{value:.2f}"
    return text.replace("-", "−").replace("−0.00", "0.00").replace("+0.00", "0.00")


def differs(found: Estimate, expected: float = 0.0) -> int:
    """Return 1 if above the expected value, −1 if below, 0 if not significant."""
    if found.low > expected:
        return 1
    return -1 if found.high < expected else 0


def summary(figures: ReportMetrics) -> list[Pair]:
    """Return the main findings as sentences."""
    if not figures.arms:
        return [TEXTS["empty"]]
    out: list[Pair] = []
    for difference in figures.differences:
        out += _of_difference(figures, difference)
    if len(figures.arms) > MOST_NAMED:
        out += _of_many(figures.arms)
    else:
        for arm in figures.arms:
            out += _of_arm(arm)
    if figures.faults:
        out.append(phrase("faults", n=figures.faults))
    return out


def _of_difference(figures: ReportMetrics, difference: Difference) -> list[Pair]:
    arm = figures.arms[difference.arm]
    base = figures.arms[0]
    main = difference.main
    if main.one_point is None and main.change.value == 0:
        return [phrase("alike", arm=arm.name, base=base.name, deals=difference.deals)]
    x = arm.data["players"][0]
    out = [_main(main, arm.name, base.name, x)]
    if main.one_point is not None:
        games = main.one_point * 2 * (base.games // difference.deals)
        out.append(phrase("needed", needed=f"{main.one_point:,}", games=f"{games:,}", deals=f"{difference.deals:,}"))
    turns = next(shift.change for shift in difference.shifts if shift.measure == "turns")
    if direction := differs(turns):
        low, high = sorted((abs(turns.low), abs(turns.high)))
        name = "longer" if direction > 0 else "shorter"
        out.append(phrase(name, size=plain(abs(turns.value)), low=plain(low), high=plain(high)))
    return out


def _main(shift: Shift, arm: str, base: str, x: str) -> Pair:
    change = shift.change
    direction = differs(change)
    if direction == 0:
        bounds = {"low": points(change.low, True), "high": points(change.high, True)}
        return phrase(f"{shift.measure}_same", arm=arm, base=base, x=x, size=points(change.value, True), **bounds)
    low, high = sorted((abs(change.low), abs(change.high)))
    name = f"{shift.measure}_{'more' if direction > 0 else 'less'}"
    return phrase(name, arm=arm, x=x, size=points(abs(change.value)), low=points(low), high=points(high))


def _of_arm(arm: ArmMetrics) -> list[Pair]:
    first = arm.first
    name = ("first_even", "first_ahead", "first_behind")[differs(first, 0.5)]
    out = [phrase(name, arm=arm.name, rate=percent(first.value), low=percent(first.low), high=percent(first.high))]
    if arm.x is not None:
        x, y = arm.data["players"]
        rates = {"rate": percent(arm.x.value), "low": percent(arm.x.low), "high": percent(arm.x.high)}
        out.append(phrase("x_wins", arm=arm.name, x=x, y=y, **rates))
    if arm.one_point is not None:
        out.append(phrase("one_point", games=f"{arm.one_point:,}", played=f"{arm.games:,}"))
    return out


def _of_many(arms: list[ArmMetrics]) -> list[Pair]:
    counts = [sum(differs(arm.first, 0.5) == direction for arm in arms) for direction in (1, -1, 0)]
    most = max(arms, key=lambda arm: arm.first.value)
    least = min(arms, key=lambda arm: arm.first.value)
    return [
        phrase("many", arms=len(arms), ahead=counts[0], behind=counts[1], even=counts[2]),
        phrase(
            "extreme",
            most=most.name,
            most_rate=percent(most.first.value),
            least=least.name,
            least_rate=percent(least.first.value),
        ),
    ]
