"""The public Game object: choosing, undoing, viewing, saving."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.hidden_cards import permute_hidden

import blackpoker as bp
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.shuffler import SystemShuffler, seeded
from blackpoker.engine.views import EventView, ResultView, View
from blackpoker.engine.visibility import AUDIENCES, Audience
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import shuffles_of
from blackpoker.notation.options import view_of
from blackpoker.text.refusals import why_not, why_not_pass

ROOT = Path(__file__).parents[2]
REGULATIONS = ("lite+entry", "standard+full", "pro+full", "master+full", "master+random40+pack", "extra+full+preset2")


def played(regulation: str, seed: int, steps: int) -> bp.Game:
    rng = random.Random(seed)
    game = bp.Game(regulation, seed=seed)
    for _ in range(steps):
        if game.outcome() is not None:
            break
        game.push(rng.choice(game.options))
    return game


# -- the façade


def test_exports() -> None:
    assert set(bp.__all__) <= set(dir(bp))
    for name in bp.__all__:
        assert getattr(bp, name) is not None
    with pytest.raises(AttributeError):
        bp.nothing  # noqa: B018


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_readme_example_runs(name: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {})


def test_guide_examples_run() -> None:
    text = (ROOT / "docs" / "guide" / "api.md").read_text(encoding="utf-8")
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(compile(block, "api.md", "exec"), space)


# -- choosing


def test_an_option_that_is_not_offered_is_refused_with_its_ruling() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S7 H3"')
    plans = [plan.id for plan in game._engine.rules.plans]
    before = game.to_json()
    for action, ruling in (("block", "R-21"), ("summon_soldier", "R-32"), ("up", "R-31"), ("counter", "R-39")):
        with pytest.raises(bp.IllegalMove) as refused:
            game.push(plans.index(action) + 1)
        assert refused.value.ruling == ruling
        assert refused.value.reason
        assert refused.value.reason_ja
    for option in (-1, 200, 10**30):
        with pytest.raises(bp.IllegalMove):
            game.push(option)
    assert game.to_json() == before


def test_moves_of_elsewhere_are_refused() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S7"\nbulwarks = "D2"')
    move = game.parse("summon_soldier S7 $b1")
    assert move in game.legal_moves
    assert "summon_soldier S7" in game.legal_moves
    assert "summon_soldier S8" not in game.legal_moves
    assert 7 not in game.legal_moves
    game.push(move)
    assert move not in game.legal_moves
    with pytest.raises(bp.IllegalMove):
        game.push(move)


def test_legal_moves_are_whole_sentences() -> None:
    game = bp.Game.from_position('[p1]\nhand = "H3 H4 C9"\nfield = "S5"\n[p2]\nfield = "S5 D8"')
    ups = [move.text for move in game.legal_moves if move.text.startswith("up")]
    assert len(ups) == 12  # two keys, two payments each, three soldiers
    assert "up H3 $C9 >p2.S5" in ups
    assert game.legal_moves.count() == len(list(game.legal_moves))
    for move in game.legal_moves:
        after = game.copy()
        after.push(move)
        assert len(after._engine.tokens) == 0 or after._engine.draft is None


def test_decision() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S7"\nbulwarks = "D2"')
    decision = game.decision
    assert decision is not None
    assert (decision.player, decision.kind) == (bp.Player.P1, "chance")
    assert [word.text for word in decision.options] == decision.words
    summon = next(word for word in decision.options if word.action == "summon_soldier")
    assert "兵士召喚" in summon.label("ja")
    assert "Summon Soldier" in summon.label("en")
    assert decision.prompt
    assert decision.prompt_in("ja")
    game.push(summon.option)
    assert [word.text for word in decision.options] == decision.words  # an earlier decision does not change
    now = game.decision
    assert now is not None
    assert (now.kind, now.words) == ("key", ["S7"])
    game.push(game.options[0])
    now = game.decision
    assert now is not None
    assert now.words == ["$b1"]


@pytest.mark.parametrize(
    ("how", "winner", "reason", "result"),
    [
        ("resign", bp.Player.P2, "resigned", "p2 resigned"),
        ("time", bp.Player.P2, "time", "p2 time"),
        ("abandon", bp.Player.P2, "abandoned", "p2 abandoned"),
        ("agree", None, "draw", "draw agreed"),
        ("void", None, "abandoned", "draw abandoned"),
    ],
)
def test_ends_from_outside_the_rules(how: str, winner: bp.Player | None, reason: str, result: str) -> None:
    game = played("standard+full", 5, 40)
    before = game.to_json()
    game.end(how, bp.Player.P1)
    assert game.outcome() == bp.Outcome(winner, reason)
    text = game.record()
    assert f"result: {result}\n" in text
    assert text.splitlines()[-1] == f"p1: {how}"
    for again in (bp.Game.from_record(text), bp.Game.from_json(game.to_json()), game.copy()):
        assert again.outcome() == game.outcome()
        assert again.view(bp.Player.P1).over == game.view(bp.Player.P1).over
    assert bp.Game.from_record(text).record() == text
    game.pop()
    assert game.to_json() == before
    with pytest.raises(ValueError, match="a game ends by one of"):
        game.end("sleep", bp.Player.P1)
    with pytest.raises(bp.UnreadableText, match="the result is"):
        bp.Game.from_record(text.replace(f"p1: {how}", f"p1: {'time' if how != 'time' else 'agree'}"))


def test_a_saved_end_must_fit() -> None:
    game = played("standard+full", 5, 40)
    game.end("time", bp.Player.P1)
    with pytest.raises(bp.UnreadableText, match="ended is one of"):
        bp.Game.from_json(game.to_json().replace('"ended":"time"', '"ended":"draw"'))


def test_resigning() -> None:
    game = played("master+full", 4, 50)
    before = game.to_json()
    game.end("resign", bp.Player.P1)
    assert game.outcome() == bp.Outcome(bp.Player.P2, "resigned")
    assert game.options == []
    assert game.decision is None
    assert list(game.legal_moves) == []
    assert game.view(bp.Player.P2).over == ResultView(bp.Player.P2, "resigned")
    with pytest.raises(bp.IllegalMove):
        game.end("resign", bp.Player.P2)
    with pytest.raises(bp.IllegalMove):
        game.push(0)
    with pytest.raises(bp.IllegalMove):
        game.push_text("pass")
    assert bp.Game.from_record(game.record()).outcome() == game.outcome()
    assert bp.Game.from_json(game.to_json()).outcome() == game.outcome()
    game.pop()
    assert game.to_json() == before


# -- undoing


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_pop_undoes_everything(regulation: str) -> None:
    rng = random.Random(3)
    game = bp.Game(regulation, seed=11)
    states = [game.to_json()]
    pushes = 0
    while game.outcome() is None and pushes < 300:
        if rng.random() < 0.3:
            move = next(move for move, _ in zip(game.legal_moves, range(rng.randint(1, 5)), strict=False))
            game.push(move)
        else:
            game.push(rng.choice(game.options))
        states.append(game.to_json())
        pushes += 1
    events = game.events(Audience.PUBLIC)
    while pushes:
        assert game.to_json() == states[pushes]
        game.pop()
        pushes -= 1
    assert game.to_json() == states[0]
    assert len(game.events(Audience.PUBLIC)) < len(events)
    with pytest.raises(IndexError):
        game.pop()


def test_undo_and_the_feed_repeat_the_shuffles_of_any_source() -> None:
    """The operating system's randomness cannot be repeated; its outcomes can."""
    for _ in range(20):
        game = bp.Game("lite+full", shuffler=SystemShuffler())
        rng = random.Random(1)
        while game.outcome() is None and len(shuffles_of(game)) < 3:
            searches = [
                option for option in game.options if game.decision and Assistant(game).token(option) == "search"
            ]
            game.push(searches[0] if searches else rng.choice(game.options))
        state = game.to_json()
        option = game.options[0] if game.options else None
        if option is None:
            continue
        game.push(option)
        game.pop()
        assert game.to_json() == state
        assert len(game.events(0)) == len(game.copy().events(0))
        assert bp.Game.from_record(game.record()).hash() == game.hash()


