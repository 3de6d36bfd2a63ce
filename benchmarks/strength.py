"""The strength of the levels: one file of results, from which the tables of the documents and of the page are written.

    python -m benchmarks.strength [RESULTS.jsonl …]

RESULTS: files that ``benchmarks.players matches`` wrote. Their matches replace those of ``docs/reports/strength.json``;
then the tables of ``docs/opponents.md`` and ``web/src/screens/new_game/strength.ts`` are written again.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from training.gate import Score, elo, wilson

from blackpoker.ai.levels import LEVELS, USER_LEVELS

ROOT = Path(__file__).parents[1]
STORE = ROOT / "docs/reports/strength.json"
DOCUMENT = ROOT / "docs/opponents.md"
PAGE = ROOT / "web/src/screens/new_game/strength.ts"

#: regulations of the tables by edition
REGULATIONS = {
    "6": ("lite+entry", "standard+full", "pro+full", "master+full", "extra+regular"),
    "9": ("9:lite+entry16", "9:standard+rare_pack", "9:pro+strategy", "9:master+extra", "9:master+draft"),
}
#: God before rollouts, with nearly the same time
WITHOUT_ROLLOUT = "god:playouts=6400/rollout=0"
#: regulations in which God plays against that
ROLLOUTS = ("master+full", "extra+regular")

Scores = dict[str, Score]


def line(first: str, second: str, regulation: str) -> str:
    """Return the name of a match in a results file."""
    return f"{first} – {second} | {regulation}"


def sum_portions(files: Iterable[Path]) -> Scores:
    """Return the score of every match in these files; a portion that occurs twice counts once."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for file in files:
        for text in file.read_text(encoding="utf-8").splitlines():
            if text.endswith("}"):  # else the run was interrupted there
                row = json.loads(text)
                rows[row["match"], row["start"]] = row
    scores: Scores = {}
    for (match, _), row in rows.items():
        one = Score(row["won"], row["games"], tuple(row["time"]), tuple(row["choices"]))
        scores[match] = scores.get(match, Score()) + one
    return scores


def read_store(path: Path = STORE) -> Scores:
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        match: Score(row["won"], row["games"], tuple(row["time"]), tuple(row["choices"]))
        for match, row in stored.items()
    }


def write_store(scores: Scores, path: Path = STORE) -> None:
    rows = [
        f"  {json.dumps(match, ensure_ascii=False)}: "
        + json.dumps(
            {"won": one.won, "games": one.games, "time": [round(time) for time in one.time], "choices": one.choices}
        )
        for match, one in sorted(scores.items())
    ]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


# -- tables ---


def cell(score: Score | None) -> str:
    if score is None or not score.games:
        return "–"
    low, high = wilson(score.won, score.games)
    return f"{100 * score.share:.1f} % of {score.games:,} ({100 * low:.1f}–{100 * high:.1f})"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    first = list(head)
    lines = [first, ["---"] * len(first), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def short(regulation: str) -> str:
    return regulation.partition(":")[2] or regulation


def levels_table(scores: Scores, edition: str) -> str:
    """Return the share that each level wins against the one below, in each regulation."""
    columns = REGULATIONS[edition]
    pairs = [(level.id, below.id) for below, level in pairwise(USER_LEVELS)]
    if edition == "9":
        pairs.append(("master", "heuristic"))
    rows = [
        [f"{first} – {second}", *(cell(scores.get(line(first, second, on))) for on in columns)]
        for first, second in pairs
    ]
    return table(["pair", *(short(on) for on in columns)], rows)


def scale_table(scores: Scores, edition: str) -> str:
    """Return the same on one scale of Elo, from 1,000 for the weakest level."""
    columns = REGULATIONS[edition]
    heights = dict.fromkeys(columns, 1000.0)
    rows = [[USER_LEVELS[0].id, *("1,000" for _ in columns)]]
    for below, level in pairwise(USER_LEVELS):
        for on in columns:
            heights[on] += elo(scores[line(level.id, below.id, on)].share)
        rows.append([level.id, *(f"{round(heights[on]):,}" for on in columns)])
    return table(["level", *(short(on) for on in columns)], rows)


def rollouts_table(scores: Scores) -> str:
    """Return the gain of rollouts at nearly equal time."""
    rows = []
    for on in ROLLOUTS:
        score = scores.get(line("god", WITHOUT_ROLLOUT, on))
        if score is not None and score.games:
            spent = [time / max(1, n) for time, n in zip(score.time, score.choices, strict=True)]
            rows.append([on, cell(score), f"{spent[0] / spent[1]:.2f}" if spent[1] else "–"])
    return table(["regulation", "won", "time"], rows)


def sections(scores: Scores) -> dict[str, str]:
    """Return the generated tables of the document by name."""
    made = {"rollouts": rollouts_table(scores)}
    for edition in REGULATIONS:
        made[f"levels {edition}"] = levels_table(scores, edition)
        made[f"scale {edition}"] = scale_table(scores, edition)
    return made


def document(text: str, scores: Scores) -> str:
    """Return the document with its tables written again. A table stands between two comments,
    ``<!-- table NAME -->`` and ``<!-- end -->``.
    """
    made = sections(scores)

    def renewed(found: re.Match[str]) -> str:
        return f"<!-- table {found[1]} -->\n\n{made[found[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- table ([\w ]+) -->\n.*?<!-- end -->", renewed, text, flags=re.DOTALL)


def page(scores: Scores) -> str:
    """Return the module of the page: wins in 100 games against the level below, the mean over the regulations."""
    lines = []
    for edition, columns in REGULATIONS.items():
        means = []
        for below, level in pairwise(USER_LEVELS):
            shares = [scores[line(level.id, below.id, on)].share for on in columns]
            means.append(f"{level.id}: {math.floor(100 * sum(shares) / len(shares) + 0.5)}")
        lines.append(f"  {edition}: {{ {', '.join(means)} }},\n")
    return (
        "/** Wins in 100 games of each level against the one below, by edition: the mean over the five regulations of\n"
        " * docs/opponents.md. Written by `python -m benchmarks.strength`. */\n"
        "export const BEATS: Record<string, Record<string, number>> = {\n" + "".join(lines) + "};\n"
    )


def main() -> None:
    reader = argparse.ArgumentParser(
        prog="benchmarks.strength", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("results", nargs="*", type=Path)
    args = reader.parse_args()
    missing = [str(file) for file in args.results if not file.is_file()]
    if missing:
        reader.error(f"no results file {', '.join(missing)}")
    scores = {**read_store(), **sum_portions(args.results)}
    known = {name.partition(":")[0] for match in scores for name in match.partition(" | ")[0].split(" – ")}
    assert known <= set(LEVELS) | {"search"}, known
    write_store(scores)
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8"), scores), encoding="utf-8")
    PAGE.write_text(page(scores), encoding="utf-8")
    print(f"{len(scores)} matches in {STORE.relative_to(ROOT)}; {DOCUMENT.name} and {PAGE.name} written")


if __name__ == "__main__":
    main()
