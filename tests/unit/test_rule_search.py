"""Two hundred questions in each language find their answer, and forty more that were held out while the search was
tuned."""

from pathlib import Path

import pytest

from blackpoker.ruleset import default_edition
from blackpoker.ruleset.reference import pages, search
from blackpoker.text.resources import LANGUAGES, Lang

Question = tuple[dict[str, str], set[str]]


def questions(name: str) -> list[Question]:
    read = []
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            ja, en, answers = (part.strip() for part in line.split("|"))
            read.append(({"ja": ja, "en": en}, set(answers.split())))
    return read


TUNED, HELD_OUT = questions("questions.txt"), questions("held.txt")


def test_every_answer_is_a_page() -> None:
    assert len(TUNED) >= 200
    assert len(HELD_OUT) >= 30
    ids = {page.id for page in pages("en")}
    assert {answer for _, answers in (*TUNED, *HELD_OUT) for answer in answers} <= ids


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("asked", [TUNED, HELD_OUT], ids=["tuned", "held"])
def test_questions_find_their_answers(lang: Lang, asked: list[Question]) -> None:
    """At least four of five rank first, nineteen of twenty are in the first three."""
    found = [([page.id for page in search(texts[lang], lang, 3)][:3], answers) for texts, answers in asked]
    top = sum(bool(ids) and ids[0] in answers for ids, answers in found)
    three = sum(bool(answers & set(ids)) for ids, answers in found)
    assert top >= 0.80 * len(asked), f"{top} of {len(asked)} on top"
    assert three >= 0.95 * len(asked), f"{three} of {len(asked)} in the first three"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_of_any_length_is_answered_by_few_pages(lang: Lang) -> None:
    from blackpoker.server.http.api import rule_pages

    question = TUNED[11][0][lang]
    assert 1 <= len(rule_pages.search(lang, question * 20, default_edition())) <= 20
    assert rule_pages.search(lang, question, default_edition())[0].id in TUNED[11][1]
