"""Forecasts: the certain results of a move, or of the request on top of the stage, if there is no response.

The move is played on with passes in several worlds that agree with everything the asked seat knows
(`blackpoker.determinization`). Whatever the seat does not know differs between the worlds, and so do the answers to
questions on the way. A result that is equal in all worlds is certain; nothing else is reported. So a forecast depends
on nothing that is hidden from its seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.determinization import PriorKnowledge, determinize
from blackpoker.engine import events as ev
from blackpoker.engine.cards import ALL, CARDS, NAMES, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, NOTHING, PASS, SETUP, UNDECIDED
from blackpoker.engine.locations import PLAYERS, option_location
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKER,
    BLOCKERS_KIND,
    DONE,
    LIFE_COUNTED,
    Side,
    Unit,
)
from blackpoker.engine.views import Player
from blackpoker.text.markup import RichText

#: worlds of a forecast, and of one in which a player loses
WORLDS: Final = 16
LETHAL_WORLDS: Final = 48
#: between the cards of two worlds at one place. A prime above the number of cards: no two worlds have the same
#: card there, as far as there are enough
STRIDE: Final = 59
#: more than the number of decisions until a request and everything it raised have taken effect
MAX_DECISIONS: Final = 200
#: the seat of a forecast is not sure of any deck: each card it has not seen may be anywhere. The number assumed for a
#: deck leaves cards for its pack
UNKNOWN_DECKS: Final = PriorKnowledge([ALL, ALL], [ALL, ALL], [0, 0], 40)
#: events of the request's own progress, which are no effect
NO_EFFECT: Final = frozenset(
    {ev.DECLARED, ev.PASSED, ev.RESOLVING, ev.FIZZLED, ev.STAGED, ev.KEYS_SPENT, ev.KEYS_RETURNED, ev.BONUS}
)
#: events whose first number depends on the card
WITH_FACE: Final = frozenset({ev.ENTERED, ev.TURNED, ev.RETURNED})
#: events whose last number is an id, equal in every world; that of any other event may be a hidden card
WITH_ID: Final = frozenset({ev.DECLARED, ev.RESOLVING, ev.NEGATED, ev.RAISED, ev.STAGED, ev.BURIED, ev.DROVE})
ResultKind = Literal["negated", "falls", "leaves", "number", "drives", "charges", "damage", "draw", "discard"]
#: order in which results are listed
RESULT_KINDS: Final[tuple[ResultKind, ...]] = (
    "negated",
    "falls",
    "leaves",
    "number",
    "drives",
    "charges",
    "damage",
    "draw",
    "discard",
)
NO_LIFE: Final = -1


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


@dataclass
class ForecastResult:
    """One certain result: a request is ``negated``; a unit ``falls``, ``leaves`` the field otherwise, has another
    ``number``, is driven or charged; a player takes ``damage``, draws or discards. ``location`` as in
    ``notation.options.board_location``. For damage and drawn cards ``previous`` and ``life`` are the player's life
    before and after the effect, -1 if not both are certain and known to the seat."""

    kind: ResultKind
    location: str
    number: int = 0
    previous: int = 0
    life: int = NO_LIFE
    text: RichText = field(default_factory=RichText)


class Forecast(NamedTuple):
    """``cost``: the certain events until the own request takes effect; ``effect``: the certain events from then on up
    to the first uncertain one; ``results``: the certain results of the effect. ``clashes`` and ``damage`` (the raw sum
    per player, regardless of life) of a fight; ``lethal_for``: the players who certainly lose; ``futile``: the effect
    changes nothing; ``life_lost`` and ``life``: the cards that leave the own life, and those left, -1 if that is
    uncertain."""

    cost: list[RawEvent]
    effect: list[RawEvent]
    results: list[ForecastResult]
    clashes: list[ForecastClash]
    damage: dict[str, int]
    lethal_for: list[Player]
    futile: bool
    life_lost: int
    life: int


NO_FORECAST: Final = Forecast([], [], [], [], {}, [], False, 0, NO_LIFE)

#: what is true in a world, by its name and the id of a unit or request or the number of a player
Facts = dict[tuple[str, int], tuple[int, ...]]


# -- the worlds --------------------------------------------------------------------------------------------------------


def world_of(engine: Engine, number: int) -> Engine:
    """Return one of the worlds that agree with what the asked seat knows. An opponent's life that the seat cannot count
    does not run out."""
    seat = int(engine.asked)
    world = determinize(engine, seat, UNKNOWN_DECKS, Shuffler(1), number * STRIDE)
    world.source = seeded(number)
    if len(engine.sides[1 - seat].life) >= LIFE_COUNTED:
        add_life(world.sides[1 - seat])
    return world


def add_life(side: Side) -> None:
    """Put more cards under a life than can be lost."""
    side.life = [0] * CARDS + side.life


def fight_is_chosen(engine: Engine) -> bool:
    """Return whether attackers or blockers are being chosen: their fight is played out with no further blockers."""
    return engine.kind in (ATTACKERS_KIND, BLOCKERS_KIND)


class Playout:
    """One world after a move and passes for both players, until the requests it is about have taken effect.
    ``effect_start``: the index of the first event of the effect."""

    def __init__(self, engine: Engine, world: Engine, options: Sequence[int], number: int) -> None:
        self.trial = world
        self.number = number
        self.events: list[RawEvent] = []
        self.request_id = -1
        self.life_before = [len(side.life) for side in world.sides]  # … of the effect
        self.clashes: list[ForecastClash] = []
        self.clash_ids: list[tuple[int, list[int]]] = []
        passes = not options or (engine.kind == CHANCE_KIND and options[0] == PASS)
        kept = engine.stage[:-1] if passes else engine.stage
        self.kept_ids = {int(request.id) for request in kept}
        if passes and engine.stage:
            self.request_id = int(engine.stage[-1].id)
        self.unblocked = fight_is_chosen(engine)
        self.attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
        choices = seeded(number + LETHAL_WORLDS)
        world.log = self.events
        for at, option in enumerate(options):
            self.take(matching_option(engine, world, option) if at == 0 else option)
        if engine.kind == CHANCE_KIND and not passes:
            self.request_id = next((event[5] for event in self.events if event[0] == ev.DECLARED), -1)
        self.play_on(choices)
        world.log = None
        started = (
            at for at, event in enumerate(self.events) if event[0] == ev.RESOLVING and event[5] == self.request_id
        )
        in_effect = 0 if self.request_id < 0 else len(self.events)
        self.effect_start: int = next(started, in_effect)

    def take(self, option: int) -> None:
        if not self.has_begun():
            self.life_before = [len(side.life) for side in self.trial.sides]
        self.trial.push(option)

    def has_begun(self) -> bool:
        return any(event[0] == ev.RESOLVING and event[5] == self.request_id for event in self.events)

    def play_on(self, choices: Shuffler) -> None:
        """Pass for both players, and answer anything else by chance."""
        trial = self.trial
        for _ in range(MAX_DECISIONS):
            if trial.kind == NOTHING or trial.winner != UNDECIDED:
                return
            if self.unblocked:
                self.list_clashes()
            if trial.kind == CHANCE_KIND:
                unresolved = any(int(request.id) not in self.kept_ids for request in trial.stage)
                if not unresolved or PASS not in trial.options:
                    return
                self.take(PASS)
            elif trial.kind == BLOCKERS_KIND and self.unblocked:
                self.take(DONE)
            else:
                self.take(trial.options[int(choices.below(len(trial.options)))])

    def list_clashes(self) -> None:
        """Keep the clashes of the fight as they are before its judgement."""
        fighting = [unit for unit in self.trial.sides[self.attacking].soldiers if unit.role == ATTACKER]
        if fighting:
            self.clashes, self.clash_ids = clashes_of(self.trial, self.attacking, fighting)

    @property
    def effect(self) -> list[RawEvent]:
        """The events of the effect and of everything it raised, up to the next turn."""
        effect = self.events[self.effect_start :]
        return effect[: next((at for at, event in enumerate(effect) if event[0] == ev.TURN), len(effect))]

    @property
    def losers(self) -> list[int]:
        """The players without life, or both in a draw."""
        winner = self.trial.winner
        if winner == UNDECIDED:
            return [player for player, side in enumerate(self.trial.sides) if not side.life]
        return [0, 1] if winner == DRAW else [1 - int(winner)]


def matching_option(engine: Engine, world: Engine, option: int) -> int:
    """Return the option of a world at the place of this option; a card that the seat cannot see has another name
    there."""
    if option in world.options or option not in engine.options:
        return option
    at = engine.options.index(option)
    return world.options[min(at, len(world.options) - 1)]


# -- what is certain ---------------------------------------------------------------------------------------------------


def forecast(engine: Engine, options: Sequence[int] = ()) -> Forecast:
    """Return the forecast of a whole move of the asked seat; of a pass or without a move that of the request on top of
    the stage."""
    if engine.kind == NOTHING or engine.point == SETUP or engine.draft is not None:
        return NO_FORECAST
    passes = not options or (engine.kind == CHANCE_KIND and options[0] == PASS)
    if passes and (engine.kind != CHANCE_KIND or not engine.stage):
        return NO_FORECAST
    first: Playout | None = None
    facts: Facts = {}
    cost: list[RawEvent] = []
    effect: list[RawEvent] = []
    for number in range(LETHAL_WORLDS):
        if number >= WORLDS and not any(name == "lethal" for name, _ in facts):
            break
        playout = Playout(engine, world_of(engine, number), options, number)
        if playout.trial.draft is not None:
            return NO_FORECAST  # the move is not whole
        found = facts_of(engine, playout, options)
        paid = playout.events[: playout.effect_start]
        if first is None:
            first, facts, cost, effect = playout, found, paid, playout.effect
        else:
            facts = {fact: value for fact, value in facts.items() if found.get(fact) == value}
            cost = cost[: common_length(cost, paid)]
            effect = effect[: common_length(effect, playout.effect)]
        if not facts and not cost and not effect:
            break
    assert first is not None
    return forecast_from(engine, first, facts, cost, effect)


def common_length(one: list[RawEvent], other: list[RawEvent]) -> int:
    """Return the number of events that are equal at the start of both lists, except for the cards."""
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if signature(first) != signature(second):
            return at
    return min(len(one), len(other))


def signature(event: RawEvent) -> tuple[int, ...]:
    about = event[4] if event[0] not in WITH_FACE else 0
    return (event[0], event[1], about, event[5] if event[0] in WITH_ID else 0)


def facts_of(engine: Engine, playout: Playout, options: Sequence[int]) -> Facts:
    """Return everything a seat would be told of this world."""
    seat = int(engine.asked)
    trial = playout.trial
    effect = playout.effect
    before = unit_numbers(engine)
    out: Facts = {}
    staged = {int(request.id) for request in engine.stage}
    gone: set[int] = set()
    for event in effect:
        kind, unit = event[0], int(event[5])
        if kind == ev.NEGATED and unit in staged:
            out["negated", unit] = ()
        elif kind == ev.BURIED and unit in before:
            out["falls", unit] = (before[unit][1],)
            gone.add(unit)
        elif kind in (ev.DROVE, ev.CHARGED) and unit in before:
            out.pop(("drives", unit), None)
            out.pop(("charges", unit), None)
            out["drives" if kind == ev.DROVE else "charges", unit] = ()
    after = unit_numbers(trial)
    next_turn = any(event[0] == ev.TURN for event in playout.events)
    for unit, (_, number) in before.items():
        if unit not in after:
            if unit not in gone and not any(event[5] == unit and event[0] == ev.BURIED for event in playout.events):
                out["leaves", unit] = ()
            out.pop(("drives", unit), None)
            out.pop(("charges", unit), None)
        elif after[unit][1] != number and not next_turn:
            out["number", unit] = (after[unit][1], number)
    add_player_facts(engine, playout, effect, out, options)
    for loser in playout.losers:
        out["lethal", loser] = ()
    if playout.request_id >= 0 and options and playout.effect_start < len(playout.events):
        changed = any(event[0] == ev.BONUS for event in effect) and unit_numbers(engine) != after
        if not changed and all(event[0] in NO_EFFECT for event in effect):
            out["futile", 0] = ()
    lost = sum(life_lost(event) for event in playout.events if event[1] == seat)
    out["life", seat] = (lost, len(trial.sides[seat].life))
    return out


def add_player_facts(
    engine: Engine, playout: Playout, effect: list[RawEvent], out: Facts, options: Sequence[int]
) -> None:
    """Add damage, drawn and discarded cards of each player."""
    seat = int(engine.asked)
    damage = [0, 0]
    drawn = [0, 0]
    discarded = [0, 0]
    for event in effect:
        if event[0] == ev.DAMAGED:
            damage[event[1]] += int(event[4])
        elif event[0] == ev.DREW:
            drawn[event[1]] += count(event[2])
        elif event[0] == ev.DISCARDED:
            discarded[event[1]] += int(event[4])
    if playout.trial.winner != UNDECIDED and any(damage):
        damage = total_damage(engine, playout, options, damage)
    for player, side in enumerate(playout.trial.sides):
        counted = player == seat or len(engine.sides[player].life) < LIFE_COUNTED
        if counted and (damage[player] or drawn[player]):
            out["lives", player] = (playout.life_before[player], len(side.life))
        if damage[player]:
            out["damage", player] = (damage[player],)
        if drawn[player]:
            out["draw", player] = (drawn[player],)
        if discarded[player]:
            out["discard", player] = (discarded[player],)


def total_damage(engine: Engine, playout: Playout, options: Sequence[int], capped: list[int]) -> list[int]:
    """Return the damage of an effect that ends the game, regardless of life."""
    number = playout.number
    world = world_of(engine, number)
    for side in world.sides:
        add_life(side)
    again = Playout(engine, world, options, number)
    resolved = sum(event[0] == ev.RESOLVING for event in playout.events)
    out = [0, 0]
    for at, event in enumerate(again.events):
        if event[0] == ev.RESOLVING:
            resolved -= 1
            if resolved < 0:
                break
        if event[0] == ev.DAMAGED and at >= again.effect_start:
            out[event[1]] += int(event[4])
    return [max(one, other) for one, other in zip(out, capped, strict=True)]


def forecast_from(
    engine: Engine, first: Playout, facts: Facts, cost: list[RawEvent], effect: list[RawEvent]
) -> Forecast:
    """Return the facts as a forecast."""
    before = unit_numbers(engine)
    staged = {int(request.id): at for at, request in enumerate(engine.stage, 1)}
    results: list[ForecastResult] = []
    for kind in RESULT_KINDS:
        for (name, about_id), value in facts.items():
            if name != kind:
                continue
            if kind == "negated":
                results.append(ForecastResult(kind, f"stage:{staged[about_id]}"))
            elif kind in ("damage", "draw"):
                life_before, life = facts.get(("lives", about_id), (0, NO_LIFE))
                place = f"player:{PLAYERS[about_id]}"
                results.append(ForecastResult(kind, place, value[0], life_before, life))
            elif kind == "discard":
                results.append(ForecastResult(kind, f"player:{PLAYERS[about_id]}", value[0]))
            else:
                place = before[about_id][0]
                number, previous = value if kind == "number" else (0, *(value or (0,)))
                results.append(ForecastResult(kind, place, number, previous))
    for clash, (attacker, blockers) in zip(first.clashes, first.clash_ids, strict=True):
        clash.falls = ("falls", attacker) in facts
        clash.fallen_blockers = [
            place for place, id in zip(clash.blockers, blockers, strict=True) if ("falls", id) in facts
        ]
    damage: dict[str, int] = {
        name: facts["damage", player][0] for player, name in enumerate(PLAYERS) if ("damage", player) in facts
    }
    lethal = [name for player, name in enumerate(PLAYERS) if ("lethal", player) in facts]
    lost, life = facts.get(("life", int(engine.asked)), (0, NO_LIFE))
    return Forecast(cost, effect, results, first.clashes, damage, lethal, ("futile", 0) in facts, lost, life)


def life_lost(event: RawEvent) -> int:
    """Return the number of cards an event takes from its player's life."""
    if event[0] == ev.DAMAGED:
        return int(event[4])
    return count(event[2]) if event[0] == ev.DREW else 0


