"""Automatic passes: the only place that decides whether a player is asked or the server passes instead.

Usefulness decides, not legality: ``usefulness`` rates whether an action could change the request on top of the stage.
It is a pure function of what the seat knows, so neither a prompt nor its absence reveals hidden cards. ``decide`` is
the table of windows; every automatic pass has a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from blackpoker.assist.action_traits import traits_of
from blackpoker.assist.forecast import forecast
from blackpoker.definitions.model import SUMMON
from blackpoker.engine.cards import NAMES
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS, TRIGGER_KIND
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.request_builder import fits_unit, may_attack
from blackpoker.engine.state import BLOCKERS_KIND, DONE, KEY_KIND, LIFE_COUNTED, TARGET_KIND
from blackpoker.engine.tables import AIM_REQUEST, AIM_TRUMP, AIM_UNIT, CompiledAction

NO: Final = 0
MAYBE: Final = 1
YES: Final = 2

#: modes: おまかせ, 慎重に, 毎回止まる
AUTO: Final = "auto"
FIRM: Final = "firm"
FULL: Final = "full"

#: windows in which a prompt may depend on the hand: all of them last equally long
TIMED: Final = frozenset(("summon", "magic", "attack", "block", "judgement", "end", "idle"))
STOPS: Final = frozenset(("summon", "magic", "attack", "block", "judgement", "end"))

#: reasons of automatic passes, as texts for the log
PASS_REASONS: Final[dict[str, tuple[str, str]]] = {
    "own": ("自分のアクションの後", "after your own request"),
    "draw": ("ドローには対応しない", "nothing answers a draw"),
    "nothing": ("できることなし", "nothing can be done"),
    "useless": ("結果を変えられる対応なし", "no answer would change it"),
    "end": ("エンドでは止まらない", "you do not stop at End"),
    "idle": ("ステージは空", "the stage is empty"),
    "blocks": ("そのままブロックへ", "on to the blocks"),
    "skip": ("スキップ中", "skipping"),
    "accept": ("受けます", "you let it happen"),
    "order": ("順番に違いなし", "the order makes no difference"),
    "time": ("時間切れ", "out of time"),
}


@dataclass
class AssistSettings:
    """One seat's settings. They are never sent to other clients."""

    mode: str = AUTO
    stops: set[str] = field(default_factory=set)
    arm: set[str] = field(default_factory=set)
    hold: bool = False
    skip: str = ""  # "", "stage", "attack", "turn"
    accept: bool = False


@dataclass(frozen=True)
class PassDecision:
    """The result of `decide`. ``option`` is chosen automatically, None: the player is asked. ``why``: a reason of
    `PASS_REASONS`, or the reason of the prompt."""

    option: int | None
    window: str
    reason: str

    @property
    def timed(self) -> bool:
        return self.window in TIMED


# -- windows ---------------------------------------------------------------------------------------------------------


def decision_window(s: Engine) -> str:
    """Return the row of the table for the present decision."""
    if s.kind == TRIGGER_KIND:
        return "trigger"
    if s.kind != CHANCE_KIND:
        return "choice"
    if not s.stage:
        return "main" if s.chance == s.turn else "idle"
    top = s.stage[-1]
    action = traits_of(s, s.rules.plans[top.action]).action
    step = action.step
    if top.controller == s.chance and step not in ("draw", "block", "judgement"):
        return "own"
    return step or ("summon" if action.kind is SUMMON else "magic")


def concerns_player(s: Engine, request: Request, player: int) -> bool:
    """Return whether the request affects this player or one of their units, trumps or requests."""
    if request.target_kind == UNIT:
        return s.unit(request.target) is not None and s.owner_of(request.target) == player
    if request.target_kind == PLAYER:
        return request.target == player
    if request.target_kind == REQUEST:
        targeted = s.staged_request(request.target)
        return targeted is not None and targeted.controller == player
    if request.target_kind == TRUMP:
        return request.target // 64 == player
    return traits_of(s, s.rules.plans[request.action]).reaches_opponent


def combat_on_stage(s: Engine) -> bool:
    """Return whether an attack is on the stage, in any of its phases, possibly below other requests."""
    return any(traits_of(s, s.rules.plans[request.action]).action.is_combat for request in s.stage)


def decides_game(s: Engine) -> bool:
    """Return whether the request on top of the stage certainly ends the game, as far as the seat may know."""
    return bool(forecast(s).lethal_for)


# -- useful ----------------------------------------------------------------------------------------------------------


