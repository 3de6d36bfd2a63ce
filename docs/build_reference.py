"""Writes docs/guide/reference.md: every public name with its signature and docstring, read from the source.

python docs/build_reference.py          write it (part of ``make docs``; it is not kept)
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "blackpoker"
PAGE = ROOT / "docs" / "guide" / "reference.md"
HEAD = """# API reference

Made from the docstrings by `docs/build_reference.py`. How it is used: [api.md](api.md).
"""


def homes() -> dict[str, Path]:
    """Where each public name of the façade is defined."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            found: dict[str, str] = ast.literal_eval(node.value)
            return {name: module(home) for name, home in sorted(found.items())}
    raise SystemExit("the façade has no _HOMES")


def module(dotted: str) -> Path:
    path = ROOT / "src" / Path(*dotted.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def definition(name: str, path: Path) -> tuple[ast.ClassDef | ast.FunctionDef, Path] | None:
    """The class or function of this name, followed through imports; None for a constant."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node, path
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            return definition(name, module(node.module or ""))
    return None


def signature(node: ast.FunctionDef, own: str = "") -> str:
    arguments = ast.unparse(node.args)
    if own:
        arguments = arguments.removeprefix("self").removeprefix("cls").removeprefix(", ")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    return f"{own or node.name}({arguments}){returns}"


def kind(node: ast.FunctionDef) -> str:
    names = {ast.unparse(decorator) for decorator in node.decorator_list}
    return next((name for name in ("property", "cached_property", "staticmethod", "classmethod") if name in names), "")


def text_of(node: ast.AST) -> str:
    return ast.get_docstring(node) or ""  # type: ignore[arg-type]


def prose(text: str) -> str:
    """A docstring in Markdown: its examples become blocks."""
    out: list[str] = []
    for part in text.split("\n\n"):
        out.append(f"```python\n{part}\n```" if part.lstrip().startswith(">>>") else part)
    return "\n\n".join(out)


def class_page(name: str, node: ast.ClassDef) -> list[str]:
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
    made = next((item for item in methods if item.name in ("__init__", "__new__")), None)
    lines = [f"## {name}", ""]
    if made is not None:
        lines += [f"```python\n{signature(made, name)}\n```", ""]
    lines += [prose(text_of(node)), ""]
    if made is not None and text_of(made):
        lines += [prose(text_of(made)), ""]
    for item in methods:
        if item.name.startswith("_") or not text_of(item):
            continue
        how = kind(item)
        if "property" in how:
            shown = f"{item.name}: {ast.unparse(item.returns) if item.returns else 'object'}"
        else:  # where it is overloaded, the forms it may be called in
            forms = [other for other in methods if other.name == item.name and not text_of(other)] or [item]
            shown = "` `".join(signature(form, form.name) for form in forms)
        lines += [f"- `{shown}`  ", textwrap.indent(prose(text_of(item)), "  "), ""]
    return lines


def page() -> str:
    lines = [HEAD]
    constants = []
    for name, path in homes().items():
        found = definition(name, path)
        if found is None:
            constants.append(name)
        elif isinstance(found[0], ast.ClassDef):
            lines += class_page(name, found[0])
        else:
            lines += [f"## {name}", "", f"```python\n{signature(found[0])}\n```", "", prose(text_of(found[0])), ""]
    lines += ["## Constants", "", " ".join(f"`{name}`" for name in constants), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
