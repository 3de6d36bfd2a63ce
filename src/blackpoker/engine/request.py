"""A requested action (リクエスト): plain data, independent of the game played on the core."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# Types of a request's target.
NO_TARGET: Final = 0
UNIT: Final = 1  # target = id of a unit
REQUEST: Final = 2  # target = id of a request
PLAYER: Final = 3  # target = a player
TRUMP: Final = 4  # target = owner * 64 + card


#: width of each field of a class in the native memory layout; for a list also its capacity
STORAGE: Final = {
    "Request": {
        "id": "i32",
        "action": "u8",
        "controller": "u8",
        "immediate": "bool",
        "main": "bool",
        "keys": "i64",
        "virtual": "i64",
        "key_count": "u8",
        "target_kind": "u8",
        "target": "i32",
        "source": "i32",
        "amount": "i64",
        "raised": "bool",
        "passes": "bool",
    },
}
#: maximum number of objects of a class at once
AT_ONCE: Final = {"Request": 32}


class Request:
    """A request. ``keys`` and ``virtual`` are opaque sets to the core."""

    __slots__ = (
        "action",
        "amount",
        "controller",
        "id",
        "immediate",
        "key_count",
        "keys",
        "main",
        "passes",
        "raised",
        "source",
        "target",
        "target_kind",
        "virtual",
    )

    def __init__(self, id: i64, action: i64, controller: i64, immediate: bool, main: bool) -> None:
        self.id: i64 = id
        self.action: i64 = action
        self.controller: i64 = controller
        self.immediate: bool = immediate
        self.main: bool = main
        self.keys: i64 = 0
        self.virtual: i64 = 0
        self.key_count: i64 = 0  # real and virtual
        self.target_kind: i64 = 0
        self.target: i64 = -1
        self.source: i64 = -1  # the unit that was driven for it
        self.amount: i64 = 0  # count or card given by its trigger
        self.raised: bool = False  # by an effect or a trigger, not by a player
        self.passes: bool = False  # its controller passes once it is on the stage

    def copy(self) -> Request:
        new = Request(self.id, self.action, self.controller, self.immediate, self.main)
        new.keys = self.keys
        new.virtual = self.virtual
        new.key_count = self.key_count
        new.target_kind = self.target_kind
        new.target = self.target
        new.source = self.source
        new.amount = self.amount
        new.raised = self.raised
        new.passes = self.passes
        return new

    def same_as(self, other: Request) -> bool:
        """Return whether the two requests are interchangeable in the trigger check (R-20)."""
        return (
            self.action == other.action
            and self.target == other.target
            and self.target_kind == other.target_kind
            and self.amount == other.amount
            and self.keys == other.keys
            and self.source == other.source
        )
