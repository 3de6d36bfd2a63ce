"""Tools the bot tests need: Node (the system's or the page's build tool) and a Rust compiler."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"
PYTHON_LINES = f'exec:"{sys.executable} {EXAMPLES}/seeded_lines.py"'
CLASS = f"{EXAMPLES}/seeded.py:Bot"


@cache
def node() -> str:
    """Return the path of Node, or an empty string if there is none and none can be fetched."""
    build = runpy.run_path(str(ROOT / "web" / "build.py"))
    found = shutil.which("node")
    if found is not None:
        return found
    try:
        return str(build["packaged_node"]()[0][0])
    except (OSError, subprocess.CalledProcessError):
        return ""


@cache
def rustc() -> str:
    return shutil.which("rustc") or ""
