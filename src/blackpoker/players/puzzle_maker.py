"""Making and proving puzzles: positions of self-played games, pared down, with exactly one good first move.

*Win*: it is p1's turn, and p1 wins by force before it ends. *Survive*: p2 attacks with everything, and p1 is the one
to choose; good is what leaves p2 without a forced win this turn. The life is set to where it is just possible. A move
counts by its essence, that is without what it is paid with. The answer is proven to be the only one:

- in a choice inside an effect (a block) no other choice is good;
- at a chance no other keys and target of that action are good, and if that action is not used at all this turn
  nothing is (moves that change nothing may come first);
- all this for ten lives of both sides, so that nobody needs to know what lies in them: five orders of the cards that
  were there, then five times other cards.
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
from blackpoker.rules.cards import JOKERS, NAMES, members, parse_card
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
#: lives a proof is made with: so many in another order, then as many more of other cards
ORDERS: Final = 5
LIVES: Final = 10
MOST_PLIES: Final = 40  # of the line that is told
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
                if at_edge is None or found is None:
                    continue
                line = told(at_edge, play, theme, found[0])
                if line:
                    yield Found(theme, at_edge, play, *found, line)
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
    """The only good first move and how many there are, the same for every life; else None."""
    answer: tuple[str, int] | None = None
    for number in range(LIVES):
        game = started(other_life(table, number, True), play)
        found = None if game is None or game.engine.asked != 0 else only_move(game, 0 if theme == WIN else 1)
        if found is None or (answer is not None and found[0] != answer[0]):
            return None
        answer = found
    return answer


def other_life(position: dict[str, Any], number: int, unknown: bool = False) -> dict[str, Any]:
    """The same position with other lives; number 0 is the position itself. Where a life is only counted any cards lie
    there, where it is said card by card they lie in another order, or (``unknown``) after some orders others do."""
    if not number:
        return position
    out = copy.deepcopy(position)
    dice = random.Random(number)
    for name, side in zip(("p1", "p2"), game_from(position, "", 0).engine.sides, strict=True):
        if isinstance(out[name]["life"], int) or (unknown and number >= ORDERS):
            seen = _seen(side) | JOKERS
            life = dice.sample([card for place, card in enumerate(NAMES) if not seen >> place & 1], len(side.life))
        else:
            life = [NAMES[card] for card in reversed(side.life)]
            dice.shuffle(life)
        out[name]["life"] = " ".join(life)
    return out


def _seen(side: Side) -> int:
    """The cards of a side that do not lie in its life."""
    seen = side.hand | side.grave
    for unit in (*side.soldiers, *side.bulwarks):
        seen |= unit.cards
    for card in side.trumps:
        seen |= 1 << card
    return seen


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


# -- the line that is told ---------------------------------------------------------------------------------------------


def told(table: dict[str, Any], play: str, theme: str, best: str) -> tuple[str, ...]:
    """The answer and how it may go on, without steps that add nothing; empty where no line suits every life."""
    line = main_line(table, play, theme, best)
    return shortened(table, play, line) if theme == WIN else line


def shortened(table: dict[str, Any], play: str, line: tuple[str, ...]) -> tuple[str, ...]:
    """The same win without what it does not need: a request of p1 on an empty stage and all that came of it."""
    game = started(table, play)
    parts: list[list[str]] = []
    for said in line:
        if game is None:
            return line
        if not parts or (game.engine.kind == CHANCE_KIND and not game.engine.stage and game.engine.asked == 0):
            parts.append([])
        parts[-1].append(said)
        game.push_text(said.partition(": ")[2])
    for gone in range(len(parts) - 1, 0, -1):
        fewer = [said for place, part in enumerate(parts) if place != gone for said in part]
        if all(ends_well(other_life(table, number, True), play, fewer) for number in range(LIVES)):
            del parts[gone]
    return tuple(said for part in parts for said in part)


def ends_well(table: dict[str, Any], play: str, line: list[str]) -> bool:
    """Whether the line can be played, ends with p1's win, and could not have been prevented on the way."""
    game = started(table, play)
    if game is None:
        return False
    solver = Solver(0, game.engine.turn_number, BUDGET)
    try:
        for said in line:
            game.push_text(said.partition(": ")[2], int(said[1]) - 1)
            if said.startswith("p1") and solver.wins(game.engine.copy()) != YES:
                return False
    except BlackPokerError:
        return False
    return game.engine.winner == 0


def main_line(table: dict[str, Any], play: str, theme: str, best: str) -> tuple[str, ...]:
    """The answer and how it may go on: p2 answers what lies on the stage, p1 stays on a way that is good whatever the
    lives are. A win ends with the game, a survivor's line with the attack."""
    games = [game for game in (started(other_life(table, n, True), play) for n in range(LIVES)) if game is not None]
    turn = games[0].engine.turn_number
    solvers = [Solver(0 if theme == WIN else 1, turn, BUDGET) for _ in games]
    line: list[str] = []
    while len(line) < MOST_PLIES:
        engine = games[0].engine
        if not alike(games):
            return ()
        if engine.winner != UNDECIDED or (theme == SURVIVE and line and is_over(engine, turn)):
            return tuple(line)
        moves = (
            in_turn(engine, common(games), theme) if line else [one for one in common(games) if essence(one) == best]
        )
        said = next((text for text in moves if engine.asked or stays_good(games, solvers, text, theme)), "")
        if not said:
            return ()
        line.append(f"p{engine.asked + 1}: {said}")
        for game in games:
            game.push_text(said)
    return ()


def alike(games: list[Game]) -> bool:
    """Whether the same is asked in all of them, or all are over."""
    return len({(game.engine.asked, game.engine.kind, game.engine.winner) for game in games}) == 1


def common(games: list[Game]) -> list[str]:
    """The moves there are in all of them."""
    others = [{move.text for move in game.legal_moves} for game in games[1:]]
    return [move.text for move in games[0].legal_moves if all(move.text in known for known in others)]


def is_over(engine: Engine, turn: int) -> bool:
    """Whether the attack is: p2 has the stage for itself again, or the turn has ended."""
    resting = engine.kind == CHANCE_KIND and not engine.stage and engine.draft is None
    return engine.turn_number != turn or (resting and engine.asked != 0)


def in_turn(engine: Engine, moves: list[str], theme: str) -> list[str]:
    """The moves in the order they are tried. p1 lets resolve what waits, then attacks, then does anything else; p2
    answers if it can while something waits."""
    if engine.asked == 0:
        wanted = "pass" if engine.stage else "attack"
        moves = [text for text in moves if text != "end" or theme != WIN]
        return sorted(moves, key=lambda text: (text != wanted, text == "pass"))
    if engine.kind == CHANCE_KIND and not engine.stage:
        return moves
    return [*(text for text in moves if text not in PLAIN), *moves]


def stays_good(games: list[Game], solvers: list[Solver], text: str, theme: str) -> bool:
    for game, solver in zip(games, solvers, strict=True):
        after = game.copy()
        after.push_text(text)
        if solver.wins(after.engine.copy()) != (YES if theme == WIN else NO):
            return False
    return True
