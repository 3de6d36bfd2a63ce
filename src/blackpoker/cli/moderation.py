"""Operator commands for an account: rename, mute, ban, lift. A running server applies them within seconds."""

from __future__ import annotations

import time
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from blackpoker.cli.console import UsageError
from blackpoker.server.accounts.name_rules import parse_name
from blackpoker.server.confusables import reserved_forms
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.storage import accounts as rows
from blackpoker.text.resources import in_lang

TASKS: Final = ("rename", "mute", "ban", "lift")
#: until an operator lifts it
FOR_EVER: Final = 9e12
NEEDS_WHO: Final = ("--who でアカウントの名前を指定してください", "name the account with --who")
NEEDS_NAME: Final = ("--name で新しい名前を指定してください", "give the new name with --name")
NO_ACCOUNT: Final = ("{0} というアカウントはありません", "there is no account {0}")
BAD_DAYS: Final = ("日数は0以上です", "days are 0 or more")
NAME_TAKEN: Final = ("{0} はほかのアカウントの名前です", "{0} is the name of another account")
REFUSED: Final = ("{0}", "{1}")
CONFIRMATIONS: Final = {
    "rename": ("{0} の名前を {1} にしました", "{0} is called {1} now"),
    "mute": ("{0} のチャットを制限しました", "{0} is muted"),
    "ban": ("{0} を停止しました", "{0} is banned"),
    "lift": ("{0} の制限を解きました", "{0} may do everything again"),
}


def moderate(engine: Engine, what: str, who: str, name: str, days: int, lang: Any) -> str:
    """Apply a moderation command; return the confirmation."""
    if not who:
        raise UsageError(NEEDS_WHO)
    if days < 0:
        raise UsageError(BAD_DAYS)
    now = time.time()
    until = now + days * 86_400.0 if days else FOR_EVER
    with engine.begin() as connection:
        row = rows.find_name_owner(connection, reserved_forms(who))
        if row is None or row.gone:
            raise UsageError(NO_ACCOUNT, who)
        if what == "rename":
            give_name(connection, row.id, name, now)
        elif what == "mute":
            rows.update_account(connection, row.id, now, muted=until)
        elif what == "ban":
            rows.update_account(connection, row.id, now, banned=until)
        else:
            rows.update_account(connection, row.id, now, muted=0.0, banned=0.0, renamed=min(row.renamed, now))
    return in_lang(CONFIRMATIONS[what], lang, row.name, name)


def give_name(connection: Any, id: str, text: str, now: float) -> None:
    if not text:
        raise UsageError(NEEDS_NAME)
    try:
        name, forms = parse_name(text)
        rows.block_names(connection, id, now)
        rows.rename_account(connection, id, name, forms, now)
        rows.update_account(connection, id, now, renamed=FOR_EVER)  # it keeps this name until it is lifted
    except HttpProblem as refused:
        raise UsageError(REFUSED, refused.problem.ja, refused.problem.en) from None
    except IntegrityError:
        raise UsageError(NAME_TAKEN, text) from None
