"""The checks of the source find what they are for."""

from __future__ import annotations

import pytest
from tests import source_checks
from tests.source_checks import paragraphs_of, prose_defects, stems_of, style_defects, vocabulary, words_of


def test_names_are_split_into_words() -> None:
    assert words_of("HTTPServerRows2") == ["http", "server", "rows"]
    assert words_of("read_bot_totals") == ["read", "bot", "totals"]


@pytest.mark.parametrize(
    ("word", "stem"), [("matches", "match"), ("stored", "store"), ("entries", "entry"), ("storing", "store")]
)
def test_a_word_covers_its_forms(word: str, stem: str) -> None:
    assert stem in stems_of(word)


def test_no_word_is_allowed_and_forbidden() -> None:
    allowed, forbidden = vocabulary()
    assert len(allowed) > 1000
    assert not allowed & forbidden
    assert {"say", "told", "hear", "hush", "whom", "nobody"} <= forbidden


def test_a_forbidden_and_an_unknown_name_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_checks, "names_of", lambda path: ["tell_player", "zyzzyva_of_player", "player_of"])
    found = list(source_checks.unknown_words())
    assert any("tell_player contains the forbidden word tell" in line for line in found)
    assert any("zyzzyva_of_player contains zyzzyva" in line for line in found)
    assert not any("player_of" in line.split(": ")[1].split()[0:1] for line in found)


@pytest.mark.parametrize(
    ("piece", "what"),
    [
        ("Tell the player.", "speech verbs"),
        ("Return what he chose.", "he/him/his"),
        ("Return nobody.", "somebody"),
        ("A table of cards.", "returns/raises"),
        ("Whether it returns.", "question word"),
    ],
)
def test_prose_that_is_not_plain_is_found(piece: str, what: str) -> None:
    assert any(what in line for line in prose_defects("src", [piece]))


def test_plain_prose_passes() -> None:
    assert list(prose_defects("src", ["Return the cards of a player."])) == []


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("The player pays. Then he passes.", "they"),
        ("Wait for somebody.", "someone"),
        ("It is simple. Who loses is out.", "subject"),
        ("What triggers later waits in the buffer.", "subject"),
        ("a " * 61 + "end.", "split"),
    ],
)
def test_a_text_for_readers_that_is_not_plain_is_found(text: str, advice: str) -> None:
    assert any(advice in line for line in style_defects("here", text))


@pytest.mark.parametrize(
    "text", ["What may I request?", "What it does", "Who plays next? The other player.", "The rest."]
)
def test_a_plain_text_for_readers_passes(text: str) -> None:
    assert list(style_defects("here", text)) == []


def test_code_and_link_targets_are_no_prose() -> None:
    assert paragraphs_of("Run `his`\nand [see](his.md).\n\n```\nhis\n```\n- one\n- two") == [
        "Run and [see.",
        "- one",
        "- two",
    ]
