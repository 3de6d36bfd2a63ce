"""Docstring examples run in every build; the API reference of the site is generated from them."""

import ast
import doctest
import importlib
import inspect
from operator import attrgetter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "blackpoker"


def examples() -> list[doctest.DocTest]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            text = ast.get_docstring(node) or ""
            if ">>>" in text:
                name = f"{path.relative_to(SOURCE)}:{getattr(node, 'name', '')}"
                found.append(doctest.DocTestParser().get_doctest(text, {}, name, str(path), 0))
    return found


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_docstrings_match_the_code(example: doctest.DocTest) -> None:
    out: list[str] = []
    example.globs = {"Regulation": __import__("blackpoker").Regulation}
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=out.append)
    assert not out, "".join(out)


def test_there_are_examples() -> None:
    assert len(examples()) >= 7


def defined(module: str) -> list[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """Return the public classes of a module and their public methods, with qualified names."""
    found: list[tuple[str, ast.ClassDef | ast.FunctionDef]] = []
    for owner in ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8")).body:
        if isinstance(owner, ast.ClassDef) and not owner.name.startswith("_"):
            methods = [each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
            methods = [each for each in methods if "overload" not in map(ast.unparse, each.decorator_list)]
            found += [(owner.name, owner), *((f"{owner.name}.{each.name}", each) for each in methods)]
    return found


@pytest.mark.parametrize("module", ["game/game", "game/step", "game/outcome"])
def test_help_shows_what_is_written(module: str) -> None:
    """Also in the compiled build, which writes signatures and docstrings into C."""
    loaded = importlib.import_module(f"blackpoker.{module.replace('/', '.')}")
    assert defined(module)
    for name, node in defined(module):
        shown = attrgetter(name)(loaded)
        assert inspect.getdoc(shown) == ast.get_docstring(node), name
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            arguments = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            assert list(inspect.signature(shown).parameters) == arguments, name
