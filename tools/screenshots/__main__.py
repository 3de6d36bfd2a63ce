"""Take pictures of typical moments at six sizes, in both languages and table styles, and report faults.

python -m tools.screenshots                          all of them, into build/moments
python -m tools.screenshots block lethal             only these
python -m tools.screenshots --size phone --lang ja --table dark --colours 4
python -m tools.screenshots --sheets                 only combine the existing pictures into sheets

Every picture is checked for clipped texts, overlapping parts and parts outside the window; on a desk and a phone
also for accessibility (axe). Faults are printed and the exit status is 1. Needs the page (make web), Chromium,
playwright and pillow.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web import test_boards as boards
from tests.web.browser import OVERFLOW, Site, Visit, browser, chromium
from tests.web.page_driver import PageDriver

from tools.screenshots.screens import ABOUT, SCREENS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "moments"
SIZES = {
    "1280": (1280, 800),
    "1440": (1440, 900),
    "1920": (1920, 1080),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "landscape": (844, 390),
}
#: sizes with an accessibility check: one for each layout of the page
READ_ALOUD = ("1440", "phone")
LANGUAGES = {"ja": "ja-JP", "en": "en-US"}
TABLES = ("dark", "light")

OPENING = """format = "lite"
turn_number = 1
[p1]
life = 45
hand = "SA H3 D7 C9 CK H5 S4"
bulwarks = "D2"
[p2]
life = 44
hand = "C4 D8 S6 S7 S8 H9 H10"
bulwarks = "C5"
"""
LETHAL = """format = "master"
turn_number = 12
[p1]
life = 20
hand = "C9 D5"
field = "S10 H9 SK DJ"
bulwarks = "D2 D3"
[p2]
life = 8
hand = "C4 D8"
field = "H8 D10"
bulwarks = "D4"
"""
LAST_BLOW = """format = "master"
turn_number = 12
[p1]
life = 20
hand = "C9 D5"
field = "S10 H9"
bulwarks = "D2 D3"
[p2]
life = 8
hand = "C4"
"""
HANGING = """format = "extra"
turn = "p2"
chance = "p2"
[p1]
life = 43
trumps = "T:SK t:D9"
hand = "DJ CK C9 H2"
field = "D4 S8"
bulwarks = "D2 D3"
[p2]
life = 16
trumps = "T:S2 t:H5"
field = "H8 DJ+C4"
hand = "S5 S3 C10 C8"
bulwarks = "C6"
"""
THREE = """format = "master"
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
DRAW = """format = "lite"
turn_number = 5
turn = "p2"
chance = "p2"
[p1]
life = 22
hand = "SA H3 D7"
field = "S5(d)"
bulwarks = "D2 D3(d)"
[p2]
life = 21
hand = "C4 D8"
field = "H8"
bulwarks = "D4"
"""


def lethal(hands: PageDriver) -> None:
    hands.request(["attack"])
    hands.pass_until("attack")
    for card in ("S10", "H9", "SK"):
        hands.pick(card)
    hands.confirm()
    hands.pass_until("block")


def winning(hands: PageDriver) -> None:
    hands.request(["attack"])
    hands.pass_until("attack")
    hands.pick("S10")
    hands.pick("H9")


def the_end(hands: PageDriver) -> None:
    winning(hands)
    hands.confirm()
    while not hands.read_page()["over"]:
        hands.close_chance("pass")


def hanging(hands: PageDriver) -> None:
    """The opponent's attack, seen from below, in a game with trumps."""
    hands.request(["attack"])
    hands.pass_until("attack")
    for card in ("H8", "DJ"):
        hands.pick(card)
    hands.confirm()
    hands.pass_until("block")


def rule(hands: PageDriver) -> None:
    """The rule of a request, beside the table or as a sheet."""
    boards.deep_stage(hands)
    hands.page.locator(".stage .item .name").first.click()
    hands.page.wait_for_selector("[data-about]")


def three(hands: PageDriver) -> None:
    """A request, a counter, and a counter of that."""
    boards.deep_stage(hands, "$D8")
    hands.request(["counter", "C10", "$D6", ">#2"])
    hands.page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action]")


def answer(hands: PageDriver) -> None:
    """A card's sheet while a request is on the stage."""
    hands.request(["down", "SA", "$C9", ">p2.H8"])
    hands.page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action]")
    hands.visit.tap(".hand [data-card=C4]")


def draw_question(hands: PageDriver) -> None:
    hands.close_chance("end")
    hands.pass_until("choice")


