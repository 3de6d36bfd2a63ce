"""The lessons in a real browser: each passed, failed and recovered, with a reload in the middle."""

from __future__ import annotations

from typing import Any

import pytest
from tools.screenshots.screens import resign

from blackpoker.learn.lessons import Lesson, Task, guide_remarks, lesson, lessons
from blackpoker.server.rooms.exercise import ExerciseRoom
from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import ScriptMove
from tests.web.test_screens import LANGUAGES

FORMATS = tuple(dict.fromkeys(one.format for one in lessons()))


def sentences(task: Task, texts: tuple[str, ...]) -> list[ScriptMove]:
    """Return the taps for each move of an exercise."""
    out = []
    for number, text in enumerate(texts):
        practice = ExerciseRoom(task, task.begin().regulation.text, texts[:number], "auto")
        decision = practice.game.decision
        assert decision is not None
        move = practice.game.parse(text, 0)
        out.append(ScriptMove("p1", text, practice.game.draft(move).words, decision.kind, {}))
    return out


def play_moves(visit: Visit, moves: list[ScriptMove], state: str) -> None:
    hands = PageDriver(visit)
    for number, one in enumerate(moves):
        if number:
            visit.page.wait_for_function(
                "kind => { const p = document.querySelector('.palette'); return p && p.dataset.doing !== 'wait' "
                "&& p.getAttribute('aria-busy') !== 'true' }",
                arg=one.kind,
            )
        hands.wait_for_prompt(0)
        hands.play_move(one)
        if number < len(moves) - 1:
            visit.page.wait_for_timeout(120)
    visit.page.wait_for_selector(f".lesson[data-state={state}]")


