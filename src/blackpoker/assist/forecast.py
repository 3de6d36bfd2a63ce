"""Forecast of a fight or a request without responses: the engine plays it out on a copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.assist.projection import Projection, with_endless_life
from blackpoker.assist.traits import ActionTraits, traits_of
from blackpoker.engine import events as ev
from blackpoker.engine.cards import NAMES, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.locations import PLAYERS, option_location
from blackpoker.engine.request import UNIT, Request
from blackpoker.engine.state import ATTACKER, ATTACKERS_KIND, BLOCKER, BLOCKERS_KIND, DONE, LIFE_COUNTED, Unit

SeatName = Literal["p1", "p2"]

#: more than the number of windows between naming attackers and the judgement
MAX_WINDOWS = 60
#: passes until a request takes effect: two, and two for the actions its cost has raised
MAX_PASSES_PER_REQUEST = 4
SEATS: Final[tuple[SeatName, SeatName]] = ("p1", "p2")
ResultKind = Literal["negated", "falls", "number", "damage", "draw"]


@dataclass
class ForecastClash:
    """An attacker, its blockers and the result without responses. ``total``: the sum of the soldiers' numbers;
    ``falls``: the attacker goes to the grave; ``lost``: the blockers that do."""

    attacker: str
    number: int
    blockers: list[str] = field(default_factory=list)
    total: int | None = None
    falls: bool = False
    fallen_blockers: list[str] = field(default_factory=list)


class Forecast(NamedTuple):
    """``damage``: the raw sum per player, regardless of life; ``lethal``: the players who would lose, as far as the
    asked seat may know it."""

    clashes: list[ForecastClash]
    damage: dict[str, int]
    lethal: list[SeatName]


def forecast(engine: Engine, options: list[int]) -> Forecast:
    """Return who falls per attacker, and the damage of each player, after this move of attackers or blockers. It is
    shown to the player of the move: an attack is shown unblocked, and defenders know their own bulwarks."""
    if engine.kind not in (ATTACKERS_KIND, BLOCKERS_KIND):
        return Forecast([], {}, [])
    attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
    trial = with_endless_life(engine)
    for option in options:
        trial.push(option)
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
        clash.fallen_blockers = [location for id, location in ids.items() if id in buried and location in clash.blockers]
    return Forecast(clashes, damage, [name for name in SEATS if would_lose(engine, name, damage.get(name, 0))])


def advance_fight(trial: Engine) -> bool:
    """Pass the window or decline to block; return False if anything else is asked."""
    if trial.kind == CHANCE_KIND and PASS in trial.options:
        trial.push(PASS)
    elif trial.kind == BLOCKERS_KIND:
        trial.push(DONE)
    else:
        return False
    return True


@dataclass
class ForecastResult:
    """One result of a request: a request is ``negated``, a unit ``falls``, its ``number`` changes, a player takes
    ``damage`` or may ``draw``. ``place`` as in ``words.tokens.board_location``."""

    kind: ResultKind
    place: str
    number: int = 0
    was: int = 0


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
    return [result for result in changes if result.kind == "damage" or (result.kind == "falls" and result.place in fighting)]


def fighting_soldiers(s: Engine) -> set[str]:
    """Return the locations of soldiers that fight soldiers."""
    out: set[str] = set()
    for attacking, (side, other) in enumerate(((s.sides[0], s.sides[1]), (s.sides[1], s.sides[0]))):
        for unit in side.soldiers:
            blockers = [
                blocker for blocker in (*other.soldiers, *other.bulwarks) if blocker.role == BLOCKER and blocker.blocks == unit.id
            ]
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
        if trial.kind != CHANCE_KIND or PASS not in trial.options or trial.staged_request(id) is None:
            break
        trial.push(PASS)
    trial.log = None
    if trial.staged_request(id) is not None:
        return []
    negated = [
        ForecastResult("negated", f"stage:{number}") for other, number in staged.items() if trial.staged_request(other) is None
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


def would_lose(engine: Engine, name: str, damage: int) -> bool:
    """Return whether this damage ends the game, as far as the asked seat knows."""
    seat = SEATS.index(name)
    life = len(engine.sides[seat].life)
    return (seat == engine.asked or life < LIFE_COUNTED) and 0 < life <= damage


def losing_players(engine: Engine, results: list[ForecastResult]) -> list[SeatName]:
    """Return the players who would lose by these results, as far as the asked seat may know it."""
    damage = {result.place.partition(":")[2]: result.number for result in results if result.kind == "damage"}
    return [name for name in SEATS if would_lose(engine, name, damage.get(name, 0))]


def list_clashes(s: Engine, attacking: int, fighting: list[Unit]) -> tuple[list[ForecastClash], dict[int, str]]:
    side, other = s.sides[attacking], s.sides[1 - attacking]
    ids: dict[int, str] = {}
    clashes = []
    for unit in fighting:
        clash = ForecastClash(option_location(s.code_of(attacking, unit)), int(s.number(side, unit)))
        for blocker in [*other.soldiers, *other.bulwarks]:
            if blocker.role == BLOCKER and blocker.blocks == unit.id:
                location = option_location(s.code_of(1 - attacking, blocker))
                ids[int(blocker.id)] = location
                clash.blockers.append(location)
                if not s.rules.kinds[blocker.kind].bulwark:
                    clash.total = (clash.total or 0) + int(s.number(other, blocker))
        clashes.append(clash)
    return clashes, ids
