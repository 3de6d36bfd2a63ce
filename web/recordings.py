"""Record animations: a picture every tenth of a second, combined into sheets.

python web/recordings.py                       all of them, into build/recordings
python web/recordings.py blow last --size phone --reduced --lang en

Needs the page (make web), Chromium, playwright and pillow.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.web import test_boards as boards  # noqa: E402
from tests.web.browser import Site, Visit, browser, chromium  # noqa: E402
from tests.web.page_driver import Hands  # noqa: E402
from web.moments import LANGUAGES, SIZES  # noqa: E402

FOLDER = ROOT / "build" / "recordings"
STEP = 0.1  # seconds between two pictures

FIGHT = """format = "master"
turn_number = 9
turn = "p2"
chance = "p2"
[p1]
life = "SQ CK JK C9 D2 S3 HA D6 +22"
hand = "C4 D8"
field = "H8 D10"
bulwarks = "D4"
[p2]
life = 24
hand = "C6 D5"
field = "%s"
bulwarks = "D2 D3"
"""
COUNTERS = """format = "master"
turn_number = 7
[p1]
life = 14
hand = "SA C9 C10 D6"
field = "S5 H9"
[p2]
life = 12
hand = "C4 D8 C3 D2 S6"
field = "H8 D10"
"""

#: the button of the last tap, pressed after the page's time runs again; pressed twice if it asks for confirmation
TAP = """() => {
  const tap = () => document.querySelector('.dock :is([data-do=confirm], [data-do=pass]):not(:disabled)').click();
  setTimeout(tap, 10);
  setTimeout(() => document.querySelector('.dock .alarm[data-do=pass]') && tap(), 900);
}"""

Step = Callable[[Hands], None]


def passes(hands: Hands, many: int) -> None:
    for _ in range(many):
        hands.settled()
        hands.page.wait_for_selector(".palette[data-doing=action]")
        hands.close_chance("pass")


def attack(*cards: str, blocks: tuple[str, str] | None = None) -> Step:
    """Return a step that plays an attack up to the last pass before the judgement."""

    def arrange(hands: Hands) -> None:
        hands.request(["attack"])
        hands.pass_until("attack")
        for card in cards:
            hands.pick(card)
        hands.confirm()
        while not hands.page.locator(".stage .item[data-action=damage_judgement]").count():
            if hands.settled()["doing"] != "block":
                hands.close_chance("pass")
                continue
            if blocks:
                hands.visit.tap(f".palette .fight[data-word={blocks[0]}]")
                hands.pick(blocks[1])
            hands.confirm()
        passes(hands, 1)

    return arrange


def counters(hands: Hands) -> None:
    boards.deep_stage(hands, "$D8")
    hands.request(["counter", "C10", "$D6", ">#2"])
    hands.page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action]")


def trump(hands: Hands) -> None:
    hands.request(["open_trump", "main", "$b1", "$b2", "$C9"])
    hands.pass_until("choice")


#: a position, and its moves up to the last tap (a confirmation or a pass); the recording starts there
SCENES: dict[str, tuple[str, Step]] = {
    "attack": (FIGHT % "S5 H9 SK(d)", attack("S5", "H9", blocks=("S5", "H8"))),
    "blow": (FIGHT % "S10 H9 SK(d)", attack("S10", "H9")),
    "counters": (COUNTERS, counters),
    "trump": (boards.TRUMPS, trump),
    "last": ((FIGHT % "S10 H9 SK(d)").replace("D6 +22", "D6 +6"), attack("S10", "H9")),
}
#: seconds to record
LONG = {"attack": 4.0, "blow": 5.0, "counters": 4.0, "trump": 3.0, "last": 7.0}


class Tape:
    """Pictures at even steps of the page's virtual time. It is paused while a picture is taken, so that slow machines
    do not matter."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.stepped = False
        self.session.on("Emulation.virtualTimeBudgetExpired", lambda _: setattr(self, "stepped", True))
        self.session.send("Emulation.setVirtualTimePolicy", {"policy": "pause"})

    def step(self) -> bytes:
        self.stepped = False
        self.session.send("Emulation.setVirtualTimePolicy", {"policy": "advance", "budget": STEP * 1000})
        end = time.monotonic() + 20
        while not self.stepped and time.monotonic() < end:
            self.session.send("Runtime.evaluate", {"expression": "0"})
        found = self.session.send("Page.captureScreenshot", {"format": "jpeg", "quality": 80})
        return base64.b64decode(found["data"])


