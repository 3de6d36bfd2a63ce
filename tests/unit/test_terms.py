"""Consistent terms: none of the forbidden variants (texts/terms) in any text a player can see."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker.text.resources import FIRST_EDITION, text_editions
from blackpoker.text.terms import terms

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "blackpoker"
TERMS = [(edition, term) for edition in text_editions() for term in terms(edition)]
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
ENGLISH = re.compile("[a-z]{2} |[a-z{}0-9]+[.,?!]? [a-z]{2}")
#: the search also contains words that users type
SEARCH_TERMS = ("words", "search.py", "decks.py")
#: documents for players; those for programmers also need words of the source
DOCUMENTS = ("README*.md", "docs/how-to-play*.md", "docs/faq*.md", "docs/guide/play*.md", "docs/guide/server.ja.md")


def python_texts() -> Iterator[tuple[str, str, str]]:
    """Yield place, language and text of the Japanese strings and the English ones beside them."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name in SEARCH_TERMS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                parts: list[ast.expr] = [*node.args, *(key.value for key in node.keywords)]
            elif isinstance(node, ast.Tuple | ast.List):
                parts = node.elts
            else:
                continue
            texts = [text for text in map(text_of, parts) if text]
            if any(JAPANESE.search(text) for text in texts):
                for text in texts:
                    if JAPANESE.search(text) or ENGLISH.search(text):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", "ja" if JAPANESE.search(text) else "en", text


def text_of(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{0}" for part in node.values)
    return ""


def toml_texts() -> Iterator[tuple[str, str, str]]:
    for folder in ("text", "learn", "players"):
        for path in sorted((SOURCE / folder).rglob("*.toml")):
            if path.parent.parent.name not in ("terms", "questions"):  # questions are the words of players
                for key, text in leaves(tomllib.loads(path.read_text(encoding="utf-8"))):
                    lang = "ja" if JAPANESE.search(text) else "en" if key.endswith("en") else ""
                    if lang and key not in SEARCH_TERMS:
                        yield f"{path.relative_to(ROOT)} {key}", lang, text


def leaves(data: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from leaves(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value, key)
    elif isinstance(data, str):
        yield key, data


def page_texts() -> Iterator[tuple[str, str, str]]:
    """Yield the texts of the page's catalogues, and the Japanese texts of its other files, wherever they stand."""
    page = ROOT / "web" / "src"
    for lang in ("ja", "en"):
        for path in sorted((page / "i18n" / lang).glob("*.json")):
            for key, text in leaves(json.loads(path.read_text(encoding="utf-8"))):
                yield f"{path.relative_to(ROOT)}:{key}", lang, text
    literal = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|>([^<>{}]*)<')
    for path in sorted(page.rglob("*")):
        if path.suffix not in (".ts", ".svelte"):
            continue
        content = path.read_text(encoding="utf-8")
        for found in literal.finditer(content):
            if JAPANESE.search(text := found[1] or found[2] or found[3] or ""):
                yield f"{path.relative_to(ROOT)}:{content.count(chr(10), 0, found.start()) + 1}", "ja", text


def document_texts() -> Iterator[tuple[str, str, str]]:
    """Yield the paragraphs of the documents for players."""
    for name in DOCUMENTS:
        for path in sorted(ROOT.glob(name)):
            lang = "ja" if path.name.endswith(".ja.md") else "en"
            text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
            for number, paragraph in enumerate(re.split(r"\n\s*\n", text), 1):
                yield f"{path.relative_to(ROOT)}: paragraph {number}", lang, joined(paragraph, lang)


def joined(paragraph: str, lang: str) -> str:
    """Return a paragraph on one line."""
    return ("" if lang == "ja" else " ").join(line.strip() for line in paragraph.splitlines())


TEXTS = [*python_texts(), *toml_texts(), *page_texts(), *document_texts()]


def test_the_texts_are_found() -> None:
    where = {place.split(":")[0].split(" ")[0] for place, _, _ in TEXTS}
    for name in (
        "src/blackpoker/text/catalogue.py",
        "src/blackpoker/text/refusals.py",
        "src/blackpoker/cli/commands.py",
        "src/blackpoker/content/edition6/base/magic.py",
        "src/blackpoker/learn/data/6/a1_life.toml",
        "src/blackpoker/text/rulings/6/f_combat.toml",
        "src/blackpoker/text/handbook/6/b_play.toml",
        "src/blackpoker/learn/puzzles/data/01-attack-for-the-last-points.toml",
        "web/src/i18n/ja/shared.json",
        "web/src/i18n/en/shared.json",
        "web/src/i18n/ja/decks.json",
        "web/src/core/http.ts",
        "README.md",
        "README.ja.md",
        "docs/how-to-play.ja.md",
    ):
        assert name in where, name
    assert sum(lang == "ja" for _, lang, _ in TEXTS) > 2_000
    assert sum(lang == "en" for _, lang, _ in TEXTS) > 2_000


def test_a_paragraph_is_read_as_one_line() -> None:
    assert joined("your deck is\nyour life", "en") == "your deck is your life"
    assert joined("山札が\nライフ", "ja") == "山札がライフ"


def edition_of(place: str) -> str:
    """Return the edition with the terms of a text: that of its folder, else the first one."""
    found = re.match(r"src/blackpoker/text/\w+/(\d+)/", place)
    return found[1] if found else FIRST_EDITION


@pytest.mark.parametrize(("edition", "term"), TERMS, ids=[f"{edition}-{term['id']}" for edition, term in TERMS])
def test_no_other_word_is_used(edition: str, term: dict[str, object]) -> None:
    slips = []
    texts = [found for found in TEXTS if edition_of(found[0]) == edition]
    for lang in ("ja", "en"):
        patterns = term.get(f"not_{lang}", [])
        but = term.get("but", [])
        assert isinstance(patterns, list)
        assert isinstance(but, list)
        for pattern in map(re.compile, patterns):
            for place, language, text in texts:
                if language == lang:
                    for meant in but:
                        text = text.replace(meant, "")
                    slips += [f"{place}: {found[0]}: {text[:120]}"] if (found := pattern.search(text)) else []
    assert not slips, "\n".join(slips)


LOOKS = {"ja": re.compile("光(る|っ)"), "en": re.compile(r"\bglow")}
USE = {"ja": re.compile("使える|できる"), "en": re.compile(r"\b(usable|can)\b")}


def test_no_instruction_depends_on_looks_alone() -> None:
    """WCAG 1.3.3: cards that glow are also called usable."""
    shown = [(place, lang, text) for place, lang, text in TEXTS if lang in LOOKS and LOOKS[lang].search(text)]
    assert shown
    assert [place for place, lang, text in shown if not USE[lang].search(text)] == []


def test_japanese_brackets_are_wide() -> None:
    slips = [
        f"{place}: {text}" for place, lang, text in TEXTS if lang == "ja" and re.search("[\u3040-\u9fff]\\(", text)
    ]
    assert not slips, "\n".join(slips)
