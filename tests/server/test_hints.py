"""Hints in games against the computer: first a thought, then the move, and nothing the seat cannot know."""

from __future__ import annotations

import os
from typing import Literal

import msgspec
import pytest

import blackpoker as bp
from blackpoker import seeded
from blackpoker.game.assistant import Assistant
from blackpoker.learn.hints import hint
from blackpoker.players.computer_moves import is_instant
from blackpoker.protocol import messages as p
from blackpoker.server.offline.site import LocalSite
from blackpoker.server.offline.store import MemoryRows
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import RoomClient
from blackpoker.server.worker_pool import hint_in_saved
from blackpoker.text.markup import RichText
from tests.hidden_cards import permute_hidden
from tests.server.room_driver import Driver
from tests.server.test_offline import open_room, run_story, start_game


def against_computer() -> Room:
    room = Room("room", p.RoomSettings(opponent="easy", window_ms=0), 0.0)
    room.secret = bytes(32)
    room.join(RoomClient("a", "guest", "A"), p.Join(1, "room", lang="en"), 0.0)
    room.receive("a", p.Ready(2, salt="salt"), 0.0)
    for _ in range(50):
        wanted = room.bot_turn()
        if wanted is None:
            break
        game = room.room_game.game
        assert game is not None
        room.bot_move(wanted[0], wanted[1], [game.options[0]], 0.0)
    room.take()
    return room


def received_messages(room: Room) -> list[object]:
    return [message for _, message in room.take().messages]


def test_a_hint_is_computed_in_a_worker_and_sent_to_its_seat() -> None:
    room = against_computer()
    seq = room.room_game.seq
    room.receive("a", p.RequestHint(7, seq), 0.0)
    wanted = room.hint
    assert wanted is not None
    assert received_messages(room) == []
    room.receive("a", p.RequestHint(8, seq), 0.0)
    (refused,) = received_messages(room)
    assert isinstance(refused, p.Error)
    assert refused.code == "busy"
    room.send_hint(wanted, RichText("think"), 0.0)
    assert received_messages(room) == [p.Hint(7, seq, RichText("think"))]
    assert room.hint is None


def test_a_hint_for_a_past_choice_is_not_sent() -> None:
    room = against_computer()
    seq = room.room_game.seq
    room.receive("a", p.RequestHint(7, seq), 0.0)
    wanted = room.hint
    assert wanted is not None
    game = room.room_game.game
    assert game is not None
    room.receive("a", p.SubmitMove(8, seq, text=next(iter(game.legal_moves)).text), 0.0)
    assert room.room_game.seq > seq
    room.take()
    room.send_hint(wanted, RichText("think"), 0.0)
    assert not [message for message in received_messages(room) if isinstance(message, p.Hint)]


def test_no_hints_against_people() -> None:
    driver = Driver()
    driver.start()
    key = driver.prompted()
    (answer,) = driver.send(key, p.RequestHint(7, driver.room.room_game.seq))
    assert isinstance(answer, p.Error)
    assert answer.code == "no_hint"


def test_a_hint_does_not_peek() -> None:
    """With hidden cards redealt, the thought and the move are equal in both languages; the soak run checks 1,000
    decisions of all kinds."""
    compared, rounds = 0, 29 if os.environ.get("BLACKPOKER_LONG") else 1
    for number, regulation in enumerate(("lite+entry", "master+full", "extra+regular") * rounds):
        game = bp.Game(regulation, seed=400 + number)
        dice = seeded(number)
        while game.outcome() is None and compared < 12 * (number + 1):
            if (Assistant(game).kind == "chance" or rounds > 1) and len(game.options) > 1 and dice.below(4) == 0:
                redealt = game.copy()
                permute_hidden(redealt._engine, int(game.player), seeded(number))
                mine, other = hint(game, 60), hint(redealt, 60)
                assert (mine.best, mine.chance, mine.lead) == (other.best, other.chance, other.lead)
                for lang in ("ja", "en"):
                    assert mine.thought(lang) == other.thought(lang)
                    assert mine.move(lang) == other.move(lang) != RichText()
                compared += 1
            game.push(game.options[dice.below(len(game.options))])
    assert compared >= (1000 if rounds > 1 else 24)


def test_words_without_notation() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S5"\nfield = "H9 D8"\nbulwarks = "C2"\n[p2]\nlife = 6\n')
    hint_text = hint_in_saved(game.to_json(), "en", True)
    assert hint_text.text
    assert "$" not in hint_text.text
    assert hint_in_saved(game.to_json(), "ja", False).text.endswith("です。")


def test_a_hint_comes_over_the_line() -> None:
    async def story() -> None:
        site = await LocalSite.open(MemoryRows())
        player = await start_game(site, await open_room(site))
        ask = player.ask()
        assert ask is not None
        for move in (False, True):
            player.received.clear()
            player.send(type="hint", seq=ask["seq"], with_move=move)
            await player.until(lambda: any(one["type"] == "hint" for one in player.received))
            assert player.received[-1]["text"]["text"]
        await site.close()

    run_story(story)


def test_a_hint_that_fails_leaves_the_room_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any failure gives an empty response, and the next hint is computed."""

    async def story() -> None:
        site = await LocalSite.open(MemoryRows())
        player = await start_game(site, await open_room(site))
        ask = player.ask()
        assert ask is not None

        def fails(*given: object) -> RichText:
            raise ArithmeticError("unforeseen")

        for job, found in ((fails, ""), (lambda *given: RichText("think"), "think")):
            monkeypatch.setattr("blackpoker.server.room_manager.hint_in_saved", job)
            player.received.clear()
            player.send(type="hint", seq=ask["seq"])
            await player.until(lambda: any(one["type"] in ("hint", "error") for one in player.received))
            assert player.received[-1]["type"] == "hint"
            assert player.received[-1]["text"].get("text", "") == found
        await site.close()

    run_story(story)


@pytest.mark.parametrize(("temper", "level"), [("", "strong"), ("patient", "strong:temper=patient")])
def test_a_computer_player_has_the_temper_that_was_chosen(temper: Literal["", "patient"], level: str) -> None:
    wanted = None
    for number in range(20):  # until the computer begins
        room = Room("room", p.RoomSettings(opponent="strong", window_ms=0, temper=temper), 0.0)
        room.secret = bytes([number]) * 32
        room.join(RoomClient("a", "guest", "A"), p.Join(1, "room", lang="en"), 0.0)
        room.receive("a", p.Ready(2, salt="salt"), 0.0)
        wanted = wanted or room.bot_turn()
    assert wanted is not None
    assert wanted[2] == level
    assert not is_instant(level)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"temper": "sleepy"}', type=p.RoomSettings)
