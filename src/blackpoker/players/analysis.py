"""Analysis of a position by search, and the turning points of a finished game.

A position is analysed from one seat's point of view or, with open hands, from that of a spectator of a finished game:
then the real cards are visible and only the order of the piles is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from blackpoker import Game, Outcome, seeded
from blackpoker.players.arena import wilson
from blackpoker.players.known_before import briefing_of
from blackpoker.players.levels import make_player
from blackpoker.players.seat import SEAT_NAMES, Contained, Seat
from blackpoker.players.tree import AnyNode, AnySearch, most_visited, new_search, ranked
from blackpoker.thinking.levels import MASTER
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.search import situation
from blackpoker.thinking.worlds import World, open_briefing, open_hands
from blackpoker.words.sentence import Sentence

#: bonus to the prior of nodes that the search is forced to explore
INSISTING = 4.0


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
    engine = game.engine
    player = int(engine.asked)
    policy = Policy(engine.rules)
    if as_seat:
        briefing = briefing_of(game.regulation)
        seat = Seat(game, player, briefing)
        return new_search(policy, briefing, player, seeded(seed), MASTER), seat.world
    return new_search(policy, open_briefing(engine), player, seeded(seed), MASTER), open_hands(engine)


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


def result_of(over: Outcome | None) -> float:
    """Return the first player's share of the result, 0.5 for a draw or an unfinished game."""
    return 0.5 if over is None or over.winner is None else float(over.winner == 0)


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
        first = result_of(over)
        return Analysis(0, WinChance(first, first, first), (), 0)
    player = game.player
    search, world = start_search(game, seed, as_seat)
    search.grow(world, playouts)
    chance = win_chance(search, world)
    moves = tuple(best_moves(search, world, player, lines))
    return Analysis(player, chance, moves, playouts)


def said_by(game: Game, name: str, seed: int = 1) -> str:
    """Return the move that a level or a bot chooses in this position."""
    known = briefing_of(game.regulation)
    player = int(game.player)
    chooser = Contained(make_player(name, game.regulation, player, seed, known), name)
    chooser.attend(game)
    said = Sentence(game.engine)
    while not said.complete and said.engine.options:
        seat = Seat(said.engine, player, known)
        said.push(chooser.choose(seat, seat.decision))
    return said.text


def best_moves(search: AnySearch, world: World, player: int, lines: int) -> Iterator[Candidate]:
    """Yield the most visited moves, each with the expected continuation."""
    total = max(1, int(search.root.visits))
    for node in ranked(search, world)[:lines]:
        if node.visits == 0:
            continue
        text, engine, last = sentence(world, node)
        visits = int(node.visits)
        yield Candidate(text, node.total / visits, visits / total, tuple(continuation(engine, last)))


def sentence(world: World, node: AnyNode) -> tuple[str, World, AnyNode]:
    """Complete the move that begins with this option along the most visited nodes; return text, world and last node."""
    said = Sentence(world)
    said.push(int(node.option))
    engine = said.engine
    while engine.options and not said.complete:
        if len(engine.options) == 1:
            option = engine.options[0]
        else:
            found = most_visited(engine, node)
            if found is None:
                option = engine.options[0]
            else:
                node = found
                option = int(found.option)
        said.push(option)
    return said.text, engine, node


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
        text, engine, node = sentence(engine, found)
        if text != "pass":
            most -= 1
            yield f"{SEAT_NAMES[player]}: {text}"


# -- finished games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CoursePoint:
    """A point in a game: before the ``index``-th option of its history."""

    index: int
    turn: int
    player: int
    chance: WinChance
    text: str  # the move made here
    choice: float = 0.0  # loss of win chance against the best move, never above zero


@dataclass(frozen=True)
class Turning:
    """A move that changed the win chance. Its gain is the cost of the choice plus luck: draws, flips, hidden cards,
    and the opponent's reply.
    """

    point: CoursePoint
    after: float  # player 0's chance after the move
    swing: float  # gain of the mover
    better: str = ""  # the move the search prefers, if different

    @property
    def choice(self) -> float:
        return self.point.choice

    @property
    def luck(self) -> float:
        return self.swing - self.point.choice

    def data(self) -> dict[str, Any]:
        return {
            "index": self.point.index,
            "turn": self.point.turn,
            "player": SEAT_NAMES[self.point.player],
            "move": self.point.text,
            "before": round(self.point.chance.first_wins, 4),
            "after": round(self.after, 4),
            "swing": round(self.swing, 4),
            "choice": round(self.choice, 4),
            "luck": round(round(self.swing, 4) - round(self.choice, 4), 4),
            "better": self.better or None,
        }


