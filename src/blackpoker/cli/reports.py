"""The operator's list of players' reports, with the chat and a link to the game."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine

from blackpoker.cli.console import UsageError
from blackpoker.server.storage import moderation as rows
from blackpoker.server.storage.moderation import ReportRow
from blackpoker.text.resources import in_lang

MAX_LISTED: Final = 100
NONE: Final = ("報告はありません", "there are no reports")
NO_REPORT: Final = ("{0} という報告はありません", "there is no report {0}")
NEEDS_ID: Final = ("--id で報告を指定してください", "name the report with --id")
CLOSED: Final = ("{0} を処理済みにしました", "{0} is dealt with")
HOW: Final = (
    "1件を見る：--id ID、処理済みにする：--id ID --yes",
    "one of them whole: --id ID; it is dealt with: --id ID --yes",
)
WHY: Final = {
    "chat": ("チャット", "chat"),
    "name": ("名前", "name"),
    "unfair": ("不正", "unfair play"),
    "other": ("その他", "other"),
}


def show_reports(engine: Engine, id: str, yes: bool, lang: Any) -> list[str]:
    """Return the open reports, oldest first, or one report in full; with ``yes``, close it."""
    if yes and not id:
        raise UsageError(NEEDS_ID)
    if not id:
        with engine.connect() as connection:
            found = rows.open_reports(connection, MAX_LISTED)
        return [*(line(one, lang) for one in found), in_lang(HOW, lang)] if found else [in_lang(NONE, lang)]
    with engine.begin() as connection:
        known = rows.find_report(connection, id)
        if known is None:
            raise UsageError(NO_REPORT, id)
        if yes:
            rows.close_report(connection, id, time.time())
            return [in_lang(CLOSED, lang, id)]
    return report_lines(known, lang)


def line(one: ReportRow, lang: Any) -> str:
    return (
        f"{one.id}  {day(one.at)}  {in_lang(WHY[one.why], lang)}  {one.whom_name} ← {one.owner_name}  {one.words[:60]}"
    )


def report_lines(one: ReportRow, lang: Any) -> list[str]:
    chat = [f"    {by} {name}: {text}" for by, name, text in json.loads(one.heard)]
    return [line(one, lang), one.words, f"/room/{one.room}", f"/replay/{one.record}" if one.record else "", *chat]


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
