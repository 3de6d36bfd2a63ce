"""A driver that enters given moves through the page: it reads the options and taps them, token by token."""

from __future__ import annotations

import re
import time
from typing import Any

from tests.web.browser import PATIENCE, Visit
from tests.web.tap_scripts import Script, ScriptMove

READ_PAGE = """() => {
  const table = document.querySelector('.table');
  const palette = document.querySelector('.palette');
  const all = (root, s) => root ? [...root.querySelectorAll(s)] : [];
  const words = s => all(palette, s).map(e => e.dataset.word);
  const main = ['confirm', 'end', 'pass', 'none'].map(what => document.querySelector(`.dock [data-do=${what}]:not(:disabled)`)).find(Boolean);
  const end = document.querySelector('#end-title');
  return {
    asked: table ? table.dataset.prompt : palette && palette.dataset.doing !== 'wait' ? 'setup' : '',
    seat: table ? table.dataset.seat : '',
    doing: palette ? palette.dataset.doing : '', kind: palette ? palette.dataset.kind : '',
    busy: !!palette && palette.getAttribute('aria-busy') === 'true',
    words: words('.word'), picks: words('.list .pick'), fights: words('.fight'),
    chosen: words('.list .pick.chosen'), chosenFight: words('.fight.chosen'),
    actions: all(palette, '.action').map(e => e.dataset.action),
    whole: !!palette && !!palette.querySelector('.ok'),
    main: main ? main.dataset.do : '',
    warned: !!palette && !!palette.querySelector('[data-warn]'),
    over: !!end && end.offsetParent !== null,
    problem: all(document, '.palette .problem, .toast').map(e => e.innerText).join(' '),
  };
}"""

BOARD = """() => {
  const side = seat => {
    const zone = name => [...document.querySelectorAll(`[data-zone="${seat}-${name}"] .unit`)];
    const count = pile => document.querySelector(`[data-pile="${seat}:${pile}"] .count`).innerText.trim();
    const units = [...zone('soldiers'), ...zone('bulwarks')];
    return {
      life: count('life'), grave: count('grave'), soldiers: zone('soldiers').length, bulwarks: zone('bulwarks').length,
      driven: units.filter(e => e.classList.contains('driven')).length,
      trumps: document.querySelectorAll(`[data-zone="${seat}-piles"] .extras button.mini`).length,
    };
  };
  return {
    stage: [...document.querySelectorAll('.stage .item')].map(e => e.dataset.action),
    p1: side('p1'), p2: side('p2'), hand: document.querySelectorAll('.hand .slot').length,
  };
}"""

#: choices answered by a single tap
AT_ONCE = {"yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"}
#: errors in shown text: an unfilled field, or an internal name
LEAK = re.compile(r"undefined|\[object|\bNaN\b|\{\d\}")


class Astray(Exception):
    """The page does not offer the next token."""


