"""An edition: a named set of lists, formats, frames and options, as a value; and the registry of the rulebook's editions.

Games of several editions can run in one process. Local rules are derived editions: ``change``, ``add`` and ``remove``
return a new edition and leave the old one unchanged. A record names its edition with the hash of the definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from blackpoker.content.edition6 import EDITION6
from blackpoker.content.edition9 import EDITION9
from blackpoker.definitions.compiler import compile_rules
from blackpoker.definitions.model import Action, Character, Fog, Format, Lists, Trump
from blackpoker.engine.setup import STEP, TO_RARE
from blackpoker.engine.tables import STARTING_HAND, RuleTables
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset import edition9
from blackpoker.ruleset.tables import FORMATS, FRAMES, OPTIONS, FormatEntry, Frame, Option

Definition = Action | Character | Trump | Fog | FormatEntry | Frame | Option

#: the lists of an edition and the type of their entries
LISTS: Final[dict[str, type]] = {
    "actions": Action,
    "characters": Character,
    "trumps": Trump,
    "fogs": Fog,
    "formats": FormatEntry,
    "frames": Frame,
    "options": Option,
}
#: separator of the edition's name and those of its packages
NAME_SEPARATOR: Final = " + "
#: fields with texts only; they do not change the game
_TEXTS: Final = frozenset(
    ("ja", "en", "text_ja", "text_en", "short_ja", "short_en", "notes", "rulings", "aliases", "asks")
)


#: facts of an edition that are on or off
_SWITCHES: Final = ("turn_player_loses", "grave_piles")
#: parts of an edition that the hash names only if they are there: editions of before have the same hash
_LATER: Final = ("fogs", *_SWITCHES)


class EditionError(BlackPokerError, ValueError):
    """A change that an edition does not allow."""


@dataclass(frozen=True)
class Package:
    """Local rules and their metadata (``rules.toml``)."""

    id: str
    version: str
    ja: str
    en: str
    text_ja: str  # one line: its changes
    text_en: str
    base: str  # its base: an edition or a package
    authors: tuple[str, ...] = ()
    licence: str = ""

    @property
    def text(self) -> str:
        """The id and version, as written in records."""
        return f"{self.id} {self.version}"


@dataclass(frozen=True, eq=False, repr=False)
class Edition(Lists):
    """A named set of definitions, and everything a regulation is chosen from.

    >>> from blackpoker.ruleset import standard_edition
    >>> edition = standard_edition()
    >>> edition.name
    'act6.1+ex6.30.1'
    >>> cheap = edition.change("counter", cost="").rename("cheap counter")
    >>> cheap.find("counter").cost, edition.find("counter").cost
    ('', 'D')
    >>> cheap == edition, cheap.hash == edition.hash
    (False, False)
    """

    formats: tuple[FormatEntry, ...] = FORMATS
    frames: tuple[Frame, ...] = FRAMES
    options: tuple[Option, ...] = OPTIONS
    id: str = "6"  # of the edition it is or is made from: "6" or "9"
    turn_player_loses: bool = False  # if both lives are empty (N-091); else the game is drawn
    grave_piles: bool = False  # a grave has an order and always shows its top card (N-052); else R-211
    former_hashes: tuple[str, ...] = ()  # hashes of definitions with the same behaviour: their records stay readable
    packages: tuple[Package, ...] = ()  # the local rules in order; their names end the edition's name

    # -- what it is

    @cached_property
    def hash(self) -> str:
        """A hash of the definitions without their texts, the same on every build and Python version."""
        lists = [
            f"{name}: {definition_text(getattr(self, name))}"
            for name in (*LISTS, "faces", *_SWITCHES)
            if getattr(self, name) or name not in _LATER
        ]
        import hashlib  # slow import, rarely needed

        return hashlib.sha256("\n".join(lists).encode()).hexdigest()[:16]

    @property
    def text(self) -> str:
        """The name and the hash, as written in records."""
        return f"{self.name} {self.hash}"

    @property
    def is_standard(self) -> bool:
        """Return whether it is an edition of the rulebook, without local rules."""
        return any(self is edition for edition in editions().values())

    @property
    def prefix(self) -> str:
        """The beginning of the text of its regulations: ``9:``; empty for edition 6."""
        return "" if self.id == standard_edition().id else f"{self.id}:"

    def matches(self, text: str) -> bool:
        """Return whether a record with this edition text was played by these rules. Old records have the name alone."""
        if text == self.name and self is standard_edition():
            return True
        name, _, hash = text.rpartition(" ")
        return name == self.name and (hash == self.hash or hash in self.former_hashes)

    def mismatch_text(self, text: str) -> tuple[str, str]:
        """Return what is missing to replay a record of other rules, in Japanese and English."""
        shown = text[:200]
        name, _, _ = shown.rpartition(" ")
        wanted, here = name.split(NAME_SEPARATOR)[1:], [package.text for package in self.packages]
        missing = [package for package in wanted if package not in here]
        if missing:
            return (
                f"「{shown}」で遊ばれました。ローカルルール {'、'.join(missing)} が足りません（--rules で指定）",
                f"its edition is {shown!r}: {' and '.join(missing)} is missing; name it with --rules",
            )
        if name == self.name:
            return (
                f"「{shown}」で遊ばれましたが、ここの定義は違います（{self.hash}）",
                f"its edition is {shown!r}, the definitions of that name here are others ({self.hash})",
            )
        return (
            f"「{shown}」で遊ばれました。ここのルールは「{self.text}」です",
            f"its edition is {shown!r}, this one is {self.text!r}",
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Edition) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Edition {self.text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_standard:
            return edition_named, (self.id,)
        return _unpickle, (self.text, self._pickled)

    @cached_property
    def _pickled(self) -> bytes:
        import pickle

        return pickle.dumps(_packed(self))

    # -- others made from it

    def find(self, id: str, among: str = "") -> Any:
        """Return the definition with this id. ``among`` selects the list if two have it: a trump and its action."""
        return getattr(self, self._list_of(id, among))[self._index_of(id, among)]

    def find_frame(self, id: str) -> Frame | None:
        """Return the frame with this id, or None."""
        return next((frame for frame in self.frames if frame.id == id), None)

    def change(self, id: str, /, among: str = "", **changes: Any) -> Edition:
        """Return an edition with other fields in this definition; raise `EditionError` if a field does not exist."""
        name = self._list_of(id, among)
        place = self._index_of(id, among)
        entries = list(getattr(self, name))
        try:
            entries[place] = replace(entries[place], **changes)
        except TypeError:
            known = {field.name for field in fields(entries[place])}
            wrong = ", ".join(sorted(set(changes) - known))
            raise EditionError(f"{id}: there is no {wrong}; it has {', '.join(sorted(known))}") from None
        return self._with(name, entries)

    def add(self, *definitions: Definition) -> Edition:
        """Return an edition with these definitions, each at the end of its list; raise `EditionError` if an id
        exists."""
        edition = self
        for definition in definitions:
            name = next((name for name, kind in LISTS.items() if isinstance(definition, kind)), "")
            if not name:
                raise EditionError(f"{definition!r} is nothing an edition has")
            entries = list(getattr(edition, name))
            if any(entry.id == definition.id for entry in entries):
                raise EditionError(f"{definition.id} is there already; change it, or remove it first")
            edition = edition._with(name, [*entries, definition])
        return edition

    def remove(self, *ids: str, among: str = "") -> Edition:
        """Return an edition without these definitions."""
        edition = self
        for id in ids:
            name = edition._list_of(id, among)
            entries = [entry for entry in getattr(edition, name) if entry.id != id]
            edition = edition._with(name, entries)
        return edition

    def rename(self, name: str) -> Edition:
        """Return the same definitions under another name."""
        if not name.strip() or "\n" in name:
            raise EditionError("the name of an edition is one line")
        return replace(self, name=name.strip())

    def _with(self, name: str, entries: Sequence[Any]) -> Edition:
        """Return a copy with another list. A star marks its name until it is renamed."""
        changed: dict[str, Any] = {
            name: tuple(entries),
            "name": self.name if self.name.endswith("*") else self.name + "*",
        }
        return replace(self, former_hashes=(), **changed)

    def _list_of(self, id: str, among: str) -> str:
        if among and among not in LISTS:
            raise EditionError(f"{among!r} is no list; the lists are {', '.join(LISTS)}")
        found = [name for name in LISTS if among in ("", name) and any(e.id == id for e in getattr(self, name))]
        if not found:
            from difflib import get_close_matches  # imported here: only an unknown id needs it

            ids = [e.id for name in LISTS if among in ("", name) for e in getattr(self, name)]
            near = get_close_matches(id, ids, n=3, cutoff=0.6)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise EditionError(f"{id!r} is not in {among or 'this edition'}{hint}")
        if len(found) > 1:
            raise EditionError(f"{id!r} is in {' and '.join(found)}: say among which")
        return found[0]

    def _index_of(self, id: str, among: str) -> int:
        entries = getattr(self, self._list_of(id, among))
        return next(place for place, entry in enumerate(entries) if entry.id == id)


def definition_text(thing: Any) -> str:
    """Return a canonical text of a definition without its texts for players: fields by name, defaults omitted."""
    if isinstance(thing, int):  # compiled steps keep some names as numbers
        return repr(thing) if isinstance(thing, bool) else str(int(thing))
    if isinstance(thing, Enum):
        return f"{type(thing).__name__}.{thing.name}"
    if thing is None or isinstance(thing, str):
        return repr(thing)
    if isinstance(thing, (tuple, list)):
        return "[" + ",".join(definition_text(part) for part in thing) + "]"
    if is_dataclass(thing):
        parts = []
        for field in sorted(fields(thing), key=lambda field: field.name):
            value = getattr(thing, field.name)
            if field.name not in _TEXTS and (field.default is MISSING or value != field.default):
                parts.append(f"{field.name}={definition_text(value)}")
        return f"{type(thing).__name__}({','.join(parts)})"
    raise TypeError(f"{thing!r} cannot stand in a definition")


class _Packed(NamedTuple):
    """A definition in parts, for a pickle: compiled steps cannot be filled after construction."""

    made_by: type
    parts: dict[str, Any]


def _packed(thing: Any) -> Any:
    if is_dataclass(thing) and not isinstance(thing, type):
        return _Packed(type(thing), {field.name: _packed(getattr(thing, field.name)) for field in fields(thing)})
    return tuple(_packed(part) for part in thing) if isinstance(thing, tuple) else thing


def _unpacked(thing: Any) -> Any:
    if isinstance(thing, _Packed):
        return thing.made_by(**{name: _unpacked(part) for name, part in thing.parts.items()})
    return tuple(_unpacked(part) for part in thing) if isinstance(thing, tuple) else thing


#: unpickled editions by text, so that each is compiled only once
_UNPICKLED: dict[str, Edition] = {}


def _unpickle(text: str, pickled: bytes) -> Edition:
    if text not in _UNPICKLED:
        import pickle

        _UNPICKLED[text] = _unpacked(pickle.loads(pickled))
    return _UNPICKLED[text]


_STANDARD = Edition(
    EDITION6.name,
    actions=EDITION6.actions,
    characters=EDITION6.characters,
    trumps=EDITION6.trumps,
    faces=EDITION6.faces,
    former_hashes=(
        "1422cfbbba4ba375",  # before スラッシュ required an empty stage
        "3e2ac9bfc8f4e072",  # before a character's behaviour was separated from its text
    ),
)


_NINTH = Edition(
    EDITION9.name,
    actions=EDITION9.actions,
    characters=EDITION9.characters,
    trumps=EDITION9.trumps,
    faces=EDITION9.faces,
    fogs=EDITION9.fogs,
    formats=edition9.FORMATS,
    frames=edition9.FRAMES,
    options=(),
    id="9",
    turn_player_loses=True,
    grave_piles=True,
)
#: the editions of the rulebook by id, the first one is the default
_REGISTRY: Final = {edition.id: edition for edition in (_STANDARD, _NINTH)}


def standard_edition() -> Edition:
    """Return edition 6: base lists and Extra."""
    return _STANDARD


def editions() -> dict[str, Edition]:
    """Return the editions of the rulebook by id, oldest first."""
    return _REGISTRY


def edition_named(id: str = "") -> Edition:
    """Return the edition of the rulebook with this id, or the default one if it is empty; raise `EditionError` if there
    is none."""
    if not id:
        return _default
    if id not in _REGISTRY:
        raise EditionError(f"{id!r} is no edition; there are {' and '.join(_REGISTRY)}")
    return _REGISTRY[id]


_default = _STANDARD


def default_edition() -> Edition:
    """Return the edition used where none is named: the standard one, or the one set for this process."""
    return _default


def set_default_edition(edition: Edition) -> None:
    """Set the default edition of this process. A server calls this before it accepts clients."""
    global _default
    _default = edition


def edition_for_record(text: str) -> Edition:
    """Return the edition of a record if it is the default or one of the rulebook's, else the default one."""
    if _default.matches(text):
        return _default
    return next((edition for edition in editions().values() if edition.matches(text)), _default)


