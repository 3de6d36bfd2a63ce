"""Docstrings are run, whatever build they come from, and the API reference is made from them."""

import ast
import doctest
import runpy
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
def test_a_docstring_tells_the_truth(example: doctest.DocTest) -> None:
    out: list[str] = []
    example.globs = {"Regulation": __import__("blackpoker").Regulation}
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=out.append)
    assert not out, "".join(out)


def test_there_are_examples() -> None:
    assert len(examples()) >= 7


def test_the_reference_is_in_step() -> None:
    built = runpy.run_path(str(ROOT / "docs" / "build_reference.py"))["page"]()
    shown = (ROOT / "docs" / "guide" / "reference.md").read_text(encoding="utf-8")
    assert shown == built, "run: python docs/build_reference.py"
