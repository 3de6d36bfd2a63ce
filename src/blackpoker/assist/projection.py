"""Projection of a move: its certain costs and effects if there is no response. The engine plays it out on a copy; the
result counts only as far as it does not depend on cards hidden from the seat."""

from __future__ import annotations

from typing import Final, NamedTuple

from blackpoker.assist.traits import Requirements, requirements_of
from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, CARDS, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.engine.state import SIDE_CODE, TARGET_KIND, TRUMPS_KIND
from blackpoker.engine.step import ALL_PLAYERS, ITS_PLAYER, NO_PLAYER
from blackpoker.engine.visibility import knows
from blackpoker.notation.options import A_TRUMP, A_UNIT, option_type

#: passes until a request and everything it raised have taken effect
MAX_PASSES: Final = 24
#: events of the request's own progress, which are no effect
NO_EFFECT: Final = frozenset(
    {ev.DECLARED, ev.PASSED, ev.RESOLVING, ev.FIZZLED, ev.STAGED, ev.KEYS_SPENT, ev.KEYS_RETURNED, ev.BONUS}
)

#: events that move unknown cards from a life to a grave
BURIES_UNKNOWN: Final = frozenset({ev.DAMAGED, ev.MILLED})


class Projection(NamedTuple):
    """``paid`` is the cost of the move, ``done`` its effect, both including raised actions and both certain. ``after``
    is the resulting state, None if it depends on hidden cards; ``vain``: the effect changes nothing; ``lose``: the
    player has no life left then."""

    cost: list[RawEvent]
    effect: list[RawEvent]
    after: Engine | None
    futile: bool
    loses: bool


NO_PROJECTION: Final = Projection([], [], None, False, False)


def project(engine: Engine, options: list[int]) -> Projection:
    """Return the projection of a whole move of the asked seat, played out until its requests have left the stage or a
    choice is necessary."""
    if not options or engine.kind == TRUMPS_KIND or (engine.kind == CHANCE_KIND and options[0] == PASS):
        return NO_PROJECTION
    projector = Projector(engine, options)
    return Projection(projector.cost, projector.effect, None if projector.uncertain else projector.trial, projector.futile, loses_game(engine, options, projector))


class Projector:
    """A copy of the engine on which a move is played out. ``cut``: an event came that the seat cannot foresee."""

    def __init__(self, engine: Engine, options: list[int], max_passes: int = MAX_PASSES) -> None:
        self.seat = int(engine.asked)
        self.trial = trial = with_endless_life(engine)
        self.events: list[RawEvent] = []
        self.request_id = -1  # id of the request that the move makes
        self.uncertain = False
        self.certain_count = 0  # number of certain events
        self.target_hidden = aims_at_hidden_card(engine, options)
        before = {int(request.id) for request in engine.stage}
        trial.log = self.events
        for option in options:
            trial.push(option)
        if engine.kind == CHANCE_KIND:
            self.request_id = next((event[5] for event in self.events if event[0] == ev.DECLARED), -1)
        self.check_active_effect(engine)
        self.confirm_events()
        self.pass_until_resolved(before, max_passes)
        trial.log = None
        certain = self.events[: self.certain_count]
        starts = [n for n, event in enumerate(certain) if event[0] == ev.RESOLVING and event[5] == self.request_id]
        effect_start = starts[0] if starts else len(certain)
        self.cost = certain[:effect_start] if self.request_id >= 0 else []
        self.effect = certain[effect_start:] if self.request_id >= 0 else certain
        self.futile = bool(starts) and not self.uncertain and not self.awaits_choice() and not self.has_effect(engine)

    def pass_until_resolved(self, before: set[int], max_passes: int) -> None:
        """Pass for both players while a request of the move is on the stage."""
        trial = self.trial
        for _ in range(max_passes):
            unresolved = any(int(request.id) not in before for request in trial.stage)
            if self.uncertain or not unresolved or trial.kind != CHANCE_KIND or PASS not in trial.options:
                break
            trial.push(PASS)
            self.confirm_events()

    def confirm_events(self) -> None:
        """Count the new events as certain, up to the first effect that depends on hidden cards."""
        while self.certain_count < len(self.events) and not self.uncertain:
            event = self.events[self.certain_count]
            if event[0] == ev.RESOLVING and not self.is_predictable(event):
                self.uncertain = True
                return
            self.certain_count += 1

    def check_active_effect(self, engine: Engine) -> None:
        """For an answer inside an effect: stop if the rest of the effect depends on hidden cards."""
        active = engine.active
        if active is None:
            return
        requirements = self.requirements(int(active.action), int(active.id), int(engine.pc))
        reads_face = requirements.reads_face or (requirements.shows_faces and active.controller != self.seat)
        self.uncertain = reads_face or requirements.predictable_by == NO_PLAYER

    def is_predictable(self, event: RawEvent) -> bool:
        """Return whether the effect of this action depends on no hidden card."""
        requirements = self.requirements(event[4], event[5], 0)
        if requirements.reads_face and (self.target_hidden or event[5] != self.request_id):
            return False
        if requirements.reads_grave and any(other[0] in BURIES_UNKNOWN for other in self.events[: self.certain_count]):
            return False
        return requirements.predictable_by >= (ITS_PLAYER if event[1] == self.seat else ALL_PLAYERS)

    def requirements(self, action: int, request_id: int, start: int) -> Requirements:
        """Return what the program of an action requires from index ``begin`` up to a pending question."""
        trial = self.trial
        active = trial.active
        steps = [instruction.step for instruction in trial.rules.plans[action].program]
        end = trial.pc + 1 if active is not None and active.id == request_id else len(steps)
        return requirements_of(steps[start:end])

    def awaits_choice(self) -> bool:
        active = self.trial.active
        return active is not None and active.id == self.request_id

    def has_effect(self, engine: Engine) -> bool:
        """Return whether anything has changed except for the costs."""
        if any(event[0] not in NO_EFFECT for event in self.effect):
            return True
        return any(event[0] == ev.BONUS for event in self.effect) and soldier_numbers(engine) != soldier_numbers(self.trial)


