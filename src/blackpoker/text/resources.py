"""Bilingual texts and the TOML files they are stored in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Lang = Literal["ja", "en"]


class Bilingual(NamedTuple):
    """A text in both languages."""

    ja: str
    en: str

    def in_lang(self, lang: Lang) -> str:
        return self.ja if lang == "ja" else self.en


def bilingual(table: Mapping[str, Any], name: str = "") -> Bilingual:
    """Return the entries ``name_ja`` and ``name_en`` of a table, or ``ja`` and ``en``."""
    start = f"{name}_" if name else ""
    return Bilingual(str(table.get(f"{start}ja", "")).strip(), str(table.get(f"{start}en", "")).strip())


def read_texts(package: str) -> dict[str, str]:
    """Return the text of each TOML file of the package by its stem, sorted by name."""
    from importlib import resources

    folder = resources.files(package)
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name.removesuffix(".toml"): entry.read_text(encoding="utf-8") for name, entry in found}


def read_tables(package: str) -> dict[str, dict[str, Any]]:
    """Return each TOML file of the package, parsed."""
    import tomllib  # imported here: many commands read no text files

    return {name: tomllib.loads(text) for name, text in read_texts(package).items()}
