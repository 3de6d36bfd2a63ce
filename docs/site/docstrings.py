"""Examples in docstrings (``>>>``) become blocks of code, for mkdocstrings."""

from __future__ import annotations

from typing import Any

import griffe


class Examples(griffe.Extension):
    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is None or ">>>" not in obj.docstring.value:
            return
        parts = obj.docstring.value.split("\n\n")
        obj.docstring.value = "\n\n".join(
            f"```python\n{part}\n```" if part.lstrip().startswith(">>>") else part for part in parts
        )
