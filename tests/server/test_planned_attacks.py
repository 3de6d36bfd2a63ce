"""Planned attackers and take-backs."""

from __future__ import annotations

import pytest
from msgspec import Raw

from blackpoker.game.assistant import Assistant
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomClient

FIELD = """format = "lite"
turn_number = 4
[p1]
life = 14
hand = "S7"
field = "C5+C3 D5 S2"
[p2]
life = 20
hand = "D9 D2"
"""


class Table:
    """Both seats of a room that starts from a position, with prompts according to ``mode``."""

    def __init__(self, position: str, mode: p.Mode = "auto") -> None:
        self.room = Room("room", p.RoomSettings(regulation="lite+full", window_ms=0), 0.0, position)
        self.received: dict[str, list[p.AnyServerMessage]] = {"a": [], "b": []}
        for key in "ab":
            self.join(key)
            self.send(key, p.SetAssist(mode=mode))
        for key in "ab":
            self.send(key, p.Ready(2, salt=f"salt {key}"))

    def join(self, key: str) -> None:
        self.room.join(RoomClient(key, f"guest-{key}", key.upper()), p.Join(1, "room", lang="en"), 0.0)
        self.collect()

    def collect(self) -> None:
        for key, message in self.room.take().messages:
            assert not isinstance(message, Raw)
            self.received[key].append(message)

    def send(self, key: str, message: p.AnyClientMessage) -> list[p.AnyServerMessage]:
        self.received[key] = []
        self.room.receive(key, message, 0.0)
        self.collect()
        return self.received[key]

    def act(self, key: str, *words: str, plan: list[str] | None = None) -> list[p.AnyServerMessage]:
        act = p.SubmitMove(7, self.room.room_game.seq, list(words))
        if plan is not None:
            act.attackers = plan
        answers = self.send(key, act)
        assert isinstance(answers[0], p.Ack), answers[0]
        return answers

    @property
    def attackers(self) -> list[str]:
        game = self.room.room_game.game
        assert game is not None
        return [unit.name for unit in game.view(0).p1.soldiers if unit.role == "attacker"]

    def passes(self) -> None:
        """Pass for each prompted seat until the attackers are known or asked for."""
        for _ in range(4):
            game = self.room.room_game.game
            assert game is not None
            if Assistant(game).kind != "chance" or self.attackers:
                return
            self.act("ab"[game.player], "pass")


def last(messages: list[p.AnyServerMessage], kind: type[p.AnyServerMessage]) -> p.AnyServerMessage:
    return [message for message in messages if isinstance(message, kind)][-1]


@pytest.mark.parametrize("mode", ["auto", "full"])
@pytest.mark.parametrize(
    ("plan", "attack"), [(["C5", "D5", "S2"], ["C5", "D5", "S2"]), (["C5"], ["C5"]), (["all"], ["C5", "D5", "S2"])]
)
def test_named_attackers_attack_despite_prompts_in_between(mode: p.Mode, plan: list[str], attack: list[str]) -> None:
    """Also a soldier of two cards of which the location is not its lowest card; also all soldiers, in mode full."""
    table = Table(FIELD, mode)
    answers = table.act("a", "attack", plan=plan)
    assert last(answers, p.AssistState).planned_attackers in (plan, [])  # type: ignore[union-attr]
    table.passes()
    assert table.attackers == attack


def test_a_plan_of_strangers_is_refused() -> None:
    answers = Table(FIELD).send("a", p.PlanAttack(5, ["C3"]))
    assert isinstance(answers[0], p.Error)
    assert answers[0].code == "plan"


def test_a_plan_that_cannot_be_carried_out_is_reported_and_prompted() -> None:
    table = Table(FIELD, "full")
    table.act("a", "attack", plan=["D5"])
    table.act("a", "pass")
    table.act("b", "twist", "D9", "$D2", ">p1.D5")
    table.act("b", "pass")
    table.act("a", "pass")
    table.act("b", "driven")
    table.received["a"] = []
    table.passes()
    game = table.room.room_game.game
    assert game is not None
    assert Assistant(game).kind == "attackers"
    error = last(table.received["a"], p.Error)
    assert isinstance(error, p.Error)
    assert error.code == "plan"
    assert last(table.received["a"], p.AssistState).planned_attackers == []  # type: ignore[union-attr]


def test_a_taken_back_move_leaves_the_log_also_after_a_reload() -> None:
    table = Table(FIELD, "full")
    table.act("a", "set_bulwark")
    before = table.room.room_game.seq
    table.act("a", "S7")
    table.received["a"] = []
    table.send("a", p.MakeOffer(1, "rewind", before))
    table.send("b", p.AnswerOffer(1, "rewind", True))
    for again in (False, True):
        if again:
            table.received["a"] = []
            table.join("a")
        update = last(table.received["a"], p.Update)
        assert isinstance(update, p.Update)
        assert update.since == -1, "the log is told anew"
        assert not any("bulwark" in line.text.lower() and line.kind == "entered" for line in update.lines)
        assert update.prompt is not None
        assert update.prompt.kind == "card"


