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
_PLAIN: Final = ("connections", "rooms", "messages", "decisions", "games", "restarts", "stored_ns")
_STORED: Final = len(_PLAIN)
_COUNTS: Final = _STORED + len(SECONDS) + 1
#: counters by label: number of labels in a process (further ones count as "other") and bytes per label
_WORDS: Final = 96
_LONGEST: Final = 40
_SIZE: Final = 8 * (_COUNTS + _WORDS) + _WORDS * _LONGEST
_OTHER: Final = "other"
#: gauges: reset when their process has ended
GAUGES: Final = ("connections", "rooms")


class _Count:
    """Descriptor: one counter in the shared-memory array."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __get__(self, owner: Metrics, kind: object = None) -> int:
        return int(owner.numbers[self.place])

    def __set__(self, owner: Metrics, value: int) -> None:
        owner.numbers[self.place] = value


class Worded:
    """Counters by label: ``errors["late"] += 1``. All families share the memory."""

    def __init__(self, metrics: Metrics, family: str) -> None:
        self.metrics = metrics
        self.family = family

    def __getitem__(self, word: str) -> int:
        return int(self.metrics.numbers[_COUNTS + self.metrics.place_of(self.family, word)])

    def __setitem__(self, word: str, value: int) -> None:
        self.metrics.numbers[_COUNTS + self.metrics.place_of(self.family, word)] = value

    def items(self) -> Iterator[tuple[str, int]]:
        for place, name in enumerate(self.metrics.words()):
            family, _, word = name.partition(":")
            if family == self.family:
                yield word, int(self.metrics.numbers[_COUNTS + place])


class Metrics:
    """The counters of one process, in a file shared with other processes if ``path`` is given."""

    connections = _Count(0)
    rooms = _Count(1)
    messages = _Count(2)
    decisions = _Count(3)
    games = _Count(4)
    restarts = _Count(5)  # of processes that died; counted by the supervisor
    stored_ns = _Count(6)

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        view = memoryview(bytearray(_SIZE)) if path is None else shared(path)
        self.numbers: memoryview[int] = view[: 8 * (_COUNTS + _WORDS)].cast("q")
        self.names: memoryview[int] = view[8 * (_COUNTS + _WORDS) :]
        self.places: dict[tuple[str, str], int] = {}
        self.errors = Worded(self, "errors")
        self.evicted = Worded(self, "evicted")

    def observe_stored(self, seconds: float) -> None:
        """Record the seconds until a move was committed."""
        self.numbers[_STORED + bisect_left(SECONDS, seconds)] += 1
        self.stored_ns += round(1e9 * seconds)

    @property
    def stored(self) -> list[int]:
        return self.numbers[_STORED:_COUNTS].tolist()

    def words(self) -> list[str]:
        """Return family and label of the counters, in their order."""
        found = []
        for place in range(_WORDS):
            name = bytes(self.names[place * _LONGEST : (place + 1) * _LONGEST]).rstrip(b"\0")
            if not name:
                break
            found.append(name.decode(errors="replace"))
        return found

    def place_of(self, family: str, word: str) -> int:
        place = self.places.get((family, word))
        if place is None:
            place = self.places[family, word] = self.take(f"{family}:{word}", f"{family}:{_OTHER}")
        return place

    def take(self, name: str, otherwise: str) -> int:
        """Return the slot of a label, a new one if there is room. The name is written before anything is counted."""
        known = self.words()
        room = len(known) < _WORDS - 2  # the last slots are for "other"
        wanted = name if room or name in known else otherwise
        if wanted not in known:
            data = wanted.encode()[:_LONGEST]
            start = len(known) * _LONGEST
            self.names[start : start + len(data)] = data
            return len(known)
        return known.index(wanted)


def shared(path: Path) -> memoryview[int]:
    import mmap  # imported here: Pyodide has no mmap

    with path.open("a+b") as file:
        file.truncate(_SIZE)
        return memoryview(mmap.mmap(file.fileno(), _SIZE))


class ServerFigures:
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
        for file, counted in self.all().items():
            place = file.partition(".")[0]
            if place.isdigit():  # other names are the supervisor, which serves no requests
                out[place] = out.get(place, 0) + getattr(counted, name)
        return out


def gone(path: Path) -> None:
    """Reset the gauges of a process that has ended; its counters stay."""
    counted = Metrics(path)
    for name in GAUGES:
        setattr(counted, name, 0)
