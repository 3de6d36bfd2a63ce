"""Hidden choices give the same view: the cards and counts that R-198 and R-210…R-216 hide, per audience."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

import blackpoker as bp
from blackpoker.determinization import determinize
from blackpoker.engine.cards import BIT
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.state import CARD_KIND, CARDS_KIND, DONE, ORDER_KIND, TRUMPS_KIND
from blackpoker.engine.views import BulwarkView, SideView, SoldierView
from blackpoker.engine.visibility import AUDIENCES, Audience
from blackpoker.notation.move import decision_key, expects_more
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.notation.options import view_of
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation


def both(side: SideView) -> list[SoldierView | BulwarkView]:
    return [*side.soldiers, *side.bulwarks]


FORMATS = (
    "lite+entry",
    "standard+full",
    "pro+full+preset4",
    "master+random40+pack",
    "master+constructed40+pack",
    "extra+full",
    "extra+full+preset4",
)


def encoded_view(game: bp.Game, audience: int, since: int) -> bytes:
    """Return everything an audience is shown, as encoded for the network."""
    return msgspec.json.encode([game.view(audience), game.event_views(audience, since)])


def play_move(game: bp.Game, choose: Callable[[list[int]], int]) -> list[int]:
    """Play one move, token by token; return its options."""
    builder = MoveBuilder(game._engine)
    while not builder.complete:
        builder.push(choose(builder._engine.options))
    for option in builder.options:
        game.push(option)
    return builder.options


# -- random games ------------------------------------------------------------------------------------------------------


def under_cover(game: bp.Game) -> bool:
    """Return whether the current choice is hidden from all others."""
    engine = game._engine
    action = "" if engine.active is None else engine.rules.plans[engine.active.action].id
    if engine.kind == ORDER_KIND:
        return action != "death_lance"  # its damage shows the lowest card
    if engine.kind == CARD_KIND:
        return action in ("set_bulwark", "foresight")
    return engine.kind == TRUMPS_KIND and engine.asked == 0  # the second player's last token starts the deal


@pytest.mark.parametrize("regulation", FORMATS)
def test_another_choice_under_cover(regulation: str) -> None:
    rng = random.Random(11)
    tried = 0
    for seed in range(6):
        game = bp.Game(regulation, seed=seed)
        for _ in range(400):
            if game.outcome() is not None:
                break
            prompted = game.player
            if under_cover(game) and len(game.options) > 1:
                since = len(game.events(prompted))
                first, second = game.copy(), game.copy()
                moves = [play_move(first, rng.choice), play_move(second, rng.choice)]
                rows = [[unit.driven for unit in one.view(prompted).side(prompted).bulwarks] for one in (first, second)]
                done = [DONE in words for words in moves]
                if moves[0] != moves[1] and done[0] == done[1] and rows[0] == rows[1]:  # the driven state is public
                    tried += 1
                    for audience in (prompted.opponent, Audience.PUBLIC):
                        assert encoded_view(first, int(audience), since) == encoded_view(
                            second, int(audience), since
                        ), (
                            seed,
                            moves,
                        )
            game.push(rng.choice(game.options))
    assert tried > 5


@pytest.mark.parametrize("regulation", FORMATS)
def test_a_spectator_sees_public_information_only(regulation: str) -> None:
    """A spectator knows nothing of a hidden zone that a seat does not, and in formats without private looks exactly the
    same."""
    rng = random.Random(3)
    private = regulation.split("+")[0] in ("lite",)
    known = 0
    for seed in range(4):
        game = bp.Game(regulation, seed=seed)
        for _ in range(300):
            if game.outcome() is not None:
                break
            public = game.view(Audience.PUBLIC)
            for owner in (0, 1):
                seat = game.view(1 - owner).side(owner)
                watcher = public.side(owner)
                assert set(watcher.hand.known) <= set(seat.hand.known)
                assert set(watcher.grave.known) <= set(seat.grave.known)
                for mine, theirs in zip(watcher.bulwarks, seat.bulwarks, strict=True):
                    assert mine.card in (None, theirs.card)
                known += len(watcher.hand.known) + len(watcher.grave.known)
                if private:
                    assert watcher == seat
            game.push(rng.choice(game.options))
    assert known


@pytest.mark.parametrize("regulation", ["master+constructed40+pack", "master+random40+pack"])
def test_the_size_of_a_pack_is_its_owners(regulation: str) -> None:
    """R-198: another pack means another deck of the same visible cards; no one else sees a difference."""
    game = bp.Game(regulation, seed=4)
    for audience in AUDIENCES:
        before = encoded_view(game, audience, 0)
        for owner in (0, 1):
            side = game._engine.sides[owner]
            pack = side.pack
            side.pack &= pack - 1
            assert (encoded_view(game, audience, 0) == before) == (audience != owner)
            side.pack = pack


# -- named cases -------------------------------------------------------------------------------------------------------


ILLUSION = """format = "extra"
[p1]
trumps = "T:H7"
field = "S9(new)"
bulwarks = "D2 D3 D4"
hand = "C2"
"""


def test_new_marks_do_not_name_a_bulwark_laid_anew() -> None:
    """R-126, R-216"""
    shown: dict[int, set[object]] = {}
    for order in ("b1 b2 b3 b4", "b4 b3 b2 b1", "b2 b4 b1 b3"):
        game = bp.Game.from_position(ILLUSION, seed=1)
        game.push_text("end")
        game.push_text("pass")
        game.push_text("pass")
        game.push_text("S9")
        since = len(game.events(0))
        game.push_text(order)
        for audience in (1, Audience.PUBLIC):
            shown.setdefault(audience, set()).add(encoded_view(game, audience, since))
            assert [unit.new for unit in game.view(audience).p1.bulwarks] == [None] * 4
        assert sorted(bool(unit.new) for unit in game.view(0).p1.bulwarks) == [False, False, False, True]
    assert {audience: len(views) for audience, views in shown.items()} == {1: 1, Audience.PUBLIC: 1}


LANCE = """format = "standard"
turn = "p1"
[p1]
hand = "S{spade} D{diamond}"
[p2]
field = "{unit}"
life = "+12"
"""


def lanced(unit: str, spade: int | str, diamond: int, order: str) -> bp.Game:
    game = bp.Game.from_position(LANCE.format(unit=unit, spade=spade, diamond=diamond), seed=2)
    first = unit.split("+")[0]
    game.push_text(f"death_lance S{spade} D{diamond} >p2.{first}")
    game.push_text("pass")
    game.push_text("pass")
    if order:
        game.push_text(order)
    return game


def test_cards_of_a_lanced_soldier_are_not_forgotten() -> None:
    """R-167, R-216: face up, on top of life, on to the grave in one effect: the location is public."""
    for order in ("H4 H6", "H6 H4"):
        game = lanced("H4+H6", 3, 5, order)
        for audience in (0, Audience.PUBLIC):
            assert {"H4", "H6"} <= set(game.view(audience).p2.grave.known)


def test_the_order_of_a_lanced_soldier_is_known_to_chooser_and_owner() -> None:
    """R-216: with one damage one card is on top of the grave, which reveals the other; of three it does not."""
    game = lanced("H4+H6", "A", 5, "H4 H6")
    assert game.view(0).p2.life_known.top == ["H6"]
    assert game.view(Audience.PUBLIC).p2.life_known.top == ["H6"]
    game = lanced("H4+H6+H5", "A", 5, "H4 H6 H5")
    assert game.view(0).p2.life_known.top == ["H6", "H5"]  # chose the order
    assert game.view(1).p2.life_known.top == ["H6", "H5"]  # placed the cards
    assert game.view(Audience.PUBLIC).p2.life_known.top == []
    others = {encoded_view(lanced("H4+H6+H5", "A", 5, order), Audience.PUBLIC, 0) for order in ("H4 H6 H5", "H4 H5 H6")}
    assert len(others) == 1


def test_a_watcher_remembers() -> None:
    """Public knowledge is kept for spectators (R-216)."""
    text = 'format = "master"\n[p1]\nfield = "S8"\nbulwarks = "D2"\nhand = "H4 D4 C9"\nlife = "+12"'
    game = bp.Game.from_position(text, seed=1)
    for move in ("reverse H4 D4 >p1.S8", "pass", "pass", "leave"):
        game.push_text(move)
    for audience in (1, Audience.PUBLIC):
        side = game.view(audience).p1
        assert [unit.card for unit in side.bulwarks] == [None, "S8"]
        assert side.grave.known == ["H4", "D4"]


def test_a_discard_of_several_shows_one() -> None:
    """R-211, R-213: the event names the visible card, and to others no more."""
    game = bp.Game.from_position('format = "lite"\n[p1]\nhand = "S2 S3 S4 S5 S6 S7 S8 S9 H2"\nlife = "+20"', seed=1)
    game.push_text("end")
    game.push_text("pass")
    game.push_text("pass")
    assert game._engine.kind == CARDS_KIND
    since = len(game.events(0))
    game.push_text("S2 S3")
    for audience in AUDIENCES:
        event = next(event for event in game.event_views(audience, since) if event.event == "discarded")
        assert (event.count, event.top) == (2, "S3")
        assert event.cards == (["S2", "S3"] if audience == 0 else None)


# -- the asked seat ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("regulation", FORMATS)
def test_two_partial_drafts_never_share_a_view(regulation: str) -> None:
    """The asked seat's view contains the tokens of its partial move and its choices in the running effect."""
    rng = random.Random(5)
    compared = 0
    for seed in range(3):
        game = bp.Game(regulation, seed=seed)
        for _ in range(250):
            if game.outcome() is not None:
                break
            prompted = game.player
            before = decision_key(game._engine)
            open_views: dict[bytes, list[int]] = {}
            for option in game.options:
                other = game._engine.copy()
                other.push(option)
                if expects_more(other, before) or (
                    other.active is not None and other.asked == prompted and other.kind != before[0]
                ):
                    shown = view_of(other, int(prompted))
                    if other.draft is not None or other.asked == prompted:
                        open_views.setdefault(msgspec.json.encode(shown), []).append(option)
            compared += len(open_views)
            alike = [options for options in open_views.values() if len(options) > 1]
            assert not alike, (seed, game, alike)
            game.push(rng.choice(game.options))
    assert compared > 100


