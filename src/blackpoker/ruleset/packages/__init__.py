"""Local rules (ローカルルール): a folder with ``rules.toml`` and ``rules.py`` that derives an edition from another one.

``load`` returns the edition of one or several packages, each based on the one before. Any defect of a package raises a
``PackageError`` with file and line. A package is code: load only trusted packages.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from blackpoker.ruleset.edition import Edition, standard_edition
from blackpoker.ruleset.packages.loader import LoadedPackage, load_package
from blackpoker.ruleset.packages.validation import PackageError

__all__ = ["LoadedPackage", "PackageError", "load", "load_all"]


def load(paths: Sequence[str | Path]) -> Edition:
    """Return the standard edition with these packages applied in order; without packages, the standard edition
    itself."""
    loaded = load_all(paths)
    return loaded[-1].edition if loaded else standard_edition()


def load_all(paths: Sequence[str | Path]) -> list[LoadedPackage]:
    """Return each package of the list with its changes, applied in order."""
    loaded: list[LoadedPackage] = []
    for path in paths:
        loaded.append(load_package(Path(path), loaded))
    return loaded
