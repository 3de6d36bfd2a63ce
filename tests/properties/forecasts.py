"""Forecasts shown before a move is confirmed, compared with the result if every player passes: no forecast is false,
and it is equal in every world the seat cannot tell from the real one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from blackpoker.ai.determinization import PriorKnowledge, cards_on_stage, determinize
from blackpoker.assist.decision import Draft
from blackpoker.assist.forecast import unit_numbers, with_endless_life
from blackpoker.engine import events as ev
from blackpoker.engine.cards import card_set, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import ATTACKERS_KIND, BLOCKERS_KIND, DONE
from blackpoker.ruleset import Regulation, new_game
from blackpoker.scenario.scenario import read_scenario
from blackpoker.scenario.scenario import start_variant as scenario_start

SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYERS_AT = ("unit:p1:", "unit:p2:")
MOST_SENTENCES = 400
MOST_PASSES = 60


class Ledger:
    """Counts of forecasts that came true and of cases without a forecast."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.missing_by_action: Counter[str] = Counter()  # by action
        self.false: list[str] = []
        self.actions: Counter[str] = Counter()

    @property
    def forecasts(self) -> int:
        return sum(self.made.values())

    def add(self, other: Ledger) -> None:
        self.made += other.made
        self.missing += other.missing
        self.false += other.false
        self.actions += other.actions


def starts(first: int, games: int) -> Iterator[tuple[str, Engine]]:
    """Yield new games of every format in turn."""
    for seed in range(first, first + games):
        name = ("lite", "standard", "pro", "master", "extra")[seed % 5]
        engine = new_game(Regulation.parse(f"{name}+full"), seeded(seed))
        engine.advance()
        yield f"{name} {seed}", engine


def positions() -> Iterator[tuple[str, Engine]]:
    """Yield every scenario's position: they cover cases that random games rarely reach."""
    for path in sorted(SCENARIOS.glob("*/*.toml")):
        for variant in read_scenario(path.read_text(encoding="utf-8")).variants:
            if variant.position:
                yield f"{path.stem} {variant.name}", scenario_start(variant).engine.copy()


def play(
    name: str, engine: Engine, chance: Shuffler, ledger: Ledger, most: int = MOST_SENTENCES, leaks: int = 7
) -> None:
    """Play random moves to the end of the game and check each before it is played; every ``leaks``-th also in another
    world."""
    for number in range(most):
        if engine.winner != UNDECIDED:
            return
        draft = random_move(engine, chance)
        where = f"{name} #{number} {draft.text}"
        check(where, engine, draft, ledger)
        if number % leaks == 0:
            check_other_world(where, engine, draft, ledger, number)
        for option in draft.options:
            engine.push(option)


def random_move(engine: Engine, chance: Shuffler) -> Draft:
    draft = Draft(engine)
    while not draft.complete and draft.engine.winner == UNDECIDED:
        options = draft.engine.options
        if not draft.options and engine.kind == CHANCE_KIND and len(options) > 1 and chance.below(3):
            options = options[1:] if options[0] == PASS else options  # prefer actions to passing
        draft.push(options[chance.below(len(options))])
    return draft


