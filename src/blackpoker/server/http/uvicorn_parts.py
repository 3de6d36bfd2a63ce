"""The non-public parts of uvicorn that we use, in one place. pyproject.toml allows the tested versions, and a server
with another version reports missing parts at startup.

``connection_limits`` (HttpToolsProtocol): limits connections and request heads, and may hand a WebSocket's handshake to
another process. ``frames`` (WebSocketsSansIOProtocol): passes small text frames directly to their handler. It replaces
``queue`` by a smaller one and drops ``request``, ``response`` and the scope's headers after the handshake. ``serve``
reads ``server_state`` and ``lifespan`` of the server for connections that another process has accepted; everything else
there is public (``Config``, ``Server.run``, ``should_exit``, ``force_exit``, ``started``).
"""

from __future__ import annotations

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["HttpToolsProtocol", "WebSocketsSansIOProtocol", "missing_methods"]

#: methods that are overridden or called
REQUIRED_METHODS: Final[dict[type, tuple[str, ...]]] = {
    HttpToolsProtocol: (
        "connection_made",
        "connection_lost",
        "data_received",
        "on_message_begin",
        "on_body",
        "on_message_complete",
        "on_response_complete",
        "handle_websocket_upgrade",
        "send_400_response",
    ),
    WebSocketsSansIOProtocol: (
        "connection_lost",
        "data_received",
        "handle_connect",
        "send_receive_event_to_app",
        "on_task_complete",
        "handle_ping",
        "handle_close",
        "handle_parser_exception",
    ),
}


def missing_methods() -> list[str]:
    """Return the methods that the installed uvicorn lacks."""
    return [
        f"{owner.__name__}.{name}"
        for owner, names in REQUIRED_METHODS.items()
        for name in names
        if not hasattr(owner, name)
    ]
