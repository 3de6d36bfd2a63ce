"""Names that look like another name or like a computer player's."""

from __future__ import annotations

import pytest

from blackpoker.players.engine_players import LEVELS
from blackpoker.protocol import messages as p
from blackpoker.server.confusables import look_alike, skeleton
from blackpoker.server.identity import display_name
from blackpoker.server.rooms.seats import RoomClient
from tests.server.room_driver import Driver


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Aki", "Аki"),  # a Cyrillic А
        ("Peter", "Pеter"),  # a Cyrillic е
        ("Bill", "BiIl"),  # a capital i
        ("Bob", "B0b"),
        ("modern", "modem"),
        ("José", "Jose"),
        ("AKI", "ａｋｉ"),
        ("ロビン", "口ビン"),
    ],
)
def test_two_that_look_alike(one: str, two: str) -> None:
    assert look_alike(one, two)
    assert look_alike(two, one)


@pytest.mark.parametrize(("one", "two"), [("Aki", "Ako"), ("たか", "たが"), ("猫", "犬"), ("Ann", "Anna"), ("☆", "★")])
def test_two_that_do_not(one: str, two: str) -> None:
    assert not look_alike(one, two)


def test_no_name_looks_like_a_computer_players() -> None:
    for level in LEVELS.values():
        for name in (level.id, level.en, level.ja, f"AI {level.en}", level.en.upper()):
            assert display_name(name) == "", name
    assert display_name("Еasy") == display_name("еаsy") == display_name("E a s y") == display_name("Al Easy") == "", (
        "with Cyrillic letters, and an l"
    )
    assert display_name("Easygoing") == "Easygoing"
    assert skeleton("") == ""


def test_look_alike_names_of_the_seats_are_distinguished() -> None:
    driver = Driver()
    room = driver.room
    room.join(RoomClient("x", "guest-x", "А"), p.Join(1, "room", "watch"), 0.0)
    driver.collect()
    driver.send("x", p.Chat(1, "I am A"))
    line = [message for message in driver.inbox["a"] if isinstance(message, p.ChatLine)][-1]
    assert (line.seat, line.name) == ("watch", "А (2)")
    driver.room.leave("b", 0.0)
    room.join(RoomClient("y", "guest-y", "А"), p.Join(1, "room"), 0.0)
    assert room.seats.clients["y"].seat == 1
    assert [seat.name for seat in room.seats] == ["A", "А (2)"]
    room.join(RoomClient("z", "guest-a", "A"), p.Join(1, "room"), 0.0)
    assert room.seats[0].name == "A", "one's own second tab is oneself"
