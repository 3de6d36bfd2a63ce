"""Creation of searches in the available build, and access to their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from blackpoker import Shuffler
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import Level
from blackpoker.ai.net_file import net_for
from blackpoker.ai.search import Node, Search, decay_of, situation, visit_order
from blackpoker.ai.stable_ids import feature_map
from blackpoker.determinization import PriorKnowledge, World

if TYPE_CHECKING:
    from blackpoker.native.search import NativeNode, NativeSearch

AnyNode: TypeAlias = "Node | NativeNode"
AnySearch: TypeAlias = "Search | NativeSearch"


def plain_search(
    policy: HeuristicScorer, knowledge: PriorKnowledge, seat: int, chance: Shuffler, level: Level
) -> Search:
    """Return the Python search of one seat with the settings of a level."""
    search = Search(policy, knowledge, seat, chance, feature_map(policy.rules), net_for(level.net, policy.rules))
    search.horizon = level.horizon
    search.curiosity = level.curiosity
    search.decay = decay_of(level.heat)
    search.soft = level.soft
    search.rollout = level.rollout
    search.temper = level.temper
    return search


def new_search(
    policy: HeuristicScorer, knowledge: PriorKnowledge, seat: int, chance: Shuffler, level: Level
) -> AnySearch:
    """Return a search in machine code if available, else in Python; both choose the same."""
    from blackpoker.native.search import NativeSearch  # imported here: slow, and only searches need it

    search = plain_search(policy, knowledge, seat, chance, level)
    found = NativeSearch.create(search)
    if found is None:
        search.net.unpack()
    return found or search


def ranked(search: AnySearch, engine: World) -> list[AnyNode]:
    """Return the explored options of this decision, most visited first."""
    base = situation(engine)
    offered: list[AnyNode] = []
    for option in engine.options:
        offered += [child for child in search.root.children if child.key == base + option]
    offered.sort(key=lambda node: visit_order(node.visits, node.total))
    return offered


def tallies(search: AnySearch, engine: World) -> list[tuple[int, int, float]]:
    """Return option, visits and total of every explored option, for another tree to absorb."""
    return [(int(node.option), int(node.visits), node.total) for node in ranked(search, engine)]


def merge_tallies(search: AnySearch, engine: World, found: list[tuple[int, int, float]]) -> None:
    """Add the results of another search of the same decision."""
    base = situation(engine)
    for option, visits, total in found:
        for child in search.root.children:
            if child.key == base + option:
                child.visits += visits
                child.total += total
                search.root.visits += visits


def most_visited(engine: World, node: AnyNode) -> AnyNode | None:
    """Return the most visited child of this node among the offered options, or None."""
    base = situation(engine)
    best: AnyNode | None = None
    for option in engine.options:
        for child in node.children:
            if child.key == base + option and child.visits > 0 and (best is None or child.visits > best.visits):
                best = child
    return best
