"""Search in the rulebook: by a question in either language, by name, by card, by ruling number.

The command line, the server and the static page share this index. A page is found by what a question means
(``question_model``), by the terms they share, and by the names of actions, characters and trumps in the question. The
model holds the weights of the three.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import exp, log
from operator import mul
from typing import Final, NamedTuple

from blackpoker.engine.cards import BIT, JOKER, SIGNS, parse_card
from blackpoker.text.question_model import NO_PAGE, QuestionModel, log_chances_of, question_model, stem
from blackpoker.text.resources import FIRST_EDITION
from blackpoker.text.rulebook import Page
from blackpoker.text.terms import synonyms

#: Least chance of the first page to be shown as the answer; below it the search offers guesses.
SURE: Final = 0.6
#: Number of guesses.
GUESSES: Final = 3
#: Least chance of a result, as a share of the best one.
MIN_SHARE: Final = 0.003
#: Weight of one occurrence of a term, by position.
TITLE_WEIGHT: Final = 4.0
QUESTION_WEIGHT: Final = 3.0
KEYWORD_WEIGHT: Final = 2.0
TEXT_WEIGHT: Final = 1.0
#: Repeated occurrences count less and less; LENGTH_SHARE is how much a long page lowers each of them.
SATURATION: Final = 2.0
LENGTH_SHARE: Final = 0.4
#: Weight of a rulebook term that the query contains only as a synonym (``text/terms``).
IMPLIED_WEIGHT: Final = 0.5
#: A page about a card: its score, and what each further card of the page takes away.
CARD_SCORE: Final = 90.0
CARD_SHARE: Final = 2.0
#: Share of a page that has a name only in its text.
TEXT_SHARE: Final = 0.5
#: kinds of pages that have a name, in the order in which pages of the same id are shown
DEFINED_KINDS: Final = ("action", "character", "trump", "format", "frame", "option")

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


def implied_terms(query: str, edition: str = FIRST_EDITION) -> Iterator[str]:
    """Yield the rulebook terms for the synonyms in a query."""
    form = normalized(query)
    for ja, en, means in _synonyms(edition):
        if any(word in form for word in ja) or en.search(form):
            yield from means


@cache
def _synonyms(edition: str) -> tuple[tuple[tuple[str, ...], re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (tuple(one["ja"]), re.compile(rf"\b(?:{'|'.join(map(re.escape, one['en']))})\b"), tuple(terms(one["means"])))
        for one in synonyms(edition)
    )


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


class Found(NamedTuple):
    """The result of a search: places of pages in the book, best first, each id once unless its name was typed; and
    whether the first one answers the question. If not, the first three are guesses; ``answered`` is False if probably
    no page answers it."""

    places: list[int]
    sure: bool
    answered: bool = True


class Index:
    """The search index of a book; ``pages`` and ``others`` are the same pages in the two languages, ``edition`` is
    the id of the edition whose synonyms and questions are used."""

    def __init__(
        self,
        pages: Sequence[Page],
        others: Sequence[Page],
        edition: str = FIRST_EDITION,
        model: QuestionModel | None = None,
    ) -> None:
        self._pages = tuple(pages)
        self._letters = frozenset(page.id[0].casefold() for page in pages if page.kind == "ruling")
        self._model = question_model(edition) if model is None else model
        self._places: dict[str, list[int]] = {}
        for place in sorted(range(len(pages)), key=lambda place: _order(pages[place])):
            self._places.setdefault(pages[place].id, []).append(place)
        self.ids = tuple(self._places)
        texts = [_page_texts([(pages[at], others[at]) for at in self._places[id]]) for id in self.ids]
        self._terms_of_pages = Terms([[*found.heads, *found.body] for found in texts], edition)
        named = [pages[at] for id in self.ids for at in self._places[id] if pages[at].kind in DEFINED_KINDS]
        self._names = Names(
            {folded(name) for page in named for name in (page.title, page.other_title)},
            [folded(" ".join(text for _, text in found.heads)) for found in texts],
            [folded(" ".join(text for _, text in found.body)) for found in texts],
        )
        self._exact: dict[str, list[int]] = {}
        for places in self._places.values():
            for place in places:
                page = pages[place]
                for name in dict.fromkeys(
                    map(folded, (page.id, page.id.replace("_", " "), page.title, page.other_title))
                ):
                    self._exact.setdefault(name, []).append(place)
        for found_places in self._exact.values():
            found_places.sort(key=lambda place: _order(pages[place]))

    def search(self, query: str) -> Found:
        """Return the pages for this query, best first."""
        text = folded(query)
        if not text:
            return Found([], False)
        numbered = _RULING.fullmatch(text.replace(" ", ""))
        if numbered and numbered[1] in self._letters:
            places = self._ruling_places(numbered[1].upper(), int(numbered[2]))
            return Found(places, bool(places))
        card = parse_card_name(query)
        if card >= 0:
            return self._search_card(card)
        exact = self._exact.get(text, [])
        if "_" in query and not exact:  # an id is not a question
            return Found([], False)
        chances = self.chances(query)
        answer = self._model.answers.get(text)
        if not exact and answer in self._places:
            exact = self._places[answer][:1]
        best = sorted(chances, key=lambda id: -chances[id])
        answered = bool(exact) or best[:1] != [NO_PAGE]
        best = [id for id in best if id != NO_PAGE]
        least = MIN_SHARE * chances[best[0]] if best else 0.0
        places = list(exact)
        shown = {self._pages[place].id for place in exact}
        places += [self._places[id][0] for id in best if chances[id] >= least and id not in shown]
        sure = bool(exact) or (bool(best) and chances[best[0]] >= SURE)
        return Found(places, sure, answered)

    def chances(self, query: str) -> dict[str, float]:
        """Return the chance of each page to answer a question; empty if nothing in the question is known."""
        scores = self.scores(query)
        if not scores:
            return {}
        total = log_chances_of([sum(map(mul, self._model.mix, score)) for score in scores.values()])
        return {id: exp(chance) for id, chance in zip(scores, total, strict=True)}

    def scores(self, query: str) -> dict[str, tuple[float, ...]]:
        """Return the scores of each page: by meaning, by terms and by names. The last two scores are those of no page:
        one, and the share of the question that is unknown."""
        by_terms, by_names = self._terms_of_pages.scores(query), self._names.scores(query)
        meant = self._model.log_chances(normalized(query))
        most = max(by_terms)
        if not (most or meant or any(by_names)):
            return {}
        unknown = sum(meant.values()) / len(meant) if meant else 0.0  # pages of local rules have no questions
        found = {
            id: (meant.get(id, unknown), terms / (most or 1.0), names, 0.0, 0.0)
            for id, terms, names in zip(self.ids, by_terms, by_names, strict=True)
        }
        strange = self._model.unknown_part(normalized(query))
        return {**found, NO_PAGE: (0.0, 0.0, 0.0, 1.0, strange)}

    def _search_card(self, card: int) -> Found:
        """Return the pages about a card, those about few cards first, then those that mention it."""
        by_terms = dict(
            zip(self.ids, self._terms_of_pages.scores("joker" if card >= JOKER else SIGNS[card]), strict=True)
        )
        scores = {}
        for id, places in self._places.items():
            for place in places:
                cards = self._pages[place].cards
                score = CARD_SCORE - CARD_SHARE * min(30, cards.bit_count()) if cards & BIT[card] else 0.0
                if score or by_terms[id]:
                    scores[place] = score + by_terms[id]
        return Found(sorted(scores, key=lambda place: -scores[place]), bool(scores))

    def _ruling_places(self, letter: str, number: int) -> list[int]:
        """Return the place of the ruling of that number, then of the pages that cite it."""
        rulings = [place for place, page in enumerate(self._pages) if page.kind == "ruling" and page.id[0] == letter]
        own = [place for place in rulings if int(self._pages[place].id[2:]) == number]
        if not own:
            return []
        id = self._pages[own[0]].id
        return own + [at for at, page in enumerate(self._pages) if page.kind != "ruling" and id in page.rulings]


class _PageTexts(NamedTuple):
    """The texts of a page with the weights of their terms; ``heads``: titles, question and search words."""

    heads: list[tuple[float, str]]
    body: list[tuple[float, str]]


def _page_texts(pairs: Iterable[tuple[Page, Page]]) -> _PageTexts:
    heads: dict[str, float] = {}
    body: dict[str, float] = {}
    for pair in pairs:
        for page in pair:
            heads |= {page.words: KEYWORD_WEIGHT, page.asks: QUESTION_WEIGHT, page.title: TITLE_WEIGHT}
            texts = (*page.notes, *page.clauses, *page.prose, *map(" ".join, page.facts), *map(" ".join, page.rows))
            body |= dict.fromkeys(texts, TEXT_WEIGHT)
    return _PageTexts(
        [(weight, text) for text, weight in heads.items()], [(weight, text) for text, weight in body.items()]
    )


class Terms:
    """The terms of the pages: how much each page is about each term (BM25)."""

    def __init__(self, pages: Sequence[Iterable[tuple[float, str]]], edition: str) -> None:
        self._edition = edition
        counts: list[dict[str, float]] = []
        for page in pages:
            weights: dict[str, float] = {}
            for weight, text in page:
                for term in terms(text):
                    weights[term] = weights.get(term, 0.0) + weight
            counts.append(weights)
        lengths = [sum(weights.values()) for weights in counts]
        usual = sum(lengths) / max(1, len(lengths))
        self._count = len(counts)
        shares: dict[str, list[tuple[int, float]]] = {}
        for place, weights in enumerate(counts):
            half = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[place] / usual)
            for term, weight in weights.items():
                shares.setdefault(term, []).append((place, weight / (weight + half)))
        self._shares = {
            term: [(place, _term_weight(self._count, len(found)) * share) for place, share in found]
            for term, found in shares.items()
        }

    def scores(self, query: str) -> list[float]:
        """Return the score of each page for the terms of a query."""
        scores = [0.0] * self._count
        weights = {
            **dict.fromkeys(implied_terms(query, self._edition), IMPLIED_WEIGHT),
            **dict.fromkeys(terms(query), 1.0),
        }
        for term, weight in weights.items():
            for place, share in self._shares.get(term, ()):
                scores[place] += weight * share
        return scores


def _term_weight(count: int, found: int) -> float:
    return log(1 + (count - found + 0.5) / (found + 0.5))


class Names:
    """The names of actions, characters, trumps and regulations, with the pages that mention them."""

    def __init__(self, names: Iterable[str], heads: Sequence[str], bodies: Sequence[str]) -> None:
        self._count = len(heads)
        self._pages: dict[str, tuple[float, list[tuple[int, float]]]] = {}
        for name in sorted(name for name in names if len(name) > 1):
            found = [
                (place, 1.0 if in_head else TEXT_SHARE)
                for place, (head, body) in enumerate(zip(heads, bodies, strict=True))
                if (in_head := _contains_name(name, head)) or _contains_name(name, body)
            ]
            self._pages[name] = log(self._count / (1 + len(found))), found

    def scores(self, query: str) -> list[float]:
        """Return the score of each page for the names in a query, without names that are part of a longer one (アップ
        in バックアップ)."""
        scores, text = [0.0] * self._count, folded(query)
        found = [name for name in self._pages if _contains_name(name, text)]
        found = [
            name
            for name in found
            if not any(name != longer and name in longer and text.count(longer) >= text.count(name) for longer in found)
        ]
        total = sum(self._pages[name][0] for name in found)
        for name in found:
            weight, pages = self._pages[name]
            for place, share in pages:
                scores[place] += weight * share / total
        return scores


def _order(page: Page) -> int:
    return DEFINED_KINDS.index(page.kind) if page.kind in DEFINED_KINDS else len(DEFINED_KINDS)


def _contains_name(name: str, text: str) -> bool:
    """Return whether the text contains the name: Latin names as whole words (``up`` not in ``supper``), kana only at
    the start of a run (no キル in できる)."""
    if name not in text:
        return False
    before = "a-z0-9" if name.isascii() else "ァ-ヶー" if "ァ" <= name[0] <= "ヶ" else ""
    if not before:
        return True
    return re.search(rf"(?<![{before}]){re.escape(name)}{'(?![a-z0-9])' if name.isascii() else ''}", text) is not None
