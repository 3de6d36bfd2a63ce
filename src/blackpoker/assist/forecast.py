"""What a fight or a request will come to if nobody adds anything: the engine plays it on, on a copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.assist.autopass import facts_of
from blackpoker.rules import events as ev
from blackpoker.rules.cards import CARDS, NAMES, count
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.names import PLAYERS, code_place
from blackpoker.rules.request import UNIT, Request
from blackpoker.rules.state import ATTACKER, ATTACKERS_KIND, BLOCKER, BLOCKERS_KIND, DONE, Unit

SeatName = Literal["p1", "p2"]

#: more windows than stand between naming attackers and the judgement
MOST_STEPS = 60
#: passes until a request takes effect: two, and two for what its cost has raised
MOST_PASSES = 4
SEATS: Final[tuple[SeatName, SeatName]] = ("p1", "p2")
ResultKind = Literal["negated", "falls", "number", "damage", "draw"]
#: steps, values and conditions that look at nothing but what lies open, and ask nothing: an action made of them alone
#: comes out the same whatever the hidden cards are
IN_THE_OPEN: Final = frozenset(
    {
        "AtLeast", "AtMost", "Attach", "Bonus", "BonusForAll", "Both", "Bury", "BuryAll", "Damage", "Different",
        "Divisible", "Either", "Equal", "If", "KeyOf", "KeySum", "Me", "Negate", "Number", "Opponent", "Owner", "Ref",
        "SourceNumber", "TargetKeyCount", "TargetKeySum", "TargetNumber", "TargetPlayer", "TargetRequest", "TargetUnit",
    }
)  # fmt: skip
#: R-210: fewer life cards than this are counted by everybody
PUBLIC_LIFE: Final = 10


@dataclass
class Clash:
    """An attacker, who blocks it and what comes of it if nobody adds anything. ``total``: the sum of soldiers' numbers;
    ``falls``: it goes to the grave; ``lost``: the blockers that do."""

    attacker: str
    number: int
    blockers: list[str] = field(default_factory=list)
    total: int | None = None
    falls: bool = False
    lost: list[str] = field(default_factory=list)


class Forecast(NamedTuple):
    """``damage``: the raw sum per player, whatever life is left; ``lethal``: who would lose, as far as the seat that
    asks may know it."""

    clashes: list[Clash]
    damage: dict[str, int]
    lethal: list[SeatName]


def forecast(engine: Engine, options: list[int]) -> Forecast:
    """Attacker by attacker who falls, and the damage of each player, after this sentence of attackers or blockers. It
    is told to the seat that says it: an attack is shown unblocked, and a defender knows his own bulwarks."""
    if engine.kind not in (ATTACKERS_KIND, BLOCKERS_KIND):
        return Forecast([], {}, [])
    attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
    trial = endless(engine)
    for option in options:
        trial.push(option)
    clashes: list[Clash] = []
    attackers: list[Unit] = []
    ids: dict[int, str] = {}
    events: list[RawEvent] = []
    trial.log = events
    for _ in range(MOST_STEPS):
        fighting = [unit for unit in trial.sides[attacking].soldiers if unit.role == ATTACKER]
        if clashes and not fighting:
            break
        attackers = fighting or attackers
        if fighting:
            clashes, ids = clashes_of(trial, attacking, fighting)
            del events[:]
        if trial.kind == CHANCE_KIND and PASS in trial.options:
            trial.push(PASS)
        elif trial.kind == BLOCKERS_KIND:
            trial.push(DONE)
        else:
            break
    trial.log = None
    buried = {int(event[5]) for event in events if event[0] == ev.BURIED}
    damage: dict[str, int] = {}
    for event in events:
        if event[0] == ev.DAMAGED:
            name = PLAYERS[event[1]]
            damage[name] = damage.get(name, 0) + int(event[4])
    for clash, unit in zip(clashes, attackers, strict=True):
        clash.falls = int(unit.id) in buried
        clash.lost = [word for id, word in ids.items() if id in buried and word in clash.blockers]
    return Forecast(clashes, damage, [name for name in SEATS if loses(engine, name, damage.get(name, 0))])


@dataclass
class Result:
    """What a request would do: a request is ``negated``, a unit ``falls``, its ``number`` changes, a player takes
    ``damage`` or may ``draw``. ``place`` as in ``words.tokens.board_place``."""

    kind: ResultKind
    place: str
    number: int = 0
    was: int = 0


def results(engine: Engine, options: list[int]) -> list[Result]:
    """What comes of this sentence if nobody answers it; empty where that hangs on cards the seat does not know."""
    if engine.kind != CHANCE_KIND or not options or options[0] == PASS:
        return []
    steps = {name for name in facts_of(engine, engine.rules.plans[options[0] - 1]).steps if name[0].isupper()}
    if not steps <= IN_THE_OPEN:
        return []
    player = int(engine.asked)
    known = {int(request.id) for request in engine.stage}
    trial = endless(engine)
    for option in options:
        trial.push(option)
    made = [request for request in trial.stage if request.controller == player and int(request.id) not in known]
    return effect_of(trial, made[-1], steps) if made else []


def outlook(engine: Engine) -> list[Result]:
    """What the request on top of the stage does if nobody answers it; empty where that hangs on cards the seat does not
    know. Of the judgement it tells the damage and which soldiers fall to soldiers: what a bulwark is, is seen when it
    is turned up."""
    if engine.kind != CHANCE_KIND or not engine.stage:
        return []
    top = engine.stage[-1]
    plan = engine.rules.plans[top.action]
    steps = {name for name in facts_of(engine, plan).steps if name[0].isupper()}
    if not plan.judges and not steps <= IN_THE_OPEN:
        return []
    found = effect_of(endless(engine), top, steps)
    if not plan.judges:
        return found
    known = fighters(engine)
    return [one for one in found if one.kind == "damage" or (one.kind == "falls" and one.place in known)]


def fighters(s: Engine) -> set[str]:
    """Soldiers that fight soldiers: where they lie."""
    out: set[str] = set()
    for attacking, (side, other) in enumerate(((s.sides[0], s.sides[1]), (s.sides[1], s.sides[0]))):
        for unit in side.soldiers:
            against = [
                one for one in (*other.soldiers, *other.bulwarks) if one.role == BLOCKER and one.blocks == unit.id
            ]
            if unit.role == ATTACKER and not any(s.rules.kinds[one.kind].bulwark for one in against):
                out.add(f"unit:{PLAYERS[attacking]}:{NAMES[unit.lead]}")
                out.update(f"unit:{PLAYERS[1 - attacking]}:{NAMES[one.lead]}" for one in against)
    return out


def effect_of(trial: Engine, request: Request, steps: set[str]) -> list[Result]:
    """Both pass until this request on the stage has taken effect: what is another than before."""
    if hidden_target(trial, request) and "TargetNumber" in steps:
        return []
    id = request.id
    before = numbers(trial)
    staged = {int(other.id): place for place, other in enumerate(trial.stage, 1) if other.id != id}
    events: list[RawEvent] = []
    trial.log = events
    for _ in range(MOST_PASSES):
        if trial.kind != CHANCE_KIND or PASS not in trial.options or trial.staged_request(id) is None:
            break
        trial.push(PASS)
    trial.log = None
    if trial.staged_request(id) is not None:
        return []
    negated = [Result("negated", f"stage:{at}") for other, at in staged.items() if trial.staged_request(other) is None]
    return negated + changed(before, numbers(trial)) + damaged(events)


def changed(before: dict[int, tuple[str, int]], after: dict[int, tuple[str, int]]) -> list[Result]:
    """Units that fell, and numbers that are others now."""
    out: list[Result] = []
    for id, (place, was) in before.items():
        if id not in after:
            out.append(Result("falls", place, 0, was))
        elif after[id][1] != was:
            out.append(Result("number", place, after[id][1], was))
    return out


def damaged(events: list[RawEvent]) -> list[Result]:
    sums = [0, 0]
    for event in events:
        if event[0] == ev.DAMAGED:
            sums[event[1]] += int(event[4])
    return [Result("damage", f"player:{name}", sum_) for name, sum_ in zip(PLAYERS, sums, strict=True) if sum_]


def answer_results(engine: Engine, option: int) -> list[Result]:
    """What one answer to a question of an effect costs and brings its player at once: cards drawn, damage taken."""
    trial = endless(engine)
    events: list[RawEvent] = []
    trial.log = events
    trial.push(option)
    trial.log = None
    out: list[Result] = []
    for kind, name in ((ev.DREW, "draw"), (ev.DAMAGED, "damage")):
        found = [event for event in events if event[0] == kind and event[1] == engine.asked]
        number = sum(count(event[2]) if kind == ev.DREW else int(event[4]) for event in found)
        if number:
            out.append(Result("draw" if name == "draw" else "damage", f"player:{PLAYERS[engine.asked]}", number))
    return out


def numbers(s: Engine) -> dict[int, tuple[str, int]]:
    """Every unit by its id: where it lies, and a soldier's number."""
    out: dict[int, tuple[str, int]] = {}
    for name, side in zip(PLAYERS, s.sides, strict=True):
        for unit in side.soldiers:
            out[int(unit.id)] = (f"unit:{name}:{NAMES[unit.lead]}", int(s.number(side, unit)))
        for place, unit in enumerate(side.bulwarks, 1):
            out[int(unit.id)] = (f"unit:{name}:b{place}", 0)
    return out


