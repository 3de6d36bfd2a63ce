"""Shuffles that neither side can bend: the order in which things are bound and opened, and what a record must prove."""

from __future__ import annotations

import re

import pytest

from blackpoker.files.record import result_text
from blackpoker.game import Game
from blackpoker.server.api.replay import sentences_of
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.fairness import seal_of
from blackpoker.server.rooms.match import chain_facts
from blackpoker.server.rooms.verify import Promises, Unproven, verify_record
from blackpoker.wire import protocol as p
from tests.server.driver import Driver


def sealed(driver: Driver, key: str, salt: str, deck: str = "") -> p.ServerMessage:
    return driver.say(key, p.Ready(1, deck, seal=seal_of(salt)))[0]


def reveal(driver: Driver, key: str, salt: str, other: str) -> p.ServerMessage:
    return driver.say(key, p.Reveal(2, salt, seal_of(other)))[0]


def code(message: p.ServerMessage) -> str:
    return message.code if isinstance(message, p.Error) else type(message).__name__


def test_no_salt_is_opened_before_both_are_sealed() -> None:
    driver = Driver(seed=1)
    commitment = driver.room.info().commitment
    assert code(sealed(driver, "a", "blue")) == "Ack"
    assert code(reveal(driver, "a", "blue", "")) == "phase", "the other seat has not sealed its salt"
    assert code(sealed(driver, "b", "red")) == "Ack"
    shown = driver.room.info()
    assert (shown.p1.seal, shown.p2.seal) == (seal_of("blue"), seal_of("red"))
    assert shown.commitment == commitment, "the secret was bound before any salt was known"
    assert driver.room.phase == "waiting"
    assert code(reveal(driver, "a", "green", "red")) == "seal", "another salt than the sealed one"
    assert code(reveal(driver, "a", "blue", "white")) == "seal", "the other seal is not the one that was seen"
    assert code(reveal(driver, "a", "blue", "red")) == "Ack"
    assert driver.room.phase == "waiting"
    assert code(reveal(driver, "b", "red", "blue")) == "Ack"
    assert driver.room.phase == "playing"


def test_whoever_chooses_anew_after_a_salt_was_opened_starts_everything_anew() -> None:
    driver = Driver(seed=1)
    sealed(driver, "a", "blue")
    sealed(driver, "b", "red")
    reveal(driver, "a", "blue", "red")
    secret = driver.room.secret
    sealed(driver, "b", "a better salt")
    shown = driver.room.info()
    assert driver.room.secret != secret
    assert not shown.p1.ready
    assert shown.p1.seal == ""
    sealed(driver, "a", "blue again")
    reveal(driver, "a", "blue again", "a better salt")
    reveal(driver, "b", "a better salt", "blue again")
    assert driver.room.phase == "playing"


def test_the_computer_brings_no_salt() -> None:
    driver = Driver(seed=1, opponent="easy")
    sealed(driver, "a", "blue")
    assert driver.room.info().p2.seal == ""
    reveal(driver, "a", "blue", "")
    assert driver.room.phase == "playing"
    assert driver.room.table.seal.salts == ("blue", "")


def test_the_key_depends_on_everything_that_was_bound() -> None:
    secret = bytes(range(32))
    keys = {
        fairness.key_of(secret, ("a", "b"), "room", 1),
        fairness.key_of(secret[::-1], ("a", "b"), "room", 1),
        fairness.key_of(secret, ("b", "a"), "room", 1),
        fairness.key_of(secret, ("a", ""), "room", 1),
        fairness.key_of(secret, ("a", "b"), "room", 2),
        fairness.key_of(secret, ("a", "b"), "moor", 1),
    }
    assert len(keys) == 6


class Played:
    """A game that was played and what seat a was told of it."""

    def __init__(self, regulation: str = "lite+entry", seed: int = 1, deck: str = "") -> None:
        self.driver = Driver(regulation, seed)
        sealed(self.driver, "a", "salt a", deck)
        sealed(self.driver, "b", "salt b")
        reveal(self.driver, "a", "salt a", "salt b")
        reveal(self.driver, "b", "salt b", "salt a")
        self.driver.play()
        self.records = [done.record for done in self.driver.finished]
        self.told = [
            Promises(self.driver.results[-1].commitment, "salt a", seal_of("salt b"), result.chain)
            for result in self.driver.results
        ]

    def refused(self, text: str, words: str, told: Promises | None = None) -> None:
        with pytest.raises(Unproven, match=words) as caught:
            verify_record(text, told or self.told[0])
        assert "\n" not in str(caught.value)


