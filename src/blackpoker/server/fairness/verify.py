"""Verification of a record against a receipt: secret and salts match the commitment and seals seen before the game, the
key's streams give every shuffle, the record gives exactly the transcript this seat was sent, with its result, and its
hash is the one both seats received. The signatures of the other seat are compared with the transcript it must have been
sent.

Room, game, regulation, edition, seats, seals and keys of the record are compared with the receipt, not trusted.
"""

from __future__ import annotations

import hmac
import json
import re
from dataclasses import fields
from typing import Final, Literal, NamedTuple

from blackpoker import Audience
from blackpoker.errors import BlackPokerError
from blackpoker.formats.record import result_text
from blackpoker.game.game import Game, game_at, replayer, shuffles_of
from blackpoker.game.outcome import decode_end
from blackpoker.players.computer_moves import PLAYER_VERSION, choose_move, is_repeatable
from blackpoker.ruleset import DeckError, Edition, make_decks, parse_decks
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.receipt import SEATS, TRANSCRIPT_VERSION, Receipt, drawn_cards, transcript_of
from blackpoker.server.fairness.seal import TERMS_VERSION, SealedShuffler, Terms
from blackpoker.server.fairness.sealed_match import deck_sources
from blackpoker.server.fairness.signatures import comparison_code, is_signed, signed_text

_FIELD: Final = re.compile(
    r"^# (fair|room|game|part|stream|commitment|secret|before|chain|computer|name taken out"
    r"|(?:seat|seal|salt|deck|key) p[12])"
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
    3: (
        "only the cards drawn were noted in this version, and a server could rewrite the notes",
        "このバージョンの控えは引いたカードだけで、サーバーが書き換えられました",
    ),
}
#: contradictions a client noticed while it was playing
ALARMS: Final = {
    "rewritten": (
        "the server changed what it had sent before",
        "サーバーが、前に送った内容を後から変えました",
    ),
    "after_end": ("the game went on after its result", "結果の後にもゲームが続きました"),
    "hand": ("your hand had cards that were never dealt to you", "配られていないカードが手札にありました"),
    "signature": (
        "the other player signed other terms than you saw",
        "相手は、あなたが見たものと違う条件に署名しています",
    ),
    "skipped": (
        "the game began before your salt was opened",
        "あなたのソルトが公開される前にゲームが始まりました",
    ),
}
NOTHING_COMPARED: Final = (
    "nothing was compared with what you hold (--receipt)",
    "手元の控えと比べていません（--receipt）",
)
NAME_REMOVED: Final = (
    "an account was deleted and its name was taken out: the record cannot be compared with its hash",
    "アカウントの削除で名前が消されているため、記録をハッシュと比べられません",
)
#: fewest different characters of a salt that can count as random; of 10**9 random ones about one has fewer
MIN_SALT_CHARACTERS: Final = 7
MIN_SALT_LENGTH: Final = 20
Verdict = Literal["proven", "consistent", "broken"]
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
    "keys": ("a key of the signatures", "署名の鍵"),
    "version": ("the version of the shuffles", "シャッフルのバージョン"),
}


