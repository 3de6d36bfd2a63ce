"""A regulation: format + frame (+ options), its text forms and whether it is allowed (R-204, RULINGS 2.8)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from blackpoker.regulation.edition import rules_of
from blackpoker.regulation.tables import (
    EXCLUSIVE,
    FORMATS,
    FRAMES,
    FRAMES_OF_FORMAT,
    OPTION_FORMATS,
    OPTION_FRAMES,
    OPTIONS,
    Entry,
    FormatEntry,
    Frame,
    Option,
)
from blackpoker.rules.plan import Rules


class RegulationError(ValueError):
    """Text that is no regulation, or one that the tables forbid. ``cell`` names the table cell, e.g.
    ``("preset2", "lite")``; it is empty where the text itself is wrong."""

    def __init__(self, en: str, ja: str, cell: tuple[str, str] | tuple[()] = ()) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja
        self.cell = cell


def _fold(text: str) -> str:
    """One form for full and half width, upper and lower case, spaces and dashes."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if not c.isspace() and c not in "-_・")


_NAMES: dict[str, FormatEntry | Frame | Option] = {}
_ENTRIES: tuple[FormatEntry | Frame | Option, ...] = (*FORMATS, *FRAMES, *OPTIONS)
_IDS = [entry.id for entry in _ENTRIES]
for _entry in _ENTRIES:
    for _name in (_entry.id, _entry.ja, _entry.en, *_entry.aliases):
        _NAMES[_fold(_name)] = _entry


@dataclass(frozen=True)
class Regulation:
    """A legal regulation; make one with ``parse`` or ``of``, which check it."""

    format: FormatEntry
    frame: Frame
    options: tuple[Option, ...] = ()

    def __post_init__(self) -> None:
        _check(self.format, self.frame, self.options)

    @classmethod
    def parse(cls, text: str) -> Regulation:
        """From ``マスター+ランダム40+プリセット2+パック`` or ``master+random40+preset2+pack``, in any width and case."""
        parts = unicodedata.normalize("NFKC", text).replace("、", "+").split("+")
        formats: list[FormatEntry] = []
        frames: list[Frame] = []
        options: list[Option] = []
        for part in parts:
            named = _NAMES.get(_fold(part))
            if named is None:
                raise _unknown(part, text)
            if isinstance(named, FormatEntry):
                formats.append(named)
            elif isinstance(named, Frame):
                frames.append(named)
            elif named in options:
                raise RegulationError(f"the option {named.en} is named twice", f"オプション「{named.ja}」が2回あります")
            else:
                options.append(named)
        both: list[tuple[Sequence[Entry], str, str]] = [
            (formats, "format", "フォーマット"),
            (frames, "frame", "フレーム"),
        ]
        for found, en, ja in both:
            if len(found) != 1:
                names_en = " and ".join(entry.en for entry in found)
                names_ja = "と".join(entry.ja for entry in found)
                raise RegulationError(
                    f"a regulation has one {en}; {names_en + ' are' if found else 'none is'} named",
                    f"{ja}は1つです（{names_ja or 'ありません'}）",
                )
        return cls.of(formats[0], frames[0], *options)

    @classmethod
    def of(cls, format: FormatEntry, frame: Frame, *options: Option) -> Regulation:
        return cls(format, frame, tuple(option for option in OPTIONS if option in options))

    @property
    def parts(self) -> tuple[Entry, ...]:
        return (self.format, self.frame, *self.options)

    @property
    def text(self) -> str:
        return "+".join(entry.id for entry in self.parts)

    @property
    def text_ja(self) -> str:
        return "+".join(entry.ja for entry in self.parts)

    @property
    def text_en(self) -> str:
        return " + ".join(entry.en for entry in self.parts)

    def __str__(self) -> str:
        return self.text

    @property
    def preset(self) -> int:
        """How many characters a player starts with."""
        return sum(option.preset for option in self.options)

    @property
    def pack(self) -> bool:
        return any(option.id == "pack" for option in self.options)

    @property
    def most_trumps(self) -> int:
        return self.format.most_trumps

    def rules(self) -> Rules:
        """The compiled definitions; one object per format and set of option actions."""
        actions = tuple(action for option in self.options for action in option.actions)
        return rules_of(self.format.format, actions, self.format.most_trumps)


def _unknown(part: str, text: str) -> RegulationError:
    if not part.strip():
        return RegulationError(f"a part of {text!r} is empty", f"「{text}」に空の部分があります")
    known = ", ".join(_IDS)
    return RegulationError(
        f"{part.strip()!r} is no format, frame or option; known are {known}",
        f"「{part.strip()}」というフォーマット・フレーム・オプションはありません",
    )


def _check(format: FormatEntry, frame: Frame, options: tuple[Option, ...]) -> None:
    if frame.id not in FRAMES_OF_FORMAT[format.id]:
        raise _forbidden("frame", "フレーム", frame, format)
    for option in options:
        if format.id not in OPTION_FORMATS[option.id]:
            raise _forbidden("option", "オプション", option, format)
        if frame.id not in OPTION_FRAMES[option.id]:
            raise _forbidden("option", "オプション", option, frame)
    for first, second in EXCLUSIVE:
        chosen = [option for option in options if option.id in (first, second)]
        if len(chosen) > 1:
            raise RegulationError(
                f"{chosen[0].en} and {chosen[1].en} exclude each other (R-197)",
                f"{chosen[0].ja}と{chosen[1].ja}は同時に使えません（R-197）",
                (first, second),
            )


def _forbidden(kind_en: str, kind_ja: str, row: Frame | Option, column: FormatEntry | Frame) -> RegulationError:
    return RegulationError(
        f"the {kind_en} {row.en} does not go with {column.en}: table 2.8, row {row.en}, column {column.en} is x",
        f"{kind_ja}「{row.ja}」は「{column.ja}」と組み合わせられません（表2.8 {row.ja}×{column.ja}：x）",
        (row.id, column.id),
    )


def all_regulations() -> list[Regulation]:
    """Every legal regulation, in the order of the tables."""
    found: list[Regulation] = []
    for format in FORMATS:
        for frame in FRAMES:
            for size in range(len(OPTIONS) + 1):
                for options in combinations(OPTIONS, size):
                    try:
                        found.append(Regulation(format, frame, options))
                    except RegulationError:
                        continue
    return found
