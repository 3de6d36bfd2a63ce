"""Data for the page: the location of an option, the players and rules named in a text, possible attackers, refusals."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

import blackpoker as bp
from blackpoker.assist.autopass import YES
from blackpoker.engine.views import EventName
from blackpoker.text.markup import RichText, TextSpan, parse, tag
from blackpoker.text.rulebook import Book

REGULATIONS = ("lite+entry", "master+full", "extra+full")


def places_of(view: bp.View) -> set[str]:
    """Return everything on the table that the view names."""
    out = {"player:p1", "player:p2", *(f"stage:{number}" for number in range(1, len(view.stage) + 2))}
    for seat, side in (("p1", view.p1), ("p2", view.p2)):
        out |= {f"unit:{seat}:{unit.name}" for unit in side.soldiers}
        out |= {f"unit:{seat}:{unit.name}" for unit in side.bulwarks}
        out |= {f"trump:{seat}:{trump.name}" for trump in side.trumps}
    return out


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_places_and_marks_over_whole_games(regulation: str) -> None:
    edition = bp.Game(regulation, seed=0).regulation.edition
    pages = {f"{page.kind}:{page.id}" for page in Book(edition, "en").pages()} | {"seat:p1", "seat:p2"}
    kinds = set(get_args(EventName))
    for seed in range(6):
        game = bp.Game(regulation, seed=seed)
        random = Random(seed)
        while (decision := game.decision) is not None:
            known = places_of(game.view(decision.player))
            for word in decision.options:
                assert not word.location or word.location.startswith("card:") or word.location in known, word
                assert word.rich_label("ja").text == word.label("ja")
                check(word.rich_label("en"), pages)
            assert decision.rich_prompt("en").text == decision.prompt
            check(decision.rich_prompt("ja"), pages)
            if decision.kind == "chance":
                chance(game, decision)
            step = game.push(random.choice(decision.options).option)
            for lang in ("ja", "en"):
                lines = step._log(lang, bp.Player.P1)
                assert [line.text for line in lines] == step.lines(lang, bp.Player.P1)
                for line in lines:
                    assert line.kind in kinds
                    assert (line.turn > 0) == (line.kind == "turn")
                    check(RichText(line.text, line.spans), pages)


def check(text: RichText, pages: set[str]) -> None:
    """Check that every mark names an existing thing, in order, and covers its name."""
    last = 0
    for one in text.spans:
        assert one.ref in pages, one
        assert last <= one.start < one.end <= len(text.text), one
        if one.ref.startswith("seat:"):
            assert text.text[one.start : one.end] == one.ref[5:].upper()
        last = one.end


def chance(game: bp.Game, decision: bp.Decision) -> None:
    hand = {f"card:p1:{card}" for card in game.view(decision.player).p1.hand.cards or []}
    hand |= {f"card:p2:{card}" for card in game.view(decision.player).p2.hand.cards or []}
    for refused in decision.refused:
        assert refused.reason.ruling.startswith("R-")
        assert all(place in hand or place.startswith("unit:") for place in refused.locations)
    for word in decision.options:
        if word.action is None:
            continue
        if word.text == "end":
            assert word.useful == 0
        if word.text == "attack" and not game.view(decision.player).stage:
            assert (word.useful == YES) == bool(word.start_locations)
            assert attackers_of(game) == word.start_locations


def attackers_of(game: bp.Game) -> list[str]:
    """Return the attackers offered if both players pass."""
    trial = game.copy()
    trial.push_text("attack")
    while (
        (decision := trial.decision) is not None and decision.kind == "chance" and trial.view(bp.Audience.PUBLIC).stage
    ):
        trial.push_text("pass")
    found = trial.decision
    if found is None or found.kind != "attackers":
        return []
    return [word.location for word in found.options if word.location]


def test_marks_are_taken_out() -> None:
    text = "before " + tag("seat:p1", "P1") + tag("action:up", "アップ") + " after"
    spans = [TextSpan(7, 9, "seat:p1"), TextSpan(9, 12, "action:up")]
    assert parse(text) == RichText("before P1アップ after", spans)
    assert parse("plain") == RichText("plain")


RESULTS = """format = "master"
[p1]
life = 14
hand = "SA H3 S7 C9 CK D5"
field = "S5 H9"
bulwarks = "D2 D3"
[p2]
life = 9
hand = "C4 D8 S6"
field = "H8 D10"
bulwarks = "D4"
"""


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("up H3 $C9 >p1.S5", [("number", "unit:p1:S5", 8, 5)]),
        ("down S7 $C9 >p2.D10", [("number", "unit:p2:D10", 3, 10)]),
        ("down S7 $C9 >p1.S5", [("falls", "unit:p1:S5", 0, 5)]),
        ("summon_soldier H3 $b1", []),  # it enters: no forecast
    ],
)
def test_results_of_a_request(words: str, wanted: list[tuple[str, str, int, int]]) -> None:
    game = bp.Game.from_position(RESULTS)
    draft = game.draft(game.parse(words))
    assert [(one.kind, one.location, one.number, one.previous) for one in draft.results] == wanted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("up H3 $C9 >p1.S5", []),
        ("down S7 $C9 >p2.D10", []),
        ("down S7 $C9 >p1.S5", ["own_unit"]),  # it falls
        ("down S7 $C9 >p1.H9", ["own_unit"]),  # it is weaker
    ],
)
def test_effects_against_own_units_are_warned_of(words: str, wanted: list[str]) -> None:
    game = bp.Game.from_position(RESULTS)
    assert game.draft(game.parse(words)).warnings == wanted


def test_bonuses_are_proposed_for_own_soldiers_and_penalties_for_opposing_ones() -> None:
    game = bp.Game.from_position(RESULTS)
    for action, key, target in (("up", "H3", ">p1.S5"), ("down", "S7", ">p2.H8")):
        decision = game.draft([action, key]).decision
        assert decision is not None
        assert decision.proposal[-1] == target


def test_a_counter_names_the_negated_request() -> None:
    game = bp.Game.from_position(RESULTS)
    game.push_text("up H3 $C9 >p1.S5")
    game.push_text("pass")
    draft = game.draft(game.parse("counter C4 $D8 >#1"))
    assert [(one.kind, one.location) for one in draft.results] == [("negated", "stage:1")]


def test_a_second_draw_shows_its_cost() -> None:
    game = bp.Game("lite+entry", seed=3)
    while (decision := game.decision) is not None and decision.kind != "yes_no":
        game.push_text("end" if "end" in decision.words else "pass" if "pass" in decision.words else decision.words[0])
    assert decision is not None
    found = {word.text: [(one.kind, one.number) for one in word.results] for word in decision.options}
    assert found == {"no": [], "yes": [("draw", 1)]}


def test_results_of_the_top_request() -> None:
    """The forecast for the responding player: numbers, damage and fallen soldiers, but nothing that depends on a
    face-down card."""

    def outlook(game: bp.Game) -> list[tuple[str, str, int]]:
        assert game.decision is not None
        return [(one.kind, one.location, one.number) for one in game.decision.outlook.results]

    game = bp.Game.from_position(
        'format = "master"\nturn = "p2"\nchance = "p2"\n[p1]\nlife = 20\nhand = "C5 D4"\nfield = "S8"\nbulwarks = "C9"\n'
        '[p2]\nlife = 20\nhand = "C2 C4 S5 S4 HJ H8 D3"\nfield = "H5 H9 D9 S2"\nbulwarks = "DK"\n'
    )
    game.push_text("down S5 $C2 >p1.S8")
    assert outlook(game) == [("number", "unit:p1:S8", 3)]
    for move in ("pass", "pass", "equip HJ $b1 >p2.H5"):
        game.push_text(move)
    assert outlook(game) == [("number", "unit:p2:H5", 16)]
    for move in ("pass", "pass", "throw S4 C4"):
        game.push_text(move)
    assert outlook(game) == [("damage", "player:p1", 4)]
    for move in ("pass", "pass", "attack", "pass", "pass", "H5 H9 D9 S2", "pass", "pass", "H9: S8; D9: b1"):
        game.push_text(move)
    assert game.player == bp.Player.P2
    # ♡5+♡J and ♠2 are not blocked; ♡9 beats ♠8 (3 now); whether the bulwark takes ♢9 along is known to its owner only
    assert outlook(game) == [("falls", "unit:p1:S8", 0), ("falls", "unit:p1:b1", 0), ("damage", "player:p1", 18)]
