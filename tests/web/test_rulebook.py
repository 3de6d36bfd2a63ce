"""The rulebook on the page: a newcomer's question within two taps, search, a ruling and its scenario on the desk."""

from __future__ import annotations

from typing import Any

import pytest

from blackpoker.texts import handbook
from tests.web.browser import Site, Visit
from tests.web.test_screens import LANGUAGES, SIZES, look


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_ten_questions_within_two_taps(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    for section in handbook.chapters()[0].sections:
        visit.go("/")
        page.locator("a.tile[href='/rules']").click()  # one
        title = section.title.say("ja" if lang == "ja-JP" else "en")
        page.locator("summary", has_text=title).click()  # two
        answer = section.text.say("ja" if lang == "ja-JP" else "en").splitlines()[0]
        page.get_by_text(answer[:12]).first.wait_for()
    look(visit, f"rules-question-{lang[:2]}")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_search_and_try_it(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/rules")
    for words, first in (
        ("負け", "section-questions.win"),
        ("mulligan", "section-questions.start"),
        ("◇5", "trump-loss"),
    ):
        page.locator("input[type=search]").fill(words)
        page.locator("main section.box").first.wait_for()
        page.wait_for_function("id => document.querySelector('main section.box')?.id === id", arg=first)
    visit.go("/rules/R-154")
    page.locator("[id='ruling-R-154']").wait_for()
    look(visit, f"ruling-{lang[:2]}")
    page.locator("[id='ruling-R-154'] a[href='/desk/R-154']").click()
    page.wait_for_function("() => document.querySelector('textarea')?.value.includes('[p1]')")
    page.locator("[data-action]").first.wait_for()  # the position has been examined
    look(visit, f"ruling-desk-{lang[:2]}")
    assert visit.problems == []
    visit.context.close()
