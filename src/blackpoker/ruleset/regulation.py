"""A regulation: format + frame (+ options), its text forms and its legality (R-204)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from blackpoker.engine.setup import MIN_LIFE
from blackpoker.engine.tables import STARTING_HAND, RuleTables
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset.edition import Edition, EditionError, default_edition, edition_named, editions, rules_of
from blackpoker.ruleset.tables import Entry, FormatEntry, Frame, Option


class RegulationError(BlackPokerError, ValueError):
    """Raised for a text that is no regulation, or for a combination that the tables forbid. ``cell`` is the table cell,
    e.g. ``("preset2", "lite")``; it is empty if the text itself is wrong."""

    def __init__(self, en: str, ja: str, cell: tuple[str, str] | tuple[()] = ()) -> None:
        super().__init__(en, ja)
        self.cell = cell


def _fold(text: str) -> str:
    """Return the text with width, case, spaces and dashes normalized."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if not c.isspace() and c not in "-_・")


@cache
def _names(edition: Edition) -> dict[str, FormatEntry | Frame | Option]:
    """Return every part of a regulation by each of its names."""
    entries: tuple[FormatEntry | Frame | Option, ...] = (*edition.formats, *edition.frames, *edition.options)
    return {_fold(name): entry for entry in entries for name in (entry.id, entry.ja, entry.en, *entry.aliases)}


@dataclass(frozen=True, repr=False)
class Regulation:
    """A legal regulation of an edition. Make one with ``parse`` or ``of``, which check it and raise `RegulationError`.

    >>> Regulation.parse("マスター+ランダム40+プリセット2")
    Regulation.parse('master+random40+preset2')
    """

    format: FormatEntry
    frame: Frame
    options: tuple[Option, ...] = ()
    edition: Edition = field(default_factory=default_edition)

    def __post_init__(self) -> None:
        _check(self.format, self.frame, self.options, self.edition)

    @classmethod
    def parse(cls, text: str, edition: Edition | None = None) -> Regulation:
        """Return the regulation of ``マスター+ランダム40+プリセット2+パック`` or ``master+random40+preset2+pack``, in any width and
        case. ``9:`` before it names the edition; without it ``edition`` or the default one is meant."""
        if not isinstance(text, str):
            raise RegulationError("a regulation must be text", "レギュレーションは文字列で書いてください")
        edition = default_edition() if edition is None else edition
        named, colon, rest = unicodedata.normalize("NFKC", text).rpartition(":")
        if colon and named.strip() != edition.id:
            try:
                edition = edition_named(named.strip())
            except EditionError:
                known = ", ".join(editions())
                raise RegulationError(
                    f"{named.strip()!r} is no edition; known are {known}", f"「{named.strip()}」という版はありません"
                ) from None
        named_by = _names(edition)
        parts = rest.replace("、", "+").split("+")
        formats: list[FormatEntry] = []
        frames: list[Frame] = []
        options: list[Option] = []
        for part in parts:
            entry = named_by.get(_fold(part))
            if entry is None:
                raise _unknown(part, text, edition)
            if isinstance(entry, FormatEntry):
                formats.append(entry)
            elif isinstance(entry, Frame):
                frames.append(entry)
            elif entry in options:
                raise RegulationError(f"the option {entry.en} is named twice", f"オプション「{entry.ja}」が2回あります")
            else:
                options.append(entry)
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
        return cls.of(formats[0], frames[0], *options, edition=edition)

    @classmethod
    def of(cls, format: FormatEntry, frame: Frame, *options: Option, edition: Edition | None = None) -> Regulation:
        """Return the regulation of these parts, with options in any order."""
        edition = default_edition() if edition is None else edition
        return cls(format, frame, tuple(option for option in edition.options if option in options), edition)

    @property
    def parts(self) -> tuple[Entry, ...]:
        return (self.format, self.frame, *self.options)

    @property
    def text(self) -> str:
        return self.edition.prefix + "+".join(entry.id for entry in self.parts)

    @property
    def text_ja(self) -> str:
        return "+".join(entry.ja for entry in self.parts)

    @property
    def text_en(self) -> str:
        return " + ".join(entry.en for entry in self.parts)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        other = "" if self.edition.is_standard else f", {self.edition!r}"
        return f"Regulation.parse({self.text!r}{other})"

    @property
    def preset(self) -> int:
        """The number of characters each player starts with."""
        return sum(option.preset for option in self.options)

    @property
    def pack(self) -> bool:
        return any(option.pack for option in self.options)

    @property
    def most_trumps(self) -> int:
        return self.format.most_trumps + self.frame.trumps

    @property
    def trumps_by(self) -> Entry:
        """The part that determines the number of trumps."""
        return self.frame if self.frame.setup else self.format

    @property
    def starting_hand(self) -> int:
        """The number of cards each player is dealt at set-up."""
        return STARTING_HAND

    @property
    def min_cards(self) -> int:
        """The least number of cards of a deck, besides trumps (R-190, N-121)."""
        if self.frame.setup:
            return self.frame.least
        return self.starting_hand + MIN_LIFE + self.preset

    def rules(self) -> RuleTables:
        """Return the compiled definitions: one shared object per format, set of option actions, and frame if it matters."""
        frame = self.frame if self.frame.setup or self.frame.brings else None
        actions = tuple(action for option in self.options for action in option.actions)
        most_trumps = 0 if self.frame.setup else self.most_trumps
        return rules_of(self.edition, self.format.format, actions, most_trumps, self.starting_hand, frame)


