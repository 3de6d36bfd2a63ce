"""docs/guide/envs.md runs as written, and its table matches the layout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackpoker.envs.layout import table

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "envs.md"


@pytest.mark.filterwarnings("ignore")
def test_the_guide_runs() -> None:
    pytest.importorskip("pyspiel")
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) >= 5
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)


def test_the_documented_layout_is_true() -> None:
    assert table() in GUIDE.read_text(encoding="utf-8"), "put envs.layout.table() there"
