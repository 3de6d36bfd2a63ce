"""Running experiments: the same rows however a run is split, stopped or killed; mistakes give one line."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from blackpoker import Game, native
from blackpoker.cli import run as command
from blackpoker.engine.views import SideView
from blackpoker.game.assistant import Assistant
from blackpoker.lab import Arm, Experiment, LabError, Store, read_experiment, run
from blackpoker.lab.game_runner import GameRow, replay
from blackpoker.lab.scheduler import DealBatches
from blackpoker.ruleset import all_regulations, standard_edition

ROOT = Path(__file__).parents[2]
ARMS = (
    Arm("random", "lite+entry", ("random", "random")),
    Arm("unlike", "lite+entry", ("heuristic", "random")),
    Arm("cheap", "standard+full+preset2", edition=standard_edition().change("summon_hero", cost="").rename("cheap")),
    Arm("extra", "extra+full", ("random", "easy")),
)
SMALL = Experiment("small", ARMS, deals=6, seed=11)


def rows_of(path: Path) -> list[GameRow]:
    with Store(path) as store:
        return [GameRow(*row) for row in store.rows()]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "small.lab"
    assert run(SMALL, path, jobs=1) == SMALL.games == 48
    return path


# -- rows --------------------------------------------------------------------------------------------------------------


def test_every_deal_is_played_by_every_arm_at_both_seats(played: Path) -> None:
    rows = rows_of(played)
    keys = [(row.deal, row.arm, row.swapped) for row in rows]
    assert keys == [(deal, arm, swapped) for deal in range(6) for arm in range(4) for swapped in (0, 1)]
    for row in rows:
        assert row.seed == 11 + row.deal
        assert (row.p1, row.p2) == (ARMS[row.arm].players if not row.swapped else ARMS[row.arm].players[::-1])
    firsts = {(row.deal, row.first) for row in rows if row.arm in (0, 1)}
    assert len(firsts) == 6, "the same shuffles: the same side begins at a deal, whoever sits where"


def test_a_row_is_its_game(played: Path) -> None:
    """Replaying the choices through the public API reproduces every value of a row."""
    import json

    for row in rows_of(played):
        game = replay(ARMS[row.arm], row)
        over = game.outcome()
        assert over is not None
        assert (2 if over.winner is None else over.winner.__index__()) == row.winner
        assert game.turn_number == row.turns
        assert Game.from_record(game.record(), edition=ARMS[row.arm].edition).outcome() == over
        views = [next(game.steps(deal=True)).after, *(step.after for step in game.steps())]
        started: dict[int, Game] = {}
        for view in views:
            if Assistant(view).kind != "trumps":
                started.setdefault(int(view.turn_number), view)
        counts: dict[str, Callable[[SideView], object]] = {
            "life": lambda side: side.life,
            "hand": lambda side: side.hand.count,
        }
        for name, at in counts.items():
            curve = json.loads(getattr(row, name))
            assert [len(each) for each in curve] == [row.turns + 1] * 2
            for turn, view in started.items():
                shown = view.view(3)
                assert [each[turn - 1] for each in curve] == [at(shown.p1), at(shown.p2)], (row, turn)
            end = game.view(3)
            assert [each[-1] for each in curve] == [at(end.p1), at(end.p2)]
        used: list[dict[str, int]] = [{}, {}]
        raised = set()
        opening: list[list[str]] = [[], []]
        trumps: list[dict[str, int]] = [{}, {}]
        turn, at_turn = 0, -1
        events = [*next(game.steps(deal=True)).events(3), *(event for step in game.steps() for event in step.events(3))]
        for event in events:
            seat = int(event.player == "p2")
            if event.event == "raised":
                raised.add(event.request)
            elif event.event == "turn":
                turn, at_turn = turn + 1, seat
            elif event.event == "trump_set" and turn == 0:
                trumps[seat].update(dict.fromkeys(event.cards or (), 0))
            elif event.event == "opened" and event.cards and event.cards[0] in trumps[seat]:
                trumps[seat][event.cards[0]] += 1
            if event.event == "declared" or (event.event == "resolving" and event.request in raised):
                id = str(event.action).removesuffix("@")
                used[seat][id] = used[seat].get(id, 0) + 1
                if event.event == "declared" and turn <= 2 and seat == at_turn:
                    opening[seat].append(id)
        assert json.loads(row.actions) == used
        assert json.loads(row.opening) == opening
        assert json.loads(row.trumps) == trumps


def test_random_play_is_that_of_the_native_door(tmp_path: Path) -> None:
    """The games differ (each seat has its own dice) but the rules are the same: aggregate figures agree."""
    path = tmp_path / "r.lab"
    run(Experiment("r", (Arm("r", "lite+entry", ("random", "random")),), deals=300, seats=1), path, jobs=1)
    rows = rows_of(path)
    other = native.games("lite+entry", range(1000, 1300))
    own = sum(row.turns for row in rows) / len(rows)
    theirs = sum(other.turns) / len(other)
    assert abs(own - theirs) < 0.9
    assert [row.first for row in rows] == list(native.games("lite+entry", range(300)).first), "the same deals"


def test_other_dice_are_other_games_of_the_same_deals(tmp_path: Path) -> None:
    arms = (Arm("a", "lite+entry", ("random", "random")), Arm("b", "lite+entry", ("random", "random"), dice=1))
    run(Experiment("dice", arms, deals=20), tmp_path / "d.lab", jobs=1)
    a, b = ([row for row in rows_of(tmp_path / "d.lab") if row.arm == arm] for arm in (0, 1))
    assert [row.first for row in a] == [row.first for row in b]
    assert sum(x.choices != y.choices for x, y in zip(a, b, strict=True)) > 30


def test_a_searcher_plays_too(tmp_path: Path) -> None:
    arm = Arm("s", "lite+entry", ("search:playouts=5", "heuristic"))
    run(Experiment("s", (arm,), deals=1), tmp_path / "s.lab", jobs=1)
    assert all(row.faults == "" for row in rows_of(tmp_path / "s.lab"))


# -- resuming
# ------------------------------------------------------------------------------------------------------------


def test_processes_play_the_same_games(played: Path, tmp_path: Path) -> None:
    shown: list[tuple[int, int]] = []
    run(SMALL, tmp_path / "p.lab", jobs=3, progress=lambda done, total: shown.append((done, total)))
    assert rows_of(tmp_path / "p.lab") == rows_of(played)
    assert shown[0] == (0, 48)
    assert shown[-1] == (48, 48)


def test_a_stopped_run_goes_on(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.lab"

    def stop(done: int, total: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(SMALL, path, jobs=1, progress=stop)
    with Store(path) as store:
        assert 16 <= store.count() < 48
    run(SMALL, path, jobs=2)
    assert rows_of(path) == rows_of(played)
    assert run(SMALL, path, jobs=1) == 0


def test_more_deals_can_be_added_later(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.lab"
    run(replace(SMALL, deals=2), path, jobs=1)
    assert run(SMALL, path, jobs=1) == 32
    assert rows_of(path) == rows_of(played)
    with Store(path) as store:
        assert store.about["deals"] == "6"


def start(experiment: Path, path: Path, *more: str) -> subprocess.Popen[bytes]:
    words = ["lab", "run", str(experiment), "-o", str(path), "-j", "2", *more]
    code = f"from blackpoker.cli import main; main({words!r})"
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=quiet, stderr=quiet)


def games_in(path: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=30)) as base:
            return int(base.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # the file does not exist yet


def workers_of(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if int(text.rpartition(")")[2].split()[1]) == parent:
            found.append(int(status.parent.name))
    return found


@pytest.fixture
def cluster() -> Iterator[str]:
    """Yield the address of a Dask scheduler with two workers on this machine."""
    distributed = pytest.importorskip("distributed")
    settings = {"processes": True, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **settings) as running:
        yield running.scheduler_address


def test_killed_on_a_cluster_it_is_the_same_file(tmp_path: Path, cluster: str) -> None:
    kill_five_times(tmp_path, "--dask", cluster)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc")
def test_killed_at_five_moments_it_is_the_same_file(tmp_path: Path) -> None:
    kill_five_times(tmp_path)


def kill_five_times(tmp_path: Path, *more: str) -> None:
    experiment = tmp_path / "k.toml"
    deals = 6000 if native.available() else 1500  # machine code would finish fewer deals before the kill
    games = 4 * deals
    experiment.write_text(
        f'name = "k"\nregulation = "lite+entry"\ndeals = {deals}\n[[arm]]\nname = "r"\nplayers = "random"\n'
        '[[arm]]\nname = "h"\n',
        encoding="utf-8",
    )
    whole = tmp_path / "whole.lab"
    run(read_experiment(experiment), whole, jobs=2)
    path = tmp_path / "killed.lab"
    chance = random.Random(1)
    seen = [0]
    for _ in range(5):
        process = start(experiment, path, *more)
        target = seen[-1] + chance.randint(1, 900)
        end = time.monotonic() + 60
        while process.poll() is None and games_in(path) < min(target, games - 100) and time.monotonic() < end:
            time.sleep(0.01)
        orphans = workers_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.append(games_in(path))
        end = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in orphans) and time.monotonic() < end:
            time.sleep(0.1)
        assert not any(Path(f"/proc/{pid}").exists() for pid in orphans), "workers outlive who asked"
    assert seen == sorted(seen)
    assert 0 < seen[1] < games, "killed at work; on a busy machine the last ones may find everything done"
    process = start(experiment, path, *more)
    assert process.wait(timeout=120) == 0
    assert rows_of(path) == rows_of(whole)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_prints_how_to_continue(tmp_path: Path) -> None:
    experiment = tmp_path / "c.toml"
    experiment.write_text('regulation = "lite+entry"\ndeals = 200000\n', encoding="utf-8")
    # an unattended parent process may ignore SIGINT, and its children inherit that
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{listen}; from blackpoker.cli import main; main(['lab', 'run', {str(experiment)!r}, '-o', {str(tmp_path / 'c.lab')!r}, '-j', '2'])"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while games_in(tmp_path / "c.lab") == 0 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "goes on from" in out
    assert err == ""


def test_a_dask_cluster_plays_the_same_games(played: Path, tmp_path: Path, cluster: str) -> None:
    run(SMALL, tmp_path / "d.lab", dask=cluster)
    assert rows_of(tmp_path / "d.lab") == rows_of(played)


def test_shares_grow_and_end_small() -> None:
    shares = DealBatches(range(1000), 2)
    sizes = []
    while share := shares.next():
        sizes.append(len(share))
        shares.completed(len(share), [], 0.01 * len(share))
    assert sum(sizes) == 1000
    assert sizes[0] == 1
    assert max(sizes) == 100
    assert sizes[-1] == 1


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_another_experiment_does_not_go_into_the_file(played: Path) -> None:
    for other in (replace(SMALL, seed=12), replace(SMALL, arms=ARMS[:2]), replace(SMALL, seats=1)):
        with pytest.raises(LabError, match="holds another experiment"):
            run(other, played, jobs=1)
    rules = replace(ARMS[2], edition=standard_edition().change("summon_hero", cost="L").rename("cheap"))
    with pytest.raises(LabError, match="other rules"):
        run(replace(SMALL, arms=(*ARMS[:2], rules, ARMS[3])), played, jobs=1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("deals = 0", "deals is from 1"),
        ("deals = -1", "deals is a whole number"),
        ("deals = true", "deals is a whole number"),
        ("seats = 3", "seats is 1 or 2"),
        ("bogus = 1", "'bogus' is unknown"),
        ("regulation = 5", "regulation is one line of text"),
        ('regulation = "lite"', "a regulation has one frame"),
        ('players = ["nobody"]', "there is no player 'nobody'"),
        ('players = ["random", "random", "random"]', "there are two players"),
        ('trumps = "all"', "trumps is random or players"),
        ('decks = ["none.txt"]', "there is no file"),
        ('rules = ["nowhere"]', "nowhere"),
        ('arm = "a"', "arms are written [[arm]]"),
        ('[[arm]]\nname = "a"\n[[arm]]\nname = "a"', "two arms are called 'a'"),
        ("[[arm]]\nbogus = 1", "'bogus' is unknown"),
        ("deals = ", "Invalid value"),
    ],
)
def test_a_mistake_is_one_line(text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "e.toml"
    path.write_text(text + "\n", encoding="utf-8")
    for lang in ("en", "ja"):
        assert command(["lab", "run", str(path), "-o", str(tmp_path / "e.lab"), "--lang", lang]) == 2
        out = capsys.readouterr()
        assert out.out == ""
        assert out.err.count("\n") == 1
        if lang == "en":
            assert complaint in out.err
    assert not (tmp_path / "e.lab").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "none.toml"),
        ("report",),
        ("report", "none.lab"),
        ("report", "{here}"),
        ("report", "{here}/text"),
        ("bogus",),
        ("run", "--csv", "x"),
        ("report", "{here}/text", "--deals", "5"),
        ("report", "{here}/text", "more"),
        ("run", "-r", "lite"),
        ("run", "-p", "a,b,c"),
        ("run", "--rules", "{here}"),
        ("run", "-r", "lite+entry", "-o", "{here}/no/where.lab"),
        ("run", "--deck", "{here}/text"),
        ("run", "-r", "lite+entry", "-o", "{here}/text", "--deals", "1"),
        ("run", "{here}/ok.toml", "--seed", "5"),
        ("run", "--seats", "3"),
        ("run", "-r", "lite+entry", "--dask", "tcp://127.0.0.1:1", "-o", "{here}/d.lab", "--deals", "1"),
    ],
)
def test_words_that_cannot_be_meant(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("no database\n" * 20, encoding="utf-8")
    (tmp_path / "ok.toml").write_text('regulation = "lite+entry"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert command(["lab", *(word.format(here=tmp_path) for word in words), "--lang", "en"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err


def test_a_package_may_be_moved(tmp_path: Path) -> None:
    """Only the content of a package counts, not its path."""
    import shutil

    words = ["lab", "run", "-r", "lite+entry", "-p", "random", "-j", "1", "-o", str(tmp_path / "m.lab"), "--rules"]
    for folder, deals in (("here", "1"), ("there", "2")):
        shutil.copytree(ROOT / "examples" / "rules" / "house", tmp_path / folder / "house")
        assert command([*words, str(tmp_path / folder / "house"), "--deals", deals]) == 0
    rules = tmp_path / "there" / "house" / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace('cost="BL"', 'cost="L"'), encoding="utf-8")
    assert command([*words, str(tmp_path / "there" / "house"), "--deals", "3"]) == 2


# -- flags -------------------------------------------------------------------------------------------------------------


def test_flags_make_arms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = str(ROOT / "examples" / "rules" / "house")
    words = ["lab", "run", "-r", "lite+entry", "-r", "lite+full", "-p", "random", "--rules", house]
    assert command([*words, "--deals", "2", "-j", "1", "-o", str(tmp_path / "f.lab"), "--lang", "en"]) == 0
    assert "8 games (8 now)" in capsys.readouterr().out, "X and Y are the same: every deal once"
    other = [
        *words[:4],
        "-p",
        "random,heuristic",
        "--deals",
        "2",
        "-j",
        "1",
        "-o",
        str(tmp_path / "g.lab"),
        "--lang",
        "en",
    ]
    assert command(other) == 0
    assert "4 games (4 now)" in capsys.readouterr().out, "they differ: every deal twice"
    with Store(tmp_path / "f.lab") as store:
        names = [arm["name"] for arm in store.arms]
        files = {Path(path).name for (path,) in store.base.execute("SELECT path FROM files")}
    assert names == ["lite+entry · base", "lite+entry · house", "lite+full · base", "lite+full · house"]
    assert {"rules.toml", "rules.py"} <= files


def test_every_regulation_at_once(tmp_path: Path) -> None:
    assert (
        command(
            ["lab", "run", "-r", "all", "-p", "random", "--seats", "1", "--deals", "1", "-o", str(tmp_path / "a.lab")]
        )
        == 0
    )
    with Store(tmp_path / "a.lab") as store:
        assert store.count() == len(store.arms) == len(all_regulations())
