"""The translated rules, compiled once for all tests, and a version with too little memory."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from blackpoker.native import build as native_build
from blackpoker.native import library as door

#: flags for a quick compilation
CHECKED = (
    "-std=c++17",
    "-O1",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fno-exceptions",
    "-fno-rtti",
    "-ffp-contract=off",
)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if native_build.compiler() is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("native")
    assert native_build.build(folder, folder / "rules.so", CHECKED) == ""
    found = door.load(folder / "rules.so")
    assert found is not None
    return found


@pytest.fixture
def native(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "native_library", lambda: library)


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "native_library", lambda: None)


def small_library(folder: Path, most: int = 6) -> Any:
    """Return a library with room for ``most`` soldiers in a row, compiled without wide instructions."""
    assert native_build.write(folder) == []
    text = (folder / "rules.h").read_text(encoding="utf-8")
    small = text.replace("append(S, side->soldiers, ", "append_below(S, side->soldiers, ")
    assert small != text
    small = small.replace(
        '#include "runtime.h"',
        '#include "runtime.h"\ntemplate <class L> static inline void append_below(State* S, L& l, int64_t v) '
        f"{{ if (l.n < {most}) append(S, l, v); else outgrow(S); }}",
    )
    (folder / "rules.h").write_text(small, encoding="utf-8")
    found = native_build.compiler()
    assert found is not None
    subprocess.run(
        [found, *CHECKED, "-DPLAIN", "-o", str(folder / "small.so"), str(folder / "library.cpp")], check=True
    )
    return door.load(folder / "small.so")
