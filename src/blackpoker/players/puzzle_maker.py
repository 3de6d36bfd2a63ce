"""Making and proving puzzles: positions of self-played games, pared down, with exactly one good first move.

*Win*: it is p1's turn, and p1 wins by force before it ends. *Survive*: p2 attacks with everything, and p1 is the one
to choose; good is what leaves p2 without a forced win this turn. The life is set to where it is just possible. A move
counts by its essence, that is without what it is paid with. The answer is proven to be the only one:

- in a choice inside an effect (a block) no other choice is good;
- at a chance no other keys and target of that action are good, and if that action is not used at all this turn
  nothing is (moves that change nothing may come first);
- all this for three orders of both lives, so that nobody needs to know what lies in them.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from blackpoker.errors import BlackPokerError
from blackpoker.files.position import game_from
from blackpoker.game import Game
from blackpoker.regulation import standard_edition
from blackpoker.rules.cards import NAMES, members, parse_card
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, UNDECIDED
from blackpoker.rules.shuffler import seeded
from blackpoker.rules.state import Side, Unit
from blackpoker.thinking.heuristic import play_turns
from blackpoker.thinking.policy import Policy
from blackpoker.thinking.solver import NO, UNKNOWN, YES, Solver

WIN: Final = "win"
SURVIVE: Final = "survive"
BUDGET: Final = 20_000  # positions one proof may look at
EDGE_BUDGET: Final = 6_000
MOST_MOVES: Final = 110  # first moves a puzzle may have
FEWEST_MOVES: Final = 4
MOST_LIFE: Final = 14
ORDERS: Final = 3
MOST_PLIES: Final = 14  # of the line that is told
#: what no puzzle is about: it is always there
PLAIN: Final = ("pass", "end", "attack")


@dataclass(frozen=True)
class Found:
    """A puzzle that was proven."""

    theme: str
    position: dict[str, Any]
    play: str
    best: str  # the answer's essence
    moves: int  # how many first moves there are
    line: tuple[str, ...]  # "p1: …", the answer and how it may go on


def make(format: str, seed: int) -> Iterator[Found]:
    """The puzzles of one self-played game."""
    rng = random.Random(seed)
    for table in candidates(format, seed):
        for theme in (WIN, SURVIVE):
            small = pared(rng, table, theme)
            plays = [""] if theme == WIN else lines_of_attack(small)
            for play in plays:
                at_edge = edge(small, play, theme)
                found = None if at_edge is None else prove(at_edge, play, theme)
                game = None if at_edge is None or found is None else started(at_edge, play)
                if at_edge is not None and found is not None and game is not None:
                    yield Found(theme, at_edge, play, *found, main_line(game, theme, found[0]))
                    break


# -- positions ---------------------------------------------------------------------------------------------------------


def candidates(format: str, seed: int) -> Iterator[dict[str, Any]]:
    """Positions at the start of a turn, after the draw; the player to move is p1."""
    game = Game(f"{format}+{'regular' if format == 'extra' else 'full'}", seed=seed)
    engine = game.engine.copy()
    while engine.winner == UNDECIDED and engine.kind != CHANCE_KIND:  # trumps at set-up: none, they are laid later
        engine.push(engine.options[-1])
    policy, chance, scratch = Policy(engine.rules), seeded(seed), list[int]()
    while engine.winner == UNDECIDED and engine.turn_number < 60:
        play_turns(engine, policy, 40, engine.turn_number + 1, chance, scratch)
        probe = engine.copy()
        while probe.winner == UNDECIDED and (probe.stage or probe.kind != CHANCE_KIND):
            probe.push(probe.options[0])
        if probe.winner == UNDECIDED and probe.chance == probe.turn:
            yield position_of(probe, format)


def position_of(engine: Engine, format: str) -> dict[str, Any]:
    me = engine.turn
    head: dict[str, Any] = {"format": format, "turn": "p1", "chance": "p1", "turn_number": int(engine.turn_number)}
    return {**head, "p1": _side(engine.sides[me]), "p2": _side(engine.sides[1 - me])}


def _side(side: Side) -> dict[str, Any]:
    return {
        "life": " ".join(NAMES[card] for card in reversed(side.life)),
        "hand": " ".join(NAMES[card] for card in members(side.hand)),
        "field": " ".join(_unit(side, unit) for unit in side.soldiers),
        "bulwarks": " ".join(_unit(side, unit) for unit in side.bulwarks),
        "grave": " ".join(NAMES[card] for card in members(side.grave)),
    }


def _unit(side: Side, unit: Unit) -> str:
    own = [NAMES[unit.lead], *(NAMES[card] for card in members(unit.cards) if card != unit.lead)]
    marks = ["d"] * unit.driven + ["new"] * (unit.cards & side.fresh == unit.cards)
    return "+".join(own) + (f"({','.join(marks)})" if marks else "")


def pared(rng: random.Random, table: dict[str, Any], theme: str) -> dict[str, Any]:
    """Fewer cards: small enough to be searched to the end, and to be read at a glance."""
    out = copy.deepcopy(table)
    if theme == SURVIVE:  # the player to move attacks, so the defender is p1
        out.update(turn="p2", chance="p2", p1=out["p2"], p2=out["p1"])
    solver_hand, other_hand = ((2, 3, 3, 4), (0, 0, 1, 1, 2)) if theme == WIN else ((1, 2, 2, 3, 4), (0, 0, 1, 2))
    for name, hand in (("p1", solver_hand), ("p2", other_hand)):
        side = out[name]
        side["hand"] = _some(rng, side["hand"], rng.choice(hand))
        side["field"] = _some(rng, side["field"], rng.choice((1, 2, 3)))
        side["bulwarks"] = _some(rng, side["bulwarks"], rng.choice((0, 1, 2)))
        side["grave"] = _some(rng, side["grave"], 3)
        side["life"] = " ".join(side["life"].split()[:MOST_LIFE])
        if out["format"] == "extra":
            side["trumps"] = _trumps(rng, side)
    return out


def _some(rng: random.Random, text: str, most: int) -> str:
    words = text.split()
    chosen = set(rng.sample(range(len(words)), min(most, len(words))))
    return " ".join(word for place, word in enumerate(words) if place in chosen)


def _trumps(rng: random.Random, side: dict[str, Any]) -> str:
    """Up to two trumps with an ability, cards the side does not have elsewhere, mostly face up."""
    used = " ".join(str(cards) for cards in side.values()).replace("+", " ").replace("(", " ").split()
    able = [NAMES[parse_card(trump.card)] for trump in standard_edition().trumps]
    able = [card for card in able if card not in used]
    chosen = rng.sample(able, min(len(able), rng.choice((0, 1, 1, 2))))
    return " ".join(f"{'T' if rng.random() < 0.75 else 't'}:{card}" for card in chosen)


def started(table: dict[str, Any], play: str) -> Game | None:
    """The game at the question, or None where the lines cannot be played."""
    try:
        game = game_from(table, "", 0)
        for line in play.splitlines():
            who, _, words = line.partition(": ")
            if game.engine.asked != int(who[1]) - 1:
                return None
            game.push_text(words)
    except BlackPokerError:
        return None
    return game if game.engine.winner == UNDECIDED else None


def lines_of_attack(table: dict[str, Any]) -> list[str]:
    """p2 attacks with everything: the lines up to each decision of p1."""
    found: list[str] = []
    said: list[str] = []
    game = started(table, "")
    while game is not None and len(said) < 8:
        engine = game.engine
        if engine.asked == 0 and said:
            found.append("\n".join(said))
            if engine.kind != CHANCE_KIND:
                break
        if not said:
            words = "attack"
        elif engine.kind == CHANCE_KIND:
            words = "pass"
        else:  # as many attackers as there are
            words = max((move.text for move in game.legal_moves), key=lambda text: len(text.split()))
        said.append(f"p{engine.asked + 1}: {words}")
        game = started(table, "\n".join(said))
    return found


def with_life(table: dict[str, Any], side: str, n: int) -> dict[str, Any]:
    out = copy.deepcopy(table)
    out[side]["life"] = " ".join(out[side]["life"].split()[:n])
    return out


def edge(table: dict[str, Any], play: str, theme: str) -> dict[str, Any] | None:
    """The life at which it is just possible: the most a win can take, the least a survivor can live with."""
    side, attacker = ("p2", 0) if theme == WIN else ("p1", 1)

    def forced(n: int) -> int:
        game = started(with_life(table, side, n), play)
        if game is None:
            return UNKNOWN
        return Solver(attacker, game.engine.turn_number, EDGE_BUDGET).wins(game.engine.copy())

    low, high = 1, len(table[side]["life"].split())
    if forced(low) != YES or forced(high) != NO:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        value = forced(middle)
        if value == UNKNOWN:
            return None
        low, high = (middle, high) if value == YES else (low, middle)
    return with_life(table, side, low if theme == WIN else high)


# -- proof -------------------------------------------------------------------------------------------------------------


def essence(text: str) -> str:
    """A move without what it is paid with."""
    return " ".join(word for word in text.split() if not word.startswith("$"))


def prove(table: dict[str, Any], play: str, theme: str) -> tuple[str, int] | None:
    """The only good first move and how many there are, the same for every order of the lives; else None."""
    answer: tuple[str, int] | None = None
    for order in range(ORDERS):
        trial = copy.deepcopy(table)
        if order:
            for side in ("p1", "p2"):
                life = trial[side]["life"].split()
                random.Random(order).shuffle(life)
                trial[side]["life"] = " ".join(life)
        game = started(trial, play)
        found = None if game is None or game.engine.asked != 0 else only_move(game, 0 if theme == WIN else 1)
        if found is None or (answer is not None and found[0] != answer[0]):
            return None
        answer = found
    return answer


def only_move(game: Game, attacker: int) -> tuple[str, int] | None:
    engine = game.engine
    seat = int(engine.asked)
    if engine.kind != CHANCE_KIND:
        return _single(good_moves(game, attacker))
    for option in engine.options:
        word = game.word(option)
        if word in PLAIN or word.endswith("@"):
            continue
        without = Solver(attacker, engine.turn_number, BUDGET, seat, option - 1).wins(engine.copy())
        if without == (NO if seat == attacker else YES):
            found = _single(good_moves(game, attacker, word))
            if found is not None:
                return found
    return None


def _single(found: tuple[list[str], int] | None) -> tuple[str, int] | None:
    if found is None or len(found[0]) != 1 or found[1] < FEWEST_MOVES:
        return None
    return found[0][0], found[1]


def good_moves(game: Game, attacker: int, only: str = "") -> tuple[list[str], int] | None:
    """The good first moves (``only``: of one action) and how many moves there are; None if it cannot be told."""
    seat = game.engine.asked
    solver = Solver(attacker, game.engine.turn_number, BUDGET)
    good: dict[str, None] = {}
    every: dict[str, None] = {}
    for number, move in enumerate(game.legal_moves, 1):
        if number > MOST_MOVES:
            return None
        text = essence(move.text)
        every[text] = None
        if only and text.split()[0] != only:
            continue
        after = game.copy()
        after.push(move)
        value = solver.wins(after.engine.copy())
        if value == UNKNOWN:
            return None
        if (value == YES) == (seat == attacker):
            good[text] = None
    return list(good), len(every)


def main_line(game: Game, theme: str, best: str) -> tuple[str, ...]:
    """The answer and how it may go on: p2 answers if it can, p1 stays on a good way."""
    turn = game.engine.turn_number
    attacker = 0 if theme == WIN else 1
    line: list[str] = []
    while game.engine.winner == UNDECIDED and game.engine.turn_number == turn and len(line) < MOST_PLIES:
        moves = list(game.legal_moves)
        if not line:
            move = next(move for move in moves if best in (move.text, essence(move.text)))
        elif game.engine.asked == 0:
            # let what waits resolve; then the attack; then anything else
            first = "pass" if game.engine.stage else "attack"
            moves.sort(key=lambda move: (move.text != first, move.text == "pass"))
            solver = Solver(attacker, turn, BUDGET)
            for move in moves:
                after = game.copy()
                after.push(move)
                if (solver.wins(after.engine.copy()) == YES) == (theme == WIN):
                    break
        else:
            move = next((move for move in moves if move.text not in PLAIN), moves[0])
        line.append(f"p{game.engine.asked + 1}: {move.text}")
        game.push(move)
    return tuple(line)
