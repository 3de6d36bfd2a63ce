"""What the tests of bots need of the machine: Node (the system's, or the one the page is built with), a Rust compiler."""

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
    """Node's path; empty where there is none and none can be had."""
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
