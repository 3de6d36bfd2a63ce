"""Make the pictures of the README: docs/pictures/table.webp and the animated table-moves.webp, and both in Japanese,
from a real game in a real Chromium. A test compares the texts on them, docs/pictures/texts.json, with the dictionaries.

python -m tools.screenshots.readme            both
python -m tools.screenshots.readme --still    only the still ones

Needs the page (make web), Chromium, and the packages playwright and pillow.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.web.browser import Site, browser, chromium

from blackpoker.text.resources import LANGUAGES, Lang
from tools.screenshots.shown import PICTURES, keep, texts_on

SIZE = {"width": 1440, "height": 900}
MOST_BYTES = 2_000_000
#: size and frame rate of the animation
SMALL = (960, 600)
PER_SECOND = 8
POSITION = """format = "master"
turn = "p2"
chance = "p2"
turn_number = 8
[p1]
life = 14
hand = "C8 S4 H6 D8 DK JK"
grave = "S2 C3 H5 D9"
field = "S10+S5 H3 DJ(d) C7"
bulwarks = "D2 S9 HQ(d)"
[p2]
life = 16
hand = "S5 D4 C2 H9"
grave = "CQ H7 H10"
field = "DK C6 S9"
bulwarks = "D5 C4(d)"
"""
NAMES = {"ja": "ゲストA", "en": "Guest A"}


def sit(engine: Any, site: Site, lang: str, name: str) -> Any:
    """Return the page of a player with a context of its own, who is asked at every chance."""
    context = engine.new_context(viewport=SIZE, locale={"ja": "ja-JP", "en": "en-US"}[lang])
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(site.url + "/settings")
    page.wait_for_selector("h1")
    page.evaluate("() => localStorage.setItem('blackpoker', JSON.stringify({mode: 'firm', sound: false}))")
    page.evaluate(
        "name => fetch('/api/me', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({name})})",
        name,
    )
    return page


def tap(page: Any, *selectors: str) -> None:
    for selector in selectors:
        page.locator(selector).first.click()
        page.wait_for_timeout(350)


def still(page: Any, target: Path) -> None:
    from PIL import Image

    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(target, "WEBP", quality=86, method=6)


class Film:
    """Pictures of one screen, taken while others act."""

    def __init__(self, page: Any, lang: Lang) -> None:
        self.page = page
        self.lang = lang
        self.frames: list[Any] = []
        self.texts: list[str] = []

    def shoot(self, seconds: float) -> None:
        from PIL import Image

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            shot = Image.open(io.BytesIO(self.page.screenshot(type="jpeg", quality=80)))
            self.frames.append(shot.resize(SMALL))
            self.page.wait_for_timeout(max(0.0, 1000 / PER_SECOND - 1000 * (time.monotonic() - begun)))
        self.texts += texts_on(self.page.inner_text("body").splitlines(), self.lang)

    def save(self, target: Path) -> int:
        """Save the animation with the best quality within the size limit; return its size."""
        for quality in (60, 45, 30, 20):
            out = io.BytesIO()
            self.frames[0].save(
                out,
                "WEBP",
                save_all=True,
                append_images=self.frames[1:],
                duration=1000 // PER_SECOND,
                loop=0,
                quality=quality,
                method=4,
            )
            if out.tell() <= MOST_BYTES:
                break
        target.write_bytes(out.getvalue())
        return out.tell()


def act(engine: Any, site: Site, lang: Lang, moving: bool) -> None:
    mine, theirs = sit(engine, site, lang, "Hana"), sit(engine, site, lang, NAMES[lang])
    made = mine.evaluate(
        "position => fetch('/api/positions/play', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({position, opponent: 'human', window_ms: 0})}).then(answer => answer.json())",
        POSITION,
    )
    for page in (mine, theirs):
        page.goto(site.url + made["path"])
        page.wait_for_selector("[data-do=ready]")
    for page in (mine, theirs):
        tap(page, "[data-do=ready]")
    theirs.wait_for_selector("[data-do=all]")
    film = Film(mine, lang)
    if moving:
        film.shoot(0.8)
    tap(theirs, "[data-places='p2.C6']", "[data-places='p2.S9']", ".dock [data-do=confirm]")
    if moving:
        film.shoot(1.5)
    while not mine.locator(".palette[data-doing=block]").count():
        for page in (mine, theirs):
            button = page.locator(".dock [data-do=pass]")
            if button.count() and button.is_enabled():
                page.keyboard.press("p")
            if page.locator(".palette[data-doing=attack]").count():
                tap(page, ".dock [data-do=everybody]", ".dock [data-do=confirm]")
        mine.wait_for_timeout(200)
    if moving:
        film.shoot(1.2)
    tap(mine, "[data-places='p2.C6']", "[data-places='p1.C7']")
    mine.mouse.move(700, 420)
    mine.wait_for_timeout(900)
    PICTURES.mkdir(parents=True, exist_ok=True)
    name = "table" if lang == "en" else f"table.{lang}"
    still(mine, PICTURES / f"{name}.webp")
    keep(f"{name}.webp", lang, texts_on(mine.inner_text("body").splitlines(), lang))
    print(f"docs/pictures/{name}.webp")
    if moving:
        film.shoot(1)
        tap(mine, ".dock [data-do=confirm]")
        while mine.inner_text("[data-pile='p1:life'] .count") == "14":
            film.shoot(0.5)
            for page in (mine, theirs):
                if page.locator(".dock [data-do=pass]").count():
                    page.keyboard.press("p")
        film.shoot(2)
        print(f"docs/pictures/{name}-moves.webp: {film.save(PICTURES / f'{name}-moves.webp')} bytes")
        keep(f"{name}-moves.webp", lang, film.texts)
    for page in (mine, theirs):
        page.context.close()


def main() -> int:
    if not chromium():
        print("picture: no Chromium is installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            with browser() as engine:
                for lang in LANGUAGES:
                    act(engine, site, lang, "--still" not in sys.argv)
        finally:
            site.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
