"""Check that the hot modules use only the Python subset that can be translated (docs/architecture.md).

    python tools/hot.py [ROOT]

Print ``file:line: rule: what`` for every breach; return exit code 1 if there is one. ROOT is the folder of the package.
Only functions that a running game reaches are checked; texts, JSON and reports are in other modules.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from blackpoker._native_library import hot_modules

#: modules that may write zones and units
ATOMS = ("engine/atoms.py", "engine/zone_moves.py")
#: zones of a side and fields of a unit; methods of their own classes may copy them
ZONES = frozenset(
    (
        "life",
        "hand",
        "hand_count",
        "grave",
        "grave_top",
        "open_trumps",
        "trumps",
        "aside",
        "pack",
        "soldiers",
        "bulwarks",
        "fresh",
        "seen",
        "own_seen",
        "driven",
        "role",
        "blocks",
        "base",
        "lead",
    )
)
CHANGES = frozenset(("append", "pop", "remove", "insert", "extend", "clear", "reverse"))
#: entry points of a game; all functions they reach are checked
ENTRIES = frozenset(("push", "choose", "advance", "run", "take", "of", "holds", "player", "encode"))
#: write-only functions: no rule reads their results
REPORTS = frozenset(("emit",))
FIELD_TYPES = frozenset(
    (
        "i64",
        "bool",
        "Value",
        "Ref",
        "Condition",
        "PlayerRef",
        "Words",
        "ActionName",
        "CharacterName",
        "str",
        "tuple[str, ...]",
    )
)
BASES = {
    "Step": ("run", "take"),
    "Value": ("of",),
    "Condition": ("holds",),
    "PlayerRef": ("player",),
}
SIGNATURES = {
    "run": "self, s: State, request: Request -> bool",
    "take": "self, s: State, request: Request, option: i64 -> bool",
    "of": "self, s: State, request: Request -> i64",
    "holds": "self, s: State, request: Request -> bool",
    "player": "self, s: State, request: Request -> i64",
}
BANNED: dict[type[ast.AST], str] = {
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.DictComp: "a dict",
    ast.SetComp: "a set",
    ast.Lambda: "a closure",
    ast.GeneratorExp: "a generator",
    ast.Yield: "a generator",
    ast.YieldFrom: "a generator",
    ast.Try: "an exception",
    ast.JoinedStr: "a string",
    ast.Global: "a module variable",
    ast.Nonlocal: "a closure",
    ast.With: "a with",
    ast.Await: "await",
    ast.Starred: "a star",
}


UNWANTED = frozenset(("isinstance", "str", "dict", "set", "tuple", "float"))
#: modules that are called as module.function
QUALIFIED_MODULES = frozenset(("atoms", "zone_moves", "req", "setup"))


class Breach(NamedTuple):
    file: str
    line: int
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.what}"


class Module(NamedTuple):
    name: str
    tree: ast.Module


def modules(root: Path) -> list[Module]:
    return [Module(name, ast.parse((root / name).read_text(encoding="utf-8"))) for name in hot_modules("subset", root)]


def functions(module: Module) -> Iterator[ast.FunctionDef]:
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef))


def called(function: ast.FunctionDef) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                names.add(node.func.id)
            elif isinstance(node.func, ast.Attribute):
                names.add(node.func.attr)
    return names


def reachable(all_modules: list[Module]) -> set[str]:
    """Return the names of all functions that a running game may reach."""
    calls: dict[str, set[str]] = {}
    for module in all_modules:
        for function in functions(module):
            calls.setdefault(function.name, set()).update(called(function))
    found: set[str] = set()
    waiting = [name for name in ENTRIES if name in calls]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in REPORTS:
            found.add(name)
            waiting += [other for other in calls[name] if other in calls]
    return found


def check(root: Path) -> list[Breach]:
    """Return every breach, sorted by file."""
    all_modules = modules(root)
    names = reachable(all_modules)
    breaches: list[Breach] = []
    types: dict[str, str] = {}
    for module in all_modules:
        breaches += list(closed_classes(module, types))
        breaches += list(storage(module))
        for function in functions(module):
            breaches += list(zone_writes(module, function))
            if function.name in names and function.name != "__init__":
                breaches += list(body(module, function))
    breaches += list(recursion(all_modules, names))
    return sorted(set(breaches))


def closed_classes(module: Module, types: dict[str, str]) -> Iterator[Breach]:
    """Rules 1 to 3, for steps, values, conditions: one level, constant fields of known types, one type per name."""
    for node in module.tree.body:
        if not isinstance(node, ast.ClassDef) or not node.bases:
            continue
        base = ast.unparse(node.bases[0])
        if base not in BASES:
            if module.name.startswith("definitions/"):
                yield Breach(
                    module.name, node.lineno, "rule 1", f"{node.name} is no direct subclass of {', '.join(BASES)}"
                )
            continue
        if [ast.unparse(each) for each in node.decorator_list] != ["dataclass(frozen=True)"]:
            yield Breach(module.name, node.lineno, "rule 2", f"{node.name} is no frozen dataclass")
        methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
        if BASES[base][0] not in methods:
            yield Breach(
                module.name, node.lineno, "rule 1", f"{node.name} has no {BASES[base][0]}: it would do nothing"
            )
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                name, type_ = part.target.id, ast.unparse(part.annotation)
                if type_ not in FIELD_TYPES:
                    yield Breach(module.name, part.lineno, "rule 2", f"a field may not be {type_}")
                if types.setdefault(name, type_) != type_:
                    yield Breach(module.name, part.lineno, "rule 2", f"{name} is {types[name]} elsewhere, here {type_}")
        for method in methods.values():
            if method.name in BASES[base]:
                given = f"{ast.unparse(method.args)} -> {'' if method.returns is None else ast.unparse(method.returns)}"
                if given != SIGNATURES[method.name]:
                    yield Breach(module.name, method.lineno, "rule 1", f"{method.name} takes {SIGNATURES[method.name]}")
            for inner in ast.walk(method):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                    if ast.unparse(inner.value) == "self":
                        yield Breach(
                            module.name, inner.lineno, "rule 3", "a step is constant: what lasts stands in State"
                        )


def storage(module: Module) -> Iterator[Breach]:
    """Rules 5 and 6: every mutable field declares its width, every list its capacity."""
    tables = [
        node.value
        for node in module.tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "STORAGE" and node.value is not None
    ]
    if not tables:
        return
    table: dict[str, dict[str, str]] = ast.literal_eval(tables[0])
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and node.name in table:
            slots: tuple[str, ...] = next(
                ast.literal_eval(part.value)
                for part in node.body
                if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__slots__"
            )
            for name in sorted(set(slots) ^ set(table[node.name])):
                yield Breach(
                    module.name, node.lineno, "rule 6", f"{node.name}.{name} stands in one of slots and STORAGE only"
                )


def zone_writes(module: Module, function: ast.FunctionDef) -> Iterator[Breach]:
    """Yield state changes outside the atoms."""
    if module.name in ATOMS or function.name in ("__init__", "copy", "fill"):
        return
    for node in ast.walk(function):
        written: ast.expr | None = None
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            written = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            written = node.func.value
        if isinstance(written, ast.Attribute) and written.attr in ZONES:
            yield Breach(module.name, written.lineno, "atoms", f"{ast.unparse(written)} is written outside the atoms")


def body(module: Module, function: ast.FunctionDef) -> Iterator[Breach]:
    """Rules 5, 6, 8, 10, 11 inside one function."""
    excused = {
        id(inner)
        for node in ast.walk(function)
        if isinstance(node, ast.Raise | ast.Assert) or (isinstance(node, ast.If) and "log" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for default in function.args.defaults:
        if not isinstance(default, ast.Constant | ast.UnaryOp):
            yield Breach(module.name, function.lineno, "rule 8", "a default is a literal")
    for node in ast.walk(function):
        if id(node) in excused:
            continue
        line = getattr(node, "lineno", function.lineno)
        if type(node) in BANNED:
            yield Breach(module.name, line, "rule 10", f"{BANNED[type(node)]} in {function.name}")
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in (
                "isinstance",
                "str",
                "dict",
                "set",
                "tuple",
                "float",
            ):
                yield Breach(module.name, line, "rule 10", f"{node.func.id} in {function.name}")
            if node.keywords:
                yield Breach(module.name, line, "rule 8", f"a call by keyword in {function.name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield Breach(module.name, line, "rule 10", f"a float in {function.name}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not is_docstring(function, node):
            yield Breach(module.name, line, "rule 10", f"a string in {function.name}")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
            yield Breach(module.name, line, "rule 6", "a power of two is BIT[n]")
        elif isinstance(node, ast.AnnAssign):
            kind = ast.unparse(node.annotation)
            if "list[list" in kind or ("list[" in kind and "None" in kind):
                yield Breach(module.name, line, "rule 5", f"a list is never {kind}")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.ListComp):
            target = node.targets[0]
            if isinstance(target, ast.Name):
                yield Breach(module.name, line, "rule 5", f"{target.id} needs its type where it is made")


def is_docstring(function: ast.FunctionDef, node: ast.Constant) -> bool:
    first = function.body[0]
    return isinstance(first, ast.Expr) and first.value is node


def recursion(all_modules: list[Module], names: set[str]) -> Iterator[Breach]:
    """Rule 4, for plain functions: methods of closed classes may only call those of other kinds."""
    calls: dict[str, set[str]] = {}
    places: dict[str, tuple[str, int]] = {}
    for module in all_modules:
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                calls[node.name] = {
                    each.func.id if isinstance(each.func, ast.Name) else each.func.attr
                    for each in ast.walk(node)
                    if isinstance(each, ast.Call)
                    and isinstance(each.func, ast.Name | ast.Attribute)
                    and (isinstance(each.func, ast.Name) or ast.unparse(each.func.value) in QUALIFIED_MODULES)
                }
                places[node.name] = (module.name, node.lineno)
    for name in calls:
        waiting, seen = list(calls[name]), set()
        while waiting:
            other = waiting.pop()
            if other == name:
                yield Breach(*places[name], "rule 4", f"{name} comes back to itself")
                break
            if other in calls and other not in seen:
                seen.add(other)
                waiting += calls[other]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src" / "blackpoker"
    try:
        breaches = check(root)
    except (FileNotFoundError, SyntaxError) as reason:
        print(f"hot: {reason}", file=sys.stderr)
        return 2
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