def zoomed(hands: PageDriver) -> None:
    hands.page.keyboard.press("Escape")
    hands.page.wait_for_selector("[data-about]", state="detached")
    hands.page.locator("[data-place='unit:p1:SK']").first.focus()
    hands.page.keyboard.press("i")
    hands.page.wait_for_selector("[data-about]")


def refused_card(hands: PageDriver) -> None:
    hands.visit.tap(".hand [data-card=CK]")


def log(hands: PageDriver) -> None:
    boards.deep_stage(hands)
    hands.page.keyboard.press("l")
    hands.page.wait_for_selector("dialog[open]")


Step = Callable[[PageDriver], None]
#: a position to open on the desk (none: another screen), and the actions there
MOMENTS: dict[str, tuple[str, Step]] = {
    **{name: ("", steps) for name, steps in SCREENS.items()},
    "opening": (OPENING, boards.nothing),
    "quiet": (boards.MIDDLE, boards.nothing),
    "card": (boards.MIDDLE, boards.selected),
    "refused": (boards.MIDDLE, refused_card),
    "draft": (boards.MIDDLE, boards.draft),
    "stage": (boards.MIDDLE, boards.deep_stage),
    "stage-of-three": (THREE, three),
    "attack": (boards.MIDDLE, boards.attack),
    "block": (boards.MIDDLE, boards.block),
    "judgement": (boards.MIDDLE, boards.judgement),
    "lethal": (LETHAL, lethal),
    "winning": (LAST_BLOW, winning),
    "draw": (DRAW, draw_question),
    "trumps": (boards.TRUMPS, boards.nothing),
    "crowd": (boards.CROWD, boards.nothing),
    "hand": (boards.BIG_HAND, boards.nothing),
    "search": (boards.SEARCH, boards.search),
    "zoom": (boards.MIDDLE, zoomed),
    "hanging": (HANGING, hanging),
    "rule": (boards.MIDDLE, rule),
    "every": (boards.MIDDLE, boards.nothing),
    "answer": (boards.MIDDLE, answer),
    "log": (boards.MIDDLE, log),
    "end": (LAST_BLOW, the_end),
}
#: scrolls from the top, only as far as a part of the page requires
IN_SIGHT = """part => {
  scrollTo(0, 0);
  if (part.getBoundingClientRect().bottom > innerHeight - 80) part.scrollIntoView({block: 'center'});
}"""
#: switches the table style and waits until it is drawn: on a busy machine a room's bars are painted later than its
#: background
TABLE = """table => new Promise(done => {
  document.documentElement.dataset.table = table;
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""
#: texts that are clipped by their own box, or by an outer one
CUT = """() => {
  const out = [];
  for (const e of document.querySelectorAll('.table *, main *, dialog[open] *')) {
    if (e.closest('.sr, .log, svg, .passed') || !e.offsetParent) continue;
    if (document.querySelector('dialog[open]') && !e.closest('dialog[open]')) continue;
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own) continue;
    const style = getComputedStyle(e);
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    const more = e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 4;
    if (clips && style.overflowY !== 'auto' && more)
      out.push('cut ' + e.className + ': ' + e.innerText.slice(0, 40));
    const r = e.getBoundingClientRect();
    for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (s.overflowX === 'visible' && s.overflowY === 'visible') continue;
      if (['auto', 'scroll'].includes(s.overflowX) || ['auto', 'scroll'].includes(s.overflowY)) break;
      const b = p.getBoundingClientRect();
      if (r.right > b.right + 2 || r.left < b.left - 2 || r.bottom > b.bottom + 3 || r.top < b.top - 3) {
        out.push('clipped by ' + p.className + ': ' + e.innerText.slice(0, 40));
        break;
      }
    }
  }
  return [...new Set(out)];
}"""


def faults(page: Any, moment: str) -> list[str]:
    found: list[str] = page.evaluate(CUT)
    if moment not in (*SCREENS, "log", "end"):
        found += page.evaluate(boards.FAULTS)
    found += page.evaluate(OVERFLOW)
    return found


def arrange(visit: Visit, moment: str, keep: dict[str, Any]) -> None:
    position, steps = MOMENTS[moment]
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    visit.page.evaluate("kept => localStorage.setItem('blackpoker', JSON.stringify(kept))", keep)
    if position:
        visit.go("/desk")
        visit.page.locator("textarea").first.fill(position)
        visit.page.click("[data-do=play]")
        visit.page.wait_for_selector(".palette[data-doing=action]")
    steps(PageDriver(visit))
    visit.page.mouse.move(5, 5)


def shoot(engine: Any, site: Site, asked: argparse.Namespace) -> int:
    """Take all pictures; return the number of faults."""
    wrong = 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for lang in asked.lang:
        for moment in asked.moments:
            visit = Visit(engine, site, "desk", LANGUAGES[lang])
            keep = {"mode": "firm", "motion": "reduced", "speed": "instant", "sound": False, "lang": lang, **asked.keep}
            try:
                arrange(visit, moment, keep)
                for size in asked.size:
                    width, height = SIZES[size]
                    visit.page.set_viewport_size({"width": width, "height": height})
                    if moment == "zoom" and not visit.page.locator(".column").count():
                        zoomed(PageDriver(visit))  # without a column it is a sheet of its own
                    if moment == "rule" and not visit.page.locator(".column, dialog[open]").count():
                        visit.page.locator(".stage .item .name").first.click()
                    if moment == "every" and visit.page.locator(".palette:not([data-whole]) .all").count():
                        visit.page.click(".palette .all")
                    if moment in ABOUT:
                        visit.page.locator(ABOUT[moment]).evaluate(IN_SIGHT)
                    seen = []
                    for table in asked.table:
                        visit.page.evaluate(TABLE, table)
                        visit.page.wait_for_timeout(250)
                        name = f"{moment}-{size}-{lang}-{table}"
                        visit.page.screenshot(path=FOLDER / f"{name}.png")
                        if size in READ_ALOUD:  # contrast depends on the table style
                            seen += [f"axe {table} {fault}" for fault in visit.axe()]
                    seen += faults(visit.page, moment)
                    for fault in seen + visit.problems:
                        wrong += 1
                        print(f"{moment}-{size}-{lang}: {fault}", flush=True)
                    visit.problems.clear()
            except Exception as error:
                wrong += 1
                print(f"{moment}-{lang}: {str(error)[:300]}", flush=True)
            for one in list(Visit.here):  # other players' visits too
                one.context.close()
            print(f"· {moment} {lang}", flush=True)
    return wrong


def sheets(asked: argparse.Namespace) -> None:
    """Combine the pictures into one sheet per size, language and table style."""
    from PIL import Image, ImageDraw

    for size in asked.size:
        width, height = SIZES[size]
        tall = height > width
        w = 300 if size == "phone" else 360 if tall else 640
        h = w * height // width
        columns = 6 if tall else 3
        for lang in asked.lang:
            for table in asked.table:
                found = [m for m in asked.moments if (FOLDER / f"{m}-{size}-{lang}-{table}.png").exists()]
                rows = -(-len(found) // columns)
                if not found:
                    continue
                sheet = Image.new("RGB", (columns * (w + 8), rows * (h + 24)), "#777")
                draw = ImageDraw.Draw(sheet)
                for n, moment in enumerate(found):
                    x, y = n % columns * (w + 8), n // columns * (h + 24)
                    picture = Image.open(FOLDER / f"{moment}-{size}-{lang}-{table}.png").convert("RGB")
                    sheet.paste(picture.resize((w, h), Image.Resampling.LANCZOS), (x, y + 20))
                    draw.text((x + 4, y + 4), moment, fill="white")
                sheet.save(FOLDER / f"sheet-{size}-{lang}-{table}.png")


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of typical moments, and what is wrong on them.")
    parser.add_argument("moments", nargs="*", default=[])
    parser.add_argument("--size", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--table", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--colours", choices=("2", "4"), default="2")
    parser.add_argument("--left", action="store_true", help="the dock for the left hand")
    parser.add_argument("--sheets", action="store_true", help="only the sheets")
    asked = parser.parse_args()
    unknown = [moment for moment in asked.moments if moment not in MOMENTS]
    if unknown:
        parser.error(f"no such moment: {' '.join(unknown)} (there are: {' '.join(MOMENTS)})")
    asked.moments = asked.moments or MOMENTS
    asked.keep = {"fourColours": asked.colours == "4", "leftHanded": asked.left}
    if not chromium():
        print("moments: no Chromium is installed", file=sys.stderr)
        return 2
    wrong = 0
    if not asked.sheets:
        with tempfile.TemporaryDirectory() as folder:
            site = Site(Path(folder))
            site.start()
            try:
                with browser() as engine:
                    wrong = shoot(engine, site, asked)
            finally:
                site.kill()
    sheets(asked)
    print(f"{FOLDER.relative_to(ROOT)}: {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
