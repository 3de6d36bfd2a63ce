"""The net: its features, its numbers, its file."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import pytest
from tests.renamed_edition import renamed_edition

from blackpoker import Regulation, seeded
from blackpoker.ai import features as f
from blackpoker.ai import net as n
from blackpoker.ai.features import extract, option_row
from blackpoker.ai.net_file import SHIPPED, NetError, edition_of_net, load_net, net_for, read_net, write_net
from blackpoker.ai.random_player import play_setup
from blackpoker.ai.stable_ids import NAMES, feature_map
from blackpoker.engine.engine import Engine
from blackpoker.native import PLANS
from blackpoker.players.batch_play import games
from blackpoker.ruleset import all_regulations, edition_named, new_game

REGULATIONS = (
    "lite+entry",
    "standard+full",
    "pro+random40",
    "master+full",
    "extra+regular",
    "lite+random40+pack",
    "9:master+draft",
    "9:standard+rare_pack",
)
#: a search with the shipped net, and one without a net of no fewer play-outs
NET_AND_NONE = ("search:playouts=40/net=shipped", "search:playouts=40")


def walk(text: str, seed: int, steps: int = 400) -> list[Engine]:
    """Return decisions of a random game as fully known worlds."""
    engine = new_game(Regulation.parse(text), seeded(seed))
    chance = seeded(seed + 1)
    engine.advance()
    play_setup(engine, chance)
    out: list[Engine] = []
    while engine.options and len(out) < steps:
        if len(engine.options) > 1:
            out.append(engine.copy())
        engine.push(engine.options[chance.below(len(engine.options))])
    return out


@pytest.mark.parametrize("text", REGULATIONS)
def test_bits_and_rows_are_in_their_places(text: str) -> None:
    eyes = feature_map(Regulation.parse(text).rules())
    bits: list[int] = []
    for engine in walk(text, 5):
        extract(eyes, engine, engine.asked, bits)
        assert 0 <= min(bits)
        assert max(bits) < f.BITS
        assert len(bits) <= 240
        assert bits.count(f.DECISION + engine.kind) == 1
        for option in engine.options:
            rows = option_row(eyes, engine, option)
            start = f.ROW_START[engine.kind]
            end = f.ROWS if engine.kind + 1 == f.DECISIONS else f.ROW_START[engine.kind + 1]
            assert start <= rows // 2048 < end
            assert rows % 2048 // 55 == engine.kind


def test_observation_bits_are_relative_to_the_observer() -> None:
    engine = walk("master+full", 9)[60]
    eyes = feature_map(engine.rules)
    mine: list[int] = []
    theirs: list[int] = []
    extract(eyes, engine, 0, mine)
    extract(eyes, engine, 1, theirs)
    assert sorted(b - f.SIDE for b in theirs if f.SIDE <= b < 2 * f.SIDE) == sorted(b for b in mine if b < f.SIDE)


def test_numbers_are_the_same_in_every_format() -> None:
    """Each name has its own number; names added after training get a spare one."""
    for regulation in (*all_regulations(), *all_regulations(edition_named("9"))):
        rules = regulation.rules()
        action_names, kind_names, _ = NAMES[regulation.edition.id]
        eyes = feature_map(rules)
        for number, plan in zip(eyes.actions, rules.plans, strict=True):
            assert action_names.index(plan.id) == number if plan.id in action_names else number >= f.ACTIONS - 8
        for number, kind in zip(eyes.kinds, rules.kinds, strict=True):
            assert kind_names.index(kind.id) == number if kind.id in kind_names else number >= len(kind_names)
    assert all(len(actions) + 8 <= f.ACTIONS for actions, _, _ in NAMES.values())
    assert NAMES["6"][0][:3] == ("set_bulwark", "summon_soldier", "summon_hero")  # never changes


def test_new_actions_get_a_spare_number() -> None:
    rules = Regulation.parse("master+full").rules()
    eyes = feature_map(Regulation.parse("master+full", renamed_edition()).rules())
    assert len(eyes.actions) == len(rules.plans)
    assert all(f.ACTIONS - 8 <= number < f.ACTIONS for number in eyes.actions)


@pytest.mark.parametrize("edition", SHIPPED)
def test_sums_are_exact(edition: str) -> None:
    """Packed integer sums equal plain ones."""
    net = read_net(SHIPPED[edition])
    net.unpack()
    w = net.weights
    dice = Random(4)
    for _ in range(20):
        bits = [dice.randrange(f.BITS) for _ in range(dice.randrange(1, 200))]
        sums = [w[n.FIRST_BIAS + j] + sum(w[n.UNITS * bit + j] for bit in bits) for j in range(n.UNITS)]
        sums = [min(max((each + 32768) % 65536 - 32768, 0), n.MOST_SUM) for each in sums]
        assert list(n.activations(net, bits)) == sums

        def after(at: int, bias: int, size: int, sums: list[int] = sums) -> list[int]:
            pairs = [w[at + (j // 2 * size + k) * 2 + j % 2] for k in range(size) for j in range(n.UNITS)]
            return [
                256 * w[bias + k]
                + sum(x * y for x, y in zip(sums, pairs[n.UNITS * k : n.UNITS * (k + 1)], strict=True))
                for k in range(size)
            ]

        inner = after(n.SECOND, n.SECOND_BIAS, n.INNER)
        value_sum = 256 * w[n.THIRD_BIAS] + sum((max(x, 0) >> 8) * w[n.THIRD + k] for k, x in enumerate(inner))
        share = n.value(net, bits) / 65536
        assert abs(share - 1 / (1 + 2.718281828459045 ** (-max(-8, min(8, value_sum / 65536))))) < 0.0005
        question: list[int] = []
        n.policy_query(net, bits, question)
        query = [max(-n.MOST_QUERY, min(n.MOST_QUERY, x >> 8)) for x in after(n.QUERY, n.QUERY_BIAS, n.QUERY_SIZE)]
        assert question == query


def test_each_edition_has_a_net_of_its_own() -> None:
    rules = {"6": Regulation.parse("master+full").rules(), "9": Regulation.parse("9:master+draft").rules()}
    nets = {edition: net_for("shipped", rules[edition]) for edition in SHIPPED}
    for edition, net in nets.items():
        assert net.size == n.WEIGHTS
        assert edition_of_net(SHIPPED[edition]) == edition
        assert SHIPPED[edition].stat().st_size <= 1_000_000
    assert nets["6"].weights != nets["9"].weights


@pytest.mark.parametrize("text", ["9:lite+entry16", "9:standard+rare_pack", "9:pro+strategy", "9:master+draft"])
def test_a_net_wins_against_the_search_without_one(text: str) -> None:
    """A net that was trained for other features, or is not read, would lose."""
    won = 0
    for place, players in enumerate((NET_AND_NONE, NET_AND_NONE[::-1])):
        won += games(text, range(20), players).winner.count(place)
    assert won >= 20, f"{won} of 40"


def test_the_file_of_a_net(tmp_path: Path) -> None:
    net = read_net(SHIPPED["6"])
    again = tmp_path / "again.bpnet"
    write_net(again, net.weights, "6")
    assert read_net(again).weights == net.weights
    whole = again.read_bytes()
    for name, data in (
        ("short", whole[:-9]),
        ("changed", whole[:900] + b"\0\1" + whole[902:]),
        ("none", b"PK" + whole),
    ):
        bad = tmp_path / name
        bad.write_bytes(data)
        with pytest.raises(NetError):
            read_net(bad)
    old = tmp_path / "old"
    old.write_bytes(whole[:6] + b"\xff\xff" + whole[8:])
    with pytest.raises(NetError):
        read_net(old)
    with pytest.raises(NetError, match="edition 6, not 9"):
        load_net(str(again), "9")
    with pytest.raises(NetError, match="no net"):
        load_net(str(tmp_path / "nothing"))
    with pytest.raises(ValueError, match="weights"):
        n.Net(array("h", [1, 2, 3]))


def test_games_of_all_levels_end() -> None:
    played = games("lite+entry", range(4), ("normal", "strong"), uses=True)
    assert len(played.uses) == 4 * 2 * PLANS
    assert all(winner in (0, 1, 2) for winner in played.winner)
