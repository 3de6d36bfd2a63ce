"""Properties of edition 9 in random games of its 24 regulations: no card is lost, nothing hidden is seen, everything is
saved. ``BLACKPOKER_GAMES`` sets the number of games per regulation."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import blackpoker as bp
from blackpoker.determinization import determinize
from blackpoker.engine.atoms import fog_cards
from blackpoker.engine.cards import BIT, NAMES, card_set, count, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import SETUP, UNDECIDED
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.visibility import AUDIENCES, view
from blackpoker.game.assistant import Assistant
from blackpoker.notation.state_reader import read_state
from blackpoker.notation.state_writer import dump
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation, all_regulations, edition_named, new_game
from blackpoker.scenario.scenario import Variant
from blackpoker.text.prompts import Prompts
from blackpoker.text.resources import Lang
from tests.hidden_cards import hidden_cards, permute_hidden, same_view
from tests.properties.play import Reached, checked_game, checked_position

LANGS: tuple[Lang, ...] = ("ja", "en")
EDITION = edition_named("9")
REGULATIONS = [regulation.text for regulation in all_regulations(EDITION)]
GAMES = int(os.environ.get("BLACKPOKER_GAMES", "2"))
#: rounds of games from prepared positions; two or three are enough as a rule
MOST_SEEDS = 12
#: every n-th decision of a game is examined
STRIDE = 7


def positions(text: str, seed: int) -> Iterator[Engine]:
    """Yield every decision of the set-up and every ``STRIDE``-th one after it, in a random game."""
    engine = new_game(Regulation.parse(text), seeded(seed))
    engine.advance()
    chance: Shuffler = seeded(seed + 10**6)
    number = 0
    while engine.winner == UNDECIDED:
        if engine.point == SETUP or number % STRIDE == 0:
            yield engine
        number += 1
        engine.push(engine.options[chance.below(len(engine.options))])


def cards_of(engine: Engine, owner: int) -> int:
    """Return all cards of a player; fail if one is in two places."""
    side = engine.sides[owner]
    zones = [side.hand, side.grave, side.aside, side.pack, side.rare, fog_cards(side)]
    zones += [BIT[card] for card in side.life + side.trumps]
    zones += [unit.cards for unit in side.soldiers + side.bulwarks]
    requests = [*engine.stage, *engine.buffer, engine.current, engine.active]
    zones += [request.keys for request in requests if request is not None and request.controller == owner]
    assert sum(count(zone) for zone in zones) == count(sum(zones))
    return int(sum(zones))


@pytest.mark.parametrize("text", REGULATIONS)
def test_no_card_is_lost(text: str) -> None:
    """N-054, and all other invariants, at every decision."""
    for seed in range(2 * GAMES):
        checked_game(text, seed)


@pytest.mark.parametrize("text", REGULATIONS)
def test_nothing_hidden_is_seen(text: str) -> None:
    """N-051: exchanging all cards that a seat cannot tell apart changes nothing it is shown."""
    for seed in range(GAMES):
        for number, engine in enumerate(positions(text, seed)):
            for player in range(2):
                other = engine.copy()
                permute_hidden(other, player, seeded(number))
                assert same_view(engine, other, player), (seed, number)


@pytest.mark.parametrize("text", REGULATIONS)
def test_worlds_match_what_is_seen(text: str) -> None:
    """An imagined world looks the same to its seat, holds every card once, and does not depend on what is hidden."""
    known = prior_knowledge(Regulation.parse(text))
    for seed in range(GAMES):
        for number, engine in enumerate(positions(text, seed)):
            for player in range(2):
                world = determinize(engine, player, known, seeded(number))
                assert same_view(engine, world, player), (seed, number)
                for owner in range(2):
                    cards_of(world, owner)
                    side, real = world.sides[owner], engine.sides[owner]
                    assert card_set(side.pile) == side.grave
                    assert side.picked & ~card_set(side.life) == 0
                    assert count(side.picked) == count(real.picked)
                    assert (side.hand_count, count(side.pack)) == (real.hand_count, count(real.pack))
                other = engine.copy()
                permute_hidden(other, player, seeded(number + 1))
                again = determinize(other, player, known, seeded(number))
                for one, two in zip(world.sides, again.sides, strict=True):
                    assert (one.life, one.hand, one.pile, one.pack) == (two.life, two.hand, two.pile, two.pack)
                    assert (one.rare, one.trumps, one.fogs) == (two.rare, two.trumps, two.fogs)


@pytest.mark.parametrize("text", ["9:master+extra", "9:master+draft", "9:pro+extra"])
def test_every_decision_has_its_texts(text: str) -> None:
    """The prompt and every label, in both languages, and the board."""
    for seed in range(3 * GAMES):
        game = bp.Game(text, seed=seed)
        chance = seeded(seed)
        while game.outcome() is None:
            for lang in LANGS:
                prompts = Prompts(EDITION, lang)
                labels = [prompts.option(game._engine, option) for option in game.options]
                assert prompts.prompt(game._engine)
                assert all(labels)
                if Assistant(game).kind not in ("trigger", "order", "unit", "target"):
                    assert len(set(labels)) == len(labels), labels
            game.push(game.options[chance.below(len(game.options))])
        for audience in AUDIENCES:
            game.board(audience)


def test_an_unopened_pack_is_hidden_from_its_owner_too() -> None:
    engine = new_game(Regulation.parse("9:master+strategy"), seeded(1))
    engine.advance()
    while engine.point == SETUP:
        engine.push(engine.options[0])
    for player in range(2):
        assert engine.sides[player].pack & hidden_cards(engine, player, player) == engine.sides[player].pack
        for audience in AUDIENCES:
            pack = view(engine, audience).side(player).pack
            assert pack is not None
            assert (pack.count, pack.cards) == (14, None)
            rare = view(engine, audience).side(player).rare
            assert rare is not None
            assert rare.count == 1
            assert (rare.card is None) == (audience != player)


@pytest.mark.parametrize("text", REGULATIONS)
def test_every_decision_can_be_saved(text: str) -> None:
    for seed in range(GAMES):
        for engine in positions(text, seed):
            data = dump(engine)
            assert dump(read_state(engine.rules, data, seeded(0))) == data


@pytest.mark.parametrize("text", REGULATIONS)
def test_a_record_gives_the_same_game(text: str) -> None:
    game = bp.Game(text, seed=5)
    chance = seeded(7)
    while game.outcome() is None:
        game.push(game.options[chance.below(len(game.options))])
    record = game.record()
    assert f"regulation: {text}\n" in record
    again = bp.Game.from_record(record)
    assert again.hash() == game.hash()
    assert again.regulation.edition is EDITION
    assert again.record() == record


ZONES = {
    "hand": "S5 H5 D5 C5 SQ SA CJ JK",
    "field": "S9 H9 D9 C9",
    "bulwarks": "S2 H2 D2 C2",
    "grave": "S4 H4 D4 C4",
    "rare": "DA",
}
#: soldiers of two cards, and the five cards of one action
FIELDS = ("SJ+H6", "HJ+D6", "DJ+C6", "CJ+S6", "SK+CK", "HK+DK")
ROYAL = "SA S10 SJ SQ SK H3"
OTHERS = {"hand": "C6 D6 H6", "field": "H8 C7(d)", "bulwarks": "S3 D3(d)", "life": "+20"}


def without(card: str, cards: str) -> str:
    return " ".join(word for word in cards.split() if word != card)


def prepared() -> Iterator[dict[str, object]]:
    """Yield positions in which the actions of one open trump, or of one soldier of two cards, can be requested."""
    for trump in EDITION.trumps:
        card = NAMES[parse_card(trump.card)]
        mine = {name: without(card, cards) for name, cards in ZONES.items()} | {"trumps": f"T:{card}", "life": "+8"}
        yield {"p1": mine, "p2": OTHERS}
    for field in FIELDS:
        used = field.replace("+", " ").split()
        cards = {name: " ".join(word for word in text.split() if word not in used) for name, text in ZONES.items()}
        yield {"p1": cards | {"field": f"{field} {cards['field']}", "life": "+8"}, "p2": OTHERS}
    attacking = {"field": "S9(attacks)", "trumps": "T:SA", "hand": "D5 D6", "life": "+20"}
    yield {"stage": ["p1: damage_judgement"], "turn": "p1", "p1": attacking, "p2": {"life": "+20"}}
    yield {"p1": {"hand": ROYAL, "bulwarks": "H2 D2", "life": "+20"}, "p2": OTHERS}


def test_positions_made_for_each_action_reach_all_of_them() -> None:
    """Random games from prepared positions use every action of the edition, with all invariants."""
    reached = Reached()
    actions = {plan.id for plan in Regulation.parse("9:master+extra").rules().plans}
    for seed in range(MOST_SEEDS):
        for position in prepared():
            for turn in ("p1", "p2"):
                table: dict[str, object] = {"edition": "9", "turn": turn, **position}
                checked_position(Variant("", "", table, "", None), seed, reached)
        if not actions - reached.actions:
            return
    assert actions - reached.actions == set()
