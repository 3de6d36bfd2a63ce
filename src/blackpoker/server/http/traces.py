"""Tracebacks of stored exceptions."""

from __future__ import annotations

import traceback


def clear_tracebacks(error: BaseException | None) -> None:
    """Clear the traceback of a stored exception. Its frames refer to the exception, and it to them: each forged cookie
    or broken handshake would leave a garbage cycle."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error.__traceback__ = None
        error = error.__context__
