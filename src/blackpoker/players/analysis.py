"""Analysis of a position by search, and the turning points of a finished game.

A position is analysed from one seat's point of view or, with open hands, from that of a spectator of a finished game:
then the real cards are visible and only the order of the piles is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from blackpoker import Game, Outcome, Player, seeded
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.levels import MASTER
from blackpoker.ai.search import situation
from blackpoker.determinization import World, open_hands, open_prior_knowledge
from blackpoker.game.game import replayer
from blackpoker.notation.move import move_of
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.players.arena import wilson
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import SEAT_NAMES, PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.search_results import AnyNode, AnySearch, most_visited, new_search, ranked

#: bonus to the prior of nodes that the search is forced to explore
FORCED_PRIOR = 4.0


@dataclass(frozen=True)
class WinChance:
    """Player 0's chance to win, with the 95 % interval of the estimate."""

    first_wins: float
    low: float
    high: float

    def of(self, player: int) -> WinChance:
        if player == 0:
            return self
        return WinChance(1 - self.first_wins, 1 - self.high, 1 - self.low)


@dataclass(frozen=True)
class Candidate:
    """A move considered by the search: its chance for the mover, its share of the play-outs and the expected
    continuation.
    """

    text: str
    chance: float
    share: float
    line: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    player: int  # player to decide
    chance: WinChance
    moves: tuple[Candidate, ...]
    playouts: int

    def data(self) -> dict[str, Any]:
        return {
            "player": SEAT_NAMES[self.player],
            "first_wins": round(self.chance.first_wins, 4),
            "interval95": [round(self.chance.low, 4), round(self.chance.high, 4)],
            "playouts": self.playouts,
            "moves": [
                {
                    "move": move.text,
                    "chance": round(move.chance, 4),
                    "share": round(move.share, 4),
                    "line": list(move.line),
                }
                for move in self.moves
            ],
        }


def start_search(game: Game, seed: int, as_seat: bool) -> tuple[AnySearch, World]:
    engine = game._engine
    player = int(engine.asked)
    policy = HeuristicScorer(engine.rules)
    if as_seat:
        knowledge = prior_knowledge(game.regulation)
        seat = PlayerView(game, player, knowledge)
        return new_search(policy, knowledge, player, seeded(seed), MASTER), seat.world
    return new_search(policy, open_prior_knowledge(engine), player, seeded(seed), MASTER), open_hands(engine)


def win_chance(search: AnySearch, world: World) -> WinChance:
    """Return the chance after the best option. The interval covers the variance of its play-outs, not errors of the
    search.
    """
    found = ranked(search, world)
    nodes = found[:1] if found else search.root.children
    visits = 0
    wins = 0.0
    for node in nodes:
        visits += int(node.visits)
        wins += node.total if node.mover == 0 else int(node.visits) - node.total
    if visits == 0:
        return WinChance(0.5, 0.0, 1.0)
    return WinChance(wins / visits, *wilson(wins, visits))


def first_player_score(over: Outcome | None) -> float:
    """Return the first player's share of the result, 0.5 for a draw or an unfinished game."""
    return 0.5 if over is None or over.winner is None else float(over.winner == Player.P1)


def analyse(
    game: Game,
    playouts: int = 2000,
    lines: int = 3,
    seed: int = 1,
    as_seat: bool = False,
) -> Analysis:
    """Analyse the current position. ``as_seat``: use only what the player to decide knows."""
    over = game.outcome()
    if over is not None:
        first = first_player_score(over)
        return Analysis(0, WinChance(first, first, first), (), 0)
    player = int(game.player)
    search, world = start_search(game, seed, as_seat)
    search.grow(world, playouts)
    chance = win_chance(search, world)
    moves = tuple(best_moves(search, world, player, lines))
    return Analysis(player, chance, moves, playouts)


def chosen_move(game: Game, name: str, seed: int = 1) -> str:
    """Return the move that a level or a bot chooses in this position."""
    known = prior_knowledge(game.regulation)
    player = int(game.player)
    chooser = SandboxedPlayer(make_player(name, game.regulation, player, seed, known), name)
    chooser.attend(game)
    builder = MoveBuilder(game._engine)
    while not builder.complete and builder._engine.options:
        seat = PlayerView(builder._engine, player, known)
        builder.push(chooser.choose(seat, seat.decision))
    return builder.text


