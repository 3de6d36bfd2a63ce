"""On a phone of 390 px the longest prompt, button and chip of either language fits completely.

The texts come from their sources: random games give the engine's prompts, moves and tokens, the page's dictionary its
own texts. The longest of each are put into their elements, and nothing may be cut off, leave the window or leave its
container.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from blackpoker.assist import draft_text
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS, UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.ruleset import Regulation, new_game, standard_edition
from blackpoker.text.markup import parse
from blackpoker.text.prompts import Prompts
from blackpoker.text.resources import Lang
from tests.web.browser import ROOT, Site, Visit
from tests.web.page_driver import PageDriver
from tests.web.tap_scripts import Script

LANGUAGES: dict[Lang, str] = {"ja": "ja-JP", "en": "en-US"}
GAMES = {"lite+entry": 4, "master+full": 8, "extra+full": 16}
MOST = 4  # number of longest texts per kind
TABLE = """format = "extra"
turn_number = 7
[p1]
life = 14
hand = "H3 C4 S6 D9 H10 CK S3"
field = "H8+H5 S9 D4"
bulwarks = "D2 D3"
trumps = "T:S2 t:HK"
[p2]
life = 15
hand = "C2 C9"
field = "H4 S10"
bulwarks = "C5 C6"
"""

#: text that is cut off, outside the window or outside its container
FIT = """([selector, inside, texts]) => {
  const out = [];
  const all = [...document.querySelectorAll(selector)].filter(e => e.offsetParent && e.getBoundingClientRect().width);
  const found = all.slice(0, 2);
  const is = (e, way, kinds) => kinds.includes(getComputedStyle(e)[way]);
  for (const e of found) {
    const place = e.closest(inside), kept = e.innerHTML;
    for (const text of texts) {
      e.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(e);
      const said = range.getBoundingClientRect(), held = place.getBoundingClientRect();
      const slack = 1 + parseFloat(getComputedStyle(e).fontSize) / 4;  // a font's box is higher than what it draws
      const why = new Set();
      if (said.left < held.left - 1 || said.right > held.right + 1) why.add('wider than its place');
      if (said.top < held.top - slack || said.bottom > held.bottom + slack) why.add('higher than its place');
      let across = true, down = true;  // as far as no strip under the thumb brings it into sight
      for (let up = e.parentElement; up && up !== document.documentElement; up = up.parentElement) {
        const box = up.getBoundingClientRect();
        if (across && is(up, 'overflowX', ['auto', 'scroll'])) {
          across = false;
          if (said.width > up.clientWidth + 1) why.add('wider than its strip');
        }
        if (down && is(up, 'overflowY', ['auto', 'scroll'])) {
          down = false;
          if (said.height > up.clientHeight + 1) why.add('higher than its sheet');
        }
        if (across && is(up, 'overflowX', ['hidden', 'clip']) && (said.left < box.left - 1 || said.right > box.right + 1)) why.add('cut by ' + up.className);
        if (down && is(up, 'overflowY', ['hidden', 'clip']) && (said.top < box.top - slack || said.bottom > box.bottom + slack)) why.add('cut by ' + up.className);
      }
      if (across && (said.left < -1 || said.right > innerWidth + 1)) why.add('out of the window');
      const dock = document.querySelector('.dock')?.getBoundingClientRect();
      if (dock && dock.bottom > innerHeight + 1) why.add('the buttons leave the window');
      if (why.size) out.push(`${selector}: ${text}: ${[...why].join(', ')}`);
    }
    e.innerHTML = kept;
  }
  return {found: found.length, out};
}"""


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)


def longest(texts: set[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-width(text), text))[:MOST]


@cache
def engine_texts(lang: Lang) -> dict[str, set[str]]:
    """Return the engine's texts in random games: prompts, whole requests, their tokens on chips, names of actions."""
    prompts = Prompts(standard_edition(), lang)
    out: dict[str, set[str]] = {name: set() for name in ("prompt", "sentence", "word", "option")}
    for regulation, games in GAMES.items():
        for seed in range(games):
            engine = new_game(Regulation.parse(regulation), seeded(seed))
            engine.advance()
            random, words = Random(seed), list[tuple[Engine, int]]()
            while engine.winner == UNDECIDED:
                out["prompt"].add(prompts.prompt(engine))
                option = random.choice(engine.options)
                words = [] if engine.kind == CHANCE_KIND else words
                if engine.draft is not None or (engine.kind == CHANCE_KIND and option != PASS):
                    words.append((engine.copy(), option))
                elif engine.kind != CHANCE_KIND:
                    out["option"].update(prompts.option(engine, one) for one in engine.options)
                engine.push(option)
                if words and engine.draft is None:
                    out["sentence"].add(parse(draft_text.request_summary(prompts, words)).text)
                    out["word"].update(parse(draft_text.option_text(prompts, s, one)).text for s, one in words)
                    words = []
    return out


