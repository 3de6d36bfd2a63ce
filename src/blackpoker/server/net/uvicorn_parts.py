"""What we rely upon of uvicorn beyond its public interface, in one place; pyproject.toml allows the versions it was
tested with, and a server that finds another one says so when it starts.

``guard`` (HttpToolsProtocol): connections are refused and timed at their beginning, heads are bounded, a WebSocket's
handshake may be handed to another process. ``frames`` (WebSocketsSansIOProtocol): small text frames go straight to
whoever hears them; its ``queue`` is a smaller one, its ``request``, ``response`` and the scope's headers are forgotten
when the handshake is over. ``run`` (Server): ``startup``, ``shutdown``, ``capture_signals``.
"""

from __future__ import annotations

from typing import Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["HttpToolsProtocol", "WebSocketsSansIOProtocol", "missing"]

#: methods that are overridden or called
RELIED: Final[dict[type, tuple[str, ...]]] = {
    HttpToolsProtocol: (
        "connection_made", "connection_lost", "data_received", "on_message_begin", "on_body", "on_message_complete",
        "on_response_complete", "handle_websocket_upgrade", "send_400_response",
    ),
    WebSocketsSansIOProtocol: (
        "connection_lost", "data_received", "handle_connect", "send_receive_event_to_app", "on_task_complete",
        "handle_ping", "handle_close", "handle_parser_exception",
    ),
    uvicorn.Server: ("startup", "shutdown", "capture_signals", "handle_exit"),
}  # fmt: skip


def missing() -> list[str]:
    """What this uvicorn does not have."""
    return [f"{part.__name__}.{name}" for part, names in RELIED.items() for name in names if not hasattr(part, name)]