def usefulness(s: Engine, option: int) -> int:
    """Rate whether choosing this action now could change the effect of the request on top of the stage, or decide the
    game before it takes effect. Return NO, MAYBE or YES."""
    if option == PASS or s.kind != CHANCE_KIND:
        return NO
    plan = s.rules.plans[option - 1]
    if plan.draws_rare and s.sides[s.chance].rare == 0:
        return NO
    if not s.stage:
        return usefulness_on_empty_stage(s, plan)
    top = s.stage[-1]
    top_plan = s.rules.plans[top.action]
    if plan.aim == AIM_REQUEST:
        return response_usefulness(s, option)
    if traits_of(s, plan).chooses_request and response_usefulness(s, option) != NO:
        return MAYBE
    if top_plan.is_attack or top_plan.judges:
        return MAYBE
    if traits_of(s, top_plan).action.is_combat:  # Block: it decides the possible blockers and attackers
        return NO if s.chance != s.turn and traits_of(s, plan).only_numbers else MAYBE
    if may_end_game(s, option, plan):
        return MAYBE
    if top.target_kind == UNIT:
        return MAYBE if plan.aim != AIM_UNIT or can_aim_at(s, plan, top.target) else NO
    if top.target_kind == TRUMP or plan.aim == AIM_TRUMP:
        return MAYBE
    action = traits_of(s, top_plan).action
    if action.kind is SUMMON or action.advances_turn:
        return NO
    return MAYBE if concerns_player(s, top, int(s.chance)) else NO


def usefulness_on_empty_stage(s: Engine, plan: CompiledAction) -> int:
    """Rate an action on an empty stage. Most players attack with every soldier that can before they end their turn, and
    keep at least one bulwark and one soldier on their field; an attack without attackers and the end of the turn change
    nothing."""
    if plan.ends_turn:
        return NO
    side = s.sides[s.chance]
    if plan.is_attack:
        return YES if any(may_attack(s, side, unit) for unit in side.soldiers) else NO
    if len(side.life) < LIFE_COUNTED:  # the cost may matter more
        return MAYBE
    enters = traits_of(s, plan).enters
    if (enters == "bulwark" and not side.bulwarks) or (enters == "soldier" and not side.soldiers):
        return YES
    return MAYBE


def can_aim_at(s: Engine, plan: CompiledAction, unit_id: int) -> bool:
    unit = s.unit(unit_id)
    if unit is None:
        return False
    player = s.chance
    return fits_unit(s, plan, player, s.sides[player].hand & plan.key_a | plan.virtual, s.owner_of(unit_id), unit)


def resolutions(s: Engine, option: int) -> Iterator[tuple[Request | None, Engine]]:
    """Yield the states after the action, with all keys and targets and any payment, once both have passed: the request
    and the state. If a choice is necessary on the way, the request is still on the stage."""
    trial = s.copy()
    trial.push(option)
    yield from _complete_request(trial, {request.id for request in s.stage}, int(s.chance))


def _complete_request(s: Engine, before: set[int], player: int) -> Iterator[tuple[Request | None, Engine]]:
    if s.draft is not None:
        for choice in s.options if s.kind in (KEY_KIND, TARGET_KIND) else s.options[:1]:
            trial = s.copy()
            trial.push(choice)
            yield from _complete_request(trial, before, player)
        return
    yield _resolve(s, before, player), s


def _resolve(s: Engine, before: set[int], player: int) -> Request | None:
    """Pass for both players until the request that was just made has taken effect; return the request."""
    new_requests = [request for request in s.stage if request.controller == player and request.id not in before]
    response = new_requests[-1] if new_requests else None
    for _ in range(4):
        if s.kind != CHANCE_KIND or PASS not in s.options or response is None or s.staged_request(response.id) is None:
            break
        s.push(PASS)
    return response


def response_usefulness(s: Engine, option: int) -> int:
    """Rate an action with a request as its target by trying it on a copy: does the top of the stage change? Only its
    keys and the stage decide, and the seat sees both."""
    top = s.stage[-1]
    best = NO
    for _, after in resolutions(s, option):
        best = max(best, request_change(top, after))
        if best == YES:
            break
    return best


def sequence_usefulness(s: Engine, options: list[int]) -> int:
    """Rate one move, complete or not, in the same way; missing payments and targets are chosen arbitrarily."""
    trial = s.copy()
    for option in options:
        trial.push(option)
    while trial.draft is not None:
        trial.push(trial.options[-1] if trial.kind == TARGET_KIND else trial.options[0])
    _resolve(trial, {request.id for request in s.stage}, int(s.chance))
    return request_change(s.stage[-1], trial)


def request_change(top: Request, after: Engine) -> int:
    """Rate whether a request that was on top has changed or is gone."""
    current = after.staged_request(top.id)
    if current is None or current.target != top.target or current.target_kind != top.target_kind:
        return YES
    target_lost = top.target_kind == REQUEST and after.staged_request(top.target) is None
    return MAYBE if target_lost or after.kind not in (NOTHING, CHANCE_KIND) else NO


