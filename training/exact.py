"""A game small enough to be solved: its value, its solution by CFR+, and the exact exploitability of a level in it.

    python -m training.exact [LEVEL …] [--deck "SA S2 HA DA"] [--hand 1] [--iterations 300] [--seeds 20]

The package of rules keeps a few actions of Lite and deals a few cards, with all orders of both decks equally likely.
The tree of all deals and choices is built with the engine itself. An information set is all that a seat has seen and
chosen so far (R-210). The exploitability of a strategy is what a best response wins above the value of the game, on
average over both seats; the value of a win is 1, of a draw 0.5.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from blackpoker import Regulation, seeded
from blackpoker.define import FIXED, Frame
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import DRAW, UNDECIDED
from blackpoker.engine.setup import DRAW_CARDS, FIRST_PLAYER
from blackpoker.players.engine_players import Level, level_of, make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Edition, edition_named, new_game
from blackpoker.ruleset.tables import SetUp

#: actions of the package
ACTIONS = ("end", "charge", "draw", "attack", "block", "damage_judgement", "next_generation", "set_bulwark", "throw")
CHARACTERS = ("bulwark", "common_soldier", "armed_soldier", "hero", "ace", "magician")
DECK = "SA S2 HA CA"
HAND = 1
#: nodes of a tree at most
MOST_NODES = 3_000_000

#: options of an information set with the probability of each
Strategy = dict[int, list[float]]


class TooLarge(RuntimeError):
    """Raised when a tree outgrows `MOST_NODES`."""


@cache
def tiny_edition(cards: str = DECK, hand: int = HAND) -> Edition:
    """Return edition 6 with a few actions and a frame of these cards; its set-up deals without shuffling."""
    edition = edition_named("6")
    for name in ("actions", "trumps", "options", "characters"):
        for entry in getattr(edition, name):
            if entry.id not in ACTIONS + CHARACTERS:
                edition = edition.remove(entry.id, among=name)
    number = len(cards.split())
    frame = Frame(
        "tiny",
        "極小",
        "Tiny",
        FIXED,
        1,
        f"{number}枚を使う。",
        f"{number} cards.",
        cards=cards,
        exactly=number,
        most=number,
        least=number,
        setup=(SetUp(DRAW_CARDS, hand), SetUp(FIRST_PLAYER)),
    )
    return edition.add(frame).rename("tiny")


def tiny_regulation(cards: str = DECK, hand: int = HAND) -> Regulation:
    return Regulation.parse("lite+tiny", tiny_edition(cards, hand))


@dataclass
class InfoSet:
    """Nodes that a seat cannot tell apart. ``world``: one of them, to let a level choose."""

    seat: int
    options: list[int]
    world: Engine
    nodes: list[int] = field(default_factory=list)


@dataclass
class Tree:
    """All deals and choices. Of a node: its information set, or -1 at the end of a game; its children by option; the
    result for seat 0. ``roots``: one node per deal, all equally likely.
    """

    regulation: Regulation
    sets: list[InfoSet] = field(default_factory=list)
    set_of: list[int] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.set_of)


#: what a seat has seen and chosen so far, as the number of an interned chain
Memory = tuple[int, int]


def build(regulation: Regulation) -> Tree:
    """Return the tree of all deals and choices; raise `TooLarge` if it outgrows `MOST_NODES`."""
    tree = Tree(regulation)
    chains: dict[tuple[object, ...], int] = {}
    known: dict[tuple[int, int], int] = {}

    def chain(*link: object) -> int:
        return chains.setdefault(link, len(chains) + 1)

    def remember(memory: Memory, log: Sequence[tuple[int, int, int, int, int, int]], start: int) -> Memory:
        """Return the memories of both seats after the events from ``start`` on."""
        after = list(memory)
        for event in log[start:]:
            kind, player, cards, seen_by, a, b = event
            for seat in (0, 1):
                shown = cards if seen_by & (1, 2)[seat] else -cards.bit_count()
                after[seat] = chain(after[seat], kind, player, shown, a, b)
        return after[0], after[1]

    def grow(engine: Engine, memory: Memory) -> int:
        """Add the node of this position and all below; return its number."""
        log = engine.log
        assert log is not None
        while engine.winner == UNDECIDED and len(engine.options) == 1:
            start = len(log)
            engine.push(engine.options[0])
            memory = remember(memory, log, start)
        node = tree.size
        if node >= MOST_NODES:
            raise TooLarge(f"the tree has more than {MOST_NODES:,} nodes")
        tree.set_of.append(-1)
        tree.children.append([])
        tree.result.append(0.0)
        if engine.winner != UNDECIDED:
            tree.result[node] = 0.5 if engine.winner == DRAW else float(engine.winner == 0)
            return node
        seat, options = int(engine.asked), list(engine.options)
        key = (seat, memory[seat])
        number = known.setdefault(key, len(tree.sets))
        if number == len(tree.sets):
            tree.sets.append(InfoSet(seat, options, engine.copy()))
        assert tree.sets[number].options == options, "a seat would see more than its memory"
        tree.sets[number].nodes.append(node)
        tree.set_of[node] = number
        for option in options:
            after = engine.copy()
            after.log = list(log)
            mine = list(memory)
            mine[seat] = chain(mine[seat], "chose", option)
            after.push(option)
            tree.children[node].append(grow(after, remember((mine[0], mine[1]), after.log, len(log))))
        return node

    start = new_game(regulation, seeded(0))
    orders = [list(order) for order in permutations(start.sides[0].life)]
    for first in orders:
        for second in orders:
            engine = start.copy()
            engine.log = []
            engine.sides[0].life, engine.sides[1].life = first[:], second[:]
            engine.advance()
            tree.roots.append(grow(engine, remember((0, 0), engine.log, 0)))
    return tree


# -- values ---


def uniform(tree: Tree) -> Strategy:
    return {number: [1 / len(one.options)] * len(one.options) for number, one in enumerate(tree.sets)}


def value(tree: Tree, strategy: Strategy) -> float:
    """Return what seat 0 wins on average if both play by this strategy."""
    at = tree.result[:]
    for node in range(tree.size - 1, -1, -1):  # children have higher numbers
        if tree.set_of[node] >= 0:
            shares = strategy[tree.set_of[node]]
            at[node] = sum(share * at[child] for share, child in zip(shares, tree.children[node], strict=True))
    return sum(at[root] for root in tree.roots) / len(tree.roots)


def best_response(tree: Tree, seat: int, strategy: Strategy) -> tuple[float, Strategy]:
    """Return what the best response of a seat to the other's strategy wins, and the response."""
    reach = [0.0] * tree.size
    for root in tree.roots:
        reach[root] = 1 / len(tree.roots)
    for node in range(tree.size):
        number = tree.set_of[node]
        if number >= 0:
            mine = tree.sets[number].seat == seat
            for place, child in enumerate(tree.children[node]):
                reach[child] = reach[node] * (1.0 if mine else strategy[number][place])
    response: Strategy = {}
    worth: dict[int, float] = {}

    def worth_of(node: int) -> float:
        """Return the value for the seat, which chooses the best option of an information set as a whole."""
        if node not in worth:
            number = tree.set_of[node]
            if number < 0:
                worth[node] = tree.result[node] if seat == 0 else 1 - tree.result[node]
            elif tree.sets[number].seat == seat:
                if number not in response:
                    totals = [
                        sum(reach[each] * worth_of(tree.children[each][place]) for each in tree.sets[number].nodes)
                        for place in range(len(tree.sets[number].options))
                    ]
                    best = totals.index(max(totals))
                    response[number] = [float(place == best) for place in range(len(totals))]
                worth[node] = worth_of(tree.children[node][response[number].index(1.0)])
            else:
                shares = strategy[number]
                worth[node] = sum(
                    share * worth_of(child)
                    for share, child in zip(shares, tree.children[node], strict=True)
                    if share > 0
                )
        return worth[node]

    return sum(worth_of(root) for root in tree.roots) / len(tree.roots), response


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """Return what best responses win above one half, on average over both seats; 0 for a solution."""
    return (best_response(tree, 0, strategy)[0] + best_response(tree, 1, strategy)[0] - 1) / 2


