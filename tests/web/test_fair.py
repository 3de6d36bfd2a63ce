"""The end screen says in words whether the shuffles were fair: what the page was told before against what was opened."""

from __future__ import annotations

from typing import Any

from tests.web.browser import Site, Visit
from tests.web.test_stories import Friends, own_site

__all__ = ["own_site"]


def test_the_end_screen_checks_the_shuffles(chromium: Any, own_site: Site) -> None:
    friends = Friends(Visit(chromium, own_site, "desk"), Visit(chromium, own_site, "phone", "en-US"), own_site)
    friends.meet("lite+entry")
    host, guest = (visit.page for visit in friends.visits)
    host.evaluate("() => document.querySelector('dialog[aria-labelledby=menu-title]').showModal()")
    for _ in range(2):  # the second tap is the answer to "are you sure"
        host.click("dialog[open] .button.danger")
    for page, words in ((host, "シャッフルは公正でした"), (guest, "The shuffles were fair")):
        page.wait_for_selector("#end-title")
        check = page.wait_for_selector("[data-fair=good]", state="attached")
        assert words in (check.text_content() or "")
        marks = page.eval_on_selector_all("[data-fair] li", "items => items.map(item => item.textContent.trim()[0])")
        assert marks == ["✓", "✓", "✓"], "the secret, the own salt, the other one's"
        assert "--chain" in (page.text_content("[data-fair] code") or "")
    # A page that was told something else before the game says so.
    guest.evaluate(
        """() => {
          const kept = localStorage.getItem("blackpoker.fair");
          const other = `"commitment":"${"0".repeat(64)}"`;
          localStorage.setItem("blackpoker.fair", kept.replace(/"commitment":"[0-9a-f]{64}"/, other));
        }"""
    )
    guest.reload()
    bad = guest.wait_for_selector("[data-fair=bad]", state="attached")
    assert "✗" in (bad.text_content() or "")
    for visit in friends.visits:
        visit.context.close()
