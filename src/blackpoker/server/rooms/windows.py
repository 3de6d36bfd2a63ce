"""Response windows: prompts and automatic passes at a decision, the least duration of both, and the running clock.

A window in which a player might answer looks the same to all others whether or not the player is asked. It lasts its
least time; until its release nothing about it is sent, no clock runs and no event from outside is applied. An earlier
answer waits.
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

#: default least seconds of a window between people
WINDOW: Final = 1.2
#: random extension of a window, as a share of its least time; hides small timing differences between asked and
#: automatic windows
BLUR: Final = 0.25
CHANCE: Final = SystemRandom()


#: plan that attacks with all soldiers that may
ALL: Final = "all"


class Planned(NamedTuple):
    """A plan's result: its options, whether a plan was used up, and the error if it was not possible."""

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
        self.verdict: Verdict | None = None  # set while a player is asked
        self.deadline: float | None = None  # for a chance outside the own turn
        self.blur: Callable[[], float] = CHANCE.random
        self.decoy: float | None = None  # time at which an unasked window is written as if answered

    def open(self, now: float, verdict: Verdict | None = None) -> None:
        self.opened = self.release = now
        self.decoy = None
        if self.least and verdict is not None and verdict.timed:
            self.release = now + self.least * (1 + BLUR * self.blur())
            if verdict.option is not None:
                self.decoy = now + self.least * (0.2 + 0.7 * self.blur())
                self.decoy += hushed(self.decoy)  # as for a real answer

    @property
    def silent(self) -> bool:
        """True if an automatic pass waits here that no client has been notified of."""
        return self.pending is not None

    def of_another(self, seat: int | None, player: int, now: float) -> bool:
        """Return True if another seat's window is open."""
        return player >= 0 and seat != player and now < self.release

    def judge(self, seat: RoomSeat, game: Game | None) -> Verdict:
        """Return the verdict for the present decision of this seat: a prompt or an automatic pass."""
        return Verdict(None, "choice", "") if game is None else game.automatic(seat.assist)

    def check_plan(self, place: int, game: Game | None, plan: list[str]) -> None:
        """Raise `MessageRefused` unless all planned attackers are the player's own soldiers."""
        if game is None:
            return
        mine = {unit.place for unit in game.view(AUDIENCES[place]).side(place).soldiers}
        strange = [word for word in plan if word not in mine and plan != [ALL]]
        if strange:
            raise MessageRefused(
                "plan", f"you have no soldier {strange[0]}", f"{strange[0]}という自分の兵士はいません", "R-60"
            )

    def planned(self, seat: RoomSeat, game: Game | None, verdict: Verdict) -> Planned:
        """Return the planned attack if it is still possible (R-60). A plan applies to the attack it was made for; it is
        dropped once its player may begin something else."""
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
        """Set the prompt of a seat and its deadline. Until the release no other client may notice it."""
        self.verdict = verdict
        self.deadline = None
        chance = self.settings.clock.chance
        if chance and self.seats.between_people and verdict.window not in ("main", "choice", "trigger"):
            self.deadline = self.release + chance
        if now >= self.release:
            self.start_clock(place, now)

    def start_clock(self, place: int, now: float) -> bool:
        """Start the clock of a seat and add the increment; the least time is over or there was none. Return True if
        clocks are used."""
        if self.settings.clock.bank:
            self.seats[place].clock.start(now, self.settings.clock.each)
        return self.settings.clock.bank > 0

    def answered(self) -> None:
        """Clear the prompt: the decision is made."""
        self.verdict = None
        self.deadline = None

    def stop_clocks(self, now: float) -> tuple[float, float]:
        """Stop both clocks and return what each bank has left."""
        first, second = self.seats.places
        if self.settings.clock.bank:  # otherwise no clock runs
            first.clock.stop(now)
            second.clock.stop(now)
        return first.clock.left, second.clock.left

    def out_of_time(self, now: float) -> int | None:
        """Return a seat with an empty bank, or None."""
        for place, end in self.banks():
            if now >= end:
                return place
        return None

    def banks(self) -> list[tuple[int, float]]:
        """Return the time at which each running bank will be empty."""
        if not self.settings.clock.bank:
            return []
        ends = [(place, seat.clock.runs_out()) for place, seat in enumerate(self.seats)]
        return [(place, end) for place, end in ends if end is not None]

    def left_for_good(self, now: float) -> int | None:
        """Return a seat with a player away too long, or None; never before the window ends."""
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
        """Return the times at which something happens without a message."""
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
