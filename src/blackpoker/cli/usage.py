"""The texts of ``--help``, made from the tables of commands."""

from __future__ import annotations

import shutil
import unicodedata
from typing import TYPE_CHECKING, Final

from blackpoker.cli.commands import COMMANDS, START, Command, Parameter
from blackpoker.cli.console import NOTICE
from blackpoker.text.resources import in_lang

if TYPE_CHECKING:
    from blackpoker.text.resources import Lang

ABOUT: Final = ("BlackPoker。非公式・ファンメイド。", "BlackPoker. Unofficial and fan-made (非公式・ファンメイド).")
USAGE: Final = ("使い方", "usage")
OPTIONS_SIGN: Final = ("[オプション]", "[OPTIONS]")
COMMAND_SIGN: Final = ("[コマンド]", "[COMMAND]")
ARGUMENTS: Final = ("引数", "arguments")
OPTIONS: Final = ("オプション", "options")
HEAD_COMMANDS: Final = ("コマンド", "commands")
MORE_HELP: Final = ("1つずつ読むには：blackpoker コマンド --help", "Read about one with: blackpoker COMMAND --help")
HELP: Final = ("この説明を表示する。", "Show this text.")
VERSION: Final = ("バージョンとビルドの種類を表示する。", "Show the version and build.")
DEFAULT: Final = ("（初期値 {0}）", " (default {0})")
NEEDS: Final = ("pip install 'blackpoker[{0}]' が必要です。", "Needs pip install 'blackpoker[{0}]'.")


def width_of(text: str) -> int:
    """Return the columns on a terminal; a Japanese character takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return lines of at most that width; Japanese breaks anywhere, English between words."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for sign in word:
            if width_of(lines[-1] + sign) > width:
                lines.append("")
            lines[-1] += sign
    return lines


def table(rows: list[tuple[str, str]], width: int) -> list[str]:
    left = min(30, max(width_of(name) for name, _ in rows))
    lines: list[str] = []
    for name, text in rows:
        prefix = f"  {name}" + " " * (left - width_of(name))
        if width_of(name) > left:
            lines.append(prefix)
            prefix = " " * (left + 2)
        for line in wrapped(text, max(20, width - left - 4)):
            lines.append(f"{prefix}  {line}".rstrip())
            prefix = " " * (left + 2)
    return lines


def row(parameter: Parameter, lang: Lang) -> tuple[str, str]:
    flags = ", ".join(reversed(parameter.flags.split()))
    name = " ".join(part for part in (flags, parameter.metavar) if part)
    text = in_lang(parameter.help, lang)
    if parameter.kind != "flag" and parameter.default not in (None, ""):
        text += in_lang(DEFAULT, lang, parameter.default)
    return name, text


def usage_line(command: Command, lang: Lang) -> list[str]:
    """Return the usage line: name, arguments, required options."""
    line = ["blackpoker", *([command.name] if command.name else []), in_lang(OPTIONS_SIGN, lang)]
    for parameter in command.parameters:
        if not parameter.flags:
            sign = parameter.metavar + (" …" if parameter.repeatable else "")
            line.append(sign if parameter.required else f"[{sign}]")
    line += [f"{one.display_name} {one.metavar}" for one in command.parameters if one.flags and one.required]
    return [*line, in_lang(COMMAND_SIGN, lang)] if command is START else line


def usage_of_group(name: str, lang: Lang) -> str:
    """Return the help of commands that share their first word, after that of a command with this word alone."""
    width = min(100, shutil.get_terminal_size((80, 24)).columns)
    members = [(each, in_lang(one.help, lang)) for each, one in COMMANDS.items() if each.startswith(f"{name} ")]
    listed = [in_lang(HEAD_COMMANDS, lang), *table(members, width)]
    if name in COMMANDS:
        return "\n".join([usage(COMMANDS[name], lang), "", *listed])
    head = f"{in_lang(USAGE, lang)}: blackpoker {name} {in_lang(COMMAND_SIGN, lang)}"
    return "\n".join([head, "", *listed, "", in_lang(MORE_HELP, lang)])


def usage(command: Command, lang: Lang) -> str:
    """Return the help of one command, or of all for the command without a name."""
    width = min(100, shutil.get_terminal_size((80, 24)).columns)
    arguments = [parameter for parameter in command.parameters if not parameter.flags]
    options = [parameter for parameter in command.parameters if parameter.flags]
    lines = [f"{in_lang(USAGE, lang)}: {' '.join(usage_line(command, lang))}", ""]
    if command is START:
        lines += wrapped(in_lang(ABOUT, lang), width)
    lines += [*wrapped(in_lang(command.help, lang), width), ""]
    if command is START:
        listed = [(name, in_lang(each.help, lang)) for name, each in COMMANDS.items()]
        lines += [in_lang(HEAD_COMMANDS, lang), *table(listed, width), ""]
    if arguments:
        lines += [in_lang(ARGUMENTS, lang), *table([row(parameter, lang) for parameter in arguments], width), ""]
    rows = [row(parameter, lang) for parameter in options]
    if command is START:
        rows.append(("-V, --version", in_lang(VERSION, lang)))
    rows.append(("-h, --help", in_lang(HELP, lang)))
    lines += [in_lang(OPTIONS, lang), *table(rows, width)]
    if command is START:
        lines += ["", in_lang(MORE_HELP, lang), *wrapped(NOTICE, width)]
    elif command.extra:
        lines += ["", in_lang(NEEDS, lang, command.extra)]
    return "\n".join(lines)