def solve(tree: Tree, iterations: int, report: Callable[[int], None] | None = None) -> Strategy:
    """Return the average strategy of CFR+ with alternating updates and linear weights."""
    regrets = [[0.0] * len(one.options) for one in tree.sets]
    sums = [[0.0] * len(one.options) for one in tree.sets]
    strategy = uniform(tree)
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            update(tree, seat, strategy, regrets, sums, iteration)
        if report is not None:
            report(iteration)
    return {
        number: [each / total for each in row] if (total := sum(row)) > 0 else strategy[number]
        for number, row in enumerate(sums)
    }


def update(
    tree: Tree, seat: int, strategy: Strategy, regrets: list[list[float]], sums: list[list[float]], weight: int
) -> None:
    """Improve the strategy of a seat by its regrets."""
    size = tree.size
    mine, theirs = [0.0] * size, [0.0] * size
    for root in tree.roots:
        mine[root], theirs[root] = 1.0, 1 / len(tree.roots)
    for node in range(size):
        number = tree.set_of[node]
        if number < 0:
            continue
        shares = strategy[number]
        own = tree.sets[number].seat == seat
        for place, child in enumerate(tree.children[node]):
            mine[child] = mine[node] * shares[place] if own else mine[node]
            theirs[child] = theirs[node] if own else theirs[node] * shares[place]
    at = tree.result[:] if seat == 0 else [1 - each for each in tree.result]
    gains: dict[int, list[float]] = {}
    for node in range(size - 1, -1, -1):
        number = tree.set_of[node]
        if number < 0:
            continue
        shares = strategy[number]
        values = [at[child] for child in tree.children[node]]
        at[node] = sum(share * each for share, each in zip(shares, values, strict=True))
        if tree.sets[number].seat == seat:
            gain = gains.setdefault(number, [0.0] * len(values))
            for place, each in enumerate(values):
                gain[place] += theirs[node] * (each - at[node])
    for number, gain in gains.items():
        reach = mine[tree.sets[number].nodes[0]]  # equal at all its nodes, as the seat forgets nothing
        shares = strategy[number]
        sums[number] = [each + weight * reach * share for each, share in zip(sums[number], shares, strict=True)]
        row = regrets[number] = [max(0.0, old + new) for old, new in zip(regrets[number], gain, strict=True)]
        total = sum(row)
        strategy[number] = [each / total for each in row] if total > 0 else [1 / len(row)] * len(row)


