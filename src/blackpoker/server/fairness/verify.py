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
from blackpoker.formats.record import result_text
from blackpoker.game.game import Game
from blackpoker.ruleset import DeckError, Edition, make_decks, parse_decks
from blackpoker.seeds import SEALED_DECK_STREAM
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.receipt import SEATS, Receipt, drawn_cards
from blackpoker.server.fairness.seal import SealedShuffler, Terms

_FIELD: Final = re.compile(
    r"^# (fair|room|game|part|stream|commitment|secret|before|chain|name taken out|(?:seat|seal|salt|deck) p[12])"
    r": ?(.*)$"
)
_EDITION: Final = re.compile(r"^edition:(.*)$", re.M)
_HEX: Final = re.compile(r"[0-9a-f]{64}")
#: lines searched; the comments are at the top of a record
MAX_FIELD_LINES: Final = 24
#: three games of a match, each replayed twice at most (R-201, R-202)
MAX_PARTS: Final = 9
MAX_GAMES: Final = 10**9
#: what older versions do not bind, and so cannot prove
OLD_VERSION_LIMITS: Final = {
    1: (
        "the salts were told openly, so the server could have chosen last",
        "ソルトが封印されていないので、サーバーが最後に選べました",
    ),
    2: (
        "room, game and the computer's salt could have been named afterwards",
        "部屋・ゲーム番号・コンピューターのソルトを後から決められました",
    ),
}
#: names of the terms both seats saw before the game
TERM_NAMES: Final = {
    "room": ("the room", "部屋"),
    "game": ("the number of the game", "ゲーム番号"),
    "regulation": ("the regulation", "レギュレーション"),
    "edition": ("the edition", "エディション"),
    "start": ("the position it starts from", "開始局面"),
    "commitment": ("the commitment", "約束（コミットメント）"),
    "seats": ("who sits where", "席"),
    "seals": ("a seal", "封印"),
}