def test_copies_are_independent() -> None:
    game = played("master+full", 9, 100)
    state = game.to_json()
    other = game.copy()
    for _ in range(80):
        if other.outcome() is None:
            other.push(other.options[-1])
    for _ in range(120):
        if other.history:
            other.pop()
    assert game.to_json() == state
    assert len(game.history) == 100


# -- seeds and chance


def test_same_seed_same_game() -> None:
    assert played("master+full", 5, 200).hash() == played("master+full", 5, 200).hash()
    assert bp.Game("master+full", seed=1).hash() != bp.Game("master+full", seed=2).hash()
    assert bp.Game("マスター+フル", seed=1).hash() == bp.Game("master+full", seed=1).hash()


def test_injected_shuffle() -> None:
    source = seeded(1)
    source.injected = [(0, [3, 2, 1]), (1, [7])]
    game = bp.Game("master+full", shuffler=source)
    assert shuffles_of(game)[0][1][:3] == [3, 2, 1]
    assert shuffles_of(game)[1][1][0] == 7
    assert all(game._engine.sides[0].hand >> card & 1 for card in (1, 2, 3))


def test_bad_regulations_and_decks() -> None:
    for text in ("", "master", "master+moon", "lite+full+preset2", "x" * 10000):
        with pytest.raises(bp.UnreadableText):
            bp.Game(text)
    for decks in (["S5", None], [["S5"] * 40, None], [None], ["what", None]):
        with pytest.raises(bp.UnreadableText):
            bp.Game("master+constructed40", decks=decks)


