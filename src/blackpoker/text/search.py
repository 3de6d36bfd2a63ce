"""Search in the rulebook: by a question in either language, by card, by ruling number.

The command line and the server share one index. Each page is indexed in both languages. A question is split into terms
(``terms``); the score of a page is the sum of their weights. Rare terms count more than common ones, titles more than
texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Final

from blackpoker.engine.cards import BIT, JOKER, SIGNS, parse_card
from blackpoker.text.resources import FIRST_EDITION
from blackpoker.text.rulebook import Page
from blackpoker.text.terms import synonyms

#: Weight of one occurrence of a term, by position.
TITLE_WEIGHT: Final = 4.0
QUESTION_WEIGHT: Final = 3.0
KEYWORD_WEIGHT: Final = 6.0
TEXT_WEIGHT: Final = 1.0
#: Repeated occurrences count less and less; LENGTH is how much a long page lowers each of them.
SATURATION: Final = 3.0
LENGTH_SHARE: Final = 0.4
#: The query contains the full name of a page; the query is exactly that name.
NAME_WEIGHT: Final = 0.8
EXACT_SCORE: Final = 1000.0
CARD_SCORE: Final = 90.0
#: A kanji of a compound that no page contains.
KANJI_WEIGHT: Final = 0.5
#: The name of an action, a character or a trump: usually the topic of the question.
TOPIC_WEIGHT: Final = 1.5
#: A synonym of a rulebook term (``text/terms``); the term itself is searched as well.
SYNONYM_WEIGHT: Final = 0.7
#: prefix of a multi-term name that is indexed as one term
PHRASE_PREFIX: Final = "«"
#: Answers rank before lists: newcomers' questions, then definitions, then details.
KIND_WEIGHTS: Final = {"action": 1.15, "character": 1.1, "trump": 1.1, "section": 1.0, "ruling": 1.0}
DEFAULT_KIND_WEIGHT: Final = 0.9
TOPIC_KINDS: Final = ("action", "character", "trump")
QUESTIONS_PREFIX: Final = "questions."
QUESTION_PAGE_WEIGHT: Final = 1.3
#: Minimum score of a result, relative to the best one.
MIN_SCORE_SHARE: Final = 0.15
#: Weight of a rulebook term that the query contains only as a synonym (``text/terms``).
IMPLIED_WEIGHT: Final = 0.5
#: number of query terms that are used; the rest of a longer query is ignored
MAX_TERMS: Final = 40

#: suffix of a kanji that is a word of its own, mostly a verb (捨てる), not part of a compound (捨札)
SINGLE_KANJI: Final = "‐"

_SUITS: Final = {
    "スペード": "S",
    "ハート": "H",
    "ダイヤ": "D",
    "ダイア": "D",
    "クラブ": "C",
    "クローバー": "C",
    "spade": "S",
    "heart": "H",
    "diamond": "D",
    "club": "C",
}
_NUMBERS: Final = {
    "ace": "A",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "エース": "A",
    "ジャック": "J",
    "クイーン": "Q",
    "キング": "K",
}
_RULING: Final = re.compile(r"([a-z])\s*-?\s*0*(\d{1,3})")
#: token types: card signs, Latin words, numbers, runs of kanji, of katakana, of hiragana
_PIECES: Final = re.compile(
    r"(?P<card>[♠♡♢♣](?:10|[2-9ajqk])?)|(?P<latin>[a-z]+(?:[-'&][a-z0-9]+)*)|(?P<number>\d+)"
    r"|(?P<kanji>[一-龯々]+)|(?P<katakana>[ァ-ヶー]+)|(?P<hiragana>[ぁ-ゖ]+)"
)
#: an A that is a card: not an article (A soldier …), not part of a sign (♠A)
_ACE: Final = re.compile(r"(?<![A-Za-z♠♡♢♣])A(?![A-Za-z']| [a-z])")
#: a compound verb: 引き分け and 引き直し are different words from 引く
_COMPOUND: Final = re.compile(r"(?<![一-龯々])([一-龯々])[ぁ-ゖ](?=([一-龯々])(?![一-龯々]))")
_KANJI: Final = re.compile(r"[一-龯々]")
_KANJI_RUN: Final = re.compile(r"[一-龯々]+")
_STOP_WORDS: Final = frozenset(
    "a about after again all allowed also am an and any anything are as at be been by can cannot could did do does "
    "doing for from get go goes had has have how i if in into is it its just keep kind like make makes may me mean "
    "means much must my need needs no not of on onto or our own player's should so some something than that the "
    "their them then there they thing this to too under use used using want was we were what when where which "
    "who whose why will with without work works would you your".split()
)
#: kanji of question words: 何枚, 自分, 場合, 使う, 時, 方, 出来る, 意味, 教えて, 知りたい
_QUESTION_KANJI: Final = frozenset("何時方合来意味教知")
_SIGNS: Final = str.maketrans({"◇": "♢", "♦": "♢", "◆": "♢", "♥": "♡", "♤": "♠", "♧": "♣", "\ufe0e": "", "\ufe0f": ""})
_MARKS: Final = dict.fromkeys(map(ord, "「」『』、。・！？!?,.:;()（）［］[]_“”\"'※★@$…"), " ")


def normalized(text: str) -> str:
    """Return the text with width, case, suit signs, aces and the two actions named by letters normalized."""
    form = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    form = _ACE.sub("ace", form).casefold()
    return form.replace("b・j", "bj").replace("r・s・f", "rsf")


def folded(text: str) -> str:
    """Return the text with width, case, kana, suit signs and punctuation normalized."""
    return " ".join(_katakana(normalized(text).translate(_MARKS)).split())


def _katakana(text: str) -> str:
    # ぁ…ゖ to ァ…ヶ: a query in hiragana matches katakana
    return "".join(chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in text)


def terms(text: str) -> Iterator[str]:
    """Yield the terms of a text. Japanese has no spaces: runs of kanji yield their characters and pairs, katakana is
    one term, hiragana (endings and particles) is skipped except in compound verbs. Latin words are stemmed."""
    form = normalized(text)
    yield from (first + second for first, second in _COMPOUND.findall(form))
    for piece in _PIECES.finditer(form):
        kind, found = str(piece.lastgroup), piece.group()
        if kind == "latin":
            if found not in _STOP_WORDS:
                yield stem(found)
        elif kind == "kanji":
            yield from (char for char in found if char not in _QUESTION_KANJI)
            if len(found) == 1 and found not in _QUESTION_KANJI:
                yield found + SINGLE_KANJI
            yield from (found[place : place + 2] for place in range(len(found) - 1))
        elif kind == "katakana":
            yield found
        elif kind == "card" or kind == "number":
            yield found


def phrases(text: str, names: Sequence[str]) -> tuple[list[str], str]:
    """Return the long names that a text contains, and the text without them."""
    form, found = normalized(text), []
    for name in names:
        if name in form:
            found.append(name)
            form = form.replace(name, " ")
    return found, form


def implied_terms(query: str, edition: str = FIRST_EDITION) -> Iterator[str]:
    """Yield the rulebook terms for the synonyms in a query."""
    form = normalized(query)
    for ja, en, means in _synonyms(edition):
        if any(word in form for word in ja) or en.search(form):
            yield from means


def synonym_terms(query: str, edition: str = FIRST_EDITION) -> set[str]:
    """Return the terms of the synonyms in a query."""
    form = normalized(query)
    found = [word for ja, _, _ in _synonyms(edition) for word in ja if word in form]
    found += [match.group() for _, en, _ in _synonyms(edition) if (match := en.search(form))]
    return {term for word in found for term in terms(word)}


@cache
def _synonyms(edition: str) -> tuple[tuple[tuple[str, ...], re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (tuple(one["ja"]), re.compile(rf"\b(?:{'|'.join(map(re.escape, one['en']))})\b"), tuple(terms(one["means"])))
        for one in synonyms(edition)
    )


def stem(word: str) -> str:
    """Return an English word without its ending, so that most forms of a word have the same stem."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) <= 3:
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ied", "y"), ("ed", ""), ("es", ""), ("s", "")):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not word.endswith("ss"):
            word = rest + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":  # dropped, dropping: drop
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def parse_card_name(text: str) -> int:
    """Return the card that a text names in any usual form (``♢5 ◇5 D5 ダイヤの5 "5 of diamonds"``), or -1."""
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


