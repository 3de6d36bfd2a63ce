"""The proof of a record: its secret and salts fit what was promised, the key's stream gives every shuffle in it, and
the chain of its choices ends where both seats were told it ends."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from typing import Final

from blackpoker.errors import BlackPokerError
from blackpoker.files.record import result_text
from blackpoker.game import Game
from blackpoker.regulation import RANDOM, Deck, DeckError, DeckList, Edition, make_decks
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.fairness import SealedChance
from blackpoker.server.rooms.match import DECKS, chain_facts

_FACT: Final = re.compile(
    r"^# (fair|room|game|part|stream|commitment|secret|seal p1|seal p2|salt p1|salt p2|before|chain): ?(.*)$"
)
_HEX: Final = re.compile(r"[0-9a-f]{64}")
#: comments stand at the top of a record
MOST_FACTS: Final = 20
#: three games of a match, each replayed twice at most (R-201, R-202)
MOST_PARTS: Final = 9
#: cards of a player
WHOLE: Final = 54


class Unproven(Exception):
    """What does not fit."""


@dataclass(frozen=True)
class Promises:
    """What a player was told himself, as far as he kept it: before the game the commitment, his own salt and the other
    seat's seal, and when it was over the end of the chain."""

    commitment: str = ""
    salt: str = ""
    seal: str = ""
    chain: str = ""


def facts_of(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines()[:MOST_FACTS]:
        match = _FACT.match(line)
        if match is not None:
            found[match[1]] = match[2]
    return found


def number_of(facts: dict[str, str], name: str, most: int) -> int:
    text = facts.get(name, "")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:12]) <= most:
        raise Unproven(f"the number of the {name} is not from 1 to {most}")
    return int(text)


def hex_of(facts: dict[str, str], name: str) -> str:
    if not _HEX.fullmatch(facts.get(name, "")):
        raise Unproven(f"the {name} cannot be read")
    return facts[name]


def same(one: str, two: str) -> bool:
    return hmac.compare_digest(one.strip().lower().encode(), two.strip().lower().encode())


def verify_record(text: str, told: Promises | None = None, edition: Edition | None = None) -> str:
    """A line about what was proven; Unproven if something does not fit."""
    told = told or Promises()
    facts = facts_of(text)
    if "secret" not in facts or "commitment" not in facts:
        raise Unproven("the record has no commitment and secret; it was not played on a server")
    secret = bytes.fromhex(hex_of(facts, "secret"))
    promised = hex_of(facts, "commitment")
    if not same(fairness.commitment(secret), promised):
        raise Unproven("the secret does not fit the commitment")
    if told.commitment and not same(told.commitment, promised):
        raise Unproven("this is not the commitment that was given before the game")
    salts = check_salts(facts, told)
    try:
        game = Game.from_record(text, edition=edition)
    except BlackPokerError as error:
        raise Unproven(f"the record cannot be played again: {error.en}") from None
    old = "fair" not in facts
    part = number_of(facts, "stream" if old else "part", 1 if game.regulation.frame.decks == 1 else MOST_PARTS)
    if old:
        key = fairness.key_of_1(secret, salts)
    else:
        key = fairness.key_of(secret, salts, facts.get("room", ""), number_of(facts, "game", 10**9))
        check_chain(game, facts, secret, salts, part, told)
    check_random_decks(game, key)
    again = replay_sealed(game, SealedChance(key, part))
    if again != game.outcomes:
        raise Unproven("a shuffle of the record does not come from the secret")
    return summary(game, len(again), promised, told, old)


def check_salts(facts: dict[str, str], told: Promises) -> tuple[str, str]:
    for seat in ("p1", "p2"):
        seal, salt = facts.get(f"seal {seat}", ""), facts.get(f"salt {seat}", "")
        if ("fair" in facts or seal) and not same(fairness.seal_of(salt), seal):
            raise Unproven(f"the salt of {seat} does not fit its seal")
    salts = facts.get("salt p1", ""), facts.get("salt p2", "")
    if told.salt and told.salt not in salts:
        raise Unproven("your own salt is not among those the shuffles were made of")
    if told.seal and told.seal.strip().lower() not in (facts.get("seal p1"), facts.get("seal p2")):
        raise Unproven("the other seat's seal is not the one you were shown before you opened your salt")
    return salts


def check_chain(
    game: Game, facts: dict[str, str], secret: bytes, salts: tuple[str, str], part: int, told: Promises
) -> None:
    begun = chain_facts(game, facts.get("room", ""), number_of(facts, "game", 10**9), part, salts)
    chain = fairness.chain_of(secret, facts.get("before", ""), begun, game.history, result_text(game))
    if not same(chain, hex_of(facts, "chain")):
        raise Unproven("the chain of the record's choices does not end where the record says: something was changed")
    if told.chain and not same(told.chain, chain):
        raise Unproven("this is not the end of the chain that both seats were told when the game was over")


def check_random_decks(game: Game, key: bytes) -> None:
    """Decks of the random frames come from the key too."""
    if game.start_kind != "deal" or game.regulation.frame.build != RANDOM:
        return
    for seat in (0, 1):
        if not any(sorted(deck.cards) == game.start_decks[seat] for deck in random_decks(game, key, seat)):
            raise Unproven(f"the random deck of p{seat + 1} does not come from the secret")


def random_decks(game: Game, key: bytes, seat: int) -> list[Deck]:
    """The decks the key makes for a seat. Where there are two of them, their sizes may have been chosen (R-200); how
    many cards were shuffled does not depend on it."""
    size = len(game.start_decks[seat])
    splits = (0,) if game.regulation.frame.decks == 1 else (0, size, WHOLE - size)
    out: list[Deck] = []
    for split in splits:
        source = SealedChance(key, DECKS)
        for _ in range(seat):
            make_decks(game.regulation, source)
        try:
            out += make_decks(game.regulation, source, DeckList((), split=split) if split else None)
        except DeckError:
            continue  # no such split
    return out


def replay_sealed(game: Game, source: SealedChance) -> list[tuple[int, list[int]]]:
    """The shuffles that come out when the record's choices are made again with the key's own stream."""
    if game.start_kind == "deal":
        again = Game(game.regulation, decks=[list(deck) for deck in game.start_decks], shuffler=source)
    else:
        engine = game.walker()
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


def summary(game: Game, shuffles: int, promised: str, told: Promises, old: bool) -> str:
    names = " – ".join(name or f"p{place}" for place, name in enumerate(game.names, 1))
    text = f"{names}, {shuffles} shuffles, {len(game.history)} decisions, result {result_text(game)}, "
    text += f"commitment {promised[:16]}…"
    missing = [
        name
        for name in ("commitment", "salt", "seal", "chain")
        if not getattr(told, name) and not (old and name in ("seal", "chain"))
    ]
    if missing:
        text += f"; not compared with what you were told yourself: {', '.join(missing)}"
    return text
