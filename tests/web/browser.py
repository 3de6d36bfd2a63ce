"""A real Chromium, a real server, and helpers that tap the page's options."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from tests.web.static_site import PREFIX, StaticSite
from tests.web.static_site import STATIC as STATIC_PAGE

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "blackpoker" / "server" / "static"
SCREENS = ROOT / "build" / "screens"
#: timeout in milliseconds: only a fault takes that long, however busy the machine
PATIENCE = 60_000
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

#: init script: set the speed of events, unless the page has a setting
SPEED = """try {
  const kept = JSON.parse(localStorage.getItem('blackpoker') ?? '{}');
  localStorage.setItem('blackpoker', JSON.stringify({speed: '%s', ...kept}));
} catch {}"""

#: init script: seed the page's randomness from a name, differently for each opened page
CHANCE = """try {
  const opened = 1 + Number(sessionStorage.getItem('opened'));
  sessionStorage.setItem('opened', opened);
  let state = opened;
  for (const letter of '%s') state = Math.imul(state ^ letter.charCodeAt(0), 0x5bd1e995) ^ state >>> 13;
  const draw = () => {
    state = state + 0x6d2b79f5 | 0;
    let bits = Math.imul(state ^ state >>> 15, 1 | state);
    bits = bits + Math.imul(bits ^ bits >>> 7, 61 | bits) ^ bits;
    return (bits ^ bits >>> 14) >>> 24;
  };
  crypto.getRandomValues = values => (new Uint8Array(values.buffer).forEach((_, n, bytes) => bytes[n] = draw()), values);
} catch {}"""

#: init script: record whether the last tap was ignored, because an element that just appeared ignores taps briefly
REFUSED = """addEventListener('click', event => setTimeout(() => { window.refused = event.defaultPrevented }), true)"""

#: elements that overflow the window or scroll it sideways
OVERFLOW = """() => {
  const out = [];
  if (document.documentElement.scrollWidth > innerWidth) out.push('page ' + document.documentElement.scrollWidth);
  for (const e of document.querySelectorAll('.table button, .table .chip, main button, main input, main select')) {
    const r = e.getBoundingClientRect();
    if (!r.width || e.closest('.log, dialog') || e.getAnimations({subtree: true}).length) continue;
    if (e.closest('.opts, .list, .sentence, .fights, .stage')) continue;  // strips under the thumb, scrolled by it
    if (r.right > innerWidth + 1 || r.left < -1) out.push(e.className + ' ' + Math.round(r.left) + '…' + Math.round(r.right));
  }
  return out;
}"""


def chromium() -> str:
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )


def install_chromium() -> None:
    """Install Chromium and Japanese fonts from the distribution's packages, only on request and only as root."""
    requested = os.environ.get("CI") or os.environ.get("BLACKPOKER_BROWSER") == "install"
    if not (requested and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    subprocess.run(["apt-get", "update", "-qq"], timeout=180, **quiet)
    packages = ["chromium", "fonts-noto-cjk"]
    subprocess.run(["apt-get", "install", "-y", "-qq", *packages], timeout=900, **quiet)


@contextmanager
def alone() -> Iterator[None]:
    """Lock: one test process at a time builds and installs."""
    lock = ROOT / "build" / "page.lock"
    lock.parent.mkdir(exist_ok=True)
    end = time.monotonic() + 1200
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            if time.monotonic() > end or time.time() - lock.stat().st_mtime > 1200:
                break  # the holder of the lock is gone
            time.sleep(0.5)
    try:
        yield
    finally:
        lock.rmdir()


def missing() -> str:
    """Return the reason why the browser tests cannot run; empty if they can."""
    with alone():
        return _missing()


def _missing() -> str:
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "the package playwright is not installed"
    if not (STATIC / "index.html").exists():
        done = subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], cwd=ROOT, check=False, timeout=600)
        if done.returncode or not (STATIC / "index.html").exists():
            return "the page is not built and could not be (make web)"
    if PREFIX and not (STATIC_PAGE / "sw.js").exists():
        return "there is no static page (make static)"
    if not chromium():
        install_chromium()
    return "" if chromium() else "no Chromium is installed (Debian's packages: chromium fonts-noto-cjk)"


