"""A game behaves like a Python value: copies, pickles and texts are equal to it and continue identically."""

import copy
import os
import pickle
import random
from collections.abc import Callable, Iterator

import pytest

import blackpoker as bp
from blackpoker import Game, GameStep, Move, Regulation, seeded
from blackpoker.game.assistant import Assistant

LONG = bool(os.environ.get("BLACKPOKER_LONG"))
GAMES = 200 if LONG else 2
VIEW_GAMES = 100 if LONG else 6
#: reading a text move by move is slow
TEXTS = 50 if LONG else 15
PARTS = 10 if LONG else 1  # a long run is split among the cores
FORMATS = ("lite+full", "standard+full", "pro+full", "master+random40+pack", "extra+full+preset2")


def decisions(regulation: str, seed: int) -> Iterator[Game]:
    """Yield a random game at each of its decisions."""
    chosen = random.Random(seed)
    game = Game(regulation, seed=seed)
    while game.options:
        yield game
        game.push(chosen.choice(game.options))
    yield game


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("regulation", FORMATS)
def test_every_copy_is_equal_and_plays_on_alike(regulation: str, part: int) -> None:
    for seed in range(part, GAMES, PARTS):
        for number, game in enumerate(decisions(regulation, seed)):
            if not LONG and number % 5:
                continue
            before = game.hash()
            copies = [game.copy(), copy.copy(game), copy.deepcopy(game), Game.from_json(game.to_json())]
            # these replay the whole history
            if LONG or number % TEXTS == 0:
                copies.append(pickle.loads(pickle.dumps(game)))
            if number % TEXTS == 0:
                copies.append(eval(repr(game), {"Game": Game}))
                assert Game.from_record(game.record()).hash() == before
            wanted = ""
            for other in copies:
                assert other == game
                assert other is not game
                for _ in range(3):
                    if other.options:
                        other.push(other.options[-1])
                wanted = wanted or other.to_json()
                assert other.to_json() == wanted
            assert game.hash() == before


def test_a_partial_choice_of_blockers_is_written_whole() -> None:
    """An unblocked attacker is a token that a finished move omits."""
    seen = 0
    for seed in (3, 56, 104):
        for game in decisions("lite+full", seed):
            if game.decision is not None and game.decision.kind == "blockers":
                seen += 1
                assert eval(repr(game), {"Game": Game}) == game
                assert Game.from_record(game.record()).hash() == game.hash()
    assert seen > 10


def test_a_pickle_keeps_the_past() -> None:
    for seed, regulation in enumerate(FORMATS):
        *_, game = decisions(regulation, seed)
        again = pickle.loads(pickle.dumps(game))
        assert again.record() == game.record()
        assert again.events(bp.Player.P1) == game.events(bp.Player.P1)
        for each in (again, game):
            each.pop()
            each.pop()
        assert again == game


def test_equality() -> None:
    game = Game("lite+entry", seed=7)
    assert game == Game("lite+entry", seed=7)
    assert game != Game("lite+entry", seed=8)
    assert game != Game("lite+full", seed=7)
    assert game != "game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("regulation", FORMATS)
def test_two_partial_drafts_never_share_a_view(regulation: str, part: int) -> None:
    """At one decision, different tokens give the acting seat different views."""
    for seed in range(part, VIEW_GAMES, PARTS):
        for game in decisions(regulation, seed):
            if len(game.draft().words) or game.decision is None or game.decision.kind != "chance":
                continue
            views: dict[str, tuple[str, ...]] = {}
            for words in prefixes(game, ()):
                half = game.copy()
                for option in half.draft(words).options:
                    half.push(option)
                seen = repr(half.view(half.player))
                assert views.setdefault(seen, words) == words


