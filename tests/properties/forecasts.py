"""Forecasts shown before a move is confirmed, compared with the result if every player passes: no forecast is false,
and it is equal in every world the seat cannot tell from the real one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from blackpoker.assist.decision import Draft
from blackpoker.assist.forecast import NO_EFFECT, unit_numbers
from blackpoker.determinization import PriorKnowledge, cards_on_stage, determinize
from blackpoker.engine import events as ev
from blackpoker.engine.cards import CARDS, card_set, count
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import ATTACKERS_KIND, BLOCKERS_KIND, DONE, LIFE_COUNTED
from blackpoker.ruleset import Regulation, new_game
from blackpoker.scenario.scenario import read_scenario
from blackpoker.scenario.scenario import start_variant as scenario_start

SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYERS_AT = ("unit:p1:", "unit:p2:")
MOST_SENTENCES = 400
MOST_PASSES = 200
WORLDS_SAMPLED = 8


class Ledger:
    """Counts of forecasts that came true and of cases without a forecast."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.missing_by_action: Counter[str] = Counter()  # by action
        self.false: list[str] = []
        self.actions: Counter[str] = Counter()
        self.worlds = 0
        self.claimed = 0  # what is equal in all sampled worlds, and claimed …
        self.unclaimed: Counter[str] = Counter()  # … or not
        self.silent: list[str] = []
        self.losses: Counter[str] = Counter()  # certain losses that a seat is told of

    @property
    def forecasts(self) -> int:
        return sum(self.made.values())

    def add(self, other: Ledger) -> None:
        self.made += other.made
        self.missing += other.missing
        self.false += other.false
        self.actions += other.actions
        self.worlds += other.worlds
        self.claimed += other.claimed
        self.unclaimed += other.unclaimed
        self.silent += other.silent
        self.losses += other.losses


def starts(first: int, games: int) -> Iterator[tuple[str, Engine]]:
    """Yield new games of every format in turn."""
    for seed in range(first, first + games):
        name = ("lite", "standard", "pro", "master", "extra")[seed % 5]
        engine = new_game(Regulation.parse(f"{name}+full"), seeded(seed))
        engine.advance()
        yield f"{name} {seed}", engine


def positions() -> Iterator[tuple[str, Engine]]:
    """Yield the position of every scenario of edition 6: they cover cases that random games rarely reach."""
    for path in sorted(SCENARIOS.glob("[a-z]*/*.toml")):
        for variant in read_scenario(path.read_text(encoding="utf-8")).variants:
            if variant.position:
                yield f"{path.stem} {variant.name}", scenario_start(variant)._engine.copy()


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
            check_worlds(where, engine, draft, ledger, number)
        if number % leaks == 3:
            check_lethal(where, engine, draft, ledger, number)
        for option in draft.options:
            engine.push(option)


def random_move(engine: Engine, chance: Shuffler) -> Draft:
    draft = Draft(engine)
    while not draft.complete and draft._engine.winner == UNDECIDED:
        options = draft._engine.options
        if not draft.options and engine.kind == CHANCE_KIND and len(options) > 1 and chance.below(3):
            options = options[1:] if options[0] == PASS else options  # prefer actions to passing
        draft.push(options[chance.below(len(options))])
    return draft


class Outcome:
    """A world after a move and passes for both players: what the forecast describes."""

    def __init__(self, engine: Engine, world: Engine, draft: Draft, chance: Shuffler) -> None:
        self.world = world
        self.events: list[RawEvent] = []
        world.log = self.events
        passes = engine.kind == CHANCE_KIND and draft.options[0] == PASS
        kept = {int(request.id) for request in (engine.stage[:-1] if passes else engine.stage)}
        for option in draft.options:
            world.push(option)
        self.request = int(engine.stage[-1].id) if passes and engine.stage else -1
        if draft.is_request:
            self.request = next(event[5] for event in self.events if event[0] == ev.DECLARED)
        fight = engine.kind in (ATTACKERS_KIND, BLOCKERS_KIND)
        for _ in range(MOST_PASSES):
            if world.winner != UNDECIDED:
                break
            if world.kind == CHANCE_KIND:
                if PASS not in world.options or all(int(request.id) in kept for request in world.stage):
                    break
                world.push(PASS)
            elif fight and world.kind == BLOCKERS_KIND:
                world.push(DONE)
            else:
                world.push(world.options[chance.below(len(world.options))])
        world.log = None
        self.over = world.winner != UNDECIDED
        starts = [n for n, e in enumerate(self.events) if e[0] == ev.RESOLVING and e[5] == self.request]
        self.begin = starts[0] if starts else 0 if self.request < 0 else len(self.events)
        done = self.events[self.begin :]
        turns = [n for n, event in enumerate(done) if event[0] == ev.TURN]
        self.done = done[: turns[0]] if turns else done
        self.next_turn = any(event[0] == ev.TURN for event in self.events)

    def loses(self, player: int) -> bool:
        if self.over:
            return self.world.winner in (1 - player, DRAW)
        return not self.world.sides[player].life

    def sum(self, kind: int, player: int) -> int:
        return sum(
            count(event[2]) if kind == ev.DREW else event[4]
            for event in self.done
            if event[0] == kind and event[1] == player
        )

    def facts(self, engine: Engine) -> dict[tuple[str, str], int]:
        """Return what is true in this world, by the kind and location of a result."""
        out: dict[tuple[str, str], int] = {}
        units = unit_numbers(engine)
        after = unit_numbers(self.world)
        for unit, (place, number) in units.items():
            if any(event[0] == ev.BURIED and event[5] == unit for event in self.done):
                out["falls", place] = 0
            elif unit in after and after[unit][1] != number and not self.next_turn:
                out["number", place] = after[unit][1]
        for at, request in enumerate(engine.stage, 1):
            if any(event[0] == ev.NEGATED and event[5] == request.id for event in self.done):
                out["negated", f"stage:{at}"] = 0
        for player, name in enumerate(PLAYERS):
            for kind, event_kind in (("damage", ev.DAMAGED), ("draw", ev.DREW)):
                if sums := self.sum(event_kind, player):
                    out[kind, f"player:{name}"] = sums
        return out


