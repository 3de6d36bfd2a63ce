"""The report: every figure recomputed from the rows, its statements, its files."""

from __future__ import annotations

import csv
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blackpoker.cli import run as command
from blackpoker.lab import Arm, Experiment, LabError, Store, run
from blackpoker.lab.metrics import compute_metrics
from blackpoker.lab.report import toml_of, write_report
from blackpoker.lab.statistics import deals_needed, estimate, significant
from blackpoker.lab.summary import summary
from blackpoker.ruleset import standard_edition
from tests.lab.row_statistics import Naive, numbers_of

CHEAP = standard_edition().change("summon_hero", cost="").rename("cheap hero")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four arms: one with a changed rule, one of Extra with different players, one with many differences."""
    path = tmp_path_factory.mktemp("lab") / "four.lab"
    arms = (
        Arm("base", "master+full", ("random", "random")),
        Arm("cheap <hero>", "master+full", ("random", "random"), edition=CHEAP),
        Arm("extra", "extra+full", ("heuristic", "random")),
        Arm("lite", "lite+entry", ("easy", "heuristic")),
    )
    run(Experiment("four & arms", arms, deals=30, seed=5), path, jobs=1)
    return path


@pytest.fixture(scope="module")
def page(played: Path) -> str:
    place = played.with_suffix(".html")
    write_report(played, place, editions=[CHEAP])
    return place.read_text(encoding="utf-8")


def read(text: str) -> list[float]:
    """Return the numbers a reader sees: the value, and its bounds if there are any."""
    return [float(each.replace("−", "-").replace(",", "")) for each in re.findall(r"[−+]?\d[\d,]*(?:\.\d+)?", text)]


def check(shown: dict[str, Any], wanted: Any) -> list[str]:
    """Return the errors of a number of the page."""
    path = shown["data-figure"]
    value = float(shown["value"])
    if isinstance(wanted, bool) or wanted is None:
        mark = "●" if value else ""
        return [path] if (wanted is not None and value != wanted) or shown["text"] != mark else []
    exact = wanted["value"] if isinstance(wanted, dict) else wanted
    wrong = (
        [] if math.isclose(value, exact, rel_tol=1e-8, abs_tol=1e-10) else [f"{path}: {value}, from the rows {exact}"]
    )
    bounds = []
    if "data-low" in shown:
        bounds = [float(shown["data-low"]), float(shown["data-high"])]
        if not (wanted["sd"] == 0 and value in (0.0, 1.0)):  # Wilson's interval is used there
            slack = 0.3 * (wanted["high"] - wanted["low"]) / 2 + 0.005 * abs(exact) + 1 / wanted["deals"]
            for bound, own in zip(bounds, (wanted["low"], wanted["high"]), strict=True):
                if abs(bound - own) > slack:
                    wrong.append(f"{path}: bound {bound}, from the rows {own}")
    scale = 100 if "%" in shown["text"] or re.search(r"difference-\d+/(first|x|draws)/change", path) else 1
    seen_numbers = read(shown["text"])
    if len(seen_numbers) != 1 + len(bounds):
        return [*wrong, f"{path}: {shown['text']}"]
    for seen, meant in zip(seen_numbers, [value, *bounds], strict=True):
        if abs(seen - scale * meant) > 0.0501:
            wrong.append(f"{path}: {shown['text']} for {value} {bounds}")
    return wrong


def test_every_figure_comes_from_the_rows(played: Path, page: str) -> None:
    rows = Naive(played)
    numbers = numbers_of(page)
    assert len(numbers) > 1000
    tables = {re.split(r"-\d+$", shown["data-figure"].split("/")[0])[0] for shown in numbers}
    assert tables == {
        "arms",
        "difference",
        "uses",
        "actions",
        "openings-first",
        "openings-second",
        "trumps",
        "lengths",
        "life",
        "hand",
    }
    wrong = [fault for shown in numbers for fault in check(shown, rows.figure(shown["data-figure"]))]
    assert wrong == []


def test_a_planted_wrong_figure_is_noticed(played: Path, page: str) -> None:
    rows = Naive(played)
    for shown in numbers_of(page)[::60]:
        mark = shown["text"] in ("●", "")
        planted = {**shown, "value": str(1 - float(shown["value"]) if mark else float(shown["value"]) * 1.01 + 0.001)}
        wanted = rows.figure(shown["data-figure"])
        assert check(planted, wanted), shown
        assert check({**shown, "text": "7.77" if not mark else "" if shown["text"] else "●"}, wanted), shown


def test_pairs_of_trumps(tmp_path: Path) -> None:
    """There are too many for the page; the CSV has all of them."""
    path = tmp_path / "extra.lab"
    run(Experiment("extra", (Arm("extra", "extra+full", ("random", "random")),), deals=60), path, jobs=1)
    write_report(path, tmp_path / "extra.html", csv=tmp_path / "csv")
    rows = Naive(path)
    with (tmp_path / "csv" / "pairings-0.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) > 300
    for line in lines:
        wanted = rows.figure(f"pairings-0/{line['id']}/wins")
        assert float(line["wins"]) == pytest.approx(wanted["value"], abs=1e-5)
        assert int(line["games"]) == rows.figure(f"pairings-0/{line['id']}/games")


def test_nothing_of_the_experiment_can_break_the_page(page: str) -> None:
    assert "cheap &lt;hero&gt;" in page
    assert "cheap <hero>" not in page
    assert "<h1>four &amp; arms</h1>" in page
    assert not re.search(r'(?:src|href)="(?!data:)', page), "it needs no network"


def test_tables_and_pictures_as_files(played: Path, tmp_path: Path) -> None:
    write_report(played, tmp_path / "r.html", csv=tmp_path / "csv", png_folder=tmp_path / "png", editions=[CHEAP])
    head = (tmp_path / "csv" / "arms.csv").read_text(encoding="utf-8").splitlines()
    assert head[0].startswith("id,arm,regulation,games,first,first_low,first_high,x,x_low,x_high")
    assert len(head) == 5
    for name in ("first", "differences", "lengths", "curves", "trumps-2"):
        assert (tmp_path / "png" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_verdict_is_plain(played: Path) -> None:
    with Store(played) as store:
        sentences = summary(compute_metrics(store))
    english = [en for _, en in sentences]
    assert english[0].startswith(("No difference seen between cheap <hero> and base", "cheap <hero> makes the first"))
    assert any(re.match(r"A difference of one point needs [\d,]+ deals \([\d,]+ games\)", line) for line in english)
    assert any(line.startswith("extra makes X (heuristic) win") and "points more often" in line for line in english)
    assert any(line.startswith("In base the first player wins") for line in english)
    assert all(any(sign > "\u3000" for sign in ja) for ja, _ in sentences)


def test_replays_are_the_games_of_the_rows(played: Path, page: str) -> None:
    data = re.search(r'id="replay-data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    import json

    from blackpoker import Game

    pairs = json.loads(data[1])
    assert len(pairs) >= 4
    editions = {"base": None, "cheap <hero>": CHEAP, "extra": None, "lite": None}
    winners = {}
    for game in Naive(played).games:
        winners[(game["deal"], game["arm"], game["swapped"])] = game["winner"]
    for pair in pairs:
        ends = []
        for game in pair["games"]:
            again = Game.from_record(game["record"], edition=editions[game["arm"]])
            over = again.outcome()
            assert over is not None
            ends.append(over.winner)
            assert game["frames"][-1]["sides"][0][0] == again.view(3).p1.life
            assert all(len(frame["ja"]) == len(frame["en"]) for frame in game["frames"])
        assert ends[0] != ends[1], "another side won"


def test_rules_that_are_not_here_leave_their_replays_out(played: Path, tmp_path: Path) -> None:
    write_report(played, tmp_path / "r.html")
    assert "was played by cheap hero" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_page_states_how_to_repeat_it(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("♠ A 2 3 4 5 6 7\n♡ A 2 3 4 5 6 7\nJK\n", encoding="utf-8")
    (tmp_path / "own.toml").write_text(
        'name = "own \\"deck\\""\nregulation = "lite+regular"\nplayers = "random"\ndeals = 3\n[[arm]]\nname = "a"\n'
        '[[arm]]\nname = "b"\ndecks = ["deck.txt", ""]\ndice = 1\n',
        encoding="utf-8",
    )
    assert command(["lab", "run", str(tmp_path / "own.toml"), "-o", str(tmp_path / "own.lab"), "-j", "1"]) == 0
    with Store(tmp_path / "own.lab") as store:
        text = toml_of(store)
        rows = list(store.rows())
    again = tmp_path / "again"
    again.mkdir()
    lines = text.split("# arm1-x.txt:\n")
    (again / "arm1-x.txt").write_text("\n".join(line[4:] for line in lines[1].splitlines()), encoding="utf-8")
    (again / "own.toml").write_text(text, encoding="utf-8")
    assert command(["lab", "run", str(again / "own.toml"), "-o", str(again / "own.lab"), "-j", "1"]) == 0
    with Store(again / "own.lab") as store:
        assert list(store.rows()) == rows


def test_an_empty_file_has_no_report(tmp_path: Path) -> None:
    path = tmp_path / "none.lab"
    Store.make(path, Experiment("none", (Arm("a", "lite+entry"),))).close()
    with pytest.raises(LabError, match="no games yet"):
        write_report(path, tmp_path / "r.html")


# -- statistics --------------------------------------------------------------------------------------------------------


def test_the_bootstrap_is_the_usual_one() -> None:
    import numpy as np
    from scipy import stats

    rng = np.random.default_rng(3)
    values = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=400, p=[0.1, 0.2, 0.3, 0.2, 0.2])
    own = estimate(values)
    usual = stats.bootstrap((values,), np.mean, n_resamples=9999, method="percentile").confidence_interval
    assert own.value == pytest.approx(values.mean())
    assert (own.low, own.high) == pytest.approx((usual.low, usual.high), abs=0.006)


def test_a_rate_without_a_miss_still_has_an_interval() -> None:
    certain = estimate([1.0] * 50, [1.0] * 50, 0.5, rate=True)
    assert certain.value == 1.0
    assert 0.9 < certain.low < 0.95
    assert certain.p < 1e-10


def test_how_many_deals_are_needed() -> None:
    values = [0.5, -0.5] * 500
    assert deals_needed(values, 0.01) == math.ceil((1.959964 + 2.326348) ** 2 * 0.25025 / 0.0001)
    assert deals_needed([0.0] * 10, 0.01) is None


def test_many_figures_are_judged_together() -> None:
    assert significant([0.001, 0.04, 0.5, float("nan")]) == [True, False, False, False]
    assert significant([]) == []


def test_a_browser_is_not_needed_to_read_it(page: str) -> None:
    """Without scripts the text is complete in both languages."""
    assert "分かったこと" in page
    assert "What it says" in page


def test_node_finds_no_mistake_in_the_script(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    script = Path(__file__).parents[2] / "src" / "blackpoker" / "lab" / "page" / "report.js"
    assert subprocess.run([node, "--check", str(script)], check=False, capture_output=True).returncode == 0
