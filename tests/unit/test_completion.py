"""Composed moves, and what a player is shown before confirming one."""

from __future__ import annotations

import pytest

import blackpoker as bp
from blackpoker.assist import draft_text
from blackpoker.assist.completion import Completion, compose
from blackpoker.assist.decision import Draft
from blackpoker.game.assistant import Assistant

RIOT = """format = "extra"
[p1]
hand = "H3 C4 SK D5 H2 S5 JK"
field = "H10 D9"
bulwarks = "S2 S3"
life = {life}
trumps = "{trumps}"
[p2]
field = "D9 H10"
trumps = "T:C5"
"""


def table(life: int = 20, trumps: str = "T:C6 T:H9") -> bp.Game:
    return bp.Game.from_position(RIOT.format(life=life, trumps=trumps))


def composed(game: bp.Game, words: str, *picks: str) -> Completion:
    return compose(game._engine, words.split(), picks, True)


def draft(game: bp.Game, text: str) -> Draft:
    return game.draft(game.parse(text))


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("up H3 $C4 >p1.H10", "discard ♣4 · Riot deals you 2 damage"),
        ("open_trump main $b1 $b2 $C4", "drive bulwark 1 (♠2), bulwark 2 (♠3) · discard ♣4 · Riot deals you 2 damage"),
        ("open_trump quick $H2 $H3 ^H2", "discard ♡2, ♡3 · show ♡2 · Riot deals you 4 damage"),
        ("summon_soldier H3 $b1", "drive bulwark 1 (♠2) · 1 damage"),
    ],
)
def test_a_price_holds_what_paying_raises(text: str, price: str) -> None:
    assert draft_text.cost_text(draft(table(), text), "en").text == price


@pytest.mark.parametrize(
    ("life", "text"), [(2, "up H3 $C4 >p1.H10"), (4, "open_trump quick $H2 $H3 ^H2"), (1, "summon_soldier H3 $b1")]
)
def test_losing_by_ones_own_act_is_warned_of(life: int, text: str) -> None:
    assert "lose" in draft(table(life, "t:C6 T:H9"), text).warnings
    assert "lose" not in draft(table(life + 1, "t:C6 T:H9"), text).warnings


def test_the_discard_at_end_may_lose() -> None:
    """A player over the hand limit pays for each discarded card while the opponent's Civil War is open."""
    game = bp.Game.from_position(
        'format = "extra"\n[p1]\nlife = 2\nhand = "H2 H3 H4 H5 H6 H7 H8 H9"\n[p2]\ntrumps = "T:C5"\n'
    )
    for text in ("end", "pass", "pass"):
        game.push_text(text)
    assert Assistant(game).kind == "discard"
    assert "lose" in draft(game, "H2").warnings


def test_costs_are_in_words() -> None:
    words = [word.label("en") for word in composed_options(table(), "open_trump")]
    assert words
    assert not any("$" in word for word in words)


def composed_options(game: bp.Game, words: str) -> list[bp.Option]:
    decision = game.draft(words.split()).decision
    assert decision is not None
    return decision.options


@pytest.mark.parametrize(
    ("game", "words", "picks"),
    [
        (table(), "", ("card:p1:SK", "card:p1:D5")),  # Death Lance: 9 and 10 … 10 is divisible by 5
        (
            bp.Game.from_position('format = "master"\n[p1]\nhand = "H2 H3"\nbulwarks = "S2 S3"\n'),
            "",
            ("card:p1:H2", "card:p1:H3"),
        ),
        (table(), "", ("card:p1:C4",)),
    ],
)
def test_actions_without_effect_are_not_proposed(game: bp.Game, words: str, picks: tuple[str, ...]) -> None:
    found = composed(game, words, *picks).draft
    assert not found.complete or "vain" not in found.warnings


def test_a_death_lance_goes_where_it_does_something() -> None:
    found = composed(table(), "death_lance SK D5").draft
    assert found.words[-1] == ">p2.H10", "9 is not divisible by 5, and the own 10 is one's own"
    nothing = draft(table(), "death_lance SK D5 >p2.D9")
    assert nothing.warnings == ["vain"]


def test_open_trump_and_force_without_effect_are_marked() -> None:
    assert "vain" in composed(table(), "open_trump").draft.warnings
    assert "vain" not in composed(table(trumps="t:C6 T:H9"), "open_trump").draft.warnings
    alone = bp.Game.from_position('format = "master"\n[p1]\nhand = "H2 H3"\nbulwarks = "S2 S3"\n')
    assert "vain" in composed(alone, "force").draft.warnings


