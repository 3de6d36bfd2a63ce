"""The same digest of every regulation and level natively, in Chromium and in Firefox; and the static page in Firefox."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blackpoker.native import build as native_build
from blackpoker.native import library as door
from tests.native import pyodide_package as native_page
from tests.native.conftest import CHECKED
from tests.native.platform_digest import everywhere
from tests.web import firefox
from tests.web.static_site import PLAYER, READY, STATIC, StaticSite

GAMES = 2
#: platform_digest.mjs in a page
RUN = """async () => {
  const { everywhere } = await import('/platform_digest.mjs');
  const archive = await (await fetch('/package.zip')).arrayBuffer();
  const script = await (await fetch('/platform_digest.py')).text();
  return everywhere(location.origin + '/pyodide/', archive, script, %d);
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address at which a browser finds the whole package."""
    why = native_page.missing()
    if why:
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("everywhere")
    (folder / "index.html").write_text("<!doctype html><title>everywhere</title>", encoding="utf-8")
    (folder / "package.zip").write_bytes(native_page.package())
    (folder / "pyodide").symlink_to(native_page.PYODIDE)
    for name in ("platform_digest.mjs", "platform_digest.py"):
        (folder / name).symlink_to(Path(native_page.__file__).with_name(name))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the native digest."""
    folder = tmp_path_factory.mktemp("native")
    assert native_build.build(folder, folder / "rules.so", CHECKED) == ""
    library = door.load(folder / "rules.so")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "native_library", lambda: library)
        found = everywhere(GAMES)
    assert found["native"]
    return found


@pytest.fixture
def fox() -> Iterator[firefox.Firefox]:
    if not firefox.firefox():
        pytest.skip("no Firefox is installed (Debian's package: firefox-esr)")
    with firefox.running() as found:
        yield found


def test_chromium(chromium: Any, place: str, here: Any) -> None:
    page = chromium.new_page()
    page.goto(place)
    there = json.loads(page.evaluate(RUN % GAMES))
    page.close()
    assert there["native"]
    assert there["rows"] == here["rows"]


def test_firefox(fox: firefox.Firefox, place: str, here: Any) -> None:
    fox.go(place)
    there = json.loads(fox.evaluate(RUN % GAMES))
    assert there["native"]
    assert there["rows"] == here["rows"]


def test_the_static_page_in_firefox(fox: firefox.Firefox, tmp_path: Path) -> None:
    """After one visit the host stops: a whole game and its replay with the coach still work."""
    if not (STATIC / "sw.js").exists():
        pytest.skip("there is no static page (make static)")
    host = StaticSite(tmp_path, "/blackpoker/")
    host.start()
    fox.go(host.url + "/")
    fox.wait("() => !!document.querySelector('[data-do=now]:not([disabled])')")
    fox.wait(READY)
    fox.wait("() => !!navigator.serviceWorker.controller")
    assert fox.problems == []
    host.kill()
    fox.go(host.url + "/")
    fox.wait(READY)
    played = fox.evaluate(PLAYER, ["blackpoker/blackpoker", "master", "lite+entry"])
    fox.go(f"{host.url}/?go=%2Freplay%2F{played['record']}")
    fox.wait("() => !!document.querySelector('.step[aria-busy=false]')")
    fox.wait("() => !!document.querySelector('.story .turning[aria-busy=false] ol')")
    fox.go(f"{host.url}/?go=%2Fschool")
    fox.wait("() => !!document.querySelector('[data-lesson]')")