def soldier_numbers(s: Engine) -> list[tuple[int, int]]:
    """Return the number of every soldier."""
    return [(int(unit.id), int(s.number(side, unit))) for side in s.sides for unit in side.soldiers]


def aims_at_hidden_card(engine: Engine, options: list[int]) -> bool:
    """Return whether the move has a target with a face that its player does not know."""
    s = engine.copy()
    seat = int(s.asked)
    for option in options:
        if s.kind == TARGET_KIND and option_type(s) in (A_UNIT, A_TRUMP):
            owner = option // SIDE_CODE
            side = s.sides[owner]
            if option_type(s) == A_TRUMP:
                bit = BIT[side.trumps[option % SIDE_CODE]]
                return side.open_trumps & bit == 0 and not knows(side, owner, seat, bit)
            unit = s.unit_by_code(option)
            bulwark = unit is not None and s.rules.kinds[unit.kind].bulwark
            return bulwark and unit is not None and not knows(side, owner, seat, unit.cards)
        s.push(option)
    return False


def loses_game(engine: Engine, options: list[int], projector: Projector) -> bool:
    """Return whether the move takes the last card of its player's life; players can count their own life (R-210)."""
    seat = projector.seat
    certain = projector.events[: projector.certain_count]
    spent = sum(life_lost(event) for event in certain if event[1] == seat)
    life = len(engine.sides[seat].life)
    if spent < life:
        return False
    trial = engine.copy()
    for option in options:
        trial.push(option)
    for _ in range(MAX_PASSES):
        if trial.winner != UNDECIDED or trial.kind != CHANCE_KIND or PASS not in trial.options or not trial.stage:
            break
        trial.push(PASS)
    return trial.winner in (1 - seat, DRAW) or not trial.sides[seat].life


def life_lost(event: RawEvent) -> int:
    """Return the number of cards an event takes from its player's life."""
    if event[0] == ev.DAMAGED:
        return int(event[4])
    return count(event[2]) if event[0] == ev.DREW else 0


def with_endless_life(engine: Engine) -> Engine:
    """Return a copy in which no player runs out of life: the result of a fight there does not depend on the number of
    cards left, which only their owner knows (R-210)."""
    trial = engine.copy()
    for side in trial.sides:
        side.life = [0] * CARDS + side.life
    return trial
