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

from blackpoker.rules.cards import BIT, JOKER, SIGNS, parse_card
from blackpoker.texts.data import read_tables
from blackpoker.texts.rulebook import Page

#: Weight of one occurrence of a term, by position.
NAME: Final = 4.0
ASKS: Final = 3.0
WORD: Final = 6.0
TEXT: Final = 1.0
#: Repeated occurrences count less and less; LENGTH is how much a long page lowers each of them.
SATURATION: Final = 3.0
LENGTH: Final = 0.4
#: The query contains the full name of a page; the query is exactly that name.
NAMED: Final = 0.8
EXACT: Final = 1000.0
CARD: Final = 90.0
#: A kanji of a compound that no page contains.
CHARACTER: Final = 0.5
#: The name of an action, a character or a trump: usually the topic of the question.
TOPIC: Final = 1.5
#: A synonym of a rulebook term (``texts/terms``); the term itself is searched as well.
OTHER: Final = 0.7
#: prefix of a multi-term name that is indexed as one term
PHRASE: Final = "«"
#: Answers rank before lists: newcomers' questions, then definitions, then details.
KINDS: Final = {"action": 1.15, "character": 1.1, "trump": 1.1, "section": 1.0, "ruling": 1.0}
OTHER_KIND: Final = 0.9
TOPICS: Final = ("action", "character", "trump")
QUESTIONS: Final = "questions."
QUESTION: Final = 1.3
#: Minimum score of a result, relative to the best one.
WORTH: Final = 0.15
#: Weight of a rulebook term that the query contains only as a synonym (``texts/terms``).
MEANT: Final = 0.5
#: number of query terms that are used; the rest of a longer query is ignored
MOST_TERMS: Final = 40

#: suffix of a kanji that is a word of its own, mostly a verb (捨てる), not part of a compound (捨札)
ALONE: Final = "‐"

_SUITS: Final = {
    "スペード": "S", "ハート": "H", "ダイヤ": "D", "ダイア": "D", "クラブ": "C", "クローバー": "C",
    "spade": "S", "heart": "H", "diamond": "D", "club": "C",
}  # fmt: skip
_NUMBERS: Final = {
    "ace": "A", "jack": "J", "queen": "Q", "king": "K", "エース": "A", "ジャック": "J", "クイーン": "Q", "キング": "K",
}  # fmt: skip
_RULING: Final = re.compile(r"r\s*-?\s*0*(\d{1,3})")
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
_STOP: Final = frozenset(
    "a about after again all allowed also am an and any anything are as at be been by can cannot could did do does "
    "doing for from get go goes had has have how i if in into is it its just keep kind like make makes may me mean "
    "means much must my need needs no not of on onto or our own player's should so some something than that the "
    "their them then there they thing this to too under use used using want was we were what when where which "
    "who whose why will with without work works would you your".split()
)
#: kanji of question words: 何枚, 自分, 場合, 使う, 時, 方, 出来る, 意味, 教えて, 知りたい
_ASKING: Final = frozenset("何時方合来意味教知")
_SIGNS: Final = str.maketrans({"◇": "♢", "♦": "♢", "◆": "♢", "♥": "♡", "♤": "♠", "♧": "♣", "\ufe0e": "", "\ufe0f": ""})
_MARKS: Final = dict.fromkeys(map(ord, "「」『』、。・！？!?,.:;()（）［］[]_“”\"'※★@$…"), " ")


def plain(text: str) -> str:
    """Return the text with width, case, suit signs, aces and the two actions named by letters normalized."""
    form = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    form = _ACE.sub("ace", form).casefold()
    return form.replace("b・j", "bj").replace("r・s・f", "rsf")


def folded(text: str) -> str:
    """Return the text with width, case, kana, suit signs and punctuation normalized."""
    return " ".join(_katakana(plain(text).translate(_MARKS)).split())


def _katakana(text: str) -> str:
    # ぁ…ゖ to ァ…ヶ: a query in hiragana matches katakana
    return "".join(chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in text)


def terms(text: str) -> Iterator[str]:
    """Yield the terms of a text. Japanese has no spaces: runs of kanji yield their characters and pairs, katakana is
    one term, hiragana (endings and particles) is skipped except in compound verbs. Latin words are stemmed."""
    form = plain(text)
    yield from (first + second for first, second in _COMPOUND.findall(form))
    for piece in _PIECES.finditer(form):
        kind, found = str(piece.lastgroup), piece.group()
        if kind == "latin":
            if found not in _STOP:
                yield stem(found)
        elif kind == "kanji":
            yield from (char for char in found if char not in _ASKING)
            if len(found) == 1 and found not in _ASKING:
                yield found + ALONE
            yield from (found[place : place + 2] for place in range(len(found) - 1))
        elif kind == "katakana":
            yield found
        elif kind == "card" or kind == "number":
            yield found


