"""Information-set Monte-Carlo tree search: one tree over what this seat sees, a new determinized world per play-out.

Each iteration determinizes a world, descends the tree along the options legal there, adds one node and evaluates the
world: with a net (``ai.net``), or with a play-out by noisy heuristics to the start of a later turn. The prior comes
from the net or the heuristics, so that wide decisions are searched from their sensible options. Forced decisions get no
node.
"""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import i64

from blackpoker.ai.evaluation import Evaluator, exp, weights_of
from blackpoker.ai.features import FeatureMap, extract, option_row
from blackpoker.ai.heuristic_player import argmax, play_turns
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.net import EXP_DECAY, MOST_SCORE_GAP, Net, heuristic_weight, policy_logit, policy_query, value
from blackpoker.determinization import PriorKnowledge, determinize
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.engine.shuffler import Shuffler

DEEPEST: Final = 60
#: share of visits, in percent, at which an option counts as obvious
OBVIOUS: Final = 94

#: storage in the native build, see ``engine.request``; ``any``: unlimited
STORAGE: Final = {
    "Node": {
        "key": "i64",
        "option": "i64",
        "mover": "i64",
        "prior": "f64",
        "visits": "i64",
        "total": "f64",
        "fingerprint": "i64",
        "children": "any Node",
    },
    "Search": {
        "policy": "PositionSummary",
        "knowledge": "PriorKnowledge",
        "seat": "i64",
        "chance": "Shuffler",
        "evaluator": "Evaluator",
        "horizon": "i64",
        "noise": "i64",
        "curiosity": "f64",
        "decay": "200 f64",
        "root": "Node",
        "path": "60 Node",
        "scratch": "112 i32",
        "feature_map": "FeatureMap",
        "net": "Net",
        "bits": "240 u16",
        "query": "32 i16",
        "min_share": "i64",
        "soft": "i64",
        "rollout": "i64",
        "temper": "i64",
        "lives": "i64",
        "playouts": "i64",
        "nodes": "i64",
        "decisions": "i64",
    },
}


class Node:
    """An option taken, in the tree of one seat. ``key``: the option combined with its kind of decision."""

    __slots__ = ("children", "key", "fingerprint", "mover", "option", "prior", "total", "visits")

    def __init__(self, key: i64, option: i64, mover: i64, prior: float) -> None:
        self.key: i64 = key
        self.option: i64 = option
        self.mover: i64 = mover
        self.prior: float = prior
        self.visits: i64 = 0
        self.total: float = 0.0  # sum of results from the mover's point of view
        self.fingerprint: i64 = 0  # fingerprint of the decision after this option, if it is the seat's own
        self.children: list[Node] = []


def situation(s: Engine) -> i64:
    """Return the kind of decision as the base of option keys; worlds may differ in the player asked next."""
    return ((s.kind * 2 + s.asked) * 16 + len(s.stage) % 16) * 256


def lives_of(s: Engine) -> i64:
    return len(s.sides[0].life) + len(s.sides[1].life)


def fingerprint(s: Engine, seat: i64) -> i64:
    """Return a fingerprint of what the seat sees, used to find a decision again in the tree."""
    mine = s.sides[seat]
    theirs = s.sides[1 - seat]
    mark: i64 = s.turn_number * 64 + s.kind * 2 + s.asked
    mark = mark * 31 + len(s.stage)
    for request in s.stage:
        mark = (mark * 31 + request.action * 2 + request.controller + request.keys % 1009) % 1000000007
    mark = (mark * 1009 + mine.hand % 1000003) % 1000000007
    mark = (mark * 61 + len(mine.life)) % 1000000007
    mark = (mark * 61 + len(theirs.life)) % 1000000007
    mark = (mark * 61 + theirs.hand_count) % 1000000007
    for side in s.sides:
        for unit in side.soldiers:
            driven: i64 = 1 if unit.driven else 0
            mark = (mark * 31 + unit.cards % 1009 * 4 + driven + unit.role * 2 + unit.bonus) % 1000000007
        for unit in side.bulwarks:
            mark = (mark * 31 + unit.id * 4 + (1 if unit.driven else 0) + unit.role) % 1000000007
    draft = s.draft
    if draft is not None:
        mark = (mark * 31 + draft.action + draft.keys % 1009 + s.discards % 1009 + len(s.paying) * 7) % 1000000007
        for paid in s.paying:
            mark = (mark * 31 + paid) % 1000000007
    active = s.active
    if active is not None:
        mark = (mark * 31 + active.action * 64 + s.pc) % 1000000007
        bound = (s.bound_first + s.blocked) % 1009 * 3 + (s.bound_second + s.blocker_count) % 1009
        mark = (mark * 31 + bound) % 1000000007
    return mark + 1


