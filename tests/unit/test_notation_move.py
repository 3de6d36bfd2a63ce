"""Move texts: every written form of a move, the refusals, the display forms."""

import random

import pytest

import blackpoker as bp
from blackpoker.notation.display import display
from blackpoker.notation.parser import parse_move
from blackpoker.ruleset import standard_edition

FIGHT = """
[p1]
hand = "S7 H3 C9 SK C2 JK"
field = "S5 S9 H6+H8"
bulwarks = "D2 D3"
[p2]
hand = "C3 C4 D9"
field = "S5 H4"
bulwarks = "D5"
"""


def game(position: str = FIGHT) -> bp.Game:
    return bp.Game.from_position(position)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("summon_soldier S7 $b1", "summon_soldier S7 $b1"),
        ("SUMMON_SOLDIER s7 $B1", "summon_soldier S7 $b1"),
        ("summon_soldier $b2 ♠7", "summon_soldier S7 $b2"),
        ("summon_soldier ♠️7 $ b1", "summon_soldier S7 $b1"),
        ("兵士召喚 ♠7 $防壁1", "summon_soldier S7 $b1"),
        ("Summon Soldier ♠7 $b1", "summon_soldier S7 $b1"),
        ("ｓｕｍｍｏｎ＿ｓｏｌｄｉｅｒ Ｓ７ ＄ｂ１", "summon_soldier S7 $b1"),
        ("up H3 $C9 >p2.S5", "up H3 $C9 >p2.S5"),
        ("up > p2.H4 $C9 H3", "up H3 $C9 >p2.H4"),
        ("up H3 $C9 >H4", "up H3 $C9 >p2.H4"),
        ("up H3 $C9 >H8", "up H3 $C9 >p1.H6"),  # any card of a soldier names it
        ("アップ ♡3 $♣9 →p2.♡4", "up H3 $C9 >p2.H4"),
        ("throw SK C2", "throw SK C2"),
        ("throw SK C2 >p2", "throw SK C2"),
        ("throw C2 SK", "throw SK C2"),
        ("search", "search JK"),
        ("pass", "pass"),
        ("パス", "pass"),
        ("end", "end"),
    ],
)
def test_reading(text: str, canonical: str) -> None:
    assert game().parse(text).text == canonical


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("kill S5 S9 >p2.H4", "R-39"),
        ("up S7 $C9 >p2.H4", "R-39"),
        ("up H3 $H3 >p2.H4", "R-33"),
        ("up H3 $S10 >p2.H4", "R-33"),
        ("up H3 $C9 >p2.b1", "R-31"),
        ("up H3 $C9 >p2.S9", "R-31"),
        ("up H3 $C9 $C2 >p2.H4", "R-33"),
        ("summon_soldier S7 $b3", "R-32"),
        ("summon_soldier SK $b1", "R-39"),
        ("throw SK C2 >p1", "R-31"),
        ("block", "R-21"),
        ("slash @S9 >p2.H4", "R-204"),
        ("counter C9 $C2 >#1", "R-31"),
        ("search JK JK2", "R-39"),
    ],
)
def test_refusing(text: str, ruling: str) -> None:
    with pytest.raises(bp.IllegalMove) as refused:
        game().parse(text)
    assert refused.value.ruling == ruling
    assert refused.value.reason
    assert refused.value.reason_ja


@pytest.mark.parametrize("text", ["", "attak", "S5", "up H3 $", "summon_soldier S7 \x07"])
def test_unreadable(text: str) -> None:
    with pytest.raises(bp.UnreadableText):
        game().parse(text)


def test_ambiguous() -> None:
    with pytest.raises(bp.AmbiguousMove) as several:
        game().parse("up H3 $C9 >S5")
    assert several.value.candidates == ("up H3 $C9 >p1.S5", "up H3 $C9 >p2.S5")
    with pytest.raises(bp.AmbiguousMove) as several:
        game().parse("summon_soldier")
    assert "summon_soldier S7 $b1" in several.value.candidates


