"""``blackpoker admin``: database statistics, purging, export of records. Accounts are in ``moderation``, ratings in
``rated``."""

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

from blackpoker.cli.common import Mistake, language, pick, reason
from blackpoker.cli.moderation import TASKS, moderate
from blackpoker.cli.rated import rate_again, set_season
from blackpoker.cli.reports import show_reports
from blackpoker.cli.serve import own_database
from blackpoker.server.store import keeping
from blackpoker.server.store.database import explain, make_engine, migrate
from blackpoker.server.store.promises import Keeping, StoreError

NOTHING: Final = ("データベース {0} がありません", "there is no database {0}")
BROKEN: Final = ("データベースを使えません：{0}", "{0}")
NO_FOLDER: Final = ("フォルダー {0} に書けません：{1}", "cannot write to the folder {0}: {1}")
NEEDS_FOLDER: Final = ("書き出すフォルダーを --to で指定してください", "name the folder to write to with --to")
FORGOTTEN: Final = ("部屋を{0}件忘れました", "{0} rooms forgotten")
WOULD: Final = ("期限の切れた部屋は{0}件です（--yes で忘れます）", "{0} rooms have expired; --yes forgets them")
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
OFTEN: Final = 1000


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
    kept = Keeping(keep_waiting, keep_unfinished, keep_rooms)
    where = database or own_database(lang)
    if "://" not in where and not Path(where).exists():
        raise Mistake(NOTHING, where)
    if what == "export" and to is None:
        raise Mistake(NEEDS_FOLDER)
    try:
        with opened(where) as engine:
            if what == "stats":
                with engine.connect() as connection:
                    show(keeping.stats(connection, kept, time.time()), json, tongue)
            elif what == "purge":
                purge(engine, kept, yes, tongue)
            elif what in TASKS:
                print(moderate(engine, what, who, name, days, tongue))
            elif what == "ratings":
                print("\n".join(rate_again(engine, again, tongue)))
            elif what == "reports":
                print("\n".join(show_reports(engine, id, yes, tongue)))
            elif what == "season":
                print("\n".join(set_season(engine, name, name_en, days, tongue)))
            elif to is not None:
                with engine.connect() as connection:
                    export(connection, to, tongue)
    except StoreError as error:
        raise Mistake(BROKEN, error) from None
    except SQLAlchemyError as error:
        raise Mistake(BROKEN, explain(error, where)) from None
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
        print(f"{found[name]:>10}  {pick(text, lang)}")


def purge(engine: Engine, kept: Keeping, yes: bool, lang: Any) -> None:
    """Delete expired rooms in small transactions, so that a running server waits for one at most."""
    now = time.time()
    if not yes:
        with engine.connect() as connection:
            print(pick(WOULD, lang, keeping.stats(connection, kept, now)["expired"]))
        return
    forgotten = 0
    while True:
        with engine.begin() as connection:
            rooms = keeping.forget_some(connection, kept, now)
        if not rooms:
            break
        forgotten += len(rooms)
        print(pick(SO_FAR, lang, forgotten), file=sys.stderr)
    print(pick(FORGOTTEN, lang, forgotten))


def export(connection: Connection, folder: Path, lang: Any) -> None:
    """Write one file per record. Existing files are kept, so that an interrupted export can be resumed."""
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for id, text, _ in keeping.records(connection):
            path = folder / f"{id}.txt"
            if not path.exists():
                part = folder / f".{id}.part"
                part.write_text(text, encoding="utf-8")
                os.replace(part, path)
            count += 1
            if count % OFTEN == 0:
                print(pick(SO_FAR, lang, count), file=sys.stderr)
    except OSError as error:
        raise Mistake(NO_FOLDER, folder, reason(error, lang)) from None
    print(pick(WRITTEN, lang, count, folder))
