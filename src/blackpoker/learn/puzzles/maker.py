"""Generation and proof of puzzles: simplified positions of self-played games with exactly one good first move.

*Win*: it is p1's turn, and p1 can force a win before it ends. *Survive*: p2 attacks with everything and p1 decides; a
good choice leaves p2 without a forced win this turn. Life is set to the limit at which this is just possible. Moves are
compared by their essence, that is without their payment. The answer is proven to be unique:

- in a choice inside an effect (a block) no other choice is good;
- at a chance no other keys and target of that action are good, and without that action this turn nothing is good
  (moves that change nothing may come first);
- all this for ten lives of both sides, so that the contents of life need not be known: five orders of the original
  cards, then five sets of other cards.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from blackpoker.ai.heuristic_player import play_turns
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.random_player import play_setup
from blackpoker.ai.solver import NO, UNKNOWN, YES, Solver
from blackpoker.definitions.model import PACK_GROUP, RARE_GROUP, TRUMP_GROUP
from blackpoker.engine.cards import JOKERS, NAMES, members, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import Side, Unit
from blackpoker.errors import BlackPokerError
from blackpoker.formats.position import game_from_tables
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.ruleset import Edition, Regulation, edition_named

WIN: Final = "win"
SURVIVE: Final = "survive"
BUDGET: Final = 20_000  # positions per proof
EDGE_BUDGET: Final = 6_000
MOST_MOVES: Final = 110  # limit of first moves in a puzzle
FEWEST_MOVES: Final = 4
MOST_LIFE: Final = 14
#: number of lives per proof: the first ORDERS reorder the cards, the others use other cards
ORDERS: Final = 5
LIVES: Final = 10
MOST_PLIES: Final = 40  # limit for the printed line
#: what a regulation has and a format has not
FRAME_SIGN: Final = "+"
#: probability of a rare card
RARE_SHARE: Final = 0.7
#: moves that are never the subject of a puzzle
PLAIN: Final = ("pass", "end", "attack")


@dataclass(frozen=True)
class ProvenPuzzle:
    """A proven puzzle."""

    theme: str
    position: dict[str, Any]
    play: str
    best: str  # essence of the answer
    moves: int  # number of first moves
    line: tuple[str, ...]  # "p1: …", the answer and a continuation


def make_puzzles(source: str, seed: int) -> Iterator[ProvenPuzzle]:
    """Yield the puzzles of one self-played game. ``source``: a format of edition 6, or a regulation such as
    "9:pro+rare_pack"."""
    rng = random.Random(seed)
    for table in candidates(source, seed):
        for theme in (WIN, SURVIVE):
            small = simplify(rng, table, theme)
            plays = [""] if theme == WIN else lines_of_attack(small)
            for play in plays:
                at_edge = limiting_position(small, play, theme)
                found = None if at_edge is None else prove(at_edge, play, theme)
                if at_edge is None or found is None:
                    continue
                line = solution_line(at_edge, play, theme, found[0])
                if line:
                    yield ProvenPuzzle(theme, at_edge, play, *found, line)
                    break


# -- positions ---------------------------------------------------------------------------------------------------------


def candidates(source: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield positions at the start of a turn, after the draw; the player to move is p1."""
    regulation = source if FRAME_SIGN in source else f"{source}+{'regular' if source == 'extra' else 'full'}"
    game = Game(regulation, seed=seed)
    engine = game._engine.copy()
    if engine.rules.setup:  # rare card, scenario hand and trumps at random; `simplify` deals its own
        play_setup(engine, seeded(seed))
    while engine.winner == UNDECIDED and engine.kind != CHANCE_KIND:  # no trumps at set-up, `simplify` adds them later
        engine.push(engine.options[-1])
    policy, chance, scratch = HeuristicScorer(engine.rules), seeded(seed), list[int]()
    while engine.winner == UNDECIDED and engine.turn_number < 60:
        play_turns(engine, policy, 40, engine.turn_number + 1, chance, scratch)
        probe = engine.copy()
        while probe.winner == UNDECIDED and (probe.stage or probe.kind != CHANCE_KIND):
            probe.push(probe.options[0])
        if probe.winner == UNDECIDED and probe.chance == probe.turn:
            yield position_of(probe, source)


