"""A request and its answer as the endpoints know them. Starlette's requests are such requests; where there is no
network, as in a page without a server, they are made by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


class HttpConnection(Protocol):
    """Who asks: what is known before anything is said."""

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
    """What an endpoint answers; ``cookie`` is set at the browser, where no script of a page can read it."""

    data: bytes | str | None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str | None = None
    cookie: Cookie | None = None
