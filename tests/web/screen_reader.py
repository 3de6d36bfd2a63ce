"""A screen reader over the browser's accessibility tree: names and roles, live-region announcements, and keys.

It never looks at the picture or at the page's own attributes.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from tests.web.browser import ROOT, Visit

PAGE: Final = ROOT / "web" / "src" / "i18n"
#: init script: collect the text of every live region that changes, as the browser reports it to a screen reader
LISTEN: Final = """(() => {
  window.announcements = [];
  const LIVE = {status: 'polite', alert: 'assertive', log: 'polite'};
  const regionOf = node => {
    for (let e = node.nodeType === 1 ? node : node.parentElement; e; e = e.parentElement) {
      const live = e.getAttribute('aria-live') ?? LIVE[e.getAttribute('role')];
      if (live) return live === 'off' ? null : [e, live];
    }
    return null;
  };
  const collect = changes => {
    const changed = new Map();
    for (const change of changes) {
      if (change.type === 'childList' && !change.addedNodes.length) continue;
      const nodes = change.type === 'childList' ? change.addedNodes : [change.target];
      for (const node of nodes) {
        const found = regionOf(node);
        if (!found || found[0].closest('[aria-hidden=true], [inert]') || !found[0].checkVisibility()) continue;
        const [region, live] = found;
        const whole = region.getAttribute('aria-atomic') === 'true' || region.getAttribute('role') === 'status' || region.getAttribute('role') === 'alert';
        const said = (whole ? region : node).textContent.trim().replace(/\\s+/g, ' ');
        if (said) changed.set(whole ? region : node, [live, said]);
      }
    }
    window.announcements.push(...changed.values());
  };
  const watch = () => new MutationObserver(collect).observe(document, {childList: true, subtree: true, characterData: true});
  watch();
})()"""
#: roles of elements that the focus can reach
CONTROLS: Final = frozenset(
    ("button", "link", "radio", "checkbox", "switch", "textbox", "combobox", "slider", "tab", "option", "searchbox")
)


@cache
def words(lang: str, screen: str = "shared") -> dict[str, str]:
    """Return the page's texts: the words of the interface, which a player has learnt."""
    found: dict[str, str] = json.loads((PAGE / lang / f"{screen}.json").read_text(encoding="utf-8"))
    return found


def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for a text of the page with values in the place of its fields."""
    parts = re.split(r"\{\d\}|(\[\w*\|\w*\])", text)
    return re.compile("(.+?)".join(re.escape(part) for part in parts if part is not None) + "$")


@dataclass
class Node:
    """A node of the accessibility tree."""

    role: str
    name: str
    states: dict[str, Any]
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.walk()

    def all(self, *roles: str) -> list[Node]:
        return [one for one in self.walk() if one.role in roles]

    def find(self, role: str, name: str) -> Node | None:
        """Return the first node with this role and a name that begins so."""
        return next((one for one in self.walk() if one.role == role and one.name.startswith(name)), None)

    def text(self) -> str:
        """Return the words that are read from it."""
        if self.name and self.role in (*CONTROLS, "StaticText", "image"):
            return self.name
        return " ".join(filter(None, (child.text() for child in self.children)))

    @property
    def disabled(self) -> bool:
        return bool(self.states.get("disabled"))

    @property
    def pressed(self) -> bool:
        return self.states.get("pressed") in (True, "true")

    def within(self) -> list[Node]:
        """Return the regions and groups around it, the closest first."""
        out, one = [], self.parent
        while one is not None:
            out.append(one)
            one = one.parent
        return out


class ScreenReader:
    """Reads a page and presses keys."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.page = visit.page
        self.cdp = visit.context.new_cdp_session(visit.page)
        self.cdp.send("Accessibility.enable")
        visit.context.add_init_script(LISTEN)
        self.keys = 0
        self.heard: list[tuple[str, str]] = []

    def tree(self) -> Node:
        """Return the accessibility tree without ignored nodes."""
        raw = self.cdp.send("Accessibility.getFullAXTree")["nodes"]
        made: dict[str, Node] = {}
        for one in raw:
            states = {state["name"]: state["value"].get("value") for state in one.get("properties", [])}
            states["ignored"] = one.get("ignored", False)
            states["value"] = one.get("value", {}).get("value", "")
            made[one["nodeId"]] = Node(
                one.get("role", {}).get("value", ""), " ".join(one.get("name", {}).get("value", "").split()), states
            )
        for one in raw:
            node = made[one["nodeId"]]
            for child in one.get("childIds", []):
                if child in made:
                    made[child].parent = node
                    node.children.append(made[child])
        return made[raw[0]["nodeId"]]

    def focused(self) -> Node | None:
        found = [one for one in self.tree().walk() if one.states.get("focused") and one.role != "RootWebArea"]
        return found[-1] if found else None

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def announcements(self) -> list[tuple[str, str]]:
        """Return what was announced since the last call: politeness and text."""
        found: list[list[str]] = self.page.evaluate("() => (window.announcements ?? []).splice(0)")
        new = [(live, text) for live, text in found]
        self.heard += new
        return new

    def read_situation(self, key: str) -> str:
        """Press a key and return what is announced in response."""
        self.announcements()
        self.press(key)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            found = self.announcements()
            if found:
                return found[-1][1]
            self.page.wait_for_timeout(5)
        return ""

    def tab_to(self, name: str, role: str = "", most: int = 150) -> Node:
        """Press Tab until an element with this name has the focus."""
        read = []
        for _ in range(most):
            now = self.focused()
            if now and now.name.startswith(name) and (not role or now.role == role):
                return now
            read.append(now.name if now else "")
            self.press("Tab")
        raise AssertionError(f"Tab does not reach {name!r}: {read[:60]}")

    def choose_radio(self, group: str, name: str) -> None:
        """Go to a group of radio buttons and move to the one with this name."""
        for _ in range(120):
            now = self.focused()
            if now and now.role == "radio" and any(one.name.startswith(group) for one in now.within()):
                break
            self.press("Tab")
        else:
            raise AssertionError(f"Tab does not reach the group {group!r}")
        for _ in range(30):
            now = self.focused()
            if now and now.name.startswith(name):
                if now.states.get("checked") not in (True, "true"):
                    self.press("Space")
                return
            self.press("ArrowRight")
        raise AssertionError(f"no {name!r} in {group!r}")