class VerificationError(BlackPokerError):
    """Raised if something does not match; the reason in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en, ja)


class Verification(NamedTuple):
    """``proven``: everything was compared with the receipt. Otherwise the record is only consistent with itself."""

    proven: bool
    en: str
    ja: str


class OpenedSecrets(NamedTuple):
    """The data a record opens."""

    version: int
    secret: bytes
    salts: tuple[str, str]
    decks: tuple[str, str]


def parse_fields(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in text.splitlines()[:MAX_FIELD_LINES]:
        match = _FIELD.match(line)
        if match is not None:
            fields[match[1]] = match[2].rstrip()
    return fields


def parse_number(fields: dict[str, str], name: str, maximum: int) -> int:
    text = fields.get(name, "")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:12]) <= maximum:
        raise VerificationError(
            f"the number of the {name} is not from 1 to {maximum}", f"{name} の番号が1から{maximum}の間にありません"
        )
    return int(text)


def parse_hex(fields: dict[str, str], name: str) -> str:
    if not _HEX.fullmatch(fields.get(name, "")):
        raise VerificationError(f"the {name} cannot be read", f"{name} が読めません")
    return fields[name]


def equal_hashes(left: str, right: str) -> bool:
    return hmac.compare_digest(left.strip().lower().encode(), right.strip().lower().encode())


def verify_record(text: str, receipt: Receipt | None = None, edition: Edition | None = None) -> Verification:
    """Return what was proven; raise `VerificationError` if something does not match."""
    fields = parse_fields(text)
    opened = parse_secrets(fields)
    if receipt is not None and opened.version < fairness.VERSION:
        raise VerificationError(
            f"you were promised version {fairness.VERSION}; the record is of version {opened.version}, a weaker one",
            f"約束されたのはバージョン{fairness.VERSION}ですが、記録は証明の弱いバージョン{opened.version}です",
        )
    try:
        game = Game.from_record(text, edition=edition)
    except BlackPokerError as error:
        raise VerificationError(
            f"the record cannot be played again: {error.en}", f"棋譜を再生できません：{error.ja}"
        ) from None
    max_part = 1 if game.regulation.frame.decks == 1 else MAX_PARTS
    part = parse_number(fields, "stream" if opened.version == 1 else "part", max_part)
    if opened.version < fairness.VERSION:
        key = key_of_old_version(fields, opened)
    else:
        terms = check_terms(text, game, fields, opened, receipt)
        check_chain(text, fields, opened.secret, terms, part, receipt, has_removed_name(game, fields))
        key = fairness.make_key(opened.secret, terms, opened.salts)
        check_decks(game, key, opened.decks)
    shuffles = check_shuffles(game, SealedShuffler(key, part, sorts=opened.version == fairness.VERSION))
    unnoted = 0 if receipt is None else check_drawn_cards(game, receipt, part)
    return make_verification(game, shuffles, opened.version, part, receipt, unnoted, has_removed_name(game, fields))


def parse_secrets(fields: dict[str, str]) -> OpenedSecrets:
    if "secret" not in fields or "commitment" not in fields:
        raise VerificationError(
            "the record has no commitment and secret; it was not played on a server",
            "記録に約束と秘密がありません（サーバーで遊んだゲームではありません）",
        )
    version = fields.get("fair", "1")
    if version not in ("1", "2", "3"):
        raise VerificationError("the record is of a version that is not known here", "知らないバージョンの記録です")
    secret = bytes.fromhex(parse_hex(fields, "secret"))
    if not equal_hashes(fairness.commitment(secret), parse_hex(fields, "commitment")):
        raise VerificationError("the secret does not fit the commitment", "秘密が約束と合いません")
    if int(version) < fairness.VERSION:
        return OpenedSecrets(int(version), secret, (fields.get("salt p1", ""), fields.get("salt p2", "")), ("", ""))
    salts, decks = (tuple(parse_text(fields, f"{name} {seat}") for seat in SEATS) for name in ("salt", "deck"))
    return OpenedSecrets(int(version), secret, (salts[0], salts[1]), (decks[0], decks[1]))


def parse_text(fields: dict[str, str], name: str) -> str:
    """Return a text stored as JSON on one line; raise `VerificationError` if it cannot be read."""
    try:
        found = json.loads(fields.get(name, '""'))
    except ValueError:
        found = None
    if not isinstance(found, str):
        raise VerificationError(f"the {name} cannot be read", f"{name} が読めません")
    return found


# -- before the game ---------------------------------------------------------------------------------------------------


def check_terms(
    text: str, game: Game, record_fields: dict[str, str], opened: OpenedSecrets, receipt: Receipt | None
) -> Terms:
    edition = _EDITION.search(text)
    terms = Terms(
        record_fields.get("room", ""),
        parse_number(record_fields, "game", MAX_GAMES),
        game.regulation.text,
        edition[1].strip() if edition is not None else "",
        fairness.start_hash(game.start_kind, game.start_text),
        record_fields["commitment"],
        (record_fields.get("seat p1", ""), record_fields.get("seat p2", "")),
        (record_fields.get("seal p1", ""), record_fields.get("seal p2", "")),
    )
    if receipt is not None:
        for field in fields(Terms):
            if getattr(terms, field.name) != getattr(receipt.terms, field.name):
                en, ja = TERM_NAMES[field.name]
                raise VerificationError(
                    f"{en} is not the one you saw before the game", f"{ja}がゲームの前に見たものと違います"
                )
        own_index = SEATS.index(receipt.you)
        if opened.salts[own_index] != receipt.salt:
            raise VerificationError(
                "your own salt is not the one at your seat", "自分の席のソルトが自分のものではありません"
            )
        if opened.decks[own_index] != receipt.deck:
            raise VerificationError(
                "your own deck is not the one you brought", "自分のデッキが持ち込んだものではありません"
            )
    for place, seat in enumerate(SEATS):
        check_seat(seat, terms.seats[place], terms.seals[place], opened.salts[place], opened.decks[place])
    return terms


def check_seat(seat: str, player: str, seal: str, salt: str, deck: str) -> None:
    if player.startswith("ai"):
        if seal or salt or deck:
            raise VerificationError(
                f"the computer at {seat} has brought something; it was to bring nothing",
                f"{seat} のコンピューターが何かを持ち込んでいます",
            )
    elif not equal_hashes(fairness.make_seal(seat, salt, deck), seal):
        raise VerificationError(
            f"salt and deck of {seat} do not fit its seal", f"{seat} のソルトとデッキが封印と合いません"
        )


def key_of_old_version(fields: dict[str, str], opened: OpenedSecrets) -> bytes:
    """Return the key of a record of an older version; raise `VerificationError` if its seals do not match."""
    if opened.version == 1:
        return fairness.make_key_1(opened.secret, opened.salts)
    seals = fields.get("seal p1", ""), fields.get("seal p2", "")
    for seat, salt, seal in zip(SEATS, opened.salts, seals, strict=True):
        if not equal_hashes(fairness.make_seal_2(salt), seal):
            raise VerificationError(f"the salt of {seat} does not fit its seal", f"{seat} のソルトが封印と合いません")
    return fairness.make_key_2(opened.secret, seals, fields.get("room", ""), parse_number(fields, "game", MAX_GAMES))


# -- the game ----------------------------------------------------------------------------------------------------------


def has_removed_name(game: Game, fields: dict[str, str]) -> bool:
    """Return True if a name was removed from the record after its player deleted the account."""
    return fields.get("name taken out") in [seat for seat, name in zip(SEATS, game.names, strict=True) if not name]


def check_chain(
    text: str,
    fields: dict[str, str],
    secret: bytes,
    terms: Terms,
    part: int,
    receipt: Receipt | None,
    name_removed: bool,
) -> None:
    """Raise `VerificationError` if the record does not match its hash. The hash includes both names: if one was
    removed it cannot be recomputed, and only the named hash is compared. ``make_verification`` reports that case as
    not proven."""
    previous, chain = fields.get("before", ""), parse_hex(fields, "chain")
    computed = fairness.chain_hash(secret, previous, terms, part, fairness.significant_lines(text))
    if not equal_hashes(computed, chain) and not name_removed:
        raise VerificationError(
            "the record does not have the hash it names: something in it was changed",
            "記録のハッシュが合いません（書き換えられています）",
        )
    if receipt is None or len(receipt.chains) < part:
        return
    if receipt.chains[part - 1] != chain or (receipt.chains[part - 2] if part > 1 else "") != previous:
        raise VerificationError(
            "this is not the record you were told of when the game was over", "ゲームの後に知らされた記録ではありません"
        )


def check_decks(game: Game, key: bytes, brought: tuple[str, str]) -> None:
    """Raise `VerificationError` unless every deck is the submitted one, or follows from the key or the regulation."""
    if game.start_kind != "deal":
        return
    source = SealedShuffler(key, SEALED_DECK_STREAM)
    for seat, text in enumerate(brought):
        try:
            decks = make_decks(game.regulation, source, parse_decks(text) if text else None)
        except (DeckError, BlackPokerError):
            raise VerificationError(
                f"the deck of p{seat + 1} may not be played", f"p{seat + 1} のデッキは使えません"
            ) from None
        if game.start_decks[seat] not in [sorted(deck.cards) for deck in decks]:
            raise VerificationError(
                f"the deck of p{seat + 1} is not the one that was brought or that the secret makes",
                f"p{seat + 1} のデッキが、持ち込んだものとも秘密から作られるものとも違います",
            )


def check_shuffles(game: Game, source: SealedShuffler) -> int:
    """Replay the record with the key's own stream and return the number of shuffles; raise `VerificationError` if one
    differs."""
    if game.start_kind == "deal":
        replay = Game(game.regulation, decks=[list(deck) for deck in game.start_decks], shuffler=source)
    else:
        engine = game.walker()
        source.log = []
        engine.source = source
        replay = Game.at(engine, game.regulation, game.start_kind, game.start_text)
    for option in game.history:
        if option < 0:
            break
        if option not in replay.options:
            raise VerificationError(
                "the record's choices were not possible with the promised shuffles",
                "記録の選択は、約束されたシャッフルでは不可能です",
            )
        replay.push(option)
    if replay.outcomes != game.outcomes:
        raise VerificationError(
            "a shuffle of the record does not come from the secret", "秘密から出ていないシャッフルがあります"
        )
    return len(replay.outcomes)


def check_drawn_cards(game: Game, receipt: Receipt, part: int) -> int:
    """Compare the cards this seat drew with the receipt; raise `VerificationError` if they differ. Return how many
    cards drawn in the record were not noted."""
    noted = receipt.games[part - 1] if part <= len(receipt.games) else []
    replayed = drawn_cards(game.events((Audience.P1, Audience.P2)[SEATS.index(receipt.you)]), receipt.you)
    if replayed[: len(noted)] != noted:
        raise VerificationError("the cards you drew are not those of the record", "自分が引いたカードが記録と違います")
    return len(replayed) - len(noted)


def make_verification(
    game: Game, shuffles: int, version: int, part: int, receipt: Receipt | None, unnoted: int, name_removed: bool
) -> Verification:
    names = " – ".join(name or f"p{place}" for place, name in enumerate(game.names, 1))
    result = result_text(game)
    en = f"{names}, {shuffles} shuffles, {len(game.history)} decisions, result {result}"
    ja = f"{names}、シャッフル{shuffles}回、選択{len(game.history)}回、結果 {result}"
    limits: list[tuple[str, str]] = []
    if version in OLD_VERSION_LIMITS:
        limits.append(OLD_VERSION_LIMITS[version])
    elif receipt is None:
        limits.append(
            ("nothing was compared with what you hold (--receipt)", "手元の控えと比べていません（--receipt）")
        )
    elif len(receipt.chains) < part:
        limits.append(("you were not told its hash", "記録のハッシュを知らされていません"))
    if name_removed:
        limits.append(
            (
                "somebody deleted the account and the name was taken out: but for the shuffles and your cards "
                "the record cannot be compared with its hash",
                "アカウントの削除で名前が消されています。シャッフルと自分のカードのほかは、ハッシュと比べられません",
            )
        )
    if unnoted:
        limits.append(
            (
                f"{unnoted} of the cards you draw in it were not noted at the table",
                f"引いたカードのうち{unnoted}枚は、ゲーム中に控えられていません",
            )
        )
    if receipt is not None and receipt.tries:
        tries = receipt.tries
        limits.append(
            (
                f"your salt was opened {tries} times before for no game: "
                f"somebody could choose among {tries + 1} of them",
                f"始まらなかったゲームのために、ソルトが前に{tries}回公開されています（{tries + 1}通りから選べました）",
            )
        )
    if not limits:
        return Verification(True, en, ja)
    return Verification(
        False, f"{en}; {'; '.join(text for text, _ in limits)}", f"{ja}。{'。'.join(text for _, text in limits)}"
    )
