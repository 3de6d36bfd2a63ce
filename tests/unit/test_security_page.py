"""SECURITY.md names the test of each promise; every named test exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_promise_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = text.partition("## What is promised")[2].partition("## What is not promised")[0]
    rows = [line for line in table.splitlines() if line.startswith("| **")]
    assert len(rows) >= 10
    for row in rows:
        promise, tests = row.strip("| ").rsplit(" | ", 1)
        files = re.findall(r"`((?:tests/)?[\w/]+\.py)`", tests)
        assert files, promise
        paths = [ROOT / name if "/" in name else ROOT / "tests" / "server" / name for name in files]
        for path in paths:
            assert path.is_file(), (promise, path.name)
        source = "\n".join(path.read_text(encoding="utf-8") for path in paths)
        for name in re.findall(r"`(test_\w+)`", tests):
            assert f"def {name}(" in source, (promise, name)
