"""Counters of a process. They change with every message, so they are plain numbers in memory; ``prometheus`` formats
them for Prometheus on request.

The numbers of a process lie in a memory-mapped file that the other processes can read. Any process can report the sum,
and the numbers of a killed process are not lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_COUNTERS: Final = ("connections", "rooms", "messages", "decisions", "games", "restarts", "stored_ns")
_STORED: Final = len(_COUNTERS)
_COUNTS: Final = _STORED + len(SECONDS) + 1
#: counters by label: number of labels in a process (further ones count as "other") and bytes per label
_MAX_LABELS: Final = 96
_LABEL_BYTES: Final = 40
_SIZE: Final = 8 * (_COUNTS + _MAX_LABELS) + _MAX_LABELS * _LABEL_BYTES
_OTHER: Final = "other"
#: gauges: reset when their process has ended
GAUGES: Final = ("connections", "rooms")


class _Counter:
    """Descriptor: one counter in the shared-memory array."""

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def __get__(self, owner: Metrics, kind: object = None) -> int:
        return int(owner.numbers[self.slot])

    def __set__(self, owner: Metrics, value: int) -> None:
        owner.numbers[self.slot] = value


class LabelledCounter:
    """Counters by label: ``errors["late"] += 1``. All families share the memory."""

    def __init__(self, metrics: Metrics, family: str) -> None:
        self.metrics = metrics
        self.family = family

    def __getitem__(self, label: str) -> int:
        return int(self.metrics.numbers[_COUNTS + self.metrics.slot_of(self.family, label)])

    def __setitem__(self, label: str, value: int) -> None:
        self.metrics.numbers[_COUNTS + self.metrics.slot_of(self.family, label)] = value

    def items(self) -> Iterator[tuple[str, int]]:
        for slot, name in enumerate(self.metrics.labels()):
            family, _, label = name.partition(":")
            if family == self.family:
                yield label, int(self.metrics.numbers[_COUNTS + slot])


class Metrics:
    """The counters of one process, in a file shared with other processes if ``path`` is given."""

    connections = _Counter(0)
    rooms = _Counter(1)
    messages = _Counter(2)
    decisions = _Counter(3)
    games = _Counter(4)
    restarts = _Counter(5)  # of processes that died; counted by the supervisor
    stored_ns = _Counter(6)

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        view = memoryview(bytearray(_SIZE)) if path is None else map_shared(path)
        self.numbers: memoryview[int] = view[: 8 * (_COUNTS + _MAX_LABELS)].cast("q")
        self.label_bytes: memoryview[int] = view[8 * (_COUNTS + _MAX_LABELS) :]
        self.slots: dict[tuple[str, str], int] = {}
        self.errors = LabelledCounter(self, "errors")
        self.evicted = LabelledCounter(self, "evicted")

    def observe_stored(self, seconds: float) -> None:
        """Record the seconds until a move was committed."""
        self.numbers[_STORED + bisect_left(SECONDS, seconds)] += 1
        self.stored_ns += round(1e9 * seconds)

    @property
    def stored(self) -> list[int]:
        return self.numbers[_STORED:_COUNTS].tolist()

    def labels(self) -> list[str]:
        """Return family and label of the counters, in their order."""
        found = []
        for slot in range(_MAX_LABELS):
            name = bytes(self.label_bytes[slot * _LABEL_BYTES : (slot + 1) * _LABEL_BYTES]).rstrip(b"\0")
            if not name:
                break
            found.append(name.decode(errors="replace"))
        return found

    def slot_of(self, family: str, label: str) -> int:
        slot = self.slots.get((family, label))
        if slot is None:
            slot = self.slots[family, label] = self.allocate(f"{family}:{label}", f"{family}:{_OTHER}")
        return slot

    def allocate(self, name: str, fallback: str) -> int:
        """Return the slot of a label, a new one if there is room. The name is written before anything is counted."""
        known = self.labels()
        has_space = len(known) < _MAX_LABELS - 2  # the last slots are for "other"
        wanted = name if has_space or name in known else fallback
        if wanted not in known:
            data = wanted.encode()[:_LABEL_BYTES]
            start = len(known) * _LABEL_BYTES
            self.label_bytes[start : start + len(data)] = data
            return len(known)
        return known.index(wanted)


def map_shared(path: Path) -> memoryview[int]:
    import mmap  # imported here: Pyodide has no mmap

    with path.open("a+b") as file:
        file.truncate(_SIZE)
        return memoryview(mmap.mmap(file.fileno(), _SIZE))


class ServerMetrics:
    """The metrics of all processes of a server: files ``SLOT.RESTARTS`` in one folder, one for each start of a process.
    With a single process, its own."""

    def __init__(self, own: Metrics) -> None:
        self.own = own

    def all(self) -> dict[str, Metrics]:
        path = self.own.path
        if path is None:
            return {"0": self.own}
        return {file.name: Metrics(file) for file in sorted(path.parent.iterdir())}

    def by_process(self, name: str) -> dict[str, int]:
        """Return a gauge for every running process."""
        out: dict[str, int] = {}
        for file, metrics in self.all().items():
            slot = file.partition(".")[0]
            if slot.isdigit():  # other names are the supervisor, which serves no requests
                out[slot] = out.get(slot, 0) + getattr(metrics, name)
        return out


def reset_gauges(path: Path) -> None:
    """Reset the gauges of a process that has ended; its counters stay."""
    metrics = Metrics(path)
    for name in GAUGES:
        setattr(metrics, name, 0)
