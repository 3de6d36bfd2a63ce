"""One trial game, random or heuristic, with checks of all invariants, loop detection and usage counts of actions."""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass, field
from typing import Final

from blackpoker.ai.heuristic_player import heuristic_choice
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.random_player import choose, random_trumps
from blackpoker.engine import events as ev
from blackpoker.engine.cards import card_set
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Edition, Regulation, new_game
from blackpoker.seeds import CHOICE_STREAM, TRUMP_STREAM
from blackpoker.smoke import invariants

PLAYERS: Final = ("random", "heuristic")
#: far above any real game: R-220 and R-221 keep games finite
MOST_DECISIONS: Final = 100_000
#: allowed repetitions of an unchanged position in a turn
MOST_STILL: Final = 20
#: events of the request itself, as opposed to the effect
_FRAME: Final = frozenset(
    (ev.DECLARED, ev.PASSED, ev.RESOLVING, ev.FIZZLED, ev.STAGED, ev.DROPPED, ev.KEYS_SPENT, ev.WON)
)


@dataclass(frozen=True)
class Trial:
    """A game to be played."""

    regulation: str
    player: str
    seed: int


@dataclass(frozen=True)
class Sighting:
    """A problem seen in a game: the choices up to it; those from ``since`` on demonstrate it."""

    kind: str  # "broken" "crash" "loop" "still" "endless" "hang"
    what: str
    trial: Trial
    history: tuple[int, ...]
    since: int = 0

    @property
    def length(self) -> int:
        return len(self.history) - self.since


@dataclass
class ActionUsage:
    """Usage of one action: chances at which it was offered, times requested or raised, times it took effect, and
    times this changed something.
    """

    offered: int = 0
    requested: int = 0
    resolved: int = 0
    worked: int = 0

    def add(self, other: ActionUsage) -> None:
        self.offered += other.offered
        self.requested += other.requested
        self.resolved += other.resolved
        self.worked += other.worked


@dataclass
class TrialResult:
    """A finished trial. ``vain``: per action that took effect without changing anything, the choices up to the first
    case.
    """

    trial: Trial
    turns: int = 0
    decisions: int = 0
    decided: bool = False  # a player won; False: turn limit
    uses: dict[str, ActionUsage] = field(default_factory=dict)
    vain: dict[str, tuple[int, ...]] = field(default_factory=dict)
    history: tuple[int, ...] = ()
    sightings: list[Sighting] = field(default_factory=list)


class _StopTrial(Exception):
    def __init__(self, kind: str, what: str, since: int = 0) -> None:
        super().__init__(what)
        self.kind = kind
        self.since = since


Position = tuple[object, ...]


def position_of(engine: Engine) -> Position:
    """Return everything the rest of the game depends on, except counters."""
    sides = tuple(
        (
            side.hand,
            side.grave,
            tuple(side.life),
            side.aside,
            side.pack,
            tuple(side.trumps),
            side.open_trumps,
            side.fresh,
            side.bonus,
            side.used,
            side.used_game,
            *((unit.cards, unit.kind, unit.driven, unit.bonus, unit.role) for unit in side.soldiers),
            *((unit.cards, unit.driven, unit.role) for unit in side.bulwarks),
        )
        for side in engine.sides
    )
    stage = tuple((request.action, request.controller, request.keys, request.target) for request in engine.stage)
    return (sides, stage, engine.turn, engine.chance, engine.passed)


