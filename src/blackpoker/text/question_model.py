"""The page that a question means: a small table of word vectors, fitted to the questions of ``text/questions``.

A question is split into features; each has a vector, and the direction of their sum is compared with a vector of each
page. ``tools/search_model.py`` fits the table and writes it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from math import exp, log, sqrt
from operator import mul
from typing import Final

from blackpoker.text.resources import FIRST_EDITION

#: in place of a page, for questions that no page answers
NO_PAGE: Final = ""
#: the file of the model, beside the questions
MODEL_FILE: Final = "model.gz"
#: longest run of Japanese characters that is one feature, and length of the pieces of a Latin word
LONGEST_RUN: Final = 3
PIECE: Final = 4
#: the scale of a row is 2 to the power of (its byte - SCALE_ZERO) / SCALE_STEPS
SCALE_ZERO: Final = 160
SCALE_STEPS: Final = 8

_RUNS: Final = re.compile(r"[♠♡♢♣](?:10|[2-9ajqk])?|[a-z]+(?:'[a-z]+)?|\d+|[一-龯々ぁ-ゖー]+")


def features(text: str) -> Iterator[str]:
    """Yield the features of a normalized text. Latin: stems, pairs of neighbours (``a_b``) and pieces of long words
    (``~abcd``), so that a typing error keeps most of a word. Japanese: every run of up to three characters, with
    katakana as hiragana."""
    previous = ""
    for match in _RUNS.finditer(to_kana(text)):
        run = match.group()
        if run[0] >= "\u3000":
            previous = ""
            for length in range(1, LONGEST_RUN + 1):
                yield from (
                    piece
                    for piece in (run[place : place + length] for place in range(len(run) - length + 1))
                    if length > 1 or "一" <= piece <= "龯"
                )
            continue
        word = stem(run) if run[0].isalpha() else run
        yield word
        if previous:
            yield f"{previous}_{word}"
        previous = word
        if run[0].isalpha() and len(run) > PIECE:
            framed = f"<{run}>"
            yield from ("~" + framed[place : place + PIECE] for place in range(len(framed) - PIECE + 1))


def to_kana(text: str) -> str:
    """Return the text with its katakana as hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


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


class QuestionModel:
    """The fitted table. ``mix``: the weights of the scores of a page (``text/search``);
    ``sources``: the fingerprint of the questions it was fitted to; ``answers``: the page of each of these questions,
    folded."""

    def __init__(self, data: bytes) -> None:
        length = int.from_bytes(data[:4], "big")
        head = json.loads(data[4 : 4 + length])
        rows = data[4 + length :]
        names: list[str] = head["features"].split("\n")
        self.pages: list[str] = head["pages"]
        self.mix: list[float] = head["mix"]
        self.sources: str = head["sources"]
        self.answers = {
            text: self.pages[page] for text, page in zip(head["asked"].split("\n"), head["answers"], strict=True)
        }
        self._bias: list[float] = head["bias"]
        self._width = head["width"] // 2
        self._place = {name: place for place, name in enumerate(names)}
        count = len(names) + len(self.pages)
        self._scales, self._rows = rows[:count], rows[count:]
        self._vectors = [self._row(len(names) + place) for place in range(len(self.pages))]

    def _row(self, place: int) -> list[float]:
        """Return a vector; two numbers from -7 to 7 are stored in a byte."""
        scale = 2.0 ** ((self._scales[place] - SCALE_ZERO) / SCALE_STEPS)
        part = self._rows[place * self._width : (place + 1) * self._width]
        return [scale * ((both >> 4) - 8) for both in part] + [scale * ((both & 15) - 8) for both in part]

    def unknown_part(self, text: str) -> float:
        """Return the share of the features of a normalized question that the model does not know."""
        found = set(features(text))
        return sum(feature not in self._place for feature in found) / max(1, len(found))

    def log_chances(self, text: str) -> dict[str, float]:
        """Return the logarithm of the chance of each page to be meant by a normalized question; empty if none of its
        features is known."""
        total = [0.0] * (2 * self._width)
        known = False
        for feature in dict.fromkeys(features(text)):
            place = self._place.get(feature)
            if place is not None:
                known = True
                total = [a + b for a, b in zip(total, self._row(place), strict=True)]
        size = sqrt(sum(map(mul, total, total)))
        if not known or not size:
            return {}
        raw = [sum(map(mul, total, page)) / size + bias for page, bias in zip(self._vectors, self._bias, strict=True)]
        return dict(zip(self.pages, log_chances_of(raw), strict=True))


def log_chances_of(scores: list[float]) -> list[float]:
    """Return the logarithms of the chances for these scores."""
    most = max(scores)
    total = most + log(sum(exp(score - most) for score in scores))
    return [score - total for score in scores]


def packed(head: dict[str, object], scales: bytes, rows: bytes) -> bytes:
    """Return the file of a model; the same content gives the same bytes."""
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    return gzip.compress(len(text).to_bytes(4, "big") + text + scales + rows, mtime=0)


@cache
def question_model(edition: str) -> QuestionModel:
    """Return the model of an edition, or of the first one: it knows the pages that both have."""
    folder = resources.files("blackpoker.text.questions")
    own = folder / edition / MODEL_FILE
    return QuestionModel(gzip.decompress((own if own.is_file() else folder / FIRST_EDITION / MODEL_FILE).read_bytes()))


def fingerprint(texts: Iterable[str]) -> str:
    """Return the fingerprint of the sources of a model."""
    import hashlib  # imported here: only the tool and a test need it

    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
