"""The native tree search, with the interface of the search in Python (``ai.search``)."""

from __future__ import annotations

import ctypes
from typing import Any

from blackpoker.ai.search import Node, Search
from blackpoker.engine.engine import Engine
from blackpoker.engine.shuffler import Shuffler
from blackpoker.native import library as door
from blackpoker.native.layout import Node as NodeMemory
from blackpoker.native.layout import Outgrown, Packed, State
from blackpoker.native.layout import Search as SearchMemory


class NativeNode:
    """A node of the tree, read in place; invalid after the search has moved its root."""

    __slots__ = ("_at",)

    def __init__(self, address: int) -> None:
        self._at: Any = NodeMemory.from_address(address)

    @property
    def key(self) -> int:
        return int(self._at.key)

    @property
    def option(self) -> int:
        return int(self._at.option)

    @property
    def mover(self) -> int:
        return int(self._at.mover)

    @property
    def visits(self) -> int:
        return int(self._at.visits)

    @visits.setter
    def visits(self, visits: int) -> None:
        self._at.visits = visits

    @property
    def prior(self) -> float:
        return float(self._at.prior)

    @prior.setter
    def prior(self, prior: float) -> None:
        self._at.prior = prior

    @property
    def total(self) -> float:
        return float(self._at.total)

    @total.setter
    def total(self, total: float) -> None:
        self._at.total = total

    @property
    def children(self) -> list[NativeNode]:
        grown = self._at.children
        if not grown.n:
            return []
        return [NativeNode(address) for address in (ctypes.c_void_p * grown.n).from_address(grown.at)]

    def to_python(self) -> Node:
        """Return a copy of the subtree for a search in Python."""
        memory = self._at
        node = Node(memory.key, memory.option, memory.mover, memory.prior)
        node.visits, node.total, node.fingerprint = memory.visits, memory.total, memory.fingerprint
        node.children = [child.to_python() for child in self.children]
        return node


class NativeSearch:
    """A native search with the same choices as the search in Python. If a game exceeds the native memory, the search in
    Python continues with the tree grown so far."""

    def __init__(self, search: Search, library: Any) -> None:
        self._search = search
        self._chance: Shuffler = search.chance
        self._library = library
        self._packed: Packed = door.packed_tables(search.policy.rules)
        self._memory: Any = self._packed.fill(SearchMemory(), search)
        self._options: list[int] | None = None  # of the packed position: a game replaces the list at every step
        self._at: Any = State()
        self.outgrown: bool = False
        library.blackpoker_search_begin(ctypes.byref(self._memory), ctypes.byref(self._at))

    @classmethod
    def create(cls, search: Search) -> NativeSearch | None:
        """Return a native version of a search that has not started; None if that is not available."""
        library = door.native_library()
        if library is None or type(search.chance) is not Shuffler:
            return None
        try:
            return cls(search, library)
        except Outgrown:
            return None

    def __del__(self) -> None:
        if getattr(self, "_memory", None) is not None:
            self._library.blackpoker_search_end(ctypes.byref(self._memory))

    @property
    def root(self) -> Node | NativeNode:
        return self._search.root if self.outgrown else NativeNode(self._memory.root)

    @property
    def playouts(self) -> int:
        return int(self._search.playouts if self.outgrown else self._memory.playouts)

    @property
    def nodes(self) -> int:
        return int(self._search.nodes if self.outgrown else self._memory.nodes)

    @property
    def decisions(self) -> int:
        return int(self._search.decisions if self.outgrown else self._memory.decisions)

    def _call(self, name: str, engine: Engine, *numbers: int) -> int:
        """Call a search function for this position; raise `Outgrown` if it exceeds the capacity."""
        if self._options is not engine.options:
            self._at = self._packed.pack(engine)
            self._options = engine.options
        memory = self._memory
        memory.chance.state = self._chance.state
        call = getattr(self._library, f"blackpoker_search_{name}")
        call.restype = ctypes.c_int64
        done: int = call(ctypes.byref(memory), ctypes.byref(self._at), *(ctypes.c_int64(each) for each in numbers))
        self._chance.state = memory.chance.state
        return done

    def _switch_to_python(self) -> Search:
        """Switch to the search in Python and return it."""
        if not self.outgrown:
            search, memory = self._search, self._memory
            search.root = NativeNode(memory.root).to_python()
            search.net.unpack()
            search.playouts, search.nodes, search.decisions = memory.playouts, memory.nodes, memory.decisions
            self.outgrown = True
        return self._search

    def find(self, engine: Engine) -> None:
        """Move the root to the current position, if it is in the tree."""
        if not self.outgrown:
            try:
                self._call("find", engine)
                return
            except Outgrown:
                pass
        self._switch_to_python().find(engine)

    def grow(self, engine: Engine, n: int) -> None:
        """Add ``n`` play-outs to the tree."""
        left = n
        if not self.outgrown:
            try:
                left = self._call("grow", engine, n)
            except Outgrown:
                pass
        if left > 0:
            self._switch_to_python().grow(engine, left)

    def advance(self, engine: Engine, budget: int, chunk: int) -> bool:
        """Run one more chunk of play-outs; return False if none was left."""
        if not self.outgrown:
            try:
                n = self._call("due", engine, budget, chunk)
                self.grow(engine, n)
                return n > 0
            except Outgrown:
                pass
        return self._switch_to_python().advance(engine, budget, chunk)

    def best(self, engine: Engine) -> int:
        """Return the option visited most."""
        return self._switch_to_python().best(engine) if self.outgrown else self._call("best", engine)
