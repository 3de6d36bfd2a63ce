"""``blackpoker serve``: serve games to browsers."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Final

from blackpoker.cli.console import NOTICE, UsageError, language, load_edition, os_error_text, print_error
from blackpoker.server import app
from blackpoker.server import serve as server
from blackpoker.server.storage.interface import RetentionPolicy
from blackpoker.text.resources import in_lang

if TYPE_CHECKING:
    from blackpoker.text.resources import Lang

EVERYWHERE: Final = ("0.0.0.0", "::")
TEXTS: Final = {
    "busy": ("ポート{0}は使われているので{1}を使います", "port {0} is busy, using {1}"),
    "open": (
        "同じネットワークの機器に開いています（blackpoker --local ならこの機器だけ）",
        "open to everyone on your local network (blackpoker --local keeps it to this machine)",
    ),
    "running": (
        "バージョン {0}、版 {1}、データベース {2}、フォルダー {3}",
        "version {0}, edition {1}, database {2}, root path {3}",
    ),
    "network": ("このネットワークで：{0}", "on this network: {0}"),
    "no_page": (
        "ページがまだ作られていません：ソースで make web を実行するか、blackpoker play で端末で遊べます",
        "the page is not built: `make web` in the source builds it; `blackpoker play` plays in the terminal",
    ),
    "no_screen": (
        "ここからブラウザーを開けません：上のアドレスをブラウザーで開いてください（Ctrl-C で終了）",
        "no browser can be opened from here: open the address above in one (Ctrl-C stops the server)",
    ),
    "no_browser": (
        "ブラウザーを開けませんでした：上のアドレスをブラウザーで開いてください（Ctrl-C で終了）",
        "no browser could be opened: open the address above in one (Ctrl-C stops the server)",
    ),
}
NEEDS_REDIS: Final = ("2つ以上のプロセスには --redis が必要です", "more than one process needs --redis")
NO_HOST: Final = (
    "--host が空です：この機器だけなら 127.0.0.1、ネットワークにも開くなら 0.0.0.0",
    "--host is empty: 127.0.0.1 is this machine alone, 0.0.0.0 every network it is in",
)
NO_ROOT: Final = (
    "--root-path はアドレスのフォルダーです（/bp など）：{0!r} ではありません",
    "--root-path is a folder of an address, as /bp, not {0!r}",
)
NO_TOKEN: Final = ("{0} が読めません：{1}", "cannot read {0}: {1}")
SHORT_TOKEN: Final = ("{0} には{1}文字以上の英数字が必要です", "{0} needs at least {1} ASCII characters")
LEAST_TOKEN: Final = 16
NO_FOLDER: Final = ("フォルダー {0} を作れません：{1}", "cannot make the folder {0}: {1}")


def start(local: bool, port: int, packages: list[Path] | None, lang: str | None) -> int:
    """Serve the page to this machine and its network, and open it. This is ``blackpoker`` without arguments."""
    host = "127.0.0.1" if local else "0.0.0.0"
    plan = server.ServeOptions(host, port, log_level="warning", database=default_database(lang))
    plan.edition = load_edition(packages)
    return listen(plan, language(lang), qr=True, open_page=True)


def serve(
    port: int,
    host: str,
    database: str,
    redis: str,
    processes: int,
    exact: bool,
    origin: list[str] | None,
    allow_host: list[str] | None,
    open_metrics: bool,
    metrics_token: Path | None,
    root_path: str,
    no_limits: bool,
    qr: bool,
    log_level: str,
    open_page: bool,
    keep_waiting: int,
    keep_unfinished: int,
    keep_rooms: int,
    packages: list[Path] | None,
    lang: str | None,
) -> int:
    """Serve games to browsers and bots until stopped."""
    if processes > 1 and not redis:
        raise UsageError(NEEDS_REDIS)
    if not host:
        raise UsageError(NO_HOST)  # the system would listen on every network
    plan = server.ServeOptions(
        host,
        port,
        exact,
        database or default_database(lang),
        redis,
        processes,
        frozenset(origin or ()),
        no_limits,
        log_level=log_level,
        retention=RetentionPolicy(keep_waiting, keep_unfinished, keep_rooms),
        hosts=frozenset(name.casefold() for name in allow_host or ()),
        open_metrics=open_metrics,
        metrics_token=read_token(metrics_token),
        root=root_prefix(root_path),
        edition=load_edition(packages),
    )
    return listen(plan, language(lang), qr, open_page)


def read_token(file: Path | None) -> str:
    """Return the token in a file; raise `UsageError` if it cannot be read or is too short to be a secret."""
    if file is None:
        return ""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(NO_TOKEN, file, type(error).__name__) from None
    if len(token) < LEAST_TOKEN or not token.isascii():
        raise UsageError(SHORT_TOKEN, file, LEAST_TOKEN)
    return token


def root_prefix(root_path: str) -> str:
    """Return the path prefix ``/bp``, or ""; raise `UsageError` if it is invalid."""
    named = root_path.strip("/")
    if named and not re.fullmatch(r"[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*", named):
        raise UsageError(NO_ROOT, root_path)
    return f"/{named}" if named else ""


def data_folder() -> Path:
    """Return the platform's folder for user data."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "blackpoker"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "blackpoker"
    named = os.environ.get("XDG_DATA_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share") / "blackpoker"