def test_nothing_is_paid_with_a_joker_or_a_last_key_while_there_is_something_else() -> None:
    game = bp.Game.from_position('format = "master"\n[p1]\nhand = "H3 C9 S4 S5 JK"\nfield = "S8"\n[p2]\n')
    assert composed(game, "up H3").draft.words[2] in ("$S4", "$S5")


def test_ambiguous_owners_are_named() -> None:
    game = table()
    mine, theirs = draft(game, "up H3 $C4 >p1.H10"), draft(game, "up H3 $C4 >p2.H10")
    for lang in ("ja", "en"):
        assert draft_text.request_text(mine, lang).text != draft_text.request_text(theirs, lang).text
        ours, others = (draft_text.with_texts(one, one.results, lang)[0].text.text for one in (mine, theirs))
        assert ours != others
    assert draft_text.request_text(mine, "en").text == "Up ♡3 → your ♡10 (10)"
    assert [mark.ref for mark in draft_text.request_text(theirs, "en").spans] == ["action:up", "seat:p2"]


def test_two_requests_of_one_kind_on_the_stage_are_distinguished() -> None:
    game = bp.Game.from_position(
        'format = "master"\n[p1]\nhand = "S3 S4 H2 H4"\nfield = "S8"\n[p2]\nhand = "C5 C6 D2 D3"\nfield = "H8 H9"\n'
    )
    for text in ("down S3 $H2 >p2.H8", "pass", "pass"):
        game.push_text(text)
    game = bp.Game.from_position(
        'format = "master"\n[p1]\nhand = "S3 S4 H2 H4"\nfield = "S8"\n[p2]\nhand = "C5 C6 D2 D3"\nfield = "H8 H9"\n'
    )
    for text in ("down S3 $H2 >p2.H8", "down S4 $H4 >p2.H9", "pass"):
        game.push_text(text)
    labels = [word.label("en") for word in composed_options(game, "counter C5 $C6")]
    assert labels == ["P1's Down (♠3) → ♡8 (8)", "P1's Down (♠4) → ♡9 (9)"]


def test_a_card_of_the_opponents_hand_is_theirs() -> None:
    """The same card in the chooser's own hand is not meant."""
    game = bp.Game.from_position('format = "master"\n[p1]\nhand = "D8 C8 S7"\n[p2]\nhand = "S7 H2"\n')
    for text in ("hand_destruction D8 C8", "pass", "pass"):
        game.push_text(text)
    decision = game.decision
    assert decision is not None
    assert decision.kind == "card"
    assert {word.location for word in decision.options} == {"card:p2:S7", "card:p2:H2"}
    assert {word.label("en") for word in decision.options} == {"P2's ♠7", "P2's ♡2"}


def test_two_tapped_cards_are_two_keys() -> None:
    game = bp.Game.from_position('format = "master"\n[p1]\nhand = "S4 D5"\nfield = "S8"\n[p2]\nfield = "H8"\n')
    found = composed(game, "", "card:p1:S4", "card:p1:D5")  # no action has both as its keys: the second is selected
    assert found.picks == ["card:p1:D5"]
    assert "S4" not in found.draft.words
    assert composed(game, "", "card:p1:S4").draft.words[:2] != []


def test_the_card_tapped_first_and_its_target_are_used() -> None:
    found = composed(table(), "", "card:p1:H3", "unit:p2:D9")
    assert found.draft.words[:2] == ["up", "H3"]
    assert found.draft.words[-1] == ">p2.D9"
    assert found.auto == [False, False, True, False]


@pytest.mark.parametrize("words", ["close_trump S3 S4", "destroy_trump C5 $b1"])
def test_a_trump_that_lies_face_down_is_not_closed_or_destroyed(words: str) -> None:
    """Any face-down trump: both actions need a face-up one (R-104), which is public."""
    position = 'format = "extra"\n[p1]\nhand = "S3 S4 C5 S8"\nbulwarks = "D2"\n[p2]\ntrumps = "{trumps}"\n'
    closed = bp.Game.from_position(position.format(trumps="t:C5 t:S9"))
    assert "vain" in draft(closed, f"{words} >p2.t1").warnings
    assert "vain" in composed(closed, words).draft.warnings
    half = bp.Game.from_position(position.format(trumps="t:C5 T:S9"))
    if words.startswith("close"):
        assert composed(half, words).draft.words[-1] == ">p2.t2", "what is face up and of the keys' suit"


