"""``blackpoker serve``: people play each other and the computer in their browsers."""

from __future__ import annotations

import io
import os
import sys
import threading
import webbrowser
from typing import Annotated

import typer

from blackpoker.cli.common import NOTICE, Problem


def serve(
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="The next free one if it is busy.")
    ] = 8080,
    host: Annotated[str, typer.Option("--host", help="127.0.0.1 serves this machine only.")] = "0.0.0.0",
    database: Annotated[
        str, typer.Option("--database", "-d", metavar="FILE|URL", help="An SQLite file, or postgresql://…")
    ] = "blackpoker.db",
    redis: Annotated[str, typer.Option("--redis", metavar="URL", help="For more than one process.")] = "",
    processes: Annotated[int, typer.Option("--processes", min=1, max=64)] = 1,
    exact: Annotated[bool, typer.Option("--exact-port", help="Fail if the port is busy.")] = False,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", metavar="URL", help="Another site whose pages may connect.")
    ] = None,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="No rate limits; for trusted networks.")] = False,
    qr: Annotated[bool, typer.Option("--qr/--no-qr", help="Show a QR code for phones.")] = True,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "warning",
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in this machine's browser.")
    ] = False,
) -> None:
    """Serve games to browsers and bots; stop with Ctrl-C or SIGTERM."""
    try:
        from blackpoker.server.net.run import CannotServe, Plan
        from blackpoker.server.net.run import serve as run
    except ImportError as error:
        raise Problem(f"the server's libraries are missing ({error.name}); install blackpoker again") from None
    if log_level not in ("debug", "info", "warning", "error"):
        raise Problem(f"--log-level is debug, info, warning or error, not {log_level!r}")
    plan = Plan(host, port, exact, database, redis, processes, frozenset(origin or ()), no_limits, log_level=log_level)

    def announce(plan: Plan, taken: int) -> None:
        print_address(plan.host, plan.port, taken, qr)
        if open_page:
            show(f"http://{local_name(plan.host)}:{taken}/")

    try:
        code = run(plan, announce)
    except CannotServe as error:
        print(f"blackpoker: {error}", file=sys.stderr)
        code = error.code
    raise typer.Exit(code)


def local_name(host: str) -> str:
    """How this machine's own browser calls a server on ``host``."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def show(url: str) -> None:
    """Open the page; where there is no browser to open it in, say so. The address has been printed already."""
    from blackpoker.server.net.app import STATIC

    if not (STATIC / "index.html").exists():
        print("the page is not built: `make web` in the source builds it; `blackpoker play` plays in the terminal")
    elif not has_screen():
        print("no browser can be opened from here: open the address above in one (Ctrl-C stops the server)")
    else:
        # A browser in the foreground would keep the server from starting; the socket listens already.
        threading.Thread(target=_open, args=(url,), daemon=True).start()
    sys.stdout.flush()


def has_screen() -> bool:
    """Whether a browser window could appear. A text browser would take the server's terminal, so it does not count."""
    if os.environ.get("BROWSER") or sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(url: str) -> None:
    try:
        opened = webbrowser.open(url)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        print("no browser could be opened: open the address above in one (Ctrl-C stops the server)", flush=True)


def print_address(host: str, wanted: int, port: int, qr: bool) -> None:
    from blackpoker.server.net.run import network_address

    if wanted and port != wanted:
        print(f"port {wanted} is busy, using {port}")
    print(NOTICE)
    print(f"BlackPoker: http://{local_name(host)}:{port}/")
    address = network_address() if host in ("0.0.0.0", "::") else ""
    if address and address != "127.0.0.1":
        url = f"http://{address}:{port}/"
        print(f"on this network: {url}")
        if qr and sys.stdout.isatty():
            import segno

            out = io.StringIO()
            segno.make(url).terminal(out, compact=True)
            print(out.getvalue())
    sys.stdout.flush()
