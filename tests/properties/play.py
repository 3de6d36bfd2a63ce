"""Random games with all checks, and the coverage they reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from blackpoker.engine import events as ev
from blackpoker.engine.cards import card_set
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.ruleset import Deck, Regulation, new_game, parse_decks
from blackpoker.scenario.scenario import Variant
from blackpoker.scenario.scenario import start_variant as scenario_start
from blackpoker.smoke import invariants

#: far beyond any real game: R-220 and R-221 keep games finite
MOST_DECISIONS = 200_000


@dataclass
class Reached:
    """Coverage of random play, to compare with the definitions."""

    actions: set[str] = field(default_factory=set)
    characters: set[str] = field(default_factory=set)
    letters: set[str] = field(default_factory=set)
    triggers: set[str] = field(default_factory=set)
    steps: set[tuple[str, int]] = field(default_factory=set)
    trumps: set[str] = field(default_factory=set)

    def note(self, engine: Engine, log: list[RawEvent]) -> None:
        plans, kinds = engine.rules.plans, engine.rules.kinds
        for kind, _player, cards, _seen, a, _b in log:
            if kind == ev.RESOLVING:
                self.actions.add(plans[a].id)
            elif kind == ev.DECLARED:
                self.letters |= set(plans[a].cost.letters)
            elif kind == ev.RAISED:
                self.triggers.add(plans[a].id)
            elif kind in (ev.ENTERED, ev.ATTACHED, ev.TURNED):
                self.characters.add(kinds[a].id)
            elif kind == ev.OPENED:
                trump = engine.rules.trumps[cards.bit_length() - 1]
                if trump is not None:
                    self.trumps.add(trump.id)
        for request in engine.stage:
            if request.virtual and request.source >= 0:  # requested through a driven soldier
                self.actions.add(plans[request.action].id + "@")

    def add(self, other: Reached) -> None:
        for name in ("actions", "characters", "letters", "triggers", "steps", "trumps"):
            getattr(self, name).update(getattr(other, name))


#: the five cards of ロイヤルストレートフラッシュ among few others: random play of full decks rarely collects them
ROYAL_DECK = parse_decks("SA S10 SJ SQ SK H2 H3 D4 D5 C6 C7 H8 D9 C10").decks[0]


def start(regulation: str, seed: int, deck: Deck | None = None) -> tuple[Engine, list[int]]:
    """Return a new game with a log and a trace, and both players' cards."""
    engine = new_game(Regulation.parse(regulation), seeded(seed), (deck, deck))
    decks = [card_set(side.life) | side.pack for side in engine.sides]
    engine.log = []
    engine.trace = []
    engine.advance()
    return engine, decks


def decisions(engine: Engine, chance: Shuffler, reached: Reached | None = None) -> Iterator[int]:
    """Play at random to the end; yield each option before it is pushed. With ``reached``, an unused action is taken as
    soon as it is offered."""
    for _ in range(MOST_DECISIONS):
        if engine.winner != UNDECIDED:
            return
        option = engine.options[chance.below(len(engine.options))]
        if reached is not None and engine.kind == CHANCE_KIND:
            for offered in engine.options:
                if offered != PASS and engine.rules.plans[offered - 1].id not in reached.actions:
                    option = offered
        yield option
        engine.push(option)
    raise invariants.Broken("the game does not end")


def never_dropped(log: list[RawEvent]) -> None:
    """Raise an error if a triggered main request was dropped: in the standard edition it always meets an empty stage
    (R-25)."""
    invariants.require(all(event[0] != ev.DROPPED for event in log), "a request was dropped (R-25)")


def checked(engine: Engine, decks: list[int], seed: int, reached: Reached | None = None) -> Engine:
    """Play at random to the end with every invariant checked at every decision; return the engine."""
    for _ in decisions(engine, seeded(seed + 1), reached):
        log = engine.log or []
        invariants.check(engine, decks, log)
        never_dropped(log)
        if reached is not None:
            reached.note(engine, log)
        engine.log = []
    invariants.check_over(engine, decks)
    if reached is not None:
        reached.note(engine, engine.log or [])
        reached.steps |= {(engine.rules.plans[mark >> 8].id, mark & 255) for mark in engine.trace or []}
    return engine


def checked_game(regulation: str, seed: int, reached: Reached | None = None, deck: Deck | None = None) -> Engine:
    """Play one random game from set-up and return its engine."""
    engine, decks = start(regulation, seed, deck)
    try:
        return checked(engine, decks, seed, reached)
    except Exception as error:
        error.add_note(f"in {regulation}, seed {seed}, turn {engine.turn_number}")
        raise


def checked_position(variant: Variant, seed: int, reached: Reached | None = None) -> Engine:
    """Play one random game from a scenario's position and return its engine."""
    engine = scenario_start(variant)._engine
    engine.log = []
    engine.trace = []
    decks = [sum(invariants.cards_of_player(engine, player)) for player in (0, 1)]
    return checked(engine, decks, seed, reached)