def check(where: str, engine: Engine, draft: Draft, ledger: Ledger) -> None:
    """Compare the forecast of the move with the engine."""
    if draft.is_request:
        ledger.actions[engine.rules.plans[draft.options[0] - 1].id] += 1
    verify(where, engine, draft, Outcome(engine, engine.copy(), draft, seeded(len(where))), ledger)
    if engine.kind in (ATTACKERS_KIND, BLOCKERS_KIND):
        check_fight(where, engine, draft, ledger)


def verify(where: str, engine: Engine, draft: Draft, outcome: Outcome, ledger: Ledger) -> None:
    """Compare all claims with one world."""
    if outcome.over and any(event[0] == ev.MILLED for event in outcome.events):
        return  # a search to the end of a life: the few cards of a scenario lack whole ranks, which no deck does
    found = draft.forecast
    true = outcome.facts(engine)
    seat = draft.seat

    def fault(what: str) -> None:
        ledger.false.append(f"{where}: {what}")

    for one in found.results:
        ledger.made[one.kind] += 1
        if one.kind in ("negated", "falls", "number", "damage", "draw"):
            real = true.get((one.kind, one.location))
            if real != one.number and not (outcome.over and one.kind in ("number", "damage")):
                fault(f"{one.kind} {one.location} {one.number}, is {real}")
        elif one.kind == "leaves":
            unit = next(id for id, (place, _) in unit_numbers(engine).items() if place == one.location)
            if unit in unit_numbers(outcome.world):
                fault(f"{one.location} should leave")
        if one.life >= 0 and not outcome.over:
            left = len(outcome.world.sides[PLAYERS.index(one.location.split(":")[1])].life)
            if left != one.life:
                fault(f"{one.location} has {one.life} life left, is {left}")
    for player, name in enumerate(PLAYERS):
        if name in found.lethal_for:
            ledger.made["lose" if player == seat else "win"] += 1
            if not outcome.loses(player):
                fault(f"{name} should lose")
    if draft.is_request:
        ledger.made["price"] += 1
        paid, really = (
            sum(event[4] for event in events if event[0] == ev.DAMAGED and event[1] == seat)
            for events in (found.cost, outcome.events[: outcome.begin])
        )
        if paid > really and not outcome.over:
            fault(f"costs {really} life, {paid} told")
        done = [e for e in outcome.done if e[0] not in NO_EFFECT]
        same = unit_numbers(engine) == unit_numbers(outcome.world)
        if found.futile:
            ledger.made["vain"] += 1
            if [e for e in done if e[0] != ev.BONUS] or (done and not same):
                fault(f"told to do nothing, and does {done}")


def sample(where: str, engine: Engine, draft: Draft, ledger: Ledger, seed: int) -> list[Outcome]:
    """Compare all claims with worlds that look the same to the seat; return them, none if the move has another name in
    one of them."""
    out: list[Outcome] = []
    for number in range(WORLDS_SAMPLED):
        world = determinize(engine, draft.seat, briefing(engine), seeded(seed * 1000 + number))
        if not plays_alike(world, draft):
            return []
        rival = world.sides[1 - draft.seat]
        if len(engine.sides[1 - draft.seat].life) >= LIFE_COUNTED:
            rival.life = [0] * CARDS + rival.life  # its number is hidden
        outcome = Outcome(engine, world, draft, seeded(seed * 77 + number))
        if outcome.over and any(event[0] == ev.MILLED for event in outcome.events):
            return []
        ledger.worlds += 1
        verify(f"{where} world {number}", engine, draft, outcome, ledger)
        out.append(outcome)
    return out


