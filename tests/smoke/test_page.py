"""A minute with the page in a real browser, if installed; `make test-web` covers the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web import browser as b
from tests.web.test_user_journeys import first_lesson


def test_the_page_opens_and_plays(tmp_path: Path) -> None:
    """The winning move of a first visit and the first lesson, in both sizes."""
    if not (b.STATIC / "index.html").exists():
        pytest.skip("the page is not built (make web)")
    why = b.missing()
    if why:
        pytest.skip(f"the page was not tried in a browser: {why}")
    site = b.Site(tmp_path)
    site.start()
    try:
        with b.browser() as chromium:
            for size, lang in (("desk", "ja-JP"), ("phone", "en-US")):
                visit = b.Visit(chromium, site, size, lang)
                page = visit.page
                visit.go("/")
                page.click("[data-do=strike]")
                page.wait_for_selector("[data-first=won]")
                page.click(".home a[href='/school']")
                page.click("[data-do=start]")
                first_lesson(visit)
                assert visit.overflow() == []
                assert visit.problems == []
                visit.context.close()
    finally:
        site.kill()