def check(where: str, engine: Engine, draft: Draft, ledger: Ledger) -> None:
    """Compare the forecast of the move with the engine."""
    real = engine.copy()
    events: list[RawEvent] = []
    real.log = events
    before = {int(request.id) for request in engine.stage}
    for option in draft.options:
        real.push(option)
    if engine.kind == CHANCE_KIND and draft.options[0] != PASS:
        ledger.actions[engine.rules.plans[draft.options[0] - 1].id] += 1
    own_request = draft.is_request
    for _ in range(MOST_PASSES):
        fresh = any(int(request.id) not in before for request in real.stage)
        if real.winner != UNDECIDED or not fresh or real.kind != CHANCE_KIND or PASS not in real.options:
            break
        real.push(PASS)
    mine = next((event[5] for event in events if event[0] == ev.DECLARED), -1) if own_request else -1
    begin = next((n for n, event in enumerate(events) if event[0] == ev.RESOLVING and event[5] == mine), len(events))
    done = events[begin:] if own_request else events
    over = real.winner != UNDECIDED
    seat = draft.player
    lost = real.winner in (1 - seat, DRAW) or not real.sides[seat].life

    def fault(what: str) -> None:
        ledger.false.append(f"{where}: {what}")

    whole = draft.projection.after is not None
    for one in draft.results:
        ledger.made[one.kind] += 1
        if one.kind == "falls":
            unit = next(id for id, (place, _) in unit_numbers(engine).items() if place == one.location)
            if not any(event[0] == ev.BURIED and event[5] == unit for event in done) and not over:
                fault(f"{one.location} should fall")
        elif one.kind == "number":
            unit = next(id for id, (place, _) in unit_numbers(engine).items() if place == one.location)
            if not over and unit_numbers(real).get(unit, ("", None))[1] != one.number:
                fault(f"{one.location} should be {one.number}, is {unit_numbers(real).get(unit)}")
        elif one.kind == "negated":
            request = engine.stage[int(one.location.split(":")[1]) - 1].id
            if real.staged_request(request) is not None:
                fault(f"{one.location} should be negated")
        else:
            player = PLAYERS.index(one.location.split(":")[1])
            kind = ev.DAMAGED if one.kind == "damage" else ev.DREW
            sums = sum(
                event[4] if kind == ev.DAMAGED else count(event[2])
                for event in done
                if event[0] == kind and event[1] == player
            )
            if not (sums == one.number or over or (not whole and sums > one.number)):
                fault(f"{one.location}: {one.kind} {one.number}, was {sums}")
    paid = sum(event[4] for event in draft.projection.cost if event[0] == ev.DAMAGED and event[1] == seat)
    if own_request:
        ledger.made["price"] += 1
        really = sum(event[4] for event in events[:begin] if event[0] == ev.DAMAGED and event[1] == seat)
        if paid != really and not over:
            fault(f"costs {really} life, {paid} told")
    warned = draft.warnings
    if "lose" in warned:
        ledger.made["lose"] += 1
        lost = lost or (engine.kind != CHANCE_KIND and loses_later(real, seat))
        if not lost:
            fault("told to lose, and does not")
    elif lost and own_request:
        ledger.missing["lose"] += 1
        ledger.missing_by_action[f"lose {action_of(engine, draft)}"] += 1
    if own_request and not over:
        effect = [e for e in done if e[0] not in (ev.RESOLVING, ev.PASSED, ev.KEYS_SPENT, ev.KEYS_RETURNED, ev.FIZZLED)]
        waits = real.kind != CHANCE_KIND
        vain = begin < len(events) and not waits and not [e for e in effect if e[0] != ev.BONUS]
        vain = vain and (not effect or unit_numbers(engine) == unit_numbers(real))
        if "vain" in warned:
            ledger.made["vain"] += 1
            if not vain and not draft.attack_without_attackers:
                fault(f"told to do nothing, and does {effect}")
        elif vain:
            ledger.missing["vain"] += 1
            ledger.missing_by_action[f"vain {action_of(engine, draft)}"] += 1
    if draft.projection.after is None and own_request:
        ledger.missing["hidden"] += 1
    if engine.kind in (ATTACKERS_KIND, BLOCKERS_KIND):
        check_fight(engine, draft, ledger, fault)


