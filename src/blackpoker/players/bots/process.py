"""The process of a bot: started under its supervisor, with line-based messages, stopped with all its descendants.

Bots are reused: a process that has finished a game serves the next. When this process exits they are asked to quit; if
it is killed, their supervisor notices the closed socket.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Final

import msgspec

from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.errors import Fault
from blackpoker.wire import bots as w
from blackpoker.wire import protocol as p

LEASH: Final = str(Path(__file__).with_name("leash.py"))
#: limits in bytes of a line, and of the retained standard error
MOST_LINE: Final = 1_000_000
MOST_ERRORS: Final = 4_000
CHUNK: Final = 65_536
#: seconds a bot has to exit after ``quit``; seconds its supervisor has to report the end
LEAVE: Final = 0.5
TELL: Final = 6.0

#: seconds of polling before blocking; other processes may run meanwhile
MOMENT: Final = 150e-6
let_others: Final[Callable[[], None]] = getattr(os, "sched_yield", lambda: None)

#: handler of the bot's queries during a decision: drafts, refusals, worlds
Answers = Callable[[w.BotSays], object]


class BotProcess:
    """A running bot."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.detail: w.BotDetail = "bot"
        self.buffer: bytes = b""
        self.errors: bytes = b""
        self.ended: str = ""  # reason of the end, as reported by the supervisor
        self.line, theirs = socket.socketpair()
        command = [sys.executable, "-I", "-S", LEASH, str(theirs.fileno()), str(bot.memory), *bot.command]
        pipe = subprocess.PIPE
        self.leash: subprocess.Popen[bytes] = subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=(theirs.fileno(),), process_group=0
        )
        theirs.close()
        assert self.leash.stdin is not None
        assert self.leash.stdout is not None
        assert self.leash.stderr is not None
        self.input: int = self.leash.stdin.fileno()
        self.output: int = self.leash.stdout.fileno()
        self.error: int = self.leash.stderr.fileno()
        self.poll: select.poll = select.poll()
        for place in (self.output, self.error, self.line.fileno()):
            os.set_blocking(place, False)
            self.poll.register(place, select.POLLIN)
        os.set_blocking(self.input, False)

    # -- a game ------------------------------------------------------------------------------------------------------

    def greet(self, hello: w.Hello) -> None:
        """Start a game; the bot replies with the level of detail it needs. Raise `Fault` if it fails."""
        deadline = time.monotonic() + self.bot.start
        self.send(hello, deadline)
        said = self.hear(deadline, self.bot.start)
        if isinstance(said, w.Failed):
            raise Fault(f"could not start: {said.text}")
        if not isinstance(said, w.BotJoin):
            raise Fault(f"answered hello with {kind_of(said)}, not with join")
        self.detail = said.detail

    def ask(self, ask: w.BotAsk, answers: Answers) -> p.Act:
        """Return the bot's move. Its queries before that are answered by ``answers``. Raise `Fault` if it fails."""
        self.look()
        if self.buffer:
            raise Fault(f"said {shown(self.buffer)} before it was asked")
        deadline = time.monotonic() + self.bot.seconds
        self.send(ask, deadline)
        while True:
            said = self.hear(deadline, self.bot.seconds)
            if isinstance(said, p.Act):
                if said.seq != ask.seq:
                    raise Fault(f"answered number {said.seq}, asked was {ask.seq}")
                return said
            if isinstance(said, w.Failed):
                raise Fault(f"crashed: {said.text}")
            if isinstance(said, w.BotJoin):
                raise Fault("said join in the middle of a game")
            asked = time.monotonic()
            answer = answers(said)
            deadline += time.monotonic() - asked  # handling a query does not count as the bot's time
            self.send(answer, deadline)

    def over(self, over: w.BotOver) -> None:
        self.send(over, time.monotonic() + self.bot.seconds)

    # -- lines -------------------------------------------------------------------------------------------------------

    def send(self, message: object, deadline: float) -> None:
        data = w.encode(message) + b"\n"
        while data:
            try:
                data = data[os.write(self.input, data) :]
            except BlockingIOError:
                self.take(deadline)  # avoids a deadlock: the bot may be blocked writing to us
                if time.monotonic() > deadline:
                    raise Fault("does not read what it is told") from None
            except OSError:
                raise Fault(self.end("closed its input")) from None

    def hear(self, deadline: float, seconds: float) -> w.BotSays:
        line = self.read(deadline, seconds)
        try:
            return w.decode(line)
        except UnicodeDecodeError:
            raise Fault(f"said {shown(line)}, which is not UTF-8") from None
        except msgspec.MsgspecError as error:
            raise Fault(f"said {shown(line)}: {error}") from None

    def read(self, deadline: float, seconds: float) -> bytes:
        """Return the next line without its terminator; raise `Fault` at a time-out or at the end of the output."""
        while True:
            line, found, rest = self.buffer.partition(b"\n")
            if found and len(line) <= MOST_LINE:
                self.buffer = rest
                return line
            if len(line) > MOST_LINE:
                raise Fault(f"said a line of more than {MOST_LINE:,} bytes")
            if time.monotonic() >= deadline:
                half = f" after half a line, {shown(self.buffer)}" if self.buffer else ""
                raise Fault(f"took longer than {seconds:g} s{half}")
            if self.nearly():
                continue
            if not self.take(deadline):
                half = f" after half a line, {shown(self.buffer)}" if self.buffer else ""
                raise Fault(self.end("closed its output") + half)

    def nearly(self) -> bool:
        """Poll briefly before blocking: most bots answer at once, and waking up takes longer than their answer."""
        end = time.perf_counter() + MOMENT
        while time.perf_counter() < end:
            try:
                data = os.read(self.output, CHUNK)
            except BlockingIOError:
                let_others()
                continue
            self.buffer += data
            return data != b""
        return False

    def look(self) -> None:
        """Read available data without waiting."""
        self.take(0.0)

    def take(self, deadline: float) -> bool:
        """Wait for data on standard output or error and read it; return False when no more can come."""
        wait = max(0.0, min(deadline - time.monotonic(), 3600.0)) if deadline else 0.0
        going = True
        for place, _ in self.poll.poll(1000 * wait):
            try:
                if place == self.output:
                    data = os.read(place, CHUNK)
                    self.buffer += data
                    going = going and data != b""
                elif place == self.error:
                    data = os.read(place, CHUNK)
                    self.errors = (self.errors + data)[-MOST_ERRORS:]
                    if not data:
                        self.poll.unregister(place)
                else:
                    self.told()
                    going = going and self.drained()
            except BlockingIOError:
                pass
        return going

    def told(self) -> None:
        """Read the reason of the end from the supervisor."""
        self.ended = self.ended or self.line.recv(100).decode() or "signal 9"
        self.poll.unregister(self.line.fileno())

    def drained(self) -> bool:
        """Read the remaining output; return whether it contains a complete line."""
        try:
            while data := os.read(self.output, CHUNK):
                self.buffer += data
                if len(self.buffer) > 2 * MOST_LINE:
                    break
        except BlockingIOError:
            pass
        return b"\n" in self.buffer

    # -- the end -----------------------------------------------------------------------------------------------------

    def end(self, otherwise: str) -> str:
        """Return the reason the bot ended, or ``otherwise`` if it is still running."""
        poll = select.poll()
        poll.register(self.line.fileno(), select.POLLIN)
        if not self.ended and poll.poll(1000 * LEAVE):
            self.told()
        what, _, number = self.ended.partition(" ")
        if what == "memory":
            return f"used more than {number} MB of memory"
        if what == "processes":
            return f"started more than {number} processes"
        last = self.last_error()
        if what == "exit":
            return f"ended with exit code {number}{last}"
        if what == "signal":
            return f"was ended by {signal_name(int(number))}{last}"
        return otherwise

    def last_error(self) -> str:
        """Return the last line of its standard error."""
        try:
            while data := os.read(self.error, CHUNK):
                self.errors = (self.errors + data)[-MOST_ERRORS:]
        except OSError:
            pass
        lines = [line for line in self.errors.decode(errors="replace").splitlines() if line.strip()]
        return f": {lines[-1].strip()[:160]}" if lines else ""

    @property
    def alive(self) -> bool:
        if self.ended or self.leash.poll() is not None:
            return False
        try:
            self.look()
        except OSError:
            return False
        return not self.ended and not self.buffer

    def quit(self) -> None:
        """Ask it to quit."""
        try:
            os.write(self.input, w.encode(w.BotQuit()) + b"\n")
        except OSError:
            pass
        assert self.leash.stdin is not None
        self.leash.stdin.close()

    def stop(self) -> None:
        """Make the supervisor stop it; a thread that waits for it gets a normal end of output."""
        try:
            self.line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # already ended

    def kill(self) -> None:
        """Kill it and all its descendants."""
        self.line.close()
        for pipe in (self.leash.stdin, self.leash.stdout, self.leash.stderr):
            if pipe is not None:
                pipe.close()
        try:
            self.leash.wait(TELL)
        except subprocess.TimeoutExpired:
            self.leash.kill()
            self.leash.wait()


