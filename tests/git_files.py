"""Files tracked by git, if this is a checkout and git is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def known_to_git(*others: str) -> list[str]:
    """Return the files known to git as paths below the root; an empty list for an unpacked sdist."""
    if shutil.which("git") is None:
        return []
    command = ["git", "ls-files", "-z", *others]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout.decode()
    return [name for name in listed.split("\0") if name]
