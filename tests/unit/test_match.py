"""Matches: R-201…R-203. The tables of games are S-117 and S-119."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from tests.properties.matches import checked_match

from blackpoker import Player
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.visibility import AUDIENCES, Audience
from blackpoker.errors import IllegalMove, UnreadableText
from blackpoker.game.match import Match, MatchOutcome
from blackpoker.game.series import Series
from blackpoker.ruleset import parse_decks

HALVES = "master+randomhalf"


def play_on(match: Match, seed: int, decisions: int = 100_000) -> Match:
    """Play at random to the end, or up to a number of decisions; return the match."""
    chance = seeded(seed)
    while decisions and match.outcome() is None:
        match.push(match.options[chance.below(len(match.options))])
        decisions -= 1
    return match


def test_one_deck_is_one_game() -> None:
    match = play_on(Match("lite+entry", 3), 1)
    assert len(match.games) == 1
    over = match.outcome()
    assert over is not None
    assert over.winner in (None, *Player)
    assert sum(over.score) <= 1


def test_a_drawn_game_is_a_drawn_match_with_one_deck() -> None:
    series = Series(1)
    series.pick(0, 1)
    series.pick(1, 1)
    series.record(None)
    assert series.over
    assert series.winner is None


def test_two_decks_are_picked_in_secret() -> None:
    match = Match(HALVES, 7)
    decision = match.decision
    assert decision is not None
    assert (decision.player, decision.kind, decision.words) == (Player.P1, "deck", ["deck 1", "deck 2"])
    own, other = match.view(0).decision, match.view(1).decision
    assert own is not None
    assert other is not None
    assert (own.options, other.options) == (["deck 1", "deck 2"], [])
    match.push_text("deck 2")
    assert match.view(0).picks == {"p1": 2, "p2": None}
    assert match.view(1).picks == {"p1": None, "p2": None}
    assert match.player == Player.P2
    match.push_text("デッキ 1")
    assert match.view(1).picks == {"p1": 2, "p2": 1}
    assert match.game is not None
    shown = match.view(0).game
    assert shown is not None
    assert shown.you == "p1"


def test_visibility_by_phase() -> None:
    match = Match(HALVES, 7)
    with pytest.raises(IllegalMove, match="R-201"):
        match.inspect_deck(0, 1)
    match.push(1)
    match.push(1)
    match.end("resign", 1)  # P1 wins game 1 with deck 1
    assert match.series.retired(0) == [1]
    assert match.series.viewable_decks(0) == [1]
    assert match.series.viewable_decks(1) == [1]
    assert len(match.inspect_deck(1, 1)) == 27
    with pytest.raises(IllegalMove, match="R-201"):
        match.inspect_deck(1, 2)
    seen = match.view(1).decks
    assert seen["p1"][0].retired
    assert seen["p1"][0].top in match.inspect_deck(0, 1)  # retired: only the top card of the pile is visible
    assert seen["p1"][0].cards is None
    assert len(match.view(0).decks["p1"][0].cards or ()) == 27  # its owner may look through it until game 2 starts
    assert seen["p1"][1].cards is None
    assert seen["p2"][0].cards is not None  # just used
    assert seen["p2"][1].cards is None  # hidden even from its owner
    assert match.view(0).decks["p2"][0].cards is None
    assert (match.player, match.options) == (Player.P1, [2])  # asked even so
    match.push(2)
    assert (match.player, match.options) == (Player.P2, [1, 2])
    match.push(1)
    assert match.picked[1] == [2, 1]
    assert match.series.viewable_decks(1) == []  # the next game has started
    for audience in AUDIENCES:
        retired = match.view(audience).decks["p1"][0]
        assert (retired.cards, retired.top) == (None, seen["p1"][0].top)
    match.end("resign", 0)  # P2 wins game 2 with deck 1: game 3 is deck 2 against deck 2
    assert (match.series.viewable_decks(0), match.series.viewable_decks(1)) == ([2], [1])
    assert len(match.inspect_deck(0, 2)) == 27
    assert (match.player, match.options) == (Player.P1, [2])
    match.push(2)
    assert (match.player, match.options) == (Player.P2, [2])
    match.push(2)
    assert (match.series.viewable_decks(0), match.series.viewable_decks(1)) == ([], [])
    match.end("resign", 0)
    for seat in AUDIENCES:
        shown = match.view(seat).decks
        assert all(deck.cards is not None for player in ("p1", "p2") for deck in shown[player])  # open in the end


def test_the_owner_knows_own_deck_lists() -> None:
    match = Match("master+constructedhalf", 1)
    assert all(deck.cards for deck in match.view(0).decks["p1"])
    assert not any(deck.cards for deck in match.view(0).decks["p2"])
    assert not any(deck.cards for deck in match.view(Audience.PUBLIC).decks["p1"])


def test_two_wins_end_the_match() -> None:
    match = Match(HALVES, 7)
    match.push(1)
    match.push(2)
    match.end("resign", 1)
    match.push(2)
    match.push(2)
    match.end("resign", 1)
    assert match.outcome() == MatchOutcome(Player.P1, (2, 0))
    with pytest.raises(IllegalMove):
        _ = match.player
    with pytest.raises(IllegalMove):
        match.push(1)


def test_a_retired_deck_cannot_be_picked() -> None:
    series = Series(2)
    series.pick(0, 2)
    series.pick(1, 1)
    series.record(0)
    assert series.available_decks(0) == [1]
    with pytest.raises(IllegalMove, match="R-201"):
        series.pick(0, 2)


@pytest.mark.parametrize(
    "text", [HALVES, "standard+constructedhalf+preset2", "extra+full", "master+constructed40+pack"]
)
@pytest.mark.parametrize("decisions", [0, 1, 2, 40, 700])
def test_saved_and_loaded_it_goes_on(text: str, decisions: int) -> None:
    match = play_on(Match(text, 11), 5, decisions)
    saved = match.to_json()
    again = Match.from_json(saved)
    assert again.to_json() == saved
    assert [again.view(seat) for seat in AUDIENCES] == [match.view(seat) for seat in AUDIENCES]
    first = play_on(match, 8)
    second = play_on(again, 8)
    assert first.outcome() == second.outcome()
    assert first.picked == second.picked
    copied = Match(text, 11).copy()
    assert copied.view(0) == Match(text, 11).view(0)


@pytest.mark.parametrize("text", [HALVES, "extra+regular", "lite+random40+pack"])
@pytest.mark.parametrize("decisions", [0, 1, 2, 60, 100_000])
def test_a_record_is_played_again(text: str, decisions: int) -> None:
    match = play_on(Match(text, 23), 5, decisions)
    record = match.record()
    again = Match.from_record(record)
    assert again.record() == record
    assert again.outcome() == match.outcome()
    assert again.series.dump() == match.series.dump()
    assert again.options == match.options
    if match.game is not None and again.game is not None:
        assert again.game.hash() == match.game.hash()


def test_decks_that_are_brought() -> None:
    halves = parse_decks("deck 1\nS A 2 3 4 5 6 7 8 9 10\ndeck 2\nH A 2 3 4 5 6 7 8 9 10")
    match = Match("master+constructedhalf", 1, (halves, None))
    assert len(match.decks[0][0].cards) == 10
    with pytest.raises(UnreadableText, match="played with 2 decks"):
        Match("master+constructedhalf", 1, (parse_decks("S A 2 3 4 5 6 7 8 9 10"), None))


@pytest.mark.parametrize(
    "change",
    [
        {"regulation": "master+huge"},
        {"blackpoker_match": 99},
        {"decks": [[], []]},
        {"decks": [["S5 S5", "H2"], ["S2", "H3"]]},
        {"series": {}},
        {"series": None},
        {"picked": 3},
        {"game": None},
    ],
)
def test_broken_saves_are_refused(change: dict[str, object]) -> None:
    match = Match(HALVES, 7)
    match.push(1)
    match.push(1)
    data = json.loads(match.to_json())
    data.update(change)
    with pytest.raises(UnreadableText):
        Match.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "BlackPoker match"])
def test_texts_that_are_no_match_are_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        Match.from_json(text)
    with pytest.raises(UnreadableText):
        Match.from_record(text + "\n--- nonsense")


@pytest.mark.parametrize("text", ["deck", "deck 3", "1", "pass"])
def test_texts_that_pick_no_deck_are_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        Match(HALVES, 1).push_text(text)


@pytest.mark.parametrize("text", [HALVES, "lite+constructedhalf", "extra+full+preset4", "master+random40+preset2+pack"])
@pytest.mark.parametrize("seed", range(3))
def test_random_matches(text: str, seed: int) -> None:
    checked_match(text, seed)


def test_the_card_seen_of_a_retired_deck_is_drawn() -> None:
    """R-201: the card is not derived from the hidden list. A deck shows different cards in different matches, and
    always the same one within a match."""
    tops = set()
    for seed in range(12):
        match = Match("master+constructedhalf", seed)
        match.push(1)
        match.push(1)
        match.end("resign", 1)
        deck = match.view(0).decks["p1"][0]
        assert deck.top in (deck.cards or [])
        tops.add(deck.top)
        for again in (match.copy(), Match.from_json(match.to_json()), Match.from_record(match.record())):
            assert again.view(1).decks["p1"][0].top == deck.top
    assert len(tops) > 3


def test_a_match_saved_before_the_card_was_kept_is_read() -> None:
    match = Match(HALVES, 7)
    match.push(1)
    match.push(1)
    match.end("resign", 1)
    data = json.loads(match.to_json())
    del data["seen"]
    again = Match.from_json(json.dumps(data))
    assert again.view(1).decks["p1"][0].top in match.inspect_deck(0, 1)
    several: tuple[object, ...] = ([], [{}], [{"1": "no card"}, {}], [{"1": "JK2 "}, {}], 5)
    for wrong in several:
        data["seen"] = wrong
        with pytest.raises(UnreadableText):
            Match.from_json(json.dumps(data))
    old = "\n".join(line for line in match.record().splitlines() if not line.startswith("--- seen"))
    assert Match.from_record(old).view(1).decks["p1"][0].top in match.inspect_deck(0, 1)
    with pytest.raises(UnreadableText):
        Match.from_record(match.record().replace("--- seen p1 1", "--- seen p1 2"))


def test_a_deck_is_picked_by_a_number() -> None:
    match = Match(HALVES, 7)
    for wrong in ("1", True, None, 1.0):
        with pytest.raises(TypeError, match="by its number"):
            match.push(wrong)  # type: ignore[arg-type]


def test_the_choice_of_a_deck_is_a_value() -> None:
    match = Match(HALVES, 7)
    decision = match.decision
    for other in (match.copy().decision, copy.deepcopy(decision), pickle.loads(pickle.dumps(decision))):
        assert other == decision
        assert hash(other) == hash(decision)
    match.push(1)
    assert match.decision != decision
