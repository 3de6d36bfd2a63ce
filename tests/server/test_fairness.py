"""Fair shuffles: the order of commitments and reveals, the proof of a record, and servers that cheat in every known way
(docs/fairness.md)."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from blackpoker import Player
from blackpoker.game.game import Game, shuffles_of
from blackpoker.players.computer_moves import choose_move
from blackpoker.protocol import messages as p
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.receipt import (
    InvalidReceipt,
    Receipt,
    drawn_cards,
    next_terms,
    parse_receipt,
    transcript_of,
)
from blackpoker.server.fairness.receipt_keeper import ReceiptKeeper
from blackpoker.server.fairness.seal import SealedShuffler, Terms, make_seal
from blackpoker.server.fairness.signatures import SigningKey, decode, encode, is_signed
from blackpoker.server.fairness.verify import ALARMS, VerificationError, verify_record
from blackpoker.server.http.api.replay import move_ends
from blackpoker.server.storage.accounts import without_name
from tests.server.cheats import CHEATS, STACKED, cheating
from tests.server.room_driver import Driver

SEATS: dict[str, p.SeatName] = {"a": Player.P1, "b": Player.P2}


def make_keepers(seed: int) -> dict[str, ReceiptKeeper]:
    """Return keepers with reproducible keys: these are in the terms, on which the shuffles depend."""
    source = random.Random(seed)
    return {key: ReceiptKeeper(private_key=source.randbytes(32)) for key in ("a", "b")}


class ReceiptTable:
    """A room whose two players keep receipts, as the Python client and the page do."""

    def __init__(
        self,
        regulation: str = "lite+entry",
        seed: int = 1,
        deck: str = "",
        opponent: str = "human",
        keepers: dict[str, ReceiptKeeper] | None = None,
        room: str = "room",
    ) -> None:
        self.random = random.Random(seed)
        self.driver = Driver(regulation, seed, opponent=opponent)
        self.driver.room.id = room
        self.deck = deck
        self.keepers = keepers or make_keepers(seed)
        self.signed: list[tuple[str, p.SignTranscript]] = []
        self.driver.listener = self.on_message
        for keeper in self.keepers.values():
            keeper.info = self.driver.room.info()

    @property
    def receipt(self) -> Receipt:
        """The receipt of the player at p1, who trusts no other party."""
        receipt = self.keepers["a"].receipt
        assert receipt is not None
        return receipt

    @property
    def other_receipt(self) -> Receipt:
        receipt = self.keepers["b"].receipt
        assert receipt is not None
        return receipt

    def on_message(self, key: str, data: bytes) -> None:
        """Extend the receipts; signatures are sent when the present messages are delivered."""
        if key in self.keepers:
            self.signed += [(key, message) for message in self.keepers[key].on_message(p.decode_server(data))]

    def deliver(self) -> None:
        while self.signed:
            key, message = self.signed.pop(0)
            self.driver.send(key, message)

    def seal(self, key: str, salt: str = "", deck: str = "") -> str:
        salt = salt or f"{self.random.getrandbits(128):032x}"
        return code(self.driver.send(key, self.keepers[key].ready(1, SEATS[key], salt, deck))[0])

    def open(self, key: str, salt: str = "", terms: Terms | None = None) -> str:
        keeper = self.keepers[key]
        own = next_terms(self.driver.room.info())
        reveal = keeper.open(2, own)
        return code(self.driver.send(key, p.Reveal(2, salt or reveal.salt, (terms or own).hash))[0])

    def start_game(self) -> None:
        assert self.seal("a", deck=self.deck) == "Ack"
        people = self.driver.room.seats.between_people
        if people:
            assert self.seal("b") == "Ack"
        assert self.open("a") == "Ack"
        if people:
            assert self.open("b") == "Ack"
        assert self.driver.room.phase == "playing"
        self.deliver()

    def play(self, moves: int = 5000) -> None:
        for _ in range(moves):
            if not self.step():
                return

    def step(self) -> bool:
        driver = self.driver
        turn = driver.room.bot_turn()
        if turn is not None:
            driver.room.bot_move(turn[0], turn[1], self.bot_options(turn[2]), driver.now)
            driver.collect()
        elif not driver.step():
            return False
        self.deliver()
        return True

    def bot_options(self, level: str) -> list[int]:
        """Return the move of the computer player, as the server chooses it."""
        room_game = self.driver.room.room_game
        match = room_game.match
        assert match is not None
        if match.game is None:
            return [self.random.choice(match.options)]
        game = match.game
        return choose_move(level, game, room_game.computer_seed(game))

    def random_options(self, game: Game) -> list[int]:
        """Return a random move."""
        game = game.copy()
        start = len(game.history)
        player = game.player
        while True:
            game.push(self.random.choice(game.options))
            if game.outcome() is not None or game.player != player or game._engine.draft is None:
                return game.history[start:]

    def resign(self, key: str = "a") -> None:
        self.keepers[key].receipt.resigned = True  # type: ignore[union-attr]
        self.driver.send(key, p.Resign(9))
        self.deliver()

    @property
    def records(self) -> list[str]:
        return [done.record for done in self.driver.finished]

    def refused(self, text: str, words: str, receipt: Receipt | None = None) -> None:
        with pytest.raises(VerificationError, match=words) as caught:
            verify_record(text, receipt or self.receipt)
        assert "\n" not in caught.value.en
        assert caught.value.ja


def code(message: p.AnyServerMessage) -> str:
    return message.code if isinstance(message, p.Error) else type(message).__name__


def with_fact(text: str, name: str, value: str) -> str:
    out, count = re.subn(rf"^# {name}:.*$", f"# {name}: {value}", text, flags=re.M)
    assert count == 1
    return out


def played(regulation: str = "lite+entry", seed: int = 1, deck: str = "", opponent: str = "human") -> ReceiptTable:
    table = ReceiptTable(regulation, seed, deck, opponent)
    table.start_game()
    table.play()
    return table


@pytest.fixture(scope="module")
def honest() -> ReceiptTable:
    return played()


# -- before the game ---------------------------------------------------------------------------------------------------


def test_a_salt_sent_again_is_ignored_and_counts() -> None:
    """While the other seat is slow, a repeated reveal gets a response to its sender only, and nothing is stored."""
    table = ReceiptTable()
    table.seal("a", "blue")
    table.seal("b", "red")
    assert table.open("a", "blue") == "Ack"
    driver = table.driver
    driver.inbox["b"] = []
    rows = len(driver.rows)
    codes = [table.open("a", "blue") for _ in range(20)]
    assert set(codes[:6]) == {"Ack"}, "a few are understood: the first may have been lost on the way"
    assert set(codes[6:]) == {"rate"}
    assert driver.inbox["b"] == []
    assert len(driver.rows) == rows
    assert table.open("b", "red") == "Ack"
    assert driver.room.phase == "playing"


def test_no_salt_is_opened_before_everything_is_bound() -> None:
    table = ReceiptTable()
    room = table.driver.room
    commitment = room.info().commitment
    assert table.seal("a", "blue") == "Ack"
    assert table.open("a", "blue") == "phase", "the other seat has not sealed its salt"
    assert table.seal("b", "red") == "Ack"
    shown = room.info()
    assert (shown.p1.seal, shown.p2.seal) == (make_seal("p1", "blue"), make_seal("p2", "red"))
    assert shown.commitment == commitment, "the secret was bound before any salt was known"
    assert table.open("a", "green") == "seal", "another salt than the sealed one"
    terms = next_terms(shown)
    for other in (
        replace(terms, seals=(terms.seals[0], make_seal("p2", "white"))),
        replace(terms, game=2),
        replace(terms, room="0" * 16),
        replace(terms, regulation="master+full"),
        replace(terms, edition="another"),
        replace(terms, start="0" * 64),
        replace(terms, commitment="0" * 64),
        replace(terms, seats=("human", "ai easy")),
    ):
        assert table.open("a", "blue", other) == "seal", "the server means another game than was seen"
    assert table.open("a", "blue") == "Ack"
    assert room.phase == "waiting"
    assert table.open("b", "red") == "Ack"
    assert room.phase == "playing"


def test_a_choice_after_an_opened_salt_restarts_the_deal() -> None:
    table = ReceiptTable()
    room = table.driver.room
    table.seal("a", "blue")
    table.seal("b", "red")
    table.open("a", "blue")
    secret = room.secret
    table.seal("b", "a better salt")
    shown = room.info()
    assert room.secret != secret
    assert not shown.p1.ready
    assert shown.p1.seal == ""
    table.seal("a", "blue again")
    table.open("a", "blue again")
    table.open("b", "a better salt")
    assert room.phase == "playing"


def test_a_salt_opened_for_a_player_who_left_is_not_reused() -> None:
    """The seat of a player who left is free again: its next player must not play against a revealed salt."""
    table = ReceiptTable()
    driver, room = table.driver, table.driver.room
    table.seal("a", "blue")
    table.seal("b", "red")
    table.open("a", "blue")
    room.leave("b", driver.now)
    driver.join("c")
    assert room.seats[1].guest == "guest-c"
    driver.send("c", p.Ready(1, seal=make_seal("p2", "green")))
    assert room.phase == "waiting"
    assert not room.seats[0].ready, "everything anew"


def test_the_computer_brings_no_salt() -> None:
    table = ReceiptTable(opponent="easy")
    table.start_game()
    assert table.driver.room.info().p2.seal == ""
    assert table.driver.room.room_game.setup.salts == (table.receipt.salt, "")
    assert table.driver.room.room_game.setup.terms.seats == ("human", "ai easy")


def test_the_key_depends_on_everything_that_was_bound() -> None:
    secret = bytes(range(32))
    terms = Terms("room", 1, "lite+entry", "act", "deal", "0", ("human", "human"), ("1", "2"))
    others = [
        replace(terms, **{name: value})  # type: ignore[arg-type]
        for name, value in {
            "room": "moor",
            "game": 2,
            "regulation": "pro+full",
            "edition": "ax",
            "start": "0",
            "commitment": "1",
            "seats": ("human", "ai easy"),
            "seals": ("2", "1"),
            "keys": ("3", "4"),
            "version": 3,
        }.items()
    ]
    keys = {fairness.make_key(secret, one, ("a", "b")) for one in (terms, *others)}
    keys |= {fairness.make_key(secret[::-1], terms, ("a", "b")), fairness.make_key(secret, terms, ("b", "a"))}
    keys.add(fairness.make_key(secret, terms, ("a", "")))
    assert len(keys) == 14


def test_signatures_without_a_library_are_those_of_the_library() -> None:
    source = random.Random(4)
    for _ in range(20):
        key, data = SigningKey(source.randbytes(32)), source.randbytes(40)
        signature = key.sign(data)
        assert is_signed(key.public, data, signature)
        assert not is_signed(key.public, data + b"x", signature)
        assert not is_signed(SigningKey(source.randbytes(32)).public, data, signature)
        raw = bytearray(decode(signature))
        raw[source.randrange(64)] ^= 1 << source.randrange(8)
        assert not is_signed(key.public, data, encode(bytes(raw)))
    # RFC 8032, 7.1, test 2
    public = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    signed = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert is_signed(encode(public), b"\x72", encode(signed))
    for wrong in ("", "A" * 43, "?"):
        assert not is_signed(wrong, b"\x72", encode(signed))


def test_a_transcript_is_the_same_in_every_version() -> None:
    """If this hash changes, raise `TRANSCRIPT_VERSION`: receipts that were kept before are then no proof."""
    game = Game("lite+entry", seed=1)
    while game.outcome() is None:
        game.push(game.options[len(game.history) % len(game.options)])
    events = game.event_views(0)
    assert len({event.event for event in events}) > 15
    hashes = transcript_of("terms", "p1", 1, events)
    assert len(hashes) == 218
    assert hashes[-1] == "ab62182b97abde595adc21cc11fc655888ae01872f7e25c072f576a6b3d32a05"


def test_a_shuffle_does_not_depend_on_how_the_cards_lay() -> None:
    orders = []
    for cards in ([5, 9, 1, 30], [30, 1, 9, 5]):
        SealedShuffler(bytes(32), 1).shuffle(cards)
        orders.append(cards)
    assert orders[0] == orders[1]


def test_a_seat_cannot_move_the_shuffles_of_the_other() -> None:
    alone, together = SealedShuffler(bytes(32), 1), SealedShuffler(bytes(32), 1)
    first, second = list(range(20)), list(range(20))
    alone.shuffle(first, 1)
    together.shuffle(list(range(30)), 0)
    together.copy().shuffle(second[:], 1)
    together.shuffle(second, 1)
    assert first == second
    old, older = SealedShuffler(bytes(32), 1, 3), SealedShuffler(bytes(32), 1, 3)
    old.shuffle(first, 1)
    older.shuffle(list(range(30)), 0)
    older.shuffle(second, 1)
    assert first != second, "before version 4"


# -- records -----------------------------------------------------------------------------------------------------------


def test_an_honest_record_is_proven(honest: ReceiptTable) -> None:
    found = verify_record(honest.records[0], honest.receipt)
    assert found.proven
    assert "A – B" in found.en
    assert honest.receipt.parts[0].length > 30, "what was sent is noted"
    other = verify_record(honest.records[0], honest.other_receipt)
    assert other.proven
    assert other.code == found.code, "both players see the same code"
    assert f"code {found.code}" in found.en
    alone = verify_record(honest.records[0])
    assert not alone.proven, "without what the player holds it only fits itself"
    assert "nothing was compared" in alone.en


def test_a_receipt_is_a_text(honest: ReceiptTable) -> None:
    receipt = honest.receipt
    assert parse_receipt(receipt.text) == receipt
    for text in (
        "",
        "BlackPoker receipt 3\n",
        "BlackPoker receipt 4\n",
        receipt.text.replace("game: 1", "game: x"),
        re.sub("transcript 1: .*", "transcript 1: 7", receipt.text),
    ):
        with pytest.raises(InvalidReceipt):
            parse_receipt(text)


def test_every_line_of_a_receipt_is_compared(honest: ReceiptTable) -> None:
    receipt = honest.receipt
    assert receipt is not None
    record = honest.records[0]
    for name, value in {
        "room": "0" * 16,
        "game": 2,
        "regulation": "master+full",
        "edition": "act0",
        "start": "0" * 64,
        "commitment": "0" * 64,
        "seats": ("human", "ai easy"),
        "seals": (receipt.terms.seals[0], "0" * 64),
        "keys": (receipt.terms.keys[0], receipt.terms.keys[0]),
    }.items():
        honest.refused(record, "you saw before", replace(receipt, terms=replace(receipt.terms, **{name: value})))  # type: ignore[arg-type]
    honest.refused(record, "your own salt", replace(receipt, salt="salt b"))
    honest.refused(record, "your own salt", replace(receipt, you=Player.P2))
    honest.refused(record, "your own deck", replace(receipt, deck=STACKED))
    honest.refused(record, "told of when", replace(receipt, chains=["0" * 64]))
    part = receipt.parts[0]
    honest.refused(record, "what you were sent", replace(receipt, parts=[part._replace(hash="0" * 64)]))
    honest.refused(record, "what you were sent", replace(receipt, parts=[part._replace(length=part.length + 1)]))
    honest.refused(record, "the result", replace(receipt, results=["p2 resign"]))
    honest.refused(record, "signed another game", replace(receipt, signatures={1: (9, receipt.signatures[1][1])}))
    assert verify_record(record, replace(receipt, expected_key=receipt.terms.keys[1])).proven
    for name in ALARMS:
        honest.refused(record, re.escape(ALARMS[name][0]), replace(receipt, alarms=[name]))
    for limited, words in (
        (replace(receipt, signatures={}), "signed nothing"),
        (replace(receipt, chains=[], results=[]), "not told its hash"),
        (replace(receipt, expected_key=receipt.terms.keys[0]), "key of the invitation"),
        (replace(receipt, taken_back=1), "taken back 1 times"),
        (replace(receipt, transcript_version=0), "another version of this program"),
        (replace(receipt, parts=[]), "were not sent"),
    ):
        found = verify_record(record, limited)
        assert not found.proven
        assert words in found.en
    tried = verify_record(record, replace(receipt, tries=2))
    assert not tried.proven, "a salt that was opened for nothing let somebody choose"
    assert "among 3" in tried.en


@pytest.mark.parametrize("part", ["-1", "0", "2", "7", "99999999999999999999", "x", "", "１"])
def test_a_stream_is_the_number_of_the_game(honest: ReceiptTable, part: str) -> None:
    """The server cannot try streams until one suits it, and an invalid number gives a one-line error."""
    honest.refused(with_fact(honest.records[0], "part", part), "number of the part")


def test_a_changed_record_is_noticed(honest: ReceiptTable) -> None:
    record = honest.records[0]
    honest.refused(record.replace("\np1: A\n", "\np1: Mallory\n"), "hash it names")
    honest.refused(with_fact(record, "secret", "00" * 32), "commitment")
    honest.refused(with_fact(record, "secret", "xyz"), "cannot be read")
    honest.refused(with_fact(record, "salt p1", '"other"'), "your own salt")
    honest.refused(with_fact(record, "salt p2", '"other"'), "do not fit its seal")
    honest.refused(with_fact(record, "salt p2", "other"), "cannot be read")
    honest.refused(with_fact(record, "fair", "5"), "not known here")


def test_a_deleted_name_is_marked_and_proves_nothing(honest: ReceiptTable) -> None:
    """The record does not count as altered; everything else is still compared."""
    for seat in (0, 1):
        record = without_name(honest.records[0], seat)
        found = verify_record(record, honest.receipt)
        assert not found.proven
        assert "account was deleted" in found.en
        assert "アカウントの削除" in found.ja
    nameless = without_name(record, 0)
    assert not verify_record(nameless, honest.receipt).proven
    receipt = honest.receipt
    honest.refused(record, "told of when", replace(receipt, chains=["0" * 64]))
    honest.refused(record, "what you were sent", replace(receipt, parts=[receipt.parts[0]._replace(hash="0" * 64)]))
    honest.refused(with_fact(record, "salt p2", '"other"'), "do not fit its seal")
    shuffle = re.search(r"^shuffle p1: (.*)$", record, re.M)
    assert shuffle is not None
    first, second, *rest = shuffle[1].split()
    swapped = record.replace(shuffle[1], " ".join([second, first, *rest]), 1)
    with pytest.raises(VerificationError):
        verify_record(swapped, honest.receipt)
    named = honest.records[0].replace("\np1: A\n", "\np1: Mallory\n")
    lying = named.replace("\n", "\n# name taken out: p1\n", 1)
    honest.refused(lying, "hash it names")


def test_a_shortened_record_is_not_the_game_that_was_played(honest: ReceiptTable) -> None:
    """Cut short and ended with a resignation, every shuffle still fits, and a new hash is easy to make."""
    game = Game.from_record(honest.records[0])
    short = game.copy()
    ends = move_ends(game)
    short.go_to(ends[len(ends) // 2])
    short.end("resign", 0)
    head = [line for line in honest.records[0].splitlines() if line.startswith("# ")]
    first, _, rest = short.record().partition("\n")
    text = "\n".join([first, *head, rest])
    honest.refused(text, "hash it names")
    seal = honest.driver.room.room_game.setup
    forged = fairness.chain_hash(seal.secret, "", seal.terms, 1, fairness.significant_lines(text))
    honest.refused(with_fact(text, "chain", forged), "told of when")


def test_the_games_of_a_match_hang_together() -> None:
    match = played("pro+randomhalf", 4)
    assert match.receipt is not None
    assert len(match.records) == len(match.receipt.chains) > 1
    for record in match.records:
        assert verify_record(record, match.receipt).proven
    second = match.records[1]
    match.refused(with_fact(second, "before", "00" * 32), "hash it names")
    match.refused(with_fact(second, "part", "1"), "hash it names")


def test_decks_that_are_brought_or_split_can_be_proven() -> None:
    split = played("pro+randomhalf", 4, "split: 20")
    assert len(Game.from_record(split.records[0])._start.decks[0]) in (20, 34)
    brought = played("lite+constructed40", 4, STACKED)
    assert len(Game.from_record(brought.records[0])._start.decks[0]) == 15
    for table in (split, brought):
        for record in table.records:
            assert verify_record(record, table.receipt).proven


def test_games_of_older_versions_end_as_they_began_and_prove_less() -> None:
    for version, words in ((1, "told openly"), (2, "named afterwards")):
        table = ReceiptTable()
        room = table.driver.room
        row = None
        table.driver.room.fairness_version = version
        for place, salt in enumerate(("salt a", "salt b")):
            seat = room.seats[place]
            seat.ready, seat.salt_public, seat.salt, seat.seal = True, True, salt, fairness.make_seal_2(salt)
        room.begin_game()
        table.driver.collect()
        row = table.driver.rows[-1]
        again = type(room).load(row, room.settings, [], 0.0)
        assert again.room_game.game is not None
        assert room.room_game.game is not None
        assert shuffles_of(again.room_game.game) == shuffles_of(room.room_game.game), "it goes on as it began"
        table.driver.send("a", p.Resign(1))
        found = verify_record(table.records[0])
        assert not found.proven
        assert words in found.en
        receipt = Receipt(replace(room.terms, version=4), Player.P1, "salt a")
        table.refused(table.records[0], f"version {version}", receipt)


def test_a_receipt_of_version_3_opens_and_proves_less() -> None:
    table = ReceiptTable()
    room = table.driver.room
    room.fairness_version = 3
    terms = room.terms
    for place, salt in enumerate(("salt a", "salt b")):
        seat = room.seats[place]
        seat.ready, seat.salt_public, seat.salt, seat.seal = True, True, salt, make_seal(("p1", "p2")[place], salt)
    terms = replace(room.terms, keys=("", ""))
    room.begin_game()
    table.driver.collect()
    table.driver.play()
    record = table.records[0]
    drew = drawn_cards(Game.from_record(record).event_views(0), Player.P1)
    text = Receipt(terms, Player.P1, "salt a", chains=[table.driver.results[0].record_hash]).text
    lines = text.replace("receipt 4", "receipt 3").splitlines()
    old = "\n".join([line for line in lines if not line.startswith("key ")] + [f"drew: {' '.join(drew)}"])
    found = verify_record(record, parse_receipt(old))
    assert not found.proven
    assert "only the cards drawn" in found.en
    table.refused(record, "cards you drew", parse_receipt(old.replace(" ".join(drew), " ".join(drew[::-1]))))
    table.refused(record, "version", replace(parse_receipt(old), terms=replace(terms, version=4)))


def test_no_hash_of_a_record_is_sent_before_its_game_is_over() -> None:
    driver = Driver(seed=3)
    received: list[bytes] = []
    driver.listener = lambda key, data: received.append(data)
    driver.play()
    chain = driver.results[-1].record_hash.encode()
    secret = driver.room.secret.hex().encode()
    first = next(place for place, data in enumerate(received) if chain in data or secret in data)
    assert b'"type":"game_over"' in received[first]


# -- servers that cheat ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["human", "easy"])
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheating_server_is_found_out(cheat: str, opponent: str) -> None:
    """Each cheat gets the hand it wants; each record is nearly consistent in itself; none matches the player's receipt."""
    regulation = "lite+constructed40" if cheat == "a stacked deck" else "lite+entry"
    with cheating(cheat):
        table = ReceiptTable(regulation, 5, opponent=opponent)
        table.start_game()
        table.resign()
    if cheat == "other cards, and notes that are spoiled":
        found = verify_record(table.records[0], table.receipt)
        assert not found.proven
        assert "you were not sent" in found.en
    else:
        table.refused(table.records[0], ".")
    fair = ReceiptTable(regulation, 5, opponent=opponent)
    fair.start_game()
    fair.resign()
    assert verify_record(fair.records[0], fair.receipt).proven, "the same without the cheat"