def pass_task(visit: Visit, one: Lesson, number: int, wrong: bool) -> None:
    task, page = one.tasks[number], visit.page
    page.wait_for_selector(f".lesson[data-task='{number + 1}'][data-state=open]")
    if not task.goal:
        page.click(".lesson [data-do=next]")
        return
    if wrong:
        play_moves(visit, sentences(task, task.astray), "astray")
        assert page.inner_text(".lesson .bad").strip()
        for _ in task.astray:  # back to the beginning, one move at a time
            if page.locator(".lesson [data-do=back]").count():
                page.click(".lesson [data-do=back]")
            elif page.locator(".lesson [data-do=again]").count():
                page.click(".lesson [data-do=again]")
            page.wait_for_selector(".lesson[data-state=open]")
            page.wait_for_selector(".table")
    play_moves(visit, sentences(task, task.answer), "done")
    page.click(".lesson [data-do=next]")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_lesson_passed_gone_wrong_and_recovered(
    chromium: Any, site: Site, size: str, lang: str, format: str
) -> None:
    visit = Visit(chromium, site, size, lang)
    page = visit.page
    for one in (one for one in lessons() if one.format == format):
        visit.go(f"/school/{one.id}")
        for number in range(len(one.tasks)):
            page.wait_for_selector(f".lesson[data-task='{number + 1}'][data-state=open]")
            if number < 2:
                page.wait_for_timeout(250)
                visit.shot(f"school-{one.id}-{number + 1}-{lang[:2]}")
                assert visit.overflow() == [], (one.id, number)
            pass_task(visit, one, number, wrong=True)
        page.wait_for_selector(".finished")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_its_place_is_kept_over_a_reload(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    page = visit.page
    summon = lesson("summon")
    assert summon is not None
    visit.go("/school/summon")
    pass_task(visit, summon, 0, wrong=False)
    page.wait_for_selector(".lesson[data-task='2']")
    ace = sentences(summon.tasks[1], summon.tasks[1].answer)
    PageDriver(visit).wait_for_prompt(0)
    PageDriver(visit).play_move(ace[0])
    page.wait_for_selector("[data-zone='p1-soldiers'] .unit")
    page.reload()
    page.wait_for_selector(".lesson[data-task='2'][data-state=open]")
    page.wait_for_selector("[data-zone='p1-soldiers'] .unit")
    for one in ace[1:]:
        page.wait_for_timeout(150)
        PageDriver(visit).wait_for_prompt(0)
        PageDriver(visit).play_move(one)
    page.wait_for_selector(".lesson[data-state=done]")
    visit.go("/school")
    page.click("[data-do=start]")  # continues at the last task
    page.wait_for_selector(".lesson[data-task='2']")
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def test_a_lesson_shows_its_solution_on_request(chromium: Any, site: Site) -> None:
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/school/quick")
    page.click(".lesson [data-do=hint]")
    page.wait_for_selector(".lesson .hint")
    page.click(".lesson [data-do=show]")
    page.wait_for_selector(".lesson[data-state=done]")
    page.wait_for_selector(".lesson [data-do=next]")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_gold_stands_on_what_the_guide_advises(chromium: Any, site: Site, size: str) -> None:
    """The first own turn: the goal is shown, and the missing bulwark is the gold option."""
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/guide")
    page.wait_for_selector("[data-remark=goal]")
    page.wait_for_selector(".palette .opt.good [data-action=set_bulwark]")
    visit.shot("guide-gold")
    assert not page.locator(".dock .main:not(:disabled)").count(), "nothing else is gold"
    assert page.locator(".palette .opt.good").count() == 1
    visit.tap(".hand [data-place]", -1)
    page.wait_for_selector(".palette .opt.on [data-action=set_bulwark]")
    page.wait_for_selector(".dock [data-do=confirm].main:not(:disabled)")
    visit.shot("guide-gold-confirm")
    visit.tap(".dock [data-do=confirm]")
    seat = page.get_attribute(".table", "data-seat")
    page.wait_for_selector(f"[data-zone={seat}-bulwarks] .unit")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_guide_falls_silent(chromium: Any, site: Site, size: str) -> None:
    """A remark appears as often as it specifies and no more; the game can be left and resumed."""
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/guide")
    page.wait_for_selector("[data-remark]")
    visit.shot("guide")
    assert visit.overflow() == []
    first = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-school')).room")
    page.evaluate(
        "ids => { const kept = JSON.parse(localStorage.getItem('blackpoker-school'));"
        " for (const id of ids) kept.remarks[id] = 9; localStorage.setItem('blackpoker-school', JSON.stringify(kept)); }",
        [remark.id for remark in guide_remarks()],
    )
    page.reload()
    page.wait_for_selector(".table")
    page.wait_for_timeout(600)
    assert page.locator("[data-remark]").count() == 0
    assert page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-school')).room") == first
    assert visit.problems == []
    visit.context.close()


def test_the_game_after_the_guided_one_is_a_normal_one(chromium: Any, site: Site) -> None:
    """Playing again does not begin the guide again: no remarks, and a new deal."""
    visit = Visit(chromium, site, "phone")
    page = visit.page
    visit.go("/guide")
    page.wait_for_selector("[data-remark=goal]")
    resign(visit)
    page.click("dialog[open] [data-do=rematch]")
    page.wait_for_url("**/room/*")
    page.wait_for_selector(".table")
    page.wait_for_selector(".palette[data-doing]")
    page.wait_for_timeout(600)
    assert page.locator("[data-remark]").count() == 0
    assert page.locator("dialog[open]").count() == 0
    assert visit.problems == []
    visit.context.close()


#: the elements a remark must not cover, and those it covers
COVERED = """() => {
  const words = document.querySelector('[data-remark]').getBoundingClientRect();
  return [...document.querySelectorAll("[data-pile], .far-hand, .hand [data-place], .dock button, .palette")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && box.left < words.right - 1 && box.right > words.left + 1
      && box.top < words.bottom - 1 && box.bottom > words.top + 1;
  }).map(e => e.dataset.pile ?? e.className);
}"""
WINDOWS = {"desk": (1280, 800), "narrow": (1024, 768), "phone": (390, 844), "landscape": (844, 390)}


@pytest.mark.parametrize("window", WINDOWS)
def test_play_now_is_the_guided_game_until_it_has_been_played(chromium: Any, site: Site, window: str) -> None:
    """One tap from the first screen to a board with the first move, the goal shown first, and nothing covered."""
    visit = Visit(chromium, site, "phone" if window == "phone" else "desk")
    page = visit.page
    width, height = WINDOWS[window]
    page.set_viewport_size({"width": width, "height": height})
    visit.go("/")
    page.click("[data-do=now]")
    page.wait_for_url("**/guide")
    page.wait_for_selector("[data-remark=goal]")
    page.wait_for_selector(".palette[data-doing=action]")
    assert page.get_attribute(".table", "data-seat") == "p1"
    hand_cards = page.evaluate("() => [...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)")
    assert sorted(hand_cards) == ["D3", "S2", "S4"]
    page.wait_for_timeout(1000)
    assert page.locator(".callout").count() == 0, "one text at a time"
    assert page.evaluate(COVERED) == []
    assert visit.overflow() == []
    assert visit.axe() == []
    visit.shot(f"guide-first-{window}")
    page.click("[data-remark] button")
    page.wait_for_selector(".callout[data-mark=ten]")
    page.wait_for_timeout(400)
    assert page.evaluate(COVERED.replace("[data-remark]", ".callout")) == []
    visit.shot(f"guide-mark-{window}")
    page.click(".callout button")
    page.wait_for_selector(".callout", state="detached")
    room = page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-school')).room")
    visit.go("/")  # left in the middle: the same game continues
    page.click("[data-do=now]")
    page.wait_for_selector(".palette[data-doing=action]")
    assert page.evaluate("() => JSON.parse(localStorage.getItem('blackpoker-school')).room") == room
    page.wait_for_timeout(600)
    assert page.locator(".callout[data-mark=ten]").count() == 0, "once is enough"
    page.click(".table [aria-haspopup=dialog], .top .icon-only")
    resign = page.locator("dialog[open] .danger")
    resign.click()
    resign.click()
    page.wait_for_selector("dialog.end[open]")
    visit.go("/")
    page.click("[data-do=now]")
    page.wait_for_url("**/room/*")
    page.wait_for_selector(".table")
    assert page.locator("[data-remark], .callout").count() == 0, "a plain game"
    assert visit.problems == []
    visit.context.close()
