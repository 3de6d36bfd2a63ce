"""Checks of a package: the error of a defect, value types, texts in both languages, texts that have become stale."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from blackpoker.definitions.model import Action, Character, Format, If, Trump, may_ask
from blackpoker.engine.cards import parse_card
from blackpoker.engine.step import Step
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset.decks import MIN_CARDS, DeckError, card_defects, parse_decks
from blackpoker.ruleset.edition import LISTS, Edition, definition_text
from blackpoker.ruleset.tables import CONSTRUCTED, FIXED, RANDOM, FormatEntry, Frame, Option

#: words of the notation
RESERVED = ("pass", "done", "p1", "p2", "life", "deck")
#: pairs of fields with the same text in Japanese and in English
LANGUAGES = (("ja", "en"), ("text_ja", "text_en"))
_NAMES = {str: "text in quotes", int: "a number", bool: "True or False", tuple: "a tuple: (…,)"}
LineOf = Callable[[str, str], tuple[Path, int]]


class PackageError(BlackPokerError):
    """A package that cannot be played: ``file:line: what is wrong; what would be right``."""

    def __init__(self, file: Path, line: int, en: str, ja: str = "") -> None:
        super().__init__(f"{file}:{line}: {_one_line(en)}", f"{file}:{line}: {_one_line(ja or en)}")
        self.file = file
        self.line = line


def _one_line(text: str) -> str:
    return " ".join(text.split())


def first_defect(definition: Any, edition: Edition) -> str:
    """Return the first defect of a definition, or "" if there is none."""
    return next((wrong for wrong in _defects(definition, edition)), "")


def _defects(definition: Any, edition: Edition) -> Iterator[str]:
    if not isinstance(definition.id, str) or not definition.id.replace("_", "a").isalnum():
        yield f"an id is letters, digits and _, not {definition.id!r}"
        return
    if definition.id in RESERVED or parse_card(definition.id) >= 0:
        yield f"{definition.id!r} means something else in the notation; take another id"
    yield from _wrong_values(definition)
    yield from _missing_languages(definition)
    if isinstance(definition, Action):
        yield from _question_defects(definition)
        for other in edition.actions:
            if other.id != definition.id and (other.ja == definition.ja or other.en == definition.en):
                yield f"{other.id} is called {other.ja!r} ({other.en}) too; each action has a name of its own"
    if isinstance(definition, Frame):
        yield from _frame_defects(definition)
    if isinstance(definition, FormatEntry):
        yield from _unknown(definition.frames, {frame.id for frame in edition.frames}, "frame")
    if isinstance(definition, Option):
        yield from _unknown(definition.formats, {entry.id for entry in edition.formats}, "format")
        yield from _unknown(definition.frames, {frame.id for frame in edition.frames}, "frame")
        yield from _unknown(definition.excludes, {option.id for option in edition.options}, "option")
        option_actions = {action.id for action in edition.actions if action.since is Format.OPTION}
        yield from _unknown(definition.actions, option_actions, "action with since=OPTION")


def _unknown(ids: tuple[str, ...], known: set[str], what: str) -> Iterator[str]:
    yield from (f"{id!r} is no {what} here" for id in ids if id not in known)


# -- values ------------------------------------------------------------------------------------------------------------


def _wrong_values(thing: Any) -> Iterator[str]:
    """Yield values of a type that their field does not accept. Steps check their own arguments."""
    # a compiled class annotates its fields with names that start at the package
    names = {**vars(sys.modules[type(thing).__module__]), "blackpoker": sys.modules["blackpoker"]}
    hints = typing.get_type_hints(type(thing), names)
    for field in fields(thing):
        value = getattr(thing, field.name)
        hint = hints.get(field.name, Any)
        if not _fits(value, hint):
            yield f"{field.name} of {type(thing).__name__} is {_type_text(hint)}, not {value!r}"[:300]
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part) and not isinstance(part, Step | type):
                yield from _wrong_values(part)


def _fits(value: Any, hint: Any) -> bool:
    origin = typing.get_origin(hint)
    if hint is Any:
        return True
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, part) for part in typing.get_args(hint))
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        parts = typing.get_args(hint)
        if parts[-1] is Ellipsis:
            return all(_fits(part, parts[0]) for part in value)
        return len(value) == len(parts) and all(_fits(part, kind) for part, kind in zip(value, parts, strict=True))
    if hint is int or getattr(hint, "__name__", "") == "i64":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) else True


def _type_text(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_type_text(part) for part in typing.get_args(hint))
    if origin is tuple:
        part = typing.get_args(hint)[0]
        return f"a tuple of {getattr(part, '__name__', part)}: (…,)"
    if hint is type(None):
        return "None"
    return _NAMES.get(hint) or f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}"


# -- texts -------------------------------------------------------------------------------------------------------------


def parts(thing: Any) -> Iterator[Any]:
    """Yield a definition and all its parts with texts for players."""
    if isinstance(thing, tuple):
        for part in thing:
            yield from parts(part)
    elif is_dataclass(thing) and not isinstance(thing, type | Step):
        yield thing
        for field in fields(thing):
            yield from parts(getattr(thing, field.name))


def _missing_languages(definition: Any) -> Iterator[str]:
    for part in parts(definition):
        names = {field.name for field in fields(part)}
        for ja, en in LANGUAGES:
            if ja in names and en in names:
                texts = getattr(part, ja), getattr(part, en)
                for text, language in zip(texts, ("Japanese", "English"), strict=True):
                    if not text.strip():
                        other = next((each for each in texts if each.strip()), "")
                        yield f"{type(part).__name__} has no {language} text beside {other!r}"
                if texts[0] == texts[1] and len(texts[0]) > 3:
                    yield f"the same text stands for both languages: {texts[0]!r}"


def _question_defects(action: Action) -> Iterator[str]:
    """Yield clauses of which the number of questions differs from the number of steps that may ask."""
    for clause in action.effect:
        asking = sum(may_ask(step) for step in _steps(clause.steps))
        if clause.asks and len(clause.asks) != asking:
            yield f"the clause {clause.en!r} has {len(clause.asks)} questions for {asking} steps that ask"


def _steps(steps: Any) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, If):
            yield from _steps(step.then)
            yield from _steps(step.otherwise)
        elif isinstance(step, Step):
            yield step


# -- frames ------------------------------------------------------------------------------------------------------------


def _frame_defects(frame: Frame) -> Iterator[str]:
    if frame.build not in (FIXED, RANDOM, CONSTRUCTED):
        yield f"build is 'fixed', 'random' or 'constructed', not {frame.build!r}"
    if frame.decks not in (1, 2):
        yield f"a frame has one deck or two, not {frame.decks}"
    cards = frame.cards.split()
    for card in cards:
        if parse_card(card) < 0:
            yield f"{card!r} is no card; one is written S5, H10, DK, CA or JK"
            return
    yield from (en for en, _ in card_defects([parse_card(card) for card in cards]))
    if cards and (frame.build != FIXED or frame.exactly != len(cards) or frame.most < len(cards)):
        yield f"it names {len(cards)} cards, so build is 'fixed', exactly={len(cards)} and most={len(cards)}"
    if min(frame.exactly or frame.most, len(cards) or MIN_CARDS) < MIN_CARDS:
        yield f"set-up needs at least {MIN_CARDS} cards (R-190)"
    if not 0 <= frame.exactly <= frame.most <= 54:
        yield f"exactly and most are numbers up to 54, exactly no more than most ({frame.exactly}, {frame.most})"
    if frame.built_in:
        try:
            parse_decks(frame.built_in.replace(f"frame: {frame.id}", ""))
        except DeckError as error:
            yield f"built_in: {error}"


# -- changes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """A definition before and after; None if it does not exist."""

    list: str
    id: str
    before: Any
    after: Any


def changes_between(before: Edition, after: Edition) -> tuple[Change, ...]:
    """Return every definition that differs, in the order of the lists."""
    found: list[Change] = []
    for name in LISTS:
        old = {entry.id: entry for entry in getattr(before, name)}
        new = {entry.id: entry for entry in getattr(after, name)}
        found += [Change(name, id, old.get(id), new.get(id)) for id in {**old, **new} if old.get(id) != new.get(id)]
    return tuple(found)


def stale_texts(changes: Sequence[Change], edition: Edition, line_of: LineOf) -> list[PackageError]:
    """Return an error for every text that is unchanged although its definition behaves differently, and for every text
    that mentions a removed or renamed definition. ``line_of`` finds the line of a definition and a word in it."""
    found: list[PackageError] = []
    for change in changes:
        for text, what, what_ja in _stale(change):
            file, line = line_of(change.id, f"'{text}'")
            found.append(
                PackageError(
                    file,
                    line,
                    f"{change.id}: {what}, but it still reads {text!r}; say what it does now",
                    f"{change.id}：{what_ja}のに「{text}」のままです。いまの働きを書いてください",
                )
            )
        if change.before is not None and getattr(change.after, "ja", "") != change.before.ja:
            for id, text in _mentions(edition, change):
                file, line = line_of(change.id, "")
                found.append(
                    PackageError(
                        file,
                        line,
                        f"{id} still speaks of {change.before.en} (「{change.before.ja}」): {text!r}; change it too",
                        f"{id} にまだ「{change.before.ja}」があります：{text}",
                    )
                )
    return found


def _stale(change: Change) -> Iterator[tuple[str, str, str]]:
    """Yield the unchanged texts of a changed definition with the part that has changed."""
    old, new = change.before, change.after
    if old is None or new is None:
        return
    if isinstance(new, Action):
        yield from _unchanged_texts(
            old.effect, new.effect, "steps", "the steps of this sentence have changed", "手順が変わった"
        )
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


def _unchanged_texts(
    old: tuple[Any, ...], new: tuple[Any, ...], field: str, what: str, ja: str
) -> Iterator[tuple[str, str, str]]:
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
