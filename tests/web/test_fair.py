"""The end screen reports its checks of the shuffles, and detects cheating servers (docs/fairness.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from blackpoker.server.fairness.receipt import parse_receipt
from blackpoker.server.fairness.verify import verify_record
from tests.server.cheats import CHEATS, cheating
from tests.server.live import Live, get
from tests.server.test_fairness import ReceiptTable
from tests.web.browser import PATIENCE, STATIC, Site, Visit
from tests.web.test_user_journeys import Friends, own_site

__all__ = ["own_site"]
MARKS = "items => Object.fromEntries(items.map(item => [item.dataset.check, item.textContent.trim()[0]]))"


def checks(page: Any) -> dict[str, str]:
    """Return the compared items and whether they match."""
    found: dict[str, str] = page.eval_on_selector_all("[data-fair] li", MARKS)
    return found


def give_up(page: Any) -> None:
    page.evaluate("() => document.querySelector('dialog[aria-labelledby=menu-title]').showModal()")
    for _ in range(2):  # the second tap confirms
        page.click("dialog[open] .button.danger")
    page.wait_for_selector("#end-title")


def test_the_end_screen_checks_the_shuffles(chromium: Any, own_site: Site) -> None:
    friends = Friends(Visit(chromium, own_site, "desk"), Visit(chromium, own_site, "phone", "en-US"), own_site)
    friends.meet("lite+entry")
    host, guest = (visit.page for visit in friends.visits)
    friends.play(6)
    give_up(host)
    codes = set()
    for page, words in ((host, "証明ではありません"), (guest, "consistent, but not proof")):
        page.wait_for_selector("#end-title")
        check = page.wait_for_selector("[data-fair=consistent]", state="attached")
        assert words in (check.text_content() or "")
        compared = ("promise", "own", "other", "terms", "shuffles", "drew", "result", "record")
        assert checks(page) == {**dict.fromkeys(compared, "✓"), "rules": "–"}
        codes.add(page.text_content("[data-code]"))
        # The receipt of the page is readable by the command.
        href = page.get_attribute("[data-fair] a[download]", "href") or ""
        receipt = parse_receipt(unquote(href.partition(",")[2]))
        share = (page.get_attribute("dialog[open] a[href*='/replay/']", "href") or "").rpartition("/")[2]
        record = get(f"{own_site.url}/api/records/{share}").json()["text"]
        found = verify_record(record, receipt)
        assert found.proven, found.en
        assert receipt.parts[0].length > 20
        assert receipt.signatures
        codes.add(found.code)
        # The page replays the record with the same verifier.
        page.evaluate("() => document.querySelector('[data-fair]').open = true")
        page.click("[data-do=check-whole]")
        page.wait_for_selector("[data-fair=proven]", state="attached")
        assert checks(page)["rules"] == "✓"
        assert found.code in (page.text_content("[data-verified]") or "")
    assert len(codes) == 1, "both players and the command show the same code"
    # A page with another receipt from before the game reports it.
    guest.evaluate(
        """() => {
          const key = JSON.parse(localStorage.getItem("blackpoker.fair.receipts")).at(-1);
          const other = `"commitment":"${"0".repeat(64)}"`;
          localStorage.setItem(key, localStorage.getItem(key).replace(/"commitment":"[0-9a-f]{64}"/, other));
        }"""
    )
    guest.reload()
    guest.wait_for_selector("[data-fair=broken]", state="attached")
    shown = checks(guest)
    assert shown["promise"] == shown["terms"] == shown["shuffles"] == "✗"
    for visit in friends.visits:
        visit.context.close()


@pytest.fixture(scope="module")
def here(able: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Yield a server in this process, which can be switched to cheating."""
    with Live(tmp_path_factory.mktemp("cheats") / "games.db") as live:
        yield live


