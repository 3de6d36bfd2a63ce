"""Screens of decks, desk, rulebook and print, for ``tools.screenshots``."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.page_driver import PageDriver

LONG = "槍ぶすまのとても長い名前のデッキ Maximilian"
FORTY = "♠ A 3 4 5 6 7 8 9 10 J\n♡ A 3 4 5 6 7 8 9 10 Q\n♢ A 2 3 5 6 8 9 10 K\n♣ A 2 3 5 6 8 9 10 K\nJK JK2"
KINGS = "♠ A 2 3 4 5 6 7 8 9 10 J Q K\n♡ A 3 5 7 9 J Q\n♢ A 2 3 4 10 J K\n♣ 2 4 6 8 10 J Q K\nJK"
SHELF = [
    {
        "id": "forty",
        "name": "はじめの四十枚",
        "frame": "constructed40",
        "format": "master",
        "text": f"name: はじめの四十枚\n{FORTY}",
        "results": [12, 7, 0],
    },
    {"id": "long", "name": LONG, "frame": "regular", "format": "master", "text": f"name: {LONG}\n{KINGS}"},
    {
        "id": "trumps",
        "name": "魔王と革命",
        "frame": "regular",
        "format": "extra",
        "text": f"name: 魔王と革命\n{KINGS}\ntrumps: SA SK",
    },
]
KEEP = """shelf => {
  const kept = JSON.parse(localStorage.getItem('blackpoker') ?? '{}');
  localStorage.setItem('blackpoker', JSON.stringify({...kept, shelf}));
}"""
ATTACKED = """format = "lite"
turn = "p2"
[p1]
life = 12
hand = "H3 C9 D5"
field = "S5"
bulwarks = "D2"
[p2]
life = 20
hand = "C4"
field = "H8(d) D9(d)"
"""


def at(path: str, wanted: str, shelf: bool = False) -> Callable[[PageDriver], None]:
    """Return a step that opens a screen and waits for ``wanted``."""

    def step(hands: PageDriver) -> None:
        if shelf:
            hands.page.evaluate(KEEP, SHELF)
        hands.visit.go(path)
        hands.page.wait_for_selector(wanted)
        hands.page.wait_for_load_state("networkidle")

    return step


def down(api: str, path: str, wanted: str = ".state", shelf: bool = False) -> Callable[[PageDriver], None]:
    """Return a step in which the server does not respond."""

    def step(hands: PageDriver) -> None:
        if shelf:
            hands.page.evaluate(KEEP, SHELF)
        hands.visit.forgive = True
        hands.page.route(api, lambda route: route.abort())
        hands.visit.go(path)
        hands.page.wait_for_selector(wanted)

    return step


def on_the_way(api: str, path: str) -> Callable[[PageDriver], None]:
    def step(hands: PageDriver) -> None:
        hands.page.route(api, lambda route: None)  # the response never arrives
        hands.visit.go(path)
        hands.page.wait_for_selector(".loading")

    return step


def choosing_trumps(hands: PageDriver) -> None:
    at("/decks/trumps", "[data-do=trumps]", shelf=True)(hands)
    hands.page.click("[data-do=trumps]")
    hands.page.click("[data-trump=SK]")


def too_many(hands: PageDriver) -> None:
    at("/decks/forty", "[data-put=DJ]", shelf=True)(hands)
    hands.page.click("[data-do=all]")
    hands.page.wait_for_selector(".notes .problem", state="attached")


def searched(words: str) -> Callable[[PageDriver], None]:
    def step(hands: PageDriver) -> None:
        at("/rules", ".booklet")(hands)
        hands.page.locator("input[type=search]").fill(words)
        hands.page.wait_for_selector("[data-found], .state")
        hands.page.wait_for_load_state("networkidle")

    return step


def shelf_sheet(do: str) -> Callable[[PageDriver], None]:
    """Return a step that opens a sheet over the shelf: a deck to send, a deck to read."""

    def step(hands: PageDriver) -> None:
        at("/decks", "aside .notes li", shelf=True)(hands)
        hands.page.locator(f"aside [data-do={do}], .top [data-do={do}]").first.click()
        hands.page.wait_for_selector("dialog[open]")

    return step


def seven(hands: PageDriver) -> None:
    at("/decks/forty", ".uses li", shelf=True)(hands)
    hands.page.click("[data-do=seven]")
    hands.page.wait_for_selector(".fan .card")


def impossible(hands: PageDriver) -> None:
    """Enter the same card twice. The browser's message about the refusal is not a fault."""
    at("/desk", "[data-verdict=good] li")(hands)
    hands.visit.forgive = True
    hands.page.locator("textarea").first.fill(ATTACKED.replace('"H3 C9 D5"', '"H3 C9 D5 S5"'))
    hands.page.wait_for_selector("aside .no")
    hands.page.evaluate("() => document.activeElement.blur()")


def under_attack(hands: PageDriver) -> None:
    at("/desk", "[data-verdict=good] li")(hands)
    hands.page.locator("textarea").first.fill(ATTACKED)
    hands.page.click("[data-do=attacked]")
    hands.page.wait_for_selector("[data-verdict=good] a[href='/rules/up']")


MAKING = {
    "decks": at("/decks", "aside .notes li", shelf=True),
    "decks-empty": at("/decks", ".state"),
    "decks-builder": at("/decks/forty", ".uses li", shelf=True),
    "decks-too-many": too_many,
    "decks-trumps": choosing_trumps,
    "decks-seven": seven,
    "decks-share": shelf_sheet("share"),
    "decks-read": shelf_sheet("read"),
    "decks-down": down("**/api/regulations", "/decks", shelf=True),
    "decks-on-the-way": on_the_way("**/api/regulations", "/decks"),
    "decks-compare": at("/decks/compare?a=forty&b=trumps", ".compare li", shelf=True),
    "decks-frames": at("/decks/new", "[data-frame]"),
    "rules": at("/rules", ".booklet"),
    "rules-action": at("/rules/counter", ".boards"),
    "rules-answer": searched("カウンター"),
    "rules-nothing": searched("zzqqxx"),
    "rules-index": at("/rules/actions", "[data-rule]"),
    "rules-ruling": at("/rules/R-159", "#room h2"),
    "rules-words": at("/rules/words", "[data-term]"),
    "rules-trumps": at("/rules/trumps", "#room h2"),
    "rules-rulings": at("/rules/rulings", "#room summary"),
    "rules-chapters": at("/rules/chapters", ".links"),
    "rules-down": down("**/api/rulebook?**", "/rules"),
    "rules-on-the-way": on_the_way("**/api/rulebook?**", "/rules"),
    "desk": at("/desk", "[data-verdict=good] li"),
    "desk-attacked": under_attack,
    "desk-impossible": impossible,
    "desk-down": down("**/api/positions/check?**", "/desk", "aside .no"),
    "desk-on-the-way": on_the_way("**/api/positions/check?**", "/desk"),
    "print": at("/print", "[data-ready=true]"),
    "print-trumps": at("/print/trumps", "[data-ready=true]"),
    "print-deck": at("/print/deck", ".state"),
    "print-down": down("**/api/paper/**", "/print"),
    "print-on-the-way": on_the_way("**/api/paper/**", "/print"),
}
