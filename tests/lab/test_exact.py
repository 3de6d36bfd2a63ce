"""The exact solution of small games: Kuhn poker with its known value, and a tiny package of rules."""

from __future__ import annotations

from itertools import permutations

import pytest
from training import exact
from training.exact import InfoSet, Tree

from blackpoker import seeded
from blackpoker.players.engine_players import level_of
from blackpoker.ruleset import new_game


def kuhn_poker() -> Tree:
    """Return Kuhn poker: one of three cards each, one bet; results are scaled from -2 … 2 to 0 … 1."""
    regulation = exact.tiny_regulation()
    world = new_game(regulation, seeded(0))
    tree = Tree(regulation)
    known: dict[tuple[int, str], int] = {}

    def grow(cards: tuple[int, ...], history: str) -> int:
        node = tree.size
        tree.set_of.append(-1)
        tree.children.append([])
        tree.result.append(0.0)
        sign = 1 if cards[0] > cards[1] else -1
        ends = {"pp": sign, "bc": 2 * sign, "bf": 1, "pbc": 2 * sign, "pbf": -1}
        if history in ends:
            tree.result[node] = (ends[history] + 2) / 4
            return node
        seat = len(history) % 2
        number = known.setdefault((cards[seat], history), len(tree.sets))
        if number == len(tree.sets):
            tree.sets.append(InfoSet(seat, [0, 1], world))
        tree.sets[number].nodes.append(node)
        tree.set_of[node] = number
        for option in "cf" if history.endswith("b") else "pb":
            tree.children[node].append(grow(cards, history + option))
        return node

    for cards in permutations(range(3), 2):
        tree.roots.append(grow(cards, ""))
    return tree


def test_the_value_of_kuhn_poker() -> None:
    tree = kuhn_poker()
    solution = exact.solve(tree, 1000)
    assert exact.value(tree, solution) == pytest.approx((2 - 1 / 18) / 4, abs=2e-4)
    assert 0 <= exact.exploitability(tree, solution) < 2e-4
    # a player who chooses at random loses 11/12 of a chip to a best response in both seats together
    assert exact.exploitability(tree, exact.uniform(tree)) == pytest.approx(11 / 12 / 2 / 4)


def test_a_tiny_package_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = exact.build(exact.tiny_regulation())
    assert len(tree.roots) == 24 * 24
    assert sum(len(one.nodes) for one in tree.sets) + tree.set_of.count(-1) == tree.size
    solution = exact.solve(tree, 8)
    gap, most = exact.exploitability(tree, solution), exact.exploitability(tree, exact.uniform(tree))
    assert 0 <= gap < most / 5
    assert exact.value(tree, solution) == pytest.approx(0.5, abs=0.02)  # both seats have the same deck
    played = exact.strategy_of(tree, level_of("heuristic"), range(1))
    assert gap - 0.02 < exact.exploitability(tree, played) < most
    monkeypatch.setattr(exact, "MOST_NODES", 100)
    with pytest.raises(exact.TooLarge):
        exact.build(exact.tiny_regulation())
