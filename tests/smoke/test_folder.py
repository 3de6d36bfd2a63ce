"""The page in a folder of a host, behind nginx: lesson, game, link and cookie stay in it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web import browser as b
from tests.web.eager_player import EagerPlayer
from tests.web.proxied_site import FOLDER, Proxied, nginx
from tests.web.test_user_journeys import first_lesson

TAPS = 12


@pytest.mark.parametrize("stripped", [True, False])
def test_the_page_plays_in_a_folder(tmp_path: Path, stripped: bool) -> None:
    """With a proxy that strips the folder and one that keeps it."""
    if not (b.STATIC / "index.html").exists():
        pytest.skip("the page is not built (make web)")
    why = b.missing() or ("" if nginx() else "there is no nginx")
    if why:
        pytest.skip(f"the page was not tried in a folder: {why}")
    site = Proxied(tmp_path, stripped)
    try:
        site.start()
        with b.browser() as chromium:
            visit = b.Visit(chromium, site)
            page = visit.page
            requested: list[str] = []
            page.on("request", lambda request: requested.append(urlsplit(request.url).path))
            page.on("websocket", lambda line: requested.append(urlsplit(line.url).path))
            visit.go("/")
            if stripped:
                page.click(".home a[href$='/school']")
                page.click("[data-do=start]")
                first_lesson(visit)
            visit.start_game("lite+entry", opponent_kind="friend")
            link = page.wait_for_selector("input.link", state="attached").input_value()
            assert urlsplit(link).path.startswith(f"{FOLDER}/room/")
            visit.start_game("lite+entry", "easy")
            page.wait_for_selector(".palette")
            play(visit)
            page.reload()
            page.wait_for_selector(".palette")
            assert f"{FOLDER}/ws" in requested
            assert not [path for path in requested if not path.startswith(f"{FOLDER}/")]
            cookies = visit.context.cookies()
            assert cookies
            assert {cookie["path"] for cookie in cookies} == {FOLDER}
            head = page.evaluate("async () => (await fetch(location.href)).text()")
            assert f'content="{site.url}/api/picture.png' in head
            assert visit.problems == []
            visit.context.close()
    finally:
        site.leave()


def play(visit: b.Visit) -> None:
    """Play a dozen taps, or to the end."""
    hand = EagerPlayer(visit, 3)
    taps = 0
    while taps < TAPS and (what := hand.tap()) != "over":
        taps += what != "wait"
        visit.page.wait_for_timeout(25)