def position_of(engine: Engine, source: str) -> dict[str, Any]:
    me = engine.turn
    named = "regulation" if FRAME_SIGN in source else "format"
    head: dict[str, Any] = {named: source, "turn": "p1", "chance": "p1", "turn_number": int(engine.turn_number)}
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


def simplify(rng: random.Random, table: dict[str, Any], theme: str) -> dict[str, Any]:
    """Return a position with fewer cards, small enough to be searched completely and read at a glance."""
    out = copy.deepcopy(table)
    if theme == SURVIVE:  # the player to move attacks, so the defender is p1
        out.update(turn="p2", chance="p2", p1=out["p2"], p2=out["p1"])
    solver_hand, other_hand = ((2, 3, 3, 4), (0, 0, 1, 1, 2)) if theme == WIN else ((1, 2, 2, 3, 4), (0, 0, 1, 2))
    for name, hand in (("p1", solver_hand), ("p2", other_hand)):
        side = out[name]
        side["hand"] = _sample(rng, side["hand"], rng.choice(hand))
        side["field"] = _sample(rng, side["field"], rng.choice((1, 2, 3)))
        side["bulwarks"] = _sample(rng, side["bulwarks"], rng.choice((0, 1, 2)))
        side["grave"] = _sample(rng, side["grave"], 3)
        side["life"] = " ".join(side["life"].split()[:MOST_LIFE])
        if "regulation" in out:
            add_zones(rng, out["regulation"], side)
        elif out["format"] == "extra":
            side["trumps"] = _trumps(rng, side, edition_named("6"))
    return out


def add_zones(rng: random.Random, regulation: str, side: dict[str, Any]) -> None:
    """Add what the frame brings: an opened pack, which takes no further part, mostly a rare card, and trumps."""
    parsed = Regulation.parse(regulation)
    if PACK_GROUP in parsed.frame.brings:
        side["pack_opened"] = True
    if RARE_GROUP in parsed.frame.brings and rng.random() < RARE_SHARE:
        used = _words(side)
        free = [name for card, name in enumerate(NAMES) if name not in used and not JOKERS >> card & 1]
        side["rare"] = rng.choice(free)
    if TRUMP_GROUP in parsed.frame.brings:
        side["trumps"] = _trumps(rng, side, parsed.edition)


def _sample(rng: random.Random, text: str, most: int) -> str:
    words = text.split()
    chosen = set(rng.sample(range(len(words)), min(most, len(words))))
    return " ".join(word for place, word in enumerate(words) if place in chosen)


def _words(side: dict[str, Any]) -> list[str]:
    """Return the names of the cards of a side, among other words."""
    return " ".join(str(cards) for cards in side.values()).replace("+", " ").replace("(", " ").split()


def _trumps(rng: random.Random, side: dict[str, Any], edition: Edition) -> str:
    """Return up to two trumps with an ability that the side has nowhere else, most of them face up."""
    used = _words(side)
    able = [NAMES[parse_card(trump.card)] for trump in edition.trumps]
    able = [card for card in able if card not in used]
    chosen = rng.sample(able, min(len(able), rng.choice((0, 1, 1, 2))))
    return " ".join(f"{'T' if rng.random() < 0.75 else 't'}:{card}" for card in chosen)


def start_game(table: dict[str, Any], play: str) -> Game | None:
    """Return the game at the question, or None if the lines cannot be played."""
    try:
        game = game_from_tables(table, "", 0)
        for line in play.splitlines():
            seat, _, words = line.partition(": ")
            if game._engine.asked != int(seat[1]) - 1:
                return None
            game.push_text(words)
    except BlackPokerError:
        return None
    return game if game._engine.winner == UNDECIDED else None


