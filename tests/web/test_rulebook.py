"""The rulebook on the page: a question within two taps, answers first, an action with boards, a ruling to try out."""

from __future__ import annotations

from typing import Any

import pytest

from blackpoker.text import handbook
from tests.web.browser import SIZES, Site, Visit
from tests.web.test_screens import LANGUAGES, check_screen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_ten_questions_within_two_taps(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    for section in handbook.chapters()[0].sections:
        visit.go("/rules")  # first tap, from any screen
        title = section.title.in_lang("ja" if lang == "ja-JP" else "en")
        page.locator("a.question", has_text=title).click()  # second tap
        answer = section.text.in_lang("ja" if lang == "ja-JP" else "en").splitlines()[0]
        page.locator(".page-view").get_by_text(answer[:12]).first.wait_for()
    check_screen(visit, f"rules-question-{lang[:2]}")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_answers_first_and_try_it(chromium: Any, site: Site, size: str, lang: str) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    visit.go("/rules")
    page.locator(".booklet").wait_for()
    check_screen(visit, f"rules-{lang[:2]}")
    for words, first in (
        ("負け", "section:questions.win"),
        ("mulligan", "section:questions.start"),
        ("◇5", "trump:loss"),
    ):
        page.locator("input[type=search]").fill(words)
        page.wait_for_function("id => document.querySelector('[data-found]')?.dataset.found === id", arg=first)
    page.locator("input[type=search]").fill("zzqqxx")
    page.locator(".state").wait_for()
    visit.go("/rules/counter")
    page.locator(".boards svg.mini").nth(1).wait_for()
    assert page.locator(".identity .keys .card").count() == 4
    page.locator("summary", has_text="R-159").click()
    check_screen(visit, f"rules-action-{lang[:2]}")
    visit.go("/rules/R-154")
    page.locator("[id='ruling-R-154'] .boards").wait_for()
    check_screen(visit, f"ruling-{lang[:2]}")
    page.locator("[id='ruling-R-154'] a[href='/desk/R-154']").click()
    page.wait_for_function("() => document.querySelector('textarea')?.value.includes('[p1]')")
    page.locator("[data-action]").first.wait_for()  # the position has been examined
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_index_is_a_system_and_a_counter_is_countered_in_three_taps(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/rules/actions")
    page.wait_for_selector("[data-rule=counter]")
    page.click("[data-format=lite]")
    assert page.locator("[data-rule=kill].dimmed").count() == 1
    assert page.locator("[data-rule=counter].dimmed").count() == 0
    check_screen(visit, "rules-index")
    visit.go("/rules")
    visit.taps = 0
    visit.tap("a[href='/rules/actions']")
    visit.tap("[data-rule=counter]")
    visit.tap("summary:has-text('R-159')")
    assert visit.taps == 3
    page.locator("details[open]", has_text="無効にできる").wait_for()
    assert visit.problems == []
    visit.context.close()
