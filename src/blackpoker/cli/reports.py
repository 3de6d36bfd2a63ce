"""The operator's list of players' reports, with the chat and a link to the game."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine

from blackpoker.cli.common import Mistake, pick
from blackpoker.server.store import conduct as rows
from blackpoker.server.store.conduct import ReportRow

MOST: Final = 100
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
        raise Mistake(NEEDS_ID)
    if not id:
        with engine.connect() as connection:
            found = rows.reports(connection, MOST)
        return [*(line(one, lang) for one in found), pick(HOW, lang)] if found else [pick(NONE, lang)]
    with engine.begin() as connection:
        known = rows.report(connection, id)
        if known is None:
            raise Mistake(NO_REPORT, id)
        if yes:
            rows.close_report(connection, id, time.time())
            return [pick(CLOSED, lang, id)]
    return whole(known, lang)


def line(one: ReportRow, lang: Any) -> str:
    return f"{one.id}  {day(one.at)}  {pick(WHY[one.why], lang)}  {one.whom_name} ← {one.owner_name}  {one.words[:60]}"


def whole(one: ReportRow, lang: Any) -> list[str]:
    chat = [f"    {by} {name}: {text}" for by, name, text in json.loads(one.heard)]
    return [line(one, lang), one.words, f"/room/{one.room}", f"/replay/{one.record}" if one.record else "", *chat]


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
