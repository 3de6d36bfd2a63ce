"""The terminal: tables on standard output, progress on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress


class Terminal(Console):
    """Rich's console, which leaves what to do about a closed pipe to the one who started the command."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """The terminal, or plain text where the output is none."""
    out = Terminal(highlight=False, soft_wrap=False, emoji=False)
    if not sys.stdout.isatty():
        out = Terminal(highlight=False, emoji=False, color_system=None, width=max(80, out.width))
    return out


def notes() -> Console:
    """What is shown while something runs, apart from its result; nothing where that is no terminal."""
    return Terminal(stderr=True, highlight=False, quiet=not sys.stderr.isatty())


def progress() -> Progress:
    """A bar on standard error; nothing where that is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=notes(), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
