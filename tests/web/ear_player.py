"""A player at a screen reader: decides by what is read, acts by keyboard alone.

    python -m tests.web.ear_player [--games 100] [--levels easy,casual] [--formats lite+entry,...] [--minutes 60]

It plays whole games against computer players and prints the wins per level, the kinds of decisions that were read, and
the announcements per turn. A decision that cannot be read ends the run with what was on the page.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any, Final

from tests.web.browser import Site, Visit, browser
from tests.web.screen_reader import Node, ScreenReader, pattern, words

#: seconds without anything new to read
PATIENCE: Final = 60.0
#: keys of one answer; more means that the page does not react
MOST_KEYS: Final = 400


class Unreadable(Exception):
    """The page asks for something that cannot be read or answered by keys."""


@dataclass
class Unit:
    """A unit as it is read."""

    name: str
    number: int
    charged: bool
    soldier: bool


@dataclass
class Side:
    """One side of the table as it is read."""

    life: int
    units: list[Unit] = field(default_factory=list)

    @property
    def blockers(self) -> list[Unit]:
        return [one for one in self.units if one.charged]


@dataclass
class Account:
    """What a game was like by ear."""

    #: announcements per turn
    turns: Counter[int] = field(default_factory=Counter)
    #: kinds of decisions, named by the words of their question
    kinds: Counter[str] = field(default_factory=Counter)
    result: str = ""
    keys: int = 0
    seconds: float = 0.0


class EarPlayer:
    """Plays one game by what is read."""

    def __init__(self, reader: ScreenReader, lang: str = "en") -> None:
        self.reader = reader
        self.lang = lang
        self.say = words(lang)
        self.account = Account()
        self.turn = 0
        #: actions tried at the current question
        self.tried: set[str] = set()
        self.last_question = ""
        self.question = ""
        self.stuck = 0

    # -- reading -------------------------------------------------------------------------------------------------------

    def word(self, key: str) -> str:
        return self.say[key]

    def listen(self) -> None:
        """Read the announcements, and count them by turn."""
        heading = re.compile(re.escape(self.word("turn_n")).replace(re.escape("{0}"), r"(\d+)"))
        for _, text in self.reader.announcements():
            self.question = text
            for found in heading.finditer(text):
                self.turn = int(found[1])
            self.account.turns[self.turn] += 1

    def region(self, tree: Node, name: str) -> Node | None:
        return next((one for one in tree.walk() if one.role in ("region", "group") and one.name == name), None)

    def side(self, tree: Node, mine: bool) -> Side:
        own = self.word("own_side")
        regions = [one for one in tree.all("region") if (one.name == own) == mine and self.life_in(one) is not None]
        if not regions:
            return Side(10)
        side = Side(self.life_in(regions[0]) or 0)
        for bar in regions[0].all("toolbar"):
            soldier = bar.name.startswith(self.word("soldiers"))
            if soldier or bar.name.startswith(self.word("bulwarks")):
                side.units += [self.unit(one.name, soldier) for one in bar.all("button")]
        return side

    def life_in(self, region: Node) -> int | None:
        for one in region.all("button"):
            found = re.match(re.escape(self.word("life")) + r" (\d+)", one.name)
            if found:
                return int(found[1])
        return None

    def unit(self, name: str, soldier: bool) -> Unit:
        found = re.search(self.word("spoken_number").replace("{0}", r"(-?\d+)"), name) or re.search(r"\b(\d+)\b", name)
        charged = self.word("charged") in name
        return Unit(name, int(found[1]) if found else 0, charged, soldier)

    # -- keys ----------------------------------------------------------------------------------------------------------

    def go_to(self, wanted: Node, key: str = "c") -> None:
        """Press the key of a zone, and move in it to a control."""
        self.reader.press(key)
        read = []
        for _ in range(80):
            now = self.reader.focused()
            if now and now.role == wanted.role and now.name == wanted.name:
                return
            read.append(now.name if now else "")
            self.reader.press("ArrowRight")
        raise Unreadable(f"the arrows do not reach {wanted.name!r}: {read[:20]}")

    def choose(self, wanted: Node) -> None:
        self.go_to(wanted)
        self.reader.press("Space")

    # -- deciding ------------------------------------------------------------------------------------------------------

    def play(self) -> Account:
        """Play to the end."""
        begun, keys = time.monotonic(), self.reader.keys
        quiet, before = time.monotonic(), ""
        while True:
            self.listen()
            tree = self.reader.tree()
            dialog = next((one for one in tree.all("dialog") if not one.states["ignored"]), None)
            if dialog is not None:
                self.account.result = self.result(dialog)
                self.account.keys = self.reader.keys - keys
                self.account.seconds = time.monotonic() - begun
                return self.account
            state = self.question + tree.text()
            if state != before:
                quiet, before = time.monotonic(), state
            elif time.monotonic() - quiet > PATIENCE:
                raise Unreadable(f"nothing happens after {self.question!r}\n{tree.text()}")
            if not self.answer(tree):
                self.reader.page.wait_for_timeout(15)

    def result(self, dialog: Node) -> str:
        text = dialog.text()
        for key, result in (("you_win", "won"), ("you_lose", "lost"), ("draw", "drawn")):
            if self.word(key) in text:
                return result
        return text[:60]

    def answer(self, tree: Node) -> bool:
        """Answer the question that is read; return False if there is none yet."""
        options = self.region(tree, self.word("can_do"))
        main = self.region(tree, self.word("decide"))
        if options is None or main is None:
            return False
        buttons = {one.name: one for one in main.all("button")}
        extra = (self.word("hold"), self.word("accept"), self.word("accept_own"))
        enabled = [one for one in buttons.values() if not one.disabled and not one.name.startswith(extra)]
        if options.states.get("busy") or not (enabled or self.open_options(options)):
            return False
        if self.question != self.last_question:
            self.last_question = self.question
            self.stuck = 0
        self.stuck += 1
        if self.stuck > MOST_KEYS:
            raise Unreadable(f"the answer is not accepted: {self.question!r}\n{options.text()}\n{list(buttons)}")
        text = options.text()
        if self.word("attack_pick") in text:
            self.attack(tree, options, enabled)
        elif self.region(options, self.word("attackers")):
            self.block(tree, options, enabled)
        elif any(one.name.startswith((self.word("end_turn"), self.word("end_sure"))) for one in enabled):
            self.own_turn(tree, options)
        elif any(one.name.startswith((self.word("go"), self.word("press_again"))) for one in enabled) and not any(
            one.name == self.word("cancel") for one in enabled
        ):
            self.respond(options)
        elif any(one.name == self.word("cancel") for one in enabled) and options.all("heading"):
            self.compose(options, enabled)
        else:
            self.pick(options, enabled)
        return True

    def note(self, kind: str) -> None:
        self.account.kinds[kind] += 1

    def actions(self, options: Node) -> list[Node]:
        skip = (self.word("pass_only"), self.word("close"), self.word("arm"))
        return [one for one in options.all("button") if not one.name.startswith(skip) and not one.disabled]

    def own_turn(self, tree: Node, options: Node) -> None:
        advised = f"({self.word('recommended')})"
        fresh = [one for one in self.actions(options) if one.name not in self.tried]
        good = [one for one in fresh if advised in one.name]
        attack = [one for one in fresh if one.name.startswith(self.attack_name)]
        throw = [one for one in fresh if one.name.startswith(self.throw_name)]
        low = self.side(tree, True).life <= 3
        good = [one for one in good if not (low and self.word("cost_L_one") in one.name) and one not in attack]
        good = good or throw
        if attack and not good and self.attackers(tree):
            good = attack
        self.note("action")
        if good:
            self.tried.add(good[0].name)
            self.choose(good[0])
        else:
            self.tried.clear()
            self.reader.press("e")
            self.settle()

    def respond(self, options: Node) -> None:
        advised = f"({self.word('recommended')})"
        good = [one for one in self.actions(options) if advised in one.name and one.name not in self.tried]
        self.note("response")
        if good:
            self.tried.add(good[0].name)
            self.choose(good[0])
        else:
            self.tried.clear()
            self.reader.press("p")
            self.settle()

    def compose(self, options: Node, enabled: list[Node]) -> None:
        """Complete a request, and confirm it unless a warning is read."""
        text = options.text()
        warned = any(self.word(key) in text for key in ("warn_vain", "warn_own_unit", "warn_lose", "warn_life"))
        aimed = re.search(pattern(self.word("spoken_comes")).pattern, self.question)
        own_damage = re.search(r"(\d+) damage to you", aimed[1]) if aimed else None
        warned = warned or own_damage is not None
        confirm = enabled[0] if enabled and enabled[0].name != self.word("cancel") else None
        if confirm is not None and not warned:
            self.note("confirm")
            self.tried = {name for name in self.tried if name.startswith(self.attack_name)}
            self.reader.press("Enter")
            self.settle()
            return
        if confirm is None:
            fill = options.find("button", self.word("fill_rest"))
            first = next((one for one in self.open_options(options)), None)
            if fill or first:
                self.note("request part")
                self.choose(fill or first)  # type: ignore[arg-type]
                return
        self.reader.press("Escape")

    def open_options(self, options: Node) -> list[Node]:
        return [one for one in self.actions(options) if not one.pressed]

    def settle(self) -> None:
        """Wait for the effect of a key."""
        before = self.question
        end = time.monotonic() + 1.0
        while time.monotonic() < end and self.question == before:
            self.reader.page.wait_for_timeout(10)
            self.listen()

    @property
    def throw_name(self) -> str:
        return "投擲" if self.lang == "ja" else "Throw"

    @property
    def attack_name(self) -> str:
        return "アタック" if self.lang == "ja" else "Attack"

    def attackers(self, tree: Node) -> list[Unit]:
        """Return the own soldiers for which an attack is worth it."""
        mine, theirs = self.side(tree, True), self.side(tree, False)
        able = [one for one in mine.units if self.word("can_attack") in one.name]
        defenders = [one for one in theirs.blockers if one.soldier]
        through = sorted(one.number for one in able)[: max(0, len(able) - len(theirs.blockers))]
        if sum(through) >= theirs.life:
            return able
        strongest = max((one.number for one in defenders), default=0)
        worth = sorted((one for one in able if one.number >= strongest), key=lambda one: -one.number)
        if len(able) > len(theirs.blockers) + 1:
            worth = able
        threat = sum(one.number for one in theirs.units if one.soldier)
        if threat >= mine.life:  # the others stay at home to block
            worth = worth[: max(0, len(able) - sum(one.soldier for one in theirs.units))]
        return worth

    def attack(self, tree: Node, options: Node, enabled: list[Node]) -> None:
        self.note("attackers")
        wanted = {one.name.partition(",")[0] for one in self.attackers(tree)}
        left = [one for one in self.open_options(options) if any(name in one.name for name in wanted)]
        if left:
            self.choose(left[0])
            return
        if any(one.pressed for one in options.all("button")):
            self.reader.press("Enter")
        else:
            none = next(one for one in enabled if one.name.startswith((self.word("attack_none"), self.word("go_on"))))
            self.tab_to(none)
            self.reader.press("Space")
        self.settle()

    def tab_to(self, wanted: Node) -> None:
        for _ in range(60):
            now = self.reader.focused()
            if now and now.role == wanted.role and now.name == wanted.name:
                return
            self.reader.press("Tab")
        raise Unreadable(f"Tab does not reach {wanted.name!r}")

    def block(self, tree: Node, options: Node, enabled: list[Node]) -> None:
        """Block where only the attacker falls, with a bulwark against large damage, and with anything in need."""
        self.note("blockers")
        if any(one.name.startswith(self.word("confirm_sure")) for one in enabled):
            self.reader.press("Enter")  # nothing better was found: the game is lost
            self.settle()
            return
        mine = self.side(tree, True)
        damage = re.search(
            pattern(self.word("your_damage")).pattern.rstrip("$").replace("(.+?)", r"(\d+)"), options.text()
        )
        hurt = int(damage[1]) if damage else 0
        fights = self.region(options, self.word("attackers"))
        fight_names = {one.name for one in fights.all("button")} if fights else set()
        open_fights = fights and [
            one
            for one in fights.all("button")
            if one.name.endswith(self.word("unblocked")) and one.name not in self.tried
        ]
        if open_fights and hurt:
            selected = [one for one in open_fights if one.pressed]
            if not selected:
                self.choose(open_fights[0])
                return
            blockers = [one for one in options.all("button") if one.name not in fight_names and not one.pressed]
            need = hurt * 2 >= mine.life
            ranked = [self.word("result_win")]
            if hurt >= 3 or need:
                ranked += [self.word("result_both"), self.word("result_wall")]
            if need:
                ranked += [self.word("result_none"), self.word("result_loss")]
            for result in ranked:
                found = [one for one in blockers if one.name.endswith(result) or result in one.name]
                if found:
                    self.choose(min(found, key=lambda one: self.unit(one.name, True).number))
                    return
            self.tried.add(selected[0].name)
            return
        self.tried.clear()
        self.reader.press("Enter")
        self.settle()

    def costs_life(self, text: str) -> bool:
        """Return whether an option is read to leave little life."""
        found = re.search(r"(\d+) (?:→|to) (\d+)", text)
        return found is not None and int(found[2]) < min(6, int(found[1]))

    def pick(self, options: Node, enabled: list[Node]) -> None:
        """Answer a question inside an effect: the proposal, the recommended option, else the first."""
        names = self.open_options(options)
        kind = re.sub(r"\d+|\bof \w+", "", (options.all("paragraph") or [options])[0].text())[:60]
        self.note(f"choice: {kind.strip()}")
        confirm = [
            one
            for one in enabled
            if one.name.startswith((self.word("confirm"), self.word("confirm_sure"), self.word("done")))
        ]
        suggested = any(one.name == self.word("suggest") for one in names)
        if confirm and not suggested:
            self.reader.press("Enter")
            self.settle()
            return
        advised = f"({self.word('recommended')})"
        safe = [one for one in names if not self.costs_life(one.name)]
        good = [one for one in safe if advised in one.name or one.name == self.word("suggest")] or safe or names
        if good:
            self.choose(good[0])
            self.settle()
        elif enabled:
            self.tab_to(enabled[0])
            self.reader.press("Space")
            self.settle()


def begin(reader: ScreenReader, level: str, format: str, frame: str, lang: str = "en") -> None:
    """Start a game from the start screen by keyboard."""
    shared, own = words(lang), words(lang, "new_game")
    reader.page.goto(reader.visit.site.address("/play"))
    reader.page.wait_for_selector("h2")
    reader.choose_radio(shared["level"], level)
    reader.choose_radio(own["rules"], format)
    reader.choose_radio(shared["deck"], frame)
    reader.tab_to(own["start"], "button")
    reader.press("Enter")


LEVEL_NAMES: Final = {"easy": "Easy", "casual": "Casual"}


def summary(accounts: list[tuple[str, str, Account]]) -> str:
    """Return wins by level, the kinds of decisions, and the announcements per turn."""
    lines = []
    for level in sorted({one[0] for one in accounts}):
        results = Counter(account.result for found, _, account in accounts if found == level)
        total = sum(results.values())
        lines.append(f"{level}: {results['won']} of {total} won ({results['won'] / total:.0%}), {dict(results)}")
    kinds: Counter[str] = Counter()
    turns: list[int] = []
    for _, _, account in accounts:
        kinds += account.kinds
        turns += [many for turn, many in account.turns.items() if turn > 0]
    lines.append(f"{len(kinds)} kinds of decisions: {dict(kinds.most_common())}")
    if len(turns) > 1:
        tenths = quantiles(turns, n=10)
        over = sum(many > 8 for many in turns) / len(turns)
        lines.append(
            f"announcements per turn ({len(turns)} turns): mean {mean(turns):.1f}, median {median(turns):.0f},"
            f" 90th percentile {tenths[8]:.0f}, most {max(turns)}; more than 8 in {over:.0%}"
        )
        counts = Counter(min(many, 13) for many in turns)
        lines.append("  " + "  ".join(f"{n}{'+' if n == 13 else ''}: {counts[n]}" for n in range(14) if counts[n]))
    return "\n".join(lines)


def play_game(browser: Any, site: Site, level: str, regulation: str, lang: str = "en") -> tuple[Account, ScreenReader]:
    """Play one game in a fresh browser profile, from a link to its room."""
    visit = Visit(browser, site, lang="ja-JP" if lang == "ja" else "en-US")
    reader = ScreenReader(visit)
    visit.go("/")
    made = visit.post("/api/rooms", {"regulation": regulation, "opponent": level, "window_ms": 0})
    visit.go(made["path"])
    visit.page.wait_for_selector("main")
    player = EarPlayer(reader, lang)
    try:
        return player.play(), reader
    finally:
        if sys.exc_info()[0] is not None:
            visit.shot("ear-unreadable")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--levels", default="easy,casual")
    parser.add_argument("--formats", default="", help="regulations, comma-separated; all by default")
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--verbose", action="store_true", help="print every announcement")
    options = parser.parse_args(arguments)
    from blackpoker.ruleset import all_regulations

    texts = options.formats.split(",") if options.formats else [one.text for one in all_regulations()]
    levels = options.levels.split(",")
    end = time.monotonic() + options.minutes * 60
    accounts: list[tuple[str, str, Account]] = []
    unreadable: list[str] = []
    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        site = Site(Path(folder))
        site.start()
        try:
            for number in range(options.games):
                if time.monotonic() > end:
                    break
                level, text = levels[number % len(levels)], texts[number // len(levels) % len(texts)]
                try:
                    account, reader = play_game(chrome, site, level, text)
                except (Unreadable, AssertionError) as fault:
                    unreadable.append(f"{text} against {level}: {fault}")
                    print(f"UNREADABLE {unreadable[-1]}", flush=True)
                    continue
                accounts.append((level, text, account))
                if options.verbose:
                    print("\n".join(f"  [{live}] {said}" for live, said in reader.heard))
                print(
                    f"{number + 1}/{options.games} {text} against {level}: {account.result}, {max(account.turns)} turns,"
                    f" {account.keys} keys, {account.seconds:.0f} s",
                    flush=True,
                )
                if reader.visit.problems:
                    print(reader.visit.problems, flush=True)
                reader.visit.context.close()
        except KeyboardInterrupt:
            pass
        finally:
            site.kill()
            if accounts:
                print(summary(accounts))
            print(f"{len(unreadable)} games with a decision that could not be read or answered")
    return 1 if unreadable else 0


if __name__ == "__main__":
    sys.exit(main())
