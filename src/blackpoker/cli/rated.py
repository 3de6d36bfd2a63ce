"""Operator commands for ratings: recompute them from the stored games, begin a season, list both."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine

from blackpoker.cli.common import Mistake, pick
from blackpoker.regulation import standard_edition
from blackpoker.server.store import ratings as rows

#: listed players per format; length of a season's name
MOST: Final = 20
MOST_NAME: Final = 40
BAD_DAYS: Final = ("日数は0以上です", "days are 0 or more")
LONG_NAME: Final = ("シーズンの名前は{0}文字までです", "a season's name has at most {0} characters")
TOO_SOON: Final = ("前のシーズンはまだ始まっていません", "the season before has not begun yet")
AGAIN: Final = (
    "レート戦{0}ゲームから{1}件のレーティングを計算し直しました。変わった数値：{2}",
    "{1} ratings computed again from {0} rated games; figures that were other before: {2}",
)
DOUBTFUL: Final = (
    "棋譜と食い違っていたゲーム（棋譜に合わせました）：{0}",
    "games whose record said something else, which is what counts now: {0}",
)
LOOKED: Final = ("棋譜から集計したゲーム：{0}", "games counted from their records: {0}")
BEGUN: Final = ("シーズン{0}「{1}」を始めました", "season {0}, {2}, has begun")
NO_SEASON: Final = ("シーズンはまだありません（--name で始めます）", "there is no season yet; --name begins one")
NOBODY: Final = ("レート戦を終えた人はまだいません", "nobody has finished a rated game yet")


def rate_again(engine: Engine, again: bool, lang: Any) -> list[str]:
    """Return the standings; with ``again``, recompute all ratings first."""
    told = []
    if again:
        with engine.begin() as connection:
            found = rows.recompute(connection)
        told.append(pick(AGAIN, lang, found.games, found.standings, found.changed))
        if found.doubtful:
            told.append(pick(DOUBTFUL, lang, ", ".join(found.doubtful)))
        if found.looked_into:
            told.append(pick(LOOKED, lang, found.looked_into))
    with engine.connect() as connection:
        now = time.time()
        season = rows.season_at(connection, now)
        for format in standard_edition().formats:
            for one in rows.ladder(connection, format.id, season, now, MOST, 0):
                figure = rows.points(one.standing.rating)
                told.append(f"{format.id:<10}{one.place:>4}  {figure:>5}  {one.standing.games:>5}  {one.name}")
    return told or [pick(NOBODY, lang)]


def set_season(engine: Engine, ja: str, en: str, days: int, lang: Any) -> list[str]:
    """Return the list of seasons. With a name, begin the next one first; it ends after that number of days."""
    if days < 0:
        raise Mistake(BAD_DAYS)
    if max(len(ja), len(en)) > MOST_NAME:
        raise Mistake(LONG_NAME, MOST_NAME)
    now = time.time()
    told = []
    if ja or en:
        try:
            with engine.begin() as connection:
                ends = now + days * 86_400.0 if days else 0.0
                row = rows.begin_season(connection, ja or en, en or ja, now, ends)
        except ValueError:
            raise Mistake(TOO_SOON) from None
        told.append(pick(BEGUN, lang, row.number, row.ja, row.en))
    with engine.connect() as connection:
        known = rows.seasons(connection)
    for one in known:
        told.append(f"{one.number:>4}  {day(one.began)} – {day(one.ends)}  {one.ja} / {one.en}")
    return told or [pick(NO_SEASON, lang)]


def day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if at else ""
