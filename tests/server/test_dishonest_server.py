"""Dishonest servers that keep the key and change what surrounds it: what a seat is sent, which deals count, the result.

No cheat may end with "proven" (docs/fairness.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from blackpoker import Player
from blackpoker.game.game import Game
from blackpoker.protocol import messages as p
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.receipt import Receipt, next_terms
from blackpoker.server.fairness.receipt_keeper import ReceiptKeeper
from blackpoker.server.fairness.verify import VerificationError, verify_record
from blackpoker.server.rooms.game import secret_lines
from blackpoker.server.rooms.tournament_seat import ReservedTable
from blackpoker.server.storage.accounts import without_name
from tests.server.test_fairness import ReceiptTable, make_keepers, played

#: tests.long.honest_games plays more
HONEST_GAMES = 50
Filter = Callable[[p.AnyServerMessage], list[p.AnyServerMessage]]


class CheatedTable(ReceiptTable):
    """A table at which the server changes what p1 is sent."""

    change: Filter | None = None

    def on_message(self, key: str, data: bytes) -> None:
        if key != "a" or self.change is None:
            super().on_message(key, data)
            return
        for message in self.change(p.decode_server(data)):
            super().on_message(key, p.encode(message))


def cheated(change: Filter, moves: int = 40, **table: Any) -> CheatedTable:
    """Return a table after a game of some moves that p2 resigns."""
    found = CheatedTable(**table)
    found.change = change
    found.start_game()
    found.play(moves)
    if found.driver.room.phase == "playing":
        found.resign("b" if found.driver.room.seats.between_people else "a")
    return found


def verdict(record: str, receipt: Receipt) -> tuple[str, str]:
    """Return the verdict of the command and its words; the receipt passes through its text."""
    from blackpoker.server.fairness.receipt import parse_receipt

    try:
        found = verify_record(record, parse_receipt(receipt.text))
    except VerificationError as error:
        return "broken", error.en
    return found.verdict, found.en


def only_updates(change: Callable[[p.Update], list[p.AnyServerMessage]]) -> Filter:
    return lambda message: change(message) if isinstance(message, p.Update) else [message]


def rewritten_record(table: ReceiptTable, change: Callable[[Game], Game]) -> str:
    """Return the record of a changed game with the secrets and a hash that fits."""
    setup = table.driver.room.room_game.setup
    text = change(Game.from_record(table.records[0])).record()
    results = [replace_hash(text, setup, table.driver.room.room_game.results[0])]
    head, _, rest = text.partition("\n")
    return "\n".join([head, *(line.rstrip() for line in secret_lines(setup, 1, results)), rest])


def replace_hash(text: str, setup: Any, result: p.GameOver) -> p.GameOver:
    chain = fairness.chain_hash(setup.secret, "", setup.terms, 1, fairness.significant_lines(text))
    return p.GameOver(result.game, result.winner, result.reason, True, record_hash=chain)


def with_chain(receipt: Receipt, record: str) -> Receipt:
    """Return the receipt of a player who was sent the hash of this record."""
    chain = re.search(r"^# chain: (.*)$", record, re.M)
    assert chain is not None
    return replace(receipt, chains=[chain[1]])


# -- what a seat is sent -----------------------------------------------------------------------------------------------


def test_the_same_tables_are_honest_without_a_change() -> None:
    for opponent in ("human", "easy"):
        table = cheated(lambda message: [message], opponent=opponent)
        assert verdict(table.records[0], table.receipt)[0] == "proven"


def test_notes_are_not_rewritten_by_a_whole_update() -> None:
    """The events of another deal come first; a whole update with the committed ones would replace the notes."""
    other = Game("lite+entry", seed=9)
    sent = 0

    def change(update: p.Update) -> list[p.AnyServerMessage]:
        nonlocal sent
        sent += 1
        if sent == 1:
            events = other.event_views(0)
            return [replaced(update, events=events[: len(update.events)], view=None)]
        return [replaced(update, since=-1)] if sent == 3 else [update]

    table = cheated(only_updates(change))
    assert verdict(table.records[0], table.receipt)[0] == "broken"


def replaced(update: p.Update, **fields: Any) -> p.Update:
    import msgspec

    return msgspec.structs.replace(update, **fields)


def test_a_receipt_is_only_extended() -> None:
    """Each contradiction is an alarm when it arrives."""
    table = ReceiptTable()
    sent: list[p.Update] = []
    table.driver.listener = lambda key, data: keep(sent, key, data)
    for key in ("a", "b"):
        table.seal(key)
    terms = next_terms(table.driver.room.info())
    for key in ("a", "b"):
        table.open(key)
    table.play(10)
    first, *later = sent

    def receipt_after(*updates: p.Update, over: bool = False) -> Receipt:
        receipt = Receipt(terms, Player.P1, "")
        for update in updates:
            receipt.over = over and update is updates[-1]
            receipt.add_update(update)
        return receipt

    assert receipt_after(first, *later).alarms == []
    assert not receipt_after(first, *later).missed
    assert receipt_after(first, first).alarms == [], "sent again"
    assert receipt_after(first, replaced(first, events=first.events[::-1])).alarms == ["rewritten"]
    assert receipt_after(first, replaced(first, events=first.events[:-1])).alarms == ["rewritten"]
    new = next(update for update in later if update.events)
    before = later[: later.index(new)]
    assert receipt_after(first, *before, new, over=True).alarms == ["after_end"]
    assert receipt_after(first, replaced(new, since=77)).missed


def keep(sent: list[p.Update], key: str, data: bytes) -> None:
    message = p.decode_server(data)
    if key == "a" and isinstance(message, p.Update):
        sent.append(message)


def test_a_result_does_not_end_the_notes() -> None:
    """A result in the middle of the game, after which other cards could be dealt."""
    sent = 0

    def change(update: p.Update) -> list[p.AnyServerMessage]:
        nonlocal sent
        sent += 1
        early = p.GameOver(update.game, "p1", "life", True, record_hash="0" * 64)
        return [update, early] if sent == 5 else [update]

    table = cheated(only_updates(change))
    assert verdict(table.records[0], table.receipt) == ("broken", "the game went on after its result")


def test_a_silent_take_back_is_an_alarm() -> None:
    """The room takes choices back without an offer, and sends the shorter game as a whole."""
    table = ReceiptTable()
    table.start_game()
    table.play(25)
    room = table.driver.room
    assert room.phase == "playing"
    room.submit("rewind", 0, [3])
    room.advance()
    table.driver.collect()
    table.play(40)
    if room.phase == "playing":
        table.resign("b")
    found, words = verdict(table.records[0], table.receipt)
    assert (found, words) == ("broken", "the server changed what it had sent before")


@pytest.mark.parametrize("name", ["shuffled", "drew", "declared", "won"])
def test_no_event_can_be_left_out(name: str) -> None:
    def change(update: p.Update) -> list[p.AnyServerMessage]:
        return [replaced(update, events=[event for event in update.events if event.event != name])]

    table = cheated(only_updates(change), 5000)
    assert verdict(table.records[0], table.receipt)[0] != "proven"


def test_drawn_cards_cannot_skip_good_ones() -> None:
    """Cards of the pile are passed over: the player draws others than the top ones."""
    order = ["SA", "S2", "S3", "S4", "S5", "H9", "HJ"]

    def change(update: p.Update) -> list[p.AnyServerMessage]:
        for event in update.events:
            if event.event == "drew" and event.player == "p1" and event.cards:
                event.cards = order[: len(event.cards)]
        return [update]

    table = cheated(only_updates(change))
    assert verdict(table.records[0], table.receipt)[0] == "broken"


def test_small_shuffles_cannot_be_invented() -> None:
    """More lines of shuffles before the deal would move the stream."""
    table = played()
    record = table.records[0].replace("\nshuffle p1:", "\nshuffle p1: S2 S3\nshuffle p1:", 1)
    setup = table.driver.room.room_game.setup
    chain = fairness.chain_hash(setup.secret, "", setup.terms, 1, fairness.significant_lines(record))
    record = re.sub(r"^# chain: .*$", f"# chain: {chain}", record, flags=re.M)
    assert verdict(record, with_chain(table.receipt, record))[0] == "broken"


def test_the_shuffle_of_a_pile_belongs_to_its_seat() -> None:
    """The record names the other player's pile for a shuffle."""
    table = played()
    record = table.records[0]
    lines = record.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("shuffle p1:"))
    lines[first] = lines[first].replace("p1", "p2")
    changed = "\n".join(lines) + "\n"
    setup = table.driver.room.room_game.setup
    chain = fairness.chain_hash(setup.secret, "", setup.terms, 1, fairness.significant_lines(changed))
    changed = re.sub(r"^# chain: .*$", f"# chain: {chain}", changed, flags=re.M)
    assert verdict(changed, with_chain(table.receipt, changed))[0] == "broken"


