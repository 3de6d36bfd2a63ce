"""Operator commands for ratings: recompute them from the stored games, begin a season, list both."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine

from blackpoker.cli.console import UsageError
from blackpoker.ruleset import editions
from blackpoker.server.storage import ratings as rows
from blackpoker.text.resources import in_lang

#: listed players per format; length of a season's name
MAX_LISTED: Final = 20
MAX_NAME: Final = 40
BAD_DAYS: Final = ("日数は0以上です", "days are 0 or more")
LONG_NAME: Final = ("シーズンの名前は{0}文字までです", "a season's name has at most {0} characters")
TOO_SOON: Final = ("前のシーズンはまだ始まっていません", "the season before has not begun yet")
RECOMPUTED: Final = (
    "レート戦{0}ゲームから{1}件のレーティングを計算し直しました。変わった数値：{2}",
    "{1} ratings computed again from {0} rated games; figures that were other before: {2}",
)
DOUBTFUL: Final = (
    "棋譜と食い違っていたゲーム（棋譜に合わせました）：{0}",
    "games whose record said something else, which is what counts now: {0}",
)
COUNTED: Final = ("棋譜から集計したゲーム：{0}", "games counted from their records: {0}")
BEGUN: Final = ("シーズン{0}「{1}」を始めました", "season {0}, {2}, has begun")
NEEDS_ID: Final = ("--id で棋譜を指定してください", "name the record with --id")
VOIDED: Final = (
    "対局 {0} をレート対象から外し、レーティングを計算し直しました",
    "the game {0} is not rated any more; all ratings are computed again",
)
NOT_RATED: Final = ("対局 {0} はレート対象ではありません", "the game {0} is not rated")
NO_SEASON: Final = ("シーズンはまだありません（--name で始めます）", "there is no season yet; --name begins one")
NO_RATINGS: Final = ("レート戦を終えた人はまだいません", "nobody has finished a rated game yet")


def list_ratings(engine: Engine, again: bool, lang: Any) -> list[str]:
    """Return the standings; with ``again``, recompute all ratings first."""
    lines = []
    if again:
        with engine.begin() as connection:
            found = rows.recompute(connection)
        lines.append(in_lang(RECOMPUTED, lang, found.games, found.standings, found.changed))
        if found.differing_records:
            lines.append(in_lang(DOUBTFUL, lang, ", ".join(found.differing_records)))
        if found.filled_in:
            lines.append(in_lang(COUNTED, lang, found.filled_in))
    with engine.connect() as connection:
        now = time.time()
        season = rows.season_at(connection, now)
        for format in (edition.prefix + one.id for edition in editions().values() for one in edition.formats):
            for one in rows.leaderboard(connection, format, season, now, MAX_LISTED, 0):
                figure = rows.points(one.standing.rating)
                lines.append(f"{format:<10}{one.rank:>4}  {figure:>5}  {one.standing.games:>5}  {one.name}")
    return lines or [in_lang(NO_RATINGS, lang)]


def delete_rated_game(engine: Engine, id: str, lang: Any) -> list[str]:
    """Remove a game from the rated ones; all ratings are computed again."""
    if not id:
        raise UsageError(NEEDS_ID)
    with engine.begin() as connection:
        voided = rows.delete_rated_game(connection, id)
    return [in_lang(VOIDED if voided else NOT_RATED, lang, id)]


def set_season(engine: Engine, ja: str, en: str, days: int, lang: Any) -> list[str]:
    """Return the list of seasons. With a name, begin the next one first; it ends after that number of days."""
    if days < 0:
        raise UsageError(BAD_DAYS)
    if max(len(ja), len(en)) > MAX_NAME:
        raise UsageError(LONG_NAME, MAX_NAME)
    now = time.time()
    lines = []
    if ja or en:
        try:
            with engine.begin() as connection:
                ends = now + days * 86_400.0 if days else 0.0
                row = rows.begin_season(connection, ja or en, en or ja, now, ends)
        except ValueError:
            raise UsageError(TOO_SOON) from None
        lines.append(in_lang(BEGUN, lang, row.number, row.ja, row.en))
    with engine.connect() as connection:
        known = rows.seasons(connection)
    for one in known:
        lines.append(f"{one.number:>4}  {day(one.began)} – {day(one.ends)}  {one.ja} / {one.en}")
    return lines or [in_lang(NO_SEASON, lang)]


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if at else ""
