"""Questions of players in both languages, with the pages that answer them.

There is a folder for each edition. Its TOML files hold ``[PAGE]`` with a list ``ja`` and a list ``en``. In the first
edition every page has at least five questions in each language; a later one adds questions about what is new.
``off_topic.toml`` holds questions that no page answers. After a change run ``python -m tools.search_model``, which fits
``model.gz`` to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from blackpoker.text.question_model import NO_PAGE, fingerprint
from blackpoker.text.resources import FIRST_EDITION, LANGUAGES, Lang, read_tables
from blackpoker.text.rulings import replaced


class Question(NamedTuple):
    page: str  # id, or NO_PAGE
    lang: Lang
    text: str


@cache
def questions(edition: str = FIRST_EDITION) -> tuple[Question, ...]:
    """Return the questions of an edition in the order of the files. A later edition has those of the first one, too:
    the answer to a question about a changed ruling is the ruling in its place. Some are about pages it does not
    have."""
    own = tuple(_questions(edition))
    if edition == FIRST_EDITION:
        return own
    changed = replaced(edition)
    return (*own, *(asked._replace(page=changed.get(asked.page, asked.page)) for asked in questions()))


def _questions(edition: str) -> Iterator[Question]:
    for name, tables in read_tables(__name__, edition).items():
        for page, texts in ({NO_PAGE: tables} if name == "off_topic" else tables).items():
            for lang in LANGUAGES:
                yield from (Question(page, lang, text) for text in texts[lang])


def sources(edition: str = FIRST_EDITION) -> str:
    """Return the fingerprint of the questions of an edition, which its model names."""
    return fingerprint(f"{page} {lang} {text}" for page, lang, text in questions(edition))