@dataclass(frozen=True)
class _IndexedPage:
    """A page prepared for search: its names and the weight of each of its terms."""

    page: Page
    names: tuple[str, ...]
    weights: dict[str, float]


class Index:
    """The search index of the book; ``pages`` and ``others`` are the same pages in the two languages, ``edition`` is
    the id of the edition whose synonyms are used."""

    def __init__(self, pages: Sequence[Page], others: Sequence[Page], edition: str = FIRST_EDITION) -> None:
        self._edition = edition
        self._letters = frozenset(page.id[0].casefold() for page in pages if page.kind == "ruling")
        self._phrases = _long_names((*pages, *others))
        self._pages = [_index_page(page, other, self._phrases) for page, other in zip(pages, others, strict=True)]
        common = Counter(term for one in self._pages for term in one.weights)
        count = len(self._pages)
        self._idf = {term: log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in common.items()}
        self._katakana = frozenset(term for term in common if len(term) > 2 and "ァ" <= term[0] <= "ヶ")
        self._topics = frozenset(
            term
            for one in self._pages
            if one.page.kind in TOPIC_KINDS
            for name in (one.page.title, one.page.other_title)
            if len(found := list(terms(name))) == 1
            for term in found
        )
        self._names: dict[str, list[int]] = {}
        for place, one in enumerate(self._pages):
            for name in one.names:
                if len(name) > 1:
                    self._names.setdefault(name, []).append(place)

    def search(self, query: str, limit: int = 0) -> list[Page]:
        """Return the pages for this query, best first."""
        text = folded(query)
        if not text:
            return []
        numbered = _RULING.fullmatch(text.replace(" ", ""))
        if numbered and numbered[1] in self._letters:
            return self._ruling_pages(numbered[1].upper(), int(numbered[2]))
        card = parse_card_name(query)
        if card >= 0:
            query = text = "joker" if card >= JOKER else SIGNS[card]
        if "_" in query and text not in self._names:  # an id is not a question
            return []
        scores = self._scores(query, text, card)
        if not scores:
            return []
        least = MIN_SCORE_SHARE * min(max(scores.values()), EXACT_SCORE)
        best = sorted((-score, place) for place, score in scores.items() if score >= least or card >= 0)
        ordered = [self._pages[place].page for _, place in best]
        return ordered[:limit] if limit else ordered

    def _scores(self, query: str, text: str, card: int) -> dict[int, float]:
        query_terms = self._query_terms(query)
        scores: dict[int, float] = {}
        for place, one in enumerate(self._pages):
            score = sum(
                weight * frequency / (frequency + SATURATION)
                for term, weight in query_terms
                if (frequency := one.weights.get(term))
            )
            if card >= 0 and one.page.cards & BIT[card]:
                # a page about fewer cards is more specific
                score += CARD_SCORE - min(60, one.page.cards.bit_count() * 2)
            if score:
                kind = (
                    QUESTION_PAGE_WEIGHT
                    if one.page.id.startswith(QUESTIONS_PREFIX)
                    else KIND_WEIGHTS.get(one.page.kind, DEFAULT_KIND_WEIGHT)
                )
                scores[place] = score * kind
        for name, places in self._name_matches(text).items():
            weight = NAME_WEIGHT * sum(self._idf.get(term, 0.0) for term in set(terms(name)))
            for place in places:
                scores[place] = scores.get(place, 0.0) + weight + (EXACT_SCORE if name == text else 0.0)
        return scores

    def _query_terms(self, query: str) -> list[tuple[str, float]]:
        """Return the indexed terms of a query with their weights, including katakana terms inside a longer word or
        typed in hiragana."""
        found, rest = phrases(query, self._phrases)
        shares = {PHRASE_PREFIX + name: TOPIC_WEIGHT for name in found}
        other = synonym_terms(query, self._edition)
        for term in terms(rest):
            share = TOPIC_WEIGHT if term in self._topics else SYNONYM_WEIGHT if term in other else 1.0
            shares.setdefault(term, share * self._kanji_weight(term, rest))
        for piece in _PIECES.finditer(rest):
            if piece.lastgroup in ("katakana", "hiragana") and piece.group() not in self._idf:
                run = _katakana(piece.group())
                shares.update(dict.fromkeys((term for term in sorted(self._katakana) if term in run), 1.0))
        weights = {term: self._idf[term] * shares[term] for term in shares if term in self._idf and shares[term]}
        weights = dict(list(weights.items())[:MAX_TERMS])
        for term in implied_terms(query, self._edition):
            if term not in weights and term in self._idf and not _KANJI.fullmatch(term):
                weights[term] = IMPLIED_WEIGHT * self._idf[term]
        return list(weights.items())

    def _kanji_weight(self, term: str, text: str) -> float:
        """Return the weight of a single kanji: 0 if the compound it belongs to is indexed itself, so that it does not
        match unrelated words."""
        if not _KANJI.fullmatch(term.removesuffix(SINGLE_KANJI)):
            return 1.0
        if any(term[0] in pair and "".join(pair) in self._idf for pair in _COMPOUND.findall(text)):
            return 0.0
        if term.endswith(SINGLE_KANJI):
            return 1.0
        words = [run for run in _KANJI_RUN.findall(text) if term in run]
        pairs = {run[place : place + 2] for run in words for place in range(len(run) - 1)} or {term + SINGLE_KANJI}
        return 0.0 if any(term in pair and pair in self._idf for pair in pairs) else KANJI_WEIGHT

    def _name_matches(self, text: str) -> dict[str, list[int]]:
        """Return the page names that the query contains, without names that are part of a longer one (アップ in
        バックアップ)."""
        found = [name for name in self._names if _contains_name(name, text)]
        return {
            name: self._names[name]
            for name in found
            if not any(name != longer and name in longer and text.count(longer) >= text.count(name) for longer in found)
        }

    def _ruling_pages(self, letter: str, number: int) -> list[Page]:
        """Return the ruling of that number, then the pages that cite it."""
        rulings = [one.page for one in self._pages if one.page.kind == "ruling" and one.page.id[0] == letter]
        own = [page for page in rulings if int(page.id[2:]) == number]
        if not own:
            return []
        id = own[0].id
        return own + [one.page for one in self._pages if one.page.kind != "ruling" and id in one.page.rulings]