@pytest.mark.parametrize("life", ["S7 C2 C3 C4", "C2 C3 C4 S7", "C2 C3 C4 H7"])
def test_an_unknown_card_paid_as_cost_is_not_revealed(life: str) -> None:
    """R-80: Revive costs a life card, which may be the one chosen in the grave; it is unknown beforehand."""
    position = f"""format = "extra"
[p1]
life = "{life}"
trumps = "T:S5"
hand = "H9"
grave = "H3"
bulwarks = "D2"
[p2]
life = 20
"""
    game = bp.Game.from_position(position)
    draft = Draft(game._engine)
    for option in game.parse("revive $b1", bp.Player.P1).options:
        draft.push(option)
    assert (draft.warnings, draft.results) == ([], [])


def test_a_throw_is_proposed_with_its_heaviest_spade() -> None:
    """The damage is the spade's number (R-42): an Ace is not thrown while a five is available."""
    game = bp.Game.from_position('format = "lite"\n[p1]\nlife = 20\nhand = "SA S5 S3 CA C6 H2"\n[p2]\nlife = 9\n')
    assert composed(game, "throw").draft.words[1] == "S5"
    assert composed(game, "throw", "card:p1:SA").draft.words[1] == "SA"


@pytest.mark.parametrize(
    ("picks", "used", "first"),
    [
        (("card:p1:H3",), ["card:p1:H3"], "summon_soldier"),
        (("card:p1:H3", "unit:p2:D9"), ["card:p1:H3", "unit:p2:D9"], "up"),
        (("card:p1:H3", "card:p1:JK"), ["card:p1:JK"], ""),  # nothing uses both: the last one is selected
        (("unit:p1:H10",), ["unit:p1:H10"], "attack"),
    ],
)
def test_a_selection_has_the_actions_that_fit_all_of_it(picks: tuple[str, ...], used: list[str], first: str) -> None:
    found = composed(table(), "", *picks)
    assert found.picks == used
    assert found.draft.words[:1] == ([first] if first else found.draft.words[:1])
    assert not found.draft.words or found.draft.words[0] in found.actions, "the drafted action is one that fits"
    for action in found.actions:
        again = composed(table(), action, *found.picks)
        assert again.picks == used, f"{action} uses the whole selection"


@pytest.mark.parametrize("joker", ["JK", "JK2"])
def test_a_joker_has_one_name(joker: str) -> None:
    game = bp.Game.from_position('format = "pro"\n[p1]\nhand = "H3 JK JK2"\nfield = "H10"\n')
    paid = draft(game, f"up H3 ${joker} >p1.H10")
    assert draft_text.cost_text(paid, "en").text == "discard Joker"
    assert draft_text.token_texts(paid, "en")[2].text == "discard Joker"


def test_a_lethal_cost_hides_the_effect() -> None:
    paid = draft(table(2), "up H3 $C4 >p1.H10")
    assert (paid.warnings, paid.results) == (["lose"], [])


def test_a_replaced_key_is_selected_no_longer() -> None:
    found = compose(table()._engine, ["up", "H2", "$C4", ">p1.H10"], ["card:p1:H3"], True)
    assert found.picks == []
    assert found.actions == []


def test_a_selection_repeated_is_the_same() -> None:
    first, again = (composed(table(), "", "card:p1:H3", "unit:p2:D9") for _ in range(2))
    assert (first.draft, first[1:]) == (again.draft, again[1:])


def test_selected_units_are_named_with_all_their_cards() -> None:
    game = bp.Game.from_position(
        'format = "master"\n[p1]\nfield = "H5+HJ JK"\nbulwarks = "D2"\n[p2]\nbulwarks = "D3"\n'
    )
    places = ["unit:p1:H5", "unit:p1:JK", "unit:p1:b1", "unit:p2:b1", "card:p1:S3", "player:p2"]
    text = draft_text.title_of(game._engine, places, "en").text
    assert text == "♡5+♡J + Joker + bulwark 1 (♢2) + bulwark 1 + ♠3 + P2"


@pytest.mark.parametrize(
    "place", ["", "x", "unit:p1:b9", "unit:p3:b1", "trump:p2:t9", "stage:7", "card:p1:X1", "stage:²"]
)
def test_a_location_that_does_not_exist_has_no_name(place: str) -> None:
    assert draft_text.title_of(table()._engine, [place], "en").text == ""


def test_an_action_that_asks_for_one_card_uses_one_pick() -> None:
    """Set Bulwark (R-150): of two selected cards the last one is meant."""
    game = bp.Game.from_position('format = "lite"\n[p1]\nhand = "S6 C8"\n[p2]\nhand = "C2"\n')
    found = Assistant(game).compose(["set_bulwark"], ["card:p1:S6", "card:p1:C8"])
    assert found.picks == ["card:p1:C8"]
