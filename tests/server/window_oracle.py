"""Games of computer players with every window decided by auto-pass, and an oracle that plays out what was skipped.

The oracle knows the true state. For a passed window it tries every legal move of the seat: the move is played, both
players pass until the top of the stage has resolved, and the events are compared with those after a pass. A move that
differs only in its own cost and effect has changed nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from blackpoker.assist.autopass import AssistSettings, decide, decision_window
from blackpoker.engine import events as ev
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS, UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import DONE
from blackpoker.game.game import Game
from blackpoker.notation.move import legal_moves
from blackpoker.players.engine_players import make_player
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation

#: events that count as an outcome: moved cards and units, damage, negation
FACTS = frozenset(
    (
        ev.FIZZLED,
        ev.NEGATED,
        ev.DAMAGED,
        ev.DREW,
        ev.DISCARDED,
        ev.TOOK,
        ev.ENTERED,
        ev.ATTACHED,
        ev.BURIED,
        ev.RETURNED,
        ev.TOPPED,
        ev.SUNK,
        ev.DROVE,
        ev.CHARGED,
        ev.TURNED,
        ev.BONUS,
        ev.REVEALED,
        ev.MILLED,
        ev.ATTACKED,
        ev.BLOCKED,
        ev.RETARGETED,
        ev.WON,
        ev.RAISED,
    )
)
#: rows of the table that pass regardless of the hand: the player holds (待った) to act there
BY_TABLE = frozenset(("own", "draw", "end", "idle"))


@dataclass
class Tally:
    games: int = 0
    turns: int = 0
    windows: Counter[str] = field(default_factory=Counter)
    prompted: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def per_turn(self) -> float:
        """Return the prompted windows per player and turn (two players take part in each)."""
        return sum(self.prompted.values()) / max(1, 2 * self.turns)


def play(regulation: str, seed: int, tally: Tally, level: str = "heuristic", check: bool = True) -> None:
    rules = Regulation.parse(regulation)
    game = Game(rules, seed=seed)
    briefing = prior_knowledge(rules)
    players = [make_player(level, rules, seat, seed * 2 + seat, briefing) for seat in (0, 1)]
    engine = game._engine
    tally.games += 1
    while game.outcome() is None:
        verdict = decide(engine, AssistSettings())
        if engine.kind == CHANCE_KIND and decision_window(engine) != "main":
            tally.windows[verdict.window] += 1
            if verdict.option is None:
                tally.prompted[verdict.window] += 1
            else:
                tally.skipped[verdict.window] += 1
                if check and len(engine.options) > 1 and verdict.window not in BY_TABLE:
                    better = find_better(engine)
                    if better:
                        tally.wrong.append(f"{regulation} seed {seed} {verdict.window} {verdict.reason}: {better}")
        if verdict.option is not None:
            game.push(verdict.option)
            continue
        seat = PlayerView(engine, int(game.player), briefing)
        game.push(players[game.player].choose(seat, seat.decision))
    tally.turns += int(game.turn_number)


def find_better(engine: Engine) -> str:
    """Return a move that changes the effect of the top of the stage; empty if there is none."""
    top = engine.stage[-1].id
    base = outcome(engine, [PASS], top)
    for move in legal_moves(engine.copy()):
        if move.options[0] == PASS:
            continue
        found = outcome(engine, list(move.options), top)
        if found != base and not (found and found[-1][0] == ev.WON and found[-1:] == base[-1:]):
            if found[-1:] != [(ev.WON, 1 - int(engine.asked))]:  # a losing move does not count
                return move.text
    return ""


def outcome(engine: Engine, options: list[int], top: int) -> list[tuple[object, ...]]:
    """Return the events while the top request resolves, after these options and passes of both."""
    s = engine.copy()
    s.source = seeded(1)
    log: list[tuple[int, int, int, int, int, int]] = []
    for place in range(60 + len(options)):
        if s.kind == NOTHING or (s.staged_request(top) is None and (s.active is None or s.active.id != top)):
            break
        option = options[place] if place < len(options) else default(s)
        resolving = s.active is not None and s.active.id == top
        s.log = log if resolving or (s.stage[-1].id == top and option == PASS and s.kind == CHANCE_KIND) else None
        s.push(option)
        s.log = None
    facts: list[tuple[object, ...]] = [
        (kind, player, cards, a) for kind, player, cards, _, a, _ in log if kind in FACTS and kind != ev.WON
    ]
    return facts if s.winner == UNDECIDED else [*facts, (ev.WON, int(s.winner))]


def default(s: Engine) -> int:
    """Return the default option: pass, or the first choice."""
    if s.kind == CHANCE_KIND:
        return PASS if PASS in s.options else s.options[-1]
    for option in s.options:
        if option != DONE:
            return option
    return s.options[0]