def test_the_view_of_a_partial_request() -> None:
    game = bp.Game.from_position('format = "lite"\n[p1]\nhand = "S7 H3"\nbulwarks = "D2 D3"\nlife = "+20"', seed=1)
    for word, tokens in (("summon_soldier", ["summon_soldier"]), ("S7", ["summon_soldier", "S7"])):
        decision = game.decision
        assert decision is not None
        game.push(next(option.option for option in decision.options if option.text == word))
        own, other = game.view(0).decision, game.view(1).decision
        assert own is not None
        assert other is not None
        assert own.so_far == tokens
        assert (other.so_far, other.kind) == ([], "chance")


def test_a_pack_is_not_inferred_from_its_size() -> None:
    """R-198: two games that differ in the sizes of pack and life look alike to an opponent, and so do the worlds
    determinized from them."""
    game = bp.Game("master+constructed40+pack", seed=4)
    other = game.copy()
    side = other._engine.sides[1]
    moved = side.life.pop(0)
    side.pack |= BIT[moved]
    worlds = []
    for one in (game, other):
        assert encoded_view(one, 0, 0) == encoded_view(game, 0, 0)
        world = determinize(one._engine, 0, prior_knowledge(Regulation.parse("master+constructed40+pack")), seeded(3))
        worlds.append((world.sides[1].life, world.sides[1].pack, world.sides[1].hand))
    assert worlds[0] == worlds[1]