def prefixes(game: Game, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield incomplete prefixes of requests, a few of each length."""
    decision = game.draft(words).decision
    if decision is None or len(words) > 3:
        return
    if words:
        yield words
    for word in decision.words[:4]:
        if not game.draft((*words, word)).complete:
            yield from prefixes(game, (*words, word))


def test_print() -> None:
    game = Game("lite+entry", seed=7)
    assert "hand      ♠A  ♠2" in str(game)
    assert "♠A" not in game.board(bp.Player.P2)
    assert "手札" in game.board(bp.Player.P1, "ja")
    assert str(game.legal_moves).splitlines()[0] == "pass"
    game.end("resign", bp.Player.P1)
    assert str(game).endswith("P2 wins. P1 gave up.") or "P2" in str(game).splitlines()[-1]


def test_cards() -> None:
    for number in range(54):
        card = bp.Card(number)
        assert card == number == eval(repr(card), {"Card": bp.Card}) == bp.Card(str(card)) == bp.Card(card.sign)
    for wrong in ("S11", "", "X5", 54, -1):
        with pytest.raises(bp.UnreadableText):
            bp.Card(wrong)


def test_moves_from_text() -> None:
    game = Game.from_position('[p1]\nhand = "S7"\nbulwarks = "D2"')
    move = bp.Move.from_text("summon_soldier S7 $b1")
    assert move in game.legal_moves
    assert bp.Move.from_text("p2: summon_soldier S7 $b1") not in game.legal_moves
    step = game.push(move)
    assert step.move == bp.Move.from_text("p1: summon_soldier S7 $b1") == eval(repr(step.move), {"Move": bp.Move})
    with pytest.raises(bp.IllegalMove):
        game.push(move)


def test_steps_cover_the_whole_game() -> None:
    *_, game = decisions("master+full", 3)
    game.names = ["Ann", "Bob"]
    again = Game("master+full", seed=3)
    steps = list(game.steps())
    for step in steps:
        move = step.move
        assert move is not None
        pushed = again.push(move)
        assert (pushed.text, pushed.player) == (step.text, step.player)
        assert pushed.events(bp.Player.P1) == step.events(bp.Player.P1)
        assert pushed.lines("ja", bp.Audience.JUDGE) == step.lines("ja", bp.Audience.JUDGE)
        assert step.after.hash() == again.hash()
        assert step.after.view(bp.Audience.PUBLIC) == again.view(bp.Audience.PUBLIC)
    assert again.record().splitlines()[5:] == game.record().splitlines()[5:]
    events = game.events(bp.Audience.PUBLIC)
    assert events[-1] == steps[-1].events(bp.Audience.PUBLIC)[-1]


def test_a_record_keeps_a_partial_choice_of_blockers() -> None:
    """An unblocked attacker is a token of the move too, though its written form omits it."""
    found = 0
    for seed in range(40):
        for game in decisions("lite+full", seed):
            if Assistant(game).kind == "blockers":
                trial = game.copy()
                trial.push(255)  # done: the first attacker is not blocked
                if Assistant(trial).kind == "blockers":
                    found += 1
                    assert bp.Game.from_record(trial.record()).hash() == trial.hash()
        if found >= 3:
            return
    raise AssertionError("no attack by two was found")


def test_a_step_of_the_past_stays_what_it_was() -> None:
    game = Game("lite+entry", seed=7)
    first = game.push(game.parse("summon_ace SA"))
    game.pop()
    second = game.push(game.parse("pass"))
    assert (first.text, second.text) == ("summon_ace SA", "pass")
    assert first.lines("en", bp.Audience.PUBLIC) != second.lines("en", bp.Audience.PUBLIC)
    assert first.move == Move.from_text("p1: summon_ace SA")
    assert first.before == second.before
    assert first.after != second.after
    for seed in range(6):
        game = Game("master+full", seed=seed)
        chance = seeded(seed)
        steps: list[tuple[GameStep, Game, int]] = []
        while game.options and len(steps) < 150:
            step = game.push(game.options[chance.below(len(game.options))])
            steps.append((step, step.game.copy(), len(game.history)))
            if chance.below(5) == 0:
                game.go_to(int(chance.below(len(game.history) + 1)))
        for step, then, n in steps:  # read long afterwards, some of them undone
            anew = GameStep(then, n - 1, n)
            assert (step.text, step.player, step.events(bp.Audience.JUDGE)) == (
                anew.text,
                anew.player,
                anew.events(bp.Audience.JUDGE),
            )
            assert step.lines("ja", bp.Player.P2) == anew.lines("ja", bp.Player.P2)


def test_recorded_events_equal_replayed_ones() -> None:
    """Events are recorded from the first query on, also after undo, and not in a copy until it is queried."""
    for seed in range(4):
        chance = seeded(seed)
        game, recorded = Game("master+full", seed=seed), Game("master+full", seed=seed)
        assert recorded.events(bp.Audience.JUDGE) == next(recorded.steps(deal=True)).events(bp.Audience.JUDGE) != []
        last: list[bp.Event] = []
        for _ in range(200):
            if not game.options:
                break
            option = game.options[chance.below(len(game.options))]
            game.push(option)
            last = recorded.push(option).events(bp.Audience.JUDGE)
            if chance.below(20) == 0:
                n = int(chance.below(len(game.history) + 1))
                game.go_to(n)
                recorded.go_to(n)
                last = []
            if chance.below(20) == 0:
                recorded = recorded.copy()
        events = recorded.events(bp.Audience.JUDGE)
        assert events[len(events) - len(last) :] == last
        assert game.events(bp.Audience.JUDGE) == events
        steps = [next(game.steps(deal=True)), *game.steps()]
        assert [event for step in steps for event in step.events(bp.Audience.JUDGE)] == events


def test_pop_gives_back_what_was_pushed() -> None:
    game = Game("lite+entry", seed=7)
    pushed = game.push_text("summon_ace SA")
    assert game.pop() == pushed.move
    game.push(game.parse("pass"))
    popped = game.pop()
    assert popped == Move.from_text("p1: pass")
    assert popped is not None
    assert game.push(popped).text == "pass"
    assert game.end("resign", 0)
    assert game.pop() is None
    game.pop()
    word = next(option for option in game.options if Assistant(game).token(option) == "summon_ace")
    game.push(word)
    partial = game.pop()
    assert partial is not None
    assert partial.options == (word,)
    while game.history:
        game.pop()
    with pytest.raises(IndexError):
        game.pop()


@pytest.mark.parametrize("wrong", ["end", None, 2.5, True, False, [0], b"end"])
def test_texts_that_are_no_move_are_refused_in_words(wrong: object) -> None:
    game = Game("lite+entry", seed=7)
    with pytest.raises(TypeError, match="push takes an option") as caught:
        game.push(wrong)  # type: ignore[call-overload]
    assert "push_text" in str(caught.value)
    assert not game.history


@pytest.mark.parametrize("wrong", ["asdf $$ >", "", "  ", "p1:", "end >", "up H3 $ >p1.S5", "$", "p2: @@"])
def test_a_text_that_can_be_no_move_is_refused(wrong: str) -> None:
    with pytest.raises(bp.UnreadableText) as caught:
        Move.from_text(wrong)
    assert caught.value.ja != caught.value.en


def test_marks_may_stand_apart() -> None:
    game = Game.from_position('[p1]\nhand = "H3 C9"\nfield = "S5"', seed=1)
    for text in ("up H3 $C9 >p1.S5", "up H3 $ C9 > p1.S5", "アップ ♡3 $♣9 → p1.S5"):
        assert Move.from_text(text).options == ()
        assert game.parse(text).text == "up H3 $C9 >p1.S5"


def test_an_unknown_language_is_refused_in_words() -> None:
    game = Game("lite+entry", seed=7)
    step = game.push(game.parse("summon_ace SA"))
    for call in (
        lambda: game.board(bp.Player.P1, "fr"),
        lambda: step.lines("EN", bp.Player.P1),
        lambda: step._log("", bp.Player.P1),
        lambda: game.decision.prompt_in("de") if game.decision else "",
    ):
        with pytest.raises(ValueError, match="a language is 'ja' or 'en'"):
            call()


def test_every_error_of_ours_is_one() -> None:
    from blackpoker.ruleset import Regulation, RegulationError

    with pytest.raises(bp.BlackPokerError) as caught:
        Regulation.parse("nonsense")
    assert isinstance(caught.value, RegulationError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.ja != caught.value.en


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Regulation.parse("nonsense"),
        lambda: bp.Game("lite+entry", seed=1).push_text("block"),
        lambda: bp.Move.from_text("asdf $$ >"),
    ],
    ids=["a regulation", "a move", "a text"],
)
def test_an_error_comes_whole_out_of_another_process(wrong: Callable[[], object]) -> None:
    """A process pool sends errors through a pipe, and fails if one cannot be unpickled."""
    with pytest.raises(bp.BlackPokerError) as caught:
        wrong()
    for error in (caught.value, bp.AmbiguousMove("up H3", ["up H3 $L", "up H3 $B"])):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))