def shown(line: bytes) -> str:
    text = line[:60].decode(errors="backslashreplace")
    return repr(text) + ("…" if len(line) > 60 else "")


def kind_of(message: w.BotSays) -> str:
    return str(message.__struct_config__.tag)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# -- bots kept from game to game ---------------------------------------------------------------------------------------

_idle: dict[Bot, list[BotProcess]] = {}
_running: set[BotProcess] = set()
_at_exit: list[Finalize] = []


def hire(bot: Bot) -> BotProcess:
    """Return an idle process of this bot, or start a new one."""
    free = _idle.get(bot, [])
    while free:
        found = free.pop()
        if found.alive:
            return found
        dismiss(found)
    if not _at_exit:
        _at_exit.append(Finalize(None, dismiss_all, exitpriority=20))
    made = BotProcess(bot)
    _running.add(made)
    return made


def let_go(process: BotProcess) -> None:
    """Return a process to the pool after its game."""
    _idle.setdefault(process.bot, []).append(process)


def dismiss(process: BotProcess) -> None:
    _running.discard(process)
    process.kill()


def dismiss_all() -> None:
    """Ask every bot to quit, wait for a moment, then kill the rest."""
    bots = list(_running)
    _running.clear()
    _idle.clear()
    for process in bots:
        process.quit()
    end = time.monotonic() + LEAVE
    for process in bots:
        try:
            process.leash.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        process.kill()


def forget_all() -> None:
    """Drop the parent's bots in a forked child: close our pipe ends, so that the bots notice the end of the parent."""
    for process in _running:
        process.line.close()
        for pipe in (process.leash.stdin, process.leash.stdout, process.leash.stderr):
            if pipe is not None:
                pipe.close()
        process.leash.returncode = 0  # the child cannot wait for it
    _running.clear()
    _idle.clear()
    _at_exit.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_all)
