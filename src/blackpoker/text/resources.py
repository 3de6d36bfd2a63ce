"""Bilingual texts and the TOML files they are stored in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

Lang = Literal["ja", "en"]
LANGUAGES: Final[tuple[Lang, Lang]] = ("ja", "en")


class HasTexts(Protocol):
    """A definition, an error or a text with both languages."""

    @property
    def ja(self) -> str: ...
    @property
    def en(self) -> str: ...


def in_lang(pair: tuple[str, str], lang: Lang, *values: object) -> str:
    """Return one text of a pair (Japanese, English), with its values."""
    text = pair[0] if lang == "ja" else pair[1]
    return text.format(*values) if values else text


def text_of(thing: HasTexts, lang: Lang) -> str:
    """Return the name or text of a definition in one language."""
    return thing.ja if lang == "ja" else thing.en


class Bilingual(NamedTuple):
    """A text in both languages."""

    ja: str
    en: str

    def in_lang(self, lang: Lang) -> str:
        return text_of(self, lang)


def bilingual(table: Mapping[str, Any], name: str = "") -> Bilingual:
    """Return the entries ``name_ja`` and ``name_en`` of a table, or ``ja`` and ``en``."""
    start = f"{name}_" if name else ""
    return Bilingual(str(table.get(f"{start}ja", "")).strip(), str(table.get(f"{start}en", "")).strip())


#: the id of the edition whose texts are read where no other is named
FIRST_EDITION: Final = "6"


def text_editions() -> tuple[str, ...]:
    """Return the ids of the editions that have texts, oldest first. Each of the packages ``rulings``, ``handbook``,
    ``quick`` and ``terms`` has one folder per edition."""
    from importlib import resources

    folder = resources.files("blackpoker.text.rulings")
    return tuple(sorted((entry.name for entry in folder.iterdir() if entry.name.isdecimal()), key=int))


def read_texts(package: str, edition: str = "") -> dict[str, str]:
    """Return the text of each TOML file of the package, or of its folder of that edition, by its stem, sorted by
    name."""
    from importlib import resources

    folder = resources.files(package)
    if edition:
        folder = folder.joinpath(edition)
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name.removesuffix(".toml"): entry.read_text(encoding="utf-8") for name, entry in found}


def read_tables(package: str, edition: str = "") -> dict[str, dict[str, Any]]:
    """Return each TOML file of the package, or of its folder of that edition, parsed."""
    import tomllib  # imported here: many commands read no text files

    return {name: tomllib.loads(text) for name, text in read_texts(package, edition).items()}
