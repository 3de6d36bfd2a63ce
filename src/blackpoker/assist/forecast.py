"""What a fight will come to if nobody adds anything: the engine plays it on, on a copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from blackpoker.rules import events as ev
from blackpoker.rules.cards import CARDS
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.names import PLAYERS, code_place
from blackpoker.rules.state import ATTACKER, ATTACKERS_KIND, BLOCKER, BLOCKERS_KIND, DONE, Unit

SeatName = Literal["p1", "p2"]

#: more windows than stand between naming attackers and the judgement
MOST_STEPS = 60
SEATS: Final[tuple[SeatName, SeatName]] = ("p1", "p2")
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
