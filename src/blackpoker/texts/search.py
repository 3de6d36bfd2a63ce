"""Finding pages of the rulebook: by everyday words in either language, by card, by number of a ruling.

One function for the command line and the server. A page is looked at in both languages, so a word of either finds it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blackpoker.rules.cards import BIT, JOKER, SIGNS, parse_card
from blackpoker.texts.rulebook import Page

#: What a match is worth, by where it is found; a question of newcomers answers before a paragraph does.
EXACT: Final = 100
CARD: Final = 90
WORD: Final = 60
TITLE: Final = 50
BEGIN: Final = 30
TEXT: Final = 10
KINDS: Final = {"section": 3, "action": 4, "character": 4, "trump": 5}
QUESTIONS: Final = "questions."
#: words of a query that are looked for; a longer sentence is found by its beginning
MOST_TERMS: Final = 20

_SUITS: Final = {
    "スペード": "S", "ハート": "H", "ダイヤ": "D", "ダイア": "D", "クラブ": "C", "クローバー": "C",
    "spade": "S", "heart": "H", "diamond": "D", "club": "C",
}  # fmt: skip
_NUMBERS: Final = {
    "ace": "A", "jack": "J", "queen": "Q", "king": "K", "エース": "A", "ジャック": "J", "クイーン": "Q", "キング": "K",
}  # fmt: skip
_RULING: Final = re.compile(r"r\s*-?\s*0*(\d{1,3})")
#: pieces of a Japanese sentence that carry its meaning: kanji, katakana, letters, signs of cards
_PIECES: Final = re.compile(r"[一-龯々]{2,}|[ァ-ヶー]{2,}|[a-z0-9&'-]{2,}|[♠♡♢♣][0-9ajqk]{1,2}")
_ENDING: Final = re.compile(r"[ぁ-ゖ、。！？\s]+$")
_STOP: Final = frozenset(
    "a about an and are at be by can cannot do does did for from get go has have how i if in is it its me my no not of "
    "on or so that the their them then there they this to was we what when where which who why will with "
    "you your".split()
)
_MARKS: Final = dict.fromkeys(map(ord, "「」『』、。・！？!?,.:;()（）［］[]_“”\"'※★@$…"), " ")
_SIGNS: Final = str.maketrans({"◇": "♢", "♦": "♢", "◆": "♢", "♥": "♡", "♤": "♠", "♧": "♣", "\ufe0e": "", "\ufe0f": ""})


@dataclass(frozen=True)
class _Looked:
    """A page made ready for looking: its names, its words, its text."""

    page: Page
    names: tuple[str, ...]
    words: tuple[str, ...]
    text: str
    cards: int


def folded(text: str) -> str:
    """One form for width, case, kana, signs of suits and punctuation."""
    plain = unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold().translate(_MARKS)
    # ぁ…ゖ to ァ…ヶ: who types hiragana finds katakana
    kana = "".join(chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in plain)
    return " ".join(kana.split())


def card_named(text: str) -> int:
    """The card a text names in any of the usual ways (``♢5 ◇5 D5 ダイヤの5 "5 of diamonds"``), or -1."""
    query = unicodedata.normalize("NFKC", text).strip().casefold()
    query = re.sub(r"\bof\b|の|\s+", "", query)
    for word, letter in (*_SUITS.items(), *_NUMBERS.items()):
        query = query.replace(word + "s", letter).replace(word, letter)
    query = query.upper()
    if query and query[-1] in "SHDC" and query[0] not in "SHDC":
        query = query[-1] + query[:-1]
    if query in ("ジョーカー", "JOKER"):
        query = "JK"
    return parse_card(query)


class Index:
    """The pages of the book, ready to be searched; ``pages`` and ``others`` are the same pages in the two languages."""

    def __init__(self, pages: Sequence[Page], others: Sequence[Page]) -> None:
        self._looked = [_look(page, other) for page, other in zip(pages, others, strict=True)]

    def search(self, query: str, limit: int = 0) -> list[Page]:
        """Pages for this query, the best first."""
        text = folded(query)
        if not text:
            return []
        numbered = _RULING.fullmatch(text.replace(" ", ""))
        if numbered:
            return self._numbered(f"R-{int(numbered[1]):02d}")
        card = card_named(query)
        if card >= 0:
            text = "joker" if card >= JOKER else folded(SIGNS[card])
        terms = ([term for term in text.split() if term not in _STOP] or text.split())[:MOST_TERMS]
        found = self._scored([text], card)
        if found or "_" in query:  # an id is no sentence
            return _best(found, limit)
        found = self._scored(terms, card)
        if not found:  # a whole sentence: the pieces that carry its meaning, first all of them, then any
            pieces = [piece for piece in _PIECES.findall(text) if piece not in _STOP][:MOST_TERMS]
            found = self._scored(pieces, card) if pieces else []
            for term in () if found else dict.fromkeys((*pieces, *terms)):
                found += self._scored([term], card)
        stem = folded(_ENDING.sub("", query))
        if not found and len(stem) > 2 and stem != text:  # a Japanese verb without its ending: 割り込みたい
            found = self._scored([stem], card)
        return _best(found, limit)

    def _numbered(self, id: str) -> list[Page]:
        """The ruling of that number, then what cites it."""
        own = [one.page for one in self._looked if one.page.kind == "ruling" and one.page.id == id]
        if not own:
            return []
        return own + [one.page for one in self._looked if one.page.kind != "ruling" and id in one.page.rulings]

    def _scored(self, terms: list[str], card: int) -> list[tuple[int, int, Page]]:
        found: list[tuple[int, int, Page]] = []
        for place, one in enumerate(self._looked):
            scores: list[int] = []
            for term in terms:
                scores.append(_score(one, term, card))
                if not scores[-1]:
                    break
            if scores and scores[-1]:
                extra = KINDS.get(one.page.kind, 0) + (8 if one.page.id.startswith(QUESTIONS) else 0)
                found.append((sum(scores) // len(scores) + extra, place, one.page))
        return found


def _best(found: list[tuple[int, int, Page]], limit: int) -> list[Page]:
    """Each page once, the highest score first, else in the order of the book."""
    best: dict[tuple[str, str], tuple[int, int, Page]] = {}
    for score, place, page in found:
        key = (page.kind, page.id)
        if key not in best or score > best[key][0]:
            best[key] = (score, place, page)
    ordered = [page for _, _, page in sorted(best.values(), key=lambda one: (-one[0], one[1]))]
    return ordered[:limit] if limit else ordered


def _look(page: Page, other: Page) -> _Looked:
    texts: list[str] = []
    for one in (page, other):
        texts += [one.group, *one.notes, *one.clauses, *one.prose, *one.rulings]
        texts += [text for fact in one.facts for text in fact]
        texts += [cell for row in one.rows for cell in row]
    return _Looked(
        page,
        tuple(dict.fromkeys(folded(name) for name in (page.id, page.title, page.other))),
        tuple(folded(word) for word in page.words.split()),
        folded(" ".join(texts)),
        page.cards,
    )


def _score(one: _Looked, term: str, card: int) -> int:
    score = 0
    if term in one.names:
        score = EXACT
    elif term in one.words:
        score = WORD
    elif any(term in name for name in one.names):
        score = TITLE
    elif len(term) > 2 and any(word.startswith(term) or term in word for word in one.words):
        score = BEGIN
    elif _inside(term, one.text):
        score = TEXT
    if card >= 0 and one.cards & BIT[card]:
        # the fewer cards a page speaks of, the more it speaks of this one
        score = max(score, CARD - min(60, one.cards.bit_count() * 2))
    return score


def _inside(term: str, text: str) -> bool:
    """Latin words from their beginning (``lose`` finds loses, not close); anything else anywhere."""
    if term not in text:
        return False
    return not term.isascii() or re.search(rf"(?<![a-z0-9]){re.escape(term)}", text) is not None