def replay(game: Game) -> Iterator[tuple[int, Game, list[int]]]:
    """Yield every move of the game that had a choice: its index, the game before it, its options."""
    now = game.copy()
    now.go_to(0)
    now.engine.source.injected = game.walker().source.injected  # a record has no seed
    for step in game.steps():
        before = now.copy()
        free = False
        options = [option for option in game.history[step.start : step.stop] if option >= 0]
        for option in options:
            free = free or len(now.options) > 1
            now.push(option)
        if free:
            yield int(step.start), before, options


def course(game: Game, playouts: int, seed: int = 1, first: int = 0, count: int | None = None) -> Iterator[CoursePoint]:
    """Yield the win chance before each move, hands open; ``first`` and ``count`` select a range of moves."""
    for index, before, options in islice(replay(game), first, None if count is None else first + count):
        text = before.move_of(options).text
        chance = open_chance(before, playouts, seed)
        choice = cost_of(before, options, playouts, seed)
        yield CoursePoint(index, before.turn_number, before.player, chance, text, choice)


def open_chance(game: Game, playouts: int, seed: int) -> WinChance:
    search, world = start_search(game, seed, False)
    search.grow(world, playouts)
    return win_chance(search, world)


def cost_of(game: Game, options: list[int], playouts: int, seed: int) -> float:
    """Return the loss of win chance against the best move known to the player (hidden cards count as luck), at most
    zero. If the search hardly explored these options, it is made to: a quarter as many additional play-outs
    prefer them.
    """
    search, world = start_search(game, seed, True)
    search.grow(world, playouts)
    best = win_chance(search, world).of(game.player).first_wins
    said = follow(search, world, options)
    if said and ranked(search, world)[0].key == said[0].key and len(said) == len(follow(search, world, options, True)):
        return 0.0
    for number in range(len(said) or 1):
        path = follow(search, world, options)
        if len(path) <= number:
            break
        for node in path:
            node.prior += INSISTING
        search.grow(world, max(8, playouts // 4))
        for node in path:
            node.prior -= INSISTING
    path = [node for node in follow(search, world, options) if node.visits >= 4]
    return min(0.0, path[-1].total / int(path[-1].visits) - best) if path else 0.0


def follow(search: AnySearch, world: World, options: list[int], best: bool = False) -> list[AnyNode]:
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


def accuracy(points: list[CoursePoint], player: int) -> float:
    """Return the mean share of the best win chance that a player's moves retained."""
    mine = [point for point in points if point.player == player]
    kept = [1 + point.choice / max(0.01, point.chance.of(player).first_wins) for point in mine]
    return sum(max(0.0, each) for each in kept) / len(kept) if kept else 1.0


def last_chance(game: Game, playouts: int, seed: int = 1) -> float:
    """Return player 0's chance at the end; before a resignation or departure, as these do not rate the move before."""
    if game.history and game.history[-1] < 0:
        then = game.copy()
        then.go_to(len(game.history) - 1)
        return open_chance(then, playouts, seed).first_wins
    return result_of(game.outcome())


def swings(points: list[CoursePoint], last: float) -> list[Turning]:
    """Return the change caused by every move, the largest first."""
    found: list[Turning] = []
    for number, point in enumerate(points):
        after = points[number + 1].chance.first_wins if number + 1 < len(points) else last
        change = after - point.chance.first_wins
        found.append(Turning(point, after, change if point.player == 0 else -change))
    found.sort(key=lambda turning: -abs(turning.swing))
    return found


def turning_points(
    game: Game,
    most: int = 3,
    playouts: int = 300,
    seed: int = 1,
    told: Callable[[int, int], None] | None = None,
) -> tuple[list[CoursePoint], list[Turning]]:
    """Return the win chance along a finished game, hands open, and the moves that changed it most."""
    points: list[CoursePoint] = []
    for point in course(game, playouts, seed):
        points.append(point)
        if told is not None:
            told(point.index, len(game.history))
    found = swings(points, last_chance(game, playouts, seed))
    chosen = [with_better(game, turning, playouts, seed) for turning in found[:most]]
    chosen.sort(key=lambda turning: turning.point.index)
    return points, chosen


def with_better(game: Game, turning: Turning, playouts: int, seed: int) -> Turning:
    """Add the move the search would have preferred there, given what the player knew, if it differs."""
    then = game.copy()
    then.go_to(turning.point.index)
    found = analyse(then, 3 * playouts, 1, seed, as_seat=True)
    if found.moves and found.moves[0].text != turning.point.text:
        return Turning(turning.point, turning.after, turning.swing, found.moves[0].text)
    return turning
