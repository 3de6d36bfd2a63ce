"""Statistics of a deck: the actions its cards are keys of, how often, and the chance of a key in the first hand.

Exact: hands are counted, not sampled. ``tests/unit/test_deck_stats.py`` counts small decks one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from blackpoker.definitions.model import Action, Key
from blackpoker.engine.cards import CARDS, JOKER, NAMES, SUIT, VALUE, card_set, members, parse_card
from blackpoker.ruleset.decks import Deck, deck_defects
from blackpoker.ruleset.regulation import Regulation
from blackpoker.text.rulebook import cards_of

#: cards turned up to see who begins (R-192), at least
FLIPPED = 1


@dataclass(frozen=True)
class DeckUse:
    """An action with a deck: ``times`` requests at once have keys, and ``chance`` is the probability that the first
    hand has a complete key."""

    action: str
    times: int
    chance: float


@dataclass(frozen=True)
class DeckNote:
    """A requirement of the frame, and whether the deck meets it."""

    kept: bool
    ja: str
    en: str


@dataclass(frozen=True)
class DeckFigures:
    """The statistics of a deck; ``life`` is its number of life cards at the start."""

    cards: int
    left_out: int
    life: int
    uses: tuple[DeckUse, ...]
    notes: tuple[DeckNote, ...]


def deck_stats(deck: Deck, regulation: Regulation) -> DeckFigures:
    library = [card for card in deck.cards if card not in deck.trumps]  # trumps are set aside first
    life = len(library) - regulation.starting_hand - FLIPPED - regulation.preset
    uses = [
        action_stats(action, library, regulation.starting_hand)
        for action in playable(deck, regulation)
        if action.key is not None
    ]
    return DeckFigures(
        len(deck.cards), CARDS - len(deck.cards), life, tuple(uses), tuple(notes(deck, regulation, life))
    )


def playable(deck: Deck, regulation: Regulation) -> list[Action]:
    """Return the actions that the deck's owner may request: those of the format, and those of the chosen trumps."""
    trumps = {trump.id: parse_card(trump.card) for trump in regulation.edition.trumps}
    allowed = {name for trump in regulation.edition.trumps if trumps[trump.id] in deck.trumps for name in trump.allows}
    extra = {action for option in regulation.options for action in option.actions}
    return [
        action
        for action in regulation.edition.actions
        if action.direct
        and (action.since <= regulation.format.format or action.id in extra)
        and (not action.permission or action.permission in allowed)
    ]


def action_stats(action: Action, cards: Sequence[int], hand: int) -> DeckUse:
    """Return the uses of an action by a deck; ``hand`` is the size of the starting hand."""
    assert action.key is not None
    hands = comb(len(cards), hand)
    without = hands_without_key(action.key, cards, hand)
    return DeckUse(action.id, max_requests(action.key, cards), 1 - without / hands if hands else float(without == 0))


