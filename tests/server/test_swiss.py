"""Rounds and tables of tournaments. ``python -m tests.long.swiss`` runs a thousand tournaments."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from blackpoker.protocol.messages import ClockRules
from blackpoker.ruleset import built_in_decks, read_regulation, write_decks
from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.tournaments.commands import (
    check_host,
    check_may_pair,
    check_rules,
    close,
    enter,
    rejoin,
    remove_entrant,
    set_result,
    submit_deck,
    withdraw,
)
from blackpoker.server.tournaments.events import TableReplayed, TournamentAnnounced, TournamentRules
from blackpoker.server.tournaments.pairing import round_events
from blackpoker.server.tournaments.results import RoomEnd, TableGame, decide_table
from blackpoker.server.tournaments.standings import arena_points_by_game, rank_entrants, standings
from blackpoker.server.tournaments.state import ABANDONED_SECONDS, Entrant, MatchScore, Tournament, replay
from blackpoker.server.tournaments.swiss import SwissEntrant, swiss_round
from tests.long.swiss import Simulated, check, has_fresh_round, tournament


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9])
def test_few_play_until_they_must_meet_again(size: int) -> None:
    """Compared with every possible round, also after all have met; with an odd number it ends when all have had a bye."""
    counts = tournament(size, size + 2, random.Random(size), leaves=0)
    assert counts["rounds"] == (size if size % 2 else size + 2)
    assert (counts["met_again"] > 0) == (size % 2 == 0)


@pytest.mark.parametrize("size", [16, 33, 64])
def test_many_never_meet_again(size: int) -> None:
    counts = tournament(size, 7, random.Random(size))
    assert (counts["met_again"], counts["second_byes"]) == (0, 0)


def test_a_round_that_is_worse_is_found_out() -> None:
    entrants = [SwissEntrant(name, points, {}, 0) for name, points in (("a", 6), ("b", 6), ("c", 0), ("d", 0))]
    good = swiss_round(entrants, random.Random(1))
    assert sorted(good.pairs) == [("a", "b"), ("c", "d")]
    with pytest.raises(AssertionError):
        check(entrants, good._replace(pairs=[("a", "c"), ("b", "d")]))
    met = [entrants[0]._replace(opponents={"b": 1}), entrants[1]._replace(opponents={"a": 1}), *entrants[2:]]
    assert has_fresh_round(met)
    assert ("a", "b") not in swiss_round(met, random.Random(1)).pairs


def test_the_bye_goes_to_the_last_entrant_without_one() -> None:
    entrants = [SwissEntrant("a", 3, {}, 0), SwissEntrant("b", 3, {}, 0), SwissEntrant("c", 0, {}, 1)]
    assert swiss_round(entrants, random.Random(1)).bye in ("a", "b")
    assert swiss_round([one._replace(byes=0) for one in entrants], random.Random(1)).bye == "c"
    with pytest.raises(ValueError, match="twice"):
        swiss_round([entrants[0], entrants[0]], random.Random(1))
    assert swiss_round([], random.Random(1)) == ([], "")


def test_the_same_lot_gives_the_same_round() -> None:
    entrants = [SwissEntrant(str(number), 0, {}, 0) for number in range(20)]
    rounds = {str(swiss_round(entrants, random.Random(seed))) for seed in (1, 1, 2, 3)}
    assert len(rounds) == 3


def test_the_table() -> None:
    """Worked out by hand: a wins both, b and c one each against the same two, d none; e had a bye and left."""
    scores = [
        MatchScore("a", "b", (2, 0, 0)),
        MatchScore("c", "d", (2, 1, 0)),
        MatchScore("e", "", (0, 0, 0)),
        MatchScore("a", "c", (2, 1, 0)),
        MatchScore("b", "d", (2, 0, 0)),
    ]
    table = standings(["a", "b", "c", "d", "e"], scores)
    assert [(line.rank, line.id, line.points) for line in table] == [
        (1, "a", 6),
        (2, "b", 3),
        (2, "c", 3),
        (4, "e", 3),
        (5, "d", 0),
    ]
    lines = {line.id: line for line in table}
    assert lines["a"].opponents_matches == Fraction(1, 2)
    assert lines["b"].opponents_matches == lines["c"].opponents_matches == Fraction(2, 3)  # a: 1, d: a third
    assert lines["c"].games == Fraction(1, 2)
    assert lines["b"].games == Fraction(1, 2)
    assert lines["c"].opponents_games == (Fraction(4, 5) + Fraction(1, 3)) / 2  # d has won one game of five
    assert lines["e"].opponents_matches == Fraction(1, 3)


def test_equal_standings_share_a_place() -> None:
    table = standings(["a", "b", "c", "d"], [MatchScore("a", "b", (1, 1, 0)), MatchScore("c", "d", (1, 1, 0))])
    assert [line.rank for line in table] == [1, 1, 1, 1]


@pytest.mark.parametrize("kind", ["swiss", "knockout", "robin", "arena"])
@pytest.mark.parametrize("size", [2, 3, 5, 8, 13])
def test_every_kind_from_its_first_round_to_its_last(kind: str, size: int) -> None:
    """With entrants who are absent, leave, return and arrive late; ``check_end`` checks the result."""
    for seed in range(6):
        it = Simulated(size, random.Random(seed), 0.3, kind=kind, minutes=1)
        it.play(25)
        assert it.state.phase == "over"


def test_a_knock_out_finds_its_winner() -> None:
    it = Simulated(6, random.Random(1), 0.0, kind="knockout").state
    assert [len(one.tables) for one in it.rounds] == []
    played = Simulated(6, random.Random(1), 0.0, kind="knockout")
    played.play()
    assert [(len(one.tables), len(one.byes)) for one in played.state.rounds] == [(2, 2), (2, 0), (1, 0)]
    assert [line.rank for line in rank_entrants(played.state)] == [1, 2, 3, 3, 5, 5]


def test_a_winning_streak_in_an_arena_counts_double() -> None:
    def score(mine: int, theirs: int) -> MatchScore:
        return MatchScore("a", "b", (mine, theirs, int(mine == theirs)))

    scores = [score(1, 0), score(1, 0), score(1, 0), score(0, 0), score(1, 0), score(0, 1), score(1, 0)]
    runs = arena_points_by_game(["a", "b"], scores)
    assert runs["a"] == [2, 2, 4, 2, 2, 0, 2]  # a draw ends the streak, and still counts double
    assert runs["b"] == [0, 0, 0, 1, 0, 2, 0]


def announced_tournament(**rules: Any) -> Tournament:
    decks = rules.pop("decks", 0)
    return replay("t", [TournamentAnnounced(1.0, "host", "Host", TournamentRules("T", **rules), decks)])


def person(name: str, deck: str = "") -> Entrant:
    return Entrant("", name, name, deck=deck)


def enter_tournament(it: Tournament, entrant: Entrant, signed: bool = False) -> None:
    for act in enter(it, entrant, signed, 2.0):
        it.apply(act)


def refusal_code(call: Callable[..., Any], *given: Any) -> str:
    with pytest.raises(MessageRefused) as error:
        call(*given)
    assert error.value.en
    assert error.value.ja
    return error.value.code


def test_entry_conditions() -> None:
    it = announced_tournament(most=2, accounts=True)
    assert refusal_code(enter_tournament, it, person("a")) == "account"
    assert refusal_code(enter_tournament, it, person(" "), True) == "name"
    enter_tournament(it, person("a"), True)
    enter_tournament(it, person("a"), True)  # again: no effect
    assert len(it.entrants) == 1
    assert refusal_code(enter_tournament, it, Entrant("", "other", "a"), True) == "name_taken"
    enter_tournament(it, person("b"), True)
    assert refusal_code(enter_tournament, it, person("c"), True) == "full"


def test_late_entries() -> None:
    for kind, late in (("swiss", ""), ("arena", ""), ("knockout", "late"), ("robin", "late")):
        it = announced_tournament(kind=kind, rounds=4)
        for name in "abcd":
            enter_tournament(it, person(name))
        for act in round_events(it, 5, 3.0, iter("123456").__next__):
            it.apply(act)
        assert it.phase == "running"
        if late:
            assert refusal_code(enter_tournament, it, person("e")) == late
        else:
            enter_tournament(it, person("e"))
            assert len(it.pairable()) == 5


def test_deck_lists_are_locked_with_the_first_round() -> None:
    it = announced_tournament(regulation="master+constructed40", decks=1)
    deck = write_decks(built_in_decks(read_regulation("master+constructed40").frame))
    assert refusal_code(enter_tournament, it, person("a", "nonsense")) == "deck"
    for name in "abc":
        enter_tournament(it, person(name))
    enter_tournament(it, person("a", deck))
    enter_tournament(it, person("b", deck))
    assert [it.entrants[id].name for id in it.pairable()] == ["a", "b"]
    for act in round_events(it, 5, 3.0, lambda: "room"):
        it.apply(act)
    first, _, third = it.entrants.values()
    assert refusal_code(submit_deck, it, first, deck, 4.0) == "locked"
    for act in submit_deck(it, third, deck, 4.0):  # a late entrant submits late, once
        it.apply(act)
    assert refusal_code(submit_deck, it, third, deck, 5.0) == "locked"
    assert refusal_code(submit_deck, announced_tournament(), first, deck, 5.0) == "deck"


def test_permissions_of_the_host() -> None:
    it = announced_tournament(kind="knockout")
    assert refusal_code(check_host, it, "somebody") == "host"
    check_host(it, "host")
    assert it.announced.host_name == "Host"
    assert refusal_code(check_may_pair, it) == "few"
    for name in "abc":
        enter_tournament(it, person(name))
    check_may_pair(it)
    for act in round_events(it, 5, 3.0, lambda: "room"):
        it.apply(act)
    assert refusal_code(check_may_pair, it) == "open"
    assert refusal_code(set_result, it, 1, 9, "one", 4.0) == "table"
    assert refusal_code(set_result, it, 1, 1, "draw", 4.0) == "fixed"
    for act in set_result(it, 1, 1, "two", 4.0):
        it.apply(act)
    assert it.tables[1, 1].winner == it.tables[1, 1].pairing.two
    for act in set_result(it, 1, 1, "one", 5.0):  # the host may correct a result
        it.apply(act)
    assert it.tables[1, 1].winner == it.tables[1, 1].pairing.one
    check_may_pair(it)
    id = next(iter(it.entrants))
    assert refusal_code(remove_entrant, it, "nobody", 6.0) == "entrant"
    assert it.open_table_of(id) is None
    for act in withdraw(it, it.entrants[id], 5.5):
        it.apply(act)
    assert withdraw(it, it.entrants[id], 5.6) == []
    for act in remove_entrant(it, id, 6.0):
        it.apply(act)
    assert refusal_code(rejoin, it, it.entrants[id], 7.0) == "sent_away"
    for act in close(it, 8.0):
        it.apply(act)
    assert (it.phase, it.called_off) == ("over", False)
    assert refusal_code(check_may_pair, it) == "over"


def test_an_abandoned_tournament_ends() -> None:
    it = announced_tournament(by_itself=False, rounds=2)
    assert it.next_step(5.0) == ("close", 1.0 + ABANDONED_SECONDS)
    for name in "ab":
        enter_tournament(it, person(name))
    for act in round_events(it, 5, 3.0, lambda: "room"):
        it.apply(act)
    assert it.next_step(5.0).kind == ""
    for act in set_result(it, 1, 1, "one", 4.0):
        it.apply(act)
    assert it.next_step(5.0) == ("close", 4.0 + ABANDONED_SECONDS)


def test_unplayable_rules_are_refused() -> None:
    assert refusal_code(check_rules, TournamentRules(" "), 1e9) == "name"
    assert refusal_code(check_rules, TournamentRules("T", clock=ClockRules()), 1e9) == "clock"
    assert refusal_code(check_rules, TournamentRules("T", starts=5.0), 1e9) == "starts"
    check_rules(TournamentRules("T", starts=1e9 + 60), 1e9)


def test_a_drawn_knock_out_is_played_again_and_then_the_lot_decides() -> None:
    it = announced_tournament(kind="knockout")
    for name in "ab":
        enter_tournament(it, person(name))
    for act in round_events(it, 5, 3.0, lambda: "room1"):
        it.apply(act)
    table = it.tables[1, 1]
    drawn = RoomEnd([TableGame("r", "draw", "turns")])
    for room in ("room2", "room3"):
        assert decide_table(it, table, drawn, 4.0) is None
        it.apply(TableReplayed(4.0, 1, 1, room))
    decision = decide_table(it, table, drawn, 5.0)
    assert decision is not None
    it.apply(decision)
    assert decision.why == "lot"
    assert table.winner in it.entrants
    abandoned = RoomEnd([TableGame("r", "draw", "abandoned")])
    lost = decide_table(it, table, abandoned, 5.0)
    assert lost is not None
    assert lost.lost
