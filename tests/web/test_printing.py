"""Printed material: text inside its boxes in both languages for every format, trump cards of 63 × 88 mm, PDF pages with
fonts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blackpoker.cli.printing import as_pdf
from blackpoker.printing import deck_list, quick_reference, trump_cards
from blackpoker.ruleset import default_edition, parse_decks
from tests.web.browser import Site, Visit

MM = 96 / 25.4
#: parts that overflow their sheet, card or cell, or run into the footer
OUTSIDE = """() => {
  const out = [];
  for (const sheet of document.querySelectorAll('.a4')) {
    const foot = sheet.querySelector('footer').getBoundingClientRect();
    const edge = sheet.getBoundingClientRect();
    for (const e of sheet.querySelectorAll('p, h1, h2, td, th, .it, .line')) {
      if (e.closest('.trump')) continue;
      const r = e.getBoundingClientRect();
      if (r.bottom > foot.top + 0.5) out.push('into the foot: ' + e.innerText.slice(0, 30));
      if (r.right > edge.right || r.left < edge.left) out.push('beside: ' + e.innerText.slice(0, 30));
    }
    for (const e of sheet.querySelectorAll('td, th, .it')) if (e.scrollWidth > e.clientWidth + 1) out.push('wide: ' + e.innerText.slice(0, 30));
  }
  for (const face of document.querySelectorAll('.face')) {
    if (face.scrollHeight > face.clientHeight + 1 || face.scrollWidth > face.clientWidth + 1)
      out.push('card: ' + face.innerText.slice(0, 24) + ' ' + face.scrollHeight + '>' + face.clientHeight);
  }
  return out;
}"""


@pytest.fixture(scope="module")
def sheet(chromium: Any) -> Any:
    page = chromium.new_page(viewport={"width": 900, "height": 1200})
    page.emulate_media(media="print")
    yield page
    page.close()


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_quick_reference_of_every_format_is_two_pages(sheet: Any, lang: Any) -> None:
    for format in default_edition().formats:
        sheet.set_content(quick_reference(format.id, lang, default_edition()))
        assert sheet.locator(".a4").count() == 2
        assert sheet.evaluate(OUTSIDE) == [], format.id


def test_purpose_and_limit_of_an_action_are_shown() -> None:
    text = quick_reference("pro", "en", default_edition())
    for expected in ("Target: one bulwark.", "Once per turn.", "their turn"):
        assert expected in text
    assert "Target: your opponent." in trump_cards("en", default_edition())


@pytest.mark.parametrize("lang", ["ja", "en", "both"])
def test_the_trumps_as_cards_of_63_by_88_millimetres(sheet: Any, lang: Any) -> None:
    sheet.set_content(trump_cards(lang, default_edition()))
    trumps = len(default_edition().trumps)
    assert sheet.locator(".a4").count() == -(-trumps // 9)
    assert sheet.locator(".trump").count() == trumps
    sizes = sheet.evaluate(
        "() => [...document.querySelectorAll('.trump')].map(e => [e.getBoundingClientRect().width, e.getBoundingClientRect().height])"
    )
    assert all(abs(width - 63 * MM) < 0.2 and abs(height - 88 * MM) < 0.2 for width, height in sizes)
    assert sheet.evaluate(OUTSIDE) == []


def test_a_deck_list(sheet: Any) -> None:
    text = "name: 石垣\nframe: constructedhalf\ndeck 1\n♠ A 2 3 4 5 6 7 8 9 10 J Q K\nJK\ntrumps: SA SK\ndeck 2\n♡ A 2 3 4 5 6 7 8 9 10 J Q K"
    sheet.set_content(deck_list(parse_decks(text), "ja", default_edition()))
    assert sheet.locator(".line .cd").count() == 29  # the deck and both trumps again
    assert sheet.evaluate(OUTSIDE) == []


@pytest.mark.skipif(not shutil.which("pdfinfo"), reason="poppler-utils is not installed")
def test_pdf_pages_and_fonts(tmp_path: Path, chromium: Any) -> None:
    for name, text, pages, expected in (
        ("quick", quick_reference("lite", "ja", default_edition()), 2, "カウンター"),
        ("trumps", trump_cards("en", default_edition()), 4, "Demon Lord"),
    ):
        file = tmp_path / f"{name}.pdf"
        as_pdf(text, file, "ja")
        info = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True).stdout
        assert f"Pages:           {pages}\n" in info
        assert "(A4)" in info
        fonts = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
        assert fonts
        assert all(" yes " in line for line in fonts)  # embedded
        assert expected in subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_room_shows_what_is_printed(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/rules")
    visit.tap("[data-do=print]")
    page.locator("[data-ready=true] .a4").first.wait_for()
    assert page.locator(".paper .a4").count() == 2
    visit.shot("print")
    assert visit.axe() == []
    visit.tap("[data-what=trumps]")
    page.locator(".paper .trump").nth(29).wait_for()
    visit.shot("print-trumps")
    page.emulate_media(media="print")
    assert not page.locator("aside").is_visible()
    box = page.locator(".paper .trump").first.bounding_box()
    assert abs(box["width"] - 63 * MM) < 0.5
    assert visit.problems == []
    visit.context.close()
