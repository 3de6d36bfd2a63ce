"""Positions, records and scenario files."""

import random
from dataclasses import asdict
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker import Player
from blackpoker.cli.scenario import run
from blackpoker.engine.views import GraveView, HandView
from blackpoker.scenario.scenario import read_scenario, run_scenario

REGULATIONS = ("lite+entry", "master+full", "master+constructed40+pack", "extra+full+preset4")


def random_game(regulation: str, seed: int, steps: int) -> bp.Game:
    rng = random.Random(seed)
    game = bp.Game(regulation, seed=seed)
    for _ in range(steps):
        if game.outcome() is None:
            game.push(rng.choice(game.options))
    return game


# -- positions


def test_a_position_of_a_few_lines() -> None:
    game = bp.Game.from_position(
        """
        format = "pro"
        turn = "p2"
        passed = ["p1"]
        [p1]
        life = "C4 S9 DJ +17"
        hand = "♠7 ♡3 C9(known)"
        field = "S5 S8(d,+3) HK(new) D5+D9"
        bulwarks = "D2 D4(d) CQ(known)"
        grave = "C2 CK"
        used = ["attack"]
        """
    )
    side = game.view(0).p1
    assert side.life == 20
    assert [unit.number for unit in side.soldiers] == [5, 11, 13, 14]
    assert [unit.kind for unit in side.soldiers] == ["common_soldier", "common_soldier", "hero", "armed_soldier"]
    assert [unit.new for unit in side.soldiers] == [False, False, True, False]
    assert [unit.driven for unit in side.bulwarks] == [False, True, False]
    seen = game.view(1).p1
    assert seen.hand == HandView(3, None, ["C9"])
    assert [unit.card for unit in seen.bulwarks] == [None, None, "CQ"]
    assert seen.grave.top == "CK"
    assert seen.life == "10+"
    assert (game.view(0).turn, game.player, game.view(0).passed) == (Player.P2, Player.P2, [Player.P1])


def test_no_public_top() -> None:
    game = bp.Game.from_position('[p1]\ngrave = "C2 CK -"')
    assert game.view(1).p1.grave == GraveView(2, None, None, [])


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_positions_round_trip(regulation: str) -> None:
    for seed in range(4):
        for steps in (0, 3, 40, 41, 42, 90, 1000):
            game = random_game(regulation, seed, steps)
            text = game.position()
            again = bp.Game.from_position(text)
            assert again.position() == text
            assert again.options == game.options
            for seat in (0, 1):
                assert without_ids(asdict(again.view(seat))) == without_ids(asdict(game.view(seat)))


def without_ids(data: object) -> object:
    if isinstance(data, dict):
        return {key: without_ids(value) for key, value in data.items() if key not in ("id", "blocks")}
    return [without_ids(item) for item in data] if isinstance(data, list) else data


def test_a_quiet_position_is_written_for_humans() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S7 H3"\nfield = "S5(d)"')
    assert "saved" not in game.position()
    game.push_text("attack")
    assert 'stage = [\n  "p1: attack",\n]' in game.position()
    for text in ("pass", "pass", "set_bulwark"):  # no attackers; a choice inside an effect is stored as state
        game.push_text(text)
    assert "saved" in game.position()


# -- records


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_records_round_trip(regulation: str) -> None:
    for seed in range(3):
        for steps in (0, 25, 60, 2000):
            game = random_game(regulation, seed, steps)
            game.names = ["Alice", "太郎"]
            text = game.record()
            again = bp.Game.from_record(text)
            assert again.record() == text
            assert again.hash() == game.hash()
            assert again.outcome() == game.outcome()
            assert again.names == ["Alice", "太郎"]
            assert again.options == game.options


def test_a_record_has_a_checkpoint_per_turn() -> None:
    game = random_game("lite+full", 3, 2000)
    lines = game.record().splitlines()
    turns = [line for line in lines if line.startswith("turn ")]
    assert len(turns) == game.turn_number
    at = lines.index(turns[3])
    lines[at] = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
    with pytest.raises(bp.UnreadableText, match=f"line {at + 1}: turn 4: the state is not the recorded one"):
        bp.Game.from_record("\n".join(lines))