def test_the_other_seat() -> None:
    for text, ruling in (("pass", "R-10"), ("up H3", "R-06"), ("end", "R-05"), ("block", "R-21"), ("S5", "R-17")):
        with pytest.raises(bp.IllegalMove) as refused:
            game().push_text(text, bp.Player.P2)
        assert refused.value.ruling == ruling


def test_attackers_and_blockers() -> None:
    fight = game()
    for text in ("attack", "pass", "pass"):
        fight.push_text(text)
    assert fight.copy().parse("S9 S5").text == "S5 S9 done"
    assert fight.copy().parse("S9").text == "S9 done"
    assert fight.copy().parse("H8").text == "H6"  # no further attacker is possible
    assert fight.copy().parse("done").text == "done"
    with pytest.raises(bp.IllegalMove) as refused:
        fight.copy().parse("attack")
    assert refused.value.ruling == "R-16"
    fight.push_text("S9 H6")
    fight.push_text("pass")
    fight.push_text("pass")
    for text, canonical in (
        ("S9: S5 H4", "S9: S5 H4"),
        ("H6: b1; S9: H4 S5", "S9: S5 H4; H6: b1"),
        ("p1.S9: p2.H4", "S9: H4"),
        ("H8: H4", "H6: H4"),
        ("done", "done"),
    ):
        assert fight.copy().parse(text).text == canonical
    for text in ("S9: b1 H4", "S9: H4; H6: H4", "S5: H4", "S9: S9"):
        with pytest.raises(bp.IllegalMove):
            fight.copy().parse(text)
    for text in ("S9 H4", "S9: H4; S9: S5"):
        with pytest.raises(bp.UnreadableText):
            fight.copy().parse(text)


def test_an_order() -> None:
    order = game('[p1]\nhand = "H4 D4"\nfield = "S5+S9+S10"')
    for text in ("reverse H4 D4 >S9", "pass", "pass", "leave"):
        order.push_text(text)
    assert order.parse("S9 S10").text == "S9 S10"
    assert order.parse("S9 S10 S5").text == "S9 S10"
    with pytest.raises(bp.IllegalMove):
        order.parse("S9 S9")
    with pytest.raises(bp.AmbiguousMove):
        order.parse("S9")


def test_words_of_a_request_that_has_been_begun() -> None:
    started = game()
    plans = [plan.id for plan in started._engine.rules.plans]
    started.push(plans.index("up") + 1)
    assert started.parse("H3 $C9 >p2.H4").text == "H3 $C9 >p2.H4"
    with pytest.raises(bp.IllegalMove):
        started.parse("S7 $C9 >p2.H4")
    started.push_text("$C9 >p2.H4 H3")
    assert started.view(1).stage[0].keys == ["H3"]


@pytest.mark.parametrize("regulation", ["lite+full", "master+random40+pack", "extra+full+preset4"])
def test_every_form_of_every_move_reads_back(regulation: str) -> None:
    rng = random.Random(4)
    for seed in range(3):
        play = bp.Game(regulation, seed=seed)
        edition = play.regulation.edition
        while play.outcome() is None and len(play.history) < 250:
            moves = [move for move, _ in zip(play.legal_moves, range(60), strict=False)]
            for move in rng.sample(moves, min(4, len(moves))):
                assert move.text.isascii()
                for text in (move.text, display(move, "ja", edition), display(move, "en", edition)):
                    assert parse_move(play._engine, text).options == move.options, text
            if rng.random() < 0.5:
                play.push(rng.choice(moves))
            else:
                play.push(rng.choice(play.options))


def test_display() -> None:
    assert display("up H3 $C9 >p2.b1", "ja", standard_edition()) == "アップ ♡3 $♣9 →p2.防壁1"
    assert display("up H3 $C9 >p2.b1", "en", standard_edition()) == "Up ♡3 $♣9 →p2.b1"
    assert display("S8: H4 b1; H6: JK", "ja", standard_edition()) == "♠8: ♡4 防壁1; ♡6: JK"
    assert display("pass", "ja", standard_edition()) == "パス"