def blockers_of(side: Side, attacker: Unit) -> list[Unit]:
    """Return the units of a side that block this attacker."""
    units = (*side.soldiers, *side.bulwarks)
    return [unit for unit in units if unit.role == BLOCKER and unit.blocks == attacker.id]


def unit_numbers(s: Engine) -> dict[int, tuple[str, int]]:
    """Return the location of every unit by id, and a soldier's number."""
    out: dict[int, tuple[str, int]] = {}
    for name, side in zip(PLAYERS, s.sides, strict=True):
        for unit in side.soldiers:
            out[int(unit.id)] = (f"unit:{name}:{NAMES[unit.lead]}", int(s.number(side, unit)))
        for place, unit in enumerate(side.bulwarks, 1):
            out[int(unit.id)] = (f"unit:{name}:b{place}", 0)
    return out


def clashes_of(
    s: Engine, attacking: int, fighting: list[Unit]
) -> tuple[list[ForecastClash], list[tuple[int, list[int]]]]:
    """Return the clashes of these attackers, and for each the ids of the attacker and its blockers."""
    side, other = s.sides[attacking], s.sides[1 - attacking]
    ids: list[tuple[int, list[int]]] = []
    clashes = []
    for unit in fighting:
        clash = ForecastClash(option_location(s.code_of(attacking, unit)), int(s.number(side, unit)))
        blockers = blockers_of(other, unit)
        for blocker in blockers:
            clash.blockers.append(option_location(s.code_of(1 - attacking, blocker)))
            if not s.rules.kinds[blocker.kind].bulwark:
                clash.blockers_total = (clash.blockers_total or 0) + int(s.number(other, blocker))
        clashes.append(clash)
        ids.append((int(unit.id), [int(blocker.id) for blocker in blockers]))
    return clashes, ids
