"""Decks: legality (R-190), construction, and their text form."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from blackpoker.engine.cards import ALL, CARDS, JOKER, JOKER2, NAMES, card_set, members, parse_card
from blackpoker.engine.setup import MIN_LIFE, TO_HAND, TO_RARE
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.tables import STARTING_HAND
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset.edition import Edition, editions
from blackpoker.ruleset.regulation import Regulation
from blackpoker.ruleset.tables import CONSTRUCTED, RANDOM, Frame
from blackpoker.text.cards import sign

#: least number of cards of a deck (R-190)
MIN_CARDS = STARTING_HAND + MIN_LIFE


class DeckError(BlackPokerError, ValueError):
    """Raised for a deck that is not legal; ``defects`` has one English sentence per fault, ``defects_ja`` the Japanese
    ones."""

    def __init__(self, defects: Sequence[tuple[str, str]], partial: DeckList | None = None) -> None:
        """``partial``: the readable part of a deck text."""
        super().__init__("; ".join(en for en, _ in defects), "、".join(ja for _, ja in defects))
        self.partial = partial
        self.defects: list[str] = [en for en, _ in defects]
        self.defects_ja: list[str] = [ja for _, ja in defects]


@dataclass(frozen=True)
class Deck:
    """Cards of one player in ascending order, and the trumps and other cards planned to be set aside from them."""

    cards: tuple[int, ...]
    trumps: tuple[int, ...] = ()
    scenario: tuple[int, ...] = ()  # planned answers to the set-up of a frame: the scenario hand …
    rare: tuple[int, ...] = ()  # … and the rare card (N-133, N-134)

    @property
    def trump_names(self) -> list[str]:
        """The trumps in the notation."""
        return [NAMES[card] for card in self.trumps]

    @property
    def left_out(self) -> int:
        """The set of the player's other cards: the pack, if there is one (R-198)."""
        return ALL & ~card_set(list(self.cards))


@dataclass(frozen=True)
class DeckList:
    """The content of a deck file: one deck, or two for the half frames. For two random decks, ``split`` is the size of
    the first one instead."""

    decks: tuple[Deck, ...]
    name: str = ""
    frame: str = ""
    split: int = 0


# -- checking ----------------------------------------------------------------------------------------------------------


def _names(cards: Iterable[int]) -> str:
    return " ".join(sign(card) for card in cards)


def card_defects(cards: Sequence[int]) -> list[tuple[str, str]]:
    """Return the faults of unknown and duplicate cards: a deck is made of one set of 54 (R-190)."""
    defects: list[tuple[str, str]] = []
    for card in sorted({card for card in cards if not 0 <= card < CARDS}):
        defects.append((f"{card} is none of the 54 cards", f"{card} は54枚のカードにありません"))
    jokers = sum(1 for card in cards if card in (JOKER, JOKER2))
    if jokers > 2:
        defects.append((f"{jokers} Jokers; a player has two", f"Jokerが{jokers}枚あります（2枚まで）"))
    for card in sorted({card for card in cards if 0 <= card < CARDS and cards.count(card) > 1}):
        if jokers <= 2 or card not in (JOKER, JOKER2):
            n = cards.count(card)
            defects.append((f"{sign(card)} is there {n} times", f"{sign(card)} が{n}枚あります（1枚まで）"))
    return defects


def deck_defects(
    cards: Sequence[int], regulation: Regulation, trumps: Sequence[int] = (), plan: Deck | None = None
) -> list[tuple[str, str]]:
    """Return every reason why this deck is not legal in this regulation, one sentence each; ``plan``: also of its planned
    scenario hand and rare card."""
    defects = card_defects(cards)
    frame = regulation.frame
    n = len(cards)
    if frame.cards or frame.exactly == CARDS:
        defects += _fixed_defects(cards, frame)
    elif frame.exactly and frame.decks == 1 and n != frame.exactly:
        defects.append(
            (
                f"{n} cards; {frame.en} needs exactly {frame.exactly}",
                f"{n}枚です（{frame.ja}は{frame.exactly}枚ちょうど）",
            )
        )
    elif n > frame.most:
        defects.append(
            (f"{n} cards; {frame.en} allows at most {frame.most}", f"{n}枚です（{frame.ja}は{frame.most}枚まで）")
        )
    defects += _trump_defects(cards, regulation, trumps)
    if plan is not None:
        defects += _plan_defects(plan, regulation)
    least = regulation.min_cards + (0 if frame.setup else len(trumps))
    ruling = "N-121" if frame.setup else "R-190"
    if n < least:
        extra_en = (
            f" with {len(trumps)} trumps and {regulation.preset} preset characters"
            if trumps or regulation.preset
            else ""
        )
        defects.append(
            (
                f"{n} cards; set-up{extra_en} needs at least {least} ({ruling})",
                f"{n}枚です（準備に{least}枚以上必要です。{ruling}）",
            )
        )
    return defects


