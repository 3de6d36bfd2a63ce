"""Parse a command line into a command and its values; every error is one line in the user's language."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from blackpoker.cli.choices import word_list
from blackpoker.cli.commands import COMMANDS, START, Command, Parameter
from blackpoker.cli.console import UsageError

if TYPE_CHECKING:
    from blackpoker.cli.commands import TextPair

NO_COMMAND: Final = ("「{0}」というコマンドはありません", "there is no command {0!r}")
NO_OPTION: Final = ("{0} に「{1}」というオプションはありません", "{0} has no option {1!r}")
DID_YOU_MEAN: Final = ("。もしかして：{0}", "; did you mean {0}?")
TOO_MANY: Final = ("{0}：「{1}」は余分です", "{0}: {1!r} is one argument too many")
MISSING: Final = ("{0}：{1} が必要です", "{0} needs {1}")
NEEDS_VALUE: Final = ("{0} には値が必要です", "{0} needs a value")
NO_VALUE: Final = ("{0} に値はつけられません", "{0} takes no value")
NO_NUMBER: Final = ("{0} は整数です。「{1}」は整数ではありません", "{0} is a whole number, not {1!r}")
OUTSIDE: Final = ("{0} は {1} から {2} までです。{3} は使えません", "{0} is from {1} to {2}, not {3}")
SET_TWICE: Final = ("{0} と {0}_FILE の両方があります", "{0} and {0}_FILE are both set")
UNREADABLE_VARIABLE: Final = ("{0} のファイルが読めません：{1}", "the file of {0} cannot be read: {1}")
#: commands whose options can also be environment variables
FROM_ENVIRONMENT: Final = ("serve", "admin")
FLAG_WORDS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}
NO_WORD: Final = ("{0} は {1} のどれかです。「{2}」は使えません", "{0} is one of {1}, not {2!r}")


def suggest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    import difflib

    return tuple(difflib.get_close_matches(word, list(known), n=3, cutoff=0.6))


def unknown_word_error(text: TextPair, word: str, known: Iterable[str], *before: object) -> UsageError:
    """Return the error for an unknown word, with suggestions."""
    near = ", ".join(suggest(word, known))
    like = DID_YOU_MEAN if near else ("", "")
    pair = tuple(part + tail.format(near) for part, tail in zip(text, like, strict=True))
    return UsageError((pair[0], pair[1]), *before, word)


def command_text(command: Command) -> str:
    return f"blackpoker {command.name}".rstrip()


def find_command(arguments: list[str]) -> tuple[Command, list[str]]:
    """Return the command and its remaining arguments; raise `UsageError` if there is no such command."""
    if arguments[:1] == ["--lang"] and len(arguments) > 2:  # the language may come first
        command, left = find_command(arguments[2:])
        return command, [*arguments[:2], *left]
    if not arguments or arguments[0].startswith("-"):
        return START, arguments
    two = " ".join(arguments[:2])  # a name of two words: rules check
    if two in COMMANDS and len(arguments) > 1:
        return COMMANDS[two], arguments[2:]
    if arguments[0] not in COMMANDS:
        raise unknown_word_error(NO_COMMAND, arguments[0], COMMANDS)
    return COMMANDS[arguments[0]], arguments[1:]


def command_group(arguments: list[str]) -> str:
    """Return the first word that several commands share (``lab``, ``rules``) if it is the whole command line, else
    ""."""
    left = list(arguments)
    while "--lang" in left[:-1]:
        place = left.index("--lang")
        del left[place : place + 2]
    words = [word for word in left if word not in ("-h", "--help") and not word.startswith("--lang=")]
    return words[0] if len(words) == 1 and any(name.startswith(f"{words[0]} ") for name in COMMANDS) else ""


def parse(command: Command, arguments: list[str]) -> dict[str, Any]:
    """Return the values of the command's parameters; raise `UsageError` if one is invalid or missing."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for parameter in command.parameters:
        _add(parser, parameter, default_of(command, parameter))
    try:
        found, left = parser.parse_known_intermixed_args(arguments)
    except argparse.ArgumentError as error:
        name = (error.argument_name or "").split("/")[0]
        flag = any(name in p.flags.split() and p.kind == "flag" for p in command.parameters)
        raise UsageError(NO_VALUE if flag else NEEDS_VALUE, name) from None
    for word in left:
        if word.startswith("-") and word != "-":
            flags = [flag for parameter in command.parameters for flag in parameter.flags.split()]
            raise unknown_word_error(NO_OPTION, word.split("=")[0], flags, command_text(command))
        raise UsageError(TOO_MANY, command_text(command), word)
    values = vars(found)
    for parameter in command.parameters:
        if parameter.required and not values[parameter.name]:
            raise UsageError(MISSING, command_text(command), parameter.display_name)
    return values


def variable_of(parameter: Parameter) -> str:
    """Return the environment variable that replaces an option: BLACKPOKER_ALLOW_HOST for ``--allow-host``."""
    return "BLACKPOKER_" + parameter.display_name.lstrip("-").replace("-", "_").upper()


def default_of(command: Command, parameter: Parameter) -> Any:
    """Return the value of an option that is not on the command line: for the commands of an operator that of its
    environment variable, or the content of the file named by the variable with ``_FILE`` after it."""
    if command.name not in FROM_ENVIRONMENT or not parameter.flags or parameter.name == "lang":
        return parameter.default
    variable = variable_of(parameter)
    text = os.environ.get(variable, "")
    file = os.environ.get(f"{variable}_FILE", "")
    if text and file:
        raise UsageError(SET_TWICE, variable)
    if file:
        try:
            text = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(UNREADABLE_VARIABLE, f"{variable}_FILE", type(error).__name__) from None
    if not text:
        return parameter.default
    if parameter.kind == "flag":
        if text.casefold() not in FLAG_WORDS:
            raise UsageError(NO_WORD, variable, ", ".join(FLAG_WORDS), text)
        return FLAG_WORDS[text.casefold()] != parameter.default
    read = value_parser(parameter._replace(flags=variable))
    return [read(part.strip()) for part in text.split(",")] if parameter.repeatable else read(text)


def _add(parser: argparse.ArgumentParser, parameter: Parameter, default: Any) -> None:
    flags = parameter.flags.split()
    if parameter.kind == "flag":
        parser.add_argument(
            *flags, dest=parameter.name, action="store_const", const=not parameter.default, default=default
        )
    elif flags:
        action = "append" if parameter.repeatable else "store"
        parser.add_argument(*flags, dest=parameter.name, type=value_parser(parameter), default=default, action=action)
    else:
        parser.add_argument(
            parameter.name,
            type=value_parser(parameter),
            nargs="*" if parameter.repeatable else "?",
            default=default,
        )


def value_parser(parameter: Parameter) -> Callable[[str], Any]:
    """Return the function that converts an argument to the parameter's type or raises `UsageError`."""

    def read(word: str) -> Any:
        if parameter.kind == "number":
            return parse_number(parameter, word)
        if parameter.kind == "file":
            return Path(word)
        if parameter.restricted and word not in word_list(parameter.word_list):
            raise UsageError(NO_WORD, parameter.display_name, ", ".join(word_list(parameter.word_list)), word)
        return word

    return read


def parse_number(parameter: Parameter, word: str) -> int:
    try:
        value = int(word) if len(word) < 20 and word.isascii() else None
    except ValueError:
        value = None
    if value is None:
        raise UsageError(NO_NUMBER, parameter.display_name, word)
    if not parameter.minimum <= value <= parameter.maximum:
        raise UsageError(OUTSIDE, parameter.display_name, parameter.minimum, parameter.maximum, value)
    return value