class VerificationError(BlackPokerError):
    """Raised if something does not match; the reason in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en, ja)


class Verification(NamedTuple):
    """``proven``: everything was compared with the receipt. Otherwise the record is only consistent with what could be
    compared. ``code``: both players see the same one, if they played the same game."""

    proven: bool
    en: str
    ja: str
    code: str = ""

    @property
    def verdict(self) -> Verdict:
        return "proven" if self.proven else "consistent"


#: a reason why nothing is proven, in English and Japanese
Limit = tuple[str, str]


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
    if receipt is not None:
        check_alarms(receipt)
        if opened.version != receipt.terms.version:
            raise VerificationError(
                f"you were promised version {receipt.terms.version}; the record is of version {opened.version}",
                f"約束されたのはバージョン{receipt.terms.version}ですが、記録はバージョン{opened.version}です",
            )
    try:
        game = Game.from_record(text, edition=edition)
    except BlackPokerError as error:
        raise VerificationError(
            f"the record cannot be played again: {error.en}", f"棋譜を再生できません：{error.ja}"
        ) from None
    max_part = 1 if game.regulation.frame.decks == 1 else MAX_PARTS
    part = parse_number(fields, "stream" if opened.version == 1 else "part", max_part)
    limits: list[Limit] = []
    if has_removed_name(game, fields):
        limits.append(NAME_REMOVED)
    if opened.version < TERMS_VERSION:
        key = key_of_old_version(fields, opened)
    else:
        terms = check_terms(text, game, fields, opened, receipt)
        check_chain(text, fields, opened.secret, terms, part, receipt, has_removed_name(game, fields))
        key = fairness.make_key(opened.secret, terms, opened.salts)
        check_decks(game, key, opened)
    shuffles = check_shuffles(game, SealedShuffler(key, part, opened.version))
    if opened.version in OLD_VERSION_LIMITS:
        limits.append(OLD_VERSION_LIMITS[opened.version])
    if receipt is None:
        limits.append(NOTHING_COMPARED)
    elif opened.version == TERMS_VERSION:
        limits += check_drawn_cards(game, receipt, part)
    else:
        limits += check_computer(game, receipt, key, part, fields)
        limits += check_received(game, receipt, part)
        limits += check_signatures(game, receipt, part)
    if receipt is not None:
        limits += find_limits(receipt, part)
    return make_verification(game, shuffles, limits, receipt)


def check_alarms(receipt: Receipt) -> None:
    """Raise `VerificationError` for a contradiction that was noticed during the game."""
    for name in receipt.alarms:
        raise VerificationError(*ALARMS.get(name, ("the receipt has an alarm", "控えに警告があります")))


def parse_secrets(fields: dict[str, str]) -> OpenedSecrets:
    if "secret" not in fields or "commitment" not in fields:
        raise VerificationError(
            "the record has no commitment and secret; it was not played on a server",
            "記録に約束と秘密がありません（サーバーで遊んだゲームではありません）",
        )
    version = fields.get("fair", "1")
    if version not in ("1", "2", "3", "4"):
        raise VerificationError("the record is of a version that is not known here", "知らないバージョンの記録です")
    secret = bytes.fromhex(parse_hex(fields, "secret"))
    if not equal_hashes(fairness.commitment(secret), parse_hex(fields, "commitment")):
        raise VerificationError("the secret does not fit the commitment", "秘密が約束と合いません")
    if int(version) < TERMS_VERSION:
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
        fairness.start_hash(game._start.kind, game._start.text),
        record_fields["commitment"],
        (record_fields.get("seat p1", ""), record_fields.get("seat p2", "")),
        (record_fields.get("seal p1", ""), record_fields.get("seal p2", "")),
        (record_fields.get("key p1", ""), record_fields.get("key p2", "")),
        opened.version,
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
    removed it cannot be recomputed, and only the named hash is compared; that case is never proven."""
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


def check_decks(game: Game, key: bytes, opened: OpenedSecrets) -> None:
    """Raise `VerificationError` unless every deck is the submitted one, or follows from the key or the regulation."""
    if game._start.kind != "deal":
        return
    sources = deck_sources(key, opened.version)
    for seat, text in enumerate(opened.decks):
        try:
            decks = make_decks(game.regulation, sources[seat], parse_decks(text) if text else None)
        except (DeckError, BlackPokerError):
            raise VerificationError(
                f"the deck of p{seat + 1} may not be played", f"p{seat + 1} のデッキは使えません"
            ) from None
        if game._start.decks[seat] not in [sorted(deck.cards) for deck in decks]:
            raise VerificationError(
                f"the deck of p{seat + 1} is not the one that was brought or that the secret makes",
                f"p{seat + 1} のデッキが、持ち込んだものとも秘密から作られるものとも違います",
            )


