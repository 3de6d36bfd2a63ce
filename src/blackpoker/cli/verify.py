"""``blackpoker verify``: whether a record's shuffles are the ones its commitment promised."""

from __future__ import annotations

from pathlib import Path

from blackpoker.cli.common import edition_of, language, pick, read_text
from blackpoker.server.rooms.verify import Promises, Unproven, verify_record

PROVEN = ("証明できました：{0}", "proven: {0}")
NOT_PROVEN = ("証明できません：{0}", "not proven: {0}")


def verify(
    record: Path, commitment: str, salt: str, seal: str, chain: str, packages: list[Path] | None, lang: str | None
) -> int:
    """Play a record again and check every shuffle; exit code 1 if something does not fit."""
    tongue = language(lang)
    text = read_text(record, tongue)
    edition = edition_of(packages)
    try:
        print(pick(PROVEN, tongue, verify_record(text, Promises(commitment, salt, seal, chain), edition)))
    except Unproven as error:
        print(pick(NOT_PROVEN, tongue, error))
        return 1
    return 0
