"""Checks of the page that need no browser."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys

import pytest

from tests.web.browser import ROOT, STATIC

MOST_BYTES = 180_000


def test_types_are_those_of_the_server() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "web" / "make_types.py"), "--check"], check=False)
    assert done.returncode == 0, "run: python web/make_types.py"


def test_lock_file_names_no_host() -> None:
    assert '"resolved"' not in (ROOT / "web" / "package-lock.json").read_text()


def test_first_load_is_small() -> None:
    index = STATIC / "index.html"
    if not index.exists():
        pytest.skip("the page is not built (make web)")
    text = index.read_text()
    first = [index, *(STATIC / path for path in re.findall(r'(?:src|href)="\./(assets/[^"]+)"', text))]
    total = sum(len(gzip.compress(path.read_bytes())) for path in first)
    print(f"first load: {total} bytes gzip")
    assert total <= MOST_BYTES
