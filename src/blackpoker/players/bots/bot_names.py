"""Names of bots: ``mybot.py:Bot`` is a class in a file, ``exec:"node bot.js"`` a program.

Settings follow as with a level: ``mybot.py:Bot:seconds=2/memory=512``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from blackpoker.players.errors import PlayersError

#: seconds per decision, seconds to get ready for a game, memory in MB of each process
SECONDS: Final = 5.0
START: Final = 20.0
MEMORY: Final = 1024
SETTINGS: Final = ("seconds", "start", "memory")

_CLASS = re.compile(r"(?P<path>.+\.py):(?P<of>[A-Za-z_]\w*)(?::(?P<settings>.+))?")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<command>.*)(?P=quote)(?::(?P<settings>[a-z]+=.+))?""")


@dataclass(frozen=True)
class Bot:
    """A bot: its name, its command and its limits."""

    name: str
    command: tuple[str, ...]
    seconds: float = SECONDS
    start: float = START
    memory: int = MEMORY

    @property
    def short(self) -> str:
        """Return the display name: a class without the folders of its file."""
        found = _CLASS.fullmatch(self.name)
        return self.name if found is None else Path(found["path"]).name + self.name[len(found["path"]) :]


def bot_of(name: str) -> Bot | None:
    """Return the bot of this name, None if it is not a bot's name; raise `PlayersError` if the file or program is
    missing.
    """
    text = name.strip()
    if text.startswith("exec:"):
        return program(text)
    found = _CLASS.fullmatch(text)
    if found is None:
        return None
    path = Path(found["path"]).expanduser()
    if not path.is_file():
        raise PlayersError(f"{text!r}: there is no file {path}", f"「{text}」：{path} というファイルはありません")
    command = (sys.executable, "-m", "blackpoker.players.bots.worker", str(path.resolve()), found["of"])
    return with_settings(Bot(text, command), found["settings"] or "")


def program(text: str) -> Bot:
    rest = text.removeprefix("exec:").strip()
    quoted = _QUOTED.fullmatch(rest)
    line = rest if quoted is None else quoted["command"]
    try:
        command = shlex.split(line)
    except ValueError:
        raise PlayersError(f"{text!r}: a quotation mark is missing", f"「{text}」：引用符が閉じていません") from None
    if not command:
        raise PlayersError(
            f'{text!r}: a program is named as exec:"node bot.js"',
            f'「{text}」：プログラムは exec:"node bot.js" のように書きます',
        )
    if shutil.which(command[0]) is None:
        raise PlayersError(
            f"{text!r}: there is no program {command[0]!r}",
            f"「{text}」：「{command[0]}」というプログラムはありません",
        )
    return with_settings(Bot(text, tuple(command)), (quoted["settings"] or "") if quoted is not None else "")


def with_settings(bot: Bot, settings: str) -> Bot:
    if os.name != "posix":
        raise PlayersError(
            f"{bot.name!r}: bots are run on Linux and macOS only", "ボットを動かせるのは Linux と macOS だけです"
        )
    changes: dict[str, float] = {}
    for item in settings.split("/") if settings else ():
        key, _, value = item.partition("=")
        if key not in SETTINGS:
            raise PlayersError(
                f"{bot.name!r}: a bot has no setting {key!r}, only {', '.join(SETTINGS)}",
                f"「{bot.name}」：ボットに「{key}」という設定はありません（{'、'.join(SETTINGS)}）",
            )
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number < 1e6:
            raise PlayersError(
                f"{bot.name!r}: {key} is a number above 0, not {value!r}",
                f"「{bot.name}」：{key} は0より大きい数です。「{value}」は使えません",
            )
        changes[key] = number
    return replace(
        bot,
        seconds=changes.get("seconds", bot.seconds),
        start=changes.get("start", bot.start),
        memory=int(changes.get("memory", bot.memory)),
    )


def split_names(text: str) -> list[str]:
    """Split a list of names; a comma inside quotation marks is part of a name."""
    names: list[str] = [""]
    quote = ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == ",":
            names.append("")
            continue
        names[-1] += letter
    return [name.strip() for name in names]
