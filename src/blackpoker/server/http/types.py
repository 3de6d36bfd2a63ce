"""Request and response types of the endpoints. Starlette's requests match them; code without a network, such as a page
without a server, builds its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


class HttpConnection(Protocol):
    """The parts of a request that are known before its body."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def cookies(self) -> Mapping[str, str]: ...

    @property
    def client(self) -> Any: ...

    @property
    def url(self) -> Any: ...

    @property
    def app(self) -> Any: ...


class HttpRequest(HttpConnection, Protocol):
    @property
    def method(self) -> str: ...

    @property
    def path_params(self) -> Mapping[str, Any]: ...

    @property
    def query_params(self) -> Mapping[str, str]: ...

    def stream(self) -> AsyncIterator[bytes]: ...


class Cookie(NamedTuple):
    name: str
    value: str
    max_age: int
    secure: bool


@dataclass
class HttpResponse:
    """The response of an endpoint. ``cookie`` is set HttpOnly, so that no script of a page can read it."""

    data: bytes | str | None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str | None = None
    cookie: Cookie | None = None
