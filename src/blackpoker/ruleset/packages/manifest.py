"""``rules.toml``: the metadata of a package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from blackpoker.ruleset.edition import Package
from blackpoker.ruleset.packages.errors import PackageError

NAME: Final = "rules.toml"
#: the meaning of each key
KEYS: Final = {
    "id": "a short name such as 'house'",
    "version": "such as '1.0'",
    "ja": "the name in Japanese",
    "en": "the name in English",
    "text_ja": "one line in Japanese on what it changes",
    "text_en": "one line in English on what it changes",
    "base": "the edition it stands on, or the id of the package",
    "authors": "a list of names",
    "licence": "such as 'CC0-1.0'",
}
OPTIONAL_KEYS: Final = ("authors", "licence")
MAX_TEXT: Final = 200
_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_VERSION: Final = re.compile(r"[0-9A-Za-z.]{1,20}")
_TOML_LINE: Final = re.compile(r"line (\d+)")


def read_manifest(folder: Path) -> Package:
    """Return the package of a folder; raise `PackageError` if its manifest is invalid."""
    file = folder / NAME
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _missing(folder) from None
    except (OSError, ValueError):
        raise PackageError(file, 1, "cannot be read as text (UTF-8)", "テキスト（UTF-8）として読めません") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) if found else len(text.splitlines())
        raise PackageError(file, line, f"not TOML: {error}", f"TOMLとして読めません（{error}）") from None
    return _ManifestReader(file, text, data).package()


def _missing(folder: Path) -> PackageError:
    if not folder.is_dir():
        return PackageError(
            folder, 1, "there is no such folder; a package is a folder", "そのようなフォルダーはありません"
        )
    return PackageError(
        folder / NAME,
        1,
        "is missing; `blackpoker rules new` makes one",
        "ありません（blackpoker rules new で作れます）",
    )


class _ManifestReader:
    def __init__(self, file: Path, text: str, data: dict[str, Any]) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.data = data

    def error(self, key: str, en: str, ja: str) -> PackageError:
        line = next((n for n, line in enumerate(self.lines, 1) if line.split("=")[0].strip().strip('"') == key), 1)
        return PackageError(self.file, line, en, ja)

    def package(self) -> Package:
        for key in self.data:
            if key not in KEYS:
                known = ", ".join(KEYS)
                raise self.error(
                    key, f"{key!r} is unknown; known are {known}", f"「{key}」は知らない項目です（{known}）"
                )
        texts = {key: self.one_line(key) for key in KEYS if key != "authors"}
        if not _ID.fullmatch(texts["id"]):
            raise self.error(
                "id",
                f"{texts['id']!r} is no id; one is made of a-z, 0-9, _ and -, and begins with a letter",
                f"「{texts['id']}」はIDになりません（a-z、0-9、_、- を使い、文字で始める）",
            )
        if not _VERSION.fullmatch(texts["version"]):
            raise self.error(
                "version",
                f"{texts['version']!r} is no version; one is such as '1.0'",
                "バージョンは 1.0 のように書きます",
            )
        return Package(**texts, authors=self.authors())

    def one_line(self, key: str) -> str:
        value = self.data.get(key)
        if value is None and key in OPTIONAL_KEYS:
            return ""
        if value is None:
            raise self.error(key, f"{key} is missing: {KEYS[key]}", f"{key} がありません")
        if not isinstance(value, str) or not value.strip() or "\n" in value.strip() or len(value) > MAX_TEXT:
            raise self.error(
                key,
                f"{key} is one line of text in quotes, at most {MAX_TEXT} characters ({KEYS[key]})",
                f"{key} は引用符で囲んだ1行（{MAX_TEXT}字まで）です",
            )
        return value.strip()

    def authors(self) -> tuple[str, ...]:
        value = self.data.get("authors", [])
        if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
            raise self.error("authors", 'authors is a list of names: ["…", "…"]', "authors は名前のリストです")
        return tuple(name.strip() for name in value)