def test_records_from_a_position_and_from_a_saved_game() -> None:
    start = bp.Game.from_position('format = "master"\n[p1]\nhand = "JK S7 JK2"\nbulwarks = "D2"', seed=3)
    start.push_text("search JK")
    start.push(start.options[0])
    for game in (start, bp.Game.from_json(start.to_json())):
        game.push_text("search JK2")
        game.push(game.options[-1])
        again = bp.Game.from_record(game.record())
        assert again.hash() == game.hash()
        assert again.record() == game.record()


def test_undo_in_a_game_that_was_read() -> None:
    game = random_game("master+full", 8, 150)
    again = bp.Game.from_record(game.record())
    for _ in range(20):
        game.go_to(len(game.history) - 1)
        again.go_to(len(again.history) - 1)
        assert again.hash() == game.hash()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("BlackPoker record 3", "Poker record"), "begins with"),
        (("edition: ", "edition: x"), "edition"),
        (("regulation: lite+full", "regulation: lite"), "one frame"),
        (("result: *", "result: p1 life"), "the result is"),
        (("start: deal", "start: nowhere"), "start is"),
        (("deck p1: SA", "deck p1: SX"), "no card"),
    ],
)
def test_errors_name_the_cause(change: tuple[str, str], message: str) -> None:
    text = random_game("lite+full", 1, 30).record().replace(*change, 1)
    with pytest.raises(bp.UnreadableText, match=message):
        bp.Game.from_record(text)


# -- scenarios

SCENARIO = """
id = "T-1"
title = "A test"
rulings = ["R-03"]
[position.p1]
hand = "H3 C9"
field = "S5"
[[variant]]
name = "first"
play = '''
{play}
'''
"""


@pytest.mark.parametrize(
    ("play", "error"),
    [
        ("p1: up H3 $C9 >p1.S5\npp\nexpect number p1.S5 8", ""),
        ("expect number p1.S5 8", "its number is 5"),
        ("expect not number p1.S5 5", "it does hold"),
        ("p2: pass", "p2 is not the one to choose"),
        ("legal p1 up H3 $C9 >p1.S5\nillegal p1 up H3 $C9 >p2.S5 because R-31", ""),
        ("illegal p1 up H3 $C9 >p1.S5", "it can be pushed"),
        ("illegal p1 end because R-05", "it can be pushed"),
        ("illegal p1 attac", "attac"),
        ("illegal p1 block because R-05", "refused because of R-21"),
        ("expect moon p1", "cannot be expected"),
        ("expect view p2 p1.hand.count 2\nexpect view p2 hides H3\nexpect not view p1 p1.hand.cards null", ""),
        ("expect view p2 p1.nothing 2", "the view has no"),
        ("what is this", "no line of a script"),
        ("shuffle p1 S2", "never happened"),
        ("expect options pass", "offered are"),
        ("expect number", "too few words"),
        ("expect p1.life nine", "no whole number"),
        ("pp\npp", "nobody can pass"),
    ],
)
def test_scripts(play: str, error: str) -> None:
    (result,) = run_scenario(read_scenario(SCENARIO.format(play=play)))
    assert error in result.error
    assert result.ok == (not error)


def test_running_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(SCENARIO.format(play="expect chance p1"), encoding="utf-8")
    assert run([good]) == 0
    assert "1 held, 0 failed, 1 files" in capsys.readouterr().out
    bad.write_text(SCENARIO.format(play="p1: pass\nexpect chance p1"), encoding="utf-8")
    assert run([tmp_path]) == 1
    out = capsys.readouterr().out
    assert "[first] line 12: expect chance p1" in out
    assert run([tmp_path / "none.toml"]) == 1
    assert "there is no such file" in capsys.readouterr().out
    assert run([]) == 2
    bad.write_bytes(b"\xff\xfe\x00")
    assert run([bad]) == 1
    assert "not a text file" in capsys.readouterr().out
    bad.write_bytes(b"\xef\xbb\xbf" + good.read_bytes())  # byte order mark of some editors
    assert run([bad]) == 0
