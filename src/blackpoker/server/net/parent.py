"""Processes we start leave with us, even if we are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def leave_with_parent() -> None:
    """Watch the process that started this one; when it is gone, ask this one to stop."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True, name="parent").start()