def test_practice_does_not_end_the_notes() -> None:
    """An update that claims practice is noted as any other, with other cards than the record's."""

    def change(update: p.Update) -> list[p.AnyServerMessage]:
        return [replaced(update, practice=True)]

    table = cheated(only_updates(change))
    assert verdict(table.records[0], table.receipt)[0] == "proven", "the notes go on"

    def change_cards(update: p.Update) -> list[p.AnyServerMessage]:
        for event in update.events:
            if event.event == "drew" and event.player == "p1" and event.cards:
                event.cards = ["SA"] * len(event.cards)
        return change(update)

    table = cheated(only_updates(change_cards))
    assert verdict(table.records[0], table.receipt)[0] == "broken"


# -- the record --------------------------------------------------------------------------------------------------------


def test_a_resignation_cannot_be_reversed() -> None:
    """p2 resigns; the record says that p1 did, with a hash that fits and is sent."""
    table = CheatedTable()
    table.start_game()
    table.play(30)
    table.resign("b")

    def change(game: Game) -> Game:
        game.go_to(len(game.history) - 1)
        game.end("resign", 0)
        return game

    record = rewritten_record(table, change)
    receipt = with_chain(table.receipt, record)
    assert verdict(record, receipt) == ("broken", "the result is not the one you were sent when the game was over")
    found, words = verdict(record, replace(receipt, results=["p2 resigned"]))
    assert found == "consistent", "a server that sends this result too"
    assert "you did not resign" in words


