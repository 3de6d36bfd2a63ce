"""Edition 9 beside edition 6: the registry, the 24 regulations, the set-ups of the frames."""

from __future__ import annotations

import pickle
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker.assist.forecast import NO_FORECAST, forecast
from blackpoker.definitions.compiler import compile_rules
from blackpoker.definitions.model import EXTRA, Trump
from blackpoker.engine.cards import CARDS, SIGNS, count, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import SETUP
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.views import SideView
from blackpoker.ruleset import (
    Deck,
    Regulation,
    RegulationError,
    all_regulations,
    deck_defects,
    edition_for_record,
    edition_named,
    editions,
    new_game,
    parse_decks,
    standard_edition,
    write_decks,
)
from blackpoker.text.prompts import Prompts

NINTH = edition_named("9")


def test_editions_lie_side_by_side() -> None:
    assert list(editions()) == ["6", "9"]
    assert edition_named("6") is standard_edition()
    assert Regulation.parse("lite+entry").edition is standard_edition()
    assert Regulation.parse("6:lite+entry").text == "lite+entry"
    regulation = Regulation.parse("9：ライト＋エントリー16")
    assert regulation.edition is NINTH
    assert regulation.text == "9:lite+entry16"
    assert Regulation.parse(regulation.text) == regulation
    assert edition_for_record(NINTH.text) is NINTH
    assert pickle.loads(pickle.dumps(NINTH)) is NINTH
    assert NINTH.is_standard
    for text in ("8:lite+pack", "9:lite+entry", "lite+entry16", "9:extra+pack"):
        with pytest.raises(RegulationError):
            Regulation.parse(text)


def test_a_local_rule_of_edition_9_keeps_its_regulations() -> None:
    local = NINTH.change("up", among="actions", cost="").rename("cheap")
    assert not local.is_standard
    assert Regulation.parse("9:lite+pack", local).edition is local
    assert Regulation.parse("lite+pack", local).text == "9:lite+pack"


def test_there_are_24_regulations_and_nine_are_recommended() -> None:
    regulations = all_regulations(NINTH)
    assert len(regulations) == 24
    assert sum(one.frame.id in one.format.recommended for one in regulations) == 9
    assert len(all_regulations()) == 87


#: life after set-up, of the second player, from a full deck and from the least one (N-121)
LIVES = {
    "entry16": (6, 6),
    "pack": (30, 16),
    "rare_pack": (29, 15),
    "strategy": (29, 15),
    "extra": (27, 13),
    "draft": (27, 13),
}


def started(text: str, decks: tuple[Deck | None, Deck | None] = (None, None), seed: int = 1) -> Engine:
    engine = new_game(Regulation.parse(text), seeded(seed), decks)
    engine.advance()
    while engine.point == SETUP:
        engine.push(engine.options[0])
    return engine


@pytest.mark.parametrize("frame", LIVES)
def test_life_after_set_up(frame: str) -> None:
    forty = Deck(tuple(range(40)))
    for deck, life in ((None, LIVES[frame][0]), (forty, LIVES[frame][1])):
        if frame == "entry16" and deck is not None:
            continue
        seed = 1
        engine = started(f"9:master+{frame}", (deck, deck), seed)
        while any(len(side.life) < life - 1 for side in engine.sides):  # equal flips
            seed += 1
            engine = started(f"9:master+{frame}", (deck, deck), seed)
        first, second = engine.sides[engine.turn], engine.sides[1 - engine.turn]
        assert (len(first.life), len(second.life)) == (life - 1, life)
        assert (first.hand_count, second.hand_count) == (8, 7)
        for side in engine.sides:
            assert (len(side.soldiers), len(side.bulwarks), side.fresh) == (1, 1, 0)
            assert len(side.trumps) == (2 if frame in ("extra", "draft") else 0)
            assert count(side.open_trumps) == len(side.trumps) // 2
            assert count(side.rare) == (0 if frame in ("entry16", "pack") else 1)
            assert count(side.pack) == (0 if frame == "entry16" else 14)
            shown = side.public & side.bulwarks[0].cards != 0
            assert shown == (frame not in ("extra", "draft"))  # N-401


def dealt(order: str) -> list[int]:
    """Return a full deck with these cards on top, from the top."""
    top = [parse_card(name) for name in order.split()]
    return top + [card for card in range(CARDS) if card not in top]


def test_jokers_in_a_preset_of_lite() -> None:
    """T-056, N-135: a card that makes no soldier goes to the grave, and the next one is tried."""
    fourteen = "S2 S3 S4 S5 S7 S8 S9 S10 H2 H3 H4 H5 H6 H7"
    seven = "C3 C4 C6 C7 C8 C9 C10"
    source = seeded(1)
    source.injected = [
        (0, dealt(f"{fourteen} {seven} D3 JK JK2 S6 HK")),
        (1, dealt(f"{fourteen} {seven} C2 C5 DQ")),
    ]
    engine = new_game(Regulation.parse("9:lite+pack"), source)
    engine.advance()
    first, second = engine.sides
    assert [unit.lead for unit in first.bulwarks] == [parse_card("D3")]
    assert [unit.lead for unit in first.soldiers] == [parse_card("S6")]
    assert [unit.lead for unit in second.soldiers] == [parse_card("C5")]
    assert [int(card) for card in first.pile[:2]] == [parse_card("JK"), parse_card("JK2")]
    assert len(first.life) == len(second.life) - 2 - 1  # and the first player has drawn: a King was flipped
    assert engine.turn == 0
    assert not engine.buffer