#: the edition of each set of compiled tables
_EDITIONS: dict[RuleTables, Edition] = {}
#: the actions that options added to each set of compiled tables
_ADDED: dict[RuleTables, tuple[str, ...]] = {}
#: the id of the frame that each set of compiled tables depends on; empty: none
_FRAMES: dict[RuleTables, str] = {}


@cache
def rules_of(
    edition: Edition,
    format: Format,
    options: tuple[str, ...] = (),
    most_trumps: int = 0,
    starting_hand: int = STARTING_HAND,
    frame: Frame | None = None,
) -> RuleTables:
    """Return the compiled tables; they are shared and never changed. ``frame`` is given if it brings definitions or a
    set-up of its own."""
    rules = compile_rules(edition, format, options, () if frame is None else frame.brings)
    rules.most_trumps = most_trumps
    rules.starting_hand = starting_hand
    rules.turn_player_loses = edition.turn_player_loses
    rules.grave_piles = edition.grave_piles
    if frame is not None:
        rules.setup = [one.step * STEP + one.number for one in frame.setup]
        rules.has_rare = frame.chosen(TO_RARE) > 0
    _EDITIONS[rules] = edition
    _ADDED[rules] = options
    _FRAMES[rules] = "" if frame is None else frame.id
    return rules


def edition_of(rules: RuleTables) -> Edition:
    """Return the edition from which these tables were compiled."""
    return _EDITIONS[rules]


def source_of(rules: RuleTables) -> tuple[Edition, str, tuple[str, ...], str]:
    """Return the edition, the format's id, the added actions and the frame's id from which these tables were
    compiled."""
    edition = _EDITIONS[rules]
    return edition, rules.name, _ADDED[rules], _FRAMES[rules]


def rules_again(edition: Edition, format: str, added: tuple[str, ...], frame: str) -> RuleTables:
    """Return the tables of ``source_of``."""
    entry = next(entry for entry in edition.formats if entry.format.id == format)
    framed = next((one for one in edition.frames if one.id == frame), None)
    return rules_of(edition, entry.format, added, entry.most_trumps, STARTING_HAND, framed)
