"""A room that uses the worked example: its game, its record and proof, and its row in a server of other rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from blackpoker import Edition, Game, Regulation
from blackpoker.protocol.messages import RoomSettings
from blackpoker.ruleset import set_default_edition, standard_edition
from blackpoker.ruleset.packages import load
from blackpoker.server.fairness.verify import VerificationError, verify_record
from blackpoker.server.rooms.room import Room, RulesChanged
from tests.rule_packages.test_load import HOUSE
from tests.server.test_fairness import played


@pytest.fixture
def house() -> Iterator[Edition]:
    """Switch this process to the house rules, like a server started with them; yield the edition."""
    edition = load([HOUSE])
    set_default_edition(edition)
    yield edition
    set_default_edition(standard_edition())


def test_a_game_is_played_recorded_and_proven(house: Edition) -> None:
    table = played("lite+house30", 3)
    assert [package.id for package in table.driver.room.info().packages] == ["house"]
    record = table.records[0]
    assert f"edition: {house.text}\n" in record
    assert Game.from_record(record).regulation.edition is house
    assert verify_record(record, table.receipt).proven
    set_default_edition(standard_edition())
    assert verify_record(record, table.receipt, house).proven
    with pytest.raises(VerificationError, match=r"house 1\.0 is missing"):
        verify_record(record, table.receipt)


def test_a_room_of_other_rules_is_not_played_on(house: Edition) -> None:
    driver = played("lite+house30", 3).driver
    row = dict(driver.rows[-1])
    again = Room.load(row, driver.room.settings, driver.entries, 0.0)
    assert again.phase == driver.room.phase
    set_default_edition(standard_edition())
    with pytest.raises(RulesChanged, match=r"house 1\.0 is missing; name it with --rules"):
        Room.load(row, driver.room.settings, driver.entries, 0.0)


def test_games_of_the_standard_rules_are_still_shown(house: Edition) -> None:
    """A server with local rules also has the standard ones, for records, lessons and saved games."""
    game = Game(Regulation.parse("lite+entry", standard_edition()), seed=1)
    assert Game.from_record(game.record()).regulation.edition is standard_edition()
    room = Room("room", RoomSettings(regulation="lite+entry", opponent="easy"), 0.0, game.to_json())
    assert room.info().packages == []
    row = room.dump()
    assert Room.load(row, room.settings, [], 0.0).regulation.edition is standard_edition()
    assert Room("room", RoomSettings(regulation="lite+entry"), 0.0).regulation.edition is house