def max_requests(key: Key, cards: Sequence[int]) -> int:
    """Return the number of requests for which the cards are keys, all at once."""
    if key.form in ("same_suit", "same_number"):
        return sum(n // 2 for n in groups(key, cards).values())
    if key.form == "whole":
        return sum(whole <= set(cards) for whole in whole_keys(key))
    counts = [sum(card in range_ for card in cards) for range_ in ranges(key)]
    return counts[0] // 2 if key.form == "two" else min(counts)


def hands_without_key(key: Key, cards: Sequence[int], hand: int) -> int:
    """Return the number of hands of this size that contain no complete key."""
    n = len(cards)
    if key.form in ("same_suit", "same_number"):
        by = groups(key, cards)
        return hands_without_pair(by.values(), n - sum(by.values()), hand)
    if key.form == "whole":
        found = [whole for whole in whole_keys(key) if whole <= set(cards)]
        return sum(
            (-1) ** size * choose(n - len(union), hand - len(union))
            for size in range(len(found) + 1)
            for some in combinations(found, size)
            for union in (frozenset().union(*some),)
        )
    counts = [sum(card in some for card in cards) for some in ranges(key)]
    if key.form == "each":  # the two do not overlap (definitions/compiler)
        first, second = counts
        return choose(n - first, hand) + choose(n - second, hand) - choose(n - first - second, hand)
    found_none = choose(n - counts[0], hand)
    return found_none if key.form == "one" else found_none + counts[0] * choose(n - counts[0], hand - 1)


def hands_without_pair(sizes: Iterable[int], free: int, hand: int) -> int:
    """Return the number of hands with at most one card of each group and any of the free ones."""
    counts = [1] + [0] * hand
    for size in sizes:
        counts = [counts[k] + (size * counts[k - 1] if k else 0) for k in range(hand + 1)]
    return sum(counts[k] * choose(free, hand - k) for k in range(hand + 1))


def choose(n: int, k: int) -> int:
    return comb(n, k) if 0 <= k <= n else 0


def groups(key: Key, cards: Sequence[int]) -> Counter[int]:
    """Return the number of cards by suit (a Joker has none) or by number; any two of a group are a key."""
    if key.form == "same_suit":
        return Counter(SUIT[card] for card in cards if card < JOKER)
    return Counter(VALUE[card] for card in cards)


def ranges(key: Key) -> list[set[int]]:
    """Return the cards for each part of a key."""
    parts = key.ranges if key.form == "each" else (" ".join(key.ranges),)
    return [set(members(cards_of(part))) for part in parts]


def whole_keys(key: Key) -> list[frozenset[int]]:
    return [frozenset(members(card_set([parse_card(card) for card in text.split()]))) for text in key.ranges]


def key_sets(key: Key) -> list[list[str]]:
    """Return the parts of a key for drawing: the cards of each part or of each whole, or nothing if any pair is a
    key."""
    if key.form in ("same_suit", "same_number"):
        return []
    return [
        [NAMES[card] for card in sorted(some)] for some in (whole_keys(key) if key.form == "whole" else ranges(key))
    ]


def notes(deck: Deck, regulation: Regulation, life: int) -> list[DeckNote]:
    """Return the frame's notes on a deck that is being built."""
    n, frame = len(deck.cards), regulation.frame
    out: list[DeckNote] = []
    if n > frame.most:
        over = n - frame.most
        out.append(
            DeckNote(
                False,
                f"あと{over}枚抜いてください。{frame.ja}は{frame.left_out}枚以上抜きます。",
                f"Take {over} more out: {frame.en} leaves at least {frame.left_out} cards out.",
            )
        )
    elif frame.most < CARDS:
        more = frame.most - n
        ja, en = (
            f"54枚から{CARDS - n}枚抜いています（{frame.left_out}枚以上）。",
            f"{CARDS - n} of 54 are out; at least {frame.left_out} must be.",
        )
        if more:
            ja, en = f"{ja}あと{more}枚入れられます。", f"{en} You may add {more} more."
        out.append(DeckNote(True, ja, en))
    else:
        out.append(
            DeckNote(
                True,
                f"54枚から{CARDS - n}枚抜いています。何枚抜いてもかまいません。"
                if n < CARDS
                else "54枚すべてを使います。",
                f"{CARDS - n} of 54 are out; as many as you like may be." if n < CARDS else "All 54 cards are in.",
            )
        )
    limit_note = f"{frame.ja}は{frame.most}枚まで"
    out += [
        DeckNote(False, ja + "。", en[0].upper() + en[1:] + ".")
        for en, ja in deck_defects(deck.cards, regulation, deck.trumps)
        if limit_note not in ja
    ]
    if life > 0 and all(note.kept for note in out):  # a deck that is not legal has no starting life
        less_ja = "".join(
            [
                f"・切札{len(deck.trumps)}枚" if deck.trumps else "",
                f"・プリセット{regulation.preset}枚" if regulation.preset else "",
            ]
        )
        less_en = "".join(
            [
                f", {len(deck.trumps)} trumps" if deck.trumps else "",
                f", {regulation.preset} preset" if regulation.preset else "",
            ]
        )
        out.append(
            DeckNote(
                True,
                f"ライフ{life}枚で始まります。{n}枚から手札{regulation.starting_hand}枚・めくる{FLIPPED}枚{less_ja}を引いた数です。",
                f"You begin with {life} life: {n} less {regulation.starting_hand} in hand, {FLIPPED} turned up{less_en}.",
            )
        )
    return out
