"""Typical boards at both sizes: no overlaps, no cut-off text, no sideways scrolling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browser import SIZES, Site, Visit
from tests.web.page_driver import PageDriver

CHOICE = """format = "lite"
[p1]
life = 20
hand = "H7 H9 S3"
[p2]
life = 20
hand = "C4"
"""
MIDDLE = """format = "master"
turn_number = 7
[p1]
life = 14
hand = "SA H3 H7 C9 CK D5 JK"
field = "S5 H9 SK(d)"
bulwarks = "D2 D3 C2(d)"
[p2]
life = 9
hand = "C4 D8 S6"
field = "H8 D10 S9"
bulwarks = "D4 C5(d)"
"""
SEARCH = """format = "master"
[p1]
life = "S2 H3 D4 C5 S6 H7 D8 C9 S10 HJ DQ CK SA H2 D3 C4 S5 H6 D7 C8"
hand = "JK H10"
bulwarks = "D2"
[p2]
hand = "C4"
"""
RECRUIT = """format = "master"
[p1]
life = "SQ CK HJ C9 D2 +15"
hand = "D3 D4"
bulwarks = "D5 D6"
[p2]
"""
TRUMPS = """format = "extra"
[p1]
life = 18
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
CROWD = """format = "master"
[p1]
life = 20
hand = "SA SK CA CK HA DA DK"
field = "S2 S3(d) S4 S5(d) S6 S7(d) S8 S9(d) S10 H2"
bulwarks = "D2 D3(d) D4 D5(d) D6 D7(d) D8 D9 D10 C2"
[p2]
life = 20
field = "S2 S3 S4 S5 S6 S7 S8 S9 S10 H2 H3(d) H4(d) H5(d) H6(d) H7(d) H8(d) H9(d) H10(d) D2(d) D3(d)"
"""
MASS = """format = "master"
turn_number = 9
[p1]
life = 20
hand = "SA SK CA"
field = "S2 S3 S4 S5 S6 S7 S8 S9"
bulwarks = "D2 D3"
[p2]
life = 21
hand = "C4 D8 S10 H2 H3 H4"
field = "H8 D10 H9 H10 C2 C3"
bulwarks = "D4 C5 C6"
"""
JOKER = """format = "lite"
[p1]
life = 36
hand = "SA S3 H5 D3 D6 C8 JK"
[p2]
hand = "C4"
"""
BIG_HAND = """format = "master"
[p1]
life = 20
hand = "SA S2 S3 S4 S5 H6 H7 H8 H9 D10 DJ DQ CK JK"
bulwarks = "D2"
[p2]
hand = "S6 S7 S8 S9 C6 C7 C8 C9 D6 D7"
"""


def nothing(hands: PageDriver) -> None:
    """Leave the board as it is."""


def draft(hands: PageDriver) -> None:
    hands.compose(["up", "H3", "$C9", ">p1.S5"])


def deep_stage(hands: PageDriver, price: str = "$S6") -> None:
    """Play a request and a response to it."""
    hands.request(["down", "SA", "$C9", ">p2.H8"])
    hands.page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action]")
    hands.request(["counter", "C4", price, ">#1"])
    hands.page.wait_for_selector(".table[data-seat=p1] .palette[data-doing=action]")


def attack(hands: PageDriver) -> None:
    hands.request(["attack"])
    hands.pass_until("attack")
    for card in ("S5", "H9"):
        hands.pick(card)


def block(hands: PageDriver) -> None:
    attack(hands)
    hands.confirm()
    hands.pass_until("block")
    hands.visit.tap(".palette .fight", 0)
    hands.pick("H8")


def mass_block(hands: PageDriver) -> None:
    """Eight attackers, none blocked yet."""
    hands.request(["attack"])
    hands.pass_until("attack")
    hands.visit.tap(".dock [data-do=everybody]")
    hands.confirm()
    hands.pass_until("block")


def mass_judgement(hands: PageDriver) -> None:
    mass_block(hands)
    hands.visit.tap(".palette .fight", 0)
    hands.pick("H8")
    hands.confirm()
    hands.page.wait_for_selector(".stage .item[data-action=damage_judgement]")


