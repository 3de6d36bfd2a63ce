"""The HTTP API framework. An endpoint is declared once with the types of its body, query and response. Routes
(``routes``) and the OpenAPI document are derived from that."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from blackpoker.errors import BlackPokerError
from blackpoker.server.admission import Cost, Ledger, Owner, Quota, Refused
from blackpoker.server.cluster.bus import BusError
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.worker_pool import QueueFull

if TYPE_CHECKING:
    from blackpoker.server.http.state import AppState

JSON = "application/json"
#: seconds in which a body must arrive
BODY_SECONDS = 10.0


class Problem(msgspec.Struct):
    """The error body of a refused request."""

    code: str
    en: str
    ja: str
    ruling: str = ""


class HttpProblem(Exception):
    """A refusal. ``retry_after``: seconds after which the request may succeed, 0 if unknown."""

    def __init__(self, status: int, code: str, en: str, ja: str, retry_after: float = 0.0) -> None:
        super().__init__(en)
        self.status = status
        self.problem: Problem = Problem(code, en, ja)
        self.retry_after = retry_after

    def response(self) -> HttpResponse:
        response = json_response(self.problem, self.status)
        if self.retry_after:
            response.headers["retry-after"] = str(math.ceil(self.retry_after))
        return response


def rate_refusal(seconds: float) -> HttpProblem:
    """Return the refusal of a request for which nothing is left."""
    return HttpProblem(429, "rate", "too often; wait a little", "回数が多すぎます。少し待ってください", seconds)


def json_response(value: Any, status: int = 200) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(value), status, media_type=JSON)


class CachedResponse:
    """A response that is encoded and compressed once. ``cache_control`` is sent as the header; empty: the browser must
    not cache it."""

    def __init__(self, data: bytes, media_type: str = JSON, cache_control: str = "", compressible: bool = True) -> None:
        self.data = data
        self.media_type = media_type
        self.cache_control = cache_control
        self.compressible = compressible
        self.etag: str = f'"{hashlib.sha256(data).hexdigest()[:20]}"'

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.data, 9, mtime=0)

    def response(self, request: HttpRequest) -> HttpResponse:
        headers = {"vary": "Accept-Encoding"} if self.compressible else {}
        if self.cache_control:
            headers |= {"etag": self.etag, "cache-control": self.cache_control}
            if request.headers.get("if-none-match") == self.etag:
                return HttpResponse(None, 304, headers)
        if not self.compressible or "gzip" not in request.headers.get("accept-encoding", ""):
            return HttpResponse(self.data, 200, headers, self.media_type)
        return HttpResponse(self.compressed, 200, {**headers, "content-encoding": "gzip"}, self.media_type)


@dataclass(frozen=True)
class Endpoint:
    """A method of a path. ``cost``: charged before the handler runs. ``draws``: quotas drawn before it runs, and
    ``may_draw``: quotas that the handler draws (``context.draw``)."""

    method: str
    path: str
    handler: Callable[..., Awaitable[Any]]
    response: Any
    body: Any = None
    query: Any = None
    status: int = 200
    problems: tuple[int, ...] = ()
    media_type: str = JSON
    summary: str = ""
    cost: Cost = field(kw_only=True)
    draws: tuple[Quota, ...] = ()
    banned: bool = False  # a banned account may use it although it is no GET
    may_draw: tuple[Quota, ...] = ()


async def respond(endpoint: Endpoint, request: HttpRequest, max_bytes: int) -> HttpResponse:
    arguments: dict[str, Any] = dict(request.path_params)
    server: AppState = request.app.state.server
    identity = server.identity(request)
    owner = Owner(server.network(request), "" if identity is None else identity.id)
    if identity is not None and identity.banned and endpoint.method != "GET" and not endpoint.banned:
        return HttpProblem(
            403, "banned", "an operator has closed this account for a time", "このアカウントは運営により停止中です"
        ).response()
    if not endpoint.cost.by_job:
        extra_ms = max(0.0, endpoint.cost.ms - server.limits.request_cost)
        server.ledger.spend(owner.guest, owner.network, extra_ms, time.monotonic())
    body_bytes = 0
    try:
        if endpoint.query is not None:
            arguments["query"] = read_query(request, endpoint.query)
        if endpoint.body is not None:
            data = await read_body(request, max_bytes)
            body_bytes = len(data)
            arguments["body"] = decode_body(data, endpoint.body)
        async with drawn(server.ledger, endpoint.draws, owner, body_bytes):
            result = await endpoint.handler(request, **arguments)
    except HttpProblem as problem:
        return problem.response()
    except Refused as refused:
        return rate_refusal(refused.seconds).response()
    except (QueueFull, BrokenExecutor):
        return HttpProblem(503, "busy", "too much is waiting to be worked on", "混み合っています", 2.0).response()
    except (BusError, StoreUnavailable):
        return json_response(Problem("unavailable", "try again in a moment", "少し待ってからやり直してください"), 503)
    except BlackPokerError as error:
        return json_response(Problem("unreadable", error.en[:600], error.ja[:600], getattr(error, "ruling", "")), 422)
    return result if isinstance(result, HttpResponse) else json_response(result, endpoint.status)


@asynccontextmanager
async def drawn(ledger: Ledger, quotas: tuple[Quota, ...], owner: Owner, body_bytes: int) -> AsyncIterator[None]:
    """Draw from the quotas of a request, and give it back if the request is refused."""
    taken: list[Quota] = []
    try:
        for quota in quotas:
            await ledger.draw(quota, owner, body_bytes if quota.in_bytes else 1)
            taken.append(quota)
        yield
    except Exception:
        for quota in taken:
            await ledger.give_back(quota, owner, body_bytes if quota.in_bytes else 1)
        raise


def read_query(request: HttpRequest, type: Any) -> Any:
    try:
        return msgspec.convert(dict(request.query_params), type, strict=False)
    except (msgspec.ValidationError, OverflowError) as error:
        raise invalid_input("query", error) from None


async def read_body(request: HttpRequest, max_bytes: int) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise HttpProblem(415, "media", "the body must be application/json", "本文は application/json で送ってください")
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                chunks.append(chunk)
                size += len(chunk)
                if size > max_bytes:
                    raise too_large(max_bytes)
    except TimeoutError:
        seconds = f"{BODY_SECONDS:.0f}"
        raise HttpProblem(
            408, "slow", f"the body may take {seconds} seconds", f"本文は{seconds}秒以内に送ってください"
        ) from None
    return b"".join(chunks)


def decode_body(data: bytes, type: Any) -> Any:
    try:
        return msgspec.convert(integral_floats_to_int(msgspec.json.decode(data)), type)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError) as error:
        raise invalid_input("body", error) from None


def invalid_input(code: str, error: Exception) -> HttpProblem:
    """Return the error for input that does not match its declared type."""
    reason = str(error)[:300]
    return HttpProblem(422, code, reason, f"送られた内容を読めません（{reason}）")


def too_large(max_bytes: int) -> HttpProblem:
    return HttpProblem(413, "too_large", f"the body may have {max_bytes} bytes", f"本文は{max_bytes}バイトまでです")


def not_found() -> HttpProblem:
    return HttpProblem(404, "not_found", "that is not here", "ここにはありません")


def integral_floats_to_int(value: Any) -> Any:
    """Return the value with integral floats as integers: in JSON 5.0 is an integer too."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [integral_floats_to_int(member) for member in value]
    if isinstance(value, dict):
        return {name: integral_floats_to_int(member) for name, member in value.items()}
    return value