def check_worlds(where: str, engine: Engine, draft: Draft, ledger: Ledger, seed: int) -> None:
    """Count what is equal in all sampled worlds, and what of it is claimed."""
    outcomes = sample(where, engine, draft, ledger, seed)
    if not outcomes or (engine.kind == CHANCE_KIND and draft.options[0] == PASS and not engine.stage):
        return
    truths = [{} if outcome.over else outcome.facts(engine) for outcome in outcomes]
    certain = {fact for fact, value in truths[0].items() if all(one.get(fact) == value for one in truths)}
    claimed = {(one.kind, one.location) for one in draft.forecast.results}
    ledger.claimed += len(certain & claimed)
    ledger.unclaimed.update(kind for kind, _ in certain - claimed)
    count_losses(where, draft, outcomes, ledger)


def count_losses(where: str, draft: Draft, outcomes: list[Outcome], ledger: Ledger) -> None:
    """Count the players who lose in all worlds, and those of them the seat is told of."""
    for player in (0, 1):
        if outcomes and all(outcome.loses(player) for outcome in outcomes):
            side = "own" if player == draft.seat else "rival"
            if PLAYERS[player] in draft.forecast.lethal_for:
                ledger.claimed += 1
                ledger.losses[side] += 1
            else:
                ledger.unclaimed["lose"] += 1
                ledger.silent.append(f"{where}: {PLAYERS[player]} loses")


def check_lethal(where: str, engine: Engine, draft: Draft, ledger: Ledger, seed: int) -> None:
    """Check the warnings where a player has exactly the cards left that the move costs them, and with one more; for the
    player of the move and for the one who may answer."""
    if engine.active is not None:
        return  # an effect may have found cards of the life that would be missing
    real = Outcome(engine, engine.copy(), draft, seeded(seed))
    for player in (0, 1):
        lost = len(engine.sides[player].life) - len(real.world.sides[player].life)
        if not 0 < lost < LIFE_COUNTED - 1:
            continue
        for life in (lost, lost + 1):
            built = engine.copy()
            built.sides[player].life = built.sides[player].life[-life:]
            again = Draft(built)
            for option in draft.options:
                again.push(option)
            here = f"{where} with {life} life of {PLAYERS[player]}"
            count_losses(here, again, sample(here, built, again, ledger, seed), ledger)
            for option in draft.options:
                built.push(option)
            if built.kind == CHANCE_KIND and built.stage and PASS in built.options:
                passing = Draft(built)
                passing.push(PASS)
                here += ", answering"
                count_losses(here, passing, sample(here, built, passing, ledger, seed), ledger)


def plays_alike(world: Engine, draft: Draft) -> bool:
    """Return whether the move is possible in this world by the same numbers; a card may have another name there."""
    trial = world.copy()
    for option in draft.options:
        if option not in trial.options:
            return False
        trial.push(option)
    return True


def check_fight(where: str, engine: Engine, draft: Draft, ledger: Ledger) -> None:
    """Check the fallen soldiers of a fight up to its judgement, and the damage regardless of life, with no blockers for
    attacks not yet answered."""
    found = draft.forecast
    if not found.clashes:
        ledger.missing["fight"] += 1
        return
    ledger.made["fight"] += 1
    attacking = int(engine.asked if engine.kind == ATTACKERS_KIND else 1 - engine.asked)
    endless = engine.copy()
    for side in endless.sides:
        side.life = [0] * CARDS + side.life
    outcome = Outcome(engine, endless, draft, seeded(len(where)))
    names = {
        place.split(":")[2]: id
        for id, (place, _) in unit_numbers(engine).items()
        if place.startswith(PLAYERS_AT[attacking])
    }
    buried = {event[5] for event in outcome.events if event[0] == ev.BURIED}
    for clash in found.clashes:
        if clash.falls and names[clash.attacker] not in buried:
            ledger.false.append(f"{where}: {clash.attacker} told to fall, and does not")
    for player, name in enumerate(PLAYERS):
        if name in found.damage and found.damage[name] != outcome.sum(ev.DAMAGED, player):
            ledger.false.append(f"{where}: {name}: {outcome.sum(ev.DAMAGED, player)} damage, {found.damage[name]} told")


def action_of(engine: Engine, draft: Draft) -> str:
    return engine.rules.plans[draft.options[0] - 1].id


def forecast_of(engine: Engine, options: list[int]) -> tuple[object, ...]:
    draft = Draft(engine)
    for option in options:
        draft.push(option)
    paid = [(event[0], event[1], event[4] if event[0] == ev.DAMAGED else 0) for event in draft.forecast.cost]
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
    world = determinize(engine, draft.seat, briefing(engine), seeded(seed))
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
    certain = ledger.claimed + ledger.unclaimed.total()
    print(f"  {ledger.worlds} worlds; certain {certain}, claimed {ledger.claimed}; not: {dict(ledger.unclaimed)}")
    print(f"  certain losses told: {dict(ledger.losses)}")
    for line in [*ledger.false[:20], *ledger.silent[:10]]:
        print(f"  {line[:400]}")
    return 1 if ledger.false else 0


if __name__ == "__main__":
    sys.exit(main())