def test_a_draft_step_by_step() -> None:
    """T-058, N-140: a pack is seen only after the choice from the one before; the other player sees numbers only."""
    deck = Deck(tuple(range(40)))
    game = bp.Game("9:master+draft", decks=(deck, deck), seed=3)
    seen: list[str] = []
    for player in bp.Player:
        for number in range(6):
            assert game.player == player
            offered = game.view(player).decision
            assert offered is not None
            assert len(offered.options) == 3
            assert not set(offered.options) & set(seen)
            other = game.view(player.opponent)
            assert other.decision is not None
            assert other.decision.options == []
            assert other.side(player).life_known.top == []
            seen += offered.options
            known = game.view(player).side(player).life_known.top
            assert len(known) == 3 * (number + 1)
            game.push(game.options[1])
        seen = []
    kept = [int(side.picked) for side in game._engine.sides]
    assert [count(cards) for cards in kept] == [6, 6]
    for _ in range(12):  # rare card, trumps, scenario hand
        assert set(game.options) <= {card for card in range(CARDS) if kept[game.player] >> card & 1}
        game.push(game.options[0])
    view: SideView = game.view(1).side(0)
    assert (view.hand.count, len(view.trumps)) == (7, 2)
    while game._engine.point == SETUP:
        game.push(game.options[0])
    lives = sorted(len(side.life) for side in game._engine.sides)
    assert lives[1] - lives[0] == 1
    assert lives[1] <= 13


def test_more_than_31_permissions() -> None:
    """M8: a permission is a bit for all that give it; trumps that share actions share bits."""
    edition = standard_edition()
    free = [sign for sign in SIGNS if all(trump.card != sign for trump in edition.trumps)]
    for number, card in enumerate(free[:12]):
        edition = edition.add(Trump(card, f"more{number}", "追加", "More", allows=(f"more{number}",)))
    allowed = {id for trump in edition.trumps for id in trump.allows}
    assert len(allowed) > 31
    assert compile_rules(edition, EXTRA).plans


PLANNED = """name: 試し
フレーム: エクストラ
♠ A 2 3 4 5 6 7 8 9 10
♡ A 2 3 4 5 6 7 8 9 10
♢ A 2 3 4 5 6 7 8 9 10
♣ A 2 3 4 5 6 7 8 9 10
切札: ♠2 ♡3
シナリオハンド: ♠3 ♠4 ♠5
レアカード: ♠A
"""


def test_a_deck_plans_what_is_set_aside() -> None:
    """M14: a plan is part of the text of a deck, and legal only where the frame sets that many cards aside."""
    decks = parse_decks(PLANNED)
    assert parse_decks(write_decks(decks)) == decks
    deck = decks.decks[0]
    assert (len(deck.trumps), len(deck.scenario), len(deck.rare)) == (2, 3, 1)
    for text, faults in (
        ("9:master+extra", 0),
        ("9:master+draft", 0),
        ("9:pro+strategy", 1),
        ("9:pro+rare_pack", 2),
        ("9:lite+pack", 3),
    ):
        assert len(deck_defects(deck.cards, Regulation.parse(text), deck.trumps, deck)) == faults, text
    twice = replace(deck, rare=(deck.scenario[0],))
    assert len(deck_defects(deck.cards, Regulation.parse("9:master+extra"), deck.trumps, twice)) == 1


def test_a_deck_has_at_least_forty_cards() -> None:
    for frame in ("pack", "rare_pack", "strategy", "extra", "draft"):
        regulation = Regulation.parse(f"9:lite+{frame}")
        assert deck_defects(range(40), regulation) == []
        assert len(deck_defects(range(39), regulation)) == 1


def test_four_scenarios_for_every_action() -> None:
    folder = Path(__file__).parents[1] / "scenarios" / "9" / "actions"
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(action.id for action in NINTH.actions)
    for action in NINTH.actions:
        file = tomllib.loads((folder / f"{action.id}.toml").read_text(encoding="utf-8"))
        variants = file["variant"]
        assert len({variant["play"] for variant in variants}) >= 4, action.id
        names = [variant["name"] for variant in variants]
        for start in ("works", "refused"):
            assert any(name.startswith(start) for name in names), f"{action.id}: {start}"
        assert action.rulings[0] in file["rulings"], action.id


def test_a_choice_of_the_set_up_forecasts_nothing() -> None:
    """The cards that the deal after it moves are no result of the choice."""
    for frame in ("rare_pack", "strategy", "extra", "draft"):
        engine = new_game(Regulation.parse(f"9:master+{frame}"), seeded(1))
        engine.advance()
        while engine.point == SETUP:
            assert forecast(engine, engine.options[:1]) == NO_FORECAST
            engine.push(engine.options[0])


def test_the_prompt_of_black_jack_has_the_total() -> None:
    """N-236: an ace as it counted when it was turned up, whatever the order of the cards in the view."""
    game = bp.Game.from_position('edition = "9"\n[p1]\nhand = "SA HJ"\nlife = "C9 C2 CA D9 +10"\n[p2]\n', seed=1)
    prompts = Prompts(NINTH, "en")
    game.push_text("black_jack SA HJ")
    game.push_text("pass")
    game.push_text("pass")
    for total in (9, 11, 12, 21):
        assert f" {total} points" in prompts.prompt(game._engine)
        game.push_text("hit")