def with_fact(text: str, name: str, value: str) -> str:
    out, count = re.subn(rf"^# {name}:.*$", f"# {name}: {value}", text, flags=re.M)
    assert count == 1
    return out


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


def test_an_honest_record_is_proven(played: Played) -> None:
    line = verify_record(played.records[0], played.told[0])
    assert "A – B" in line
    assert "not compared" not in line
    assert "commitment, salt, seal, chain" in verify_record(played.records[0])


def test_a_forged_record_is_not(played: Played) -> None:
    record = played.records[0]
    played.refused(with_fact(record, "secret", "00" * 32), "commitment")
    played.refused(with_fact(record, "secret", "xyz"), "cannot be read")
    played.refused(with_fact(record, "salt p1", "other"), "seal")
    other = with_fact(with_fact(record, "salt p2", "ground"), "seal p2", seal_of("ground"))
    played.refused(other, "other seat's seal")
    mine = with_fact(with_fact(record, "salt p1", "ground"), "seal p1", seal_of("ground"))
    played.refused(mine, "your own salt")
    played.refused(record, "given before", Promises("00" * 32))
    played.refused(record, "both seats were told", Promises(chain="00" * 32))


@pytest.mark.parametrize("part", ["-1", "0", "2", "7", "99999999999999999999", "x", "", "１"])
def test_a_stream_is_the_number_of_the_game(played: Played, part: str) -> None:
    """The server cannot try streams until it likes one, and a strange number is one line."""
    played.refused(with_fact(played.records[0], "part", part), "number of the part")


def test_a_name_cannot_be_exchanged(played: Played) -> None:
    played.refused(played.records[0].replace("\np1: A\n", "\np1: Mallory\n"), "chain")


def test_a_shortened_record_is_not_the_game_that_was_played(played: Played) -> None:
    """Cut short and ended with a resignation every shuffle still fits; the chain does not."""
    game = Game.from_record(played.records[0])
    short = game.copy()
    ends = sentences_of(game)
    short.go_to(ends[len(ends) // 2])
    short.resign(0)
    head = [line for line in played.records[0].splitlines() if line.startswith("# ")]
    first, _, rest = short.record().partition("\n")
    text = "\n".join([first, *head, rest])
    played.refused(text, "chain")
    facts = {line[2:].partition(":")[0]: line.partition(": ")[2] for line in head}
    salts = (facts["salt p1"], facts["salt p2"])
    begun = chain_facts(short, facts["room"], 1, 1, salts)
    forged = fairness.chain_of(bytes.fromhex(facts["secret"]), "", begun, short.history, result_text(short))
    played.refused(with_fact(text, "chain", forged), "both seats were told")


def test_the_games_of_a_match_hang_together() -> None:
    played = Played("pro+randomhalf", 4)
    assert len(played.records) > 1
    for record, told in zip(played.records, played.told, strict=True):
        verify_record(record, told)
    second = played.records[1]
    assert f"# before: {played.told[0].chain}" in second
    played.refused(with_fact(second, "before", "00" * 32), "chain", played.told[1])
    played.refused(with_fact(second, "part", "1"), "chain", played.told[1])


def test_a_split_of_random_decks_can_be_proven() -> None:
    played = Played("pro+randomhalf", 4, "split: 20")
    assert {len(deck) for deck in Game.from_record(played.records[0]).start_decks} <= {20, 34, 27}
    assert len(Game.from_record(played.records[0]).start_decks[0]) in (20, 34)
    for record, told in zip(played.records, played.told, strict=True):
        verify_record(record, told)


def test_no_end_of_a_chain_is_told_before_its_game_is_over() -> None:
    driver = Driver(seed=3)
    heard: list[bytes] = []
    driver.listener = lambda key, data: heard.append(data)
    driver.play()
    chain = driver.results[-1].chain.encode()
    secret = driver.room.secret.hex().encode()
    first = next(place for place, data in enumerate(heard) if chain in data or secret in data)
    assert b'"type":"over"' in heard[first]
