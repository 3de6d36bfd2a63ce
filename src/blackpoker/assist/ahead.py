"""Projection of a move: its certain costs and effects if there is no response. The engine plays it out on a copy; the
result counts only as far as it does not depend on cards hidden from the seat."""

from __future__ import annotations

from typing import Final, NamedTuple

from blackpoker.assist.facts import Needs, needs_of
from blackpoker.rules import events as ev
from blackpoker.rules.cards import BIT, CARDS, count
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.rules.state import SIDE_CODE, TARGET_KIND, TRUMPS_KIND
from blackpoker.rules.step import EVERYBODY, ITS_PLAYER, NOBODY
from blackpoker.rules.visibility import knows
from blackpoker.words.tokens import A_TRUMP, A_UNIT, noun_of

#: passes until a request and everything it raised have taken effect
MOST_PASSES: Final = 24
#: events of the request's own progress, which are no effect
NO_EFFECT: Final = frozenset(
    {ev.DECLARED, ev.PASSED, ev.RESOLVING, ev.FIZZLED, ev.STAGED, ev.KEYS_SPENT, ev.KEYS_RETURNED, ev.BONUS}
)

#: events that move unknown cards from a life to a grave
BURIES_UNSEEN: Final = frozenset({ev.DAMAGED, ev.MILLED})


class Ahead(NamedTuple):
    """``paid`` is the cost of the move, ``done`` its effect, both including raised actions and both certain. ``after``
    is the resulting state, None if it depends on hidden cards; ``vain``: the effect changes nothing; ``lose``: the
    player has no life left then."""

    paid: list[RawEvent]
    done: list[RawEvent]
    after: Engine | None
    vain: bool
    lose: bool


NOWHERE: Final = Ahead([], [], None, False, False)


def ahead(engine: Engine, options: list[int]) -> Ahead:
    """Return the projection of a whole move of the asked seat, played out until its requests have left the stage or a
    choice is necessary."""
    if not options or engine.kind == TRUMPS_KIND or (engine.kind == CHANCE_KIND and options[0] == PASS):
        return NOWHERE
    look = Lookout(engine, options)
    return Ahead(look.paid, look.done, None if look.cut else look.trial, look.vain, loses_by(engine, options, look))


class Lookout:
    """A copy of the engine on which a move is played out. ``cut``: an event came that the seat cannot foresee."""

    def __init__(self, engine: Engine, options: list[int], most: int = MOST_PASSES) -> None:
        self.seat = int(engine.asked)
        self.trial = trial = endless(engine)
        self.events: list[RawEvent] = []
        self.mine = -1  # id of the request that the move makes
        self.cut = False
        self.sure = 0  # number of certain events
        self.hidden = hidden_target(engine, options)
        before = {int(request.id) for request in engine.stage}
        trial.log = self.events
        for option in options:
            trial.push(option)
        if engine.kind == CHANCE_KIND:
            self.mine = next((event[5] for event in self.events if event[0] == ev.DECLARED), -1)
        self.check_answer(engine)
        self.check()
        self.go_on(before, most)
        trial.log = None
        sure = self.events[: self.sure]
        starts = [n for n, event in enumerate(sure) if event[0] == ev.RESOLVING and event[5] == self.mine]
        begin = starts[0] if starts else len(sure)
        self.paid = sure[:begin] if self.mine >= 0 else []
        self.done = sure[begin:] if self.mine >= 0 else sure
        self.vain = bool(starts) and not self.cut and not self.waits() and not self.changes(engine)

    def go_on(self, before: set[int], most: int) -> None:
        """Pass for both players while a request of the move is on the stage."""
        trial = self.trial
        for _ in range(most):
            fresh = any(int(request.id) not in before for request in trial.stage)
            if self.cut or not fresh or trial.kind != CHANCE_KIND or PASS not in trial.options:
                break
            trial.push(PASS)
            self.check()

    def check(self) -> None:
        """Count the new events as certain, up to the first effect that depends on hidden cards."""
        while self.sure < len(self.events) and not self.cut:
            event = self.events[self.sure]
            if event[0] == ev.RESOLVING and not self.foreseen(event):
                self.cut = True
                return
            self.sure += 1

    def check_answer(self, engine: Engine) -> None:
        """For an answer inside an effect: stop if the rest of the effect depends on hidden cards."""
        active = engine.active
        if active is None:
            return
        needs = self.needs(int(active.action), int(active.id), int(engine.place))
        face = needs.of_a_face or (needs.shows_faces and active.controller != self.seat)
        self.cut = face or needs.foreseen == NOBODY

    def foreseen(self, event: RawEvent) -> bool:
        """Return whether the effect of this action depends on no hidden card."""
        needs = self.needs(event[4], event[5], 0)
        if needs.of_a_face and (self.hidden or event[5] != self.mine):
            return False
        if needs.of_a_grave and any(one[0] in BURIES_UNSEEN for one in self.events[: self.sure]):
            return False
        return needs.foreseen >= (ITS_PLAYER if event[1] == self.seat else EVERYBODY)

    def needs(self, action: int, id: int, begin: int) -> Needs:
        """Return what the program of an action requires from index ``begin`` up to a pending question."""
        trial = self.trial
        active = trial.active
        steps = [place.step for place in trial.rules.plans[action].program]
        end = trial.place + 1 if active is not None and active.id == id else len(steps)
        return needs_of(steps[begin:end])

    def waits(self) -> bool:
        active = self.trial.active
        return active is not None and active.id == self.mine

    def changes(self, engine: Engine) -> bool:
        """Return whether anything has changed except for the costs."""
        if any(event[0] not in NO_EFFECT for event in self.done):
            return True
        return any(event[0] == ev.BONUS for event in self.done) and numbers(engine) != numbers(self.trial)