def _plan_defects(plan: Deck, regulation: Regulation) -> list[tuple[str, str]]:
    """Return the faults of a planned scenario hand and rare card."""
    frame = regulation.frame
    defects: list[tuple[str, str]] = []
    for cards, step, en, ja in (
        (plan.scenario, TO_HAND, "scenario hand", "シナリオハンド"),
        (plan.rare, TO_RARE, "rare card", "レアカード"),
    ):
        most = frame.chosen(step)
        if len(cards) > most:
            defects.append(
                (
                    f"{len(cards)} cards for the {en}; {frame.en} has {most or 'none'}",
                    f"{ja}が{len(cards)}枚です（{frame.ja}は{most}枚）",
                )
            )
        missing = sorted({card for card in cards if card not in plan.cards})
        if missing:
            defects.append(
                (f"{_names(missing)} of the {en} is not in the deck", f"{ja}の {_names(missing)} がデッキにありません")
            )
    planned = [*plan.trumps, *plan.scenario, *plan.rare]
    twice = sorted({card for card in planned if planned.count(card) > 1})
    if twice:
        defects.append((f"{_names(twice)} is planned twice", f"{_names(twice)} が2か所で使われています"))
    return defects


def _fixed_defects(cards: Sequence[int], frame: Frame) -> list[tuple[str, str]]:
    wanted = fixed_cards(frame)
    missing = [card for card in wanted if card not in cards]
    foreign = sorted({card for card in cards if 0 <= card < CARDS and card not in wanted})
    defects: list[tuple[str, str]] = []
    if missing:
        defects.append((f"{frame.en} also has {_names(missing)}", f"{frame.ja}には {_names(missing)} も必要です"))
    if foreign:
        defects.append((f"{frame.en} does not have {_names(foreign)}", f"{frame.ja}に {_names(foreign)} は入りません"))
    return defects


def _trump_defects(cards: Sequence[int], regulation: Regulation, trumps: Sequence[int]) -> list[tuple[str, str]]:
    defects: list[tuple[str, str]] = []
    most = regulation.most_trumps
    if len(trumps) > most:
        defects.append(
            (
                f"{len(trumps)} trumps; {regulation.trumps_by.en} allows {most or 'none'}",
                f"切札が{len(trumps)}枚です（{regulation.trumps_by.ja}は{most}枚まで）",
            )
        )
    for card in sorted({card for card in trumps if trumps.count(card) > 1}):
        defects.append((f"the trump {sign(card)} is named twice", f"切札 {sign(card)} が2回あります"))
    for card in sorted({card for card in trumps if card not in cards}):
        defects.append((f"the trump {sign(card)} is not in the deck", f"切札 {sign(card)} がデッキにありません"))
    return defects


def check_decks(decks: Sequence[Deck], regulation: Regulation) -> None:
    """Raise `DeckError` unless these are the legal decks of one player in a match of this regulation (R-190, R-200)."""
    frame = regulation.frame
    defects: list[tuple[str, str]] = []
    if len(decks) != frame.decks:
        defects.append(
            (
                f"{frame.en} is played with {frame.decks} deck{'s' * (frame.decks > 1)}, not {len(decks)}",
                f"{frame.ja}のデッキは{frame.decks}つです（{len(decks)}つあります）",
            )
        )
    for number, deck in enumerate(decks, 1):
        for en, ja in deck_defects(deck.cards, regulation, deck.trumps, deck):
            defects.append((f"deck {number}: {en}", f"デッキ{number}：{ja}") if frame.decks > 1 else (en, ja))
    if len(decks) == 2 and frame.decks == 2:
        both = sorted(set(decks[0].cards) & set(decks[1].cards))
        if both:
            defects.append(
                (
                    f"{_names(both)} in both decks; they come from one set of 54 cards",
                    f"{_names(both)} が両方のデッキにあります（1組54枚から作ります）",
                )
            )
        if frame.build == RANDOM and len(decks[0].cards) + len(decks[1].cards) != CARDS:
            defects.append(
                (f"the two decks of {frame.en} are all 54 cards together", f"{frame.ja}の2つのデッキは合わせて54枚です")
            )
    if defects:
        raise DeckError(defects)


def check_player_decks(decks: DeckList, regulation: Regulation) -> None:
    """Raise `DeckError` unless a player may bring these decks; random frames accept none (R-190)."""
    frame = regulation.frame
    if decks.split:
        check_split(decks, regulation)
        return
    if frame.build == RANDOM:
        raise DeckError(
            [
                (
                    f"in {frame.en} the decks are made at random; nobody brings one",
                    f"{frame.ja}のデッキは無作為に作られます。持ち込めません",
                )
            ]
        )
    check_decks(decks.decks, regulation)


