"""What the sub-commands share: the language, the console, complaints."""

from __future__ import annotations

import os
import sys
from enum import Enum
from typing import Annotated

import typer
from rich.console import Console

from blackpoker.texts.rulebook import Lang

NOTICE = "Unofficial and fan-made (非公式・ファンメイド), non-profit. BlackPoker and its rules belong to their authors."


class Problem(Exception):
    """Something the caller got wrong: told in one line, exit code 2."""


class Language(Enum):
    JA = "ja"
    EN = "en"


LangOption = Annotated[
    Language | None, typer.Option("--lang", help="Language, else that of the environment.", show_default=False)
]


def language(asked: Language | None) -> Lang:
    """The language asked for, else the environment's."""
    if asked is not None:
        return "ja" if asked is Language.JA else "en"
    for name in ("BLACKPOKER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"


def console() -> Console:
    """The terminal, or plain text where the output is none."""
    out = Console(highlight=False, soft_wrap=False, emoji=False)
    if not sys.stdout.isatty():
        out = Console(highlight=False, emoji=False, color_system=None, width=max(80, out.width))
    return out