def may_end_game(s: Engine, option: int, plan: CompiledAction) -> bool:
    """Return whether the action itself could end the game: a player has little life left, and it deals damage or
    removes a unit that costs life when it leaves. A bulwark may be any card, so each one may (N-207)."""
    endangered = [seat for seat in (0, 1) if len(s.sides[seat].life) < LIFE_COUNTED]
    if not endangered:
        return False
    traits = traits_of(s, plan)
    if traits.deals_damage:
        return True
    if plan.aim != AIM_UNIT or not traits.leaves_field:
        return False
    costly = {
        unit.id
        for seat in endangered
        for unit in s.sides[seat].soldiers
        if s.rules.kinds[unit.kind].leave_action >= 0 or unit.cards & s.rules.card_trigger
    }
    if s.rules.card_action >= 0:
        costly |= {unit.id for seat in endangered for unit in s.sides[seat].bulwarks}
    if not costly:
        return False
    for _, after in resolutions(s, option):
        if after.kind not in (NOTHING, CHANCE_KIND) or any(after.unit(unit) is None for unit in costly):
            return True
    return False


def key_is_armed(s: Engine, cards: set[str]) -> bool:
    """Return whether an offered action could be requested with one of these cards as its key."""
    if not cards:
        return False
    for option in s.options:
        if option == PASS:
            continue
        plan = s.rules.plans[option - 1]
        hand = s.sides[s.chance].hand & (plan.key_a | plan.key_b)
        if any(hand >> card & 1 and name in cards for card, name in enumerate(NAMES)):
            return True
    return False


# -- the table -------------------------------------------------------------------------------------------------------


def decide(s: Engine, settings: AssistSettings) -> PassDecision:
    """Return the decision for a seat with these settings. A skip that is interrupted is cleared in ``assist``."""
    row = decision_window(s)
    if row == "choice":
        if settings.accept and s.kind == BLOCKERS_KIND and DONE in s.options and not loses_without_blocks(s):
            return PassDecision(DONE, row, "accept")
        settings.skip = ""
        return PassDecision(None, row, "")
    if row == "trigger":
        order_irrelevant = settings.mode == AUTO and not order_matters(s)
        return PassDecision(s.options[0], row, "order") if order_irrelevant else PassDecision(None, row, "")
    if row == "main" or PASS not in s.options:
        settings.skip = ""
        settings.accept = False
        return PassDecision(None, row, "")
    if settings.hold:
        return PassDecision(None, row, "hold")
    if settings.accept:
        in_combat = row in ("block", "judgement", "attack") or combat_on_stage(s)
        if in_combat and not loses_by_passing(s):
            return PassDecision(PASS, row, "accept")
        settings.accept = False
        if in_combat:
            return PassDecision(None, row, "lethal")
    if settings.skip:
        if continues_skip(s, row, settings):
            return PassDecision(PASS, row, "skip")
        settings.skip = ""
    return decide_by_mode(s, row, settings)


def loses_without_blocks(s: Engine) -> bool:
    """Return whether the defender would lose without blocking; ``accept`` must not do that unseen."""
    return PLAYERS[s.asked] in forecast(s, [DONE]).lethal_for


def loses_by_passing(s: Engine) -> bool:
    """Return whether a player who could still respond would lose by passing."""
    return len(s.options) > 1 and PLAYERS[s.asked] in forecast(s).lethal_for


def decide_by_mode(s: Engine, row: str, settings: AssistSettings) -> PassDecision:
    if settings.mode == FULL:
        return PassDecision(None, row, row)
    if loses_by_passing(s):
        return PassDecision(None, row, "lethal")
    if row in ("own", "draw"):
        return PassDecision(PASS, row, row)
    if row == "judgement" and decides_game(s):
        return PassDecision(None, row, "lethal")
    can_respond = len(s.options) > 1
    firm = settings.mode == FIRM
    if firm and row in ("attack", "block", "judgement"):
        return PassDecision(None, row, row)
    if not can_respond:
        return PassDecision(PASS, row, "nothing")
    if firm or row in settings.stops:
        return PassDecision(None, row, "stop" if row in settings.stops else row)
    if key_is_armed(s, settings.arm):
        return PassDecision(None, row, "armed")
    if row in ("end", "idle"):
        return PassDecision(PASS, row, row)
    if row in ("attack", "judgement") or (row == "block" and s.chance == s.turn):
        return PassDecision(None, row, row)
    for option in s.options:
        if usefulness(s, option) != NO:
            return PassDecision(None, row, row)
    return PassDecision(PASS, row, "blocks" if row == "block" else "useless")


def continues_skip(s: Engine, row: str, settings: AssistSettings) -> bool:
    """Return whether a skip continues. An attack, lethal damage or being a target interrupts it; its own end stops
    it."""
    if (
        row == "attack"
        or (row == "judgement" and decides_game(s))
        or loses_by_passing(s)
        or (row == "idle" and settings.skip == "stage")
    ):
        return False
    if row == "block" and s.chance != s.turn:
        return False
    top = s.stage[-1] if s.stage else None
    return (
        top is None or top.controller == s.chance or top.target_kind == 0 or not concerns_player(s, top, int(s.chance))
    )


def order_matters(s: Engine) -> bool:
    """Return whether the order of the triggers matters. Triggers of one action without a target and with the same
    amount give the same result in any order."""
    waiting = [s.buffer[option] for option in s.options]
    first = waiting[0]
    return any(
        request.action != first.action or request.target_kind != 0 or request.amount != first.amount
        for request in waiting
    )