def lines_of_attack(table: dict[str, Any]) -> list[str]:
    """Return the lines up to each decision of p1 while p2 attacks with everything."""
    found: list[str] = []
    lines: list[str] = []
    game = start_game(table, "")
    while game is not None and len(lines) < 8:
        engine = game._engine
        if engine.asked == 0 and lines:
            found.append("\n".join(lines))
            if engine.kind != CHANCE_KIND:
                break
        if not lines:
            words = "attack"
        elif engine.kind == CHANCE_KIND:
            words = "pass"
        else:  # the move with the most attackers
            words = max((move.text for move in game.legal_moves), key=lambda text: len(text.split()))
        lines.append(f"p{engine.asked + 1}: {words}")
        game = start_game(table, "\n".join(lines))
    return found


def with_life(table: dict[str, Any], side: str, n: int) -> dict[str, Any]:
    out = copy.deepcopy(table)
    out[side]["life"] = " ".join(out[side]["life"].split()[:n])
    return out


def limiting_position(table: dict[str, Any], play: str, theme: str) -> dict[str, Any] | None:
    """Return the position with the limiting life: the highest that can be beaten, or the lowest that survives; else
    None.
    """
    side, attacker = ("p2", 0) if theme == WIN else ("p1", 1)

    def forced(n: int) -> int:
        game = start_game(with_life(table, side, n), play)
        if game is None:
            return UNKNOWN
        return Solver(attacker, game._engine.turn_number, EDGE_BUDGET).wins(game._engine.copy())

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
    """Return a move without its payment."""
    return " ".join(word for word in text.split() if not word.startswith("$"))


def prove(table: dict[str, Any], play: str, theme: str) -> tuple[str, int] | None:
    """Return the unique good first move and the number of first moves if they agree for every life, else None."""
    answer: tuple[str, int] | None = None
    for number in range(LIVES):
        game = start_game(other_life(table, number, True), play)
        found = None if game is None or game._engine.asked != 0 else only_move(game, 0 if theme == WIN else 1)
        if found is None or (answer is not None and found[0] != answer[0]):
            return None
        answer = found
    return answer


def other_life(position: dict[str, Any], number: int, unknown: bool = False) -> dict[str, Any]:
    """Return the position with other lives; number 0 is the position itself. A life given as a count is filled with
    random cards; one given card by card is shuffled or, with ``unknown`` and beyond the first orders, replaced
    with other cards.
    """
    if not number:
        return position
    out = copy.deepcopy(position)
    rng = random.Random(number)
    for name, side in zip(("p1", "p2"), game_from_tables(position, "", 0)._engine.sides, strict=True):
        if isinstance(out[name]["life"], int) or (unknown and number >= ORDERS):
            seen = _seen(side) | JOKERS
            life = rng.sample([card for place, card in enumerate(NAMES) if not seen >> place & 1], len(side.life))
        else:
            life = [NAMES[card] for card in reversed(side.life)]
            rng.shuffle(life)
        out[name]["life"] = " ".join(life)
    return out


def _seen(side: Side) -> int:
    """Return the cards of a side outside its life."""
    seen = side.hand | side.grave | side.rare | side.pack
    for unit in (*side.soldiers, *side.bulwarks):
        seen |= unit.cards
    for card in side.trumps:
        seen |= 1 << card
    return seen


def only_move(game: Game, attacker: int) -> tuple[str, int] | None:
    engine = game._engine
    seat = int(engine.asked)
    if engine.kind != CHANCE_KIND:
        return _single(good_moves(game, attacker))
    for option in engine.options:
        word = Assistant(game).token(option)
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
    """Return the good first moves (``only``: of one action) and the number of moves; None if the search cannot
    decide.
    """
    seat = game._engine.asked
    solver = Solver(attacker, game._engine.turn_number, BUDGET)
    good: dict[str, None] = {}
    all_moves: dict[str, None] = {}
    for number, move in enumerate(game.legal_moves, 1):
        if number > MOST_MOVES:
            return None
        text = essence(move.text)
        all_moves[text] = None
        if only and text.split()[0] != only:
            continue
        after = game.copy()
        after.push(move)
        value = solver.wins(after._engine.copy())
        if value == UNKNOWN:
            return None
        if (value == YES) == (seat == attacker):
            good[text] = None
    return list(good), len(all_moves)