# -- viewing


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_views_hide(regulation: str) -> None:
    """Permuting what a seat cannot know does not change its view (R-210…R-216)."""
    rng = random.Random(7)
    source = seeded(8)
    for seed in range(3):
        game = bp.Game(regulation, seed=seed)
        for _ in range(250):
            if game.outcome() is not None:
                break
            for seat in AUDIENCES:
                other = game._engine.copy()
                permute_hidden(other, seat, source)
                assert view_of(other, seat) == view_of(game._engine, seat)
            game.push(rng.choice(game.options))


def test_permuting_moves_cards() -> None:
    """Check the permuter itself: it must change something."""
    game = played("master+full", 2, 6)
    other = game._engine.copy()
    permute_hidden(other, 0, seeded(1))
    assert other.sides[1].hand != game._engine.sides[1].hand
    assert other.sides[1].life != game._engine.sides[1].life
    assert other.sides[0].life != game._engine.sides[0].life
    assert other.sides[0].hand == game._engine.sides[0].hand


@pytest.mark.parametrize("regulation", ["master+full", "extra+full"])
def test_a_draft_is_visible_to_its_own_seat_only(regulation: str) -> None:
    rng = random.Random(2)
    game = bp.Game(regulation, seed=21)
    seen = [game.view(seat) for seat in AUDIENCES]
    for _ in range(600):
        if game.outcome() is not None:
            break
        prompted = game.player
        game.push(rng.choice(game.options))
        if game._engine.draft is not None:
            for seat in (prompted.opponent, Audience.PUBLIC):
                assert game.view(seat) == seen[seat]
        else:
            seen = [game.view(seat) for seat in AUDIENCES]


def test_only_the_seat_to_decide_sees_options() -> None:
    game = played("master+full", 3, 40)
    prompted = game.player
    decision = game.view(prompted).decision
    assert decision is not None
    assert decision.options
    for other in (prompted.opponent, Audience.PUBLIC):
        decision = game.view(other).decision
        assert decision is not None
        assert (decision.options, decision.so_far, decision.chosen) == ([], [], [])
    for invalid in (-1, 4):
        with pytest.raises(ValueError, match="audience"):
            game.view(invalid)


def test_view_is_json() -> None:
    for seed in range(4):
        game = played("extra+full+preset4", seed, 150)
        for audience in Audience:
            shown = game.view(audience)
            assert msgspec.json.decode(msgspec.json.encode(shown), type=View) == shown
            events = game.event_views(audience)
            assert msgspec.json.decode(msgspec.json.encode(events), type=list[EventView]) == events


def test_events_are_filtered_for_each_seat() -> None:
    game = bp.Game("master+full", seed=6)
    first = {seat: [event for event in game.event_views(seat) if event.event == "drew"] for seat in AUDIENCES}
    for event in first[Audience.P1]:
        assert (event.cards is None) == (event.player == "p2")
    assert all(event.cards is None for event in first[Audience.PUBLIC])
    event_count = len(game.events(0))
    game.push_text("end")
    assert [event.event for event in game.events(0, event_count)][:2] == ["declared", "staged"]


