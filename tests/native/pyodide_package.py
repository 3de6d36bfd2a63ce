"""The package as a page loads it, for comparisons with a page."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"


def builder() -> Any:
    """Return the module web/static.py."""
    if str(ROOT / "web") not in sys.path:
        sys.path.insert(0, str(ROOT / "web"))
    return importlib.import_module("static")


def missing() -> str:
    """Return the reason why no package for a page can be built; empty if it can."""
    if not PYODIDE.exists():
        return "Pyodide is not installed (make web)"
    if importlib.util.find_spec("ziglang") is None and not builder().ZIG.exists():
        return "the compiler for WebAssembly is not installed (web/static.py --compiler)"
    return ""


def package() -> bytes:
    """Return the whole package with its library as a zip."""
    made = builder()
    return bytes(made.archive(made.package_files(every=True)))


def node() -> list[str]:
    made = builder()
    found: list[str] = (made.system_node() or made.packaged_node())[0]
    return found
