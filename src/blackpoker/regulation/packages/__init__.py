"""Local rules (ローカルルール): a folder with ``rules.toml`` and ``rules.py`` that makes an edition from an edition.

``load`` gives the edition of one or several packages, one on the other. Whatever is wrong with a package is one
``PackageError`` with file and line. A package is code: load only what you would run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from blackpoker.regulation.edition import Edition, standard_edition
from blackpoker.regulation.packages.faults import PackageError
from blackpoker.regulation.packages.package import Loaded, load_one

__all__ = ["Loaded", "PackageError", "load", "load_all"]


def load(paths: Sequence[str | Path]) -> Edition:
    """The standard edition with these packages on it, in their order; without any, the standard edition."""
    loaded = load_all(paths)
    return loaded[-1].edition if loaded else standard_edition()


def load_all(paths: Sequence[str | Path]) -> list[Loaded]:
    """The same, package by package, with what each of them changed."""
    loaded: list[Loaded] = []
    for path in paths:
        loaded.append(load_one(Path(path), loaded))
    return loaded
