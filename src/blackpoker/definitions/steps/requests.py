"""Steps about requests: negate, retarget, raise, and the end of the turn."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.definitions.player_refs import ME
from blackpoker.definitions.values import NOTHING, TARGET_REQUEST, ActionName, Ref, Value, target_request
from blackpoker.engine import atoms, zone_moves
from blackpoker.engine.cards import count
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.request_builder import list_targets, set_target
from blackpoker.engine.state import RETARGET_KIND, SIDE_CODE, TRUMP_CODE, State
from blackpoker.engine.step import NEGATES, PlayerRef, Step, StepTraits


@dataclass(frozen=True)
class Negate(Step):
    """The targeted, or a chosen, request leaves the stage without effect (R-44)."""

    what: Value = TARGET_REQUEST

    def traits(self) -> StepTraits:
        return StepTraits(does=NEGATES)

    def run(self, s: State, request: Request) -> bool:
        aimed = s.staged_request(self.what.of(s, request))
        if aimed is not None:
            atoms.negate(s, aimed)
            if s.rules.plans[aimed.action].judges:
                zone_moves.end_roles(s)
        return True


@dataclass(frozen=True)
class Retarget(Step):
    """Ask for another legal target of the targeted request and set it (R-164)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=NEGATES)

    def run(self, s: State, request: Request) -> bool:
        aimed = target_request(s, request)
        if aimed is None:
            return True
        plan = s.rules.plans[aimed.action]
        options: list[int] = []
        # 対象変更 itself has left the stage but is a legal target; it is put back while listing only.
        s.stage.append(request)
        list_targets(s, plan, aimed.controller, aimed.keys | aimed.virtual, options)
        s.options = []
        for option in options:
            if self.is_other(s, aimed, option):
                s.options.append(option)
        s.stage.pop()
        if not s.options:
            return True
        s.kind = RETARGET_KIND
        s.asked = request.controller
        return False

    def is_other(self, s: State, aimed: Request, option: i64) -> bool:
        """Return whether the option differs from the current target; a request may not target itself."""
        if aimed.target_kind == UNIT:
            unit = s.unit_by_code(option)
            return unit is not None and unit.id != aimed.target
        if aimed.target_kind == REQUEST:
            named = s.stage[option].id
            return named != aimed.target and named != aimed.id
        if aimed.target_kind == PLAYER:
            return option != aimed.target
        owner = option // SIDE_CODE
        return owner * TRUMP_CODE + s.sides[owner].trumps[option % SIDE_CODE] != aimed.target

    def take(self, s: State, request: Request, option: i64) -> bool:
        aimed = target_request(s, request)
        assert aimed is not None
        s.stage.append(request)
        set_target(s, s.rules.plans[aimed.action], aimed, option)
        s.stage.pop()
        zone_moves.report_retarget(s, aimed)
        return True


@dataclass(frozen=True)
class Raise(Step):
    """Raise an action into the trigger check (R-21). ``virtual_keys`` are cards that count as its keys; ``key`` refers
    to a card of the grave that becomes its real key; ``then_pass``: the controller passes the next chance (R-105)."""

    action: ActionName
    controller: PlayerRef = ME
    keep_target: bool = False
    virtual_keys: i64 = 0
    key: Ref = NOTHING
    then_pass: bool = False

    def run(self, s: State, request: Request) -> bool:
        raised = atoms.raise_request(s, self.action.index, self.controller.player(s, request))
        if self.keep_target:
            raised.target_kind = request.target_kind
            raised.target = request.target
        raised.passes = self.then_pass
        if self.virtual_keys != 0:
            raised.virtual = self.virtual_keys
            raised.key_count = count(self.virtual_keys)
        if self.key.slot >= 0:
            zone_moves.key_from_grave(s, request.controller, raised, s.bound(self.key.slot))
        return True


@dataclass(frozen=True)
class KeysToHand(Step):
    """The keys go back to hand (R-153)."""

    def run(self, s: State, request: Request) -> bool:
        atoms.return_keys(s, request)
        return True


@dataclass(frozen=True)
class KeysToFog(Step):
    """The keys stay in the controller's fog, bound to the target until the next end of a turn (N-060, N-061). ``fog``
    is the kind of fog."""

    fog: i64

    def run(self, s: State, request: Request) -> bool:
        bound = request.target_kind == UNIT or request.target_kind == TRUMP
        atoms.keys_to_fog(s, request, self.fog, request.target if bound else -1)
        return True


@dataclass(frozen=True)
class ClearFogs(Step):
    """The cards of both fogs go to their owners' graves (N-201)."""

    def run(self, s: State, request: Request) -> bool:
        atoms.clear_fogs(s)
        return True


@dataclass(frozen=True)
class EndTurn(Step):
    """Modifiers end, the turn moves, counters clear (R-53)."""

    def run(self, s: State, request: Request) -> bool:
        atoms.pass_turn(s)
        return True
