"""Which build of the engine is running: compiled by mypyc, or the same source interpreted; with native rules or not.

This module is always interpreted and imports nothing of the package.
"""

import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

PURE = bool(os.environ.get("BLACKPOKER_PURE"))

_PREFIX = __name__.rpartition(".")[0] + "."
_PACKAGE = Path(__file__).parent
#: the rules as machine code, for many games at a time (``make native``)
LIBRARY = _PACKAGE / "native" / "rules.native.so"
#: written into a package that is built (setup.py), never into the working tree
MADE_FROM = _PACKAGE / "native" / "made_from.txt"


class _PureFinder:
    """Finds modules of this package in their .py files, past any extension module beside them."""

    _folders: dict[str, FileFinder] = {}  # noqa: RUF012 - one per process, like sys.path_importer_cache

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not fullname.startswith(_PREFIX):
            return None
        for folder in path:
            finder = cls._folders.get(folder)
            if finder is None:
                finder = cls._folders[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
            spec = finder.find_spec(fullname, target)
            if spec is not None and spec.loader is not None:
                return spec
        return None

    @classmethod
    def invalidate_caches(cls) -> None:
        cls._folders.clear()


def install_pure_finder() -> None:
    """Load every module of the package that is imported from now on from its source."""
    if _PureFinder not in sys.meta_path:
        sys.meta_path.insert(0, _PureFinder)


def compiled() -> bool:
    """Whether the engine in use is the compiled one."""
    found = find_spec(_PREFIX + "rules.cards")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def fingerprint() -> str:
    """Of everything the native rules are made from: a library that was made from another source is not used. A package
    that was built carries it in a file, as it may come without its sources."""
    if MADE_FROM.exists():
        return MADE_FROM.read_text(encoding="utf-8")
    parts = [_PACKAGE / part for part in ("rules", "language", "language/steps", "thinking/heuristics", "native")]
    files = sorted(file for part in parts for file in part.iterdir() if file.suffix in (".py", ".h", ".cpp", ".cu"))
    files += [
        _PACKAGE / "thinking" / f"{name}.py"
        for name in ("features", "heuristic", "net", "policy", "search", "value", "worlds")
    ]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def native() -> bool:
    """Whether the native rules are there, made from these sources, and wanted."""
    if os.environ.get("BLACKPOKER_NATIVE") == "0" or not LIBRARY.exists():
        return False
    return fingerprint().encode() in LIBRARY.read_bytes()
