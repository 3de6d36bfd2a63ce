"""Numbers in the documents are those of the data: each is read from the sentence that says it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackpoker.language.model import Format
from blackpoker.regulation import all_regulations, standard_edition

ROOT = Path(__file__).parents[2]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
EDITION = standard_edition()
IN_GAMES = [action for action in EDITION.actions if action.since is not Format.OPTION]


def number(text: str) -> int:
    return WORDS.index(text.lower()) if text.isalpha() else int(text.replace(",", ""))


SAID = (
    ("README.md", r"(\w+) formats, Lite to Extra", len(EDITION.formats)),
    ("README.md", r"with its (\d+) trumps", len(EDITION.trumps)),
    ("README.md", r"\((\d+) actions and パック開封", len(IN_GAMES)),
    ("README.md", r"パック開封, (\d+) characters", len(EDITION.characters)),
    ("README.md", r"(\w+) frames", len(EDITION.frames)),
    ("README.md", r"all (\d+) legal regulations", len(all_regulations())),
    ("README.ja.md", r"(\d+)フォーマット", len(EDITION.formats)),
    ("README.ja.md", r"切札(\d+)枚", len(EDITION.trumps)),
    ("README.ja.md", r"アクション(\d+)種", len(IN_GAMES)),
    ("README.ja.md", r"キャラクター(\d+)種", len(EDITION.characters)),
    ("README.ja.md", r"(\d+)フレーム、", len(EDITION.frames)),
    ("README.ja.md", r"フレーム、(\d+)オプション", len(EDITION.options)),
    ("docs/balance/README.md", r"(\d+) regulations ×", len(all_regulations())),
)


@pytest.mark.parametrize(("file", "sentence", "counted"), SAID)
def test_a_number_in_a_document_is_counted(file: str, sentence: str, counted: int) -> None:
    found = re.search(sentence, (ROOT / file).read_text(encoding="utf-8"))
    assert found is not None, f"{file} no longer says {sentence}"
    assert number(found[1]) == counted