def best_moves(search: AnySearch, world: World, player: int, lines: int) -> Iterator[Candidate]:
    """Yield the most visited moves, each with the expected continuation."""
    total = max(1, int(search.root.visits))
    for node in ranked(search, world)[:lines]:
        if node.visits == 0:
            continue
        text, engine, last = complete_move(world, node)
        visits = int(node.visits)
        yield Candidate(text, node.total / visits, visits / total, tuple(continuation(engine, last)))


def complete_move(world: World, node: AnyNode) -> tuple[str, World, AnyNode]:
    """Complete the move that begins with this option along the most visited nodes; return text, world and last node."""
    builder = MoveBuilder(world)
    builder.push(int(node.option))
    engine = builder._engine
    while engine.options and not builder.complete:
        if len(engine.options) == 1:
            option = engine.options[0]
        else:
            found = most_visited(engine, node)
            if found is None:
                option = engine.options[0]
            else:
                node = found
                option = int(found.option)
        builder.push(option)
    return builder.text, engine, node


def continuation(engine: World, node: AnyNode, most: int = 4) -> Iterator[str]:
    """Yield the moves the search expects next in this world, without passes."""
    for _ in range(12):
        if most == 0 or not engine.options:
            return
        if len(engine.options) == 1:
            engine.push(engine.options[0])
            continue
        found = most_visited(engine, node)
        if found is None or found.visits < 8:
            return
        player = int(engine.asked)
        text, engine, node = complete_move(engine, found)
        if text != "pass":
            most -= 1
            yield f"{SEAT_NAMES[player]}: {text}"


# -- finished games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WinChancePoint:
    """A point in a game: before the ``index``-th option of its history."""

    index: int
    turn: int
    player: int
    chance: WinChance
    text: str  # the move made here
    choice_cost: float = 0.0  # loss of win chance against the best move, never above zero


@dataclass(frozen=True)
class SwingMove:
    """A move that changed the win chance. Its gain is the cost of the choice plus luck: draws, flips, hidden cards,
    and the opponent's reply.
    """

    point: WinChancePoint
    after: float  # player 0's chance after the move
    swing: float  # gain of the mover
    better: str = ""  # the move the search prefers, if different

    @property
    def choice_cost(self) -> float:
        return self.point.choice_cost

    @property
    def luck(self) -> float:
        return self.swing - self.point.choice_cost

    def data(self) -> dict[str, Any]:
        return {
            "index": self.point.index,
            "turn": self.point.turn,
            "player": SEAT_NAMES[self.point.player],
            "move": self.point.text,
            "before": round(self.point.chance.first_wins, 4),
            "after": round(self.after, 4),
            "swing": round(self.swing, 4),
            "choice": round(self.choice_cost, 4),
            "luck": round(round(self.swing, 4) - round(self.choice_cost, 4), 4),
            "better": self.better or None,
        }


def replay(game: Game) -> Iterator[tuple[int, Game, list[int]]]:
    """Yield every move of the game that had a choice: its index, the game before it, its options."""
    now = game.copy()
    now.go_to(0)
    now._engine.source.injected = replayer(game).source.injected  # a record has no seed
    for step in game.steps():
        before = now.copy()
        free = False
        options = [option for option in game.history[step._start : step._stop] if option >= 0]
        for option in options:
            free = free or len(now.options) > 1
            now.push(option)
        if free:
            yield int(step._start), before, options


def win_chances(
    game: Game, playouts: int, seed: int = 1, first: int = 0, count: int | None = None
) -> Iterator[WinChancePoint]:
    """Yield the win chance before each move, hands open; ``first`` and ``count`` select a range of moves."""
    for index, before, options in islice(replay(game), first, None if count is None else first + count):
        text = move_of(before._engine, options).text
        chance = open_chance(before, playouts, seed)
        cost = choice_cost(before, options, playouts, seed)
        yield WinChancePoint(index, before.turn_number, int(before.player), chance, text, cost)


def open_chance(game: Game, playouts: int, seed: int) -> WinChance:
    search, world = start_search(game, seed, False)
    search.grow(world, playouts)
    return win_chance(search, world)


