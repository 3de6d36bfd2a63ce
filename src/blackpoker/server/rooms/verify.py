"""Verification of a record against a receipt: secret and salts match the commitment and seals seen before the game, the
key's stream gives every shuffle, the cards drawn are in the record, and its hash is the one both seats received.

Room, game, regulation, edition, seats and seals of the record are compared with the receipt, not trusted.
"""

from __future__ import annotations

import hmac
import json
import re
from dataclasses import fields
from typing import Final, NamedTuple

from blackpoker import Audience
from blackpoker.errors import BlackPokerError
from blackpoker.files.record import result_text
from blackpoker.game import Game
from blackpoker.regulation import DeckError, Edition, make_decks, parse_decks
from blackpoker.server.rooms import fairness
from blackpoker.server.rooms.fairness import SealedChance, Terms
from blackpoker.server.rooms.match import DECKS
from blackpoker.server.rooms.receipt import SEATS, Receipt, drawn

_FACT: Final = re.compile(
    r"^# (fair|room|game|part|stream|commitment|secret|before|chain|name taken out|(?:seat|seal|salt|deck) p[12])"
    r": ?(.*)$"
)
_EDITION: Final = re.compile(r"^edition:(.*)$", re.M)
_HEX: Final = re.compile(r"[0-9a-f]{64}")
#: lines searched; the comments are at the top of a record
MOST_FACTS: Final = 24
#: three games of a match, each replayed twice at most (R-201, R-202)
MOST_PARTS: Final = 9
MOST_GAMES: Final = 10**9
#: what older versions do not bind, and so cannot prove
WEAKER: Final = {
    1: ("the salts were told openly, so the server could have chosen last",
        "ソルトが封印されていないので、サーバーが最後に選べました"),
    2: ("room, game and the computer's salt could have been named afterwards",
        "部屋・ゲーム番号・コンピューターのソルトを後から決められました"),
}  # fmt: skip
#: names of the terms both seats saw before the game
NAMES: Final = {
    "room": ("the room", "部屋"), "game": ("the number of the game", "ゲーム番号"),
    "regulation": ("the regulation", "レギュレーション"), "edition": ("the edition", "エディション"),
    "start": ("the position it starts from", "開始局面"), "commitment": ("the commitment", "約束（コミットメント）"),
    "seats": ("who sits where", "席"), "seals": ("a seal", "封印"),
}  # fmt: skip


