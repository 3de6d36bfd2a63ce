"""Endpoints as Starlette routes."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blackpoker.server.admission import PAGE
from blackpoker.server.http.endpoint import Endpoint, Problem, json_response, respond
from blackpoker.server.http.types import HttpResponse


class EndpointRoute(Route):
    """The route of a path with all its endpoints, by method."""

    endpoints: dict[str, Endpoint]


class PageRoute(Route):
    """A route of a page or file that no endpoint describes; the gateway charges it as a page."""

    cost: Final = PAGE


ALL_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")


def endpoint_routes(endpoints: list[Endpoint], max_bytes: int) -> list[Route]:
    """Return one route per path, which knows all its methods and lists them in a 405 response."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [endpoint_route(path, methods, max_bytes) for path, methods in paths.items()]


def endpoint_route(path: str, methods: dict[str, Endpoint], max_bytes: int) -> Route:
    allowed = ", ".join([*methods, *(("HEAD",) if "GET" in methods else ())])

    async def serve(request: Request) -> Response:
        endpoint = methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            refusal = json_response(Problem("method", f"only {allowed} here", f"{allowed} だけ使えます"), 405)
            refusal.headers["allow"] = allowed
            return to_starlette(refusal)
        return to_starlette(await respond(endpoint, request, max_bytes), request.scope.get("root_path", ""))

    route = EndpointRoute(path, serve, methods=list(ALL_METHODS))
    route.endpoints = methods
    return route


def to_starlette(response_data: HttpResponse, root: str = "") -> Response:
    """Return the response as Starlette sends it; its cookie is limited to the folder ``root`` of the host."""
    response = Response(response_data.data, response_data.status, response_data.headers, response_data.media_type)
    if response_data.cookie is not None:
        name, value, max_age, secure = response_data.cookie
        cookie_path = root or "/"
        response.set_cookie(name, value, max_age, path=cookie_path, httponly=True, samesite="lax", secure=secure)
    return response