def check_shuffles(game: Game, source: SealedShuffler) -> int:
    """Replay the record with the key's own stream and return the number of shuffles; raise `VerificationError` if one
    differs."""
    if game._start.kind == "deal":
        replay = Game(game.regulation, decks=[list(deck) for deck in game._start.decks], shuffler=source)
    else:
        engine = replayer(game)
        source.log = []
        engine.source = source
        replay = game_at(engine, game.regulation, game._start)
    for option in game.history:
        if option < 0:
            break
        if option not in replay.options:
            raise VerificationError(
                "the record's choices were not possible with the promised shuffles",
                "記録の選択は、約束されたシャッフルでは不可能です",
            )
        replay.push(option)
    if shuffles_of(replay) != shuffles_of(game):
        raise VerificationError(
            "a shuffle of the record does not come from the secret", "秘密から出ていないシャッフルがあります"
        )
    return len(shuffles_of(replay))


def check_computer(game: Game, receipt: Receipt, key: bytes, part: int, fields: dict[str, str]) -> list[Limit]:
    """Compute the moves of a computer player again, where they follow from key and view; raise `VerificationError` if
    the record has another one."""
    place = 1 - receipt.place
    kind, _, level = receipt.terms.seats[place].partition(" ")
    if kind != "ai" or not is_repeatable(level):
        return []
    if fields.get("computer") != str(PLAYER_VERSION):
        return [
            (
                "another version of the computer player made its moves; they were not computed again",
                "コンピューターのバージョンが違うため、その手を計算し直せません",
            )
        ]
    replay = game_at(replayer(game), game.regulation, game._start)
    options = [option for option in game.history if option >= 0]
    while len(replay.history) < len(options):
        count = len(replay.history)
        if replay.player != SEATS[place]:
            replay.push(options[count])
            continue
        wanted = choose_move(level, replay, fairness.computer_seed(key, part, count))
        if options[count : count + len(wanted)] != wanted[: len(options) - count]:
            raise VerificationError(
                f"decision {count + 1} is not the one the computer's level makes",
                f"{count + 1}番目の選択が、コンピューターのレベルから計算した手と違います",
            )
        for option in wanted:
            replay.push(option)
    return []


def check_drawn_cards(game: Game, receipt: Receipt, part: int) -> list[Limit]:
    """Compare the cards this seat drew with a receipt of version 3; raise `VerificationError` if they differ."""
    noted = receipt.games[part - 1] if part <= len(receipt.games) else []
    replayed = drawn_cards(game.event_views((Audience.P1, Audience.P2)[receipt.place]), receipt.you)
    if replayed[: len(noted)] != noted:
        raise VerificationError("the cards you drew are not those of the record", "自分が引いたカードが記録と違います")
    unnoted = len(replayed) - len(noted)
    if not unnoted:
        return []
    return [
        (
            f"{unnoted} of the cards you draw in it were not noted at the table",
            f"引いたカードのうち{unnoted}枚は、ゲーム中に控えられていません",
        )
    ]


def check_received(game: Game, receipt: Receipt, part: int) -> list[Limit]:
    """Compare everything this seat was sent with what the record gives; raise `VerificationError` if it differs."""
    outcome = game.outcome()
    if len(receipt.results) >= part and outcome is not None:
        winner = "draw" if outcome.winner is None else SEATS[outcome.winner]
        if receipt.results[part - 1] != f"{winner} {outcome.reason}":
            raise VerificationError(
                "the result is not the one you were sent when the game was over",
                "結果が、ゲームの終わりに知らされたものと違います",
            )
    if receipt.transcript_version != TRANSCRIPT_VERSION:
        return [("another version of this program kept the receipt", "別のバージョンのプログラムの控えです")]
    if receipt.taken_back:
        return [
            (
                f"moves were taken back {receipt.taken_back} times; what you were sent was not compared",
                f"巻き戻しが{receipt.taken_back}回あり、受け取った内容を比べられません",
            )
        ]
    events = game.event_views((Audience.P1, Audience.P2)[receipt.place])
    hashes = transcript_of(receipt.terms.hash, receipt.you, part, events)
    count, transcript = receipt.parts[part - 1] if part <= len(receipt.parts) else (0, hashes[0])
    if count > len(events) or hashes[count] != transcript:
        raise VerificationError(
            "what you were sent during the game is not what the record gives",
            "ゲーム中に受け取った内容が、記録から作られるものと違います",
        )
    limits: list[Limit] = []
    if count < len(events):
        limits.append(
            (
                f"you were not sent {len(events) - count} of {len(events)} events",
                f"出来事{len(events)}件のうち{len(events) - count}件を受け取っていません",
            )
        )
    end = game.history[-1] if game.history else 0
    if end < 0 and decode_end(end) == ("resign", receipt.place) and not receipt.resigned:
        limits.append(("you did not resign with this client", "この端末では投了していません"))
    return limits