def test_a_resignation_of_another_client_is_named() -> None:
    """It may be the player's second device, or an invention of the server."""
    table = CheatedTable()
    table.start_game()
    table.driver.send("a", p.Resign(9))
    table.deliver()
    found, words = verdict(table.records[0], table.receipt)
    assert found == "consistent"
    assert "you did not resign with this client" in words


def test_the_cards_of_the_other_player_cannot_be_replaced() -> None:
    """The game up to p1's resignation was another one for p2; the own cards and their order are as committed."""
    table = CheatedTable()
    table.start_game()
    table.play(60)
    table.resign("a")

    def change(game: Game) -> Game:
        from blackpoker.server.http.api.replay import move_ends

        ends = move_ends(game)
        game.go_to(ends[len(ends) // 2])
        game.end("resign", 0)
        return game

    record = rewritten_record(table, change)
    assert verdict(record, with_chain(table.receipt, record))[0] == "broken"


def test_a_withheld_record_proves_nothing() -> None:
    """The server sends neither result nor hash, and shows a record later that it could have chosen."""

    def change(message: p.AnyServerMessage) -> list[p.AnyServerMessage]:
        return [] if isinstance(message, p.GameOver) else [message]

    table = cheated(change)
    found, words = verdict(table.records[0], table.receipt)
    assert found == "consistent"
    assert "you were not told its hash" in words


@pytest.mark.parametrize("start", ["0" * 64, "position"])
def test_the_start_cannot_be_renamed(start: str) -> None:
    """The room says afterwards that the game began from a position: the terms of the receipt decide."""
    table = CheatedTable()
    table.start_game()
    table.driver.room.start_hash = start
    table.resign("b")
    assert verdict(table.records[0], table.receipt)[0] == "proven", "the room's word afterwards counts for nothing"
    assert verdict(table.records[0], replace(table.receipt, terms=replace(table.receipt.terms, start=start)))[0] == (
        "broken"
    )


def test_a_stacked_deck_of_the_computer() -> None:
    from tests.server.cheats import cheating

    with cheating("a stacked deck"):
        table = ReceiptTable("lite+constructed40", 5, opponent="easy")
        table.start_game()
        table.resign()
    assert verdict(table.records[0], table.receipt)[0] == "broken"


@pytest.mark.parametrize("level", ["easy", "casual"])
def test_the_computer_makes_its_own_moves(level: str) -> None:
    """Its moves follow from the key, its view and its level; a server that chooses them with all cards in view is
    found out."""
    table = ReceiptTable("lite+entry", 3, opponent=level)
    table.start_game()
    table.play()
    assert verdict(table.records[0], table.receipt)[0] == "proven"
    other = re.sub(r"^# computer: .*$", "# computer: 999", table.records[0], flags=re.M)
    found, words = verdict(other, table.receipt)
    assert found == "consistent"
    assert "were not computed again" in words
    cheat = ReceiptTable("lite+entry", 3, opponent=level)
    moves = 0

    def chosen(level: str) -> list[int]:
        nonlocal moves
        moves += 1
        game = cheat.driver.room.room_game.game
        assert game is not None
        honest = ReceiptTable.bot_options(cheat, level)
        return cheat.random_options(game) if moves > 2 else honest

    cheat.bot_options = chosen  # type: ignore[method-assign]
    cheat.start_game()
    cheat.play()
    found, words = verdict(cheat.records[0], cheat.receipt)
    assert found == "broken"
    assert "not the one the computer's level makes" in words


# -- which deals count -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["a raised number", "another room", "the other seat's turn"])
def test_every_deal_counts(how: str) -> None:
    """Deals are abandoned after the salts were opened, until one suits the server."""
    keepers = make_keepers(0)
    for number in range(3):
        table = ReceiptTable(seed=number, keepers=keepers, room=f"room {number}" if how == "another room" else "room")
        if how == "a raised number":
            table.driver.room.game_number = number
        if how == "the other seat's turn":
            table.driver.room.settings.first = "p2"
        table.start_game()
        table.play(number)
    table.resign("b")
    found, words = verdict(table.records[0], table.receipt)
    assert found == "consistent"
    assert "2 earlier deals were abandoned" in words
    assert "among 3" in words
    honest = ReceiptTable(seed=8, keepers=keepers)
    honest.start_game()
    honest.resign("b")
    assert verdict(honest.records[0], honest.receipt)[0] == "proven", "a finished game ends the count"


def test_evidence_does_not_roll_off() -> None:
    keeper = make_keepers(0)["a"]
    for number in range(144):
        table = ReceiptTable(seed=number, keepers={"a": keeper, "b": ReceiptKeeper()})
        table.driver.room.game_number = number
        table.start_game()
    table.resign("b")
    assert "144 " not in verdict(table.records[0], table.receipt)[1]
    assert "143 earlier deals were abandoned" in verdict(table.records[0], table.receipt)[1]


def test_a_salt_that_is_not_random_proves_nothing() -> None:
    """A page of the server could set it to zeros."""
    table = ReceiptTable()
    assert table.seal("a", "0" * 32) == "Ack"
    assert table.seal("b") == "Ack"
    assert (table.open("a"), table.open("b")) == ("Ack", "Ack")
    table.deliver()
    table.resign("b")
    found, words = verdict(table.records[0], table.receipt)
    assert found == "consistent"
    assert "your salt was not random" in words


def test_a_game_without_a_reveal_is_an_alarm() -> None:
    """The server begins with the seals, asks for no salt, and uses others."""
    table = ReceiptTable()
    table.seal("a")
    table.seal("b")
    room = table.driver.room
    for seat in room.seats:
        seat.salt_public = True
    room.begin_game()
    table.driver.collect()
    table.resign("b")
    assert verdict(table.records[0], table.receipt) == ("broken", "the game began before your salt was opened")


def test_a_salt_is_not_opened_for_a_second_commitment() -> None:
    table = ReceiptTable()
    table.seal("a")
    table.seal("b")
    table.open("a")
    keeper, room = table.keepers["a"], table.driver.room
    assert keeper.may_open(next_terms(room.info()))
    room.secret = bytes(32)
    assert not keeper.may_open(next_terms(room.info()))


# -- both players ------------------------------------------------------------------------------------------------------


@contextmanager
def equivocating(table: ReceiptTable) -> Iterator[None]:
    """Send p2 another commitment than p1."""
    honest = table.on_message

    def on_message(key: str, data: bytes) -> None:
        message = p.decode_server(data)
        if key == "b" and isinstance(message, p.RoomState | p.Welcome):
            message.room.commitment = "0" * 64
            data = p.encode(message)
        honest(key, data)

    table.driver.listener = on_message
    yield


def test_two_commitments_are_visible() -> None:
    table = ReceiptTable()
    with equivocating(table):
        table.seal("a")
        table.seal("b")
        table.open("a")
        room = table.driver.room
        info = room.info()
        info.commitment = "0" * 64
        keeper = table.keepers["b"]
        reveal = keeper.open(2, next_terms(info))
        # The server accepts the salt although its terms are others.
        table.driver.send("b", p.Reveal(2, reveal.salt, room.terms.hash))
        table.deliver()
        table.resign("b")
    found, words = verdict(table.records[0], table.receipt)
    assert (found, words) == ("broken", "the other player signed other terms than you saw")
    found, words = verdict(table.records[0], replace(table.receipt, alarms=[], signatures={}))
    assert found == "consistent", "a server that withholds the signatures"
    assert "signed nothing" in words


def test_two_records_are_visible() -> None:
    """p2 is sent other events than the record gives: its signature does not fit."""
    table = ReceiptTable()
    table.start_game()
    table.play(30)
    receipt = table.other_receipt
    receipt.parts[0] = receipt.parts[0]._replace(hash="0" * 64)
    table.resign("b")
    assert verdict(table.records[0], table.receipt) == (
        "broken",
        "the other player signed another game than the record gives",
    )
    other = replace(table.receipt, chains=["1" * 64])
    assert verify_code(other) != verify_code(table.receipt), "another record has another code"


def verify_code(receipt: Receipt) -> str:
    from blackpoker.server.fairness.signatures import comparison_code

    return comparison_code(receipt.terms.hash, receipt.chains)


def test_a_key_of_the_server_is_not_that_of_the_invitation() -> None:
    table = played()
    keeper = ReceiptKeeper()
    receipt = replace(table.receipt, expected_key=keeper.key.public)
    assert verdict(table.records[0], receipt)[0] == "consistent", "it may also be the inviter's second device"


# -- honest servers ----------------------------------------------------------------------------------------------------


def test_no_false_alarm() -> None:
    keepers = make_keepers(0)
    for number in range(HONEST_GAMES):
        check_honest_game(number, keepers)


def check_honest_game(number: int, keepers: dict[str, ReceiptKeeper]) -> None:
    """Play an honest game and check its verdicts: proven, between people or with a computer player, in matches, after
    tournaments, after reconnects and with second devices; consistent after an agreed take-back, and once a deleted
    account's name is gone."""
    regulation = ("lite+entry", "master+full", "pro+randomhalf", "extra+regular", "lite+random40")[number % 5]
    people = number % 4 != 3
    table = ReceiptTable(
        regulation, number, opponent="human" if people else "easy", keepers=keepers, room=f"room {number}"
    )
    driver = table.driver
    if number % 10 == 8:
        guests, names, decks = ("guest-a", "guest-b"), ("A", "B"), ("", "")
        driver.room.reserved = ReservedTable("t", 1, number, guests, ("e1", "e2"), names, decks, 60.0, 60.0)
    table.start_game()
    table.play(5 + number % 30)
    playing = driver.room.phase == "playing"
    takes_back = number % 10 == 6 and playing and driver.room.room_game.rewind_target(0, 0) is not None
    if number % 3 == 1:
        driver.room.leave("a", driver.now)
        driver.join("a", game=driver.room.game_number, since=table.receipt.seq)
        driver.room.leave("b", driver.now)
        driver.join("b")
    if number % 3 == 2:
        driver.join("second device of b")
    if takes_back:
        driver.send("a", p.MakeOffer(5, "rewind"))
        if people:
            driver.send("b", p.AnswerOffer(5, "rewind", True))
    if number % 5 < 2:
        table.play()
    elif driver.room.phase == "playing":
        while driver.room.room_game.game is None:
            table.step()
        table.resign("a")
        table.play()
    assert table.records
    deleted = number % 10 == 4 and people
    for record in table.records:
        if deleted:
            record = without_name(record, number % 2)
        wanted = "consistent" if takes_back or deleted else "proven"
        for receipt in (table.receipt, table.other_receipt)[: 1 + people]:
            found, words = verdict(record, receipt)
            assert found == wanted, (number, words)


def test_a_signature_of_a_turn_is_short() -> None:
    """At most 150 bytes a turn for each client, sent and received together."""
    table = ReceiptTable("lite+entry", 4)
    sizes = {"a": 0, "b": 0}
    sending = table.driver.send

    def counted(key: str, message: p.AnyClientMessage) -> list[p.AnyServerMessage]:
        if isinstance(message, p.SignTranscript):
            sizes[key] += len(p.encode(message))
        return sending(key, message)

    receive = table.on_message

    def received(key: str, data: bytes) -> None:
        if key in sizes and isinstance(p.decode_server(data), p.TranscriptSignature):
            sizes[key] += len(data)
        receive(key, data)

    table.driver.send, table.driver.listener = counted, received  # type: ignore[method-assign]
    table.start_game()
    marks: dict[int, dict[str, int]] = {}  # by turn, at its start
    while table.step():
        game = table.driver.room.room_game.game
        if game is None or game.outcome() is not None:
            break
        marks.setdefault(int(game.turn_number), dict(sizes))
    last = max(marks)
    assert last > 5
    for key in sizes:  # without the signatures of start and end
        assert 80 < (marks[last][key] - marks[2][key]) / (last - 2) <= 150, key