def _long_names(pages: Sequence[Page]) -> tuple[str, ...]:
    """Return the names of definitions that have more than one term, longest first: 世代交代, Death Lance."""
    defined = {normalized(page.title) for page in pages if page.kind not in ("section", "ruling")}
    return tuple(
        sorted((name for name in defined if sum(1 for _ in terms(name)) > 1), key=lambda name: (-len(name), name))
    )


def _index_page(page: Page, other: Page, names: Sequence[str]) -> _IndexedPage:
    texts: list[str] = []
    for one in (page, other):
        texts += [one.group, *one.notes, *one.clauses, *one.prose]
        texts += [text for fact in one.facts for text in fact]
        texts += [cell for row in one.rows for cell in row]
    counts = Counter(term for text in texts for term in _terms_of(text, names))
    length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * sum(counts.values()) / 250
    weights = {term: TEXT_WEIGHT * count / length for term, count in counts.items()}
    for weight, field_text in (
        (TITLE_WEIGHT, f"{page.title} {page.other_title}"),
        (QUESTION_WEIGHT, f"{page.asks} {other.asks}"),
        (KEYWORD_WEIGHT, page.words),
    ):
        for term, count in Counter(_terms_of(field_text, names)).items():
            weights[term] = weights.get(term, 0.0) + weight * count
    called = dict.fromkeys(folded(name) for name in (page.id, page.id.replace("_", " "), page.title, page.other_title))
    return _IndexedPage(page, tuple(called), weights)


def _terms_of(text: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the terms of a text, and each long name in it as one term."""
    yield from terms(text)
    yield from (PHRASE_PREFIX + name for name in phrases(text, names)[0])


def _contains_name(name: str, text: str) -> bool:
    """Return whether the text contains the name: Latin names as whole words (``up`` not in ``supper``), kana only at
    the start of a run (no キル in できる)."""
    if name not in text:
        return False
    before = "a-z0-9" if name.isascii() else "ァ-ヶー" if "ァ" <= name[0] <= "ヶ" else ""
    if not before:
        return True
    return re.search(rf"(?<![{before}]){re.escape(name)}{'(?![a-z0-9])' if name.isascii() else ''}", text) is not None