class RunningSite(Site):
    """A server that already runs."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.folder = Path()


def played_against(visit: Visit, regulation: str) -> Any:
    """Play a game against the computer and resign at once; return the page with its checks."""
    visit.go("/settings")
    made = visit.post("/api/rooms", {"regulation": regulation, "opponent": "easy", "window_ms": 0})
    visit.go(made["path"])
    visit.page.wait_for_selector(".palette")
    give_up(visit.page)
    visit.page.wait_for_selector("[data-fair]:not([data-fair=checking])", state="attached")
    return visit.page


#: the check that must fail for each cheat; others may fail as well
FAILED_CHECK = {
    "the room is named afterwards": "terms",
    "the game is numbered afterwards": "terms",
    "the other salt is chosen last": "computer",
    "an older version": "terms",
    "the salts are exchanged": "own",
    "another secret": "promise",
    "another edition": "shuffles",
    "other shuffles": "shuffles",
    "another stream": "shuffles",
    "a stacked deck": "computer",
    "other cards at the table": "drew",
    "another hand than was told": "hand",
}
#: without receipt notes nothing can be detected, but the game is not reported as fair
SPOILED = "other cards, and notes that are spoiled"


@pytest.mark.parametrize("cheat", CHEATS)
def test_the_page_finds_out_a_cheating_server(chromium: Any, here: Live, cheat: str) -> None:
    visit = Visit(chromium, RunningSite(here.url))
    with cheating(cheat):
        page = played_against(visit, "lite+constructed40" if cheat == "a stacked deck" else "lite+entry")
    if cheat == SPOILED:
        assert page.get_attribute("[data-fair]", "data-fair") == "consistent"
        assert checks(page)["missed"] == "–"
    else:
        assert page.get_attribute("[data-fair]", "data-fair") == "broken"
        assert checks(page)[FAILED_CHECK[cheat]] == "✗"
    visit.context.close()


def test_a_silent_server_does_not_hide_the_verdict(chromium: Any, here: Live) -> None:
    """The record never arrives; then the server forgets the player's seat."""
    visit = Visit(chromium, RunningSite(here.url))
    visit.page.route("**/api/records/*", lambda route: None)
    page = played_against(visit, "lite+entry")
    assert page.get_attribute("[data-fair]", "data-fair") == "consistent"
    assert checks(page)["withheld"] == "–"
    visit.page.unroute("**/api/records/*")

    def without_seat(line: Any) -> None:
        server = line.connect_to_server()
        server.on_message(lambda text: line.send(re.sub(r'("type":"welcome".*?),"seat":"p[12]"', r"\1", text)))

    page.route_web_socket("**/ws?*", without_seat)
    page.reload()
    page.wait_for_selector("[data-fair=consistent] [data-check=record]", state="attached")
    visit.context.close()


def test_random_decks_are_computed_again(chromium: Any, here: Live) -> None:
    visit = Visit(chromium, RunningSite(here.url))
    page = played_against(visit, "lite+random40")
    assert page.get_attribute("[data-fair]", "data-fair") == "consistent"
    assert checks(page)["decks"] == checks(page)["computer"] == "✓"
    with cheating("other shuffles"):
        page = played_against(visit, "lite+random40")
    assert checks(page)["decks"] == "✗"
    visit.context.close()


#: the verifier as one file (`make verifier`)
KEPT = STATIC / "verifier" / "blackpoker-verifier.html"


def test_the_kept_verifier_needs_no_server(chromium: Any, tmp_path: Path) -> None:
    """Opened from a folder, without a network, it proves an honest game and finds a changed record."""
    if not KEPT.exists():
        pytest.skip("the verifier is not built (make verifier)")
    table = ReceiptTable("lite+entry", 3, opponent="easy")
    table.start_game()
    table.play()
    record, receipt = tmp_path / "record.txt", tmp_path / "receipt.txt"
    record.write_text(table.records[0], encoding="utf-8")
    receipt.write_text(table.receipt.text, encoding="utf-8")
    context = chromium.new_context(locale="en-US", offline=True)
    page = context.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(KEPT.as_uri())
    page.set_input_files("#files", [str(record), str(receipt)])
    page.wait_for_function("() => document.getElementById('record').value")
    page.click("#check")
    page.wait_for_selector("[data-verdict=proven]", timeout=PATIENCE)
    assert "shuffles" in page.text_content("#found")
    page.click("#language")
    assert "証明されました" in page.text_content("#found")
    page.evaluate(
        "() => { const box = document.getElementById('record'); box.value = box.value.replace(/^p1: .*$/m, 'p1: pass') }"
    )
    page.click("#check")
    page.wait_for_selector("[data-verdict=broken]", timeout=PATIENCE)
    assert all(url.startswith(("file:", "blob:", "data:")) for url in requested), requested
    context.close()
