"""The proof of a record: its secret fits the commitment, and the key's stream gives every shuffle in it."""

from __future__ import annotations

import hmac
import re

from blackpoker.errors import BlackPokerError
from blackpoker.game import Game
from blackpoker.notation.record import result_text
from blackpoker.regulation import RANDOM, make_decks
from blackpoker.server.rooms.fairness import SealedChance, commitment, key_of
from blackpoker.server.rooms.match import DECKS

_FACT = re.compile(r"^# (commitment|secret|salt p1|salt p2|stream): ?(.*)$")


class Unproven(Exception):
    """What does not fit."""


def facts_of(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines()[:12]:
        match = _FACT.match(line)
        if match is not None:
            found[match[1]] = match[2]
    return found


def verify_record(text: str, promised: str = "") -> str:
    """A line about what was proven; Unproven if something does not fit."""
    facts = facts_of(text)
    if "secret" not in facts or "commitment" not in facts:
        raise Unproven("the record has no commitment and secret; it was not played on a server")
    try:
        secret = bytes.fromhex(facts["secret"])
        stream = int(facts.get("stream", "1"))
    except ValueError:
        raise Unproven("the secret cannot be read") from None
    if not hmac.compare_digest(commitment(secret), facts["commitment"]):
        raise Unproven("the secret does not fit the commitment")
    if promised and not hmac.compare_digest(promised.strip().lower(), facts["commitment"]):
        raise Unproven("this is not the commitment that was given before the game")
    try:
        game = Game.from_record(text)
    except BlackPokerError as error:
        raise Unproven(f"the record cannot be played again: {error.en}") from None
    key = key_of(secret, (facts.get("salt p1", ""), facts.get("salt p2", "")))
    check_decks(game, key)
    again = replay_sealed(game, SealedChance(key, stream))
    if again != game.outcomes:
        raise Unproven("a shuffle of the record does not come from the secret")
    ended = f"result {result_text(game)}"
    return f"{len(again)} shuffles, {len(game.history)} decisions, {ended}, commitment {facts['commitment'][:16]}…"


def check_decks(game: Game, key: bytes) -> None:
    """Decks of the random frames come from the key too."""
    if game.start_kind != "deal" or game.regulation.frame.build != RANDOM:
        return
    source = SealedChance(key, DECKS)
    for seat in (0, 1):
        made = make_decks(game.regulation, source)
        if not any(sorted(deck.cards) == game.start_decks[seat] for deck in made):
            raise Unproven(f"the random deck of p{seat + 1} does not come from the secret")


def replay_sealed(game: Game, source: SealedChance) -> list[tuple[int, list[int]]]:
    """The shuffles that come out when the record's choices are made again with the key's own stream."""
    if game.start_kind == "deal":
        again = Game(game.regulation, decks=[list(deck) for deck in game.start_decks], shuffler=source)
    else:
        engine = game.ladder[0].copy()
        source.log = []
        engine.source = source
        again = Game.at(engine, game.regulation, game.start_kind, game.start_text)
    for option in game.history:
        if option < 0:
            break
        if option not in again.options:
            raise Unproven("the record's choices were not possible with the promised shuffles")
        again.push(option)
    return again.outcomes