def choice_cost(game: Game, options: list[int], playouts: int, seed: int) -> float:
    """Return the loss of win chance against the best move known to the player (hidden cards count as luck), at most
    zero. If the search hardly explored these options, it is made to: a quarter as many additional play-outs
    prefer them.
    """
    search, world = start_search(game, seed, True)
    search.grow(world, playouts)
    best = win_chance(search, world).of(int(game.player)).first_wins
    chosen_nodes = path_of(search, world, options)
    if (
        chosen_nodes
        and ranked(search, world)[0].key == chosen_nodes[0].key
        and len(chosen_nodes) == len(path_of(search, world, options, True))
    ):
        return 0.0
    for number in range(len(chosen_nodes) or 1):
        path = path_of(search, world, options)
        if len(path) <= number:
            break
        for node in path:
            node.prior += FORCED_PRIOR
        search.grow(world, max(8, playouts // 4))
        for node in path:
            node.prior -= FORCED_PRIOR
    path = [node for node in path_of(search, world, options) if node.visits >= 4]
    return min(0.0, path[-1].total / int(path[-1].visits) - best) if path else 0.0


def path_of(search: AnySearch, world: World, options: list[int], best: bool = False) -> list[AnyNode]:
    """Return the nodes of these options as far as the tree contains them; ``best``: follow the preferred
    continuation.
    """
    engine = world.copy()
    node: AnyNode = search.root
    path: list[AnyNode] = []
    for option in options:
        if option not in engine.options:
            break  # a card revealed on the way differs in this world
        if len(engine.options) > 1:
            found = most_visited(engine, node) if best else None
            key = situation(engine) + option
            found = found or next((child for child in node.children if child.key == key), None)
            if found is None or (best and found.option != option):
                break
            path.append(found)
            node = found
        engine.push(option)
    return path


def accuracy(points: list[WinChancePoint], player: int) -> float:
    """Return the mean share of the best win chance that a player's moves retained."""
    mine = [point for point in points if point.player == player]
    retained = [1 + point.choice_cost / max(0.01, point.chance.of(player).first_wins) for point in mine]
    return sum(max(0.0, each) for each in retained) / len(retained) if retained else 1.0


def last_chance(game: Game, playouts: int, seed: int = 1) -> float:
    """Return player 0's chance at the end; before a resignation or departure, as these do not rate the move before."""
    if game.history and game.history[-1] < 0:
        then = game.copy()
        then.go_to(len(game.history) - 1)
        return open_chance(then, playouts, seed).first_wins
    return first_player_score(game.outcome())


def swings(points: list[WinChancePoint], last: float) -> list[SwingMove]:
    """Return the change caused by every move, the largest first."""
    found: list[SwingMove] = []
    for number, point in enumerate(points):
        after = points[number + 1].chance.first_wins if number + 1 < len(points) else last
        change = after - point.chance.first_wins
        found.append(SwingMove(point, after, change if point.player == 0 else -change))
    found.sort(key=lambda turning: -abs(turning.swing))
    return found


def turning_points(
    game: Game,
    most: int = 3,
    playouts: int = 300,
    seed: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[list[WinChancePoint], list[SwingMove]]:
    """Return the win chance along a finished game, hands open, and the moves that changed it most."""
    points: list[WinChancePoint] = []
    for point in win_chances(game, playouts, seed):
        points.append(point)
        if on_progress is not None:
            on_progress(point.index, len(game.history))
    found = swings(points, last_chance(game, playouts, seed))
    chosen = [add_preferred_move(game, turning, playouts, seed) for turning in found[:most]]
    chosen.sort(key=lambda turning: turning.point.index)
    return points, chosen


def add_preferred_move(game: Game, turning: SwingMove, playouts: int, seed: int) -> SwingMove:
    """Add the move the search would have preferred there, given what the player knew, if it differs."""
    then = game.copy()
    then.go_to(turning.point.index)
    found = analyse(then, 3 * playouts, 1, seed, as_seat=True)
    if found.moves and found.moves[0].text != turning.point.text:
        return SwingMove(turning.point, turning.after, turning.swing, found.moves[0].text)
    return turning