# -- the name of a unit ------------------------------------------------------------------------------------------------


def test_a_unit_of_two_cards_is_named_by_its_first() -> None:
    """The cards of a view are ordered by suit; the location is the engine's own name of the unit."""
    game = bp.Game.from_position(
        'regulation = "master+full"\n[p1]\nfield = "H9+H5"\nbulwarks = "D2"\n[p2]\nfield = "S7"'
    )
    for audience in (*AUDIENCES, Audience.JUDGE):
        side = game.view(audience).p1
        assert [(unit.name, unit.cards) for unit in side.soldiers] == [("H9", ["H5", "H9"])]
        assert [unit.name for unit in side.bulwarks] == ["b1"]


@pytest.mark.parametrize("regulation", ["master+full", "extra+full"])
def test_every_word_that_names_a_unit_names_one_of_the_view(regulation: str) -> None:
    rng = random.Random(5)
    named = 0
    for seed in range(6):
        game = bp.Game(regulation, seed=seed)
        while game.outcome() is None:
            decision = game.decision
            assert decision is not None
            view = game.view(decision.player)
            places = {
                f"unit:{player}:{unit.name}"
                for player, side in (("p1", view.p1), ("p2", view.p2))
                for unit in both(side)
            }
            units = {word.location for word in decision.options if word.location.startswith("unit:")}
            assert units <= places
            named += len(units)
            game.push(rng.choice(decision.options).option)
    assert named > 200
