"""The 54 cards of one player: numbers, suits, 54-bit sets, parsing and formatting.

A card is a small integer: ``suit * 13 + number - 1`` for suited cards, 52 and 53 for the two Jokers.
A set of cards is an integer with one bit per card. ``BIT`` is a table because mypyc miscompiles
``1 << n`` on i64 for n >= 31.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3
CARDS: Final = 54
JOKER: Final = 52
JOKER2: Final = 53

BIT: Final[list[int]] = [2**card for card in range(54)]
#: number of a card: A=1, J=11, Q=12, K=13, Joker=0 (RULINGS 0.2)
VALUE: Final[list[int]] = [card % 13 + 1 if card < 52 else 0 for card in range(54)]
#: suit of a card, 4 for Jokers
SUIT: Final[list[int]] = [card // 13 for card in range(54)]
#: ``LOW[bit % 59]`` is the card of a one-bit set: 2 generates the whole multiplicative group modulo 59
LOW: Final[list[int]] = [0] * 59
for _card in range(54):
    LOW[2**_card % 59] = _card

ALL: Final = 2**54 - 1
JOKERS: Final = 2**52 + 2**53
#: cards of one suit; index 4 is the empty set, so that ``SUIT_SET[SUIT[card]]`` always works
SUIT_SET: Final[list[int]] = [(2**13 - 1) * 2 ** (13 * suit) for suit in range(4)] + [0]
#: cards of one number, 0 = Jokers
NUMBER_SET: Final[list[int]] = [JOKERS] + [sum(2 ** (13 * s + n - 1) for s in range(4)) for n in range(1, 14)]
#: cards after this one in the order of the integers
ABOVE: Final[list[int]] = [ALL - (2 ** (card + 1) - 1) for card in range(54)]


def count(cards: i64) -> i64:
    """Return the number of cards in the set."""
    n: i64 = 0
    while cards != 0:
        cards &= cards - 1
        n += 1
    return n


def total(cards: i64) -> i64:
    """Return the sum of the numbers of the cards in the set."""
    n: i64 = 0
    while cards != 0:
        low: i64 = cards & -cards
        n += VALUE[LOW[low % 59]]
        cards ^= low
    return n


def last_of(cards: i64) -> i64:
    """Return the highest card of a non-empty set, as a set."""
    while cards & (cards - 1) != 0:
        cards &= cards - 1
    return cards


def members(cards: i64) -> list[int]:
    """Return the cards of the set in ascending order."""
    out: list[int] = []
    while cards != 0:
        low: i64 = cards & -cards
        out.append(LOW[low % 59])
        cards ^= low
    return out


def card_set(cards: list[int]) -> i64:
    """Return the set of these cards."""
    out: i64 = 0
    for card in cards:
        out |= BIT[card]
    return out


_SUIT_LETTERS: Final = "SHDC"
_SUIT_SIGNS: Final = "♠♡♢♣"
_NUMBER_TEXT: Final = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
_FOLD: Final = str.maketrans(
    {
        "♠": "S",
        "♤": "S",
        "♡": "H",
        "♥": "H",
        "♢": "D",
        "♦": "D",
        "◇": "D",
        "◆": "D",
        "♣": "C",
        "♧": "C",
        "\ufe0e": "",
        "\ufe0f": "",
    }
)

NAMES: Final[list[str]] = [_SUIT_LETTERS[c // 13] + _NUMBER_TEXT[c % 13 + 1] for c in range(52)] + ["JK", "JK2"]
SIGNS: Final[list[str]] = [_SUIT_SIGNS[c // 13] + _NUMBER_TEXT[c % 13 + 1] for c in range(52)] + ["JK", "JK2"]
_BY_NAME: Final[dict[str, int]] = {name: card for card, name in enumerate(NAMES)}


def parse_card(text: str) -> int:
    """Return the card written as ``S5``, ``♠5``, ``JK`` …; return -1 if the text is not a card."""
    folded = text.strip().translate(_FOLD).upper()
    if folded in ("JK1", "JOKER", "JOKER1"):
        return JOKER
    if folded == "JOKER2":
        return JOKER2
    return _BY_NAME.get(folded, -1)


def parse_card_range(text: str) -> int:
    """Return the set written as in the action lists (``"2-10"``, ``"♡A-10"``, ``"JK"``, ``"♢5"``); raise `ValueError`
    if the text is not a range."""
    folded = text.strip().translate(_FOLD).upper()
    if folded == "JK":
        return JOKERS
    suits = ALL - JOKERS
    if folded[:1] in _SUIT_LETTERS and folded:
        suits = SUIT_SET[_SUIT_LETTERS.index(folded[0])]
        folded = folded[1:]
    first, _, last = folded.partition("-")
    if first not in _NUMBER_TEXT or (last or first) not in _NUMBER_TEXT or not first:
        raise ValueError(f"not a range of cards: {text!r}")
    numbers = range(_NUMBER_TEXT.index(first), _NUMBER_TEXT.index(last or first) + 1)
    return suits & sum(NUMBER_SET[n] for n in numbers)
