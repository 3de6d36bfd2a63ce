"""One package: its edition, its changes, and the checks that it can be played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blackpoker.definitions.model import Format
from blackpoker.definitions.compiler import DefinitionError
from blackpoker.definitions.literals import cards
from blackpoker.ruleset.edition import NAME_SEPARATOR, LISTS, Edition, Package, standard_edition
from blackpoker.ruleset.packages.errors import PackageError
from blackpoker.ruleset.packages.validation import first_defect
from blackpoker.ruleset.packages.manifest import NAME, read_manifest
from blackpoker.ruleset.packages.loader import PackageSource
from blackpoker.ruleset.regulation import all_regulations
from blackpoker.engine.cards import NAMES, members


@dataclass(frozen=True)
class Change:
    """A definition before and after; None if it does not exist."""

    list: str
    id: str
    before: Any
    after: Any


@dataclass(frozen=True)
class LoadedPackage:
    """A package, its base edition and the edition it makes."""

    package: Package
    source: PackageSource
    base: Edition
    edition: Edition
    changes: tuple[Change, ...]


def changes_between(before: Edition, after: Edition) -> tuple[Change, ...]:
    """Return every definition that differs, in the order of the lists."""
    found: list[Change] = []
    for name in LISTS:
        old = {entry.id: entry for entry in getattr(before, name)}
        new = {entry.id: entry for entry in getattr(after, name)}
        found += [Change(name, id, old.get(id), new.get(id)) for id in {**old, **new} if old.get(id) != new.get(id)]
    return tuple(found)


def load_package(folder: Path, below: list[LoadedPackage]) -> LoadedPackage:
    """Return a package applied on top of those ``below`` it; raise `PackageError` if it cannot be played."""
    package = read_manifest(folder)
    base = below[-1].edition if below else standard_edition()
    _check_base(folder, package, below)
    source = PackageSource(folder, package.id)
    made = source.run(base)
    changes = changes_between(base, made)
    _check_changes(source, package, changes, below)
    edition = replace(
        made, name=NAME_SEPARATOR.join((base.name, package.text)), packages=(*base.packages, package), former_hashes=()
    )
    _check_definitions(source, edition, changes)
    return LoadedPackage(package, source, base, edition, changes)


def _check_base(folder: Path, package: Package, below: list[LoadedPackage]) -> None:
    """Raise `PackageError` if the base edition is missing or the package is loaded twice."""
    ids = [loaded.package.id for loaded in below]
    if package.id in ids:
        raise PackageError(folder / NAME, 1, f"{package.id} is loaded already", f"{package.id} は読み込み済みです")
    standard = standard_edition().name
    if package.base not in (standard, *ids):
        lines = (folder / NAME).read_text(encoding="utf-8").splitlines()
        line = next((n for n, line in enumerate(lines, 1) if line.split("=")[0].strip() == "base"), 1)
        raise PackageError(
            folder / NAME, line,
            f"it stands on {package.base!r}, which is not here; here is {standard!r}, a package is named before it",
            f"「{package.base}」の上に立ちますが、ここにありません（ここの版は「{standard}」、土台のパッケージは先に指定）",
        )  # fmt: skip


def _check_changes(source: PackageSource, package: Package, changes: tuple[Change, ...], below: list[LoadedPackage]) -> None:
    """Raise `PackageError` if a package that is not the base changes the same definition."""
    for other in below:
        if other.package.id == package.base:
            continue
        theirs = {(change.list, change.id) for change in other.changes}
        for change in changes:
            if (change.list, change.id) in theirs:
                file, line = source.line_of(change.id)
                raise PackageError(
                    file, line,
                    f"{change.id!r} is changed by {other.package.id} too; leave one out, or say base = "
                    f"{other.package.id!r} in {NAME}",
                    f"{change.id} は {other.package.id} も変えています（片方をやめるか、{NAME} に base = "
                    f"\"{other.package.id}\" と書く）",
                )  # fmt: skip


def _lost_characters(before: Edition, after: Edition) -> Iterator[tuple[str, str]]:
    """Yield formats in which a card no longer makes a character: the format's name and the card."""
    for format in Format:
        old, new = (
            {card for one in edition.characters if one.since <= format for card in members(cards(one.made_by))}
            for edition in (before, after)
        )
        if old - new:
            yield format.id, NAMES[min(old - new)]


def _check_definitions(source: PackageSource, edition: Edition, changes: tuple[Change, ...]) -> None:
    """Raise `PackageError` if a changed definition is malformed or a regulation cannot be played."""
    for change in changes:
        wrong = "" if change.after is None else first_defect(change.after, edition)
        if wrong:
            raise PackageError(*source.line_of(change.id, wrong), f"{change.id}: {wrong}")
    try:
        for regulation in all_regulations(edition):
            regulation.rules()
    except DefinitionError as error:
        raise PackageError(*source.line_of(error.id, str(error)), str(error)) from None
    for format, lost in _lost_characters(standard_edition(), edition):
        gone = next((change.id for change in changes if change.list == "characters"), "")
        raise PackageError(
            *source.line_of(gone),
            f"in {format} nothing is made of {lost} any more; another character must be made_by it",
            f"{format} では {lost} から何も作れません（made_by に書いてください）",
        )
    if not all_regulations(edition):
        raise PackageError(
            source.file, source.line_of_name("edition"), "no format goes with any frame; one regulation is needed",
            "遊べるレギュレーションがありません",
        )  # fmt: skip
