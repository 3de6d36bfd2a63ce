"""Windows: who is asked at a decision and who is passed for, how long it takes at least, and whose clock runs.

A window in which somebody might answer is the same to everybody else whether or not he is asked: it opens, it lasts its
least time, and until its release nothing about it is told, no clock runs and nothing from outside happens. An answer
that comes earlier waits.
"""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom
from typing import Final, NamedTuple

from blackpoker.assist.autopass import Verdict
from blackpoker.errors import IllegalMove
from blackpoker.game import Game
from blackpoker.server.rooms.beats import hushed
from blackpoker.server.rooms.seats import AUDIENCES, GameEntry, MessageRefused, RoomSeat, Seats
from blackpoker.wire import protocol as p
from blackpoker.words.tokens import DONE_WORD

#: default least time of a window between people
WINDOW: Final = 1.2
#: a window may last longer by up to this share of its least time, at random: what little the server does differently
#: for an asked and for an automatic one drowns in it
BLUR: Final = 0.25
CHANCE: Final = SystemRandom()


#: the plan of whoever attacks with all that may
ALL: Final = "all"


class Planned(NamedTuple):
    """What was planned: the sentence it makes, whether a plan was used up, and why it could not be said."""

    options: list[int] | None
    used: bool
    refused: IllegalMove | None


class Windows:
    def __init__(self, settings: p.RoomSettings, seats: Seats, now: float) -> None:
        self.settings = settings
        self.seats = seats
        self.least: float = WINDOW if settings.opponent == "human" else 0.0  # least seconds of a window
        if settings.window_ms is not None:
            self.least = settings.window_ms / 1000
        self.opened: float = now
        self.release: float = now
        self.pending: GameEntry | None = None  # an answer that waits for the release
        self.verdict: Verdict | None = None  # somebody is asked
        self.deadline: float | None = None  # of a chance that is not one's own turn
        self.blur: Callable[[], float] = CHANCE.random
        self.decoy: float | None = None  # when a window in which nobody is asked is written as if he had answered

    def open(self, now: float, verdict: Verdict | None = None) -> None:
        self.opened = self.release = now
        self.decoy = None
        if self.least and verdict is not None and verdict.timed:
            self.release = now + self.least * (1 + BLUR * self.blur())
            if verdict.option is not None:
                self.decoy = now + self.least * (0.2 + 0.7 * self.blur())
                self.decoy += hushed(self.decoy)  # as an answer would be

    @property
    def silent(self) -> bool:
        """Whether a pass waits here that nobody has been told of."""
        return self.pending is not None

    def of_another(self, seat: int | None, player: int, now: float) -> bool:
        """Whether a window of somebody else is open."""
        return player >= 0 and seat != player and now < self.release

    def judge(self, seat: RoomSeat, game: Game | None) -> Verdict:
        """What happens at the present decision of this seat."""
        return Verdict(None, "choice", "") if game is None else game.automatic(seat.assist)

    def check_plan(self, place: int, game: Game | None, plan: list[str]) -> None:
        """Attackers picked in advance are soldiers of their player."""
        if game is None:
            return
        mine = {unit.place for unit in game.view(AUDIENCES[place]).side(place).soldiers}
        strange = [word for word in plan if word not in mine and plan != [ALL]]
        if strange:
            raise MessageRefused(
                "plan", f"you have no soldier {strange[0]}", f"{strange[0]}という自分の兵士はいません", "R-60"
            )

    def planned(self, seat: RoomSeat, game: Game | None, verdict: Verdict) -> Planned:
        """Attackers picked in advance, if they still can attack (R-60). They are meant for the attack that waits: once
        its player may begin something else they are forgotten."""
        if not seat.plan or game is None or (verdict.window != "main" and game.kind != "attackers"):
            return Planned(None, False, None)
        words, seat.plan = seat.plan, []
        if verdict.window == "main":
            return Planned(None, True, None)
        decision = game.decision
        assert decision is not None
        offered = [word for word in decision.words if word != DONE_WORD]
        try:
            return Planned(game.draft([*offered] if words == [ALL] else words, finish=True).options, True, None)
        except IllegalMove as error:
            return Planned(None, True, error)

    def ask(self, place: int, verdict: Verdict, now: float) -> None:
        """Somebody is asked. Until the release that is between him and us."""
        self.verdict = verdict
        self.deadline = None
        chance = self.settings.clock.chance
        if chance and self.seats.between_people and verdict.window not in ("main", "choice", "trigger"):
            self.deadline = self.release + chance
        if now >= self.release:
            self.start_clock(place, now)

    def start_clock(self, place: int, now: float) -> bool:
        """The window's least time is over, or there was none: from here on thinking costs time, and what each decision
        adds is added. Whether a clock runs at all."""
        if self.settings.clock.bank:
            self.seats[place].clock.start(now, self.settings.clock.each)
        return self.settings.clock.bank > 0

    def answered(self) -> None:
        """The decision is made."""
        self.verdict = None
        self.deadline = None

    def stop_clocks(self, now: float) -> tuple[float, float]:
        """What each bank has left."""
        first, second = self.seats.places
        if self.settings.clock.bank:  # else none has been started
            first.clock.stop(now)
            second.clock.stop(now)
        return first.clock.left, second.clock.left

    def out_of_time(self, now: float) -> int | None:
        """The seat whose bank is empty."""
        for place, end in self.banks():
            if now >= end:
                return place
        return None

    def banks(self) -> list[tuple[int, float]]:
        """When each bank that is being used up will be empty."""
        if not self.settings.clock.bank:
            return []
        ends = [(place, seat.clock.runs_out()) for place, seat in enumerate(self.seats)]
        return [(place, end) for place, end in ends if end is not None]

    def left_for_good(self, now: float) -> int | None:
        """A seat whose player has been away too long; nobody notices before a window is over."""
        for place, end in self.absences():
            if now >= end:
                return place
        return None

    def absences(self) -> list[tuple[int, float]]:
        first, second = self.seats.places
        if first.gone is None and second.gone is None:
            return []
        patience = self.seats.patience
        return [
            (place, max(seat.gone + patience, self.release))
            for place, seat in enumerate(self.seats)
            if seat.kind == "human" and seat.gone is not None
        ]

    def due(self, now: float, outside: bool) -> list[float]:
        """When something happens by itself."""
        times = [end for _, end in self.absences()]
        if self.settings.clock.bank:
            times += [end for _, end in self.banks()]
        if self.pending is not None or ((self.verdict is not None or outside) and now < self.release):
            times.append(self.release)
        if self.deadline is not None:
            times.append(self.deadline)
        if self.decoy is not None:
            times.append(self.decoy)
        return times