@cache
def dictionary(lang: Lang) -> dict[str, str]:
    path = Path(ROOT) / "web" / "src" / "i18n" / lang / "shared.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def page_texts(lang: Lang, *names: str, filled: tuple[str, ...] = ("17", "12", "0")) -> set[str]:
    """Return texts of the page by a pattern of their names, with their fields filled in."""
    texts = {text for name, text in dictionary(lang).items() for one in names if re.fullmatch(one, name)}
    assert texts, names
    return {re.sub(r"\{(\d)\}", lambda found: filled[int(found[1])], text) for text in texts}


def titles(lang: Lang) -> list[str]:
    return longest({action.ja if lang == "ja" else action.en for action in standard_edition().actions})


@pytest.fixture
def phone(chromium: Any, site: Site, request: pytest.FixtureRequest) -> PageDriver:
    visit = Visit(chromium, site, "phone", LANGUAGES[request.param])
    visit.go("/settings")
    visit.page.wait_for_selector("h1")
    visit.page.evaluate("() => localStorage.setItem('blackpoker', JSON.stringify({motion: 'reduced', sound: false}))")
    hands = PageDriver(visit)
    hands.open(Script("", TABLE))
    visit.page.wait_for_selector(".palette:not([data-doing=wait])")
    return hands


def misfits(hands: PageDriver, selector: str, inside: str, texts: set[str]) -> list[str]:
    found = hands.page.evaluate(FIT, [selector, inside, longest(texts)])
    assert found["found"], f"{selector} is not on the page"
    return list(found["out"])


@pytest.mark.parametrize(("phone", "lang"), [("ja", "ja"), ("en", "en")], indirect=["phone"])
def test_the_longest_texts_fit(phone: PageDriver, lang: Lang) -> None:
    texts, named = engine_texts(lang), titles(lang)
    out: list[str] = []
    # the own turn: the prompt, both buttons of the dock, the chips of the table
    out += misfits(
        phone, ".palette .prompt", ".palette", page_texts(lang, "prompt_.*", filled=("からくり人形師", named[0]))
    )
    out += misfits(phone, ".dock [data-do=all]", "button", page_texts(lang, "attack_all"))
    still = {text for title in named for text in page_texts(lang, "end_still", filled=(title,))}
    out += misfits(phone, ".dock [data-do=end] > span", "button", page_texts(lang, "end_turn", "end_sure"))
    out += misfits(
        phone, ".dock [data-do=end] > small", "button", still | page_texts(lang, "you_would_lose", "end_still_more")
    )
    out += misfits(phone, ".table .chip", ".chip", page_texts(lang, "hand"))
    out += misfits(phone, ".palette .action .n", "button", set(named))
    # a request in progress: its question, its tokens on chips, the move on the button
    phone.tap(".palette .action[data-action=equip]")
    phone.settled()
    phone.page.wait_for_selector(".dock [data-do=confirm]")
    out += misfits(phone, ".palette .prompt", ".palette", texts["prompt"])
    out += misfits(phone, ".palette .word", ".word", texts["word"])
    confirm = texts["sentence"] | {text for title in named for text in page_texts(lang, "confirm_it", filled=(title,))}
    out += misfits(phone, ".dock [data-do=confirm] > span", "button", confirm | page_texts(lang, "confirm_sure"))
    out += misfits(phone, ".dock [data-do=cancel]", "button", page_texts(lang, "cancel", "take_back", "block_clear"))
    phone.tap(".dock [data-do=cancel]")
    phone.settled()
    # an attack to choose: the chosen soldiers, the forecast
    phone.request(["attack"])
    phone.pass_until("attack")
    out += misfits(
        phone, ".palette .prompt", ".palette", page_texts(lang, "attack_pick", "block_pick") | texts["prompt"]
    )
    out += misfits(phone, ".palette .pick", ".pick", texts["option"])
    main = page_texts(
        lang, "attack_with", "attack_choose", "block_confirm", "block_none", "choose_none", "done", "confirm"
    )
    out += misfits(phone, ".dock [data-do=confirm] > span", "button", main)
    out += misfits(phone, ".dock [data-do=everybody]", "button", page_texts(lang, "everybody"))
    out += misfits(phone, ".dock [data-do=none]", "button", page_texts(lang, "attack_none"))
    assert not out, "\n".join(out)
    assert phone.visit.overflow() == []