def phrases(text: str, names: Sequence[str]) -> tuple[list[str], str]:
    """Return the long names that a text contains, and the text without them."""
    form, found = plain(text), []
    for name in names:
        if name in form:
            found.append(name)
            form = form.replace(name, " ")
    return found, form


def meant(query: str) -> Iterator[str]:
    """Yield the rulebook terms for the synonyms in a query."""
    form = plain(query)
    for ja, en, means in _said():
        if any(word in form for word in ja) or en.search(form):
            yield from means


def other_words(query: str) -> set[str]:
    """Return the terms of the synonyms in a query."""
    form = plain(query)
    found = [word for ja, _, _ in _said() for word in ja if word in form]
    found += [match.group() for _, en, _ in _said() if (match := en.search(form))]
    return {term for word in found for term in terms(word)}


@cache
def _said() -> tuple[tuple[tuple[str, ...], re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (tuple(one["ja"]), re.compile(rf"\b(?:{'|'.join(map(re.escape, one['en']))})\b"), tuple(terms(one["means"])))
        for one in read_tables("blackpoker.texts.terms")["said"]["said"]
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


def card_named(text: str) -> int:
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
class _Looked:
    """A page prepared for search: its names and the weight of each of its terms."""

    page: Page
    names: tuple[str, ...]
    loud: dict[str, float]


class Index:
    """The search index of the book; ``pages`` and ``others`` are the same pages in the two languages."""

    def __init__(self, pages: Sequence[Page], others: Sequence[Page]) -> None:
        self._phrases = _long_names((*pages, *others))
        self._looked = [_look(page, other, self._phrases) for page, other in zip(pages, others, strict=True)]
        common = Counter(term for one in self._looked for term in one.loud)
        count = len(self._looked)
        self._rare = {term: log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in common.items()}
        self._katakana = frozenset(term for term in common if len(term) > 2 and "ァ" <= term[0] <= "ヶ")
        self._topics = frozenset(
            term
            for one in self._looked
            if one.page.kind in TOPICS
            for name in (one.page.title, one.page.other)
            if len(found := list(terms(name))) == 1
            for term in found
        )
        self._names: dict[str, list[int]] = {}
        for place, one in enumerate(self._looked):
            for name in one.names:
                if len(name) > 1:
                    self._names.setdefault(name, []).append(place)

    def search(self, query: str, limit: int = 0) -> list[Page]:
        """Return the pages for this query, best first."""
        text = folded(query)
        if not text:
            return []
        numbered = _RULING.fullmatch(text.replace(" ", ""))
        if numbered:
            return self._numbered(f"R-{int(numbered[1]):02d}")
        card = card_named(query)
        if card >= 0:
            query = text = "joker" if card >= JOKER else SIGNS[card]
        if "_" in query and text not in self._names:  # an id is not a question
            return []
        scores = self._scores(query, text, card)
        if not scores:
            return []
        least = WORTH * min(max(scores.values()), EXACT)
        best = sorted((-score, place) for place, score in scores.items() if score >= least or card >= 0)
        ordered = [self._looked[place].page for _, place in best]
        return ordered[:limit] if limit else ordered

    def _scores(self, query: str, text: str, card: int) -> dict[int, float]:
        asked = self._asked(query)
        scores: dict[int, float] = {}
        for place, one in enumerate(self._looked):
            score = sum(worth * loud / (loud + SATURATION) for term, worth in asked if (loud := one.loud.get(term)))
            if card >= 0 and one.page.cards & BIT[card]:
                # a page about fewer cards is more specific
                score += CARD - min(60, one.page.cards.bit_count() * 2)
            if score:
                kind = QUESTION if one.page.id.startswith(QUESTIONS) else KINDS.get(one.page.kind, OTHER_KIND)
                scores[place] = score * kind
        for name, places in self._named(text).items():
            worth = NAMED * sum(self._rare.get(term, 0.0) for term in set(terms(name)))
            for place in places:
                scores[place] = scores.get(place, 0.0) + worth + (EXACT if name == text else 0.0)
        return scores

    def _asked(self, query: str) -> list[tuple[str, float]]:
        """Return the indexed terms of a query with their weights, including katakana terms inside a longer word or
        typed in hiragana."""
        found, rest = phrases(query, self._phrases)
        asked = {PHRASE + name: TOPIC for name in found}
        other = other_words(query)
        for term in terms(rest):
            share = TOPIC if term in self._topics else OTHER if term in other else 1.0
            asked.setdefault(term, share * self._of_character(term, rest))
        for piece in _PIECES.finditer(rest):
            if piece.lastgroup in ("katakana", "hiragana") and piece.group() not in self._rare:
                run = _katakana(piece.group())
                asked.update(dict.fromkeys((term for term in sorted(self._katakana) if term in run), 1.0))
        worth = {term: self._rare[term] * asked[term] for term in asked if term in self._rare and asked[term]}
        worth = dict(list(worth.items())[:MOST_TERMS])
        for term in meant(query):
            if term not in worth and term in self._rare and not _KANJI.fullmatch(term):
                worth[term] = MEANT * self._rare[term]
        return list(worth.items())

    def _of_character(self, term: str, text: str) -> float:
        """Return the weight of a single kanji: 0 if the compound it belongs to is indexed itself, so that it does not
        match unrelated words."""
        if not _KANJI.fullmatch(term.removesuffix(ALONE)):
            return 1.0
        if any(term[0] in pair and "".join(pair) in self._rare for pair in _COMPOUND.findall(text)):
            return 0.0
        if term.endswith(ALONE):
            return 1.0
        words = [run for run in _KANJI_RUN.findall(text) if term in run]
        pairs = {run[place : place + 2] for run in words for place in range(len(run) - 1)} or {term + ALONE}
        return 0.0 if any(term in pair and pair in self._rare for pair in pairs) else CHARACTER

    def _named(self, text: str) -> dict[str, list[int]]:
        """Return the page names that the query contains, without names that are part of a longer one (アップ in
        バックアップ)."""
        found = [name for name in self._names if _stands(name, text)]
        return {
            name: self._names[name]
            for name in found
            if not any(name != longer and name in longer and text.count(longer) >= text.count(name) for longer in found)
        }

    def _numbered(self, id: str) -> list[Page]:
        """Return the ruling of that number, then the pages that cite it."""
        own = [one.page for one in self._looked if one.page.kind == "ruling" and one.page.id == id]
        if not own:
            return []
        return own + [one.page for one in self._looked if one.page.kind != "ruling" and id in one.page.rulings]


def _long_names(pages: Sequence[Page]) -> tuple[str, ...]:
    """Return the names of definitions that have more than one term, longest first: 世代交代, Death Lance."""
    defined = {plain(page.title) for page in pages if page.kind not in ("section", "ruling")}
    return tuple(
        sorted((name for name in defined if sum(1 for _ in terms(name)) > 1), key=lambda name: (-len(name), name))
    )


def _look(page: Page, other: Page, names: Sequence[str]) -> _Looked:
    texts: list[str] = []
    for one in (page, other):
        texts += [one.group, *one.notes, *one.clauses, *one.prose]
        texts += [text for fact in one.facts for text in fact]
        texts += [cell for row in one.rows for cell in row]
    said = Counter(term for text in texts for term in _terms_of(text, names))
    length = 1.0 - LENGTH + LENGTH * sum(said.values()) / 250
    loud = {term: TEXT * count / length for term, count in said.items()}
    for weight, where in (
        (NAME, f"{page.title} {page.other}"),
        (ASKS, f"{page.asks} {other.asks}"),
        (WORD, page.words),
    ):
        for term, count in Counter(_terms_of(where, names)).items():
            loud[term] = loud.get(term, 0.0) + weight * count
    called = dict.fromkeys(folded(name) for name in (page.id, page.id.replace("_", " "), page.title, page.other))
    return _Looked(page, tuple(called), loud)


def _terms_of(text: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the terms of a text, and each long name in it as one term."""
    yield from terms(text)
    yield from (PHRASE + name for name in phrases(text, names)[0])


def _stands(name: str, text: str) -> bool:
    """Return whether the text contains the name: Latin names as whole words (``up`` not in ``supper``), kana only at
    the start of a run (no キル in できる)."""
    if name not in text:
        return False
    before = "a-z0-9" if name.isascii() else "ァ-ヶー" if "ァ" <= name[0] <= "ヶ" else ""
    if not before:
        return True
    return re.search(rf"(?<![{before}]){re.escape(name)}{'(?![a-z0-9])' if name.isascii() else ''}", text) is not None