@pytest.mark.parametrize(
    ("said", "plan"),
    [
        ([("a", "set_bulwark"), ("a", "S7")], None),
        ([("a", "attack"), ("a", "pass"), ("b", "pass"), ("a", "D5")], None),
        ([("a", "attack"), ("a", "pass"), ("b", "pass")], ["D5"]),
    ],
)
def test_a_confirmed_move_is_taken_back_whole(said: list[tuple[str, str]], plan: list[str] | None) -> None:
    """Including its payment (R-33), the choices of its effect and the planned attackers."""
    table = Table(FIELD, "full")
    game = table.room.room_game.game
    assert game is not None
    before = game.hash()
    for key, word in said:
        table.act(key, word, **({"plan": plan} if word == "attack" and plan else {}))
    table.send("a", p.MakeOffer(1, "rewind"))
    table.send("b", p.AnswerOffer(1, "rewind", True))
    game = table.room.room_game.game
    assert game is not None
    assert game.hash() == before


def test_a_pass_is_taken_back_alone() -> None:
    table = Table(FIELD, "full")
    table.act("a", "attack")
    game = table.room.room_game.game
    assert game is not None
    before = game.hash()
    table.act("a", "pass")
    table.send("a", p.MakeOffer(1, "rewind"))
    table.send("b", p.AnswerOffer(1, "rewind", True))
    game = table.room.room_game.game
    assert game is not None
    assert game.hash() == before


def test_an_offer_is_sent_again_after_a_reconnect() -> None:
    table = Table(FIELD, "full")
    table.act("a", "attack")
    table.send("a", p.MakeOffer(1, "rewind"))
    table.received["b"] = []
    table.join("b")
    offer = last(table.received["b"], p.Offer)
    assert isinstance(offer, p.Offer)
    assert (offer.kind, offer.player, offer.state) == ("rewind", "p1", "open")


def test_the_deck_of_the_right_seat_is_requested() -> None:
    room = Room("room", p.RoomSettings(regulation="master+randomhalf", window_ms=0), 0.0)
    asks: list[p.Prompt] = []
    for key in "ab":
        room.join(RoomClient(key, f"guest-{key}", key.upper()), p.Join(1, "room", lang="en"), 0.0)
    for key in "ab":
        room.receive(key, p.Ready(2, salt=f"salt {key}"), 0.0)
    for _, message in room.take().messages:
        if isinstance(message, p.Update) and message.prompt is not None:
            asks.append(message.prompt)
    assert asks
    assert asks[-1].kind == "deck"
    assert [mark.ref for mark in asks[-1].spans] == ["seat:p1"]


def test_requests_without_effect_are_logged() -> None:
    """Death Lance with ♢5 at a 9: the cards are spent, and the log reports that nothing happened."""
    table = Table('format = "standard"\nturn_number = 4\n[p1]\nhand = "SK D5"\n[p2]\nfield = "D9"\n', "full")
    table.received["a"] = []
    table.act("a", "death_lance", "SK", "D5", ">p2.D9")
    table.act("a", "pass")
    table.received["a"] = []
    table.act("b", "pass")
    update = last(table.received["a"], p.Update)
    assert isinstance(update, p.Update)
    assert "Your Death Lance (♠K ♢5) comes to nothing." in [line.text for line in update.lines]


def test_the_second_game_of_a_match_has_its_heading_in_the_log() -> None:
    room = Room("room", p.RoomSettings(regulation="master+randomhalf", window_ms=0), 0.0)
    for key, lang in (("a", "en"), ("b", "ja")):
        room.join(RoomClient(key, f"guest-{key}", key.upper()), p.Join(1, "room", lang=lang), 0.0)  # type: ignore[arg-type]
    for key in "ab":
        room.receive(key, p.Ready(2, salt=f"salt {key}"), 0.0)
    for deck in (1, 2):
        for key in "ab":
            room.receive(key, p.SubmitMove(7, room.room_game.seq, [f"deck {deck}"]), 0.0)
        if deck == 1:
            room.receive("b", p.Resign(9), 0.0)
    assert room.game_in_play() is not None
    lines: dict[str, list[p.LogEntry]] = {"a": [], "b": []}
    for key, message in room.take().messages:
        if isinstance(message, p.Update):
            lines[key] += message.lines
    assert [line.text for line in lines["a"] if line.kind == "game"] == ["Game 2"]
    assert [line.text for line in lines["b"] if line.kind == "game"] == ["第2ゲーム"]
    places = [line.kind for line in lines["a"]]
    assert places.index("game") < len(places) - 1, "the deal is told below it"
