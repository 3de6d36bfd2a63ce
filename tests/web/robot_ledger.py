"""Coverage of the robot, stored in a file so that several runs add up, and every difference it has found."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from blackpoker.ruleset import editions
from tests.web.tap_scripts import STANDARD, Script, actions, all_kinds

BUILD: Final = Path(__file__).resolve().parents[2] / "build"


def results_file(edition: str) -> Path:
    return BUILD / f"robot-{edition}.json"


@cache
def raised(edition: str) -> frozenset[str]:
    """Return the actions of an edition that only the rules raise."""
    return frozenset(action.id for action in editions()[edition].actions if not action.direct)


@cache
def goals(edition: str) -> frozenset[str]:
    """Return the goals: every action composed or, if only raised, resolved; every kind of decision."""
    kinds = {f"kind:{name}" for name in all_kinds()} if edition == STANDARD else set()
    return frozenset({f"action:{name}" for name in actions(edition)} | kinds)


def offers(script: Script, edition: str) -> frozenset[str]:
    """Return the goals that a script would cover."""
    played = {f"action:{played.words[0].removesuffix('@')}" for played in script.moves if played.kind == "chance"}
    others = {f"action:{name}" for name in raised(edition)}
    met = played | {one for one in script.performs if one in others or one.startswith("kind:")}
    return goals(edition).intersection(met)


@dataclass
class Fault:
    """A difference between shown, sent and done, with everything needed to reproduce it (``--again``)."""

    what: str
    deal: str
    position: str = ""
    words: list[str] = field(default_factory=list)
    style: str = ""
    #: settings of the table: mode, delay, double, both, sizes
    line: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.deal} {self.line} {' '.join(self.words)!r} {self.style}: {self.what[:1200]}"


@dataclass
class Ledger:
    edition: str = STANDARD
    acts: int = 0
    rooms: int = 0
    cuts: int = 0
    seconds: float = 0.0
    #: ``action:kill`` composed and played, or resolved if the rules raise it; ``kind:target`` answered
    met: Counter[str] = field(default_factory=Counter)
    #: moves by ``delay 300``, ``format lite``, ``frame entry``, ``hand card``, ``at phone en``, ``mode full`` …
    acts_by: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        return sorted(goals(self.edition) - set(self.met))

    def save(self) -> None:
        path = results_file(self.edition)
        path.parent.mkdir(exist_ok=True)
        new = path.with_suffix(".new")
        data = vars(self) | {"faults": [vars(fault) for fault in self.faults]}
        new.write_text(json.dumps(data, indent=1), encoding="utf-8")
        new.replace(path)

    @staticmethod
    def load(edition: str) -> Ledger:
        """Return the stored results of an edition, or empty ones."""
        path = results_file(edition)
        if not path.exists():
            return Ledger(edition)
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for name in ("met", "acts_by"):
            found[name] = Counter(found[name])
        found["faults"] = [Fault(**fault) for fault in found["faults"]]
        return Ledger(**found)

    def __str__(self) -> str:
        groups: dict[str, list[str]] = {}
        for name, count in sorted(self.acts_by.items(), key=lambda one: -one[1]):
            group, _, rest = name.partition(" ")
            groups.setdefault(group, []).append(f"{rest} {count}")
        done = goals(self.edition).intersection(self.met)
        return "\n".join(
            (
                f"{self.acts} acts in {self.rooms} rooms, {self.cuts} lines cut, {self.seconds / 60:.1f} minutes, "
                f"{len(self.faults)} differences",
                *(f"  {group}: {', '.join(found)}" for group, found in sorted(groups.items())),
                f"  actions: {sum(name.startswith('action:') for name in done)} of {len(actions(self.edition))}, "
                f"kinds of decisions: {sum(name.startswith('kind:') for name in done)} of "
                f"{sum(name.startswith('kind:') for name in goals(self.edition))}; "
                f"missing: {' '.join(self.missing) or 'nothing'}",
                *(f"  ✗ {fault}" for fault in self.faults[-20:]),
            )
        )
