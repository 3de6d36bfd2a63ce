"""``blackpoker admin``: database statistics, purging, export of records. Accounts are in ``moderation``, ratings in
``ratings``."""

from __future__ import annotations

import contextlib
import json as json_text
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from blackpoker.cli.console import UsageError, language, os_error_text
from blackpoker.cli.imported_records import show_records
from blackpoker.cli.moderation import TASKS, moderate
from blackpoker.cli.ratings import delete_rated_game, list_ratings, set_season
from blackpoker.cli.reports import show_reports
from blackpoker.cli.serve import default_database
from blackpoker.cli.tournaments import close_tournament, show_tournaments
from blackpoker.server.storage import retention
from blackpoker.server.storage.database import explain, make_engine, migrate
from blackpoker.server.storage.interface import RetentionPolicy, StoreError
from blackpoker.text.resources import in_lang

NOTHING: Final = ("データベース {0} がありません", "there is no database {0}")
BROKEN: Final = ("データベースを使えません：{0}", "{0}")
NO_FOLDER: Final = ("フォルダー {0} に書けません：{1}", "cannot write to the folder {0}: {1}")
NEEDS_FOLDER: Final = ("書き出すフォルダーを --to で指定してください", "name the folder to write to with --to")
FORGOTTEN: Final = ("部屋を{0}件忘れました", "{0} rooms forgotten")
EXPIRED: Final = ("期限の切れた部屋は{0}件です（--yes で忘れます）", "{0} rooms have expired; --yes forgets them")
WRITTEN: Final = ("棋譜を{0}件書き出しました：{1}", "{0} records written to {1}")
SO_FAR: Final = ("{0}件…", "{0} so far …")
LINES: Final = {
    "waiting": ("待っている部屋", "rooms that wait"),
    "playing": ("対戦中の部屋", "rooms that play"),
    "over": ("終わった部屋", "rooms that are over"),
    "expired": ("うち期限切れ", "of these expired"),
    "entries": ("手の記録", "entries of games"),
    "records": ("終わったゲームの棋譜", "records of finished games"),
}
#: records between progress lines
PROGRESS_EVERY: Final = 1000


def admin(
    what: str,
    database: str,
    keep_waiting: int,
    keep_unfinished: int,
    keep_rooms: int,
    yes: bool,
    to: Path | None,
    who: str,
    name: str,
    name_en: str,
    days: int,
    id: str,
    again: bool,
    json: bool,
    lang: str | None,
) -> int:
    tongue = language(lang)
    kept = RetentionPolicy(keep_waiting, keep_unfinished, keep_rooms)
    where = database or default_database(lang)
    if "://" not in where and not Path(where).exists():
        raise UsageError(NOTHING, where)
    if what == "export" and to is None:
        raise UsageError(NEEDS_FOLDER)
    try:
        with opened(where) as engine:
            if what == "stats":
                with engine.connect() as connection:
                    show(retention.count_rows(connection, kept, time.time()), json, tongue)
            elif what == "purge":
                purge(engine, kept, yes, tongue)
            elif what in TASKS:
                print(moderate(engine, what, who, name, days, tongue))
            elif what == "ratings":
                print("\n".join(list_ratings(engine, again, tongue)))
            elif what == "reports":
                print("\n".join(show_reports(engine, id, yes, tongue)))
            elif what == "tournaments":
                print("\n".join(show_tournaments(engine, id, name, yes, tongue)))
            elif what == "close":
                print("\n".join(close_tournament(engine, id, tongue)))
            elif what == "void":
                print("\n".join(delete_rated_game(engine, id, tongue)))
            elif what == "records":
                print("\n".join(show_records(engine, id, yes, tongue)))
            elif what == "season":
                print("\n".join(set_season(engine, name, name_en, days, tongue)))
            elif to is not None:
                with engine.connect() as connection:
                    export(connection, to, tongue)
    except StoreError as error:
        raise UsageError(BROKEN, error) from None
    except SQLAlchemyError as error:
        raise UsageError(BROKEN, explain(error, where)) from None
    return 0


@contextlib.contextmanager
def opened(where: str) -> Iterator[Engine]:
    engine = make_engine(where)
    try:
        with engine.begin() as connection:
            migrate(connection)
        yield engine
    finally:
        engine.dispose()


def show(found: dict[str, Any], json: bool, lang: Any) -> None:
    if json:
        print(json_text.dumps(found))
        return
    for name, text in LINES.items():
        print(f"{found[name]:>10}  {in_lang(text, lang)}")


def purge(engine: Engine, policy: RetentionPolicy, yes: bool, lang: Any) -> None:
    """Delete expired rooms in small transactions, so that a running server waits for one at most."""
    now = time.time()
    if not yes:
        with engine.connect() as connection:
            print(in_lang(EXPIRED, lang, retention.count_rows(connection, policy, now)["expired"]))
        return
    forgotten = 0
    while True:
        with engine.begin() as connection:
            rooms = retention.delete_some(connection, policy, now)
        if not rooms:
            break
        forgotten += len(rooms)
        print(in_lang(SO_FAR, lang, forgotten), file=sys.stderr)
    print(in_lang(FORGOTTEN, lang, forgotten))


def export(connection: Connection, folder: Path, lang: Any) -> None:
    """Write one file per record. Existing files are kept, so that an interrupted export can be resumed."""
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for id, text, _ in retention.all_records(connection):
            path = folder / f"{id}.txt"
            if not path.exists():
                part = folder / f".{id}.part"
                part.write_text(text, encoding="utf-8")
                os.replace(part, path)
            count += 1
            if count % PROGRESS_EVERY == 0:
                print(in_lang(SO_FAR, lang, count), file=sys.stderr)
    except OSError as error:
        raise UsageError(NO_FOLDER, folder, os_error_text(error, lang)) from None
    print(in_lang(WRITTEN, lang, count, folder))
