"""The layout of a game in plain memory, derived from the declarations of the classes (``STORAGE``, ``AT_ONCE``)."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from blackpoker import determinization
from blackpoker.ai import evaluation as value
from blackpoker.ai import features, net, search
from blackpoker.ai.heuristics import (
    action_role,
    combat_action_roles,
    default_action_role,
    magic_action_roles,
    position_summary,
    unit_action_roles,
)
from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.action_roles import roles_of
from blackpoker.definitions.steps import CONDITIONS, PLAYERS, STEPS, VALUES
from blackpoker.definitions.values import ActionName, CharacterName, Words
from blackpoker.engine import flow, request, shuffler, state, tables
from blackpoker.engine.engine import Engine
from blackpoker.engine.request import Request
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import Side, Unit
from blackpoker.engine.tables import RuleTables

#: classes that form one structure, the state
STATE: Final = ("Flow", "State", "Engine")
BASES: Final[dict[str, tuple[type, ...]]] = {
    "Step": STEPS,
    "Value": VALUES,
    "Condition": CONDITIONS,
    "PlayerRef": PLAYERS,
}
_ROLE_MODULES: Final = (default_action_role, combat_action_roles, magic_action_roles, unit_action_roles)
#: every role; its index is its tag
ROLES: Final[tuple[type, ...]] = (
    Role,
    *(
        each
        for module in _ROLE_MODULES
        for _, each in sorted(vars(module).items())
        if isinstance(each, type) and issubclass(each, Role) and each is not Role
    ),
)
#: base classes of closed sets, called by tag
CLOSED: Final = {**BASES, "Role": ROLES}
#: classes that share a structure, and its name
FAMILY: Final = {
    **dict.fromkeys(STATE, "State"),
    "PositionSummary": "PositionSummary",
    "HeuristicScorer": "PositionSummary",
    **dict.fromkeys((each.__name__ for each in ROLES), "Role"),
}
#: every class in a step; its index is its tag
NODES: Final[tuple[type, ...]] = (*STEPS, *VALUES, *CONDITIONS, *PLAYERS, ActionName, CharacterName, Words)
TAGS: Final = {each.__name__: tag for tag, each in enumerate(NODES)}
#: stored types of the fields of a step: numbers, and references to its parts
NUMBERS: Final = ("i64", "bool")
PARTS: Final = ("Value", "Ref", "Condition", "PlayerRef", "Words", "ActionName", "CharacterName")
#: maximum number of fields of a step; with its tag a step then fills one cache line
SLOTS: Final = 7
_LINE: Final = 64

STORAGE: Final[dict[str, dict[str, str]]] = {
    **request.STORAGE,
    **shuffler.STORAGE,
    **tables.STORAGE,
    "Unit": state.STORAGE["Unit"],
    "Side": state.STORAGE["Side"],
    "State": {**flow.STORAGE["Flow"], **state.STORAGE["State"]},
    **action_role.STORAGE,
    **position_summary.STORAGE,
    **determinization.STORAGE,
    **value.STORAGE,
    **features.STORAGE,
    **net.STORAGE,
    **search.STORAGE,
}
AT_ONCE: Final[dict[str, int]] = {**request.AT_ONCE, **state.AT_ONCE, **tables.AT_ONCE, **action_role.AT_ONCE}
#: classes with pools inside a game, and those of the rules, which are constant
GAME_POOLS: Final = (*request.AT_ONCE, *state.AT_ONCE)
CONSTANT: Final = (*tables.STORAGE, "Role")
_POOLED: Final = (*tables.AT_ONCE, *action_role.AT_ONCE)
#: created by a search and stored by address
BY_ADDRESS: Final = ("Node",)

_INTS: Final[dict[str, tuple[str, Any]]] = {
    "i8": ("int8_t", ctypes.c_int8),
    "u8": ("uint8_t", ctypes.c_uint8),
    "i16": ("int16_t", ctypes.c_int16),
    "u16": ("uint16_t", ctypes.c_uint16),
    "i32": ("int32_t", ctypes.c_int32),
    "i64": ("int64_t", ctypes.c_int64),
    "bool": ("uint8_t", ctypes.c_uint8),
    "f64": ("double", ctypes.c_double),
    "Node": ("Node*", ctypes.c_void_p),
}


@dataclass(frozen=True)
class Type:
    """The type of a value. ``kind``: int, bool, float, none, absent, reported, state, ref (to ``of``), list (of
    ``elem``, stored as ``c``), row (of two or more objects inside their owner), table (numbers stored elsewhere)."""

    kind: str
    of: str = ""
    elem: Type | None = None
    c: str = ""
    fresh: bool = False  # a new list, not shared


INT: Final = Type("int")
BOOL: Final = Type("bool")
FLOAT: Final = Type("float")
NONE: Final = Type("none")


class Field(NamedTuple):
    name: str
    type: Type
    c: str  # its C++ declaration before the name
    end: str  # and after the name
    memory: Any  # its ctypes type


def width(cls: str) -> str:
    """Return the integer type of a stored reference; the highest value is None."""
    if cls in BY_ADDRESS:
        return cls
    return "u8" if AT_ONCE["Step" if cls in TAGS or cls in BASES else cls] <= 255 else "u16"


def reference(cls: str) -> Type:
    return Type("ref", cls)


def list_of(elem: Type, most: int, stored: str, constant: bool = False) -> Type:
    return Type("list", elem.of, elem, f"{'const ' if constant else ''}List<{_INTS[stored][0]}, {most}>")


_structures: dict[str, Any] = {}
_lists: dict[tuple[str, int], Any] = {}


def _list_memory(stored: str, most: int) -> Any:
    if (stored, most) not in _lists:
        parts = [("n", ctypes.c_uint8), ("at", _INTS[stored][1] * most)]
        _lists[stored, most] = type("List", (ctypes.Structure,), {"_fields_": parts})
    return _lists[stored, most]


class Grown(ctypes.Structure):
    """A list without a bound."""

    _fields_ = (("at", ctypes.c_void_p), ("n", ctypes.c_int32), ("room", ctypes.c_int32))


def _field(owner: str, name: str, declared: str) -> Field:
    most, _, what = declared.rpartition(" ")
    constant = owner in CONSTANT
    if what in ("absent", "reported"):
        return Field(name, Type(what), "", "", None)
    if most == "table":
        return Field(name, Type(most), f"const {_INTS[what][0]}*", "", ctypes.c_void_p)
    if most == "any":
        return Field(name, Type("list", what, reference(what), f"Grown<{what}>"), f"Grown<{what}>", "", Grown)
    if what in BY_ADDRESS:
        elem, stored = reference(what), what
    elif what in _INTS:
        elem, stored = {"bool": BOOL, "f64": FLOAT}.get(what, INT), what
    elif what in AT_ONCE:
        elem, stored = reference(what), width(what)
    elif what in BASES:
        elem, stored = reference(what), width("Step")
    elif what == "RuleTables":
        return Field(name, reference(what), "", "", None)  # not stored: reached through the tables
    elif most:
        return Field(name, Type("row", what), what, f"[{most}]", structure(what) * int(most))
    else:
        return Field(name, Type("part", what), what, "", structure(what))
    c, memory = _INTS[stored]
    if not most:
        return Field(name, elem, c, "", memory)
    return Field(
        name,
        list_of(elem, int(most), stored, constant),
        list_of(elem, int(most), stored).c,
        "",
        _list_memory(stored, int(most)),
    )


def _padding(parts: list[Any]) -> list[Field]:
    """Return the padding that makes an object of the rules fill cache lines, or divide one."""
    size = ctypes.sizeof(type("Parts", (ctypes.Structure,), {"_fields_": [(f"p{i}", p) for i, p in enumerate(parts)]}))
    wanted = -(-size // _LINE) * _LINE if size > _LINE else 1 << (size - 1).bit_length()
    return [Field("padding", NONE, "uint8_t", f"[{wanted - size}]", ctypes.c_uint8 * (wanted - size))][: wanted - size]


def _alignment(memory: Any) -> int:
    """Return the alignment with addresses of eight bytes: the order of fields must be the same on every machine."""
    if memory is ctypes.c_void_p:
        return 8
    if issubclass(memory, ctypes.Array):
        return _alignment(memory._type_)
    if issubclass(memory, ctypes.Structure):
        return max(_alignment(part[1]) for part in memory._fields_)
    return ctypes.alignment(memory)


FIELDS: dict[str, dict[str, Field]] = {}
#: the structures, in the order in which they are written
ORDER: list[str] = []


def structure(cls: str) -> Any:
    """Return the class as a ctypes structure: single fields before lists, the widest first. Fields of the rules keep
    the declared order, in which the most frequently read ones come first."""
    if cls not in _structures:
        found = [_field(cls, name, declared) for name, declared in STORAGE[cls].items()]
        FIELDS[cls] = {field.name: field for field in found}
        many = ("list", "row", "part")
        stored = sorted(
            (field for field in found if field.memory is not None),
            key=lambda field: (field.type.kind in many, cls not in tables.STORAGE and -_alignment(field.memory)),
        )
        if cls == "Role":
            stored.append(Field("tag", NONE, "uint8_t", "", ctypes.c_uint8))
        if cls in _POOLED:
            stored += _padding([field.memory for field in stored])
        if cls == "Search":
            stored.insert(0, Field("tree", NONE, "Tree*", "", ctypes.c_void_p))
        if cls == "State":
            stored = [
                Field("tables", NONE, "const Tables*", "", ctypes.c_void_p),
                Field("uses", NONE, "uint32_t*", "", ctypes.c_void_p),
                Field("tree", NONE, "Tree*", "", ctypes.c_void_p),
                Field("orders", NONE, "Orders*", "", ctypes.c_void_p),
                *(Field(f"free_{born}", NONE, "uint64_t", "", ctypes.c_uint64) for born in GAME_POOLS),
                Field("outgrown", NONE, "uint8_t", "", ctypes.c_uint8),
                *stored,
                *(
                    Field(f"pool_{born}", NONE, born, f"[{AT_ONCE[born]}]", structure(born) * AT_ONCE[born])
                    for born in GAME_POOLS
                ),
            ]
        _structures[cls] = type(
            cls, (ctypes.Structure,), {"_fields_": [(f.name, f.memory) for f in stored], "written": stored}
        )
        ORDER.append(cls)
    return _structures[cls]


class Part(ctypes.Structure):
    """A step, or a part of one."""

    _fields_ = (("a", ctypes.c_int64 * SLOTS), ("tag", ctypes.c_uint8))


_PLAYERS: Final = (
    *action_role.STORAGE,
    *position_summary.STORAGE,
    *determinization.STORAGE,
    *value.STORAGE,
    *features.STORAGE,
    *net.STORAGE,
    *search.STORAGE,
)
for _name in (*GAME_POOLS, "Shuffler", "Side", *tables.STORAGE, "State", *_PLAYERS):
    structure(_name)
State: Final[Any] = _structures["State"]
Reading: Final[Any] = _structures["PositionSummary"]
Node: Final[Any] = _structures["Node"]
Search: Final[Any] = _structures["Search"]
#: the widest first, so that all stay aligned to cache lines
_PARTS: Final = sorted(
    (
        ("rules", structure("RuleTables"), 1),
        *((f"pool_{each}", Part if each == "Step" else structure(each), AT_ONCE[each]) for each in _POOLED),
    ),
    key=lambda part: (part[2] == 1, -ctypes.sizeof(part[1])),
)
Tables: Final[Any] = type(
    "Tables",
    (ctypes.Structure,),
    {"_fields_": [(name, memory if n == 1 else memory * n) for name, memory, n in _PARTS]},
)


def declarations() -> str:
    """Return all structures as C++."""
    lines = [f"struct Part {{ int64_t a[{SLOTS}]; uint8_t tag; }};", "struct Tables;", "struct Tree;", "struct Orders;"]
    lines += [f"struct {cls};" for cls in BY_ADDRESS]
    for cls in ORDER:
        lines += [f"struct {cls} {{", *(f"  {f.c} {c_name(f.name)}{f.end};" for f in _structures[cls].written), "};"]
    lines += ["struct Tables {"]
    lines += [f"  {memory.__name__} {name}{'' if n == 1 else f'[{n}]'};" for name, memory, n in _PARTS]
    placed = [f"offsetof({cls}, {c_name(name)}), sizeof({cls}::{c_name(name)})," for cls, name in _all_fields()]
    return "\n".join([*lines, "};", "static const int64_t LAYOUT[] = {", *placed, "};", ""])


def _all_fields() -> Iterator[tuple[str, str]]:
    """Yield every field of every structure."""
    for cls in ORDER:
        yield from ((cls, field.name) for field in _structures[cls].written)
    yield from (("Tables", name) for name, _, _ in _PARTS)


def layout() -> list[int]:
    """Return the offset and size of every field, in the order of ``LAYOUT`` in C++."""
    numbers = []
    for cls, name in _all_fields():
        field = getattr(Tables if cls == "Tables" else _structures[cls], name)
        numbers += [field.offset, field.size]
    return numbers


#: our names that are keywords of C++
CPP_KEYWORDS: Final = frozenset(
    (
        "virtual",
        "new",
        "this",
        "auto",
        "register",
        "short",
        "default",
        "operator",
        "union",
        "and",
        "or",
        "not",
        "delete",
        "switch",
        "case",
        "double",
        "char",
        "public",
        "private",
    )
)


def c_name(name: str) -> str:
    return name + "_" if name in CPP_KEYWORDS else name


#: capacities of local lists of a function
MAX_NUMBERS: Final = 112
MAX_OBJECTS: Final = 64


def local_list(list_: Type) -> Type:
    """Return the type of a local list with these elements."""
    elem = list_.elem or INT
    most = MAX_NUMBERS if elem == INT or elem.of in BY_ADDRESS else MAX_OBJECTS
    return list_of(elem, most, "i32" if elem == INT else width(elem.of))


def annotated(node: ast.expr | None) -> Type:
    """Return the type of an annotation; a type that is not part of a game is absent."""
    text = "None" if node is None else ast.unparse(node)
    text = text.removesuffix(" | None")
    known = {"None": NONE, "i64": INT, "int": INT, "bool": BOOL, "float": FLOAT, **dict.fromkeys(STATE, Type("state"))}
    if text in known:
        return known[text]
    if FAMILY.get(text, text) in FIELDS or text in TAGS or text in BASES:
        return reference(text)
    if text.startswith("list[") and "list" not in text[5:]:
        elem = annotated(ast.parse(text[5:-1], mode="eval").body)
        if elem == INT or elem.of in AT_ONCE or elem.of in BY_ADDRESS:
            return local_list(Type("list", elem.of, elem))
    return Type("absent")


def collector() -> str:
    """Return the C++ functions that mark the units and requests in use and free the others."""
    lines: list[str] = []
    for born in GAME_POOLS:
        lines += [f"static void collect_{born}(State* S) {{", f"  uint64_t free = {2 ** AT_ONCE[born] - 1}ull;"]
        for owner, place in (("State", "S->"), ("Side", "S->sides[p].")):
            held: list[str] = []
            for each in FIELDS[owner].values():
                if each.type.of == born and each.type.kind == "list":
                    held.append(f"mark(free, {place}{each.name});")
                elif each.type == reference(born):
                    held.append(f"mark(free, {place}{each.name});")
            loop = "  for (int p = 0; p < 2; p++) {" if owner == "Side" else "  {"
            lines += [f"{loop} {' '.join(held)} }}"]
        lines += [f"  S->free_{born} = free;", "}"]
    lines += ["static inline void collect(State* S) {"]
    for born in GAME_POOLS:
        lines.append(f"  if (count_bits(S->free_{born}) < {AT_ONCE[born] * 5 // 8}) collect_{born}(S);")
    return "\n".join([*lines, "}"])


def number(value: float) -> str:
    if isinstance(value, int):
        return f"INT64_C({value})" if abs(value) >= 2**31 else f"{value}"
    return value.hex()


def c_type(type_: Type) -> str:
    if type_.kind == "ref":
        cls = FAMILY.get(type_.of, type_.of)
        part = cls in TAGS or cls in BASES
        return "const Part*" if part else f"{'const ' if cls in CONSTANT else ''}{cls}*"
    return {"int": "int64_t", "bool": "bool", "float": "double", "none": "void", "list": type_.c}[type_.kind]


def pool(cls: str) -> str:
    if cls in GAME_POOLS:
        return f"S->pool_{cls}"
    return "S->tables->pool_" + ("Step" if cls in TAGS or cls in BASES else cls)


def load_expression(type_: Type, c: str) -> str:
    """Return the C++ expression that loads a stored value."""
    if type_ == FLOAT or type_.of in BY_ADDRESS:
        return c
    if type_.kind == "ref":
        return f"(&{pool(type_.of)}[{c}])" if type_.of == "Step" else f"at({pool(type_.of)}, {c})"  # never None
    return f"({c} != 0)" if type_.kind == "bool" else f"(int64_t){c}"


def element_expression(type_: Type, c: str) -> str:
    """Return the C++ expression that loads an element of a list; only trumps can be None."""
    here = type_.kind == "ref" and type_.of != "CompiledTrump" and type_.of not in BY_ADDRESS
    return f"(&{pool(type_.of)}[{c}])" if here else load_expression(type_, c)


def store_expression(type_: Type, c: str) -> str:
    """Return the C++ expression that stores a value."""
    return f"place_of({pool(type_.of)}, {c})" if type_.kind == "ref" and type_.of not in BY_ADDRESS else c


# -- packing and unpacking ---------------------------------------------------------------------------------------------


class Outgrown(Exception):
    """A game or its rules exceed the capacity of the native memory; Python must play the game."""


def _fill(memory: Any, cls: str, thing: object, refer: Callable[[str, Any], int]) -> None:
    for field in _structures[cls].written:
        if field.type.kind in ("none",):
            continue
        default = (0,) if cls == "Role" else ()  # roles share one structure; none has all fields
        value: Any = getattr(thing, field.name, *default)
        match field.type.kind:
            case "float":
                setattr(memory, field.name, value)
            case "int" | "bool":
                setattr(memory, field.name, int(value))
                if getattr(memory, field.name) != value:
                    raise Outgrown(f"{cls}.{field.name} is {value}")
            case "table":
                setattr(memory, field.name, value.buffer_info()[0] if value else None)
            case "ref" | "list" if field.type.of in BY_ADDRESS:  # trees are not packed
                pass
            case "ref":
                setattr(memory, field.name, refer(field.type.of, value))
            case "list":
                place = getattr(memory, field.name)
                if len(value) > len(place.at):
                    raise Outgrown(f"{cls}.{field.name} holds {len(value)}")
                place.n = len(value)
                for index, each in enumerate(value):
                    place.at[index] = refer(field.type.of, each) if field.type.of else each
            case "row":
                for each, part in zip(getattr(memory, field.name), value, strict=True):
                    _fill(each, field.type.of, part, refer)
            case _:
                _fill(getattr(memory, field.name), field.type.of, value, refer)


class Packed:
    """The rules as memory, with the pools that packed games refer to."""

    def __init__(self, rules: RuleTables) -> None:
        self.rules = rules
        self._buffer = ctypes.create_string_buffer(ctypes.sizeof(Tables) + _LINE)
        self.memory = Tables.from_buffer(self._buffer, -ctypes.addressof(self._buffer) % _LINE)
        self._pools: dict[str, list[Any]] = {each: [] for each in _POOLED}
        self._places: dict[str, dict[int, int]] = {each: {} for each in _POOLED}
        for cls, things in (
            ("CompiledAction", rules.plans),
            ("CompiledCharacter", rules.kinds),
        ):  # pool position = index
            for each in things:
                self._enter(cls, each)
            self._fill_pool(cls)
        _fill(self.memory.rules, "RuleTables", rules, self.refer)
        for role_ in roles_of(rules):
            self.memory.pool_Role[self.refer("Role", role_)].tag = ROLES.index(type(role_))

    def _enter(self, cls: str, thing: Any) -> int:
        pool = self._pools[cls]
        if len(pool) == AT_ONCE[cls]:
            raise Outgrown(f"the rules have more than {AT_ONCE[cls]} of {cls}")
        self._places[cls][id(thing)] = len(pool)
        pool.append(thing)
        return len(pool) - 1

    def _fill_pool(self, cls: str) -> None:
        for index, each in enumerate(self._pools[cls]):
            _fill(getattr(self.memory, f"pool_{cls}")[index], cls, each, self.refer)

    def refer(self, cls: str, thing: Any) -> int:
        """Return the pool position of an object of the rules; a new object is added; raise `Outgrown` if it is full."""
        if thing is None:
            return 255 if width(cls) == "u8" else 65535
        if cls in BASES:
            return self.node(thing)
        found = self._places[cls].get(id(thing))
        if found is None:
            found = self._enter(cls, thing)
            _fill(getattr(self.memory, f"pool_{cls}")[found], cls, thing, self.refer)
        return found

    def node(self, thing: Any) -> int:
        found = self._places["Step"].get(id(thing))
        if found is None:
            if type(thing).__name__ not in TAGS:
                raise Outgrown(f"{type(thing).__name__} is a step of a package")
            found = self._enter("Step", thing)
            node = self.memory.pool_Step[found]
            node.tag = TAGS[type(thing).__name__]
            for place, each in enumerate(fields(thing)):
                part = getattr(thing, each.name)
                if isinstance(part, int):
                    node.a[place] = int(part)
                elif type(part).__name__ in TAGS:  # names and texts are not stored
                    node.a[place] = self.node(part)
        return found

    def fill(self, memory: Any, thing: Any) -> Any:
        """Write an object of a player to memory and return it."""
        _fill(memory, type(memory).__name__, thing, self.refer)
        return memory

    def pack(self, game: Engine) -> Any:
        """Return the game as memory; raise `Outgrown` if it exceeds the capacity."""
        memory = State()
        memory.tables = ctypes.addressof(self.memory)
        known: dict[str, dict[int, int]] = {born: {} for born in GAME_POOLS}
        for born in GAME_POOLS:
            setattr(memory, f"free_{born}", 2 ** AT_ONCE[born] - 1)

        def refer(cls: str, thing: Any) -> int:
            if cls not in known or thing is None:
                return self.refer(cls, thing)
            if id(thing) not in known[cls]:
                place = known[cls][id(thing)] = len(known[cls])
                if place >= AT_ONCE[cls]:
                    raise Outgrown(f"the game has more than {AT_ONCE[cls]} of {cls}")
                setattr(memory, f"free_{cls}", getattr(memory, f"free_{cls}") & ~(1 << place))
                _fill(getattr(memory, f"pool_{cls}")[place], cls, thing, refer)
            return known[cls][id(thing)]

        _fill(memory, "State", game, refer)
        return memory

    def unpack(self, memory: Any) -> Engine:
        """Return the game stored in memory."""
        made: dict[tuple[str, int], Any] = {}

        def thing(cls: str, place: int) -> Any:
            if place == (255 if width(cls) == "u8" else 65535):
                return None
            if cls not in GAME_POOLS:
                return self._pools[cls][place]
            if (cls, place) not in made:
                made[cls, place] = Unit(0, 0, 0, 0, 0, False) if cls == "Unit" else Request(0, 0, 0, False, False)
                read(made[cls, place], cls, getattr(memory, f"pool_{cls}")[place])
            return made[cls, place]

        def read(into: Any, cls: str, part: Any) -> None:
            for field in _structures[cls].written:
                stored = getattr(part, field.name)
                match field.type.kind:
                    case "int":
                        setattr(into, field.name, stored)
                    case "bool":
                        setattr(into, field.name, bool(stored))
                    case "ref":
                        setattr(into, field.name, thing(field.type.of, stored))
                    case "list":
                        values = stored.at[: stored.n]
                        of = field.type.of
                        setattr(into, field.name, [thing(of, each) for each in values] if of else values)

        sides = [Side([], [], [], []), Side([], [], [], [])]
        for side, part in zip(sides, memory.sides, strict=True):
            read(side, "Side", part)
        game = Engine(self.rules, sides, Shuffler(memory.source.state))
        read(game, "State", memory)
        return game
