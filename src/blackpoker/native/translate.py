"""Translator from the Python subset of the hot modules to C++ (docs/guide/native.md). No rule is written twice.

A hidden argument, ``S``, is the whole game. Code that cannot be translated is refused with file, line and rule.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Final

import blackpoker
from blackpoker.native.layout import (
    BASES,
    BOOL,
    BY_ADDRESS,
    CLOSED,
    CONSTANT,
    FAMILY,
    FIELDS,
    FLOAT,
    GAME_POOLS,
    INT,
    NONE,
    NUMBERS,
    STATE,
    TAGS,
    Type,
    annotated,
    c_name,
    c_type,
    collector,
    declarations,
    element_expression,
    load_expression,
    local_list,
    number,
    pool,
    reference,
    store_expression,
)
from blackpoker.native.source import (
    ENTRIES,
    INSTRUCTIONS,
    REPORT,
    REPORTED,
    WRAPPED,
    Function,
    Named,
    Program,
    Source,
    Untranslatable,
)

_OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.RShift: ">>",
    ast.Div: "/",
}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


Expression = tuple[str, Type]


class Writer:
    """Translator of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        self.types: dict[str, Type] = dict(function.params)
        self.pointers: set[str] = set()
        self.declared: list[str] = []
        self.lines: list[str] = []
        self.depth: int = 1
        self.name_count: int = 0

    def refuse(self, node: ast.AST, rule: str, what: str) -> Untranslatable:
        return Untranslatable(self.function.source.file, node, rule, what)

    def out(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def new_name(self, name: str) -> str:
        self.name_count += 1
        return f"{name}_{self.name_count}"

    def write(self) -> tuple[str, str]:
        function = self.function
        making = function.name == "__init__"
        given = ["State* S"]
        templates: list[str] = []
        for name, type_ in function.params:
            if type_.kind in ("state", "absent") or (making and name == "self"):
                continue
            if type_.kind == "list":
                templates.append(f"L{len(templates)}")
                given.append(f"{templates[-1]}& {c_name(name)}")
            else:
                given.append(f"{c_type(type_)} {c_name(name)}")
        self.block(function.node.body, 0)
        returns = f"{function.cls}*" if making else c_type(function.returns)
        head = f"static {returns} {function.c}({', '.join(given)})"
        if templates:
            head = f"template <{', '.join('class ' + each for each in templates)}> {head}"
        first = [f"  {function.cls}* self = make_{function.cls}(S);"] if making else []
        last = ["  return self;"] if making else ["  __builtin_unreachable();"] if returns != "void" else []
        if function.c in WRAPPED:
            first, last = [[each] for each in WRAPPED[function.c]]
        return head, "".join(line + "\n" for line in (*first, *self.declared, *self.lines, *last))

    # -- expressions ---------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Expression:
        handler: Callable[[ast.expr], Expression] | None = getattr(self, f"value_{type(node).__name__}", None)
        if handler is None:
            raise self.refuse(node, "rule 10", f"no {type(node).__name__} in hot modules")
        return handler(node)

    def value_Constant(self, node: ast.Constant) -> Expression:
        if node.value is None:
            return "nullptr", NONE
        if isinstance(node.value, bool):
            return ("true" if node.value else "false"), BOOL
        if isinstance(node.value, int | float):
            return number(node.value), INT if isinstance(node.value, int) else FLOAT
        raise self.refuse(node, "rule 10", f"no {type(node.value).__name__} in hot modules")

    def value_Name(self, node: ast.Name) -> Expression:
        type_ = self.types.get(node.id)
        if type_ is None:
            return self.named(node, self.program.resolve(self.function.source, node.id))
        if type_.kind == "state":
            return "S", type_
        return (f"(*{c_name(node.id)})" if node.id in self.pointers else c_name(node.id)), type_

    def named(self, node: ast.expr, found: Named | None) -> Expression:
        if found is None or not found.c:
            raise self.refuse(node, "rule 8", "a name that is no constant")
        return found.c, found.type

    def value_Attribute(self, node: ast.Attribute) -> Expression:
        source = self.module(node.value)
        if source is not None:
            return self.named(node, self.program.resolve(source, node.attr))
        c, type_ = self.value(node.value)
        family = FAMILY.get(type_.of, type_.of)
        if type_.kind == "ref" and (family in TAGS or family in BASES):
            place, what = self.program.slots(type_.of).get(node.attr, (-1, ""))
            if place < 0:
                raise self.refuse(node, "rule 2", f"{type_.of} has no such number or part")
            stored_as = f"{c}->a[{place}]"
            if what in NUMBERS:
                return (stored_as, INT) if what == "i64" else (f"({stored_as} != 0)", BOOL)
            return f"(&{pool(what)}[{stored_as}])", reference(what)
        owner = "State" if type_.kind == "state" else family
        found = FIELDS[owner].get(node.attr) if type_.kind in ("state", "ref") else None
        if found is None:
            raise self.refuse(node, "rule 6", f"no such field of {owner or type_.kind}")
        place_c = f"{c}->{c_name(node.attr)}"
        match found.type.kind:
            case "absent" | "reported":
                return "nullptr", found.type
            case "ref" if found.type.of == "RuleTables":
                return "(&S->tables->rules)", found.type
            case "part":
                return f"(&{place_c})", reference(found.type.of)
            case "list" | "row":
                return place_c, found.type
        return load_expression(found.type, place_c), found.type

    def module(self, node: ast.expr) -> Source | None:
        if isinstance(node, ast.Name) and node.id not in self.types:
            found = self.program.resolve(self.function.source, node.id)
            return None if found is None else found.source
        return None

    def value_Subscript(self, node: ast.Subscript) -> Expression:
        if isinstance(node.slice, ast.Slice):
            c, type_ = self.value(node.value)
            if type_.kind != "list" or node.slice.lower or node.slice.upper or node.slice.step:
                raise self.refuse(node, "rule 5", "of slices only the whole list")
            return c, Type("list", type_.of, type_.elem, type_.c.removeprefix("const "), True)
        if ast.unparse(node.value) == "LOW" and isinstance(node.slice, ast.BinOp):  # the number of the only bit
            return f"lowest_bit({self.value(node.slice.left)[0]})", INT
        c, type_ = self.value(node.value)
        index = self.value(node.slice)[0]
        if index == "(-1)":
            index = f"{c}.n - 1"
        if type_.kind == "row":
            return f"(&{c}[{index}])", reference(type_.of)
        if type_.kind == "numbers":
            return load_expression(type_.elem or INT, f"{c}[{index}]"), type_.elem or INT
        if type_.kind != "list" or type_.elem is None:
            raise self.refuse(node, "rule 5", "an index of what is no list")
        if c in ("(&S->tables->rules)->plans", "(&S->tables->rules)->kinds"):  # the list is the pool itself
            return f"(&{pool(type_.of)}[{index}])", type_.elem
        return element_expression(type_.elem, f"{c}.at[{index}]"), type_.elem

    def value_BinOp(self, node: ast.BinOp) -> Expression:
        left, left_type = self.value(node.left)
        right, right_type = self.value(node.right)
        if type(node.op) not in _OPERATORS:
            raise self.refuse(node, "rule 6", "an operator that is not translated")
        kinds = {left_type.kind, right_type.kind}
        if kinds - {"int", "bool"} and kinds != {"float"}:
            raise self.refuse(node, "rule 6", f"{left_type.kind} and {right_type.kind} are no numbers")
        if isinstance(node.op, ast.Div) != (kinds == {"float"}) and isinstance(
            node.op, ast.Div | ast.FloorDiv | ast.Mod
        ):
            raise self.refuse(node, "rule 6", "/ is for floats, // and % for integers")
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and self.function.source.module.startswith("ai."):
            return f"{'rest' if isinstance(node.op, ast.Mod) else 'share'}_of({left}, {right})", INT  # may be negative
        return f"({left} {_OPERATORS[type(node.op)]} {right})", FLOAT if kinds == {"float"} else INT

    def value_UnaryOp(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            truth = self.truth(node.operand)
            return {"true": "false", "false": "true"}.get(truth, f"(!{truth})"), BOOL
        c, type_ = self.value(node.operand)
        return f"({'-' if isinstance(node.op, ast.USub) else '~'}{c})", FLOAT if type_ == FLOAT else INT

    def value_BoolOp(self, node: ast.BoolOp) -> Expression:
        both = isinstance(node.op, ast.And)
        decides, leaves = ("false", "true") if both else ("true", "false")
        parts = [part for part in map(self.truth, node.values) if part != leaves]
        if decides in parts:
            return decides, BOOL
        return (f"({(' && ' if both else ' || ').join(parts)})" if parts else leaves), BOOL

    def truth(self, node: ast.expr) -> str:
        c, type_ = self.value(node)
        how = {"bool": c, "int": f"({c} != 0)", "list": f"({c}.n != 0)", "ref": f"({c} != nullptr)", "absent": "false"}
        if type_.kind in how:
            return how[type_.kind]
        raise self.refuse(node, "rule 11", f"{type_.kind} is neither true nor false")

    def value_Compare(self, node: ast.Compare) -> Expression:
        if len(node.ops) != 1:
            raise self.refuse(node, "rule 10", "a chain of comparisons")
        left, left_type = self.value(node.left)
        right, right_type = self.value(node.comparators[0])
        operator = node.ops[0]
        if isinstance(operator, ast.Is | ast.IsNot):
            same = isinstance(operator, ast.Is)
            if left_type.kind in ("absent", "reported"):  # absent: always None; reported: never None
                return ("true" if same == (left_type.kind == "absent") else "false"), BOOL
            if left_type.kind != "ref":
                raise self.refuse(node, "rule 11", "None is only for units, requests and plans")
            return f"({left} {'==' if same else '!='} {right})", BOOL
        if isinstance(operator, ast.In | ast.NotIn):
            if right_type.kind != "list":
                raise self.refuse(node, "rule 5", "in what is no list")
            return f"({'' if isinstance(operator, ast.In) else '!'}contains({right}, {left}))", BOOL
        return f"({left} {_COMPARISONS[type(operator)]} {right})", BOOL

    def value_IfExp(self, node: ast.IfExp) -> Expression:
        test = self.truth(node.test)
        body, body_type = self.value(node.body)
        other, other_type = self.value(node.orelse)
        type_ = other_type if body_type == NONE else body_type
        return f"({test} ? {body} : {other})", type_

    def value_Call(self, node: ast.Call) -> Expression:
        if node.keywords:
            raise self.refuse(node, "rule 8", "a call by keyword")
        called = node.func
        if isinstance(called, ast.Name):
            found = self.program.resolve(self.function.source, called.id)
            if found is None:
                return self.built_in(node, called.id)
            return self.call_named(node, found)
        if not isinstance(called, ast.Attribute):
            raise self.refuse(node, "rule 10", "a call of what is no name")
        source = self.module(called.value)
        if source is not None:
            return self.call_named(node, self.program.resolve(source, called.attr))
        if ast.unparse(called) == "math.sqrt":  # its result is the same everywhere
            return f"{called.attr}({self.value(node.args[0])[0]})", FLOAT
        c, type_ = self.value(called.value)
        if type_.kind == "list":
            return self.list_call(node, called.attr, c, type_)
        owner = STATE[-1] if type_.kind == "state" else type_.of
        if owner in CLOSED:
            first = self.program.require_switch(owner, called.attr)
            if first is None:
                raise self.refuse(node, "rule 1", f"{owner} has no {called.attr}")
            return f"any_{owner}_{called.attr}({', '.join(['S', c, *self.arguments(node, first, 1)])})", first.returns
        method = self.program.method(owner, called.attr)
        if method is None:
            raise self.refuse(node, "rule 8", f"{owner} has no {called.attr}")
        before = [] if type_.kind == "state" else [c]
        arguments = ["S", *before, *self.arguments(node, method, 1)]
        return f"{self.program.require(method)}({', '.join(arguments)})", method.returns

    def built_in(self, node: ast.Call, name: str) -> Expression:
        if name == "len":
            return f"(int64_t){self.value(node.args[0])[0]}.n", INT
        if name == "int":
            return self.value(node.args[0])
        if name == "bool":
            return self.truth(node.args[0]), BOOL
        if name in ("min", "max") and len(node.args) == 2:
            (first, type_), (second, _) = (self.value(each) for each in node.args)
            return f"{name}_of({first}, {second})", FLOAT if type_ == FLOAT else INT
        if name == "float":
            return f"(double)({self.value(node.args[0])[0]})", FLOAT
        raise self.refuse(node, "rule 10", f"no {name} in hot modules")

    def call_named(self, node: ast.Call, found: Named | None) -> Expression:
        if found is not None and found.cls:
            maker = self.program.method(found.cls, "__init__")
            if found.cls not in (*GAME_POOLS, *BY_ADDRESS) or maker is None:
                raise self.refuse(node, "rule 7", "only units and requests are born in play")
            return (
                f"{self.program.require(maker)}({', '.join(['S', *self.arguments(node, maker, 1)])})",
                reference(found.cls),
            )
        function = None if found is None else found.function
        if function is None:
            raise self.refuse(node, "rule 8", "a call of what is no function")
        if function.name == REPORT:
            arguments = [self.value(node.args[place])[0] if place < len(node.args) else "0" for place in REPORTED]
            return f"report(S, {', '.join(arguments)})", NONE
        instruction = INSTRUCTIONS.get((function.source.file, function.name))
        if instruction is not None:
            return f"{instruction}({', '.join(self.arguments(node, function, 0))})", function.returns
        arguments = self.arguments(node, function, 0)
        return f"{self.program.require(function)}({', '.join(['S', *arguments])})", function.returns

    def arguments(self, node: ast.Call, function: Function, skip: int) -> list[str]:
        params = function.params[skip:]
        defaults = function.node.args.defaults
        given = list(node.args)
        if len(given) < len(params):
            given += defaults[len(given) - len(params) :]
        if len(given) != len(params):
            raise self.refuse(node, "rule 8", f"{function.name} takes {len(params)}")
        out: list[str] = []
        for each, (_, type_) in zip(given, params, strict=True):
            if type_.kind in ("state", "absent"):
                continue
            c, given_type = self.value(each)
            if given_type.fresh:
                name = self.new_name("copy")
                self.out(f"auto {name} = {c};")
                c = name
            out.append(c)
        return out

    def list_call(self, node: ast.Call, name: str, c: str, type_: Type) -> Expression:
        elem = type_.elem or INT
        given = [self.value(each)[0] for each in node.args]
        kept = [store_expression(elem, each) for each in given]
        match name, len(given):
            case "append" | "remove", 1:
                return f"{name}(S, {c}, {kept[0]})", NONE
            case "pop", 0:
                return element_expression(elem, f"pop({c})"), elem
            case "pop", 1:
                return element_expression(elem, f"pop_at({c}, {given[0]})"), elem
            case "insert", 2 if given[0] == "0":
                return f"push_front(S, {c}, {kept[1]})", NONE
            case "clear" | "reverse", 0:
                return f"{name}({c})", NONE
            case "extend", 1:
                return f"extend(S, {c}, {given[0]})", NONE
        raise self.refuse(node, "rule 5", f"a list has no {name} here")

    # -- statements ----------------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], deeper: int = 1) -> None:
        self.depth += deeper
        for each in body:
            if isinstance(each, ast.Pass | ast.Assert):
                continue
            if isinstance(each, ast.Break | ast.Continue):
                self.out("break;" if isinstance(each, ast.Break) else "continue;")
                continue
            handler: Callable[[ast.stmt], None] | None = getattr(self, f"write_{type(each).__name__}", None)
            if handler is None:
                raise self.refuse(each, "rule 10", f"no {type(each).__name__} in hot modules")
            handler(each)
        self.depth -= deeper

    def write_Raise(self, node: ast.Raise) -> None:
        self.out("outgrow(S);")
        self.out("return;" if self.function.returns == NONE else "return {};")

    def write_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.out(self.value(node.value)[0] + ";")

    def write_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.out("return;")
        elif self.function.returns.kind == "list":  # copy only the used part
            name = self.new_name("given")
            self.out(f"{self.function.returns.c} {name};")
            if isinstance(node.value, ast.IfExp):
                body, other = self.value(node.value.body)[0], self.value(node.value.orelse)[0]
                self.out(f"if ({self.truth(node.value.test)}) give(S, {name}, {body}); else give(S, {name}, {other});")
            else:
                self.out(f"give(S, {name}, {self.value(node.value)[0]});")
            self.out(f"return {name};")
        else:
            self.out(f"return {self.value(node.value)[0]};")

    def write_If(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if test in ("true", "false"):
            self.block(node.body if test == "true" else node.orelse, 0)
            return
        self.out(f"if ({test}) {{")
        self.block(node.body)
        if node.orelse:
            self.out("} else {")
            self.block(node.orelse)
        self.out("}")

    def write_While(self, node: ast.While) -> None:
        self.out(f"while ({self.truth(node.test)}) {{")
        self.block(node.body)
        self.out("}")

    def write_For(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            raise self.refuse(node, "rule 10", "a loop has one name and no else")
        self.loop(node.target, node.iter, lambda: self.block(node.body, 0))

    def loop(self, target: ast.Name, over: ast.expr, inner: Callable[[], None]) -> None:
        index = self.new_name("i")
        back = False
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name):
            if over.func.id == "range" and len(over.args) == 1:
                end = self.new_name("end")
                self.declare(target, INT)
                self.out(
                    f"for (int64_t {index} = 0, {end} = {self.value(over.args[0])[0]}; {index} < {end}; {index}++) {{"
                )
                self.inside(f"{c_name(target.id)} = {index};", inner)
                return
            back = over.func.id == "reversed"
            over = over.args[0] if back else over
        c, type_ = self.value(over)
        if type_.fresh or isinstance(over, ast.Call):
            name = self.new_name("copy")
            self.out(f"auto {name} = {c};")
            c = name
        match type_.kind:
            case "list":
                elem = type_.elem or INT
                end, each = f"{c}.n", element_expression(elem, f"{c}.at[{index}]")
            case "row":
                elem, end, each = reference(type_.of), "2", f"&{c}[{index}]"
            case "numbers":
                elem, end, each = INT, str(len(self.program.lists[c[5:]])), load_expression(INT, f"{c}[{index}]")
            case _:
                raise self.refuse(over, "rule 5", "a loop over what is no list")
        self.declare(target, elem)
        if back:
            self.out(f"for (int {index} = (int){end} - 1; {index} >= 0; {index}--) {{")
        else:
            self.out(f"for (int {index} = 0; {index} < {end}; {index}++) {{")
        self.inside(f"{c_name(target.id)} = {each};", inner)

    def inside(self, first: str, inner: Callable[[], None]) -> None:
        self.depth += 1
        self.out(first)
        inner()
        self.depth -= 1
        self.out("}")

    def declare(self, target: ast.Name, type_: Type, pointer: bool = False) -> None:
        """Declare a local variable; raise `Untranslatable` if it already has another type (rule 11)."""
        known = self.types.get(target.id)
        if known is not None:
            numbers = {known.kind, type_.kind} <= {"int", "bool"}
            same = known.kind == type_.kind and known.of == type_.of
            if not numbers and not same and type_ != NONE:
                raise self.refuse(target, "rule 11", f"{target.id} is {known.kind} {known.of} elsewhere")
            return
        if type_ == NONE:
            raise self.refuse(target, "rule 11", f"{target.id} needs its type")
        self.types[target.id] = type_
        if type_.kind in ("state", "absent", "reported"):
            return
        if pointer:
            self.pointers.add(target.id)
        self.declared.append(f"  {c_type(type_)}{'*' if pointer else ''} {c_name(target.id)};")

    def write_AnnAssign(self, node: ast.AnnAssign) -> None:
        type_ = annotated(node.annotation)
        if isinstance(node.target, ast.Name):
            if "list[list" in ast.unparse(node.annotation):
                raise self.refuse(node, "rule 5", "a list of lists")
            self.declare(node.target, type_)
        if node.value is not None and type_.kind != "state":
            self.assign(node.target, node.value)

    def write_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise self.refuse(node, "rule 10", "one target")
        self.assign(node.targets[0], node.value)

    def write_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) not in _OPERATORS or isinstance(node.target, ast.Subscript):
            raise self.refuse(node, "rule 6", "an operator that is not translated")
        if isinstance(node.target, ast.Name):
            place = c_name(node.target.id)
        else:
            place = f"{self.value(node.target.value)[0]}->{c_name(node.target.attr)}"
        self.out(f"{place} {_OPERATORS[type(node.op)]}= {self.value(node.value)[0]};")

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.assign_local(target, value)
        elif isinstance(target, ast.Attribute):
            self.assign_field(target, value)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            c, type_ = self.value(target.value)
            index, given = self.value(target.slice)[0], self.value(value)[0]
            self.out(f"{c}.at[{index}] = {store_expression(type_.elem or INT, given)};")
        else:
            raise self.refuse(target, "rule 5", "not a place to put something")

    def assign_local(self, target: ast.Name, value: ast.expr) -> None:
        if isinstance(value, ast.List | ast.ListComp):
            if target.id not in self.types:
                raise self.refuse(target, "rule 5", f"{target.id} needs its type where it is made")
            self.fill(self.value(target)[0], self.types[target.id], value)
            return
        c, type_ = self.value(value)
        if type_.kind == "list":
            mine = target.id in self.types and target.id not in self.pointers
            if type_.fresh or isinstance(value, ast.Call) or mine:
                self.declare(target, NONE if mine else local_list(type_))
                self.out(f"give(S, {c_name(target.id)}, {c});")
            else:
                self.declare(target, type_, pointer=True)
                self.out(f"{c_name(target.id)} = &{c};")
            return
        self.declare(target, type_)
        if self.types[target.id].kind not in ("absent", "reported", "state"):
            self.out(f"{c_name(target.id)} = {c};")

    def assign_field(self, target: ast.Attribute, value: ast.expr) -> None:
        owner, owner_type = self.value(target.value)
        if FAMILY.get(owner_type.of, owner_type.of) in CONSTANT or owner_type.of in TAGS:
            raise self.refuse(target, "rule 3", "a definition is constant")
        family = "State" if owner_type.kind == "state" else FAMILY.get(owner_type.of, owner_type.of)
        field_ = FIELDS[family].get(target.attr)
        if field_ is None:
            raise self.refuse(target, "rule 6", "no such field")
        place = f"{owner}->{c_name(target.attr)}"
        if field_.type.kind == "list":
            self.give(place, field_.type, value)
        elif field_.type.kind != "absent":
            self.out(f"{place} = {store_expression(field_.type, self.value(value)[0])};")

    def give(self, place: str, type_: Type, value: ast.expr) -> None:
        """Assign a list to a field; raise `Untranslatable` if the function changes the list afterwards (rule 5)."""
        if isinstance(value, ast.List | ast.ListComp):
            self.fill(place, type_, value)
            return
        c, given = self.value(value)
        if given.kind == "numbers":
            self.out(f"{place}.n = 0;")
            for each in self.program.lists[c[5:]]:
                self.out(f"append(S, {place}, {each});")
            return
        if isinstance(value, ast.Name):
            for later in ast.walk(self.function.node):
                if (
                    isinstance(later, ast.Call)
                    and isinstance(later.func, ast.Attribute)
                    and ast.unparse(later.func.value) == value.id
                    and later.lineno > value.lineno
                ):
                    raise self.refuse(later, "rule 5", "a list is changed after it was given away")
        self.out(f"give(S, {place}, {c});")

    def fill(self, c: str, type_: Type, value: ast.expr) -> None:
        """Assign a list display or comprehension."""
        elem = type_.elem or INT
        self.out(f"{c}.n = 0;")
        if isinstance(value, ast.List):
            for each in value.elts:
                self.out(f"append(S, {c}, {store_expression(elem, self.value(each)[0])});")
            return
        assert isinstance(value, ast.ListComp)
        over = value.generators[0]
        if len(value.generators) != 1 or not isinstance(over.target, ast.Name):
            raise self.refuse(value, "rule 5", "a comprehension of one loop")

        n = self.new_name("n")
        self.out(f"int {n} = 0;")

        def inner() -> None:
            tests = " && ".join(self.truth(each) for each in over.ifs) or "true"
            self.out(f"append_if(S, {c}, {n}, {store_expression(elem, self.value(value.elt)[0])}, {tests});")

        self.loop(over.target, over.iter, inner)
        self.out(f"{c}.n = (uint8_t){n};")


def translate(root: Path | None = None) -> tuple[str, list[str]]:
    """Return the C++ of all code that a game reaches, and the refusals. ``root`` is the folder of the package."""
    program = Program(root or Path(blackpoker.__file__).parent)
    for module, cls, name in ENTRIES:
        entry = program.method(cls, name) if cls else program.source(module).functions[name]
        assert entry is not None
        program.require(entry)
    heads: list[str] = []
    bodies: list[str] = []
    refusals: list[str] = []
    while len(heads) + len(refusals) < len(program.required):
        function = list(program.required.values())[len(heads) + len(refusals)]
        try:
            head, body = Writer(program, function).write()
        except Untranslatable as refused:
            refusals.append(str(refused))
        else:
            heads.append(head)
            bodies.append(body)
    for (base, name), first in program.switches.items():
        head, body = program.switch(base, name, first)
        heads.append(head)
        bodies.append(body)
    written = [f"{head} {{\n{body}}}\n" for head, body in zip(heads, bodies, strict=True)]
    first_lines = [declarations(), program.constants(), '#include "runtime.h"', *(head + ";" for head in heads)]
    return "\n".join([*first_lines, collector(), *written]), refusals
