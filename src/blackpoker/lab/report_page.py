"""The report as a self-contained page in both languages; every number has its metric id in ``data-figure``."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from blackpoker.lab.metrics import ArmMetrics, ReportMetrics
from blackpoker.lab.plots import Plot, svg
from blackpoker.lab.statistics import Estimate
from blackpoker.lab.summary import Pair
from blackpoker.lab.tables import TEXT, Column, Table, arm_tables, format_value, overview, shifts, use_shifts

_HERE: Final = Path(__file__).parent / "page"
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
NOTICE: Final = (
    "非公式のファンメイドです。BlackPokerとそのルールは作者のものです。",
    "Unofficial and fan-made. BlackPoker and its rules belong to their authors.",
)
TEXTS: Final[dict[str, Pair]] = {
    "report": ("実験の報告", "Report of an experiment"),
    "verdict": ("分かったこと", "What it says"),
    "overview": ("全体", "Overview"),
    "differences": ("条件の違い", "What differs"),
    "replays": ("最も違ったゲーム", "The games that differ most"),
    "replays_note": (
        "同じ配り・同じ席で、別の側が勝ったゲーム。左右で見比べられる。",
        "The same deal and seats, and somebody else won. Look at them side by side.",
    ),
    "how": ("どう作ったか", "How it was made"),
    "unused": ("一度も使われなかったアクション：", "Actions that were never used: "),
    "table": ("表", "Tables"),
    "games": ("{0}回の配り、{1}ゲーム。", "{0} deals, {1} games."),
    "interval": (
        "括弧の中は95 %区間（配りを引き直すブートストラップ）。引き分けは半分の勝ちと数える。",
        "In brackets 95 % intervals, by a bootstrap over the deals. A draw counts as half a win.",
    ),
    "setting": (
        "どの条件も同じ配り（シード {0} から）を、{1}遊んだ。プレイヤーのさいころは席と一緒に移る。",
        "Every arm played the same deals (seeds from {0}) {1}. Players take their dice along when they change seats.",
    ),
    "both": ("席を替えて2回", "twice, the seats exchanged"),
    "once": ("1回ずつ", "once"),
    "repeat": ("繰り返すには、この実験をファイルに書いて：", "To repeat it, write this experiment to a file:"),
    "made_with": ("BlackPoker {0}、Python {1}、{2} に開始。", "BlackPoker {0}, Python {1}, begun {2}."),
}


def bilingual(pair: Pair, tag: str = "span") -> str:
    """Return a text in both languages; the page shows one of them."""
    ja, en = pair
    if ja == en:
        return escape(ja)
    return f'<{tag} lang="ja">{escape(ja)}</{tag}><{tag} lang="en">{escape(en)}</{tag}>'


def phrase(name: str, *values: Any) -> Pair:
    """Return a formatted text; a value may be a (ja, en) pair."""
    pairs = [value if isinstance(value, tuple) else (str(value), str(value)) for value in values]
    ja, en = TEXTS[name]
    return ja.format(*(pair[0] for pair in pairs)), en.format(*(pair[1] for pair in pairs))


def page(
    figures: ReportMetrics,
    sentences: Sequence[Pair],
    pictures: Sequence[Plot],
    replays: Sequence[dict[str, Any]],
    repeat: str,
    lang: str,
) -> str:
    drawn = {picture.id: picture for picture in pictures}
    parts = [
        f"<h1>{escape(figures.name)}</h1>",
        f"<p>{bilingual(TEXTS['report'])} · "
        f"{bilingual(phrase('games', f'{figures.deals:,}', f'{figures.games:,}'))}</p>",
        _section("verdict", "".join(f"<li>{bilingual(each)}</li>" for each in sentences), "ul"),
    ]
    if figures.arms:
        parts.append(_section("overview", _picture(drawn, "first") + _table(overview(figures)), "div"))
    if figures.differences:
        inside = _picture(drawn, "differences")
        for difference in figures.differences:
            inside += _table(shifts(figures, difference)) + _folded(_table(use_shifts(figures, difference)))
        parts.append(_section("differences", inside, "div"))
    pooled = _picture(drawn, "lengths") + _picture(drawn, "curves")
    parts.append(pooled)
    parts += [_arm(arm, drawn, len(figures.arms) <= 2) for arm in figures.arms]
    if replays:
        parts.append(_replays(replays))
    parts.append(_how(figures, repeat))
    return _frame(figures.name, "\n".join(parts), replays, lang)


def _section(name: str, inside: str, tag: str) -> str:
    return f'<section id="{name}"><h2>{bilingual(TEXTS[name])}</h2><{tag}>{inside}</{tag}></section>'


def _picture(drawn: dict[str, Plot], id: str) -> str:
    picture = drawn.get(id)
    if picture is None:
        return ""
    images = []
    for at, lang in enumerate(("ja", "en")):
        data = base64.b64encode(svg(picture, at).encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        images.append(f'<img lang="{lang}" alt="{escape(picture.alt[at])}" src="{source}">')
    return f"<figure>{''.join(images)}<figcaption>{bilingual(picture.alt)}</figcaption></figure>"


def _folded(inside: str, title: Pair = TEXTS["table"], opened: bool = False) -> str:
    return f"<details{' open' if opened else ''}><summary>{bilingual(title)}</summary>{inside}</details>"


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    head = "".join(
        f'<th scope="col"{"" if column.kind == TEXT else " class=n"}>{bilingual(column.title)}</th>'
        for column in table.columns
    )
    body = "".join(f"<tr>{_cells(table, id, cells)}</tr>" for id, cells in table.rows)
    note = f"<p class=note>{bilingual(table.note)}</p>" if table.note[0] else ""
    return (
        f'<div class=wide tabindex=0 role=group aria-labelledby="t-{table.id}">'
        f'<table id="{table.id}"><caption id="t-{table.id}">{bilingual(table.title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def _cells(table: Table, id: str, cells: Sequence[Any]) -> str:
    out = []
    for place, (column, value) in enumerate(zip(table.columns, cells, strict=True)):
        text = _cell(table, id, column, value)
        if place == 0:
            out.append(f'<th scope="row">{text}</th>')
        else:
            out.append(f"<td{'' if column.kind == TEXT else ' class=n'}>{text}</td>")
    return "".join(out)


def _cell(table: Table, id: str, column: Column, value: Any) -> str:
    form = format_value(value, column.kind, id)
    if isinstance(form, tuple):
        return bilingual(form)
    if value is None or column.kind == TEXT:
        return escape(form)
    number = value.value if isinstance(value, Estimate) else value
    bounds = f' data-low="{value.low:.7g}" data-high="{value.high:.7g}"' if isinstance(value, Estimate) else ""
    path = escape(f"{table.id}/{id}/{column.id}")
    return f'<data value="{float(number):.9g}"{bounds} data-figure="{path}">{escape(form)}</data>'


def _arm(arm: ArmMetrics, drawn: dict[str, Plot], opened: bool) -> str:
    inside = _picture(drawn, f"trumps-{arm.number}")
    names = arm.data["names"]["actions"]
    for table in arm_tables(arm):
        if table.id.startswith(("lengths", "life", "hand")):
            inside += _folded(_table(table), table.title)
        else:
            inside += _table(table)
        if table.id.startswith("actions") and arm.unused:
            ja = "、".join(names[id][0] for id in arm.unused)
            en = ", ".join(names[id][1] for id in arm.unused)
            inside += f"<p>{bilingual((TEXTS['unused'][0] + ja, TEXTS['unused'][1] + en))}</p>"
    regulation = arm.data["names"]["regulation"]
    ja, en = (f"{arm.name}（{regulation[0]}）", f"{arm.name} ({regulation[1]})")
    return f'<section id="arm-{arm.number}">{_folded(inside, (ja, en), opened)}</section>'


def _replays(replays: Sequence[dict[str, Any]]) -> str:
    boxes = []
    for number, pair in enumerate(replays):
        panes = "".join(
            f'<div class=pane data-pair="{number}" data-game="{which}"></div>' for which in range(len(pair["games"]))
        )
        title = (f"配り {pair['deal']}（シード {pair['seed']}）", f"deal {pair['deal']} (seed {pair['seed']})")
        boxes.append(
            f"<details class=replay><summary>{bilingual(title)}</summary><div class=panes>{panes}</div></details>"
        )
    return _section("replays", f"<p>{bilingual(TEXTS['replays_note'])}</p>{''.join(boxes)}", "div")


def _how(figures: ReportMetrics, repeat: str) -> str:
    about = figures.about
    seats = TEXTS["both" if json.loads(about["experiment"])["seats"] == 2 else "once"]
    lines = [
        phrase("setting", about["seed"], seats),
        TEXTS["interval"],
        phrase("made_with", about["blackpoker"], about["python"], about["begun"]),
        TEXTS["repeat"],
    ]
    text = "".join(f"<p>{bilingual(line)}</p>" for line in lines)
    return _section("how", f"{text}<pre tabindex=0>{escape(repeat)}</pre>", "div")


def _frame(title: str, inside: str, replays: Sequence[dict[str, Any]], lang: str) -> str:
    css = (_HERE / "report.css").read_text(encoding="utf-8")
    script = (_HERE / "report.js").read_text(encoding="utf-8")
    data = json.dumps(replays, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} – BlackPoker lab</title>
<link rel="icon" href="data:,">
<style>{css}</style>
</head>
<body>
<header><nav aria-label="Language / 言語">
<button type="button" data-lang="ja">日本語</button><button type="button" data-lang="en">English</button>
</nav></header>
<main>
{inside}
</main>
<footer><p>{bilingual(NOTICE)}</p></footer>
<script type="application/json" id="replay-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