# -- the printed line -----------------------------------------------------------------------------------------------


def solution_line(table: dict[str, Any], play: str, theme: str, best: str) -> tuple[str, ...]:
    """Return the answer and a continuation without superfluous steps; empty if no line works for every life."""
    line = main_line(table, play, theme, best)
    return shortened(table, play, line) if theme == WIN else line


def shortened(table: dict[str, Any], play: str, line: tuple[str, ...]) -> tuple[str, ...]:
    """Return the line without requests of p1 on an empty stage that the win does not need."""
    game = start_game(table, play)
    parts: list[list[str]] = []
    for step in line:
        if game is None:
            return line
        if not parts or (game._engine.kind == CHANCE_KIND and not game._engine.stage and game._engine.asked == 0):
            parts.append([])
        parts[-1].append(step)
        game.push_text(step.partition(": ")[2])
    for dropped in range(len(parts) - 1, 0, -1):
        fewer = [step for place, part in enumerate(parts) if place != dropped for step in part]
        if all(ends_well(other_life(table, number, True), play, fewer) for number in range(LIVES)):
            del parts[dropped]
    return tuple(step for part in parts for step in part)


def ends_well(table: dict[str, Any], play: str, line: list[str]) -> bool:
    """Return whether the line is playable, ends with p1's win, and stays winning after each of p1's moves."""
    game = start_game(table, play)
    if game is None:
        return False
    solver = Solver(0, game._engine.turn_number, BUDGET)
    try:
        for step in line:
            game.push_text(step.partition(": ")[2], int(step[1]) - 1)
            if step.startswith("p1") and solver.wins(game._engine.copy()) != YES:
                return False
    except BlackPokerError:
        return False
    return game._engine.winner == 0


def main_line(table: dict[str, Any], play: str, theme: str, best: str) -> tuple[str, ...]:
    """Return the answer and a continuation: p2 responds to the stage, p1 chooses moves that are good for every life.
    A win ends with the game, a survival line with the attack.
    """
    games = [game for game in (start_game(other_life(table, n, True), play) for n in range(LIVES)) if game is not None]
    turn = games[0]._engine.turn_number
    solvers = [Solver(0 if theme == WIN else 1, turn, BUDGET) for _ in games]
    line: list[str] = []
    while len(line) < MOST_PLIES:
        engine = games[0]._engine
        if not same_decision(games):
            return ()
        if engine.winner != UNDECIDED or (theme == SURVIVE and line and is_over(engine, turn)):
            return tuple(line)
        moves = (
            ordered_moves(engine, common_moves(games), theme)
            if line
            else [one for one in common_moves(games) if essence(one) == best]
        )
        choice = next((text for text in moves if engine.asked or stays_good(games, solvers, text, theme)), "")
        if not choice:
            return ()
        line.append(f"p{engine.asked + 1}: {choice}")
        for game in games:
            game.push_text(choice)
    return ()


def same_decision(games: list[Game]) -> bool:
    """Return whether all games are at the same kind of decision, or all are over."""
    return len({(game._engine.asked, game._engine.kind, game._engine.winner) for game in games}) == 1


def common_moves(games: list[Game]) -> list[str]:
    """Return the moves available in all games."""
    others = [{move.text for move in game.legal_moves} for game in games[1:]]
    return [move.text for move in games[0].legal_moves if all(move.text in known for known in others)]


def is_over(engine: Engine, turn: int) -> bool:
    """Return whether the attack is over: p2 is at an empty stage again, or the turn has ended."""
    resting = engine.kind == CHANCE_KIND and not engine.stage and engine.draft is None
    return engine.turn_number != turn or (resting and engine.asked != 0)


def ordered_moves(engine: Engine, moves: list[str], theme: str) -> list[str]:
    """Return the moves in the order they are tried. p1 prefers to resolve the stage, then to attack; p2 responds if
    it can while the stage is not empty.
    """
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
        if solver.wins(after._engine.copy()) != (YES if theme == WIN else NO):
            return False
    return True
