"""Fit the table of the rule search of an edition to its questions, ``src/blackpoker/text/questions``.

    python -m tools.search_model [EDITION]      without it: of edition 6

Needs NumPy and SciPy, which nothing else of the project needs for this: ``pip install numpy scipy``. It takes two
minutes and writes ``text/questions/EDITION/model.gz``; the same questions and pages give the same file. First a fifth
of the questions is held out, to fit how much meaning, terms, names and unknown words count and to print how many are
found; then the table is fitted to all. Questions that no page answers count in the first part only.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from blackpoker.ruleset import Edition, editions
from blackpoker.ruleset.reference import pages
from blackpoker.text import questions as asked
from blackpoker.text.question_model import (
    MODEL_FILE,
    NO_PAGE,
    SCALE_STEPS,
    SCALE_ZERO,
    QuestionModel,
    features,
    packed,
)
from blackpoker.text.resources import FIRST_EDITION, LANGUAGES
from blackpoker.text.search import Index, folded, normalized

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "src" / "blackpoker" / "text" / "questions"
#: length of a vector, steps of the fit, questions of a step, share of the features left out, first step size
WIDTH, STEPS, BATCH, LEFT_OUT, RATE = 48, 700, 1024, 0.5, 0.01
DECAY: Final = 1e-4
#: a feature must occur in so many examples; one in a sentence of a page or in a varied question counts less
LEAST: Final = 4.0
TEXT_COUNT: Final = 0.1
VARIED_COUNT: Final = 0.4
#: weights of the examples: the words of a page, its sentences, a question in other words
TITLE_WEIGHT, BOTH_WEIGHT, WORDS_WEIGHT, SENTENCE_WEIGHT, VARIED_WEIGHT = 2.0, 1.0, 0.6, 0.3, 0.15
VARIANTS: Final = 4
EXCHANGED: Final = 0.6
SENTENCE: Final = re.compile(r"(?<=[。．.!?？])\s*|\n")
JAPANESE: Final = re.compile("[ぁ-ん一-龯ァ-ヶ]")


class Example(NamedTuple):
    text: str
    page: int
    weight: float


def page_examples(place: dict[str, int], edition: Edition) -> Iterator[Example]:
    """Yield the texts of the pages: titles, questions, search words and sentences."""
    for lang in LANGUAGES:
        for page in pages(lang, edition):
            at = place[page.id]
            yield Example(page.title, at, TITLE_WEIGHT)
            if page.asks:
                yield Example(page.asks, at, TITLE_WEIGHT)
                yield Example(f"{page.title} {page.asks}", at, BOTH_WEIGHT)
            words = page.words.split()
            yield from (Example(" ".join(words[n : n + 4]), at, WORDS_WEIGHT) for n in range(0, len(words), 4))
            texts = (*page.prose, *page.clauses, *page.notes, *map(" ".join, page.facts), *map(" ".join, page.rows))
            for text in texts:
                yield from (Example(part, at, SENTENCE_WEIGHT) for part in SENTENCE.split(text) if len(part) > 6)


def varied(examples: list[Example], rng: random.Random) -> Iterator[Example]:
    """Yield the examples in other words: synonyms exchanged, and in Japanese everyday words in kana."""
    words = tomllib.loads((Path(__file__).parent / "search_words.toml").read_text(encoding="utf-8"))
    swap = {"ja": exchange(words["ja"], ""), "en": exchange(words["en"], "[a-z]")}
    kana = exchange(words["kana"], "", forward=True)
    for text, page, weight in examples:
        if weight < 1.0:
            continue
        found = {text}
        for n in range(VARIANTS):
            other = swap["ja" if JAPANESE.search(text) else "en"](text, rng)
            if n % 2 and JAPANESE.search(other):
                other = kana(other, rng)
            if other not in found:
                found.add(other)
                yield Example(other, page, VARIED_WEIGHT)


def exchange(groups: list[list[str]], letters: str, forward: bool = False) -> Callable[[str, random.Random], str]:
    """Return a function that exchanges most words of a text for another of their group, or for the last one."""
    others: dict[str, list[str]] = {}
    for group in groups:
        for word in group[:-1] if forward else group:
            others.setdefault(word.lower(), []).extend(other for other in group if other != word)
    longest = "|".join(map(re.escape, sorted(others, key=lambda word: (-len(word), word))))
    pattern = re.compile(rf"(?<!{letters})(?:{longest})(?!{letters})" if letters else longest, re.IGNORECASE)

    def exchanged(text: str, rng: random.Random) -> str:
        return pattern.sub(
            lambda found: rng.choice(others[found[0].lower()]) if rng.random() < EXCHANGED else found[0], text
        )

    return exchanged


class Table(NamedTuple):
    """A fitted table: a vector for each feature, a vector and a bias for each page."""

    names: list[str]
    rows: Any
    pages: Any
    bias: Any


def fit(examples: list[Example], count: int) -> Table:
    """Return the table that finds the pages of these examples best (softmax over the pages, Adam)."""
    import numpy as np
    from scipy import sparse

    rng = np.random.default_rng(0)
    bags = [list(dict.fromkeys(features(normalized(example.text)))) for example in examples]
    found: dict[str, float] = {}
    shares = {SENTENCE_WEIGHT: TEXT_COUNT, VARIED_WEIGHT: VARIED_COUNT}
    for bag, example in zip(bags, examples, strict=True):
        for name in bag:
            found[name] = found.get(name, 0.0) + shares.get(example.weight, 1.0)
    names = sorted(name for name in found if found[name] >= LEAST)
    place = {name: at for at, name in enumerate(names)}
    rarity = np.array([np.log(1 + len(examples) / (1 + found[name])) for name in names], np.float32)
    kept = [
        (np.array([place[name] for name in bag if name in place]), example)
        for bag, example in zip(bags, examples, strict=True)
    ]
    kept = [(bag, example) for bag, example in kept if len(bag)]
    aim = np.array([example.page for _, example in kept])
    weights = np.array([example.weight for _, example in kept])
    sums = np.cumsum(weights / weights.sum())

    def matrix(chosen: list[Any], left_out: float) -> Any:
        starts, columns, values = [0], [], []
        for bag in chosen:
            part = bag[rng.random(len(bag)) >= left_out] if left_out else bag
            part = part if len(part) else bag
            value = rarity[part]
            columns.append(part)
            values.append(value / np.linalg.norm(value))
            starts.append(starts[-1] + len(part))
        shape = (len(chosen), len(names))
        return sparse.csr_matrix(
            (np.concatenate(values), np.concatenate(columns), starts), shape=shape, dtype=np.float32
        )

    rows = rng.standard_normal((len(names), WIDTH)).astype(np.float32) * np.float32(0.05)
    vectors = np.zeros((count, WIDTH), np.float32)
    np.add.at(vectors, aim, matrix([bag for bag, _ in kept], 0.0) @ rows * weights[:, None].astype(np.float32))
    vectors *= 10 / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)
    bias = np.zeros(count, np.float32)
    fitted = [rows, vectors, bias]
    means, squares = [np.zeros_like(one) for one in fitted], [np.zeros_like(one) for one in fitted]
    for step in range(STEPS):
        chosen = np.minimum(np.searchsorted(sums, rng.random(BATCH)), len(kept) - 1)
        bag = matrix([kept[at][0] for at in chosen], LEFT_OUT)
        sum_of = bag @ rows
        size = np.linalg.norm(sum_of, axis=1, keepdims=True) + 1e-6
        question = sum_of / size
        logits = question @ vectors.T + bias
        chance = np.exp(logits - logits.max(1, keepdims=True))
        chance /= chance.sum(1, keepdims=True)
        chance[np.arange(BATCH), aim[chosen]] -= 1
        chance /= BATCH
        to_question = chance @ vectors
        to_sum = (to_question - (to_question * question).sum(1, keepdims=True) * question) / size
        rate = RATE * (1 - step / STEPS)
        slopes = (bag.T @ to_sum, chance.T @ question, chance.sum(0))
        for at, (one, slope) in enumerate(zip(fitted, slopes, strict=True)):
            means[at] = 0.9 * means[at] + 0.1 * slope
            squares[at] = 0.999 * squares[at] + 0.001 * slope * slope
            first, second = means[at] / (1 - 0.9 ** (step + 1)), squares[at] / (1 - 0.999 ** (step + 1))
            one -= ((10 if at == 1 else 1) * rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
            if at == 0:
                one *= 1 - rate * DECAY
    return Table(names, rows * rarity[:, None], vectors, bias)


def stored(table: Table, ids: list[str], mix: list[float], edition: str) -> bytes:
    """Return the table as a file: four bits a number, a scale for each row."""
    import numpy as np

    both = np.concatenate([table.rows, table.pages])
    most = np.abs(both).max(1)
    steps = np.clip(np.ceil(np.log2(np.maximum(most, 1e-9) / 7.49) * SCALE_STEPS) + SCALE_ZERO, 0, 255)
    scale = 2.0 ** ((steps - SCALE_ZERO) / SCALE_STEPS)
    whole = np.clip(np.rint(both / scale[:, None]), -7, 7).astype(np.int8) + 8
    half = both.shape[1] // 2
    answers = written_answers(ids, edition)
    head = {
        "width": both.shape[1],
        "pages": ids,
        "mix": [round(float(one), 3) for one in mix],
        "sources": asked.sources(edition),
        "asked": "\n".join(answers),
        "answers": [ids.index(page) for page in answers.values()],
        "bias": [round(float(one), 2) for one in table.bias],
        "features": "\n".join(table.names),
    }
    data = (whole[:, :half] << 4 | whole[:, half:]).astype(np.uint8).tobytes()
    return packed(head, steps.astype(np.uint8).tobytes(), data)


def written_answers(ids: list[str], edition: str) -> dict[str, str]:
    """Return the page of each question, folded, without those that two pages answer."""
    found: dict[str, set[str]] = {}
    for question in questions_of(ids, edition):
        found.setdefault(folded(question.text), set()).add(question.page)
    return {text: pages.pop() for text, pages in found.items() if len(pages) == 1 and pages != {NO_PAGE}}


def model_of(data: bytes) -> QuestionModel:
    import gzip

    return QuestionModel(gzip.decompress(data))


def fitted_mix(index: Index, held: list[asked.Question]) -> list[float]:
    """Return the weights of the scores with which held-out questions are most likely, and print how many
    are found with them."""
    import numpy as np
    from scipy.optimize import minimize

    scored = [(question, index.scores(question.text)) for question in held]
    scored = [(question, scores) for question, scores in scored if scores]
    order = [*index.ids, NO_PAGE]
    values = np.array([[scores[id] for id in order] for _, scores in scored])
    aim = np.array([order.index(question.page) for question, _ in scored])

    def surprise(mix: Any) -> float:
        logits = values @ mix
        logits -= logits.max(1, keepdims=True)
        return float((np.log(np.exp(logits).sum(1)) - logits[np.arange(len(aim)), aim]).mean())

    mix = minimize(surprise, np.array([0.5, 2.4, 1.5, 1.0, 1.0]), method="Nelder-Mead", options={"maxiter": 400}).x
    logits = values @ mix
    rank = (logits > logits[np.arange(len(aim)), aim][:, None]).sum(1)
    chance = np.exp(logits - logits.max(1, keepdims=True))
    sure = chance.max(1) / chance.sum(1) >= 0.6
    print(f"held out: {len(held)} questions, {(rank == 0).sum()} on top, {(rank < 3).sum()} in the first three;")
    print(f"sure of {sure.sum()}, {(sure & (rank == 0)).sum()} of them on top; mix {mix.round(2)}")
    return [float(one) for one in mix]


def questions_of(ids: list[str], edition: str) -> list[asked.Question]:
    """Return the questions of an edition. Those taken over from the first one may be about pages it does not have."""
    known = {*ids, NO_PAGE}
    if edition == FIRST_EDITION:
        unknown = {question.page for question in asked.questions()} - known
        if unknown:
            sys.exit(f"questions for pages that do not exist: {', '.join(sorted(unknown))}")
    return [question for question in asked.questions(edition) if question.page in known]


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the search model of an edition to its questions.")
    parser.add_argument("edition", nargs="?", default=FIRST_EDITION, choices=sorted(editions()))
    edition = editions()[parser.parse_args().edition]
    ids = list(dict.fromkeys(page.id for page in pages("en", edition)))
    place = {id: at for at, id in enumerate(ids)}
    shuffled = sorted(questions_of(ids, edition.id))
    random.Random(7).shuffle(shuffled)
    held, rest = shuffled[::5], [question for n, question in enumerate(shuffled) if n % 5]

    def examples(chosen: list[asked.Question]) -> list[Example]:
        own = [Example(question.text, place[question.page], 1.0) for question in chosen if question.page != NO_PAGE]
        own += page_examples(place, edition)
        return [*own, *varied(own, random.Random(0))]

    part = model_of(stored(fit(examples(rest), len(ids)), ids, [], edition.id))
    mix = fitted_mix(Index(pages("ja", edition), pages("en", edition), edition.id, part), held)
    data = stored(fit(examples(shuffled), len(ids)), ids, mix, edition.id)
    target = FOLDER / edition.id / MODEL_FILE
    target.write_bytes(data)
    print(f"{target.relative_to(ROOT)}: {len(data)} bytes, {len(model_of(data).pages)} pages")


if __name__ == "__main__":
    main()