def sheet(pictures: list[bytes], path: Path, columns: int, width: int) -> None:
    from PIL import Image, ImageDraw

    images = [Image.open(io.BytesIO(data)).convert("RGB") for data in pictures]
    if not images:
        return
    height = width * images[0].height // images[0].width
    rows = -(-len(images) // columns)
    out = Image.new("RGB", (columns * (width + 4), rows * (height + 4)), "#777")
    draw = ImageDraw.Draw(out)
    for n, image in enumerate(images):
        x, y = n % columns * (width + 4), n // columns * (height + 4)
        out.paste(image.resize((width, height), Image.Resampling.LANCZOS), (x, y))
        draw.text((x + 4, y + 4), f"{n * STEP:.1f}", fill="white")
    out.save(path)


def record(engine: Any, site: Site, name: str, asked: argparse.Namespace) -> None:
    position, arrange = SCENES[name]
    visit = Visit(engine, site, "desk", LANGUAGES[asked.lang])
    width, height = SIZES[asked.size]
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    kept = {"mode": "firm", "speed": "instant", "sound": False, "lang": asked.lang}
    visit.page.evaluate("kept => localStorage.setItem('blackpoker', JSON.stringify(kept))", kept)
    if asked.reduced:
        visit.page.emulate_media(reduced_motion="reduce")
    visit.go("/desk")
    visit.page.locator("textarea").first.fill(position)
    visit.page.click("[data-do=play]")
    visit.page.wait_for_selector(".palette[data-doing=action]")
    hands = Hands(visit)
    arrange(hands)
    # from here on animations run at normal speed
    visit.page.click(".top button")
    visit.page.select_option("dialog[open] select:has(option[value=slow])", "normal")
    visit.page.keyboard.press("Escape")
    visit.page.wait_for_selector("dialog[open]", state="detached")
    tape = Tape(visit.page)
    visit.page.evaluate(TAP)
    pictures = [tape.step()]
    time.sleep(0.5)  # the server responds in real time
    for _ in range(int(LONG[name] / STEP)):
        pictures.append(tape.step())
    title = f"{name}-{asked.size}-{asked.lang}{'-reduced' if asked.reduced else ''}"
    folder = FOLDER / title
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    for n, data in enumerate(pictures):
        (folder / f"{n:03}.jpg").write_bytes(data)
    tall = height > width
    sheet(pictures, FOLDER / f"{title}.png", 10 if tall else 6, 150 if tall else 320)
    for problem in visit.problems:
        print(f"{title}: {problem}")
    print(f"· {title}: {len(pictures)} pictures", flush=True)
    visit.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Recordings of what moves, a picture every tenth of a second.")
    parser.add_argument("scenes", nargs="*", default=[])
    parser.add_argument("--size", choices=SIZES, default="1280")
    parser.add_argument("--lang", choices=LANGUAGES, default="ja")
    parser.add_argument("--reduced", action="store_true", help="with reduced motion")
    asked = parser.parse_args()
    unknown = [name for name in asked.scenes if name not in SCENES]
    if unknown:
        parser.error(f"no such scene: {' '.join(unknown)} (there are: {' '.join(SCENES)})")
    if not chromium():
        print("recordings: no Chromium is installed", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            with browser() as engine:
                for name in asked.scenes or SCENES:
                    record(engine, site, name, asked)
        finally:
            site.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