def check_split(decks: DeckList, regulation: Regulation) -> None:
    """Raise `DeckError` unless the split is possible: only frames with two random decks have one, and both decks must
    be playable."""
    frame = regulation.frame
    least = regulation.min_cards
    if frame.build != RANDOM or frame.decks != 2 or any(deck.cards for deck in decks.decks):
        raise DeckError(
            [
                (
                    "only where two decks are made at random can be said how the cards are split, and no card is named then",
                    "枚数の分け方は、ランダムに2つのデッキを作るフレームだけで指定できます（カードは書きません）",
                )
            ]
        )
    if not least <= decks.split <= CARDS - least:
        en = f"the first deck may have {least} to {CARDS - least} cards, not {decks.split}"
        raise DeckError([(en, f"1つ目のデッキは{least}〜{CARDS - least}枚です（{decks.split}枚になっています）")])


# -- making ------------------------------------------------------------------------------------------------------------


def fixed_cards(frame: Frame) -> list[int]:
    if frame.cards:
        return sorted(parse_card(card) for card in frame.cards.split())
    return list(range(CARDS))


def fixed_names(frame: Frame) -> list[str]:
    """Return the cards of a fixed deck in the notation."""
    return [NAMES[card] for card in fixed_cards(frame)]


def make_decks(regulation: Regulation, source: Shuffler, given: DeckList | None = None) -> tuple[Deck, ...]:
    """Return the decks of one player: fixed, drawn from ``source``, or the given ones, checked. Constructed frames have
    built-in decks as a default."""
    frame = regulation.frame
    if given is not None and given.split:
        check_split(given, regulation)
    elif given is not None:
        check_decks(given.decks, regulation)
        return given.decks
    if frame.build == RANDOM:
        cards = list(range(CARDS))
        source.shuffle(cards)
        n = frame.exactly if given is None else given.split
        decks = (Deck(tuple(sorted(cards[:n]))), Deck(tuple(sorted(cards[n:]))))
        return decks[: frame.decks]
    if frame.build == CONSTRUCTED:
        return built_in_decks(frame).decks
    return (Deck(tuple(fixed_cards(frame))),)


@cache
def built_in_decks(frame: Frame) -> DeckList:
    """Return the default decks of a constructed frame."""
    if frame.built_in:
        return parse_decks(frame.built_in)  # names only its own frame
    first = frame.exactly or frame.most if frame.decks == 1 else CARDS // frame.decks
    decks = [Deck(tuple(range(n * first, (n + 1) * first))) for n in range(frame.decks)]
    return DeckList(tuple(decks), str(first), frame.id)


# -- text --------------------------------------------------------------------------------------------------------------

_SUIT_HEADS = {
    "S": "S",
    "H": "H",
    "D": "D",
    "C": "C",
    "♠": "S",
    "♡": "H",
    "♥": "H",
    "♢": "D",
    "♦": "D",
    "◇": "D",
    "♣": "C",
    "♤": "S",
    "♧": "C",
    "◆": "D",
    "スペード": "S",
    "ハート": "H",
    "ダイヤ": "D",
    "ダイヤモンド": "D",
    "クラブ": "C",
    "クローバー": "C",
}
#: alternative spellings of line heads
_LINE_HEADS = {
    "名前": "name",
    "デッキ名": "name",
    "フレーム": "frame",
    "切札": "trumps",
    "切り札": "trumps",
    "trump": "trumps",
    "シナリオハンド": "scenario",
    "シナリオ": "scenario",
    "レアカード": "rare",
    "レア": "rare",
    "デッキ": "deck",
    "デッキ1": "deck1",
    "デッキ2": "deck2",
    "分け方": "split",
    "枚数": "split",
    "halves": "split",
}
_JOKERS = {"ジョーカー": "JK", "ジョーカー1": "JK", "ジョーカー2": "JK2", "道化": "JK"}
_NUMBERS = {"エース": "A", "ジャック": "J", "クイーン": "Q", "クィーン": "Q", "キング": "K"}


