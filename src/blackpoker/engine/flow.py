"""The core flow [1]-[15] and the trigger check [6-1]…: an interruptible turn game without cards.

The flow is a register machine: ``point`` is the position in RULINGS 1.5 (Fig 2.6), ``active`` the request taking
effect, ``check_speed``/``check_player`` the progress of a trigger check. Everything is plain data, so a game can be
copied or saved at every decision. The effect of a request is left to the hooks.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.request import Request

# Points of the flow.
SETUP: Final = 0  # [1]
CHANCE: Final = 1  # [3]
FIRST_CHECK: Final = 2  # [6] after [5]
RESOLVE_NOW: Final = 3  # [8] of an immediate request
SECOND_CHECK: Final = 4  # [6] after [8] or [10]
RESOLVE_TOP: Final = 5  # [8] after [14]
LAST_CHECK: Final = 6  # [6] before [2]
OVER: Final = 7

# Speeds of a trigger check.
IMMEDIATE: Final = 0
NORMAL: Final = 1

UNDECIDED: Final = -1
DRAW: Final = 2

# Kinds of decisions of the player ``asked``. The flow itself uses CHANCE_KIND and TRIGGER_KIND only.
NOTHING: Final = 0
CHANCE_KIND: Final = 1
TRIGGER_KIND: Final = 2

PASS: Final = 0  # option of a chance; action a has option a + 1


#: as in ``request``
STORAGE: Final = {
    "Flow": {
        "turn": "u8",
        "chance": "u8",
        "passed": "u8",
        "stall": "bool",
        "forced_pass": "i8",
        "turn_number": "i16",
        "winner": "i8",
        "point": "u8",
        "current": "Request",
        "active": "Request",
        "check_speed": "u8",
        "check_player": "u8",
        "next_id": "i32",
        "asked": "i8",
        "kind": "u8",
        "stage": "16 Request",
        "buffer": "16 Request",
        "options": "112 u8",
    },
}


class Flow:
    """The state of the flow and its loop (R-01)."""

    __slots__ = (
        "active",
        "asked",
        "buffer",
        "chance",
        "check_player",
        "check_speed",
        "current",
        "forced_pass",
        "kind",
        "next_id",
        "options",
        "passed",
        "point",
        "stage",
        "stall",
        "turn",
        "turn_number",
        "winner",
    )

    def __init__(self) -> None:
        self.turn: i64 = 0
        self.chance: i64 = 0
        self.passed: i64 = 0  # bit per player
        self.stall: bool = False
        self.forced_pass: i64 = -1
        self.turn_number: i64 = 1
        self.winner: i64 = UNDECIDED
        self.point: i64 = SETUP
        self.current: Request | None = None  # requested, not yet resolved or staged
        self.active: Request | None = None  # taking effect
        self.check_speed: i64 = IMMEDIATE
        self.check_player: i64 = 0
        self.next_id: i64 = 1
        self.asked: i64 = -1
        self.kind: i64 = NOTHING
        self.stage: list[Request] = []
        self.buffer: list[Request] = []
        self.options: list[int] = []

    # -- hooks ---------------------------------------------------------------------------------------------------

    def prepare(self) -> bool:
        """[1] Set the game up; return False while a player must choose first."""
        raise NotImplementedError

    def list_requests(self) -> None:
        """[3] Fill ``options`` with the possible requests of the chance holder."""
        raise NotImplementedError

    def begin(self, request: Request) -> None:
        """[8] Start resolving."""
        raise NotImplementedError

    def work(self) -> bool:
        """[8] Continue resolving ``active``; return False while a player must choose first."""
        raise NotImplementedError

    def judge(self) -> None:
        """[9] Set ``winner`` if the game is decided."""
        raise NotImplementedError

    def staged(self, request: Request) -> None:
        """[10] Called when a player's request was put onto the stage."""
        raise NotImplementedError

    def skips_first_check(self, request: Request) -> bool:
        """Return whether the request skips the first trigger check (R-23)."""
        raise NotImplementedError

    # -- the loop ------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Run to the next decision or to the end of the game."""
        while True:
            active = self.active
            point = self.point
            if active is not None:
                if not self.work():
                    return
                self.active = None
                self.judge()  # [9], [6-5-4]
                if self.winner != UNDECIDED:
                    self.finish()
                    return
                if point == RESOLVE_NOW:
                    self.begin_check(SECOND_CHECK)
                elif point == RESOLVE_TOP:
                    self.begin_check(LAST_CHECK)
                if not self.buffer:
                    self.end_check()
            elif point == CHANCE:
                if self.forced_pass >= 0 and self.forced_pass == self.chance:
                    self.forced_pass = -1
                    self.record_pass()
                else:
                    self.asked = self.chance
                    self.kind = CHANCE_KIND
                    self.list_requests()
                    return
            elif point == SETUP:
                if not self.prepare():
                    return
                if self.winner != UNDECIDED:
                    self.finish()
                    return
                self.point = CHANCE
                self.chance = self.turn  # [2]
                self.passed = 0
            elif point == OVER:
                return
            else:
                if self.buffer:
                    if not self.check():
                        return
                else:
                    self.end_check()

    def finish(self) -> None:
        self.point = OVER
        self.asked = -1
        self.kind = NOTHING
        self.options = []

    def request(self, request: Request) -> None:
        """[4] [5] Enter a player's request, paid and complete, into the flow."""
        self.passed = 0
        self.stall = False
        self.current = request
        if not self.buffer or self.skips_first_check(request):
            self.after_first_check()
        else:
            self.begin_check(FIRST_CHECK)

    def record_pass(self) -> None:
        """Record a pass of the chance holder [11]-[15]."""
        self.passed |= 1 if self.chance == 0 else 2
        if self.passed != 3:
            self.chance = 1 - self.chance  # [15]
        elif self.stage:
            request = self.stage.pop()  # [14]
            self.point = RESOLVE_TOP
            self.active = request
            self.begin(request)
        else:
            self.chance = self.turn
            self.passed = 0
            self.stall = True

    # -- trigger check -------------------------------------------------------------------------------------------

    def begin_check(self, point: i64) -> None:
        self.point = point
        self.check_speed = IMMEDIATE
        self.check_player = self.turn

    def end_check(self) -> None:
        if self.point == FIRST_CHECK:
            self.after_first_check()
        elif self.point == SECOND_CHECK:
            self.point = CHANCE  # chance stays
        else:
            self.chance = self.turn  # [2]
            self.passed = 0
            self.point = CHANCE

    def after_first_check(self) -> None:
        request = self.current
        assert request is not None
        self.current = None
        if request.immediate:  # [7]
            self.point = RESOLVE_NOW
            self.active = request
            self.begin(request)
        else:
            self.stage.append(request)  # [10]
            self.staged(request)
            if self.buffer:
                self.begin_check(SECOND_CHECK)
            else:
                self.point = CHANCE

    def check(self) -> bool:
        """Take the next triggered request (R-20); return False while a player must choose it."""
        speed = self.check_speed
        player = self.check_player
        if not self.waiting(speed, player):
            if player == self.turn and self.waiting(speed, 1 - player):
                self.check_player = 1 - player
            elif player != self.turn and self.waiting(speed, 1 - player):
                self.check_player = self.turn
            else:
                self.check_speed = NORMAL if speed == IMMEDIATE else IMMEDIATE
                self.check_player = self.turn
            return True
        options = self.waiting_options(speed, player)
        if len(options) > 1:
            self.asked = player
            self.kind = TRIGGER_KIND
            self.options = options
            return False
        self.take_trigger(options[0])
        return True

    def waiting(self, speed: i64, player: i64) -> bool:
        immediate = speed == IMMEDIATE
        for request in self.buffer:
            if request.controller == player and request.immediate == immediate:
                return True
        return False

    def waiting_options(self, speed: i64, player: i64) -> list[int]:
        """Return the buffer indices the player may take next: main requests before quick ones, equal ones once."""
        immediate = speed == IMMEDIATE
        main: list[int] = []
        quick: list[int] = []
        index = 0
        for request in self.buffer:
            if request.controller == player and request.immediate == immediate:
                known = main if request.main else quick
                again = False
                for other in known:
                    if self.buffer[other].same_as(request):
                        again = True
                if not again:
                    known.append(index)
            index += 1
        return main if main else quick

    def take_trigger(self, index: int) -> None:
        request = self.buffer.pop(index)
        if request.immediate:
            self.active = request
            self.begin(request)
        elif not request.main or not self.stage:
            self.stage.append(request)
            self.triggered(request)
            if request.passes:
                self.forced_pass = request.controller
        else:  # [6-10-6]; not reached in the standard edition
            self.dropped(request)

    def triggered(self, request: Request) -> None:
        """[6-10-5] [6-10-7] Called when a triggered request was put onto the stage."""

    def dropped(self, request: Request) -> None:
        """[6-10-6] Called when a triggered main request met a stage that was not empty."""
