"""Response windows: prompts and automatic passes at a decision, the least duration of both, and the running clock.

A window in which a player might answer looks the same to all others whether or not the player is asked. It lasts its
least time; until its release nothing about it is sent, no clock runs and no event from outside is applied. An earlier
answer waits.
"""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom
from typing import Final, NamedTuple

from blackpoker.assist.autopass import PassDecision
from blackpoker.errors import IllegalMove
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.notation.options import DONE_TOKEN
from blackpoker.protocol import messages as p
from blackpoker.server.rooms.seats import AUDIENCES, GameEntry, MessageRefused, RoomSeat, Seats
from blackpoker.server.rooms.timing import quiet_delay

#: default least seconds of a window between people
DEFAULT_WINDOW: Final = 1.2
#: random extension of a window, as a share of its least time; hides small timing differences between asked and
#: automatic windows
MAX_EXTENSION: Final = 0.25
SYSTEM_RANDOM: Final = SystemRandom()


#: plan that attacks with all soldiers that may
ATTACK_WITH_ALL: Final = "all"


class PlannedAttack(NamedTuple):
    """A plan's result: its options, whether a plan was used up, and the error if it was not possible."""

    options: list[int] | None
    used: bool
    error: IllegalMove | None


class ResponseWindow:
    def __init__(self, settings: p.RoomSettings, seats: Seats, now: float) -> None:
        self.settings = settings
        self.seats = seats
        self.min_seconds: float = DEFAULT_WINDOW if settings.opponent == "human" else 0.0  # least seconds of a window
        if settings.window_ms is not None:
            self.min_seconds = settings.window_ms / 1000
        self.opened_at: float = now
        self.release_at: float = now
        self.pending_move: GameEntry | None = None  # an answer that waits for the release
        self.verdict: PassDecision | None = None  # set while a player is asked
        self.deadline: float | None = None  # for a chance outside the own turn
        self.random: Callable[[], float] = SYSTEM_RANDOM.random
        self.decoy_write_at: float | None = None  # time at which an unasked window is written as if answered

    def open_window(self, now: float, verdict: PassDecision | None = None) -> None:
        self.opened_at = self.release_at = now
        self.decoy_write_at = None
        if self.min_seconds and verdict is not None and verdict.timed:
            self.release_at = now + self.min_seconds * (1 + MAX_EXTENSION * self.random())
            if verdict.option is not None:
                self.decoy_write_at = now + self.min_seconds * (0.2 + 0.7 * self.random())
                self.decoy_write_at += quiet_delay(self.decoy_write_at)  # as for a real answer

    @property
    def has_hidden_pass(self) -> bool:
        """True if an automatic pass waits here that no client has been notified of."""
        return self.pending_move is not None

    def is_open_for_other(self, seat: int | None, player: int, now: float) -> bool:
        """Return True if another seat's window is open."""
        return player >= 0 and seat != player and now < self.release_at

    def decide(self, seat: RoomSeat, game: Game | None) -> PassDecision:
        """Return the verdict for the present decision of this seat: a prompt or an automatic pass."""
        return PassDecision(None, "choice", "") if game is None else Assistant(game).automatic(seat.assist)

    def check_plan(self, player: int, game: Game | None, plan: list[str]) -> None:
        """Raise `MessageRefused` unless all planned attackers are the player's own soldiers."""
        if game is None:
            return
        own_soldiers = {unit.name for unit in game.view(AUDIENCES[player]).side(player).soldiers}
        unknown = [word for word in plan if word not in own_soldiers and plan != [ATTACK_WITH_ALL]]
        if unknown:
            raise MessageRefused(
                "plan", f"you have no soldier {unknown[0]}", f"{unknown[0]}という自分の兵士はいません", "R-60"
            )

    def take_plan(self, seat: RoomSeat, game: Game | None, verdict: PassDecision) -> PlannedAttack:
        """Return the planned attack if it is still possible (R-60). A plan applies to the attack it was made for; it is
        dropped once its player may begin something else."""
        if not seat.plan or game is None or (verdict.window != "main" and Assistant(game).kind != "attackers"):
            return PlannedAttack(None, False, None)
        tokens, seat.plan = seat.plan, []
        if verdict.window == "main":
            return PlannedAttack(None, True, None)
        decision = game.decision
        assert decision is not None
        offered = [word for word in decision.words if word != DONE_TOKEN]
        try:
            return PlannedAttack(
                game.draft([*offered] if tokens == [ATTACK_WITH_ALL] else tokens, finish=True).options, True, None
            )
        except IllegalMove as error:
            return PlannedAttack(None, True, error)

    def set_prompt(self, player: int, verdict: PassDecision, now: float) -> None:
        """Set the prompt of a seat and its deadline. Until the release no other client may notice it."""
        self.verdict = verdict
        self.deadline = None
        chance = self.settings.clock.chance
        if chance and self.seats.between_people and verdict.window not in ("main", "choice", "trigger"):
            self.deadline = self.release_at + chance
        if now >= self.release_at:
            self.start_clock(player, now)

    def start_clock(self, player: int, now: float) -> bool:
        """Start the clock of a seat and add the increment; the least time is over or there was none. Return True if
        clocks are used."""
        if self.settings.clock.bank:
            self.seats[player].clock.start(now, self.settings.clock.each)
        return self.settings.clock.bank > 0

    def clear_prompt(self) -> None:
        """Clear the prompt: the decision is made."""
        self.verdict = None
        self.deadline = None

    def stop_clocks(self, now: float) -> tuple[float, float]:
        """Stop both clocks and return what each bank has left."""
        first, second = self.seats.seats
        if self.settings.clock.bank:  # otherwise no clock runs
            first.clock.stop(now)
            second.clock.stop(now)
        return first.clock.remaining, second.clock.remaining

    def seat_out_of_time(self, now: float) -> int | None:
        """Return a seat with an empty bank, or None."""
        for player, end in self.bank_ends():
            if now >= end:
                return player
        return None

    def bank_ends(self) -> list[tuple[int, float]]:
        """Return the time at which each running bank will be empty."""
        if not self.settings.clock.bank:
            return []
        ends = [(player, seat.clock.empty_at()) for player, seat in enumerate(self.seats)]
        return [(player, end) for player, end in ends if end is not None]

    def abandoned_seat(self, now: float) -> int | None:
        """Return a seat with a player away too long, or None; never before the window ends."""
        for player, end in self.absence_ends():
            if now >= end:
                return player
        return None

    def absence_ends(self) -> list[tuple[int, float]]:
        first, second = self.seats.seats
        if first.absent_since is None and second.absent_since is None:
            return []
        patience = self.seats.abandon_after
        return [
            (player, max(seat.absent_since + patience, self.release_at))
            for player, seat in enumerate(self.seats)
            if seat.kind == "human" and seat.absent_since is not None
        ]

    def due(self, now: float, outside: bool) -> list[float]:
        """Return the times at which something happens without a message."""
        times = [end for _, end in self.absence_ends()]
        if self.settings.clock.bank:
            times += [end for _, end in self.bank_ends()]
        if self.pending_move is not None or ((self.verdict is not None or outside) and now < self.release_at):
            times.append(self.release_at)
        if self.deadline is not None:
            times.append(self.deadline)
        if self.decoy_write_at is not None:
            times.append(self.decoy_write_at)
        return times
