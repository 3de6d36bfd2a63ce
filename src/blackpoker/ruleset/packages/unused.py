"""Stale texts: the behaviour of a definition has changed, but its text has not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from blackpoker.definitions.model import Action, Character, Trump
from blackpoker.ruleset.edition import LISTS, Edition, definition_text
from blackpoker.ruleset.packages.errors import PackageError
from blackpoker.ruleset.packages.validation import LANGUAGES, parts
from blackpoker.ruleset.packages.package import Change, LoadedPackage
from blackpoker.ruleset.tables import Frame, Option


def stale_texts(loaded: LoadedPackage) -> list[PackageError]:
    """Return an error for every such text, with its line."""
    found: list[PackageError] = []
    for change in loaded.changes:
        for text, what, what_ja in _stale(change):
            file, line = loaded.source.line_of(change.id, f"'{text}'")
            found.append(
                PackageError(
                    file, line,
                    f"{change.id}: {what}, but it still reads {text!r}; say what it does now",
                    f"{change.id}：{what_ja}のに「{text}」のままです。いまの働きを書いてください",
                )
            )  # fmt: skip
        if change.before is not None and getattr(change.after, "ja", "") != change.before.ja:
            for id, text in _mentions(loaded.edition, change):
                file, line = loaded.source.line_of(change.id)
                found.append(
                    PackageError(
                        file, line,
                        f"{id} still speaks of {change.before.en} (「{change.before.ja}」): {text!r}; change it too",
                        f"{id} にまだ「{change.before.ja}」があります：{text}",
                    )
                )  # fmt: skip
    return found


def _stale(change: Change) -> Iterator[tuple[str, str, str]]:
    """Yield the unchanged texts of a changed definition with the part that has changed."""
    old, new = change.before, change.after
    if old is None or new is None:
        return
    if isinstance(new, Action):
        yield from _unchanged_texts(old.effect, new.effect, "steps", "the steps of this sentence have changed", "手順が変わった")
        if old.target is not None and new.target is not None:
            yield from _unchanged_texts((old.target,), (new.target,), "", "its target has changed", "対象が変わった")
    elif isinstance(new, Character | Trump):
        yield from _unchanged_texts(old.abilities, new.abilities, "flag", "this ability has changed", "能力が変わった")
    elif isinstance(new, Frame | Option):
        same = {"id", "ja", "en", "aliases", "text_ja", "text_en"}
        if any(getattr(old, f.name) != getattr(new, f.name) for f in fields(new) if f.name not in same):
            for name in ("text_ja", "text_en"):
                if getattr(old, name) == getattr(new, name):
                    yield getattr(new, name), "it has changed", "内容が変わった"


def _unchanged_texts(old: tuple[Any, ...], new: tuple[Any, ...], field: str, what: str, ja: str) -> Iterator[tuple[str, str, str]]:
    """Yield texts that are in both versions with different behaviour."""
    for language in ("ja", "en"):
        before = {getattr(thing, language): _behaviour(thing, field) for thing in old}
        for thing in new:
            text = getattr(thing, language)
            if text in before and before[text] != _behaviour(thing, field):
                yield text, what, ja


def _behaviour(thing: Any, field: str) -> str:
    return definition_text(getattr(thing, field) if field else thing)


def _mentions(edition: Edition, change: Change) -> Iterator[tuple[str, str]]:
    """Yield texts of other definitions that mention a removed or renamed one."""
    names = {entry.ja for list in LISTS for entry in getattr(edition, list)}
    if change.before.ja in names:  # a trump and its action share their name
        return
    for list in LISTS:
        for definition in getattr(edition, list):
            for part in parts(definition):
                for ja, _ in LANGUAGES:
                    text = getattr(part, ja, "")
                    if f"「{change.before.ja}」" in text:
                        yield definition.id, text
