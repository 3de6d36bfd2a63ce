"""Everything of the server that does work for clients, with its class: endpoints, pages, sockets, messages, jobs, caches.

python -m tests.server.admission_table --write
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final, get_args

from starlette.routing import Route

from blackpoker.protocol import messages as p
from blackpoker.server import app
from blackpoker.server.admission import CACHES, JOBS, QUOTAS, Cost, Quota
from blackpoker.server.http.api import preview_image  # noqa: F401 - imported by the server only when a picture is drawn
from blackpoker.server.http.endpoint import Endpoint
from blackpoker.server.http.routes import EndpointRoute, PageRoute
from blackpoker.server.ws.connection import MESSAGES

TABLE: Final = Path(__file__).with_name("admission.txt")


def rows() -> list[str]:
    """Return one row for each; raise an error for one without a class."""
    with tempfile.TemporaryDirectory() as folder:
        routes = app.create_app(str(Path(folder) / "games.db")).routes
    found: list[str] = []
    for route in routes:
        assert isinstance(route, Route), f"{route} is neither an endpoint nor a page"
        if isinstance(route, EndpointRoute):
            found += [endpoint_row(endpoint) for endpoint in route.endpoints.values()]
        else:
            assert isinstance(route, PageRoute), f"{route.path} has no class"
            found.append(f"page {route.path}: {route.cost.name}")
    for path, socket in app.SOCKETS.items():
        assert isinstance(socket.cost, Cost)
        found.append(f"socket {path}: {socket.cost.name}")
    for kind in get_args(p.AnyClientMessage):
        found.append(f"message {kind.__struct_config__.tag}: {MESSAGES[kind].name}")
    found += [f"job {job.name}: {job.cost.name}" for job in JOBS.values()]
    found += [f"cache {cache.name}: {cache.entries}, {cache.keys}" for cache in CACHES.values()]
    found += [quota_row(quota) for quota in QUOTAS]
    return sorted(found)


def endpoint_row(endpoint: Endpoint) -> str:
    assert isinstance(endpoint.cost, Cost), f"{endpoint.path} has no class"
    stores = ", ".join(
        [quota.name for quota in endpoint.draws] + [f"perhaps {quota.name}" for quota in endpoint.may_draw]
    )
    return f"{endpoint.method} {endpoint.path}: {endpoint.cost.name}" + (f"; stores {stores}" if stores else "")


def quota_row(quota: Quota) -> str:
    scopes = [name for name in ("address", "guest", "everyone") if getattr(quota, name) is not None]
    scopes += ["address"] if quota.configured is not None else []
    return f"quota {quota.name}: by {' and '.join(scopes)}" + (", in bytes" if quota.in_bytes else "")


if __name__ == "__main__":
    if "--write" in sys.argv:
        TABLE.write_text("\n".join(rows()) + "\n")
    else:
        print("\n".join(rows()))