def test_every_event_has_a_name() -> None:
    from blackpoker.engine import events
    from blackpoker.engine.visibility import EVENT_NAMES

    zones = {"HAND", "LIFE", "GRAVE", "FIELD", "STAGE", "TRUMPS", "PACK", "ASIDE", "RARE", "FOG"}
    zones |= {"BOTH_SEATS", "EVERYBODY"}
    kinds = {name: value for name, value in vars(events).items() if name.isupper() and name not in zones}
    assert {value: name.lower() for name, value in kinds.items()} == dict(enumerate(EVENT_NAMES, 1))


# -- reasons


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_reason_exactly_for_what_is_not_offered(regulation: str) -> None:
    rng = random.Random(5)
    for seed in range(4):
        game = bp.Game(regulation, seed=seed)
        while game.outcome() is None and len(game.history) < 500:
            engine = game._engine
            if engine.kind == CHANCE_KIND:
                for plan in engine.rules.plans:
                    offered = plan.index + 1 in engine.options
                    assert (why_not(engine, engine.asked, plan.id) is None) == offered, plan.id
                    assert why_not(engine, 1 - engine.asked, plan.id) is not None
                assert (why_not_pass(engine, engine.asked) is None) == (0 in engine.options)
            game.push(rng.choice(engine.options))


def test_actions_of_other_formats() -> None:
    reason = Assistant(bp.Game("lite+full", seed=1)).why_not("kill")
    assert reason is not None
    assert reason.ruling == "R-204"


# -- saving


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_json_at_every_decision(regulation: str) -> None:
    rng = random.Random(9)
    game = bp.Game(regulation, seed=5)
    kinds = set()
    while game.outcome() is None:
        decision = game.decision
        assert decision is not None
        kinds.add(decision.kind)
        text = game.to_json()
        game = bp.Game.from_json(text)
        assert game.to_json() == text
        game.push(rng.choice(game.options))
    finished = bp.Game.from_json(game.to_json())
    assert finished.outcome() == game.outcome()
    assert {"chance", "key"} <= kinds
    # without saving, the same game ends the same way
    rng = random.Random(9)
    straight = bp.Game(regulation, seed=5)
    while straight.outcome() is None:
        straight.push(rng.choice(straight.options))
    assert straight.hash() == game.hash()


def test_in_the_middle_of_reanimate() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S4 H9"\nbulwarks = "D3"\ngrave = "SK C2"', seed=4)
    for text in ("reanimate S4 H9 >p1.b1", "pass", "pass"):
        game.push_text(text)
    again = bp.Game.from_json(game.to_json())
    position = bp.Game.from_position(game.position())
    record = bp.Game.from_record(game.record())
    for other in (game, again, position, record):
        assert other.decision is not None
        assert other.decision.words == ["SK", "C2"]
        other.push_text("SK")
        assert other.view(0).p1.soldiers[0].cards == ["SK"]
    assert game.hash() == again.hash() == position.hash() == record.hash()


def test_a_half_built_request() -> None:
    game = bp.Game.from_position('[p1]\nhand = "H3 H4 C9"\nfield = "S5"', seed=4)
    for word in ("up", "H3", "$C9"):
        decision = game.decision
        assert decision is not None
        game.push(next(option.option for option in decision.options if option.text == word))
    for other in (
        bp.Game.from_json(game.to_json()),
        bp.Game.from_position(game.position()),
        bp.Game.from_record(game.record()),
    ):
        assert other.hash() == game.hash()
        assert other.options == game.options
        other.push_text(">p1.S5")
        assert [request.action for request in other.view(1).stage] == ["up"]


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_sentence_of_one_word_is_the_same_tried_or_not(regulation: str) -> None:
    """``sentence`` recognises a pass or a single token as a complete move without trying it."""
    chosen = random.Random(11)
    for seed in range(3):
        game = bp.Game(regulation, seed=seed)
        while game.outcome() is None and len(game.history) < 400:
            glance, decision = Assistant(game).decision, game.decision
            assert glance is not None
            assert decision is not None
            assert (glance.words, glance.kind, glance.so_far) == (decision.words, decision.kind, decision.so_far)
            for word in decision.words:
                assert outcome_of(Assistant(game).options_of, word) == outcome_of(tried(game), word)
            game.push(chosen.choice(game.options))


def tried(game: bp.Game) -> Callable[[list[str]], list[int]]:
    return lambda words: game.draft(words, finish=True).options


def outcome_of(call: Callable[[list[str]], list[int]], word: str) -> list[int] | str:
    try:
        return call([word])
    except bp.IllegalMove as error:
        return error.en
