"""One server plays games of both editions: rooms, records, receipts, rule pages, leaderboards."""

from __future__ import annotations

import pytest

from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from blackpoker.ruleset import all_regulations, edition_named
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.http.api import ratings, rule_pages
from blackpoker.server.rooms.room import Room
from blackpoker.server.storage.ratings import format_of
from tests.server.room_driver import Driver

NINTH = edition_named("9")
PLAYED = (
    "9:lite+entry16",
    "9:standard+pack",
    "9:pro+rare_pack",
    "9:master+strategy",
    "9:master+extra",
    "9:master+draft",
)


@pytest.mark.parametrize("regulation", PLAYED)
def test_a_match_of_edition_9_and_its_record(regulation: str) -> None:
    driver = Driver(regulation, 5)
    beside = Driver("lite+entry", 6)
    driver.start()
    beside.start()
    for number in range(20_000):
        going = driver.step()
        beside.step()
        if not going:
            break
        if number % 60 == 0 and driver.room.windows.pending_move is None:
            room = driver.room
            again = Room.load(room.dump(), room.settings, room.room_game.entries[:], driver.now)
            assert again.room_game.match is not None
            assert room.room_game.match is not None
            assert again.room_game.match.record() == room.room_game.match.record()
    assert driver.results[-1].match_over
    assert not driver.errors
    for done in driver.finished:
        game = Game.from_record(done.record)
        assert game.regulation.text == regulation
        assert game.regulation.edition is NINTH
        assert "nothing was compared" in verify_record(done.record).en
    assert beside.room.regulation.text == "lite+entry"


@pytest.mark.parametrize("regulation", ["9:master+draft", "9:lite+pack"])
def test_a_computer_plays_edition_9(regulation: str) -> None:
    settings = p.RoomSettings(regulation=regulation, opponent="normal")
    assert Room("room", settings, 0.0).regulation.edition is NINTH


def test_each_edition_has_its_rule_pages() -> None:
    pages = rule_pages.rules("en", NINTH)
    kinds = [page.kind for page in pages]
    assert [kinds.count(kind) for kind in ("action", "character", "trump", "fog")] == [98, 12, 30, 4]
    found = rule_pages.find_page("ja", "up", NINTH)
    assert found is not None
    shown = rule_pages.regulations(NINTH)
    assert shown.legal == [regulation.text for regulation in all_regulations(NINTH)]
    assert all(text.startswith("9:") for text in shown.legal)


def test_each_edition_has_its_leaderboards() -> None:
    assert format_of("9:master+extra") == "9:master"
    assert {"lite", "extra", "9:lite", "9:master"} <= set(ratings.formats())