class PageDriver:
    """Plays both seats of one screen."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.page: Any = visit.page
        #: the fewest taps per action, from the list of actions to the last confirmation
        self.fewest: dict[str, int] = {}

    def read_page(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(READ_PAGE)
        return found

    def settled(self) -> dict[str, Any]:
        """Return the options once the server has responded to the last tap."""
        end = time.monotonic() + PATIENCE / 1000
        while (now := self.read_page())["busy"]:
            if time.monotonic() > end:
                raise Astray("the page waits for an answer that does not come")
            self.page.wait_for_timeout(15)
        return now

    def wait_for_prompt(self, number: int) -> dict[str, Any]:
        """Wait for the prompt with this number, or a later one if a prompt was auto-passed; return the page's state."""
        end = time.monotonic() + PATIENCE / 1000
        while True:
            now = self.read_page()
            if now["over"]:
                return now
            if now["asked"] and not now["busy"]:
                seq = int(now["asked"].split("/")[1])
                if seq >= number:
                    return now
            if time.monotonic() > end:
                raise Astray(f"prompt {number} does not come: {now}")
            self.page.wait_for_timeout(15)

    def tap(self, selector: str, place: int = 0) -> None:
        """Tap until the tap counts: an element that just appeared ignores taps; raise `Astray` if it stays inert."""
        for _ in range(20):
            self.visit.tap(selector, place)
            if not self.page.evaluate("() => new Promise(done => setTimeout(() => done(window.refused)))"):
                return
            self.visit.taps -= 1
            self.page.wait_for_timeout(100)
        raise Astray(f"{selector} {place} stays dead")

    def play_move(self, move: ScriptMove) -> None:
        """Enter one move at the current prompt."""
        text = self.page.inner_text(".palette")
        if LEAK.search(text):
            raise AssertionError(f"the page says {text!r}")
        if move.words in (["pass"], ["end"]):
            self.close_chance(move.words[0])
        elif move.kind == "chance":
            before = self.visit.taps
            self.request(move.words)
            name = move.words[0].removesuffix("@")
            self.fewest[name] = min(self.visit.taps - before, self.fewest.get(name, 99))
        elif move.kind == "attackers":
            for word in move.words:
                if word != "done":
                    self.pick(word)
            self.confirm()
        elif move.kind == "blockers":
            self.block(move.text)
        else:
            self.choose(move)

    def close_chance(self, word: str) -> None:
        now = self.settled()
        for _ in range(3):  # an end with a possible attack needs a second tap
            if now["main"] == word:
                self.tap(f".dock [data-do={word}]")
            else:
                self.page.keyboard.press("p" if word == "pass" else "e")
            if self.prompt_changed(now):
                return
        raise Astray(f"{word} does nothing: {now}")

    def prompt_changed(self, before: dict[str, Any], patience: float = 0.5) -> bool:
        """Return whether the prompt changed; wait for a pending response."""
        end = time.monotonic() + patience
        while (now := self.read_page())["asked"] == before["asked"]:
            if time.monotonic() > end + (PATIENCE / 1000 if now["busy"] else 0):
                return False
            self.page.wait_for_timeout(15)
        return True

    def pass_until(self, *doing: str) -> dict[str, Any]:
        """Pass for each prompted seat until the page is in one of these states; return the page's state."""
        end = time.monotonic() + PATIENCE / 1000
        while (now := self.settled())["doing"] not in doing:
            if time.monotonic() > end:
                raise Astray(f"{doing} does not come: {now}")
            if now["main"] == "pass":
                self.close_chance("pass")
            self.page.wait_for_timeout(15)
        return now

    def pick(self, word: str) -> None:
        now = self.settled()
        if word not in now["picks"]:
            raise Astray(f"{word!r} is not among {now['picks']} ({now['problem']})")
        self.tap(".palette .list .pick", now["picks"].index(word))

    def confirm(self) -> None:
        before = self.settled()
        if not before["main"]:
            raise Astray(f"nothing to confirm: {before}")
        for _ in range(3):  # a risky move needs a second tap
            self.tap(f".dock [data-do={before['main']}]")
            if self.prompt_changed(before):
                return
        raise Astray(f"the confirmation does nothing: {before}")

    def request(self, words: list[str]) -> None:
        self.compose(words)
        self.confirm()

    def compose(self, words: list[str]) -> None:
        """Compose a request completely, without confirming it."""
        now = self.settled()
        if words[0] not in now["actions"]:
            raise Astray(f"{words[0]} is not among {now['actions']}")
        self.tap(".palette .action", now["actions"].index(words[0]))
        for _ in range(60):
            now = self.settled()
            wrong = [n for n, word in enumerate(now["words"]) if n >= len(words) or word != words[n]]
            if wrong:  # proposed, but not wanted: removed from here on
                self.tap(".palette .word", wrong[0])
            elif len(now["words"]) < len(words):
                self.pick(words[len(now["words"])])
            elif now["whole"]:
                return
            else:
                self.page.wait_for_timeout(15)
        raise Astray(f"{words} could not be put together: {now}")

    def block(self, text: str) -> None:
        for part in text.split(";") if ":" in text else []:
            attacker, _, blockers = part.partition(":")
            now = self.settled()
            if attacker.strip() not in now["fights"]:
                raise Astray(f"{attacker!r} is not among {now['fights']}")
            for word in blockers.split():  # a pick moves on to the next attacker
                self.tap(".palette .fight", now["fights"].index(attacker.strip()))
                self.pick(word)
        self.confirm()

    def choose(self, move: ScriptMove) -> None:
        wanted = [word for word in move.words if word != "done"]
        before = self.settled()
        for word in wanted:
            self.pick(word)
        if move.kind in AT_ONCE:
            return
        now = self.settled()
        if now["asked"] == before["asked"]:
            self.confirm()

    def board(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(BOARD)
        return found

    def same_board(self, wanted: dict[str, Any], where: str) -> None:
        end = time.monotonic() + PATIENCE / 1000
        while (found := self.board()) != wanted:
            if time.monotonic() > end:
                raise AssertionError(f"{where}: the page shows\n{found}\nthe engine has\n{wanted}")
            self.page.wait_for_timeout(30)

    def open(self, script: Script) -> None:
        """Paste the position on the desk and play it at both seats."""
        self.visit.go("/desk")
        self.page.locator("textarea").first.fill(script.position)
        self.page.select_option("select[name=opponent]", "both")
        self.page.click("[data-do=play]")
        self.page.wait_for_selector(".table")

    def play(self, script: Script) -> set[str]:
        """Play all moves of the script; return what was performed."""
        done: set[str] = set()
        self.open(script)
        for number, move in enumerate(script.moves):
            now = self.wait_for_prompt(number)
            if now["over"]:
                raise AssertionError(f"{script.name}: over before {move.text!r}")
            if int(now["asked"].split("/")[1]) > number:
                assert move.text == "pass", f"{script.name}: {move.text!r} was not asked for"
                done |= move.performs
                continue
            where = f"{script.name} [{number}] {move.seat}: {move.text}"
            assert now["seat"] == move.seat, where
            try:
                if not move.loose:
                    self.same_board(move.board, where)
                self.play_move(move)
            except Astray as astray:
                if move.loose:
                    return done
                raise AssertionError(f"{where}: {astray}") from None
            done |= move.performs
        if script.last:
            self.wait_for_prompt(len(script.moves))
            self.same_board(script.last, f"{script.name}: at the end")
        return done | {script.trump} - {""}
