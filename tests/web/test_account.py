"""An account from start to end in a real browser: a guest keeps its data, other devices sign in by passkey, recovery
code and link, a device is signed out remotely, the data is exported, and the account is deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Site, Visit

#: data of a guest before
GUEST_DATA = """() => {
  localStorage.setItem('blackpoker-puzzles', JSON.stringify({rating: 1444, solved: ['a'], tried: ['a']}));
  const kept = JSON.parse(localStorage.getItem('blackpoker') ?? '{}');
  kept.shelf = [{id: 'd1', name: 'Thunder', frame: 'constructed40', text: 'S5'}];
  kept.replays = [{id: 'r1', text: 'a game'}];
  localStorage.setItem('blackpoker', JSON.stringify(kept));
}"""
READ_DATA = """() => [JSON.parse(localStorage.getItem('blackpoker-puzzles') ?? '{}').rating,
  (JSON.parse(localStorage.getItem('blackpoker') ?? '{}').shelf ?? []).map(deck => deck.name),
  (JSON.parse(localStorage.getItem('blackpoker') ?? '{}').replays ?? []).length]"""


class NamedSite(Site):
    """The same server by its host name, because a passkey needs one."""

    def __init__(self, site: Site) -> None:
        self.url = site.url.replace("127.0.0.1", "localhost")
        self.folder = site.folder


class DeviceVisit(Visit):
    """A device with its own authenticator."""

    def __init__(
        self, browser: Any, site: Site, size: str, lang: str, keys: list[dict[str, Any]] | None = None
    ) -> None:
        super().__init__(browser, NamedSite(site), size, lang)
        self.cdp = self.context.new_cdp_session(self.page)
        self.cdp.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        self.authenticator = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
        for key in keys or []:
            self.cdp.send("WebAuthn.addCredential", {"authenticatorId": self.authenticator, "credential": key})

    @property
    def keys(self) -> list[dict[str, Any]]:
        found = self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})
        return list(found["credentials"])

    def good(self, name: str) -> None:
        """Check overflow, accessibility and errors."""
        self.shot(name)
        assert self.overflow() == [], name
        assert self.axe() == [], name
        assert self.problems == [], name


@pytest.mark.parametrize(("size", "lang", "name"), [("phone", "ja-JP", "宮本 千鶴"), ("desk", "en-US", "Chizuru")])
def test_an_account(chromium: Any, site: Site, size: str, lang: str, name: str, tmp_path: Path) -> None:
    visit = DeviceVisit(chromium, site, size, lang)
    visit.go("/me")
    visit.page.wait_for_selector("a[href='/account']")
    visit.page.evaluate(GUEST_DATA)
    visit.go("/me")
    visit.good(f"account-me-{lang}")
    visit.tap("a[href='/account']")
    visit.page.fill("[data-do=name]", name)
    visit.page.wait_for_selector("[data-do=make]:not([disabled])")
    visit.good(f"account-new-{lang}")
    visit.taps = 0
    visit.tap("[data-do=make]")
    code = visit.page.wait_for_selector("[data-code]").get_attribute("data-code")
    assert code.count("-") == 11
    visit.good(f"account-cards-{lang}")
    visit.page.check("[data-do=safe]")
    visit.tap("[data-do=done]")
    assert visit.taps == 2
    visit.page.wait_for_selector("[data-device=here]")
    assert len(visit.keys) == 1
    assert visit.page.evaluate(READ_DATA) == [1444, ["Thunder"], 1]
    visit.good(f"account-mine-{lang}")

    by_key = DeviceVisit(chromium, site, size, lang, visit.keys)
    by_key.go("/account/in")
    by_key.page.wait_for_selector("[data-do=passkey]")
    by_key.good(f"account-in-{lang}")
    by_key.tap("[data-do=passkey]")
    by_key.page.wait_for_selector("[data-device=here]")
    by_key.page.wait_for_load_state("networkidle")
    assert by_key.page.evaluate(READ_DATA) == [1444, ["Thunder"], 1], "decks, puzzles and games are there too"

    other_lang = "en-US" if lang == "ja-JP" else "ja-JP"
    by_code = DeviceVisit(chromium, site, size, other_lang)
    by_code.go("/account/in")
    by_code.page.fill("[data-do=name]", name)
    by_code.page.fill("[data-do=cards]", "S2 " * 12)
    by_code.forgive = True
    by_code.tap("[data-do=by-code]")
    by_code.page.wait_for_selector("[role=alert]:not(:empty)")
    by_code.forgive = False
    by_code.page.fill("[data-do=cards]", code.lower().replace("-", " "))
    by_code.tap("[data-do=by-code]")
    by_code.page.wait_for_selector("[data-device=here]")
    by_code.page.wait_for_load_state("networkidle")
    by_code.go("/me")
    by_code.page.wait_for_load_state("networkidle")
    assert by_code.page.evaluate(READ_DATA) == [1444, ["Thunder"], 1]
    assert by_code.page.evaluate("() => document.documentElement.lang") == other_lang[:2], "the device's own language"

    visit.go("/account")
    visit.tap("[data-do=add-device]")
    link = visit.page.wait_for_selector("[data-do=link]").input_value()
    visit.good(f"account-link-{lang}")
    by_link = DeviceVisit(chromium, site, size, lang)
    by_link.page.goto(link)
    by_link.page.wait_for_selector("[data-do=follow]")
    assert name in by_link.page.inner_text("main")
    assert "#" not in by_link.page.url
    by_link.good(f"account-follow-{lang}")
    by_link.tap("[data-do=follow]")
    by_link.page.wait_for_selector("[data-device=here]")

    visit.go("/account")
    visit.page.wait_for_selector("[data-device]")
    assert visit.page.locator("[data-device]").count() == 4
    for left in (3, 2, 1):
        visit.tap("[data-do=out]")
        visit.page.wait_for_function(f"() => document.querySelectorAll('[data-device]').length === {left}")
    for other in (by_key, by_code, by_link):
        other.go("/me")
        other.page.wait_for_selector("a[href='/account/in']")  # a guest again
        assert other.problems == []
        other.context.close()

    with visit.page.expect_download() as download:
        visit.tap("[data-do=export]")
    download.value.save_as(tmp_path / "mine.json")
    mine = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert mine["account"]["name"] == name
    assert mine["kept"]["data"]["blackpoker-puzzles"]["rating"] == 1444
    visit.tap("[data-do=delete]")
    visit.page.fill("[data-do=confirm]", name)
    visit.good(f"account-delete-{lang}")
    visit.tap("[data-do=delete-now]")
    visit.page.wait_for_selector("a[href='/account/in']")
    assert visit.page.evaluate(READ_DATA) == [1444, ["Thunder"], 1], "what is on the device is the device's"
    visit.context.close()
