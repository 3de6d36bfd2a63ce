"""Rooms without a network: whole games, late moves, offers, clocks, reconnects."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from blackpoker.engine.shuffler import seeded
from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from blackpoker.ruleset import DeckList, Regulation, make_decks, write_decks
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.http.api.replay import make_replay
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import MAX_SPECTATORS, MAX_TABS, MessageRefused, RoomClient
from tests.server.room_driver import Driver


@pytest.mark.parametrize(
    "regulation",
    ["lite+entry", "standard+random40+preset2", "pro+constructedhalf", "master+random40+pack", "extra+regular+preset4"],
)
def test_a_whole_match_and_its_record(regulation: str) -> None:
    driver = Driver(regulation, 5)
    driver.play()
    assert driver.results[-1].match_over
    assert not driver.errors
    for done in driver.finished:
        assert Game.from_record(done.record).outcome() is not None
        assert "nothing was compared" in verify_record(done.record).en
    assert [done.record_id for done in driver.finished] == [result.record_id for result in driver.results]


def test_a_room_comes_back_as_it_was_at_every_moment() -> None:
    driver = Driver("pro+randomhalf", 3, clock=p.ClockRules(bank=600))
    driver.start()
    step = 0
    while driver.step():
        step += 1
        if step % 9:
            continue
        room = driver.room
        again = Room.load(room.dump(), room.settings, room.room_game.entries[:], driver.now)
        assert again.room_game.seq == room.room_game.seq + (
            1 if room.windows.pending_move is not None and room.windows.pending_move.kind == "say" else 0
        )
        if room.windows.pending_move is None:
            assert again.room_game.match is not None
            assert room.room_game.match is not None
            assert again.room_game.match.record() == room.room_game.match.record()
            assert again.windows.verdict == room.windows.verdict
            assert [seat.last_move for seat in again.seats] == [seat.last_move for seat in room.seats]


def started(seed: int = 0, **settings: object) -> Driver:
    driver = Driver(seed=seed, **settings)  # type: ignore[arg-type]
    driver.start()
    return driver


def other(key: str) -> str:
    return "b" if key == "a" else "a"


def test_late_repeated_and_foreign_answers_change_nothing() -> None:
    driver = started()
    key = driver.prompted()
    ask = driver.asks[key]
    assert ask is not None
    words = driver.random_move(key)
    before = driver.room.room_game.seq
    for wrong, seq in ((other(key), ask.seq), (key, ask.seq + 1), ("w", ask.seq)):
        answer = driver.send(wrong, p.SubmitMove(9, seq, words))[0]
        assert isinstance(answer, p.Error)
    assert driver.room.room_game.seq == before
    assert isinstance(driver.send(key, p.SubmitMove(9, ask.seq, words))[0], p.Ack)
    after = driver.room.room_game.seq
    again = driver.send(key, p.SubmitMove(9, ask.seq, words))[0]
    assert isinstance(again, p.Error)
    assert again.code == "late"
    assert driver.room.room_game.seq == after


def test_an_illegal_sentence_cites_its_ruling() -> None:
    driver = started()
    key = driver.prompted()
    answer = driver.send(key, p.SubmitMove(9, 0, text="royal_straight_flush"))[0]
    assert isinstance(answer, p.Error)
    assert answer.ruling.startswith("R-")
    reasons = driver.send(key, p.RequestRefusals(5))[0]
    assert isinstance(reasons, p.Refusals)
    assert all(refused.reason.ruling.startswith("R-") for refused in reasons.refusals)


def test_coming_back_gives_the_same_prompt_and_the_missed_events() -> None:
    driver = started(seed=4)
    for _ in range(12):
        driver.step()
    key = driver.prompted()
    prompt = driver.asks[key]
    seq = driver.room.room_game.seq
    driver.room.leave(key, driver.now)
    driver.collect()
    assert driver.room.info().p1.connected is (key != "a")
    driver.inbox[key] = []
    driver.join(key, game=1, since=seq - 3)
    welcome = driver.inbox[key][0]
    assert isinstance(welcome, p.Welcome)
    update = next(message for message in driver.inbox[key] if isinstance(message, p.Update))
    assert (update.seq, update.since) == (seq, seq - 3)
    assert update.events
    assert prompt is not None
    assert update.prompt is not None
    assert (update.prompt.seq, update.prompt.options) == (prompt.seq, prompt.options)


def test_draw_offer_and_rematch() -> None:
    driver = started()
    driver.send("a", p.MakeOffer(1, "draw"))
    assert driver.room.phase == "playing"
    driver.send("a", p.AnswerOffer(1, "draw", True))
    assert driver.errors[-1].code == "no_offer"
    driver.send("b", p.AnswerOffer(1, "draw", True))
    assert driver.results[-1].winner == "draw"
    assert driver.results[-1].reason == "draw"
    recorded(driver, "p2: agree", "draw agreed")
    first = driver.room.info().commitment
    driver.send("a", p.MakeOffer(1, "rematch"))
    driver.send("b", p.MakeOffer(1, "rematch"))
    assert driver.room.phase == "waiting"
    assert driver.room.info().commitment != first
    driver.play()
    assert driver.room.game_number == 2


def test_rewind_by_consent_plays_the_record_again() -> None:
    driver = started(seed=2, opponent="human")
    marks = {}
    for _ in range(30):
        game = driver.room.game_in_play()
        assert game is not None
        marks[driver.room.room_game.seq] = game.hash()
        driver.step()
    own = [entry.seq for entry in driver.room.room_game.entries if entry.kind == "say" and entry.seat == 0]
    driver.send("a", p.MakeOffer(1, "rewind", own[-2]))
    driver.send("b", p.AnswerOffer(1, "rewind", False))
    seq = driver.room.room_game.seq
    driver.send("a", p.MakeOffer(1, "rewind", own[-2]))
    driver.send("b", p.AnswerOffer(1, "rewind", True))
    assert driver.room.room_game.seq > seq
    assert driver.room.practice
    game = driver.room.game_in_play()
    assert game is not None
    assert game.hash() == marks[own[-2]]
    room = driver.room
    again = Room.load(room.dump(), room.settings, room.room_game.entries[:], 0.0)
    assert again.room_game.match is not None
    assert room.room_game.match is not None
    assert again.room_game.match.record() == room.room_game.match.record()
    driver.play()
    assert re.search(r"\nresult: (p[12]|draw) \w+\n", driver.finished[0].record)
    verify_record(driver.finished[0].record)


def test_against_a_computer_rewinding_is_free_and_windows_take_no_time() -> None:
    room = Room("room", p.RoomSettings(opponent="random"), 0.0)
    assert room.windows.min_seconds == 0
    assert room.seats[1].kind == "ai"
    room.join(RoomClient("a", "ga", "A"), p.Join(room="room"), 0.0)
    room.receive("a", p.Ready(), 0.0)
    assert room.phase == "playing"


def test_resigning_ends_the_game() -> None:
    driver = started()
    driver.send("b", p.Resign(1))
    assert (driver.results[-1].winner, driver.results[-1].reason) == ("p1", "resigned")
    recorded(driver, "p2: resign", "p1 resigned")


def recorded(driver: Driver, last: str, result: str) -> None:
    """Check that the record states the end, reads back, is proven, and replays to its last line."""
    text = driver.finished[0].record
    assert text.splitlines()[-1] == last
    assert f"\nresult: {result}\n" in text
    over = Game.from_record(text).outcome()
    assert over is not None
    assert over.reason == driver.results[-1].reason == driver.finished[0].meta["reason"]
    assert result in verify_record(text).en
    shown = make_replay("id", text, {}, "both", "en", 0, 0)
    final = make_replay("id", text, {}, "both", "en", shown.steps, 1).frames[0]
    assert f"{final.by}: {final.move}" == last
    shown_end = final.views["p1"].over
    assert shown_end is not None
    assert shown_end.reason == over.reason


def test_an_answer_that_waits_may_end_the_game_before_a_resignation_does() -> None:
    for seed in range(40):  # until the last move of a game is one that waits for its window to end
        driver = Driver(seed=seed, window_ms=1200, mode="full")
        driver.start()
        steps = 0
        while driver.step():
            steps += 1
        entry_count = len(driver.entries)
        driver = Driver(seed=seed, window_ms=1200, mode="full")
        driver.start()
        for _ in range(steps - 1):
            driver.step()
        if driver.room.windows.pending_move is not None and len(driver.entries) == entry_count:
            break
    assert driver.room.windows.pending_move is not None
    assert driver.room.phase == "playing"
    driver.send("ab"[1 - driver.room.windows.pending_move.seat], p.Resign(1))
    assert driver.room.phase == "playing", "nothing from outside happens inside a window"
    while not driver.results:
        driver.step()
    assert driver.results[-1].reason == "life"
    assert verify_record(driver.finished[0].record)
    row = driver.rows[-1]
    again = Room.load({**row, "phase": "playing"}, driver.room.settings, driver.entries, 0.0)
    assert again.phase == "over"


def test_a_hold_outlives_a_restart_and_ends_with_an_answer() -> None:
    """待った and the cards to stop for are stored; a restarted server does not auto-pass for a seat that set them."""
    driver = Driver(seed=3, window_ms=1200)
    driver.start()
    while driver.room.room_game.seq < 6:
        driver.step()
    for key in ("a", "b"):
        driver.send(key, p.SetAssist(1, stop_next=True, stop_cards=["S5"]))
    room = driver.room
    again = Room.load(driver.rows[-1], room.settings, driver.entries[:], driver.now)
    assert [(seat.assist.hold, seat.assist.arm) for seat in again.seats] == [(True, {"S5"})] * 2
    place = again.room_game.player
    assert again.windows.verdict is not None, "the seat is asked, not passed for"
    while room.seats[place].assist.hold:
        driver.step()
    assert not driver.rows[-1]["seats"][place]["hold"]  # type: ignore[index]


def test_an_offer_ends_with_its_game() -> None:
    driver = Driver("pro+randomhalf", seed=4)
    driver.start()
    while driver.room.game_in_play() is None:
        driver.step()
    driver.send("a", p.MakeOffer(1, "draw"))
    while not driver.results:
        driver.step()
    driver.send("b", p.AnswerOffer(1, "draw", True))
    assert driver.errors[-1].code == "no_offer"


def test_a_chance_that_times_out_passes_and_a_bank_that_runs_out_loses() -> None:
    driver = started(seed=1, mode="full", clock=p.ClockRules(bank=30, each=0, chance=5))
    while driver.room.windows.deadline is None:
        driver.step()
    game = driver.room.game_in_play()
    assert game is not None
    prompted = int(game.player)
    driver.now = driver.room.windows.deadline
    driver.room.tick(driver.now)
    driver.collect()
    assert (driver.entries[-1].kind, driver.entries[-1].why, driver.entries[-1].seat) == ("auto", "time", prompted)
    for _ in range(1000):
        due = driver.room.due()
        if driver.room.phase != "playing" or due is None:
            break
        driver.now = due
        driver.room.tick(due)
        driver.collect()
    assert driver.results[-1].reason == "time"
    winner = driver.results[-1].winner
    recorded(driver, "p1: time" if winner == "p2" else "p2: time", f"{winner} time")


def test_a_lost_connection_has_a_grace_and_then_its_clock_runs() -> None:
    driver = started(clock=p.ClockRules(bank=60, each=0, grace=20))
    key = driver.prompted()
    seat = driver.room.seats["ab".index(key)]
    driver.room.leave(key, driver.now)
    assert seat.clock.empty_at() == driver.now + 80
    driver.now += 10
    driver.join(key)
    assert seat.clock.empty_at() == driver.now + 60
    assert seat.clock.grace == pytest.approx(10)


def test_an_abandoned_game_ends() -> None:
    driver = started()
    driver.room.leave("b", driver.now)
    due = driver.room.due()
    assert due is not None
    driver.now = due
    driver.room.tick(due)
    driver.collect()
    assert (driver.results[-1].winner, driver.results[-1].reason) == ("p1", "abandoned")
    recorded(driver, "p2: abandon", "p1 abandoned")


def test_no_winner_when_both_have_left() -> None:
    driver = started()
    for key in ("a", "b"):
        driver.room.leave(key, driver.now)
    due = driver.room.due()
    assert due is not None
    driver.now = due
    driver.room.tick(due)
    driver.collect()
    assert [(done.meta["winner"], done.meta["reason"]) for done in driver.finished] == [("draw", "abandoned")]
    assert driver.finished[0].record.splitlines()[-1] == "p1: void"


def test_watchers_see_the_game_later() -> None:
    driver = Driver(seed=1, spectator_delay=30)
    driver.start()
    driver.inbox["w"] = []
    for _ in range(4):
        driver.step()
    assert not [message for message in driver.inbox["w"] if isinstance(message, p.Update)]
    driver.now += 31
    driver.room.tick(driver.now)
    driver.collect()
    assert [message for message in driver.inbox["w"] if isinstance(message, p.Update)]


def test_a_crowd_of_watchers_keeps_no_player_out() -> None:
    """Otherwise a disconnected player would lose to a guest who opens enough tabs."""
    driver = Driver(seed=4)
    driver.start()
    room = driver.room
    room.leave("b", 1.0)

    def join(key: str, guest: str, seat: Literal["any", "watch"]) -> None:
        room.join(RoomClient(key, guest, guest), p.Join(1, "room", seat), 2.0)

    for number in range(MAX_SPECTATORS - 1):  # one spectator is there already
        join(f"x{number}", "greedy", "watch")
    with pytest.raises(MessageRefused, match="too many"):
        join("x", "greedy", "watch")
    for number in range(MAX_TABS):
        join(f"b{number}", "guest-b", "any")
    with pytest.raises(MessageRefused, match="too many"):
        join("b", "guest-b", "any")
    assert (room.seats[1].absent_since, room.seats[1].clients) == (None, MAX_TABS)


def test_holding_takes_back_a_pass_while_its_window_is_open() -> None:
    driver = Driver(seed=6, window_ms=1200)
    driver.start()
    for _ in range(300):
        pending = driver.room.windows.pending_move
        if pending is not None and pending.kind == "auto":
            break
        driver.step()
    assert pending is not None
    key = "ab"[pending.seat]
    entry_count = len(driver.room.room_game.entries)
    driver.send(key, p.SetAssist(1, stop_next=True))
    assert driver.room.windows.pending_move is None
    assert driver.prompted() == key
    assert len(driver.room.room_game.entries) == entry_count
    ask = driver.asks[key]
    assert ask is not None
    assert ask.reason == "hold"
    driver.play()


def test_a_bad_deck_is_refused_with_every_defect() -> None:
    driver = Driver("master+constructed40")
    answer = driver.send("a", p.Ready(1, deck="S5 S5 H4"))[0]
    assert isinstance(answer, p.Error)
    assert answer.code == "deck"
    assert not driver.room.seats[0].ready


@pytest.mark.parametrize("frame", ["random40", "randomhalf"])
def test_no_deck_is_accepted_in_a_random_frame(frame: str) -> None:
    """Forty chosen cards would be a legal size; they are refused, and the seat stays as it was (R-190)."""
    regulation = Regulation.parse(f"master+{frame}")
    halves = make_decks(regulation, seeded(3))
    driver = Driver(f"master+{frame}")
    text = write_decks(DeckList(halves))
    answer = driver.send("a", p.Ready(1, deck=text))[0]
    assert isinstance(answer, p.Error)
    assert (answer.code, answer.ruling) == ("deck", "R-190")
    assert "at random" in answer.en
    assert "無作為" in answer.ja
    assert not driver.room.seats[0].ready


def test_chat_is_bounded_and_cleaned() -> None:
    driver = Driver()
    for number in range(50):
        driver.now += 2  # more at once is refused
        driver.send("w", p.Chat(1, f"hello\u202e {number}\n"))
    assert len(driver.room.chat) == 30
    assert driver.room.chat[-1].line.text == "hello 49"
    assert driver.room.chat[-1].line.seat == "watch"
    for typed, seen in (
        ("a\nb\tc", "a b c"),
        ("tower" + "\u0301" * 150, "tower\u0301\u0301"),
        ("Việt Nam, ที่นี่, ガ", "Việt Nam, ที่นี่, ガ"),
        ("\u3164\u200bx", "x"),
        ("a\u2066b", "ab"),
    ):
        driver.now += 2
        driver.send("w", p.Chat(1, typed))
        assert driver.room.chat[-1].line.text == seen
    driver.now += 2
    (refused,) = driver.send("w", p.Chat(1, "\u200b\u3164"))
    assert isinstance(refused, p.Error)
    assert refused.code == "empty"


def test_planned_attackers_attack() -> None:
    for seed in range(40):
        driver = started(seed=seed)
        for _ in range(60):
            key = driver.prompted()
            ask = driver.asks.get(key) if key else None
            if ask is not None and ask.kind == "attackers":
                break
            if not driver.step():
                break
        else:
            continue
        if driver.room.phase != "playing" or ask is None or ask.kind != "attackers" or len(ask.options) < 2:
            continue
        room = driver.room
        again = Room.load(room.dump(), room.settings, room.room_game.entries[:], 0.0)
        place = "ab".index(key)
        again.windows.verdict = None
        again.seats[place].plan = [option.token for option in ask.options if option.token != "done"][:1]
        again.advance()
        assert again.room_game.entries[room.room_game.seq].kind == "say"
        assert again.room_game.entries[room.room_game.seq].seat == place
        return
    raise AssertionError("no attack was asked for")


def at_an_attack() -> tuple[Driver, str, p.Prompt]:
    """Return a driver in which a seat is asked for attackers and has some."""
    for seed in range(40):
        driver = started(seed=seed)
        for _ in range(60):
            key = driver.prompted()
            ask = driver.asks.get(key) if key else None
            if ask is not None and ask.kind == "attackers" and len(ask.options) > 1:
                return driver, key, ask
            if not driver.step():
                break
    raise AssertionError("no attack was asked for")


def test_a_reconnect_does_not_answer_a_prompt() -> None:
    """A reloaded page sends its settings: a plan that came too late for the attack must not become a move by that."""
    driver, key, ask = at_an_attack()
    before = driver.room.room_game.seq
    driver.send(key, p.PlanAttack(5, [option.token for option in ask.options if option.token != "done"][:1]))
    driver.join(key)
    driver.send(key, p.SetAssist(6, mode="auto", stops=[]))
    assert driver.room.room_game.seq == before
    again = driver.asks[key]
    assert again is not None
    assert (again.seq, again.kind) == (ask.seq, "attackers")


def test_a_plan_is_for_the_attack_that_waits() -> None:
    """Attackers of an attack that never happened are not used in a later one."""
    driver, key, ask = at_an_attack()
    place = "ab".index(key)
    driver.send(key, p.PlanAttack(5, [option.token for option in ask.options if option.token != "done"][:1]))
    driver.send(key, p.SubmitMove(6, ask.seq, ["done"]))
    while (
        driver.room.windows.verdict is None or driver.room.windows.verdict.window != "main" or driver.prompted() != key
    ):
        assert driver.step()
    assert driver.room.seats[place].plan == []


def test_a_match_left_in_the_middle_of_a_window_ends() -> None:
    driver = Driver("pro+randomhalf", seed=4, window_ms=1200)
    driver.start()
    while driver.room.windows.pending_move is None or driver.room.game_in_play() is None:
        driver.step()
    driver.room.leave("b", driver.now - 600.0)  # long ago: it is noticed at the end of the window
    driver.room.tick(driver.now)
    assert driver.room.phase == "playing"
    for _ in range(4):  # a timer in the middle may fire first
        driver.step()
    assert driver.room.phase == "over"
    assert [done.meta["reason"] for done in driver.finished] == ["abandoned"] * len(driver.finished)


def test_a_deck_is_picked_when_time_is_out() -> None:
    driver = Driver("pro+randomhalf", seed=4, clock=p.ClockRules(bank=5, each=0))
    driver.start()
    assert driver.room.game_in_play() is None
    for _ in range(40):
        due = driver.room.due()
        if driver.room.phase != "playing" or due is None:
            break
        driver.now = due
        driver.room.tick(due)
        driver.collect()
    assert driver.room.phase == "over"
    assert "time" in {result.reason for result in driver.results}


def test_a_room_sends_every_audience_the_events_of_its_game() -> None:
    """Both seats and the spectator receive the same lines; regression: soldiers driven by an effect were reported to P1
    only."""
    received: dict[str, list[str]] = {"a": [], "b": [], "w": []}

    def listen(key: str, data: bytes) -> None:
        message = p.decode_server(data)
        if isinstance(message, p.Update) and message.lines:
            received[key] += [line.text for line in message.lines if not line.automatic]

    driver = Driver("master+full", 2, listen)
    driver.play()
    game = driver.room.room_game.last_game
    assert game is not None
    driven = 0
    for key, audience, lang in (("a", 0, "en"), ("b", 1, "ja"), ("w", 2, "en")):
        steps = [line for step in game.steps(deal=True) for line in step._log(lang, audience)]
        assert received[key] == [line.text for line in steps]
        driven += sum(line.kind == "drove" for line in steps)
    assert driven >= 3
