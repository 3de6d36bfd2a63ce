"""Random matches with all checks: the invariants of every game, and the score (R-201…R-203)."""

from __future__ import annotations

from blackpoker.engine.cards import BIT, card_set, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import DONE, TRUMPS_KIND
from blackpoker.engine.tables import CompiledAction
from blackpoker.game.match import Match
from blackpoker.ruleset import Deck, DeckList, Regulation
from blackpoker.ruleset.tables import CONSTRUCTED
from blackpoker.smoke import invariants
from blackpoker.smoke.invariants import require
from tests.properties.play import MOST_DECISIONS, ROYAL_DECK, Reached, never_dropped

ROYAL_CARDS = card_set(list(ROYAL_DECK.cards))
#: kings that two trumps search for (R-120): without them in the deck the search fails
SECOND_KINGS = (parse_card("CK"), parse_card("DK"))


def decks_for(text: str, seed: int) -> tuple[DeckList | None, DeckList | None]:
    """Return the players' own decks: usually none; if one deck is built, sometimes a random one or the royal one."""
    regulation = Regulation.parse(text)
    frame = regulation.frame
    if frame.build != CONSTRUCTED or frame.decks > 1 or seed % 5 < 3:
        return None, None
    if seed % 5 == 4:
        return DeckList((ROYAL_DECK,)), DeckList((ROYAL_DECK,))
    chance = seeded(seed)
    least = regulation.min_cards + regulation.most_trumps
    brought = []
    for _ in range(2):
        cards = [card for card in range(54) if not (regulation.most_trumps and card in SECOND_KINGS)]
        chance.mix(cards)
        brought.append(
            DeckList(
                (Deck(tuple(sorted(cards[: least + int(chance.below(min(frame.most, len(cards)) - least + 1))]))),)
            )
        )
    return brought[0], brought[1]


def choose(engine: Engine, chance: Shuffler, reached: Reached | None, patient: bool) -> int:
    """Return a random option. A patient player usually passes or ends the turn, so that hands grow. With ``reached``,
    actions and trumps with unused parts are taken half the time they are offered."""
    option = engine.options[chance.below(len(engine.options))]
    if patient and engine.kind == CHANCE_KIND and chance.below(3) > 0:
        calm = [o for o in engine.options if o == PASS or engine.rules.plans[o - 1].ends_turn]
        option = calm[-1] if calm else option
    if patient and engine.kind == TRUMPS_KIND and chance.below(2) == 0:
        return DONE
    if reached is not None and engine.kind in (CHANCE_KIND, TRUMPS_KIND) and chance.below(2) == 0:
        for offered in engine.options:
            if engine.kind == CHANCE_KIND:
                if offered != PASS and has_unused_part(engine.rules.plans[offered - 1], reached, engine):
                    option = offered
            elif offered != DONE:
                trump = engine.rules.trumps[offered]
                if trump is not None and any(
                    (plan.needs & trump.grants or plan.index == trump.action) and has_unused_part(plan, reached, None)
                    for plan in engine.rules.plans
                ):
                    option = offered
    return option


def hoard(engine: Engine) -> int:
    """Collect the five cards of the royal deck: keep them, wait, and use them once two bulwarks stand."""
    options = engine.options
    keep = card_set([parse_card(card) for card in ("SA", "S10", "SJ", "SQ", "SK")])
    if engine.kind == CHANCE_KIND:
        plans = {engine.rules.plans[option - 1].id: option for option in options if option != PASS}
        walls = len(engine.sides[engine.asked].bulwarks)
        if "royal_straight_flush" in plans:
            return plans["royal_straight_flush"]
        if walls < 2 and "set_bulwark" in plans:
            return plans["set_bulwark"]
        return PASS if options[0] == PASS else plans.get("end", options[0])
    if engine.kind == TRUMPS_KIND:
        return DONE
    spare = [option for option in options if option >= 54 or not keep & BIT[option]]
    return spare[-1] if spare else options[-1]


def has_unused_part(plan: CompiledAction, reached: Reached, engine: Engine | None) -> bool:
    """Return whether a part of the action is unused, or it opens a face-down trump."""
    if plan.id not in reached.actions:
        return True
    if engine is not None and plan.id == "open_trump":
        side = engine.sides[engine.asked]
        return any(side.open_trumps & BIT[card] == 0 for card in side.trumps)
    return any((plan.id, place) not in reached.steps for place in range(len(plan.program)))


def checked_match(regulation: str, seed: int, reached: Reached | None = None) -> Match:
    """Return one random match; trumps, decks and all choices are random."""
    match = Match(regulation, seed, decks_for(regulation, seed))
    chance = seeded(seed + 1)
    try:
        for _ in range(MOST_DECISIONS):
            if match.outcome() is not None:
                check_score(match)
                return match
            if match.game is None:
                check_pick(match)
                match.push(match.options[chance.below(len(match.options))])
            else:
                play_game(match, chance, reached, seed % 2 == 1 or seed % 5 == 4)
    except Exception as error:
        error.add_note(f"in {regulation}, match seed {seed}, game {len(match.picked)}")
        raise
    raise invariants.Broken("the match does not end")


def play_game(match: Match, chance: Shuffler, reached: Reached | None, patient: bool) -> None:
    """Play the current game to its end."""
    game = match.game
    assert game is not None
    engine = game._engine
    chosen = [match.decks[seat][match.series.picks[seat] - 1] for seat in (0, 1)]
    decks = [card_set(list(deck.cards)) | (deck.left_out if match.regulation.pack else 0) for deck in chosen]
    engine.trace = []
    engine.log = []
    for _ in range(MOST_DECISIONS):
        if match.game is not game:
            break
        require(
            int(match.player) == engine.asked and match.options == engine.options, "the match asks what its game asks"
        )
        log = engine.log or []
        invariants.check(engine, decks, log)
        never_dropped(log)
        if reached is not None:
            reached.note(engine, log)
        engine.log = []
        royal = reached is not None and "royal_straight_flush" not in reached.actions and decks[0] == ROYAL_CARDS
        match.push(hoard(engine) if royal else choose(engine, chance, reached, patient))
    require(match.game is not game, "the game does not end")
    invariants.check_over(engine, decks)
    if reached is not None:
        reached.note(engine, engine.log or [])
        reached.steps |= {(engine.rules.plans[mark >> 8].id, mark & 255) for mark in engine.trace or []}


def check_pick(match: Match) -> None:
    """A deck is picked only if there are two, and each pick is hidden from the other player."""
    series = match.series
    require(
        series.decks == 2 and match.options == series.available_decks(int(match.player)),
        "what may be picked is offered",
    )
    for seat in (0, 1):
        require(match.view(1 - seat).picks[f"p{seat + 1}"] is None, "a pick is secret until both are made")
        for deck in series.retired(seat):
            require(deck not in series.available_decks(seat), "a retired deck is not played again")


def check_score(match: Match) -> None:
    series = match.series
    first, second = series.score
    if series.decks == 1:
        require(len(match.games) == 1 and first + second <= 1, "one deck, one game")
    else:
        require(max(first, second) <= 2 and len(match.games) <= 9, "two wins end a match")
    require(
        series.winner == (None if first == second else (0 if first > second else 1)),
        "the winner has won more games",
    )
    require(not match.options and match.decision is None, "nobody is asked after the end")
