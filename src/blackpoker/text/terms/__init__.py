"""The terminology of the game in both languages, and its synonyms, with a folder for each edition.

``terms.toml``: ``ja`` and ``en`` are the terms. ``not_ja`` and ``not_en`` are regular expressions of words that no text
for players may use instead (tests/unit/test_terms.py), ``but`` lists exceptions that they would match. Official
Japanese terms are kept. ``said.toml`` has the synonyms for the search. A later edition has the words of the earlier
ones; its own terms replace those with the same id.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from blackpoker.text.resources import FIRST_EDITION, read_tables, text_editions


def terms(edition: str = FIRST_EDITION) -> list[dict[str, Any]]:
    """Return the terms of an edition."""
    found = {entry["id"]: entry for table in _files(edition) for entry in table["terms"]["term"]}
    return list(found.values())


def synonyms(edition: str = FIRST_EDITION) -> list[dict[str, Any]]:
    """Return the synonyms of an edition."""
    return [entry for table in _files(edition) for entry in table["said"]["said"]]


@cache
def _files(edition: str) -> list[dict[str, dict[str, Any]]]:
    """Return the files of this edition and of those before it, oldest first."""
    return [read_tables(__name__, id) for id in text_editions() if int(id) <= int(edition)]