def fold_name(text: str) -> str:
    """Return a name in comparable form: one width and case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _card_token(token: str) -> str:
    """Return a card as ``parse_card`` reads it: S5 for スペード5, HK for ハートのキング."""
    if token in _JOKERS:
        return _JOKERS[token]
    for name, suit in _SUIT_HEADS.items():
        if len(name) > 1 and token.startswith(name):
            token = suit + token.removeprefix(name).removeprefix("の")
            break
    for name, number in _NUMBERS.items():
        if token.endswith(name):
            return token.removesuffix(name) + number
    return token


def parse_decks(text: str, edition: Edition | None = None) -> DeckList:
    """Return the decks of a deck file; raise `DeckError` if it is not valid.

    The file has lines ``name:``, ``frame:``, ``trumps:``, ``scenario:``, ``rare:``; lines of cards, either ``S A 2 3 10 J`` (a suit, then
    numbers) or ``S5 H10 JK``; a line ``deck 2`` starts the second deck of the half frames; ``split: 30`` is the size of
    the first of two random decks; ``#`` starts a comment. Japanese words and full-width signs are accepted too.
    """
    frames = _frame_names(editions().values() if edition is None else [edition])
    split = 0
    name = frame = ""
    decks: list[list[int]] = [[]]
    plans: list[dict[str, list[int]]] = [_no_plan()]
    defects: list[tuple[str, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _plain_line(raw)
        head, colon, rest = line.partition(":")
        word = fold_name(head)
        word = _LINE_HEADS.get(word, word)
        if not line:
            continue
        if colon and word == "name":
            name = rest.strip()
        elif colon and word == "frame":
            frame = rest.strip()
        elif colon and word == "split":
            split = _split_of(rest)
        elif word in ("deck", "deck1", "deck2"):
            if decks[-1]:
                decks.append([])
                plans.append(_no_plan())
            _read_cards(rest, number, decks[-1], defects)
        elif colon and word in plans[-1]:
            _read_cards(rest, number, plans[-1][word], defects)
        else:
            _read_cards(line.replace(":", " "), number, decks[-1], defects)
    if frame and fold_name(frame) not in frames:
        defects.append((f"{frame!r} is no frame", f"「{frame}」というフレームはありません"))
    for cards in decks:
        defects += card_defects(cards)
    found = DeckList(
        tuple(
            Deck(tuple(sorted(set(cards))), *(tuple(sorted(planned)) for planned in plan.values()))
            for cards, plan in zip(decks, plans, strict=True)
        ),
        name,
        frames.get(fold_name(frame), ""),
        split,
    )
    if defects:
        raise DeckError(defects, found)
    return found


def _no_plan() -> dict[str, list[int]]:
    """Return the cards of each line of a plan, in the order of the fields of a deck."""
    return {"trumps": [], "scenario": [], "rare": []}


def _frame_names(known: Iterable[Edition]) -> dict[str, str]:
    """Return the id of every frame of these editions by its normalized names."""
    frames = [frame for edition in known for frame in edition.frames]
    return {fold_name(name): one.id for one in frames for name in (one.id, one.ja, one.en, *one.aliases)}


def _plain_line(raw: str) -> str:
    """Return the line without comment, with normalized signs and blanks between cards."""
    line = unicodedata.normalize("NFKC", raw).partition("#")[0]
    for mark in ",、・|/":
        line = line.replace(mark, " ")
    return line.strip()


def _split_of(text: str) -> int:
    """Return the size of the first of two decks, or -1 if the text is no number."""
    return int(text) if text.strip().isdecimal() and len(text.strip()) < 4 else -1


def _read_cards(line: str, number: int, cards: list[int], defects: list[tuple[str, str]]) -> None:
    suit = ""
    for token in line.split():
        head = token.rstrip(":").upper()
        if head in _SUIT_HEADS:
            suit = _SUIT_HEADS[head]
            continue
        card = parse_card(_card_token(token))
        if card < 0 and suit:
            card = parse_card(suit + _card_token(token))
        if card < 0:
            defects.append(
                (f"line {number}: {token!r} is no card", f"{number}行目：「{token}」というカードはありません")
            )
        elif card == JOKER and JOKER in cards:
            cards.append(JOKER2)  # "JK JK" means both
        else:
            cards.append(card)


def write_decks(decks: DeckList) -> str:
    """Return the decks as text for ``parse_decks``."""
    lines: list[str] = []
    if decks.name:
        lines.append(f"name: {decks.name}")
    if decks.frame:
        lines.append(f"frame: {decks.frame}")
    if decks.split:
        lines.append(f"split: {decks.split}")
    for number, deck in enumerate(decks.decks, 1):
        if len(decks.decks) > 1:
            lines.append(f"deck {number}")
        for suit in range(4):
            numbers = [NAMES[card][1:] for card in deck.cards if card // 13 == suit]
            if numbers:
                lines.append(f"{'♠♡♢♣'[suit]} {' '.join(numbers)}")
        jokers = [NAMES[card] for card in deck.cards if card >= JOKER]
        if jokers:
            lines.append(" ".join(jokers))
        for head, planned in (("trumps", deck.trumps), ("scenario", deck.scenario), ("rare", deck.rare)):
            if planned:
                lines.append(f"{head}: {_names(planned)}")
    return "\n".join(lines) + "\n"


def left_out(deck: Deck) -> list[int]:
    return members(deck.left_out)