class Unproven(Exception):
    """Raised if something does not match; the reason in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja


class Verified(NamedTuple):
    """``proven``: everything was compared with the receipt. Otherwise the record is only consistent with itself."""

    proven: bool
    en: str
    ja: str


class Opened(NamedTuple):
    """The data a record opens."""

    version: int
    secret: bytes
    salts: tuple[str, str]
    decks: tuple[str, str]


def facts_of(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines()[:MOST_FACTS]:
        match = _FACT.match(line)
        if match is not None:
            found[match[1]] = match[2].rstrip()
    return found


def number_of(facts: dict[str, str], name: str, most: int) -> int:
    text = facts.get(name, "")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:12]) <= most:
        raise Unproven(
            f"the number of the {name} is not from 1 to {most}", f"{name} の番号が1から{most}の間にありません"
        )
    return int(text)


def hex_of(facts: dict[str, str], name: str) -> str:
    if not _HEX.fullmatch(facts.get(name, "")):
        raise Unproven(f"the {name} cannot be read", f"{name} が読めません")
    return facts[name]


def same(one: str, two: str) -> bool:
    return hmac.compare_digest(one.strip().lower().encode(), two.strip().lower().encode())


def verify_record(text: str, receipt: Receipt | None = None, edition: Edition | None = None) -> Verified:
    """Return what was proven; raise `VerificationError` if something does not match."""
    facts = facts_of(text)
    opened = open_record(facts)
    if receipt is not None and opened.version < fairness.VERSION:
        raise Unproven(
            f"you were promised version {fairness.VERSION}; the record is of version {opened.version}, a weaker one",
            f"約束されたのはバージョン{fairness.VERSION}ですが、記録は証明の弱いバージョン{opened.version}です",
        )
    try:
        game = Game.from_record(text, edition=edition)
    except BlackPokerError as error:
        raise Unproven(f"the record cannot be played again: {error.en}", f"棋譜を再生できません：{error.ja}") from None
    most = 1 if game.regulation.frame.decks == 1 else MOST_PARTS
    part = number_of(facts, "stream" if opened.version == 1 else "part", most)
    if opened.version < fairness.VERSION:
        key = old_key(facts, opened)
    else:
        terms = check_terms(text, game, facts, opened, receipt)
        check_chain(text, facts, opened.secret, terms, part, receipt, unnamed(game, facts))
        key = fairness.key_of(opened.secret, terms, opened.salts)
        check_decks(game, key, opened.decks)
    shuffles = check_shuffles(game, SealedChance(key, part, sorts=opened.version == fairness.VERSION))
    unseen = 0 if receipt is None else check_drew(game, receipt, part)
    return finding(game, shuffles, opened.version, part, receipt, unseen, unnamed(game, facts))


def open_record(facts: dict[str, str]) -> Opened:
    if "secret" not in facts or "commitment" not in facts:
        raise Unproven(
            "the record has no commitment and secret; it was not played on a server",
            "記録に約束と秘密がありません（サーバーで遊んだゲームではありません）",
        )
    version = facts.get("fair", "1")
    if version not in ("1", "2", "3"):
        raise Unproven("the record is of a version that is not known here", "知らないバージョンの記録です")
    secret = bytes.fromhex(hex_of(facts, "secret"))
    if not same(fairness.commitment(secret), hex_of(facts, "commitment")):
        raise Unproven("the secret does not fit the commitment", "秘密が約束と合いません")
    if int(version) < fairness.VERSION:
        return Opened(int(version), secret, (facts.get("salt p1", ""), facts.get("salt p2", "")), ("", ""))
    salts, decks = (tuple(text_of(facts, f"{name} {seat}") for seat in SEATS) for name in ("salt", "deck"))
    return Opened(int(version), secret, (salts[0], salts[1]), (decks[0], decks[1]))


def text_of(facts: dict[str, str], name: str) -> str:
    """Return a text stored as JSON on one line; raise `VerificationError` if it cannot be read."""
    try:
        found = json.loads(facts.get(name, '""'))
    except ValueError:
        found = None
    if not isinstance(found, str):
        raise Unproven(f"the {name} cannot be read", f"{name} が読めません")
    return found


# -- before the game ---------------------------------------------------------------------------------------------------


def check_terms(text: str, game: Game, facts: dict[str, str], opened: Opened, receipt: Receipt | None) -> Terms:
    named = _EDITION.search(text)
    terms = Terms(
        facts.get("room", ""),
        number_of(facts, "game", MOST_GAMES),
        game.regulation.text,
        named[1].strip() if named is not None else "",
        fairness.start_of(game.start_kind, game.start_text),
        facts["commitment"],
        (facts.get("seat p1", ""), facts.get("seat p2", "")),
        (facts.get("seal p1", ""), facts.get("seal p2", "")),
    )
    if receipt is not None:
        for field in fields(Terms):
            if getattr(terms, field.name) != getattr(receipt.terms, field.name):
                en, ja = NAMES[field.name]
                raise Unproven(f"{en} is not the one you saw before the game", f"{ja}がゲームの前に見たものと違います")
        mine = SEATS.index(receipt.you)
        if opened.salts[mine] != receipt.salt:
            raise Unproven("your own salt is not the one at your seat", "自分の席のソルトが自分のものではありません")
        if opened.decks[mine] != receipt.deck:
            raise Unproven("your own deck is not the one you brought", "自分のデッキが持ち込んだものではありません")
    for place, seat in enumerate(SEATS):
        check_seat(seat, terms.seats[place], terms.seals[place], opened.salts[place], opened.decks[place])
    return terms


def check_seat(seat: str, who: str, seal: str, salt: str, deck: str) -> None:
    if who.startswith("ai"):
        if seal or salt or deck:
            raise Unproven(
                f"the computer at {seat} has brought something; it was to bring nothing",
                f"{seat} のコンピューターが何かを持ち込んでいます",
            )
    elif not same(fairness.seal_of(seat, salt, deck), seal):
        raise Unproven(f"salt and deck of {seat} do not fit its seal", f"{seat} のソルトとデッキが封印と合いません")


def old_key(facts: dict[str, str], opened: Opened) -> bytes:
    """Return the key of a record of an older version; raise `VerificationError` if its seals do not match."""
    if opened.version == 1:
        return fairness.key_of_1(opened.secret, opened.salts)
    seals = facts.get("seal p1", ""), facts.get("seal p2", "")
    for seat, salt, seal in zip(SEATS, opened.salts, seals, strict=True):
        if not same(fairness.seal_of_2(salt), seal):
            raise Unproven(f"the salt of {seat} does not fit its seal", f"{seat} のソルトが封印と合いません")
    return fairness.key_of_2(opened.secret, seals, facts.get("room", ""), number_of(facts, "game", MOST_GAMES))


# -- the game ----------------------------------------------------------------------------------------------------------


def unnamed(game: Game, facts: dict[str, str]) -> bool:
    """Return True if a name was removed from the record after its player deleted the account."""
    return facts.get("name taken out") in [seat for seat, name in zip(SEATS, game.names, strict=True) if not name]


def check_chain(
    text: str, facts: dict[str, str], secret: bytes, terms: Terms, part: int, receipt: Receipt | None, nameless: bool
) -> None:
    """Raise `VerificationError` if the record does not match its hash. The hash includes both names: if one was
    removed it cannot be recomputed, and only the named hash is compared. ``make_verification`` reports that case as
    not proven."""
    before, chain = facts.get("before", ""), hex_of(facts, "chain")
    made = fairness.chain_of(secret, before, terms, part, fairness.lines_of(text))
    if not same(made, chain) and not nameless:
        raise Unproven(
            "the record does not have the hash it names: something in it was changed",
            "記録のハッシュが合いません（書き換えられています）",
        )
    if receipt is None or len(receipt.chains) < part:
        return
    if receipt.chains[part - 1] != chain or (receipt.chains[part - 2] if part > 1 else "") != before:
        raise Unproven(
            "this is not the record you were told of when the game was over", "ゲームの後に知らされた記録ではありません"
        )


def check_decks(game: Game, key: bytes, brought: tuple[str, str]) -> None:
    """Raise `VerificationError` unless every deck is the submitted one, or follows from the key or the regulation."""
    if game.start_kind != "deal":
        return
    source = SealedChance(key, DECKS)
    for seat, text in enumerate(brought):
        try:
            decks = make_decks(game.regulation, source, parse_decks(text) if text else None)
        except (DeckError, BlackPokerError):
            raise Unproven(f"the deck of p{seat + 1} may not be played", f"p{seat + 1} のデッキは使えません") from None
        if game.start_decks[seat] not in [sorted(deck.cards) for deck in decks]:
            raise Unproven(
                f"the deck of p{seat + 1} is not the one that was brought or that the secret makes",
                f"p{seat + 1} のデッキが、持ち込んだものとも秘密から作られるものとも違います",
            )


def check_shuffles(game: Game, source: SealedChance) -> int:
    """Replay the record with the key's own stream and return the number of shuffles; raise `VerificationError` if one
    differs."""
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
            raise Unproven(
                "the record's choices were not possible with the promised shuffles",
                "記録の選択は、約束されたシャッフルでは不可能です",
            )
        again.push(option)
    if again.outcomes != game.outcomes:
        raise Unproven(
            "a shuffle of the record does not come from the secret", "秘密から出ていないシャッフルがあります"
        )
    return len(again.outcomes)


def check_drew(game: Game, receipt: Receipt, part: int) -> int:
    """Compare the cards this seat drew with the receipt; raise `VerificationError` if they differ. Return how many
    cards drawn in the record were not noted."""
    noted = receipt.games[part - 1] if part <= len(receipt.games) else []
    found = drawn(game.events((Audience.P1, Audience.P2)[SEATS.index(receipt.you)]), receipt.you)
    if found[: len(noted)] != noted:
        raise Unproven("the cards you drew are not those of the record", "自分が引いたカードが記録と違います")
    return len(found) - len(noted)


def finding(
    game: Game, shuffles: int, version: int, part: int, receipt: Receipt | None, unseen: int, nameless: bool
) -> Verified:
    names = " – ".join(name or f"p{place}" for place, name in enumerate(game.names, 1))
    result = result_text(game)
    en = f"{names}, {shuffles} shuffles, {len(game.history)} decisions, result {result}"
    ja = f"{names}、シャッフル{shuffles}回、選択{len(game.history)}回、結果 {result}"
    weak: list[tuple[str, str]] = []
    if version in WEAKER:
        weak.append(WEAKER[version])
    elif receipt is None:
        weak.append(("nothing was compared with what you hold (--receipt)", "手元の控えと比べていません（--receipt）"))
    elif len(receipt.chains) < part:
        weak.append(("you were not told its hash", "記録のハッシュを知らされていません"))
    if nameless:
        weak.append(
            (
                "somebody deleted the account and the name was taken out: but for the shuffles and your cards "
                "the record cannot be compared with its hash",
                "アカウントの削除で名前が消されています。シャッフルと自分のカードのほかは、ハッシュと比べられません",
            )
        )
    if unseen:
        weak.append(
            (
                f"{unseen} of the cards you draw in it were not noted at the table",
                f"引いたカードのうち{unseen}枚は、ゲーム中に控えられていません",
            )
        )
    if receipt is not None and receipt.tries:
        n = receipt.tries
        weak.append(
            (
                f"your salt was opened {n} times before for no game: somebody could choose among {n + 1} of them",
                f"始まらなかったゲームのために、ソルトが前に{n}回公開されています（{n + 1}通りから選べました）",
            )
        )
    if not weak:
        return Verified(True, en, ja)
    return Verified(False, f"{en}; {'; '.join(one for one, _ in weak)}", f"{ja}。{'。'.join(one for _, one in weak)}")