def bulwark_choice(hands: PageDriver) -> None:
    hands.request(["set_bulwark"])
    hands.page.wait_for_selector(".palette[data-doing=choice][aria-busy=false]")


def judgement(hands: PageDriver) -> None:
    block(hands)
    hands.confirm()
    hands.page.wait_for_selector(".stage .item[data-action=damage_judgement]")


def equipped(hands: PageDriver) -> None:
    hands.request(["up", "H3", "$C9", ">p1.S5"])
    for _ in range(4):
        hands.page.wait_for_timeout(100)
        if hands.page.locator(".tag.bonus").count():
            return
        hands.close_chance("pass")
    hands.page.wait_for_selector(".tag.bonus")


def search(hands: PageDriver) -> None:
    hands.request(["search", "JK"])
    hands.pass_until("choice")


def recruit(hands: PageDriver) -> None:
    hands.request(["recruit", "D3", "D4", "$b1", "$b2"])
    hands.pass_until("choice")
    hands.pick("HJ")


def refused(hands: PageDriver) -> None:
    if hands.page.locator(".palette .all").count():
        hands.visit.tap(".palette .all")
    hands.visit.tap(".palette summary")


def selected(hands: PageDriver) -> None:
    hands.visit.tap(".hand [data-card=H3]")


BOARDS: dict[str, tuple[str, Callable[[PageDriver], None]]] = {
    "own-turn": (MIDDLE, nothing),
    "card-selected": (MIDDLE, selected),
    "draft": (MIDDLE, draft),
    "refused": (MIDDLE, refused),
    "deep-stage": (MIDDLE, deep_stage),
    "attack": (MIDDLE, attack),
    "block": (MIDDLE, block),
    "judgement": (MIDDLE, judgement),
    "mass-block": (MASS, mass_block),
    "mass-judgement": (MASS, mass_judgement),
    "bulwark-choice": (JOKER, bulwark_choice),
    "bonus": (MIDDLE, equipped),
    "search": (SEARCH, search),
    "order": (RECRUIT, recruit),
    "trumps": (TRUMPS, nothing),
    "big-hand": (BIG_HAND, nothing),
    "crowd": (CROWD, nothing),
}

