"""The fields of a view that differ from the view sent before, by path: ``turn_number``, ``p1.hand``."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, get_type_hints

from blackpoker import View

SIDES: Final = ("p1", "p2")
VIEW_FIELDS: Final = tuple(field.name for field in fields(View) if field.name not in SIDES)
SIDE_FIELDS: Final = tuple(field.name for field in fields(get_type_hints(View)["p1"]))


def changed_fields(before: View, after: View) -> dict[str, Any]:
    """Return the fields of `after` that differ from `before`, by path. The fields of a side are compared one by one;
    every other field is one value."""
    changes = {name: getattr(after, name) for name in VIEW_FIELDS if getattr(before, name) != getattr(after, name)}
    for side in SIDES:
        old, new = getattr(before, side), getattr(after, side)
        changes |= {
            f"{side}.{name}": getattr(new, name) for name in SIDE_FIELDS if getattr(old, name) != getattr(new, name)
        }
    return changes


def apply_changes(view: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a decoded view with these changes; `view` itself stays as it is."""
    changed = dict(view)
    for path, value in changes.items():
        side, _, name = path.rpartition(".")
        if side:
            changed[side] = {**changed[side], name: value}
        else:
            changed[name] = value
    return changed