def check_signatures(game: Game, receipt: Receipt, part: int) -> list[Limit]:
    """Compare the last signature of the other player with the transcript that seat must have been sent; raise
    `VerificationError` if it signed another one."""
    other = 1 - receipt.place
    if receipt.terms.seats[other] != "human" or receipt.taken_back:
        return []
    if receipt.expected_key not in ("", receipt.terms.keys[other]):
        return [
            (
                "the other player does not have the key of the invitation: another device, or another person",
                "相手の鍵が、招待のリンクの鍵と違います（別の端末か、別の人です）",
            )
        ]
    if not receipt.signatures:
        return [("the other player's program signed nothing", "相手のプログラムの署名がありません")]
    if part not in receipt.signatures:
        return []
    count, signature = receipt.signatures[part]
    hashes = transcript_of(receipt.terms.hash, receipt.other, part, game.event_views((Audience.P1, Audience.P2)[other]))
    if count < len(hashes):
        signed = signed_text(receipt.terms.hash, receipt.other, part, count, hashes[count])
        if is_signed(receipt.terms.keys[other], signed, signature):
            return []
    raise VerificationError(
        "the other player signed another game than the record gives",
        "相手が署名したゲームは、記録から作られるものと違います",
    )


def find_limits(receipt: Receipt, part: int) -> list[Limit]:
    """Return what the receipt leaves open, whatever the record says."""
    limits: list[Limit] = []
    if len(receipt.chains) < part:
        limits.append(("you were not told its hash", "記録のハッシュを知らされていません"))
    if receipt.terms.start != fairness.DEALT:
        limits.append(("the game did not begin with a deal", "配られたゲームではなく、局面から始まったゲームです"))
    if len(receipt.salt) < MIN_SALT_LENGTH or len(set(receipt.salt)) < MIN_SALT_CHARACTERS:
        limits.append(("your salt was not random", "あなたのソルトはランダムではありません"))
    if receipt.tries:
        tries = receipt.tries
        limits.append(
            (
                f"{tries} earlier deals were abandoned after your salt was opened: "
                f"somebody could choose among {tries + 1}",
                f"ソルトの公開後に終わらなかったゲームが前に{tries}回あります（{tries + 1}通りから選べました）",
            )
        )
    return limits


def make_verification(game: Game, shuffles: int, limits: list[Limit], receipt: Receipt | None) -> Verification:
    names = " – ".join(name or f"p{place}" for place, name in enumerate(game.names, 1))
    result = result_text(game)
    en = f"{names}, {shuffles} shuffles, {len(game.history)} decisions, result {result}"
    ja = f"{names}、シャッフル{shuffles}回、選択{len(game.history)}回、結果 {result}"
    code = "" if receipt is None else comparison_code(receipt.terms.hash, receipt.chains)
    if receipt is not None and receipt.terms.seats == ("human", "human"):
        en += f", code {code} (the other player must have the same)"
        ja += f"、照合コード {code}（相手と同じはずです）"
    if not limits:
        return Verification(True, en, ja, code)
    return Verification(
        False,
        f"{en}; {'; '.join(text for text, _ in limits)}",
        f"{ja}。{'。'.join(text for _, text in limits)}",
        code,
    )
