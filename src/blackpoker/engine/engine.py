"""The engine: the state of a game with every hook of the flow implemented."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine import atoms, setup, zone_moves
from blackpoker.engine import events as ev
from blackpoker.engine import request_builder as req
from blackpoker.engine.cards import BIT, SPADES, SUIT_SET
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, SETUP, TRIGGER_KIND
from blackpoker.engine.request import REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import GRAVE_KIND, NOT_BEGUN, TRUMP_CODE, Side, State
from blackpoker.engine.tables import ON_END, SPADE_PROOF, CompiledAction, RuleTables

#: R-220
MAX_TURNS: Final = 500


class Engine(State):
    """A game. ``options`` are the options of the player ``asked``; ``push`` chooses one and advances."""

    __slots__ = ()

    def copy(self) -> Engine:
        new = Engine(self.rules, [self.sides[0].copy(), self.sides[1].copy()], self.source.copy())
        self.fill(new)
        return new

    def push(self, option: i64) -> None:
        """Choose one of ``options`` and advance to the next decision."""
        self.choose(option)
        if self.draft is None:
            self.advance()

    def choose(self, option: i64) -> None:
        """Apply the chosen option without advancing."""
        s: State = self  # keeps the field types declared in State
        kind = self.kind
        if kind == CHANCE_KIND:
            if option == PASS:
                if self.log is not None:
                    atoms.emit(self, ev.PASSED, self.chance, 0, ev.ALL_AUDIENCES)
                self.record_pass()
            else:
                req.start_request(self, option - 1)
        elif self.draft is not None:
            req.choose_token(self, option)
        elif kind == TRIGGER_KIND:
            self.take_trigger(option)
        elif self.point == SETUP:
            setup.choose(self, option)
        elif kind == GRAVE_KIND:
            zone_moves.put_on_top(self, self.asked, option)
        else:
            active = self.active
            assert active is not None
            s.answered |= BIT[self.pc]
            if self.rules.plans[active.action].program[self.pc].step.take(self, active, option):
                s.pc += 1

    # -- hooks of the flow -----------------------------------------------------------------------------------------

    def prepare(self) -> bool:
        return setup.prepare(self)

    def list_requests(self) -> None:
        req.list_requests(self)

    def begin(self, request: Request) -> None:
        """Start resolving the request (R-40, R-41)."""
        s: State = self
        plan = self.rules.plans[request.action]
        s.pc = 0
        s.answered = 0
        self.bound_first = 0
        self.bound_second = 0
        self.bound_third = 0
        self.bound_fourth = 0
        self.blocked = NOT_BEGUN
        self.blocker_count = 0
        self.last_blocker = 0
        s.shielded = 0
        s.target_owner = self.owner_of(request.target) if request.target_kind == UNIT else -1
        if self.log is not None:
            atoms.emit(
                self, ev.RESOLVING, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id
            )
        if request.target_kind != 0 and not self.target_holds(request, plan):
            s.pc = len(plan.program)
            atoms.emit(self, ev.FIZZLED, request.controller, 0, ev.ALL_AUDIENCES, request.action, request.id)
        elif (request.keys | request.virtual) & SUIT_SET[SPADES] != 0:
            other = self.sides[1 - request.controller]
            if other.abilities & SPADE_PROOF != 0 and (other.soldiers or other.bulwarks):
                s.shielded = 2 if request.controller == 0 else 1

    def target_holds(self, request: Request, plan: CompiledAction) -> bool:
        """Return whether the target exists and still meets the target line (R-41)."""
        if request.target_kind == UNIT:
            unit = self.unit(request.target)
            if unit is None:
                return False
            keys = request.keys | request.virtual
            return req.fits_unit(self, plan, request.controller, keys, self.target_owner, unit)
        if request.target_kind == REQUEST:
            aimed = self.staged_request(request.target)
            return aimed is not None and req.fits_request(self, plan, aimed)
        if request.target_kind == TRUMP:
            side = self.sides[request.target // TRUMP_CODE]
            if plan.aim_open and side.open_trumps & BIT[request.target % TRUMP_CODE] == 0:
                return False
            return int(request.target % TRUMP_CODE) in side.trumps
        return True

    def work(self) -> bool:
        s: State = self
        active = self.active
        assert active is not None
        program = self.rules.plans[active.action].program
        end: i64 = len(program)
        trace = self.trace
        while self.pc < end:
            if trace is not None:
                trace.append(int(active.action * 256 + self.pc))
            if not program[self.pc].step.run(self, active):
                return False
            s.pc += 1
        atoms.spend_keys(self, active)
        return not (self.rules.grave_piles and zone_moves.ask_top(self))

    def judge(self) -> None:
        """Set the winner if a life is empty (R-45) or the turn limit is exceeded (R-220)."""
        first = len(self.sides[0].life) == 0
        second = len(self.sides[1].life) == 0
        if first or second:
            if first and second:
                self.winner = (1 if self.turn == 0 else 0) if self.rules.turn_player_loses else DRAW  # N-091
            else:
                self.winner = 1 if first else 0
        elif self.turn_number > MAX_TURNS:
            self.winner = DRAW
        else:
            return
        atoms.emit(self, ev.WON, 0, 0, ev.ALL_AUDIENCES, self.winner)

    def staged(self, request: Request) -> None:
        """Report the staged request and fire End triggers, which need it on the stage (R-112)."""
        if self.log is not None:
            atoms.emit(self, ev.STAGED, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id)
        if self.rules.end_triggers and self.rules.plans[request.action].ends_turn:
            atoms.fire_triggers(self, request.controller, ON_END, 0)

    def triggered(self, request: Request) -> None:
        if self.log is not None:
            atoms.emit(self, ev.STAGED, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id)

    def dropped(self, request: Request) -> None:
        """Drop the request (R-25) and spend its keys (R-43). A fight with no request left ends (R-73)."""
        atoms.emit(self, ev.DROPPED, request.controller, request.keys, ev.ALL_AUDIENCES, request.action, request.id)
        atoms.spend_keys(self, request)
        if self.rules.plans[request.action].fights:
            for other in self.stage:
                if self.rules.plans[other.action].fights:
                    return
            zone_moves.end_roles(self)

    def skips_first_check(self, request: Request) -> bool:
        return self.rules.plans[request.action].late_triggers


def new_engine(rules: RuleTables, decks: list[list[int]], source: Shuffler, preset: i64) -> Engine:
    """Create a game before set-up: each deck is the player's life, bottom first."""
    engine = Engine(rules, [Side(decks[0][:], [], [], []), Side(decks[1][:], [], [], [])], source)
    engine.preset = preset
    return engine
