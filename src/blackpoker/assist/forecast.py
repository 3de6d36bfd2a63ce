"""What a move leads to if there is no response: the engine plays it out on a copy.

A projection is of one move: its certain costs and effects, as far as they do not depend on cards hidden from the seat.
A forecast is of a fight: who falls, and the damage of each player. An outlook is of the request on top of the stage.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.assist.traits import ActionTraits, Requirements, requirements_of, traits_of
from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, CARDS, NAMES, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.engine.locations import PLAYERS, option_location
from blackpoker.engine.request import UNIT, Request
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKER,
    BLOCKERS_KIND,
    DONE,
    LIFE_COUNTED,
    SIDE_CODE,
    TARGET_KIND,
    TRUMPS_KIND,
    Side,
    Unit,
)
from blackpoker.engine.step import ALL_PLAYERS, ITS_PLAYER, NO_PLAYER
from blackpoker.engine.views import PlayerName
from blackpoker.engine.visibility import knows
from blackpoker.notation.options import A_TRUMP, A_UNIT, option_type
from blackpoker.text.markup import RichText

#: passes until a request and everything it raised have taken effect
MAX_PASSES: Final = 24
#: more than the number of windows between naming attackers and the judgement
MAX_WINDOWS: Final = 60
#: passes until a request takes effect: two, and two for the actions its cost has raised
MAX_PASSES_PER_REQUEST: Final = 4
#: events of the request's own progress, which are no effect
NO_EFFECT: Final = frozenset(
    {ev.DECLARED, ev.PASSED, ev.RESOLVING, ev.FIZZLED, ev.STAGED, ev.KEYS_SPENT, ev.KEYS_RETURNED, ev.BONUS}
)

#: events that move unknown cards from a life to a grave
BURIES_UNKNOWN: Final = frozenset({ev.DAMAGED, ev.MILLED})
ResultKind = Literal["negated", "falls", "number", "damage", "draw"]


# -- simulation on a copy ----------------------------------------------------------------------------------------------


def with_endless_life(engine: Engine) -> Engine:
    """Return a copy in which no player runs out of life: the result of a fight there does not depend on the number of
    cards left, which only their owner knows (R-210)."""
    trial = engine.copy()
    for side in trial.sides:
        side.life = [0] * CARDS + side.life
    return trial


def play_move(trial: Engine, options: list[int]) -> Engine:
    """Push all options of a move and return the engine."""
    for option in options:
        trial.push(option)
    return trial


def passed(trial: Engine) -> bool:
    """Pass for the holder of the chance; return False if anything else is asked."""
    if trial.kind != CHANCE_KIND or PASS not in trial.options:
        return False
    trial.push(PASS)
    return True


# -- a move ------------------------------------------------------------------------------------------------------------


class Projection(NamedTuple):
    """``cost`` and ``effect`` include raised actions and are both certain. ``after`` is the resulting state, None if it
    depends on hidden cards; ``futile``: the effect changes nothing; ``loses``: the player has no life left then."""

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
    after = None if projector.uncertain else projector.trial
    loses = loses_game(engine, options, projector)
    return Projection(projector.cost, projector.effect, after, projector.futile, loses)


class Projector:
    """A copy of the engine on which a move is played out. ``uncertain``: an event came that the
    seat cannot foresee."""

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
        play_move(trial, options)
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
            if self.uncertain or not unresolved or not passed(trial):
                break
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
        """Return what the program of an action requires from index ``start`` up to a pending question."""
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
        return any(event[0] == ev.BONUS for event in self.effect) and unit_numbers(engine) != unit_numbers(self.trial)


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
    trial = play_move(engine.copy(), options)
    for _ in range(MAX_PASSES):
        if trial.winner != UNDECIDED or not trial.stage or not passed(trial):
            break
    return trial.winner in (1 - seat, DRAW) or not trial.sides[seat].life


def life_lost(event: RawEvent) -> int:
    """Return the number of cards an event takes from its player's life."""
    if event[0] == ev.DAMAGED:
        return int(event[4])
    return count(event[2]) if event[0] == ev.DREW else 0


# -- a fight or a request ----------------------------------------------------------------------------------------------


@dataclass
class ForecastClash:
    """An attacker, its blockers and the result without responses. ``blockers_total``: the sum of the soldiers' numbers;
    ``falls``: the attacker goes to the grave; ``fallen_blockers``: the blockers that do."""

    attacker: str
    number: int
    blockers: list[str] = field(default_factory=list)
    blockers_total: int | None = None
    falls: bool = False
    fallen_blockers: list[str] = field(default_factory=list)


