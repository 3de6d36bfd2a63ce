"""Whole games through the page, tap by tap."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit

PATIENCE = 240.0


@pytest.mark.parametrize("size", SIZES)
def test_a_newcomer_plays_the_computer(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    visit.go("/")
    visit.page.click(".tile.main")
    visit.page.click("dialog[open] button[type=submit]")
    visit.page.wait_for_selector(".table")
    hand = random.Random(5)
    shots: set[str] = set()
    end = time.monotonic() + PATIENCE
    while (kind := visit.move(hand)) != "over":
        assert time.monotonic() < end, visit.state()
        if kind == "wait":
            visit.page.wait_for_timeout(40)
        elif kind not in shots:
            shots.add(kind)
            visit.page.wait_for_timeout(400)
            visit.shot(f"game-{kind}")
            assert visit.overflow() == [], kind
            if not visit.state()["over"]:
                assert visit.axe() == [], kind
    visit.page.wait_for_timeout(300)
    visit.shot("game-over")
    assert visit.axe() == []
    visit.page.click("dialog[open] a[href^='/replay/']")
    visit.page.wait_for_selector(".bar .button.main")
    for _ in range(12):
        visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_timeout(300)
    visit.shot("replay")
    assert visit.overflow() == []
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def test_two_friends_and_a_bad_line(chromium: Any, site: Site) -> None:
    """A link, a reload, a dropped connection, somebody who watches; both see the same end."""
    one, two, third = Visit(chromium, site, "desk"), Visit(chromium, site, "phone", "en-US"), Visit(chromium, site)
    lines: list[Any] = []
    two.page.route_web_socket("**/ws", lambda line: (lines.append(line), line.connect_to_server()))
    one.go("/")
    one.page.locator(".tile").nth(2).click()
    one.page.click("dialog[open] button[type=submit]")
    one.page.wait_for_selector("input.link")
    link = one.page.input_value("input.link")
    one.shot("lobby")
    assert one.axe() == []
    two.page.goto(link)
    one.page.click("main .button.main:has-text('準備OK')")
    two.page.click("main .button.main:has-text('Ready')")
    for visit in (one, two):
        visit.page.wait_for_selector(".table")
    third.page.goto(link)
    third.page.wait_for_selector(".table")
    third.shot("watching")
    hands = {one: random.Random(1), two: random.Random(2)}
    end = time.monotonic() + PATIENCE
    moves = 0
    over: set[Visit] = set()
    while len(over) < 2:
        assert time.monotonic() < end, (one.state(), two.state())
        idle = True
        for visit, hand in hands.items():
            if visit in over:
                continue
            kind = visit.move(hand)
            if kind == "over":
                over.add(visit)
            if kind != "wait":
                idle = False
                moves += 1
            if moves == 12:
                one.page.reload()
                one.page.wait_for_selector(".table")
            if moves == 20:
                begun = time.monotonic()
                before = len(lines)
                lines[-1].close(code=1011, reason="test")
                while len(lines) == before:
                    two.page.wait_for_timeout(20)
                    assert time.monotonic() < begun + 5
                two.page.wait_for_function("() => !document.querySelector('.spring .problem')", timeout=3000)
                print(f"reconnected after {time.monotonic() - begun:.2f} s")
                assert time.monotonic() - begun < 2.5
            if moves > 160 and visit is one and visit not in over:
                one.page.click(".top button")
                one.page.click("dialog[open] .danger")
                one.page.click("dialog[open] .danger")
                one.page.wait_for_selector("#end-title")
        if idle:
            one.page.wait_for_timeout(60)
    two.page.wait_for_selector("#end-title")
    third.page.wait_for_selector("#end-title")
    two.shot("friend-over")
    two.page.click("dialog[open] .button.main")
    one.page.wait_for_selector(".toast .button.main")
    one.page.evaluate("() => document.querySelector('dialog[open]')?.close()")
    one.page.click(".toast .button.main")
    one.page.wait_for_selector("main .button.main")
    for visit in (one, two, third):
        assert visit.problems == []
        visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_tutorial(chromium: Any, site: Site, size: str) -> None:
    """Six steps, each done as its text says."""
    visit = Visit(chromium, site, size)
    page = visit.page
    visit.go("/tutorial")
    for step in range(6):
        page.wait_for_selector(f".lesson .chip:has-text('{step + 1} / 6')")
        if step in (0, 1):
            page.click(".palette [data-action=attack]")
            page.wait_for_selector(".bar .main:not(:disabled)")
            page.click(".bar .button.main")
            page.wait_for_selector(".palette .pick")
            for place in range(page.locator(".palette .pick").count()):
                page.locator(".palette .pick").nth(place).click()
            page.wait_for_selector(".palette .result")
            page.click(".bar .button.main")
        elif step in (2, 3):
            page.wait_for_selector(".palette .fight")
            for place in range(page.locator(".palette .list .pick").count() if step == 2 else 1):
                page.locator(".palette .list .pick").nth(place).click()
                page.wait_for_timeout(150)
            visit.shot(f"lesson-{step + 1}")
            page.click(".bar .button.main")
        elif step == 4:
            page.click(".hand [data-card=S7]")
            page.click(".palette [data-action=summon_soldier]")
            page.wait_for_selector(".palette .word.pay")
            visit.shot("lesson-5")
            page.click(".bar .button.main")
        else:
            page.wait_for_selector(".stage .item.first")
            page.click(".hand [data-card=C8]")
            page.click(".palette [data-action=counter]")
            page.wait_for_selector(".palette .word.pay")
            visit.shot("lesson-6")
            page.click(".bar .button.main")
        page.wait_for_selector(".lesson .good")
        assert visit.overflow() == []
        page.click(".lesson .button.main")
    page.wait_for_selector("main .button.main")
    assert visit.problems == []
    visit.context.close()


def test_keyboard_alone(chromium: Any, site: Site) -> None:
    """A hand card by its number, an action and the confirmation by keys, the turn ended by a key."""
    visit = Visit(chromium, site)
    page = visit.page
    visit.go("/")
    made = visit.post(
        "/api/positions/play",
        {
            "position": 'format = "lite"\n[p1]\nhand = "S7 H9"\nbulwarks = "D2"\n[p2]\nbulwarks = "D5"\n',
            "opponent": "easy",
        },
    )
    visit.go(made["path"])
    page.wait_for_selector(".palette .action")
    page.keyboard.press("1")
    page.wait_for_selector(".hand .chosen")
    page.keyboard.press("ArrowUp")
    page.focus(".palette [data-action=summon_soldier]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".palette .word.pay")
    page.focus(".hand .slot")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-zone=p1-soldiers] .unit")
    page.wait_for_selector(".bar .button.main:has-text('エンド')")
    page.keyboard.press("e")
    page.wait_for_selector(".log .turn:has-text('AI')")
    page.keyboard.press("?")
    page.wait_for_selector("#keys-title")
    visit.shot("keys")
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()