def strategy_of(tree: Tree, level: Level, seeds: Sequence[int]) -> Strategy:
    """Return how often a level chooses each option, over these seeds; every decision with a fresh player."""
    known = prior_knowledge(tree.regulation)
    out: Strategy = {}
    for number, one in enumerate(tree.sets):
        counts = [0.0] * len(one.options)
        for seed in seeds:
            view = PlayerView(one.world, one.seat, known)
            player = make_player(level, tree.regulation, one.seat, 1000 * number + seed, known)
            counts[one.options.index(player.choose(view, view.decision))] += 1 / len(seeds)
        out[number] = counts
    return out


def main() -> None:
    reader = argparse.ArgumentParser(
        prog="training.exact", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("levels", nargs="*", default=["heuristic"])
    reader.add_argument("--deck", default=DECK, help="the cards of each player")
    reader.add_argument("--hand", type=int, default=HAND)
    reader.add_argument("--iterations", type=int, default=300)
    reader.add_argument("--seeds", type=int, default=20)
    args = reader.parse_args()
    try:
        tree = build(tiny_regulation(args.deck, args.hand))
    except TooLarge as why:
        raise SystemExit(str(why)) from None
    print(f"{len(tree.roots):,} deals, {tree.size:,} nodes, {len(tree.sets):,} information sets", flush=True)
    solution = solve(tree, args.iterations)
    print(f"value for seat 0: {value(tree, solution):.4f}; CFR+ is {exploitability(tree, solution):.5f} from it")
    print(f"any option: exploitability {exploitability(tree, uniform(tree)):.4f}", flush=True)
    for name in args.levels:
        print(
            f"{name}: exploitability {exploitability(tree, strategy_of(tree, level_of(name), range(args.seeds))):.4f}"
        )


if __name__ == "__main__":
    main()
