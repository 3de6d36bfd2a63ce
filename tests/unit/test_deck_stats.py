"""Deck statistics, counted hand by hand on small decks; notes of a frame; trumps with their whole effect."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from blackpoker.engine.cards import SUIT, VALUE, parse_card
from blackpoker.ruleset import Deck, DeckError, built_in_decks, default_edition, parse_decks, read_regulation
from blackpoker.ruleset.deck_stats import DeckNote, deck_stats, hands_without_key, max_requests
from blackpoker.text.resources import LANGUAGES
from blackpoker.text.rulebook import Book, cards_of

ACTIONS = {action.id: action for action in default_edition().actions}
#: one of every form of key, and of "whole" the short and the long one
FORMS = ("summon_ace", "counter", "kill", "throw", "recall", "reverse", "search", "black_jack", "royal_straight_flush")


def holds(id: str, hand: tuple[int, ...]) -> bool:
    """Return whether a hand holds a whole key, by trying its cards."""
    key = ACTIONS[id].key
    assert key is not None
    if key.form == "whole":
        return any({parse_card(card) for card in text.split()} <= set(hand) for text in key.ranges)
    if key.form == "each":
        a, b = (cards_of(text) for text in key.ranges)
        return any(2**x & a and 2**y & b for x in hand for y in hand)
    if key.form in ("same_suit", "same_number"):
        of = SUIT if key.form == "same_suit" else VALUE
        return any(of[x] == of[y] and of[x] != 4 for x, y in combinations(hand, 2))
    fits = cards_of(" ".join(key.ranges))
    return sum(bool(2**card & fits) for card in hand) >= key.count


@pytest.mark.parametrize("id", FORMS)
def test_hands_without_a_key_are_counted_exactly(id: str) -> None:
    key = ACTIONS[id].key
    assert key is not None
    chance = Random(f"keyless {id}")
    for size in (5, 9, 12):
        deck = sorted(chance.sample(range(54), size) + [0, 9, 10, 11, 12])[: size + 5]
        deck = sorted(set(deck))
        for hand in (1, 2, 5, 7):
            counted = sum(not holds(id, cards) for cards in combinations(deck, hand))
            assert hands_without_key(key, deck, hand) == counted, (deck, hand)


def test_figures_of_a_sample_deck() -> None:
    regulation = read_regulation("master+constructed40")
    found = deck_stats(built_in_decks(regulation.frame).decks[0], regulation)
    uses = {use.action: use for use in found.uses}
    assert (found.cards, found.left_out, found.life) == (40, 14, 32)
    assert (uses["counter"].times, round(uses["counter"].chance, 4)) == (8, 0.8195)
    assert (uses["royal_straight_flush"].times, uses["royal_straight_flush"].chance) == (0, 0)
    assert all(note.kept for note in found.notes)


def test_of_trumps_only_the_chosen_count_and_they_leave_the_deck_first() -> None:
    regulation = read_regulation("extra+regular")
    whole = tuple(range(54))
    chosen = deck_stats(Deck(whole, (parse_card("SK"),)), regulation)
    plain = deck_stats(Deck(whole), regulation)
    assert "summon_demon_lord" in {use.action for use in chosen.uses}
    assert "summon_demon_lord" not in {use.action for use in plain.uses}
    assert (plain.life, chosen.life) == (46, 45)
    assert max_requests(ACTIONS["summon_hero"].key, [card for card in whole if card != parse_card("SK")]) == 11  # type: ignore[arg-type]


def test_a_deck_too_large_shows_how_many_cards_must_go() -> None:
    regulation = read_regulation("lite+constructed40")
    found = deck_stats(Deck(tuple(range(43))), regulation)
    assert found.notes[0] == DeckNote(
        False,
        "あと3枚抜いてください。構築40は14枚以上抜きます。",
        "Take 3 more out: Constructed 40 leaves at least 14 cards out.",
    )
    assert sum(not note.kept for note in found.notes) == 1  # once, not twice


def test_a_deck_with_a_foreign_card_is_partly_read() -> None:
    with pytest.raises(DeckError) as error:
        parse_decks("name: x\n♠ A 2 14\n♡ 3 3")
    assert error.value.partial is not None
    assert error.value.partial.decks[0].cards == tuple(sorted(map(parse_card, ("SA", "S2", "H3"))))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_trump_shows_its_whole_effect(lang: str) -> None:
    book = Book(default_edition(), lang)  # type: ignore[arg-type]
    for trump in default_edition().trumps:
        page = book.trump(trump)
        whole = [clause for part in page.parts for clause in part.clauses]
        assert page.short, trump.id
        assert not page.short.startswith("Allows"), trump.id
        assert not page.short.endswith("起こせる"), trump.id
        assert whole or page.clauses, trump.id
        assert [part.id for part in page.parts] == list(page.allows)
    lord = book.trump(next(trump for trump in default_edition().trumps if trump.id == "demon_lord"))
    assert (lord.partner, len(lord.parts[0].clauses), lord.parts[0].costs) == ("♣K", 4, ("SS",))
