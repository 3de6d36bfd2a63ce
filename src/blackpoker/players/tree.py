"""Creation of searches in the available build, and access to their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from blackpoker import Shuffler
from blackpoker.thinking.levels import Level
from blackpoker.thinking.nets import net_named
from blackpoker.thinking.numbering import eyes_of
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.search import Node, Search, by_visits, decay_of, situation
from blackpoker.thinking.worlds import Briefing, World

if TYPE_CHECKING:
    from blackpoker.native.search import NativeNode, NativeSearch

AnyNode: TypeAlias = "Node | NativeNode"
AnySearch: TypeAlias = "Search | NativeSearch"


def plain_search(policy: Policy, briefing: Briefing, seat: int, chance: Shuffler, level: Level) -> Search:
    """Return the Python search of one seat with the settings of a level."""
    search = Search(policy, briefing, seat, chance, eyes_of(policy.rules), net_named(level.net))
    search.horizon = level.horizon
    search.curiosity = level.curiosity
    search.decay = decay_of(level.heat)
    search.soft = level.soft
    search.temper = level.temper
    return search


def new_search(policy: Policy, briefing: Briefing, seat: int, chance: Shuffler, level: Level) -> AnySearch:
    """Return a search in machine code if available, else in Python; both choose the same."""
    from blackpoker.native.search import NativeSearch  # imported here: slow, and only searches need it

    search = plain_search(policy, briefing, seat, chance, level)
    found = NativeSearch.of(search)
    if found is None:
        search.net.unfold()
    return found or search


def ranked(search: AnySearch, engine: World) -> list[AnyNode]:
    """Return the explored options of this decision, most visited first."""
    base = situation(engine)
    offered: list[AnyNode] = []
    for option in engine.options:
        offered += [child for child in search.root.children if child.key == base + option]
    offered.sort(key=lambda node: by_visits(node.visits, node.total))
    return offered


def tallies(search: AnySearch, engine: World) -> list[tuple[int, int, float]]:
    """Return option, visits and total of every explored option, for another tree to absorb."""
    return [(int(node.option), int(node.visits), node.total) for node in ranked(search, engine)]


def absorb(search: AnySearch, engine: World, found: list[tuple[int, int, float]]) -> None:
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