class TrialGame:
    """A trial in progress. ``choices``: shared array of the choices made so far, so that the watchdog knows them even
    if a choice hangs; its first entry is their number.
    """

    def __init__(self, trial: Trial, edition: Edition, choices: MutableSequence[int]) -> None:
        self.trial = trial
        regulation = Regulation.parse(trial.regulation, edition)
        self.engine: Engine = new_game(regulation, seeded(trial.seed))
        self.decks: list[int] = [card_set(side.life) | side.pack for side in self.engine.sides]
        self.knowledge = prior_knowledge(regulation)
        self.policy: HeuristicScorer | None = (
            HeuristicScorer(regulation.rules()) if trial.player == "heuristic" else None
        )
        self.chance: Shuffler = seeded(trial.seed + CHOICE_STREAM)
        self.history: list[int] = []
        self.choices = choices
        self.uses: list[ActionUsage] = [ActionUsage() for _ in self.engine.rules.plans]
        self.vain: dict[int, int] = {}
        self.turn: int = 0
        self.positions: dict[Position, tuple[int, int]] = {}  # this turn: position to number of choices and actions
        self.seen: dict[tuple[str, str], Sighting] = {}
        self.acted: list[int] = []  # this turn: the actions requested or raised
        self.unchanged: int = 0
        self.resolving: int = -1  # the action taking effect …
        self.had_effect: bool = False  # … and whether it has changed anything

    def play(self) -> TrialResult:
        result = TrialResult(self.trial)
        try:
            self.run()
        except _StopTrial as seen:
            self.record(seen.kind, str(seen), seen.since)
        except invariants.Broken as broken:
            self.record("broken", str(broken))
        except Exception as error:  # a definition can make the engine raise anything
            self.record("crash", f"{type(error).__name__}: {error}".rstrip(": "))
        engine = self.engine
        result.turns, result.decisions = int(engine.turn_number), len(self.history)
        result.decided = engine.winner in (0, 1)
        plans = engine.rules.plans
        result.uses = {plan.id: use for plan, use in zip(plans, self.uses, strict=True) if use != ActionUsage()}
        result.vain = {plans[action].id: tuple(self.history[:at]) for action, at in self.vain.items()}
        result.history = tuple(self.history)
        result.sightings = list(self.seen.values())
        return result

    def record(self, kind: str, what: str, since: int = 0) -> None:
        """Record a sighting, at most once per kind and subject."""
        self.seen.setdefault((kind, what), Sighting(kind, what, self.trial, tuple(self.history), since))

    def run(self) -> None:
        engine = self.engine
        engine.log = []
        engine.advance()
        for option in random_trumps(engine, seeded(self.trial.seed + TRUMP_STREAM)):
            self.push(option)
        while engine.winner == UNDECIDED:
            if len(self.history) >= MOST_DECISIONS:
                raise _StopTrial("endless", f"the game has not ended after {MOST_DECISIONS} choices")
            invariants.check(engine, self.decks, engine.log or [])
            if engine.kind == CHANCE_KIND:
                self.detect_loops()
            self.push(self.choice())
        invariants.check_over(engine, self.decks)

    def choice(self) -> int:
        engine = self.engine
        if len(engine.options) == 1:
            return engine.options[0]
        if self.policy is None:
            return choose(engine, self.chance)
        return heuristic_choice(engine, engine.asked, self.knowledge, self.policy, 1, 0, self.chance)

    def push(self, option: int) -> None:
        self.history.append(option)
        if len(self.history) < len(self.choices):
            self.choices[len(self.history)] = option
            self.choices[0] = len(self.history)
        self.engine.log = []
        self.engine.push(option)
        self.count(self.engine.log or [])

    # -- loops

    def detect_loops(self) -> None:
        """Detect a position repeated within the turn after an action, and turns without any change."""
        engine = self.engine
        for option in engine.options:
            if option != PASS:
                self.uses[option - 1].offered += 1
        if engine.turn_number != self.turn:
            self.turn, self.unchanged = int(engine.turn_number), 0
            self.positions.clear()
            self.acted.clear()
        position = position_of(engine)
        before = self.positions.get(position)
        if before is None:
            self.positions[position] = (len(self.history), len(self.acted))
            return
        since, acted = before
        if len(self.acted) > acted:
            plans = engine.rules.plans  # R-221 ends the loop, so the game continues
            self.record("loop", " ".join(sorted({plans[action].id for action in self.acted[acted:]})), since)
            return
        self.unchanged += 1
        if self.unchanged > MOST_STILL:
            raise _StopTrial("still", "", since)

    # -- uses

    def count(self, log: list[ev.RawEvent]) -> None:
        """Count the actions in the events since the last choice. An effect with a choice continues after it."""
        for kind, _, _, _, action, _ in log:
            if kind in (ev.DECLARED, ev.RAISED):
                self.acted.append(action)
                self.uses[action].requested += 1
            if kind == ev.RESOLVING:
                self.finish_effect()
                self.resolving, self.had_effect = action, False
            elif kind not in _FRAME:
                self.had_effect = True
        if self.engine.active is None:
            self.finish_effect()

    def finish_effect(self) -> None:
        """Finish the count of the current effect."""
        if self.resolving < 0:
            return
        use = self.uses[self.resolving]
        use.resolved += 1
        use.worked += self.had_effect
        if not self.had_effect:
            self.vain.setdefault(self.resolving, len(self.history))
        self.resolving = -1
