"""Detection of the running build of the engine: compiled by mypyc, or the same source interpreted.

This module is always interpreted and imports nothing of the package and little else, because every start waits for it.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from types import ModuleType

PURE = bool(os.environ.get("BLACKPOKER_PURE"))

_PREFIX = __name__.rpartition(".")[0] + "."


class _PureFinder:
    """Finder of modules of this package in their .py files, past any extension module beside them."""

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
    """Return whether the engine in use is the compiled one."""
    found = find_spec(_PREFIX + "engine.cards")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