class Forecast(NamedTuple):
    """``damage``: the raw sum per player, regardless of life; ``lethal_for``: the players who would lose, as far as the
    asked seat may know it."""

    clashes: list[ForecastClash]
    damage: dict[str, int]
    lethal_for: list[PlayerName]


def forecast(engine: Engine, options: list[int]) -> Forecast:
    """Return who falls per attacker, and the damage of each player, after this move of attackers or blockers. It is
    shown to the player of the move: an attack is shown unblocked, and defenders know their own bulwarks."""
    if engine.kind not in (ATTACKERS_KIND, BLOCKERS_KIND):
        return Forecast([], {}, [])
    attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
    trial = play_move(with_endless_life(engine), options)
    clashes: list[ForecastClash] = []
    attackers: list[Unit] = []
    ids: dict[int, str] = {}
    events: list[RawEvent] = []
    trial.log = events
    for _ in range(MAX_WINDOWS):
        fighting = [unit for unit in trial.sides[attacking].soldiers if unit.role == ATTACKER]
        if clashes and not fighting:
            break
        attackers = fighting or attackers
        if fighting:
            clashes, ids = list_clashes(trial, attacking, fighting)
            del events[:]
        if not advance_fight(trial):
            break
    trial.log = None
    buried = {int(event[5]) for event in events if event[0] == ev.BURIED}
    damage = damage_by_player(events)
    for clash, unit in zip(clashes, attackers, strict=True):
        clash.falls = int(unit.id) in buried
        clash.fallen_blockers = [
            location for id, location in ids.items() if id in buried and location in clash.blockers
        ]
    return Forecast(clashes, damage, losing_players(engine, damage_results(events)))


def advance_fight(trial: Engine) -> bool:
    """Pass the window or decline to block; return False if anything else is asked."""
    if trial.kind == BLOCKERS_KIND:
        trial.push(DONE)
        return True
    return passed(trial)


@dataclass
class ForecastResult:
    """One result of a request: a request is ``negated``, a unit ``falls``, its ``number`` changes, a player takes
    ``damage`` or may ``draw``. ``place`` as in ``notation.options.board_location``."""

    kind: ResultKind
    location: str
    number: int = 0
    previous: int = 0
    text: RichText = field(default_factory=RichText)


def projected_results(engine: Engine, projection: Projection) -> list[ForecastResult]:
    """Return the certain effects of a move without its costs, from its projection."""
    before = unit_numbers(engine)
    staged = {int(other.id): at for at, other in enumerate(engine.stage, 1)}
    gone = [event for event in projection.effect if event[0] == ev.NEGATED and event[5] in staged]
    out = [ForecastResult("negated", f"stage:{staged[event[5]]}") for event in gone]
    for event in projection.effect:
        if event[0] == ev.BURIED and event[5] in before:
            place, was = before[event[5]]
            out.append(ForecastResult("falls", place, 0, was))
    if projection.after is not None:
        out += [result for result in unit_changes(before, unit_numbers(projection.after)) if result.kind == "number"]
    return out + damage_results(projection.effect) + draw_results(engine, projection)


def outlook(engine: Engine) -> list[ForecastResult]:
    """Return the results of the request on top of the stage without a response; empty if they depend on cards the seat
    does not know. For the judgement: the damage, and the soldiers that fall to soldiers; bulwarks stay secret until
    they are turned up."""
    if engine.kind != CHANCE_KIND or not engine.stage:
        return []
    top = engine.stage[-1]
    plan = engine.rules.plans[top.action]
    traits = traits_of(engine, plan)
    if not plan.judges and not traits.result_is_public:
        return []
    changes = request_results(with_endless_life(engine), top, traits)
    if not plan.judges:
        return changes
    fighting = fighting_soldiers(engine)
    return [
        result
        for result in changes
        if result.kind == "damage" or (result.kind == "falls" and result.location in fighting)
    ]


def blockers_of(side: Side, attacker: Unit) -> list[Unit]:
    """Return the units of a side that block this attacker."""
    units = (*side.soldiers, *side.bulwarks)
    return [unit for unit in units if unit.role == BLOCKER and unit.blocks == attacker.id]


def fighting_soldiers(s: Engine) -> set[str]:
    """Return the locations of soldiers that fight soldiers."""
    out: set[str] = set()
    for attacking, (side, other) in enumerate(((s.sides[0], s.sides[1]), (s.sides[1], s.sides[0]))):
        for unit in side.soldiers:
            blockers = blockers_of(other, unit)
            if unit.role == ATTACKER and not any(s.rules.kinds[blocker.kind].bulwark for blocker in blockers):
                out.add(f"unit:{PLAYERS[attacking]}:{NAMES[unit.lead]}")
                out.update(f"unit:{PLAYERS[1 - attacking]}:{NAMES[blocker.lead]}" for blocker in blockers)
    return out