def check_fight(engine: Engine, draft: Draft, ledger: Ledger, fault: Callable[[str], None]) -> None:
    """Check the fallen soldiers and the damage of a fight up to its judgement, with no blockers for attacks not yet
    answered."""
    found = draft.forecast
    if not found.clashes:
        ledger.missing["fight"] += 1
        return
    ledger.made["fight"] += 1
    real = with_endless_life(engine)  # the amount of damage does not depend on the amount of life
    attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
    names = {
        place.split(":")[2]: id
        for id, (place, _) in unit_numbers(engine).items()
        if place.startswith(PLAYERS_AT[attacking])
    }
    events: list[RawEvent] = []
    real.log = events
    for option in draft.options:
        real.push(option)
    for _ in range(MOST_PASSES):
        judged = any(event[0] == ev.RESOLVING and real.rules.plans[event[4]].judges for event in events)
        if judged or real.winner != UNDECIDED or real.kind not in (CHANCE_KIND, BLOCKERS_KIND):
            break
        real.push(DONE if real.kind == BLOCKERS_KIND else PASS)
    if not judged:
        return
    buried = {event[5] for event in events if event[0] == ev.BURIED}
    for clash in found.clashes:
        if clash.falls != (names[clash.attacker] in buried):
            fault(f"{clash.attacker} told to {'fall' if clash.falls else 'stand'}, and does not")
    judgement = next(n for n, e in enumerate(events) if e[0] == ev.RESOLVING and real.rules.plans[e[4]].judges)
    for player, name in enumerate(PLAYERS):
        sums = sum(event[4] for event in events[judgement:] if event[0] == ev.DAMAGED and event[1] == player)
        if found.damage.get(name, 0) != sums:
            fault(f"{name}: {sums} damage, {found.damage.get(name, 0)} told")


def action_of(engine: Engine, draft: Draft) -> str:
    return engine.rules.plans[draft.options[0] - 1].id


def loses_later(real: Engine, seat: int) -> bool:
    """Return whether the seat loses when the fight is played on to its judgement."""
    for _ in range(MOST_PASSES):
        if real.winner != UNDECIDED:
            break
        if real.kind == CHANCE_KIND and PASS in real.options and real.stage:
            real.push(PASS)
        elif real.kind == BLOCKERS_KIND:
            real.push(DONE)
        else:
            break
    return real.winner in (1 - seat, DRAW) or not real.sides[seat].life


def forecast_of(engine: Engine, options: list[int]) -> tuple[object, ...]:
    draft = Draft(engine)
    for option in options:
        draft.push(option)
    paid = [(event[0], event[1], event[4] if event[0] == ev.DAMAGED else 0) for event in draft.projection.cost]
    return draft.warnings, draft.results, paid


def briefing(engine: Engine) -> PriorKnowledge:
    """Return the prior knowledge in which each player knows the cards of the other's deck: those in the game."""
    pools = []
    for player, side in enumerate(engine.sides):
        cards = card_set(side.life) | side.hand | side.grave | side.pack | side.aside | card_set(side.trumps)
        for unit in (*side.soldiers, *side.bulwarks):
            cards |= unit.cards
        pools.append(cards | cards_on_stage(engine, player))
    return PriorKnowledge(pools, pools[:], [count(pool) for pool in pools], 54)


def check_other_world(where: str, engine: Engine, draft: Draft, ledger: Ledger, seed: int) -> None:
    """Check that the forecast is equal in another world that looks the same to the seat."""
    world = determinize(engine, draft.player, briefing(engine), seeded(seed))
    ledger.made["elsewhere"] += 1
    here, there = forecast_of(engine, draft.options), forecast_of(world, draft.options)
    if here != there:
        ledger.false.append(f"{where}: told {here} here and {there} in a world that looks the same")


def main() -> int:
    """Run ``python -m tests.properties.forecasts [GAMES]``: every scenario's position and this number of games."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    ledger = Ledger()
    for number, (name, engine) in enumerate(positions()):
        play(name, engine, seeded(number), ledger, 20)
    for number, (name, engine) in enumerate(starts(0, games)):
        play(name, engine, seeded(number), ledger)
    print(f"forecasts: {ledger.forecasts} of {len(ledger.actions)} actions; {len(ledger.false)} false")
    print(f"  told: {dict(ledger.made)}")
    print(f"  silent: {dict(ledger.missing)}; of which actions: {dict(ledger.missing_by_action)}")
    for line in ledger.false[:20]:
        print(f"  {line[:400]}")
    return 1 if ledger.false else 0


if __name__ == "__main__":
    sys.exit(main())
