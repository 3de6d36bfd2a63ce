"""Operator commands for records: list those that clients have imported, delete one."""

from __future__ import annotations

import time
from typing import Any, Final

from sqlalchemy import Engine

from blackpoker.server.storage import retention
from blackpoker.text.resources import in_lang

NONE: Final = ("持ち込まれた棋譜はありません", "no records have been imported")
NO_RECORD: Final = ("棋譜 {0} はありません", "there is no record {0}")
ASK: Final = ("棋譜 {0} を --yes で削除します", "--yes deletes the record {0}")
DELETED: Final = ("棋譜 {0} を削除しました", "the record {0} is deleted")
LINE: Final = ("{0}  {1}  {2} バイト", "{0}  {1}  {2} bytes")
#: records shown
MAX_SHOWN: Final = 100


def show_records(engine: Engine, id: str, yes: bool, lang: Any) -> list[str]:
    """Return the imported records, the largest first; with an id delete that record, whoever played it."""
    if not id:
        with engine.connect() as connection:
            found = retention.imported_records(connection, MAX_SHOWN)
        lines = [
            in_lang(LINE, lang, row.id, time.strftime("%Y-%m-%d", time.gmtime(row.created)), row.size) for row in found
        ]
        return lines or [in_lang(NONE, lang)]
    if not yes:
        return [in_lang(ASK, lang, id)]
    with engine.begin() as connection:
        deleted = retention.delete_record(connection, id)
    return [in_lang(DELETED if deleted else NO_RECORD, lang, id)]
