"""The bridge between a page's worker and the local site: requests and connections by id, everything as text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from blackpoker.server.offline.site import LocalSite
from blackpoker.server.offline.store import RowStore

#: callback to the worker: the kind (answer, message, closed), the id, and the data
Post = Callable[..., object]


class PageBridge:
    def __init__(self, site: LocalSite, post: Post) -> None:
        self.site = site
        self.post = post
        self.tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, rows: RowStore, post: Post) -> PageBridge:
        return cls(await LocalSite.open(rows), post)

    def request(self, id: str, method: str, target: str, body: str) -> None:
        """Start a request; the answer is posted when it is ready."""

        async def answer() -> None:
            found = await self.site.handle_request(method, target, body)
            self.post("answer", id, found.status, found.media, found.text)

        task = asyncio.ensure_future(answer())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def connect(self, connection: str) -> None:
        self.site.connect(
            connection,
            lambda text: self.post("message", connection, text),
            lambda code, why: self.post("closed", connection, code, why),
        )

    def send(self, connection: str, text: str) -> None:
        self.site.on_message(connection, text)

    def disconnect(self, connection: str) -> None:
        self.site.disconnect(connection)

    def warm_up(self) -> None:
        self.site.warm_up()