def this_test() -> str:
    """Return the name of the running test."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").partition(" (")[0]


class Site:
    """``blackpoker serve`` as a separate process, so that it can be killed and restarted."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def draw_from(self, name: str) -> None:
        """Seed the server's randomness with this name from now on (``serve.py``)."""
        (self.folder / "chance").write_text(name, encoding="utf-8")

    def start(self) -> None:
        self.starts += 1  # a restart gets other random values
        self.draw_from(f"{this_test()} {self.starts}")
        command = [sys.executable, "-m", "tests.web.seeded_server"]
        command += ["serve", "--port", str(self.port), "--exact-port"]
        command += ["--host", "127.0.0.1", "--database", str(self.folder / "games.db"), "--no-limits", "--no-qr"]
        command += self.options
        with (self.folder / "server.log").open("ab") as log:
            found = {**os.environ, "PYTHONPATH": str(ROOT)}  # its working directory contains none of our code
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=found)
        end = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(self.url + "/api/health", timeout=2):
                    return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError((self.folder / "server.log").read_text()[-2000:]) from None
                time.sleep(0.1)

    def address(self, path: str) -> str:
        return self.url + path

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)


class Visit:
    """One user at one browser."""

    #: visits with an open page, so that a failing test can save screenshots
    here: ClassVar[list[Visit]] = []

    def __init__(
        self, browser: Any, site: Site | StaticSite, size: str = "desk", lang: str = "ja-JP", speed: str = "instant"
    ) -> None:
        """Open a page. ``speed``: the speed of events; tests that are not about motion do not wait for it."""
        width, height = SIZES[size]
        self.size = size
        self.site = site
        self.context = browser.new_context(viewport={"width": width, "height": height}, locale=lang)
        self.context.add_init_script(SPEED % speed)
        self.context.add_init_script(CHANCE % f"{ascii(this_test())[1:-1]} {len(self.here)}".replace("'", ""))
        self.context.add_init_script(REFUSED)
        if isinstance(site, StaticSite):
            site.prepare(self.context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.forgive = False  # while the server is down on purpose
        self.page.on("console", self.on_console)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("requestfailed", self.on_request_failed)
        self.page.on("response", self.on_response)
        self.taps = 0
        self.here.append(self)
        self.context.on("close", lambda _: self.here.remove(self))

    def is_redirected(self, url: str) -> bool:
        """Return whether the URL is a screen of the static page: the host has no such file and returns 404.html, which
        redirects."""
        return isinstance(self.site, StaticSite) and "." not in urlsplit(url).path.rpartition("/")[2]

    def on_console(self, message: Any) -> None:
        if "404" in message.text and self.is_redirected(message.location.get("url", "")):
            return
        if message.type in ("error", "warning") and not self.forgive:
            self.problems.append(f"console: {message.text}")

    def on_request_failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page moved on before the response
            self.report_failure(request.url)

    def on_response(self, answer: Any) -> None:
        if answer.status >= 400 and not (answer.status == 404 and self.is_redirected(answer.url)):
            self.report_failure(f"{answer.status} {answer.url}")

    def report_failure(self, what: str) -> None:
        if not self.forgive and "/api/positions/check" not in what:
            self.problems.append(f"failed: {what}")

    def go(self, path: str) -> None:
        self.page.goto(self.site.address(path))

    def shot(self, name: str) -> None:
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"{name}-{self.size}.png")

    def overflow(self) -> list[str]:
        found: list[str] = self.page.evaluate(OVERFLOW)
        return found

    def axe(self) -> list[str]:
        """Return the violations of accessibility rules on the current page."""
        script = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
        if not script.exists():
            raise RuntimeError("axe-core is missing: python web/build.py fetches it")
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(script.read_text(encoding="utf-8"))
        found = self.page.evaluate(
            "async () => (await axe.run(document, {resultTypes: ['violations'],"
            " rules: {'target-size': {enabled: true}}})).violations.map("
            "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | '))"
        )
        return list(found)

    def start_game(self, regulation: str = "", level: str = "", opponent_kind: str = "ai") -> None:
        """Start a game from the start screen; omitted settings stay as they were."""
        self.go(f"/play?with={opponent_kind}")
        format, _, frame = regulation.partition("+")
        for name, value in (("level", level), ("format", format), ("frame", frame)):
            if value:
                self.page.click(f"[data-{name}={value}]")
        if opponent_kind == "friend":
            self.page.click("[data-pick='window:0']")
        self.page.click("[data-do=start]")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        if isinstance(self.site, StaticSite):
            return self.site.ask(self.page, "POST", path, json.dumps(body))
        return self.page.evaluate(
            "async ([path, body]) => (await fetch(path, {method: 'POST', headers: {'content-type': 'application/json'},"
            " body: JSON.stringify(body)})).json()",
            [self.site.address(path), body],
        )

    def tap(self, selector: str, place: int = 0, patience: float = PATIENCE / 2) -> None:
        self.page.locator(selector).nth(place).click(timeout=patience)
        self.taps += 1


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        found = running.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield found
        finally:
            found.close()
