"""The bridge between a page's worker and the local site: requests and connections by id, everything as text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from blackpoker.server.local.site import LocalSite
from blackpoker.server.local.store import RowKeeper

#: callback to the worker: the kind (answer, message, closed), the id, and the data
Post = Callable[..., object]


class PageDoor:
    def __init__(self, site: LocalSite, post: Post) -> None:
        self.site = site
        self.post = post
        self.asked: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, rows: RowKeeper, post: Post) -> PageDoor:
        return cls(await LocalSite.open(rows), post)

    def ask(self, id: str, method: str, target: str, body: str) -> None:
        """Start a request; the answer is posted when it is ready."""

        async def answer() -> None:
            found = await self.site.answer(method, target, body)
            self.post("answer", id, found.status, found.media, found.text)

        task = asyncio.ensure_future(answer())
        self.asked.add(task)
        task.add_done_callback(self.asked.discard)

    def dial(self, line: str) -> None:
        self.site.dial(
            line, lambda text: self.post("message", line, text), lambda code, why: self.post("closed", line, code, why)
        )

    def say(self, line: str, text: str) -> None:
        self.site.hear(line, text)

    def hang_up(self, line: str) -> None:
        self.site.hang_up(line)

    def warm_up(self) -> None:
        self.site.warm_up()