def _unknown(part: str, text: str, edition: Edition) -> RegulationError:
    if not part.strip():
        return RegulationError(f"a part of {text!r} is empty", f"「{text}」に空の部分があります")
    from difflib import get_close_matches  # imported here: only an unknown name needs it

    entries = (*edition.formats, *edition.frames, *edition.options)
    names = {name.casefold(): entry for entry in entries for name in (entry.id, entry.ja, entry.en)}
    near = [names[name] for name in get_close_matches(part.strip().casefold(), names, n=1, cutoff=0.6)]
    known = ", ".join(entry.id for entry in entries)
    return RegulationError(
        f"{part.strip()!r} is no format, frame or option; "
        + (f"did you mean {near[0].id}?" if near else f"known are {known}"),
        f"「{part.strip()}」というフォーマット・フレーム・オプションはありません。"
        + (f"もしかして：{near[0].ja}" if near else f"あるのは {known} です"),
    )


def _check(format: FormatEntry, frame: Frame, options: tuple[Option, ...], edition: Edition) -> None:
    if not format.allows(frame):
        frames = [one for one in edition.frames if format.allows(one)]
        formats = [one for one in edition.formats if one.allows(frame)]
        raise _forbidden(frame, format, "5.2", ("frame", "フレーム"), frames, formats)
    for option in options:
        for part, parts in ((format, edition.formats), (frame, edition.frames)):
            if not option.goes_with(part):
                fitting = [one for one in edition.options if one.goes_with(format) and one.goes_with(frame)]
                others = [one for one in parts if option.goes_with(one)]
                raise _forbidden(option, part, "5.3", ("option", "オプション"), fitting, others, (format, frame))
    for first, second in combinations(options, 2):
        if second.id in first.excludes or first.id in second.excludes:
            raise RegulationError(
                f"{first.en} and {second.en} exclude each other: choose one of them (R-197)",
                f"{first.ja}と{second.ja}は同時に使えません。どちらか1つを選んでください（R-197）",
                (first.id, second.id),
            )


def _forbidden(
    row: Frame | Option,
    column: FormatEntry | Frame,
    table: str,
    kind: tuple[str, str],
    fitting: Sequence[Entry],
    others: Sequence[Entry],
    together: tuple[Entry, ...] = (),
) -> RegulationError:
    """Return the error for a forbidden cell, with the legal alternatives: ``fitting`` for the row, ``others`` for the
    column."""
    with_en = " + ".join(entry.en for entry in together) or column.en
    with_ja = "+".join(entry.ja for entry in together) or column.ja
    fits_en = f"possible with {with_en}: {_listed(fitting, 'en')}" if fitting else f"{with_en} has no {kind[0]}s"
    fits_ja = (
        f"「{with_ja}」で使えるのは{_listed(fitting, 'ja')}"
        if fitting
        else f"「{with_ja}」で使える{kind[1]}はありません"
    )
    return RegulationError(
        f"the {kind[0]} {row.en} does not go with {column.en} (Table {table}, R-204): {fits_en}; {row.en} is for "
        f"{_listed(others, 'en')}",
        f"{kind[1]}「{row.ja}」は「{column.ja}」では使えません（表{table}、R-204）。{fits_ja}。「{row.ja}」を使えるのは"
        f"{_listed(others, 'ja')}",
        (row.id, column.id),
    )


def _listed(entries: Sequence[Entry], lang: str) -> str:
    if lang == "ja":
        return "、".join(entry.ja for entry in entries)
    return ", ".join(entry.en for entry in entries)


def all_regulations(edition: Edition | None = None) -> list[Regulation]:
    """Return every legal regulation of an edition, in the order of the tables."""
    edition = default_edition() if edition is None else edition
    found: list[Regulation] = []
    for format in edition.formats:
        for frame in edition.frames:
            for size in range(len(edition.options) + 1):
                for options in combinations(edition.options, size):
                    try:
                        found.append(Regulation(format, frame, options, edition))
                    except RegulationError:
                        continue
    return found


def all_known_regulations() -> list[Regulation]:
    """Return every legal regulation of every edition of the rulebook, those of the oldest edition first."""
    return [regulation for edition in editions().values() for regulation in all_regulations(edition)]