def hidden_target(s: Engine, request: Request) -> bool:
    unit = s.unit(request.target) if request.target_kind == UNIT else None
    return unit is not None and s.rules.kinds[unit.kind].bulwark


def endless(engine: Engine) -> Engine:
    """A copy in which nobody runs out of life: what comes of a fight there does not depend on how many cards are left,
    which only their owner knows (R-210)."""
    trial = engine.copy()
    for side in trial.sides:
        side.life = [0] * CARDS + side.life
    return trial


def loses(engine: Engine, name: str, damage: int) -> bool:
    """Whether this much damage ends the game, to the knowledge of the seat that is asked."""
    place = SEATS.index(name)
    life = len(engine.sides[place].life)
    return (place == engine.asked or life < PUBLIC_LIFE) and 0 < life <= damage


def clashes_of(s: Engine, attacking: int, fighting: list[Unit]) -> tuple[list[Clash], dict[int, str]]:
    side, other = s.sides[attacking], s.sides[1 - attacking]
    ids: dict[int, str] = {}
    clashes = []
    for unit in fighting:
        clash = Clash(code_place(s.code_of(attacking, unit)), int(s.number(side, unit)))
        for blocker in [*other.soldiers, *other.bulwarks]:
            if blocker.role == BLOCKER and blocker.blocks == unit.id:
                word = code_place(s.code_of(1 - attacking, blocker))
                ids[int(blocker.id)] = word
                clash.blockers.append(word)
                if not s.rules.kinds[blocker.kind].bulwark:
                    clash.total = (clash.total or 0) + int(s.number(other, blocker))
        clashes.append(clash)
    return clashes, ids
