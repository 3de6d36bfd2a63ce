"""Output in the terminal: tables on standard output, progress on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress


class Terminal(Console):
    """A rich console that leaves the handling of a closed pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return a console for standard output; plain text if that is not a terminal."""
    out = Terminal(highlight=False, soft_wrap=False, emoji=False)
    if not sys.stdout.isatty():
        out = Terminal(highlight=False, emoji=False, color_system=None, width=max(80, out.width))
    return out


def status_console() -> Console:
    """Return a console for progress on standard error; quiet if that is not a terminal."""
    return Terminal(stderr=True, highlight=False, quiet=not sys.stderr.isatty())


def progress() -> Progress:
    """Return a progress bar on standard error; disabled if that is not a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=status_console(),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
