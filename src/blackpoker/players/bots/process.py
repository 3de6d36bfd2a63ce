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
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p

SUPERVISOR: Final = str(Path(__file__).with_name("resource_limits.py"))
#: limits in bytes of a line, and of the retained standard error
MOST_LINE: Final = 1_000_000
MOST_ERRORS: Final = 20_000
CHUNK: Final = 65_536
#: seconds a bot has to exit after ``quit``; seconds its supervisor has to report the end
QUIT_TIMEOUT: Final = 0.5
REPORT_TIMEOUT: Final = 6.0

#: seconds of polling before blocking; other processes may run meanwhile
SPIN_SECONDS: Final = 150e-6
yield_processor: Final[Callable[[], None]] = getattr(os, "sched_yield", lambda: None)

#: handler of the bot's queries during a decision: drafts, refusals, worlds
QueryHandler = Callable[[w.AnyBotMessage], object]


class BotProcess:
    """A running bot."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.detail: w.BotDetail = "bot"
        self.buffer: bytes = b""
        self.errors: bytes = b""
        self.end_reason: str = ""  # reason of the end, as reported by the supervisor
        self.channel, theirs = socket.socketpair()
        command = [sys.executable, "-I", "-S", SUPERVISOR, str(theirs.fileno()), str(bot.memory), *bot.command]
        pipe = subprocess.PIPE
        self.supervisor: subprocess.Popen[bytes] = subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=(theirs.fileno(),), process_group=0
        )
        theirs.close()
        assert self.supervisor.stdin is not None
        assert self.supervisor.stdout is not None
        assert self.supervisor.stderr is not None
        self.input: int = self.supervisor.stdin.fileno()
        self.output: int = self.supervisor.stdout.fileno()
        self.error: int = self.supervisor.stderr.fileno()
        self.poll: select.poll = select.poll()
        for place in (self.output, self.error, self.channel.fileno()):
            os.set_blocking(place, False)
            self.poll.register(place, select.POLLIN)
        os.set_blocking(self.input, False)

    # -- a game ------------------------------------------------------------------------------------------------------

    def greet(self, hello: w.Hello) -> None:
        """Start a game; the bot replies with the level of detail it needs. Raise `Fault` if it fails."""
        deadline = time.monotonic() + self.bot.start
        self.send(hello, deadline)
        reply = self.receive(deadline, self.bot.start)
        if isinstance(reply, w.WorkerFault):
            raise Fault(f"could not start: {reply.text}")
        if not isinstance(reply, w.BotJoin):
            raise Fault(f"answered hello with {kind_of(reply)}, not with join")
        self.detail = reply.detail

    def ask(self, ask: w.BotPrompt, answers: QueryHandler) -> p.SubmitMove:
        """Return the bot's move. Its queries before that are answered by ``answers``. Raise `Fault` if it fails."""
        self.read_available()
        if self.buffer:
            raise Fault(f"sent {excerpt(self.buffer)} before it was asked")
        deadline = time.monotonic() + self.bot.seconds
        self.send(ask, deadline)
        while True:
            reply = self.receive(deadline, self.bot.seconds)
            if isinstance(reply, p.SubmitMove):
                if reply.seq != ask.seq:
                    raise Fault(f"answered number {reply.seq}, asked was {ask.seq}")
                return reply
            if isinstance(reply, w.WorkerFault):
                raise Fault(f"crashed: {reply.text}")
            if isinstance(reply, w.BotJoin):
                raise Fault("sent join in the middle of a game")
            query_started = time.monotonic()
            answer = answers(reply)
            deadline += time.monotonic() - query_started  # handling a query does not count as the bot's time
            self.send(answer, deadline)

    def over(self, over: w.BotGameOver) -> None:
        self.send(over, time.monotonic() + self.bot.seconds)

    # -- lines -------------------------------------------------------------------------------------------------------

    def send(self, message: object, deadline: float) -> None:
        data = w.encode(message) + b"\n"
        while data:
            try:
                data = data[os.write(self.input, data) :]
            except BlockingIOError:
                self.read_ready(deadline)  # avoids a deadlock: the bot may be blocked writing to us
                if time.monotonic() > deadline:
                    raise Fault("does not read what it is told") from None
            except OSError:
                raise Fault(self.describe_end("closed its input")) from None

    def receive(self, deadline: float, seconds: float) -> w.AnyBotMessage:
        line = self.read(deadline, seconds)
        try:
            return w.decode(line)
        except UnicodeDecodeError:
            raise Fault(f"sent {excerpt(line)}, which is not UTF-8") from None
        except msgspec.MsgspecError as error:
            raise Fault(f"sent {excerpt(line)}: {error}") from None

    def read(self, deadline: float, seconds: float) -> bytes:
        """Return the next line without its terminator; raise `Fault` at a time-out or at the end of the output."""
        while True:
            line, found, rest = self.buffer.partition(b"\n")
            if found and len(line) <= MOST_LINE:
                self.buffer = rest
                return line
            if len(line) > MOST_LINE:
                raise Fault(f"sent a line of more than {MOST_LINE:,} bytes")
            if time.monotonic() >= deadline:
                half = f" after half a line, {excerpt(self.buffer)}" if self.buffer else ""
                raise Fault(f"took longer than {seconds:g} s{half}")
            if self.poll_briefly():
                continue
            if not self.read_ready(deadline):
                half = f" after half a line, {excerpt(self.buffer)}" if self.buffer else ""
                raise Fault(self.describe_end("closed its output") + half)

    def poll_briefly(self) -> bool:
        """Poll briefly before blocking: most bots answer at once, and waking up takes longer than their answer."""
        end = time.perf_counter() + SPIN_SECONDS
        while time.perf_counter() < end:
            try:
                data = os.read(self.output, CHUNK)
            except BlockingIOError:
                yield_processor()
                continue
            self.buffer += data
            return data != b""
        return False

    def read_available(self) -> None:
        """Read available data without waiting."""
        self.read_ready(0.0)

    def read_ready(self, deadline: float) -> bool:
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
                    self.read_end_reason()
                    going = going and self.drain()
            except BlockingIOError:
                pass
        return going

    def read_end_reason(self) -> None:
        """Read the reason of the end from the supervisor."""
        self.end_reason = self.end_reason or self.channel.recv(100).decode() or "signal 9"
        self.poll.unregister(self.channel.fileno())

    def drain(self) -> bool:
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

    def describe_end(self, otherwise: str) -> str:
        """Return the reason the bot ended, or ``otherwise`` if it is still running."""
        poll = select.poll()
        poll.register(self.channel.fileno(), select.POLLIN)
        if not self.end_reason and poll.poll(1000 * QUIT_TIMEOUT):
            self.read_end_reason()
        what, _, number = self.end_reason.partition(" ")
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

    def take_output(self) -> str:
        """Return what it has written to standard error since the last call, at most the last 20,000 bytes."""
        self.read_errors()
        errors, self.errors = self.errors, b""
        return errors.decode(errors="replace")

    def read_errors(self) -> None:
        try:
            while data := os.read(self.error, CHUNK):
                self.errors = (self.errors + data)[-MOST_ERRORS:]
        except OSError:
            pass

    def last_error(self) -> str:
        """Return the last line of its standard error."""
        self.read_errors()
        lines = [line for line in self.errors.decode(errors="replace").splitlines() if line.strip()]
        return f": {lines[-1].strip()[:160]}" if lines else ""

    @property
    def alive(self) -> bool:
        if self.end_reason or self.supervisor.poll() is not None:
            return False
        try:
            self.read_available()
        except OSError:
            return False
        return not self.end_reason and not self.buffer

    def quit(self) -> None:
        """Ask it to quit."""
        try:
            os.write(self.input, w.encode(w.BotQuit()) + b"\n")
        except OSError:
            pass
        assert self.supervisor.stdin is not None
        self.supervisor.stdin.close()

    def stop(self) -> None:
        """Make the supervisor stop it; a thread that waits for it gets a normal end of output."""
        try:
            self.channel.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # already ended

    def kill(self) -> None:
        """Kill it and all its descendants."""
        self.channel.close()
        for pipe in (self.supervisor.stdin, self.supervisor.stdout, self.supervisor.stderr):
            if pipe is not None:
                pipe.close()
        try:
            self.supervisor.wait(REPORT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.supervisor.kill()
            self.supervisor.wait()


def excerpt(line: bytes) -> str:
    text = line[:60].decode(errors="backslashreplace")
    return repr(text) + ("…" if len(line) > 60 else "")


def kind_of(message: w.AnyBotMessage) -> str:
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


def acquire(bot: Bot) -> BotProcess:
    """Return an idle process of this bot, or start a new one."""
    free = _idle.get(bot, [])
    while free:
        found = free.pop()
        if found.alive:
            return found
        terminate(found)
    if not _at_exit:
        _at_exit.append(Finalize(None, terminate_all, exitpriority=20))
    made = BotProcess(bot)
    _running.add(made)
    return made


def release(process: BotProcess) -> None:
    """Return a process to the pool after its game."""
    _idle.setdefault(process.bot, []).append(process)


def terminate(process: BotProcess) -> None:
    _running.discard(process)
    process.kill()


def terminate_all() -> None:
    """Ask every bot to quit, wait for a moment, then kill the rest."""
    bots = list(_running)
    _running.clear()
    _idle.clear()
    for process in bots:
        process.quit()
    end = time.monotonic() + QUIT_TIMEOUT
    for process in bots:
        try:
            process.supervisor.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        process.kill()


def forget_after_fork() -> None:
    """Drop the parent's bots in a forked child: close our pipe ends, so that the bots notice the end of the parent."""
    for process in _running:
        process.channel.close()
        for pipe in (process.supervisor.stdin, process.supervisor.stdout, process.supervisor.stderr):
            if pipe is not None:
                pipe.close()
        process.supervisor.returncode = 0  # the child cannot wait for it
    _running.clear()
    _idle.clear()
    _at_exit.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_after_fork)