# -- OpenAPI -----------------------------------------------------------------------------------------------------------


def openapi(endpoints: list[Endpoint], title: str, version: str) -> dict[str, Any]:
    types = [Problem]
    for endpoint in endpoints:
        types += [type for type in (endpoint.body, endpoint.response) if type is not None and type is not bytes]
    _, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {"schemas": components},
    }


def schema_of(type: Any) -> dict[str, Any]:
    (found,), _ = msgspec.json.schema_components([type], ref_template="#/components/schemas/{name}")
    return found


def operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    for part in endpoint.path.split("/"):
        if part.startswith("{"):
            name = part[1:-1]
            parameters.append(
                {
                    "name": name,
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_.@-]{1,64}$"},
                }
            )
    if endpoint.query is not None:
        hints = get_type_hints(endpoint.query, include_extras=True)
        for field in msgspec.structs.fields(endpoint.query):
            parameters.append(
                {
                    "name": field.encode_name,
                    "in": "query",
                    "required": field.required,
                    "schema": schema_of(hints[field.name]),
                }
            )
    content = (
        {"schema": {"type": "string"}} if endpoint.media_type != JSON else {"schema": schema_of(endpoint.response)}
    )
    refused = {"description": "Refused", "content": {JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    problems = {429, 503, *endpoint.problems}
    if endpoint.body is not None:
        problems |= {403, 413, 415, 422}
    elif endpoint.method != "GET":
        problems |= {403}
    if endpoint.query is not None:
        problems |= {422}
    out: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary or (endpoint.handler.__doc__ or "").strip().partition("\n")[0],
        "parameters": parameters,
        "responses": {
            str(endpoint.status): {"description": "Done", "content": {endpoint.media_type: content}},
            **{str(status): refused for status in sorted(problems)},
        },
    }
    if endpoint.body is not None:
        out["requestBody"] = {"required": True, "content": {JSON: {"schema": schema_of(endpoint.body)}}}
    return out