#: overlapping parts of the board, and cut-off texts
FAULTS = """() => {
  const out = [];
  const box = e => e.getBoundingClientRect();
  const shown = e => { const r = box(e); return r.width > 0 && r.height > 0 && e.checkVisibility({visibilityProperty: true}) };
  const all = s => [...document.querySelectorAll(s)].filter(shown);
  const over = (a, b) => {
    const r = box(a), s = box(b);
    const w = Math.min(r.right, s.right) - Math.max(r.left, s.left), h = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
    return w > 1 && h > 1 ? w * h : 0;
  };
  const areas = all('.top, .flag, .far-hand .chip, .steps, .piles .art, .grave, .trump, .stage .item, .pop:not(.placed) .palette:not(.laid-out), .dock button, .column, .me');
  areas.forEach((a, n) => areas.slice(n + 1).forEach(b => !a.contains(b) && !b.contains(a) && over(a, b) > 60 &&
    out.push('areas ' + a.className + ' / ' + b.className + ' ' + Math.round(over(a, b)))));
  const rows = [[all('.soldiers .unit'), 0.08], [all('.bulwarks .unit'), 0.62]];  // backs may lie over each other
  for (const [units, most] of rows) units.forEach((a, n) => units.slice(n + 1).forEach(b => {
    const share = over(a, b) / Math.min(box(a).width * box(a).height, box(b).width * box(b).height);
    if (share > most) out.push('cards ' + a.innerText.replace(/\\s+/g, ' ') + ' / ' + b.innerText.replace(/\\s+/g, ' ') + ' ' + share.toFixed(2));
  }));
  for (const e of all('.table button, .table .chip, .table h1, .person strong, .prompt, .table p')) {
    if (e.closest('.log, .sr')) continue;
    const style = getComputedStyle(e);
    if (e.scrollWidth > e.clientWidth + 2 && style.overflowX !== 'visible' && e.clientWidth) out.push('cut ' + e.className + ' ' + e.innerText);
  }
  for (const unit of all('.units .unit')) {
    const r = box(unit), s = box(unit.closest('.units'));
    if (r.left < s.left - 2 || r.right > s.right + 2 || r.top < s.top - 40 || r.bottom > s.bottom + 40) out.push('outside ' + unit.innerText);
    if (r.width < 14) out.push('tiny ' + unit.innerText);
  }
  for (const chip of all('.clash')) for (const unit of all('.soldiers .unit')) {  // an index is in the upper half
    const r = box(unit), c = box(chip);
    if (c.right > r.left && c.left < r.right && c.bottom > r.top + 4 && c.top < r.top + r.height / 2) out.push('number on a card ' + chip.innerText);
  }
  for (const chip of all('.clash')) if (box(chip).left < 0 || box(chip).right > innerWidth) out.push('chip beyond the edge ' + chip.innerText);
  for (const chip of all('.clash')) for (const e of all('.stage .item.first')) if (over(chip, e) > 20) out.push('chip at the stage ' + chip.innerText);
  for (const pick of all('.pick')) for (const e of pick.children) {
    if (box(e).left < box(pick).left - 1 || box(e).right > box(pick).right + 1) out.push('beyond its button ' + pick.innerText);
  }
  for (const button of all('.dock button')) if (box(button).height < 48) out.push('low ' + button.innerText);
  for (const e of all('.dock button, .stage .item.first, .hand .slot')) {
    if (box(e).top < 0 || box(e).left < -1 || box(e).right > innerWidth + 1) out.push('not in the window ' + e.innerText);
    if (!e.matches('.slot') && box(e).bottom > innerHeight + 1) out.push('below the window ' + e.innerText);
  }
  return out;
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BOARDS)
def test_a_board(chromium: Any, site: Site, name: str, size: str) -> None:
    position, steps = BOARDS[name]
    visit = Visit(chromium, site, size, "en-US" if size == "phone" else "ja-JP")
    hands = PageDriver(visit)
    arrange(visit, position, {})
    steps(hands)
    visit.page.mouse.move(5, 5)
    visit.page.wait_for_timeout(450)
    visit.shot(f"board-{name}")
    assert visit.page.evaluate(FAULTS) == []
    assert visit.overflow() == []
    assert visit.axe() == []
    if name == "crowd":
        assert visit.page.locator(".unit").count() == 40
    assert visit.problems == []
    visit.context.close()


#: the colour of what is selected
IVORY = """() => {
  const one = document.body.appendChild(document.createElement('i'));
  one.style.color = 'var(--ivory)';
  const found = getComputedStyle(one).color;
  one.remove();
  return found;
}"""


@pytest.mark.parametrize("size", SIZES)
def test_many_attackers_have_one_total(chromium: Any, site: Site, size: str) -> None:
    """Above four attackers one number is shown; a tap lists them."""
    visit = Visit(chromium, site, size)
    page = visit.page
    arrange(visit, MASS, {})
    mass_block(PageDriver(visit))
    page.wait_for_selector(".clash.total")
    assert page.locator(".clash").count() == 1
    assert "−44" in page.inner_text(".clash.total")
    visit.tap(".clash.total")
    assert page.locator(".clash .parts > span").count() == 8
    visit.shot("many-attackers")
    assert visit.overflow() == []
    assert visit.axe() == []
    visit.tap(".clash.total")
    assert page.locator(".clash .parts").count() == 0
    assert visit.problems == []
    visit.context.close()


def test_gold_is_the_best_next_step_only(chromium: Any, site: Site) -> None:
    """Not to block is not gold while a block is possible; a pick moves on to the next attacker without a blocker."""
    visit = Visit(chromium, site, "phone")
    page = visit.page
    arrange(visit, MIDDLE, {})
    hands = PageDriver(visit)
    attack(hands)
    hands.confirm()
    hands.pass_until("block")
    page.wait_for_selector(".dock [data-do=confirm]:not(:disabled)")
    assert page.locator(".dock .main").count() == 0
    first = hands.settled()["chosenFight"]
    hands.pick("H8")
    page.wait_for_selector(".dock [data-do=confirm].main:not(:disabled)")
    second = hands.settled()["chosenFight"]
    assert len(first) == len(second) == 1
    assert first != second
    borders = page.evaluate(
        "() => [...document.querySelectorAll('.palette .chosen')].map(e => getComputedStyle(e).borderColor)"
    )
    assert set(borders) == {page.evaluate(IVORY)}, "what is selected is not gold"
    assert visit.problems == []
    visit.context.close()


#: buttons of a phone with a touch target below 44 px; characters are as large as the table allows, and listed below it
SMALL_TARGETS = """() => {
  const out = [];
  for (const e of document.querySelectorAll('.table button, .coach button, .table a, .table summary')) {
    const r = e.getBoundingClientRect();
    if (e.disabled || !r.width || !e.checkVisibility({visibilityProperty: true}) || e.matches('.unit, .slot *, .item *')) continue;
    const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
    const reacts = (dx, dy) => { const hit = document.elementFromPoint(x + dx, y + dy); return !!hit && e.contains(hit); };
    if (!reacts(0, 0)) continue;  // scrolled away
    const reach = (dx, dy) => { let n = 0; while (n < 60 && reacts(dx * (n + 1), dy * (n + 1))) n++; return n; };
    const wide = reach(-1, 0) + reach(1, 0) + 1, high = reach(0, -1) + reach(0, 1) + 1;
    if (wide < 43 || high < 43) out.push(`${e.className} ${e.innerText} ${wide}x${high}`);
  }
  return out;
}"""


@pytest.mark.parametrize("name", ["own-turn", "deep-stage", "block", "trumps", "mass-block"])
def test_touch_targets_on_a_phone(chromium: Any, site: Site, name: str) -> None:
    position, steps = BOARDS[name]
    visit = Visit(chromium, site, "phone")
    arrange(visit, position, {})
    steps(PageDriver(visit))
    visit.page.wait_for_timeout(450)
    assert visit.page.evaluate(SMALL_TARGETS) == []
    visit.context.close()


@pytest.mark.parametrize("lang", ["ja-JP", "en-US"])
def test_an_answer_is_above_the_fold_on_a_phone(chromium: Any, site: Site, lang: str) -> None:
    """An answer to a Twist during the own attack: the sheet is low, so its first lines are the request and the answer."""
    visit = Visit(chromium, site, "phone", lang)
    page = visit.page
    arrange(visit, MIDDLE, {"lang": lang[:2]})
    hands = PageDriver(visit)
    hands.request(["attack"])
    page.wait_for_selector(".table[data-seat=p2] .palette[data-doing=action]")
    hands.request(["twist", "D8", "$C4", ">p1.S5"])
    page.wait_for_selector(".table[data-seat=p1] .palette[data-doing=action]")
    page.wait_for_selector(".palette .why")  # soldiers can be planned meanwhile
    visit.shot("answer")
    palette, answer = page.locator(".palette").bounding_box(), page.locator(".palette .action").first.bounding_box()
    assert palette["y"] + palette["height"] >= answer["y"] + answer["height"]
    assert visit.overflow() == []
    assert visit.problems == []
    visit.context.close()


def test_a_lower_request_has_no_arrow_on_a_phone(chromium: Any, site: Site) -> None:
    """It would cross the plates between; the target keeps its mark."""
    visit = Visit(chromium, site, "phone")
    arrange(visit, MIDDLE, {})
    deep_stage(PageDriver(visit))
    visit.page.wait_for_timeout(450)
    assert visit.page.locator(".stage .item").count() == 2
    assert visit.page.locator(".lines .later").count() == 0
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_every_dialog_of_the_board(chromium: Any, site: Site, size: str) -> None:
    """Menu, log, rule, grave and keys: readable, accessible, and closed with Esc."""
    visit = Visit(chromium, site, size)
    page = visit.page
    hands = PageDriver(visit)
    visit.go("/desk")
    page.locator("textarea").first.fill(MIDDLE)
    page.click("[data-do=play]")
    page.wait_for_selector(".palette[data-doing=action]")
    hands.request(["attack"])
    page.wait_for_selector(".stage .item .name")
    for name, selector in {
        "menu": ".top button",
        "rule": ".stage .item .name",
        "grave": "[data-pile='p1:grave']",
    }.items():
        page.locator(selector).first.click()
        if name == "rule" and size == "desk":  # beside the table, in the column
            page.wait_for_selector(".column [data-about='action:attack']")
            assert visit.axe() == [], name
            page.keyboard.press("Escape")
            page.wait_for_selector(".column [data-about]", state="detached")
        else:
            check_dialog(visit, name)
    for name, key in {"log": "l", "keys": "?"}.items():
        page.keyboard.press(key)
        check_dialog(visit, name)
    assert visit.problems == []
    visit.context.close()


def check_dialog(visit: Visit, name: str) -> None:
    page = visit.page
    page.wait_for_selector("dialog[open]")
    page.wait_for_timeout(150)
    visit.shot(f"dialog-{name}")
    assert visit.overflow() == [], name
    assert visit.axe() == [], name
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="hidden")


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("name", ["own-turn", "draft", "block", "judgement", "trumps", "crowd"])
def test_a_phone_on_its_side(chromium: Any, site: Site, name: str, hand: str) -> None:
    """Nothing overlaps in landscape either, and the buttons are at the preferred hand."""
    position, steps = BOARDS[name]
    visit = Visit(chromium, site, "desk")
    arrange(visit, position, {"leftHanded": hand == "left"})
    steps(PageDriver(visit))
    for width, height in ((844, 390), (740, 360)):
        visit.page.set_viewport_size({"width": width, "height": height})
        visit.page.wait_for_timeout(300)
        visit.shot(f"landscape-{name}-{hand}-{width}")
        assert visit.page.evaluate(FAULTS) == []
        assert visit.overflow() == []
        box = visit.page.locator(".dock").bounding_box()
        assert box is not None
        assert (box["x"] + box["width"] / 2 < width / 2) == (hand == "left")
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_dock_for_the_left_hand(chromium: Any, site: Site, size: str) -> None:
    visit = Visit(chromium, site, size)
    arrange(visit, MIDDLE, {"leftHanded": True})
    selected(PageDriver(visit))
    visit.page.wait_for_timeout(300)
    visit.shot("left-handed")
    assert visit.page.evaluate(FAULTS) == []
    box = visit.page.locator(".dock [data-do=confirm]").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] / 2 < SIZES[size][0] / 2
    assert visit.problems == []
    visit.context.close()


def test_proposals_are_changed_on_the_board(chromium: Any, site: Site) -> None:
    """The proposed bulwark card can be changed by tapping another card of the hand, not only in the list. (On a phone
    the list covers the hand.)"""
    visit = Visit(chromium, site, "desk", "en-US")
    page = visit.page
    arrange(visit, CHOICE, {"lang": "en"})
    hands = PageDriver(visit)
    hands.request(["set_bulwark"])
    page.wait_for_selector(".palette[data-doing=choice][aria-busy=false]")
    page.wait_for_selector(".dock [data-do=confirm]:not([disabled])")
    before = page.inner_text(".dock [data-do=confirm] small")
    other = "7" if "7" not in before else "9"
    assert page.locator(".hand [data-offered]").count() == 3
    page.locator(f".hand [data-card=H{other}]").click(position={"x": 10, "y": 10})
    page.wait_for_function(
        "card => document.querySelector('.dock [data-do=confirm] small').innerText.includes(card)", arg=other
    )
    assert visit.problems == []
    visit.context.close()


@pytest.mark.parametrize("lang", ["ja-JP", "en-US"])
def test_a_replay_on_a_phone_leaves_the_table_whole(chromium: Any, site: Site, lang: str) -> None:
    visit = Visit(chromium, site, "phone", lang)
    page = visit.page
    visit.go("/replay/shown-master?step=31")
    page.wait_for_selector(".step[aria-busy=false]")
    page.wait_for_selector(".hand [data-card]")
    page.wait_for_timeout(300)
    visit.shot("replay-strip")
    lowest, strip = page.evaluate(
        "() => [Math.max(...[...document.querySelectorAll('.hand [data-card]')].map(e => e.getBoundingClientRect().top)),"
        " document.querySelector('.strip').getBoundingClientRect().top]"
    )
    assert strip - lowest > 60, "an index and a suit of every card are in sight"
    assert strip > 844 * 0.7
    assert visit.overflow() == []
    assert visit.axe() == []
    page.locator(".strip input").fill("40")
    page.wait_for_function("() => location.search === '?step=40'")
    page.click("[data-do=more]")
    page.wait_for_selector("dialog[open] .panel select")
    assert visit.axe() == []
    assert visit.problems == []
    visit.context.close()


def arrange(visit: Visit, position: str, settings: dict[str, Any]) -> None:
    """Open a table with the position and these settings."""
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    stored = {"mode": "firm", "motion": "reduced", **settings}
    visit.page.evaluate("keep => localStorage.setItem('blackpoker', JSON.stringify(keep))", stored)
    visit.go("/desk")
    visit.page.locator("textarea").first.fill(position)
    visit.page.click("[data-do=play]")
    visit.page.wait_for_selector(".palette[data-doing=action]")


#: cards of a choice that lies over the table: how many, the narrowest, and those outside the window or covered
LAID_OUT = """() => {
  const cards = [...document.querySelectorAll('.laid-out .pick')];
  const boxes = cards.map(card => card.querySelector('svg').getBoundingClientRect());
  const covered = cards.filter((card, n) => {
    const at = document.elementFromPoint(boxes[n].left + boxes[n].width / 2, boxes[n].top + boxes[n].height / 2);
    return !card.contains(at);
  });
  return [cards.length, Math.min(...boxes.map(box => box.width)),
    boxes.filter(box => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight).length, covered.length];
}"""


@pytest.mark.parametrize("window", [(1440, 900), (390, 844), (844, 390), (820, 1180)])
def test_a_search_shows_twenty_cards_at_once(chromium: Any, site: Site, window: tuple[int, int]) -> None:
    visit = Visit(chromium, site, "desk")
    visit.go("/desk")
    visit.page.locator("textarea").first.fill(SEARCH)
    visit.page.click("[data-do=play]")
    visit.page.wait_for_selector(".palette[data-doing=action]")
    search(PageDriver(visit))
    visit.page.set_viewport_size({"width": window[0], "height": window[1]})
    visit.page.wait_for_timeout(600)
    many, narrowest, outside, covered = visit.page.evaluate(LAID_OUT)
    assert many >= 20
    assert narrowest >= 56
    assert (outside, covered) == (0, 0)
    assert visit.overflow() == []
    visit.page.locator(".laid-out .pick").last.click()
    visit.page.locator(".dock .main").first.click()
    visit.page.wait_for_selector(".laid-out", state="detached")
    assert visit.problems == []
    visit.context.close()


#: buttons of the palette that are higher than what they contain: [text, height, height of the content]
STRETCHED = """() => [...document.querySelectorAll('.palette .opt .action')].flatMap(button => {
  const style = getComputedStyle(button);
  const range = document.createRange();
  range.selectNodeContents(button);
  const content = range.getBoundingClientRect().height + parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const frame = button.closest('.opt').getBoundingClientRect().height;
  const least = parseFloat(style.minHeight) || 0;
  return frame > Math.max(content, least) + 6 ? [[button.innerText, Math.round(frame), Math.round(content)]] : [];
})"""


@pytest.mark.parametrize("window", [(1280, 800), (1920, 1080), (390, 844), (844, 390)])
@pytest.mark.parametrize("lang", ["ja-JP", "en-US"])
def test_palette_buttons_are_as_high_as_their_text(
    chromium: Any, site: Site, window: tuple[int, int], lang: str
) -> None:
    """Regression: a short label beside a long one was stretched to 80 px."""
    visit = Visit(chromium, site, "desk", lang)
    page = visit.page
    page.set_viewport_size({"width": window[0], "height": window[1]})
    visit.go("/guide")
    page.wait_for_selector(".palette[data-doing=action] .action")
    page.wait_for_timeout(500)
    assert page.evaluate(STRETCHED) == []
    assert visit.problems == []
    visit.context.close()
