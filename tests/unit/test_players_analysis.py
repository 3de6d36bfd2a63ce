"""Analysis of positions and finished games, and the two commands."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from tests.hidden_cards import permute_hidden, same_view

from blackpoker import Player, cli
from blackpoker.engine.shuffler import seeded
from blackpoker.game.game import Game, replayer
from blackpoker.players.analysis import accuracy, analyse, choice_cost, last_chance, swings, turning_points, win_chances
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge

WON = """
format = "lite"
[p1]
life = 3
hand = ""
field = "S9"
[p2]
life = 9
hand = ""
field = "HK(d)"
"""
LOST = WON.replace("life = 9", "life = 30").replace("life = 3\n", "life = 1\n")


def played(seed: int) -> Game:
    game = Game("lite+entry", seed=seed)
    briefing = prior_knowledge(game.regulation)
    players = [make_player("heuristic", game.regulation, seat, seed + seat, briefing) for seat in range(2)]
    while game.outcome() is None:
        seat = PlayerView(game, int(game.player), briefing)
        game.push(players[game.player].choose(seat, seat.decision))
    return game


@pytest.mark.parametrize("as_seat", [False, True])
def test_a_won_position(as_seat: bool) -> None:
    found = analyse(Game.from_position(WON), 200, as_seat=as_seat)
    assert found.moves[0].text == "attack"
    assert found.moves[0].chance > 0.95
    assert found.chance.low <= found.chance.first_wins <= found.chance.high
    assert found.chance.first_wins > 0.9
    assert found.chance.of(1).first_wins < 0.1


def test_a_lost_position() -> None:
    assert analyse(Game.from_position(LOST), 200).chance.first_wins < 0.3


def test_a_finished_game_has_no_decisions() -> None:
    game = played(4)
    found = analyse(game)
    outcome = game.outcome()
    assert outcome is not None
    assert found.chance.first_wins == (1.0 if outcome.winner == Player.P1 else 0.0)
    assert not found.moves


def test_turning_points_are_moments_of_the_game() -> None:
    game = played(4)
    before = game.record()
    points, turnings = turning_points(game, most=2, playouts=30)
    assert points
    assert len(turnings) == 2
    assert [point.index for point in points] == sorted(point.index for point in points)
    for turning in turnings:
        assert turning.point in points
        assert abs(turning.swing) <= 1
    assert game.record() == before  # the analysis does not change the game


def test_turning_points_of_a_record_that_shuffles_on_the_way() -> None:
    hand = random.Random(1)
    game = Game("lite+entry", seed=1)
    while game.outcome() is None:
        game.push(hand.choice(game._engine.options))
    assert replayer(game).source.injected  # shuffles after the deal
    points, _ = turning_points(Game.from_record(game.record()), playouts=10)
    assert points[-1].turn == game.turn_number


def test_giving_up_is_no_turning_point() -> None:
    game = Game.from_position(WON, seed=1)
    game.push_text("attack")
    game.end("resign", 0)
    points, turnings = turning_points(game, playouts=100)
    assert points
    assert all(turning.after > 0.8 for turning in turnings)


def test_the_command_reads_records_games_and_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played(6)
    texts = {"record.txt": game.record(), "position.toml": WON}
    game.go_to(len(game.history) // 2)
    texts["saved.json"] = game.to_json()
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert cli.run(["analyse", str(path), "-n", "40", "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["position"] is None) == (name == "record.txt")
        assert bool(data["turning_points"]) == (name == "record.txt")
        for lang in ("ja", "en"):
            assert cli.run(["analyse", str(path), "-n", "40", "--points", "0", "--lang", lang]) == 0
            assert capsys.readouterr().out
    bad = tmp_path / "bad.txt"
    bad.write_text("no game at all")
    assert cli.run(["analyse", str(bad)]) == 2
    assert cli.run(["analyse", str(tmp_path / "nowhere")]) == 2


def test_the_arena_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "games.jsonl"
    command = ["arena", "-p", "random,heuristic", "-r", "lite+entry", "-n", "4", "-o", str(results), "--json"]
    assert cli.run(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["finished"] == 4
    assert {player["name"] for player in first["players"]} == {"random", "heuristic"}
    size = results.stat().st_size
    assert cli.run(command) == 0  # all results are there already
    assert json.loads(capsys.readouterr().out)["pairs"] == first["pairs"]
    assert results.stat().st_size == size
    assert cli.run(["arena", "-p", "random,やさしい", "-n", "2", "--lang", "ja"]) == 0
    assert "やさしい" in capsys.readouterr().out
    assert cli.run(["arena", "-p", "random,nobody"]) == 2
    assert cli.run(["arena", "-p", "random"]) == 2


def test_choice_and_luck_add_up() -> None:
    """The change by a move is its cost compared with the best move, never a gain, plus luck."""
    game = Game("lite+entry", seed=11)
    known = prior_knowledge(game.regulation)
    players = [make_player("easy", game.regulation, seat, 4, known) for seat in (0, 1)]
    while game.outcome() is None:
        seat = PlayerView(game._engine, int(game.player), known)
        game.push(players[game.player].choose(seat, seat.decision))
    points = list(win_chances(game, 60))
    turnings = swings(points, last_chance(game, 60))
    assert any(point.choice_cost < -0.02 for point in points)
    for turning in turnings:
        assert -1 <= turning.choice_cost <= 0
        assert turning.choice_cost + turning.luck == pytest.approx(turning.swing, abs=1e-12)
        data = turning.data()
        assert data["choice"] + data["luck"] == pytest.approx(data["swing"], abs=1e-9)
    for player in (0, 1):
        assert 0 < accuracy(points, player) <= 1


def test_a_blunder_costs_its_chance() -> None:
    """Ending the turn instead of a winning attack costs most of the chance; the attack costs nothing."""
    game = Game.from_position(WON)
    plans = [plan.id for plan in game._engine.rules.plans]
    assert choice_cost(game, [plans.index("attack") + 1], 200, 1) == pytest.approx(0, abs=0.02)
    assert choice_cost(game, [plans.index("end") + 1], 200, 1) < -0.2


def test_the_coach_does_not_peek() -> None:
    """With hidden cards redealt: equal lines, numbers and costs of a choice; the soak run checks 1,000 decisions of all
    kinds."""
    compared, rounds = 0, 29 if os.environ.get("BLACKPOKER_LONG") else 1
    for number, regulation in enumerate(("lite+entry", "master+full", "extra+regular") * rounds):
        game = Game(regulation, seed=800 + number)
        dice = seeded(number)
        while game.outcome() is None and compared < 12 * (number + 1):
            if len(game.options) > 1 and dice.below(4) == 0:
                redealt = game.copy()
                permute_hidden(redealt._engine, int(game.player), seeded(number))
                if same_view(game._engine, redealt._engine, int(game.player)):
                    mine, other = (analyse(each, 40, as_seat=True).data() for each in (game, redealt))
                    assert mine == other
                    option = [game.options[dice.below(len(game.options))]]
                    assert choice_cost(game, option, 40, 1) == choice_cost(redealt, option, 40, 1)
                    compared += 1
            game.push(game.options[dice.below(len(game.options))])
    assert compared >= (1000 if rounds > 1 else 24)
