"""Auto-pass: the table, settings, the oracle, equal timing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from blackpoker.assist.autopass import FIRM, FULL, MAYBE, NO, YES, AssistSettings, decide, decision_window, usefulness
from blackpoker.assist.decision import Decision
from blackpoker.engine.flow import PASS
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from tests.server.room_driver import Driver
from tests.server.window_oracle import Tally, play

BASE = 'format = "{format}"\nturn = "p2"\nchance = "p2"\n[p1]\nlife = 20\nhand = "{p1}"\n{more}\n[p2]\nlife = 20\nhand = "{p2}"\nbulwarks = "D2 D4"\nfield = "S9"\n'


def position(p1: str, p2: str, *moves: str, format: str = "lite", more: str = "") -> Game:
    game = Game.from_position(BASE.format(format=format, p1=p1, p2=p2, more=more))
    for move in moves:
        game.push_text(move)
    return game


def decision_at(game: Game, words: Sequence[str] = ()) -> Decision:
    decision = game.draft(words).decision
    assert decision is not None
    return decision


def option(game: Game, action: str) -> int:
    return next(o for o in game.options if o and game._engine.rules.plans[o - 1].id == action)


def test_a_counter_is_useful_only_if_it_would_succeed() -> None:
    summon = ("summon_soldier H7 $b1", "pass")
    strong = position("C9 S2", "H7 H3", *summon)
    assert decision_window(strong._engine) == "summon"
    assert usefulness(strong._engine, option(strong, "counter")) == YES
    assert decide(strong._engine, AssistSettings()).option is None
    weak = position("C3 S2", "H7 H3", *summon)
    assert usefulness(weak._engine, option(weak, "counter")) == NO
    verdict = decide(weak._engine, AssistSettings())
    assert (verdict.option, verdict.reason) == (PASS, "useless")


SUMMONED = """regulation = "9:master+extra"
turn = "p2"
chance = "p1"
stage = ["p2: summon_soldier H7"]
passed = ["p2"]
[p1]
life = 20
hand = "{hand}"
trumps = "T:DJ"
bulwarks = "D2 D3 D4"
[p2]
life = {life}
hand = "C4 C5"
field = "{field}"
"""


@pytest.mark.parametrize(("key", "useful"), [("C9", MAYBE), ("C3", NO)])
def test_an_action_that_chooses_a_request_is_useful_if_it_can_choose_one(key: str, useful: int) -> None:
    """N-284: Counter Summon names no target, it chooses the action it negates when it takes effect."""
    game = Game.from_position(SUMMONED.format(hand=f"{key} HK", life=20, field="SA"))
    assert usefulness(game._engine, option(game, "counter_summon_tactician")) == useful


@pytest.mark.parametrize(("life", "field", "useful"), [(2, "SA", MAYBE), (20, "SA", NO), (2, "S3", NO)])
def test_a_death_that_costs_life_may_end_the_game(life: int, field: str, useful: int) -> None:
    """N-207: an A, J, Q, K or Joker that dies turns cards of life into the grave."""
    game = Game.from_position(SUMMONED.format(hand="S9 C3", life=life, field=field))
    assert usefulness(game._engine, option(game, "down")) == useful


def test_common_moves_before_the_end_of_a_turn() -> None:
    """Useful actions for a field without a bulwark, then without a soldier; with both, or with little life, none is
    proposed."""

    def own(more: str, life: int = 20) -> dict[str, int]:
        text = f'format = "lite"\n[p1]\nlife = {life}\nhand = "H7 SK C3"\n{more}\n[p2]\nlife = 20\nhand = "C4"\n'
        game = Game.from_position(text)
        return {word.text: word.useful for word in decision_at(game).options if word.action}

    bare = own("")
    assert (bare["set_bulwark"], bare["attack"], bare["end"]) == (YES, NO, NO)
    walled = own('bulwarks = "D2 D3"')
    assert (walled["set_bulwark"], walled["summon_soldier"], walled["summon_hero"]) == (MAYBE, YES, YES)
    both = own('bulwarks = "D2 D3"\nfield = "S5(d)"')
    assert YES not in both.values()
    assert own('bulwarks = "D2 D3"\nfield = "S5"')["attack"] == YES
    assert YES not in own("", life=9).values()


@pytest.mark.parametrize(("target", "state"), [("p2.S9", "charged"), ("p1.H8", "driven"), ("p1.H3", "driven")])
def test_the_state_that_helps_is_proposed(target: str, state: str) -> None:
    """Twist: an own unit becomes charged and one of the other side driven, whatever it is now."""
    game = position("C4", "D9 C3", f"twist D9 $C3 >{target}", more='field = "H8 H3(d)"')
    while game.decision is not None and game.decision.kind != "state":
        game.push_text("pass")
    assert game.decision is not None
    assert game.decision.proposal == [state]


@pytest.mark.parametrize(("words", "target"), [(["up", "H7"], ">p2.S9"), (["down", "S7"], ">p1.H8")])
def test_helpful_effects_target_the_own_side(words: list[str], target: str) -> None:
    game = position("C4", "H7 S7 C3", more='field = "H8"')
    proposal = decision_at(game, words).proposal
    assert proposal[-1] == target


def test_a_counter_is_proposed_with_the_lowest_key_that_succeeds() -> None:
    """Of ♣3, ♣8 and ♣10 against a summon with ♡7, ♣8 is proposed; ♣3 requires a second tap. The proposed target is the
    request that resolves next."""
    game = position("C3 C8 C10 S2", "H7 H3 C4", "summon_soldier H7 $b1", "pass")
    assert decision_at(game, ["counter"]).proposal[:2] == ["counter", "C8"]
    assert game.draft("counter C3 $S2 >#1".split()).warnings == ["vain"]
    assert game.draft("counter C8 $S2 >#1".split()).warnings == []
    game.push_text("counter C8 $S2 >#1")
    game.push_text("pass")
    assert [request.action for request in game.view(0).stage] == ["summon_soldier", "counter"]
    assert decision_at(game, ["counter"]).proposal == ["counter", "C4", "$H3", ">#2"]


def test_modes_stops_arm_hold_skip() -> None:
    game = position("C3 S2", "H7 H3", "summon_soldier H7 $b1", "pass")
    engine = game._engine
    assert decide(engine, AssistSettings(mode=FIRM)).option is None
    assert decide(engine, AssistSettings(mode=FULL)).option is None
    assert decide(engine, AssistSettings(stops={"summon"})).reason == "stop"
    assert decide(engine, AssistSettings(arm={"C3"})).reason == "armed"
    assert decide(engine, AssistSettings(arm={"HK"})).option == PASS
    assert decide(engine, AssistSettings(hold=True)).reason == "hold"
    assert decide(engine, AssistSettings(mode=FULL, skip="turn")).reason == "skip"


def test_own_requests_pass_and_the_main_window_never_does() -> None:
    game = position("C3 S2", "H7 H3 C2", "summon_soldier H7 $b1")
    assert decide(game._engine, AssistSettings()).reason == "own"
    assert decide(game._engine, AssistSettings(mode=FULL)).option is None
    main = position("C3", "H7")
    assert decide(main._engine, AssistSettings(skip="turn")).option is None


def test_magic_on_the_other_side_of_the_table_is_let_through() -> None:
    game = position("C3 S2 H4 D5", "H7 H3", "up H7 $H3 >p2.S9", "pass")
    assert decision_window(game._engine) == "magic"
    assert usefulness(game._engine, option(game, "counter")) == NO
    assert usefulness(game._engine, option(game, "down")) == MAYBE


def test_an_attack_is_let_happen_whatever_is_used_with_it() -> None:
    """A player who accepts an attack is not prompted for the magic that comes with it; afterwards prompts resume."""
    game = position("C3 S2 H4", "H7 H3", "attack", "up H7 $H3 >p2.S9", "pass", more='field = "H8"')
    assert decision_window(game._engine) == "magic"
    assert decide(game._engine, AssistSettings()).option is None
    assist = AssistSettings(accept=True)
    assert decide(game._engine, assist).reason == "accept"
    assert assist.accept
    calm = position("C9 S2", "H7 H3", "summon_soldier H7 $b1", "pass")
    assert decide(calm._engine, assist).option is None
    assert not assist.accept


@pytest.mark.parametrize(("life", "asked"), [(9, True), (10, False)])
def test_the_defender_is_prompted_before_a_lethal_attack(life: int, asked: bool) -> None:
    """The player accepted before the attackers were known, so a lethal attack still needs a prompt (R-69)."""
    game = Game.from_position(
        f'format = "lite"\n[p1]\nlife = 20\nfield = "S9"\n[p2]\nlife = {life}\nfield = "H3"\nhand = "C2"\n'
    )
    for text in ("attack", "pass", "pass", "S9", "pass", "pass"):
        game.push_text(text)
    assert Assistant(game).kind == "blockers"
    assert (decide(game._engine, AssistSettings(accept=True)).option is None) is asked


@pytest.mark.parametrize(("hand", "asked"), [("S2 S3", True), ("", False)])
def test_the_defender_is_prompted_at_the_judgement_that_ends_the_attack(hand: str, asked: bool) -> None:
    """The damage has grown since the player accepted; a prompt comes as long as the player has an option (R-69)."""
    game = Game.from_position(
        f'format = "lite"\n[p1]\nlife = 20\nfield = "S9"\n[p2]\nlife = 9\nfield = "H3"\nhand = "{hand}"\n'
    )
    for text in ("attack", "pass", "pass", "S9", "pass", "pass", "done", "pass"):
        game.push_text(text)
    assert decision_window(game._engine) == "judgement"
    assist = AssistSettings(accept=True)
    assert (decide(game._engine, assist).option is None) is asked
    assert assist.accept is not asked


def test_an_attack_breaks_a_skip() -> None:
    game = position("C3 S2", "H7 H3", "attack", "pass")
    assist = AssistSettings(skip="turn")
    assert decide(game._engine, assist).option is None
    assert assist.skip == ""


@pytest.mark.parametrize("level", ["heuristic", "random"])
def test_no_window_is_skipped_that_could_matter(level: str) -> None:
    tally = Tally()
    for seed in range(25):
        play("lite+entry", seed, tally, level)
    assert tally.wrong == []
    assert tally.per_turn <= 3


def test_windows_take_equally_long_with_and_without_a_prompt() -> None:
    """With a simulated clock the times are exactly equal; the long run measures them over the network."""
    times: dict[bool, set[float]] = {True: set(), False: set()}
    for seed in range(8):
        driver = Driver(seed=seed, window_ms=1200)
        driver.start()
        for _ in range(400):
            room = driver.room
            if room.phase != "playing":
                break
            opened, seq = room.windows.opened_at, room.room_game.seq
            timed = room.windows.release_at > room.windows.opened_at
            key = driver.prompted()
            prompted = bool(key)
            if timed and prompted:
                driver.now += driver.random.random()  # players respond within the window's time
            if not driver.step():
                break
            while timed and driver.room.room_game.seq == seq and driver.room.phase == "playing":
                driver.step()
            if timed:
                times[prompted].add(round(driver.now - opened, 6))
    assert times[True] == times[False] == {1.2}


def test_automatic_passes_are_sent_to_their_own_seat_only() -> None:
    driver = Driver(seed=3)
    driver.play()
    received = {key: [] for key in ("a", "b", "w")}  # type: ignore[var-annotated]
    for key, messages in driver.inbox.items():
        for message in messages:
            if isinstance(message, p.Update):
                received[key] += [line for line in message.lines if line.automatic]
    assert not received["w"]
    passes = {
        seat: {at for at, player, _, _ in driver.room.room_game.log.auto_passes if player == seat} for seat in (0, 1)
    }
    assert {line.seq for line in received["a"]} <= passes[0]
    assert {line.seq for line in received["b"]} <= passes[1]
