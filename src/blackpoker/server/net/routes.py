"""Endpoints as Starlette routes."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blackpoker.server.net.exchange import HttpResponse
from blackpoker.server.net.http import Endpoint, Problem, answer, respond

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")


def routes_of(endpoints: list[Endpoint], most_bytes: int) -> list[Route]:
    """Return one route per path, which knows all its methods and lists them in a 405 response."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [route_of(path, methods, most_bytes) for path, methods in paths.items()]


def route_of(path: str, methods: dict[str, Endpoint], most_bytes: int) -> Route:
    allowed = ", ".join([*methods, *(("HEAD",) if "GET" in methods else ())])

    async def serve(request: Request) -> Response:
        endpoint = methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            refused = answer(Problem("method", f"only {allowed} here", f"{allowed} だけ使えます"), 405)
            refused.headers["allow"] = allowed
            return sent(refused)
        return sent(await respond(endpoint, request, most_bytes), request.scope.get("root_path", ""))

    return Route(path, serve, methods=list(METHODS))


def sent(found: HttpResponse, root: str = "") -> Response:
    """Return the response as Starlette sends it; its cookie is limited to the folder ``root`` of the host."""
    response = Response(found.data, found.status, found.headers, found.media_type)
    if found.cookie is not None:
        name, value, max_age, secure = found.cookie
        place = root or "/"
        response.set_cookie(name, value, max_age, path=place, httponly=True, samesite="lax", secure=secure)
    return response
