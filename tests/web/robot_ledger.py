"""Coverage of the robot, stored in a file so that several runs add up, and every difference it has found."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from blackpoker.ruleset import standard_edition
from tests.web.tap_scripts import Script, actions, all_kinds

RESULTS_FILE: Final = Path(__file__).resolve().parents[2] / "build" / "robot.json"


@cache
def raised() -> frozenset[str]:
    """Return the actions that only the rules raise."""
    return frozenset(action.id for action in standard_edition().actions if not action.direct)


def goals() -> set[str]:
    """Return the goals: every action composed or, if only raised, resolved; every kind of decision."""
    return {f"action:{name}" for name in actions()} | {f"kind:{name}" for name in all_kinds()}


def offers(script: Script) -> set[str]:
    """Return the goals that a script would cover."""
    played = {f"action:{played.words[0].removesuffix('@')}" for played in script.moves if played.kind == "chance"}
    others = {f"action:{name}" for name in raised()}
    return (played | {one for one in script.performs if one in others or one.startswith("kind:")}) & goals()


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
        return sorted(goals() - set(self.met))

    def save(self, path: Path = RESULTS_FILE) -> None:
        path.parent.mkdir(exist_ok=True)
        new = path.with_suffix(".new")
        data = vars(self) | {"faults": [vars(fault) for fault in self.faults]}
        new.write_text(json.dumps(data, indent=1), encoding="utf-8")
        new.replace(path)

    @staticmethod
    def load(path: Path = RESULTS_FILE) -> Ledger:
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
        done = {name for name in self.met if name in goals()}
        return "\n".join(
            (
                f"{self.acts} acts in {self.rooms} rooms, {self.cuts} lines cut, {self.seconds / 60:.1f} minutes, "
                f"{len(self.faults)} differences",
                *(f"  {group}: {', '.join(found)}" for group, found in sorted(groups.items())),
                f"  actions: {sum(name.startswith('action:') for name in done)} of {len(actions())}, "
                f"kinds of decisions: {sum(name.startswith('kind:') for name in done)} of {len(all_kinds())}; "
                f"missing: {' '.join(self.missing) or 'nothing'}",
                *(f"  ✗ {fault}" for fault in self.faults[-20:]),
            )
        )