def default_database(lang: str | None) -> str:
    """Return the default database file."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(NO_FOLDER, folder, os_error_text(error, language(lang))) from None
    return str(folder / "blackpoker.db")


def listen(plan: server.ServeOptions, lang: Lang, qr: bool, open_page: bool) -> int:
    def announce(plan: server.ServeOptions, taken: int) -> None:
        print_address(plan.host, plan.port, taken, qr, lang)
        print(in_lang(TEXTS["running"], lang, *server.described(plan)))
        sys.stdout.flush()
        if open_page:
            show_page(f"http://{browser_host(plan.host)}:{taken}/", lang)

    try:
        code = server.serve(plan, announce)
    except server.CannotServe as error:
        return print_error(str(error), error.code)
    return code


def browser_host(host: str) -> str:
    """Return the host name with which a browser on this machine reaches a server on ``host``."""
    if host in EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def show_page(url: str, lang: Lang) -> None:
    """Open the page, or print why no browser can be opened. The address has been printed already."""
    if not (app.STATIC / "index.html").exists():
        print(in_lang(TEXTS["no_page"], lang), flush=True)
    elif not has_screen():
        print(in_lang(TEXTS["no_screen"], lang), flush=True)
    else:
        # A browser in the foreground would keep the server from starting; the socket listens already.
        threading.Thread(target=open_browser, args=(url, lang), daemon=True).start()


def has_screen() -> bool:
    """Return whether a browser window can appear. A text browser would take over the server's terminal, so it does not
    count."""
    if os.environ.get("BROWSER") or sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str, lang: Lang) -> None:
    try:
        opened = webbrowser.open(url)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        print(in_lang(TEXTS["no_browser"], lang), flush=True)


def print_address(host: str, wanted: int, port: int, qr: bool, lang: Lang) -> None:
    if wanted and port != wanted:
        print(in_lang(TEXTS["busy"], lang, wanted, port))
    print(NOTICE)
    print(f"BlackPoker: http://{browser_host(host)}:{port}/")
    if host in EVERYWHERE:
        print(in_lang(TEXTS["open"], lang))
        address = server.lan_address()
        if address and address != "127.0.0.1":
            url = f"http://{address}:{port}/"
            print(in_lang(TEXTS["network"], lang, url))
            if qr and sys.stdout.isatty():
                print(qr_code(url))
    sys.stdout.flush()


def qr_code(url: str) -> str:
    import segno

    out = io.StringIO()
    segno.make(url).terminal(out, compact=True)
    return out.getvalue()
