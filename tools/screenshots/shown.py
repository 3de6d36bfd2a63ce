"""The texts on the pictures of the README, kept in docs/pictures/texts.json with the hash of each picture.

A picture is out of date when a text on it has left the dictionaries of the page and the catalogue of the engine.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from blackpoker.ai.levels import LEVELS
from blackpoker.ruleset import editions
from blackpoker.text import catalogue
from blackpoker.text.resources import Lang

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
LIST = PICTURES / "texts.json"
HOLE = re.compile(r"\{\w+\}")
LETTER = re.compile(r"\w")
#: a text with fewer letters beside its holes would fit anything
LEAST_LETTERS = 4


def strings(value: object) -> Iterator[str]:
    """Yield all strings of a nested value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)


@cache
def known_texts(lang: Lang) -> frozenset[str]:
    """Return every text of the page's dictionaries and the catalogue, and every name of the editions, in a language."""
    which = 0 if lang == "ja" else 1
    folder = ROOT / "web" / "src" / "i18n" / lang
    found = {text for path in folder.glob("*.json") for text in strings(json.loads(path.read_text(encoding="utf-8")))}
    tables = (catalogue.PROMPTS, catalogue.LABELS, catalogue.LINES, catalogue.OTHER_LINES, catalogue.PAGE_WORDS)
    found |= {pair[which] for table in tables for pair in table.values()}
    if lang == "en":
        found |= set(catalogue.YOUR_LINES.values())
    for edition in editions().values():
        for kind in ("actions", "characters", "trumps", "formats", "frames", "options"):
            found |= {(each.ja, each.en)[which] for each in getattr(edition, kind)}
    found |= {(level.ja, level.en)[which] for level in LEVELS.values()}
    return frozenset(found)


@cache
def patterns(lang: Lang) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the known texts as patterns of a line, those with the most letters first."""
    found = []
    for text in known_texts(lang):
        letters = len(LETTER.findall(HOLE.sub("", text)))
        if letters >= (LEAST_LETTERS if HOLE.search(text) else 1):
            pattern = ".+".join(re.escape(part) for part in HOLE.split(text))
            found.append((-letters, text, re.compile(pattern)))
    return tuple((pattern, text) for _, text, pattern in sorted(found, key=lambda each: each[:2]))


def texts_on(lines: list[str], lang: Lang) -> list[str]:
    """Return the known texts that fill a whole line of a page, one for each line."""
    shown = (next((text for pattern, text in patterns(lang) if pattern.fullmatch(line.strip())), "") for line in lines)
    return sorted({text for text in shown if text})


def picture_hash(name: str) -> str:
    return hashlib.sha256((PICTURES / name).read_bytes()).hexdigest()


def keep(name: str, lang: Lang, texts: list[str]) -> None:
    """Write what a new picture shows."""
    kept = json.loads(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}
    kept[name] = {"sha256": picture_hash(name), "lang": lang, "texts": sorted(set(texts))}
    LIST.write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def out_of_date(name: str) -> list[str]:
    """Return what is wrong with a kept picture: texts that no longer exist, or another file."""
    kept = json.loads(LIST.read_text(encoding="utf-8"))[name]
    gone = [f"“{text}” is no longer a text" for text in kept["texts"] if text not in known_texts(kept["lang"])]
    return gone + ([] if kept["sha256"] == picture_hash(name) else ["the file is not the one that was taken"])