class Search:
    """The tree of one seat and the settings of its growth."""

    __slots__ = (
        "bits",
        "knowledge",
        "chance",
        "curiosity",
        "decay",
        "decisions",
        "min_share",
        "feature_map",
        "horizon",
        "evaluator",
        "net",
        "lives",
        "nodes",
        "noise",
        "path",
        "playouts",
        "policy",
        "query",
        "rollout",
        "root",
        "scratch",
        "seat",
        "soft",
        "temper",
    )

    def __init__(
        self,
        policy: HeuristicScorer,
        knowledge: PriorKnowledge,
        seat: i64,
        chance: Shuffler,
        feature_map: FeatureMap,
        net: Net,
    ) -> None:
        self.policy: HeuristicScorer = policy
        self.knowledge: PriorKnowledge = knowledge
        self.seat: i64 = seat
        self.chance: Shuffler = chance
        self.evaluator: Evaluator = Evaluator(weights_of(policy.rules), policy.trump_worth)
        self.horizon: i64 = 2  # length of a play-out in turns
        self.noise: i64 = 30
        self.curiosity: float = 1.2
        self.decay: list[float] = decay_of(22.0)
        self.root: Node = Node(0, 0, seat, 1.0)
        self.path: list[Node] = []  # from the root to the current leaf
        self.scratch: list[int] = []
        self.feature_map: FeatureMap = feature_map
        self.net: Net = net
        self.bits: list[int] = []  # net input of the current world
        self.query: list[int] = []
        self.min_share: i64 = 3000  # minimum share of every option relative to the best, of 2**20
        self.soft: i64 = 8  # policy temperature: this many 256ths behind the best divide the share by e to the 1/32
        self.rollout: i64 = 0  # decisions played by the net's policy before a world is evaluated
        self.temper: i64 = 0  # value of one card less on either life to this seat, in 65536ths of a win
        self.lives: i64 = 0  # cards in both lives at the root
        self.playouts: i64 = 0  # in total
        self.nodes: i64 = 0
        self.decisions: i64 = 0  # inside play-outs

    def find(self, engine: Engine) -> None:
        """Move the root to the current position if the tree contains it, else start a new tree."""
        mark = fingerprint(engine, self.seat)
        found = find_node(self.root, mark, 6)
        if found is None:
            found = Node(0, 0, self.seat, 1.0)
        found.fingerprint = mark
        self.root = found
        self.lives = lives_of(engine)

    def grow(self, engine: Engine, n: i64) -> None:
        """Add ``n`` play-outs to the tree of this decision."""
        while n > 0:
            self.iterate(engine)
            n -= 1

    def iterate(self, engine: Engine) -> None:
        world = determinize(engine, self.seat, self.knowledge, self.chance)
        self.backpropagate(self.explore(world, engine.turn_number + self.horizon))

    def explore(self, world: Engine, until: i64) -> float:
        """Descend the tree in this world, add a node, play on to turn ``until``; return the chance that player 0
        wins.
        """
        seat = self.seat
        node = self.root
        self.path = []
        path = self.path
        fresh = False
        depth: i64 = 0
        while world.winner == UNDECIDED and not fresh and depth < DEEPEST:
            options = world.options
            if len(options) == 1:
                world.push(options[0])
                continue
            chosen = self.select(world, node)
            if world.asked == seat and node.fingerprint == 0:
                node.fingerprint = fingerprint(world, seat)
            if chosen.visits == 0:
                fresh = True
            path.append(chosen)
            world.push(chosen.option)
            node = chosen
            depth += 1
        if self.net.size > 0:
            if self.rollout > 0:
                self.play_by_policy(world)
            return self.first_wins(world)
        if world.winner == UNDECIDED:
            if world.turn_number + 1 > until:
                until = world.turn_number + 1
            self.decisions += play_turns(world, self.policy, self.noise, until, self.chance, self.scratch)
        return self.evaluator.first_wins(world)

    def play_by_policy(self, world: Engine) -> None:
        """Play some decisions by the policy of the net. The evaluation then errs differently from one world to the next
        instead of alike over a whole subtree.
        """
        left: i64 = self.rollout
        while left > 0 and world.winner == UNDECIDED:
            options = world.options
            if len(options) == 1:
                world.push(options[0])
                continue
            self.policy_logits(world, self.scratch)
            world.push(options[argmax(self.scratch)])
            left -= 1

    def first_wins(self, world: Engine) -> float:
        """Return player 0's chance by the net, or the result if the game is over."""
        while world.winner == UNDECIDED and len(world.options) == 1:
            world.push(world.options[0])
        if world.winner != UNDECIDED:
            if world.winner == DRAW:
                return 0.5
            return 1.0 if world.winner == 0 else 0.0
        extract(self.feature_map, world, world.asked, self.bits)
        chance: i64 = value(self.net, self.bits)
        if world.asked != 0:
            chance = 65536 - chance
        if self.temper != 0:
            bonus: i64 = self.temper * (self.lives - lives_of(world))
            chance += bonus if self.seat == 0 else -bonus
        return float(chance) / 65536.0  # exact, and so are sums of these

    def backpropagate(self, result: float) -> None:
        """Add the result to the nodes on the path."""
        for step in self.path:
            step.visits += 1
            step.total += result if step.mover == 0 else 1.0 - result
        self.root.visits += 1
        self.playouts += 1

    def select(self, world: Engine, node: Node) -> Node:
        """Return the child to follow; create missing children."""
        options = world.options
        base = situation(world)
        children = node.children
        known: i64 = len(children)
        mover = world.asked
        # collect the children of the offered options; usually they are in the same order
        offered: list[Node] = []
        missing = False
        guess: i64 = 0
        for option in options:
            key = base + option
            found = False
            if guess < known and children[guess].key == key:
                offered.append(children[guess])
                guess += 1
                continue
            i: i64 = 0
            while i < known:
                child = children[i]
                if child.key == key:
                    offered.append(child)
                    guess = i + 1
                    found = True
                    break
                i += 1
            if not found:
                missing = True
                break
        if missing:
            offered = self.expand(world, node, base, mover)
        if world.rules.has_rare and world.kind == CHANCE_KIND and world.sides[world.asked].rare == 0:
            offered = without_rare_draw(world, offered)
        return self.most_promising(offered)

    def most_promising(self, offered: list[Node]) -> Node:
        """Return the child with the highest mean result plus exploration bonus."""
        visits: i64 = 0
        total: float = 0.0
        for child in offered:
            visits += child.visits
            total += child.total
        start: float = 0.5
        if visits > 0:
            start = total / float(visits) - 0.05
        width: float = self.curiosity * math.sqrt(float(visits) + 1.0)
        best = offered[0]
        highest: float = -1.0e9
        for child in offered:
            mean: float = start
            if child.visits > 0:
                mean = child.total / float(child.visits)
            score = mean + width * child.prior / (1.0 + float(child.visits))
            if score > highest:
                highest = score
                best = child
        return best

    def expand(self, world: Engine, node: Node, base: i64, mover: i64) -> list[Node]:
        """Create the missing children, with heuristic priors for this world."""
        if self.net.size > 0:
            return self.expand_by_net(world, node, base, mover)
        scratch = self.scratch
        self.policy.scores(world, scratch)
        options = world.options
        children = node.children
        decay = self.decay
        top: i64 = highest_score(scratch)
        sum: float = 0.0
        for score in scratch:
            gap: i64 = top - score
            sum += decay[gap if gap < 200 else 199]
        offered: list[Node] = []
        index = 0
        for option in options:
            key = base + option
            found: Node | None = None
            for child in children:
                if child.key == key:
                    found = child
                    break
            if found is None:
                gap = top - scratch[index]
                found = Node(key, option, mover, decay[gap if gap < 200 else 199] / sum)
                children.append(found)
                self.nodes += 1
            offered.append(found)
            index += 1
        return offered

    def expand_by_net(self, world: Engine, node: Node, base: i64, mover: i64) -> list[Node]:
        """Create the missing children, with priors from the net."""
        scratch = self.scratch
        self.policy_shares(world, scratch)
        options = world.options
        children = node.children
        sum: i64 = 0
        for share in scratch:
            sum += share
        offered: list[Node] = []
        index = 0
        for option in options:
            key = base + option
            found: Node | None = None
            for child in children:
                if child.key == key:
                    found = child
                    break
            if found is None:
                part: i64 = scratch[index]
                found = Node(key, option, mover, float(part) / float(sum))
                children.append(found)
                self.nodes += 1
            offered.append(found)
            index += 1
        return offered

    def policy_logits(self, world: Engine, out: list[int]) -> None:
        """Fill ``out`` with the policy logit of each option. The heuristic term covers actions the net was not
        trained on.
        """
        net = self.net
        self.policy.scores(world, out)
        extract(self.feature_map, world, world.asked, self.bits)
        policy_query(net, self.bits, self.query)
        top: i64 = highest_score(out)
        weight: i64 = heuristic_weight(net, world.kind)
        index = 0
        for option in world.options:
            behind: i64 = top - out[index]
            if behind > MOST_SCORE_GAP:
                behind = MOST_SCORE_GAP
            rows: i64 = option_row(self.feature_map, world, option)
            out[index] = policy_logit(net, self.query, rows // 2048, rows % 2048) - weight * behind // 256
            index += 1

    def policy_shares(self, world: Engine, out: list[int]) -> None:
        """Fill ``out`` with the policy share of each option."""
        self.policy_logits(world, out)
        top: i64 = highest_score(out)
        index = 0
        for logit in out[:]:
            gap: i64 = (top - logit) // self.soft
            out[index] = EXP_DECAY[gap if gap < 512 else 511] + self.min_share
            index += 1

    # -- budget -----------------------------------------------------------------------------------------------------

    def advance(self, engine: Engine, budget: i64, chunk: i64) -> bool:
        """Run one more chunk of play-outs; return False if none were due."""
        n = self.due(budget, chunk)
        self.grow(engine, n)
        return n > 0

    def due(self, budget: i64, chunk: i64) -> i64:
        """Return the number of play-outs to run next: a chunk, the rest, or 0."""
        left = budget - self.root.visits
        if left <= 0 or self.settled(budget, left):
            return 0
        return chunk if chunk < left else left

    def settled(self, budget: i64, left: i64) -> bool:
        """Return whether ``left`` more play-outs cannot change the most visited option, or one option is obvious.
        Obvious: after a fifth of the budget nearly all visits went to it.
        """
        first: i64 = 0
        second: i64 = 0
        for child in self.root.children:
            if child.visits > first:
                second = first
                first = child.visits
            elif child.visits > second:
                second = child.visits
        if first - second > left:
            return True
        visits = self.root.visits
        return visits * 5 >= budget and first * 100 >= visits * OBVIOUS

    def best(self, engine: Engine) -> int:
        """Return the most visited option."""
        base = situation(engine)
        best: i64 = engine.options[0]
        lowest: float = 1.0
        for option in engine.options:
            for child in self.root.children:
                if child.key == base + option and visit_order(child.visits, child.total) < lowest:
                    lowest = visit_order(child.visits, child.total)
                    best = child.option
        return int(best)


def without_rare_draw(world: Engine, offered: list[Node]) -> list[Node]:
    """Return the children but for drawing a rare card: it is gone, and the request would have no effect (N-239)."""
    plans = world.rules.plans
    kept: list[Node] = []
    for child in offered:
        if child.option == PASS or not plans[child.option - 1].draws_rare:
            kept.append(child)
    return kept if len(kept) > 0 else offered


def highest_score(scores: list[int]) -> i64:
    top: i64 = -1000000000
    for score in scores:
        if score > top:
            top = score
    return top


def decay_of(heat: float) -> list[float]:
    """Return the prior weight by score difference to the best option; ``heat`` points divide it by e."""
    return [exp(-n / heat) for n in range(200)]


def visit_order(visits: i64, total: float) -> float:
    """Return a sort key: more visits, then a higher mean, come first."""
    mean: float = 0.0
    if visits > 0:
        mean = total / float(visits)
    return -float(visits) - mean


def find_node(node: Node, mark: i64, depth: i64) -> Node | None:
    """Return the most visited node below with this fingerprint, or None."""
    best: Node | None = None
    if node.fingerprint == mark:
        best = node
    if depth > 0:
        for child in node.children:
            if child.visits > 0:
                found = find_node(child, mark, depth - 1)
                if found is not None and (best is None or found.visits > best.visits):
                    best = found
    return best
