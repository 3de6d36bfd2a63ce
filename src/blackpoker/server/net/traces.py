"""Errors that are kept."""

from __future__ import annotations

import traceback


def forget_way(error: BaseException | None) -> None:
    """An error that is kept where it was raised keeps every call on its way, and they keep it: a cycle that
    nobody frees for each forged cookie or broken handshake."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error.__traceback__ = None
        error = error.__context__
