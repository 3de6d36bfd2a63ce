"""The command ``blackpoker``: a table of sub-commands, each in a module that is imported on demand."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from blackpoker.cli.console import (
    CANNOT_WRITE,
    NOTICE,
    STOPPED,
    UsageError,
    language,
    os_error_text,
    prepare_output,
    print_error,
)
from blackpoker.text.resources import in_lang

if TYPE_CHECKING:
    from blackpoker.cli.commands import Command
    from blackpoker.text.resources import Lang

MISTAKE: Final = 2
NO_OUTPUT: Final = 1  # the disk is full
EXTRA_MISSING: Final = (
    "{0} には追加のパッケージ（{1}）が要ります：pip install 'blackpoker[{2}]'",
    "{0} needs more packages ({1}): pip install 'blackpoker[{2}]'",
)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its exit code."""
    prepare_output()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = run(words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has closed it
        code = 0
    except OSError as error:
        lang = requested_language(words)
        code = print_error(in_lang(CANNOT_WRITE, lang, os_error_text(error, lang)), NO_OUTPUT)
    exit_with(code)


def exit_with(code: int) -> None:
    """Exit with this code. Output that cannot be flushed is discarded, because Python would report it again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Return the exit code of a command line; every `UsageError` becomes one line and exit code 2."""
    try:
        return dispatch(arguments)
    except UsageError as problem:
        return print_error(problem.text(requested_language(arguments)), MISTAKE)
    except KeyboardInterrupt:
        return STOPPED


def dispatch(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]):
        print(version())
        return 0
    if arguments[:1] == ["--complete"]:  # shell completion: the line so far, its last word unfinished
        from blackpoker.cli.completion import proposals

        print("\n".join(proposals(arguments[1:])))
        return 0
    from blackpoker.cli.command_line import command_group, find_command, parse

    if shared := command_group(arguments):
        from blackpoker.cli.usage import usage_of_group

        print(usage_of_group(shared, requested_language(arguments)))
        return 0
    command, left = find_command(arguments)
    if "--help" in left or "-h" in left:
        from blackpoker.cli.usage import usage

        print(usage(command, requested_language(arguments)))
        return 0
    values = parse(command, left)
    check_extra(command)
    import importlib

    done = getattr(importlib.import_module(command.module), command.function)(**values)
    return done if isinstance(done, int) else 0


def check_extra(command: Command) -> None:
    """Raise `UsageError` if an optional dependency of the command is missing."""
    from importlib.util import find_spec

    from blackpoker.cli.commands import EXTRAS

    missing = [name for name in EXTRAS.get(command.extra, ()) if find_spec(name) is None]
    if missing:
        raise UsageError(EXTRA_MISSING, f"blackpoker {command.name}".rstrip(), ", ".join(missing), command.extra)


def requested_language(arguments: list[str]) -> Lang:
    """Return the language of help and errors: ``--lang`` counts at any position, even in an invalid command line."""
    for place, word in enumerate(arguments):
        value = word.removeprefix("--lang=")
        if word == "--lang" and place + 1 < len(arguments):
            value = arguments[place + 1]
        if word.startswith("--lang") and value in ("ja", "en"):
            return language(value)
    return language()


def version() -> str:
    from blackpoker import __version__, _build, _native_library

    build = "compiled by mypyc" if _build.compiled() else "plain Python"
    build += ", native rules" if _native_library.native() else ", no native rules"
    return f"blackpoker {__version__} ({build}, Python {sys.version.split()[0]})\n{NOTICE}"