def request_results(trial: Engine, request: Request, traits: ActionTraits) -> list[ForecastResult]:
    """Pass for both until this request on the stage has taken effect; return the changes."""
    if traits.reads_face and targets_bulwark(trial, request):
        return []
    id = request.id
    before = unit_numbers(trial)
    staged = {int(other.id): number for number, other in enumerate(trial.stage, 1) if other.id != id}
    events: list[RawEvent] = []
    trial.log = events
    for _ in range(MAX_PASSES_PER_REQUEST):
        if trial.staged_request(id) is None or not passed(trial):
            break
    trial.log = None
    if trial.staged_request(id) is not None:
        return []
    negated = [
        ForecastResult("negated", f"stage:{number}")
        for other, number in staged.items()
        if trial.staged_request(other) is None
    ]
    return negated + unit_changes(before, unit_numbers(trial)) + damage_results(events)


def unit_changes(before: dict[int, tuple[str, int]], after: dict[int, tuple[str, int]]) -> list[ForecastResult]:
    """Return units that fell, and numbers that changed."""
    out: list[ForecastResult] = []
    for id, (place, was) in before.items():
        if id not in after:
            out.append(ForecastResult("falls", place, 0, was))
        elif after[id][1] != was:
            out.append(ForecastResult("number", place, after[id][1], was))
    return out


def damage_by_player(events: list[RawEvent]) -> dict[str, int]:
    """Return the raw sum of damage of each player who takes any."""
    sums = [0, 0]
    for event in events:
        if event[0] == ev.DAMAGED:
            sums[event[1]] += int(event[4])
    return {name: sum_ for name, sum_ in zip(PLAYERS, sums, strict=True) if sum_}


def damage_results(events: list[RawEvent]) -> list[ForecastResult]:
    return [ForecastResult("damage", f"player:{name}", sum_) for name, sum_ in damage_by_player(events).items()]


def draw_results(engine: Engine, projection: Projection) -> list[ForecastResult]:
    """Return the cards drawn, at most those left (R-46); a player who draws that many can count them."""
    sums = [0, 0]
    for event in projection.effect:
        if event[0] == ev.DREW:
            sums[event[1]] += count(event[2])
    for player, side in enumerate(engine.sides):
        spent = sum(int(event[4]) for event in projection.cost if event[0] == ev.DAMAGED and event[1] == player)
        sums[player] = min(sums[player], max(0, len(side.life) - spent))
    return [ForecastResult("draw", f"player:{name}", sum_) for name, sum_ in zip(PLAYERS, sums, strict=True) if sum_]


def unit_numbers(s: Engine) -> dict[int, tuple[str, int]]:
    """Return the location of every unit by id, and a soldier's number."""
    out: dict[int, tuple[str, int]] = {}
    for name, side in zip(PLAYERS, s.sides, strict=True):
        for unit in side.soldiers:
            out[int(unit.id)] = (f"unit:{name}:{NAMES[unit.lead]}", int(s.number(side, unit)))
        for place, unit in enumerate(side.bulwarks, 1):
            out[int(unit.id)] = (f"unit:{name}:b{place}", 0)
    return out


def targets_bulwark(s: Engine, request: Request) -> bool:
    unit = s.unit(request.target) if request.target_kind == UNIT else None
    return unit is not None and s.rules.kinds[unit.kind].bulwark


def losing_players(engine: Engine, results: list[ForecastResult]) -> list[PlayerName]:
    """Return the players who would lose by these results, as far as the asked seat may know it."""
    damage = {result.location.partition(":")[2]: result.number for result in results if result.kind == "damage"}
    out: list[PlayerName] = []
    for seat, (name, side) in enumerate(zip(PLAYERS, engine.sides, strict=True)):
        life = len(side.life)
        if (seat == engine.asked or life < LIFE_COUNTED) and 0 < life <= damage.get(name, 0):
            out.append(name)
    return out


def list_clashes(s: Engine, attacking: int, fighting: list[Unit]) -> tuple[list[ForecastClash], dict[int, str]]:
    side, other = s.sides[attacking], s.sides[1 - attacking]
    ids: dict[int, str] = {}
    clashes = []
    for unit in fighting:
        clash = ForecastClash(option_location(s.code_of(attacking, unit)), int(s.number(side, unit)))
        for blocker in blockers_of(other, unit):
            location = option_location(s.code_of(1 - attacking, blocker))
            ids[int(blocker.id)] = location
            clash.blockers.append(location)
            if not s.rules.kinds[blocker.kind].bulwark:
                clash.blockers_total = (clash.blockers_total or 0) + int(s.number(other, blocker))
        clashes.append(clash)
    return clashes, ids
