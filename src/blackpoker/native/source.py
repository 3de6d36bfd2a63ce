"""Input of the translator: modules, their functions, and name resolution."""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Final

from blackpoker._native_library import hot_modules
from blackpoker.native.layout import (
    AT_ONCE,
    BOOL,
    CLOSED,
    FAMILY,
    FLOAT,
    INT,
    NONE,
    NUMBERS,
    PARTS,
    STATE,
    TAGS,
    Type,
    annotated,
    c_name,
    c_type,
    number,
    reference,
)

#: entry points of a game and of the players: module, class, function
ENTRIES: Final = (
    ("engine.engine", "Engine", "push"),
    ("engine.engine", "Engine", "advance"),
    ("determinization", "", "redeal"),
    ("engine.observation", "", "encode"),
    *(("ai.heuristic_player", "", name) for name in ("score_options", "may_err", "argmax", "is_wasted")),
    *(("ai.search", "Search", name) for name in ("find", "explore", "backpropagate", "due", "best")),
)
#: code before and after a function: unreferenced units and requests are freed first; an outgrown game ends; a shuffle
#: may be decided by the caller
WRAPPED: Final = {
    "State_push": ("  collect(S);", "  if (S->outgrown) S->winner = DRAW;"),
    "Shuffler_shuffle": ("  if (S->orders != nullptr) return decided(S, cards);", ""),
}
#: the function that only reports events, and the arguments that a report keeps
REPORT: Final = "emit"
REPORTED: Final = (1, 2, 5)
#: functions replaced by a few machine instructions
INSTRUCTIONS: Final = {
    ("engine/cards.py", "count"): "count_bits",
    ("engine/cards.py", "last_of"): "highest_bit",
    ("engine/observation.py", "mark"): "mark_cards",
    ("ai/features.py", "add_cards"): "add_cards",
    **{("ai/net.py", name): f"net_{name}" for name in ("value", "policy_query", "policy_logit", "heuristic_weight")},
}
#: constants used by the runtime
CONSTANTS: Final = {
    "engine.flow": ("UNDECIDED", "CHANCE", "DRAW"),
    "engine.events": ("DECLARED", "RESOLVING"),
    "engine.shuffler": ("_FACTOR",),
    "ai.heuristics.position_summary": ("NEVER",),
    "ai.net": (
        "UNITS",
        "INNER",
        "QUERY_SIZE",
        "MOST_SUM",
        "MOST_QUERY",
        "FIRST",
        "FIRST_BIAS",
        "SECOND",
        "SECOND_BIAS",
        "THIRD",
        "THIRD_BIAS",
        "QUERY",
        "QUERY_BIAS",
        "OPTION",
        "OPTION_BIAS",
        "SHOWN",
        "HEURISTIC_WEIGHT",
        "MOST_SCORE_GAP",
        "LOGISTIC",
    ),
}
STATE_TYPE: Final = Type("state")


class Untranslatable(Exception):
    """Code that cannot be translated: ``file:line: rule: what``."""

    def __init__(self, file: str, node: ast.AST, rule: str, what: str) -> None:
        super().__init__(f"{file}:{getattr(node, 'lineno', 0)}: {rule}: {what}: {ast.unparse(node).splitlines()[0]}")


@dataclass
class Function:
    source: Source
    node: ast.FunctionDef
    cls: str = ""
    params: list[tuple[str, Type]] = field(default_factory=list)
    returns: Type = NONE

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def c(self) -> str:
        owner = self.source.file.rsplit("/", 1)[-1][:-3] if not self.cls else self.cls
        return f"{'State' if owner in STATE else owner}_{self.name}"


class Source:
    """One module, with its definitions and imports."""

    def __init__(self, root: Path, module: str) -> None:
        self.module = module  # without the package
        self.file: str = module.replace(".", "/") + ".py"
        self.functions: dict[str, Function] = {}
        self.methods: dict[str, dict[str, Function]] = {}
        self.fields: dict[str, dict[str, tuple[int, str]]] = {}  # of a step: the index and type of each field
        self.imports: dict[str, tuple[str, str]] = {}
        tree = ast.parse((root / self.file).read_text(encoding="utf-8"), self.file)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("blackpoker."):
                for name in node.names:
                    self.imports[name.asname or name.name] = ((node.module or "")[11:], name.name)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = Function(self, node)
            elif isinstance(node, ast.ClassDef):
                parts = [part for part in node.body if isinstance(part, ast.FunctionDef)]
                annotated_fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
                self.fields[node.name] = {
                    ast.unparse(word.target): (place, ast.unparse(word.annotation))
                    for place, word in enumerate(annotated_fields)
                    if ast.unparse(word.annotation) in NUMBERS + PARTS
                }
                self.methods[node.name] = {part.name: Function(self, part, node.name) for part in parts}

    @property
    def imported_module(self) -> ModuleType:
        return importlib.import_module(f"blackpoker.{self.module}")