def numbers(s: Engine) -> list[tuple[int, int]]:
    """Return the number of every soldier."""
    return [(int(unit.id), int(s.number(side, unit))) for side in s.sides for unit in side.soldiers]


def hidden_target(engine: Engine, options: list[int]) -> bool:
    """Return whether the move has a target with a face that its player does not know."""
    s = engine.copy()
    seat = int(s.asked)
    for option in options:
        if s.kind == TARGET_KIND and noun_of(s) in (A_UNIT, A_TRUMP):
            owner = option // SIDE_CODE
            side = s.sides[owner]
            if noun_of(s) == A_TRUMP:
                bit = BIT[side.trumps[option % SIDE_CODE]]
                return side.open_trumps & bit == 0 and not knows(side, owner, seat, bit)
            unit = s.unit_by_code(option)
            bulwark = unit is not None and s.rules.kinds[unit.kind].bulwark
            return bulwark and unit is not None and not knows(side, owner, seat, unit.cards)
        s.push(option)
    return False


def loses_by(engine: Engine, options: list[int], look: Lookout) -> bool:
    """Return whether the move takes the last card of its player's life; players can count their own life (R-210)."""
    seat = look.seat
    sure = look.events[: look.sure]
    spent = sum(life_of(event) for event in sure if event[1] == seat)
    life = len(engine.sides[seat].life)
    if spent < life:
        return False
    trial = engine.copy()
    for option in options:
        trial.push(option)
    for _ in range(MOST_PASSES):
        if trial.winner != UNDECIDED or trial.kind != CHANCE_KIND or PASS not in trial.options or not trial.stage:
            break
        trial.push(PASS)
    return trial.winner in (1 - seat, DRAW) or not trial.sides[seat].life


def life_of(event: RawEvent) -> int:
    """Return the number of cards an event takes from its player's life."""
    if event[0] == ev.DAMAGED:
        return int(event[4])
    return count(event[2]) if event[0] == ev.DREW else 0


def endless(engine: Engine) -> Engine:
    """Return a copy in which no player runs out of life: the result of a fight there does not depend on the number of
    cards left, which only their owner knows (R-210)."""
    trial = engine.copy()
    for side in trial.sides:
        side.life = [0] * CARDS + side.life
    return trial
