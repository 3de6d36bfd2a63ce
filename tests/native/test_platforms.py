"""Equal numbers on every platform: the layout check, the package's source fingerprint, and WebAssembly."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import math
import subprocess
from pathlib import Path

import pytest

from blackpoker import _native_library
from blackpoker.ai.evaluation import exp
from blackpoker.native import build, layout, library
from tests.native import pyodide_package
from tests.native.platform_digest import everywhere

ROOT = Path(__file__).parents[2]


def test_the_guard_sees_a_field_that_stands_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only sizes were compared before; with four-byte addresses they were equal by chance."""
    if not library.available():
        pytest.skip("the rules are not built as machine code")
    assert library.load(_native_library.LIBRARY) is not None
    placed = layout.layout()
    at = placed.index(8)
    monkeypatch.setattr(library, "layout", lambda: [*placed[:at], 16, *placed[at + 1 :]])
    with pytest.raises(AssertionError, match="the layout here and in"):
        library.load(_native_library.LIBRARY)


def test_the_order_of_fields_is_that_of_eight_bytes_an_address() -> None:
    class Short(ctypes.Structure):
        _fields_ = (("a", ctypes.c_uint8), ("b", layout.Grown))

    assert layout._alignment(ctypes.c_void_p) == layout._alignment(layout.Grown) == layout._alignment(Short * 3) == 8
    assert layout._alignment(ctypes.c_uint16 * 5) == 2


def test_a_package_without_sources_knows_what_it_was_made_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "made_from.txt"
    monkeypatch.setattr(_native_library, "MADE_FROM", path)
    computed = _native_library.fingerprint()
    path.write_text("abc", encoding="utf-8")
    assert _native_library.fingerprint() == "abc" != computed
    package = Path(library.__file__).parent
    if package.is_relative_to(ROOT):
        assert not (package / "made_from.txt").exists(), "never in the working tree: it would grow old"


def test_powers_of_e() -> None:
    for tenth in range(-250, 251):
        assert math.isclose(exp(tenth / 10), math.exp(tenth / 10), rel_tol=1e-13)
    assert exp(-1.0).hex() == "0x1.78b56362cef46p-2"  # exact to the last bit on every platform


def test_wasm_names_its_missing_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ziglang" else find(name))
    assert "pip install ziglang" in build.build_wasm(tmp_path, tmp_path / "library")


def test_a_page_plays_the_same_games(tmp_path: Path, native: None) -> None:
    """One digest over all regulations and all levels, here and in Pyodide."""
    why = pyodide_package.missing()
    if why:
        pytest.skip(why)
    archive = tmp_path / "package.zip"
    archive.write_bytes(pyodide_package.package())
    script = Path(__file__).with_name("platform_digest.mjs")
    command = [*pyodide_package.node(), str(script), str(pyodide_package.PYODIDE), str(archive), "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    there, here = json.loads(done.stdout), everywhere(2)
    assert there["native"]
    assert here["native"]
    assert there["rows"] == here["rows"]