@dataclass(frozen=True)
class Named:
    """The meaning of a name in a module: a C++ expression and its type, a function, a class or a module."""

    c: str = ""
    type: Type = NONE
    function: Function | None = None
    cls: str = ""
    source: Source | None = None


class Program:
    """All code that a game reaches."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sources: dict[str, Source] = {}
        self.required: dict[str, Function] = {}
        self.switches: dict[tuple[str, str], Function] = {}
        self.lists: dict[str, list[int] | list[float]] = {}
        self.refusals: list[str] = []
        for name in hot_modules("classes", root):
            self.source(name.removesuffix(".py").replace("/", "."))

    def source(self, module: str) -> Source:
        if module not in self.sources:
            found = self.sources[module] = Source(self.root, module)
            for each in (*found.functions.values(), *(m for them in found.methods.values() for m in them.values())):
                self.add_signature(each)
        return self.sources[module]

    def slots(self, cls: str) -> dict[str, tuple[int, str]]:
        return next((source.fields[cls] for source in self.sources.values() if cls in source.fields), {})

    def add_signature(self, function: Function) -> None:
        owner = function.cls
        for each in function.node.args.args:
            given = annotated(each.annotation)
            if each.arg == "self" and owner:
                given = STATE_TYPE if owner in STATE else reference(owner)
            function.params.append((each.arg, given))
        function.returns = annotated(function.node.returns)

    def method(self, cls: str, name: str) -> Function | None:
        family = [other for other, name_ in FAMILY.items() if name_ == FAMILY[cls]] if cls in FAMILY else [cls]
        for each in [cls, "Role"] if "Role" in family else reversed(family):
            for source in self.sources.values():
                if name in source.methods.get(each, {}):
                    return source.methods[each][name]
        return None

    def resolve(self, source: Source, name: str) -> Named | None:
        """Return the meaning of a name in a module; None if it has none for the translator."""
        if name in source.functions:
            return Named(function=source.functions[name])
        if name in source.methods:
            return Named(cls=name)
        if name in source.imports:
            module, original = source.imports[name]
            inner = f"{module}.{original}"
            if (self.root / (inner.replace(".", "/") + ".py")).exists():
                return Named(source=self.source(inner))
            return self.resolve(self.source(module), original)
        value = getattr(source.imported_module, name, None)
        if isinstance(value, bool):
            return Named("true" if value else "false", BOOL)
        if isinstance(value, int):
            return Named(number(int(value)), INT)
        if isinstance(value, list) and value and all(type(each) is type(value[0]) for each in value):
            if isinstance(value[0], int | float) and self.lists.setdefault(name, value) == value:
                return Named(f"LIST_{name}", Type("numbers", "", FLOAT if isinstance(value[0], float) else INT))
        if type(value).__name__ in TAGS and not self.slots(type(value).__name__):
            return Named("((const Part*)nullptr)", reference(type(value).__name__))
        return None

    def require(self, function: Function) -> str:
        self.required.setdefault(function.c, function)
        return function.c

    def require_switch(self, base: str, name: str) -> Function | None:
        first = self.method(base, name)
        if first is not None and (base, name) not in self.switches:
            self.switches[base, name] = first
            for each in CLOSED[base]:
                inner = self.method(each.__name__, name)
                if inner is not None:
                    self.require(inner)
        return first

    def switch(self, base: str, name: str, first: Function) -> tuple[str, str]:
        """Return the head and body of the function that dispatches a method of a closed class by tag."""
        given = [(c_name(each), type_) for each, type_ in first.params[1:] if type_.kind != "state"]
        head = f"static {c_type(first.returns)} any_{base}_{name}({', '.join(['State* S', f'{c_type(reference(base))} self'] + [f'{c_type(type_)} {each}' for each, type_ in given])})"  # noqa: E501
        arguments = ", ".join(["S", "self", *(each for each, _ in given)])
        cases = [
            f"    case {TAGS.get(each.__name__, place)}: return {inner.c}({arguments});"
            for place, each in enumerate(CLOSED[base])
            if (inner := self.method(each.__name__, name)) is not None
        ]
        return head, "\n".join(["  switch (self->tag) {", *cases, "  }", "  outgrow(S);", "  return {};", ""])

    def constants(self) -> str:
        lines: list[str] = []
        for module, names in CONSTANTS.items():
            for name in names:
                value = getattr(self.source(module).imported_module, name)
                if isinstance(value, list):
                    self.lists[name] = value
                else:
                    lines.append(f"constexpr int64_t {name.strip('_')} = {number(value)};")
        lines.append(f"constexpr int64_t PLANS = {AT_ONCE['CompiledAction']};")
        lines.append(f"constexpr int64_t OBSERVATION = {self.source('engine.observation').imported_module.SIZE};")
        for name, values in sorted(self.lists.items()):
            small = all(isinstance(each, int) and 0 <= each < 256 for each in values)
            c = "double" if isinstance(values[0], float) else "uint8_t" if small else "int64_t"
            lines.append(f"static const {c} LIST_{name}[] = {{{', '.join(number(each) for each in values)}}};")
        return "\n".join(lines)
