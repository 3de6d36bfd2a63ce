"""The documents name existing files, and all parts of the package are in the table of layers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "blackpoker"
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "docs" / "guide").glob("*.md"),
    *(ROOT / "docs" / "adr").glob("*.md"),
]
#: a path starts from one of these folders; a document of the server or the page may start from its subject
BEGINNINGS = (
    ROOT,
    PACKAGE.parent,
    PACKAGE,
    PACKAGE / "server",
    PACKAGE / "native",
    ROOT / "web",
    ROOT / "web" / "src",
    ROOT / "tests",
)
ENDINGS = ("", ".py", ".ts", ".svelte")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|ts|svelte|css|toml|h|cpp|md|svg))`")
MODULE = re.compile(
    r"`((?:engine|definitions|content|text|notation|ruleset|assist|game|formats|scenario|ai|native|protocol|players|learn|smoke|printing|server|rooms|ws|http|lab|envs|cli)/[\w/]+)`"
)
#: paths that exist only in an installed package, a built page or a reader's own folder
ELSEWHERE = re.compile(
    r"native/made_from\.txt|text/javascript|(?:docs/)?rul(?:es|ings)/(?:ja|en|$)|docs/(?:rules|rulings)/|docs/adr/NNN|(?:build|dist|house|scenarios)/"
)


def is_there(path: str) -> bool:
    return any((folder / (path + ending)).exists() for folder in BEGINNINGS for ending in ENDINGS)


def test_a_path_that_is_gone_is_found() -> None:
    text = "see `board/Palette.svelte`, `engine/atoms` and `text/never`"
    assert [path for path in [*PATH.findall(text), *MODULE.findall(text)] if not is_there(path)] == [
        "board/Palette.svelte",
        "text/never",
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_a_document_names_are_there(document: Path) -> None:
    if document.name == "CHANGELOG.md":
        pytest.skip("it tells of what was")
    text = document.read_text(encoding="utf-8")
    named = {path for path in [*PATH.findall(text), *MODULE.findall(text)] if not ELSEWHERE.match(path)}
    beside = {path for path in named if (document.parent / path).exists()}
    assert [path for path in sorted(named - beside) if not is_there(path)] == []


def test_the_layers_are_all_of_the_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text[text.index("| From top to bottom") : text.index("**The public object.**")]
    named = {name.strip("/").removesuffix(".py") for name in re.findall(r"`([\w/]+(?:\.py|/))`", table)}
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "_build", "_native_library"}
    assert folders | modules <= named
    tops = {name for name in named if "/" not in name}
    assert all(
        (PACKAGE / name).exists() or (PACKAGE / f"{name}.py").exists() or list(PACKAGE.glob(f"*/{name}"))
        for name in tops
    )


def test_what_the_page_says_of_the_levels_has_been_measured() -> None:
    """Each row of *Levels* compares with the level below: the page shows the mean over five formats."""
    page_source = (ROOT / "web" / "src" / "screens" / "new_game" / "strength.ts").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) – \w+ \|(.+)\|$", (ROOT / "docs" / "opponents.md").read_text("utf-8"), re.MULTILINE)
    measured = {}
    for level, cells in rows:
        shares = [float(share) for share in re.findall(r"([\d.]+) %", cells)]
        assert len(shares) == 5, level
        measured[level] = round(sum(shares) / 5)
    assert measured == {level: int(games) for level, games in re.findall(r"(\w+): (\d+)", page_source)}
