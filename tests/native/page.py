"""The package as a page loads it, for everything that is compared with a page."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"


def builder() -> Any:
    """web/static.py."""
    if str(ROOT / "web") not in sys.path:
        sys.path.insert(0, str(ROOT / "web"))
    return importlib.import_module("static")


def missing() -> str:
    """Why there is no package for a page; empty if there is."""
    if not PYODIDE.exists():
        return "Pyodide is not installed (make web)"
    if importlib.util.find_spec("ziglang") is None and not builder().ZIG.exists():
        return "the compiler for WebAssembly is not installed (web/static.py --compiler)"
    return ""


def package() -> bytes:
    """All of it, with its library, as a zip."""
    made = builder()
    return bytes(made.archive(made.package_files(every=True)))


def node() -> list[str]:
    made = builder()
    found: list[str] = (made.system_node() or made.packaged_node())[0]
    return found
