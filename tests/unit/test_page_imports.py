"""The folders of the page import one way: ``core`` knows no other folder, and no two folders need each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "web" / "src"
IMPORT = re.compile(r"""(?:from\s*|import\s*\(?\s*|@import\s+|new URL\(\s*)["'](\.{1,2}/[^"']+)["']""")
ENDINGS = ("", ".ts", ".svelte.ts")


def folder(path: Path) -> str:
    """Return the part of the page a file belongs to: a folder, or one screen."""
    parts = path.relative_to(PAGE).parts
    return "/".join(parts[: 2 if parts[0] == "screens" else 1]) if len(parts) > 1 else "."


def imports() -> Iterator[tuple[Path, Path]]:
    """Yield every file of the page with each file it imports, texts and other data left out."""
    for path in sorted(PAGE.rglob("*")):
        if path.suffix not in (".ts", ".svelte", ".css"):
            continue
        for name in IMPORT.findall(path.read_text(encoding="utf-8")):
            found = [path.parent / (name + ending) for ending in ENDINGS]
            target = next((file.resolve() for file in found if file.is_file()), None)
            assert target is not None, f"{path}: {name}"
            if target.is_relative_to(PAGE) and target.suffix != ".json":
                yield path, target


FOLDERS: dict[str, set[str]] = {}
for source, imported in imports():
    if folder(source) != folder(imported):
        FOLDERS.setdefault(folder(source), set()).add(folder(imported))


def reachable(start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for name in FOLDERS.get(todo.pop(), set()) - found:
            found.add(name)
            todo.append(name)
    return found


def test_core_imports_nothing_of_the_page() -> None:
    assert FOLDERS["."] >= {"core", "offline", "shell"}
    assert FOLDERS.get("core", set()) == set()


def test_no_two_folders_need_each_other() -> None:
    assert [name for name in FOLDERS if name in reachable(name)] == []


def test_shared_folders_know_no_screen() -> None:
    shared = {name: targets for name, targets in FOLDERS.items() if name != "." and not name.startswith("screens/")}
    assert {
        name for name, targets in shared.items() if any(target.startswith("screens/") for target in targets)
    } == set()


def test_both_languages_have_the_same_texts() -> None:
    for path in sorted((PAGE / "i18n" / "ja").glob("*.json")):
        other = PAGE / "i18n" / "en" / path.name
        japanese, english = (json.loads(file.read_text(encoding="utf-8")) for file in (path, other))
        assert list(japanese) == list(english), path.name
