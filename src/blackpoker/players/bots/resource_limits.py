"""Supervisor program of a bot: ``resource_limits.py SOCKET MEMORY COMMAND…``. It needs only Python.

It starts the command with resource limits and waits. When the bot ends, it sends the reason over the socket; when the
other end of the socket is closed, on request or because the parent is gone, it stops the bot. Before it exits it kills
all processes the bot has started, including orphans, which the kernel reparents to this process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import socket
import sys
import time

LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
#: limit of processes started by the bot
MOST_PROCESSES = 64
#: seconds between two checks of the bot's processes
POLL_INTERVAL = 1.0
#: the same without pidfd, where the end of the bot must be polled
SHORT_POLL_INTERVAL = 0.02
PAGE = resource.getpagesize()


def prctl(what: int, value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def start(command: list[str], memory: int) -> int:
    """Start the bot in its own session and return its process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        os.write(2, f"{command[0]}: {error}\n".encode())
    os._exit(127)


def descendants() -> dict[int, int]:
    """Return every descendant process with its memory in bytes."""
    if not LINUX:
        return {}
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
            pages[int(name)] = int(fields[21]) if fields[0] != b"Z" else 0
    found: dict[int, int] = {}
    for pid in parents:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() and pid != above:
            found[pid] = pages[pid] * PAGE
    return found


def kill(pids: set[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def stop(bot: int) -> None:
    """Kill the bot and all its descendants; they are stopped first, so that none can fork again."""
    still: set[int] = set()
    for _ in range(50):
        found = set(descendants())
        if found <= still:
            break
        kill(found - still, signal.SIGSTOP)
        still |= found
    try:
        os.killpg(bot, signal.SIGKILL)
    except OSError:
        pass
    end = time.monotonic() + 5
    while time.monotonic() < end:
        left = set(descendants())
        kill(left, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            if not left:
                return
        time.sleep(0.001)


def proportional_memory(pid: int, whole: int) -> int:
    """Return the memory of a process in bytes, with shared pages divided among their users."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    except (OSError, ValueError):
        return whole


def exceeded_limit(memory: int) -> str:
    """Return the exceeded limit, or ""."""
    found = descendants()
    if len(found) > MOST_PROCESSES:
        return f"processes {MOST_PROCESSES}"
    if sum(found.values()) <= memory << 20:
        return ""
    # A fork shares nearly all pages with its parent; the exact share is slower to read.
    return (
        f"memory {memory}"
        if sum(proportional_memory(pid, whole) for pid, whole in found.items()) > memory << 20
        else ""
    )


def reap(bot: int) -> str:
    """Return how the bot has ended, "" while it runs; reap all other ended children."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == bot:
                code = os.waitstatus_to_exitcode(status)
                return f"exit {code}" if code >= 0 else f"signal {-code}"
            if pid == 0:
                return ""
    except ChildProcessError:
        return "exit 0"


def wait_for_end(channel: socket.socket, bot: int, memory: int) -> str:
    """Wait for the end and return its reason, "" if the socket was closed."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    interval = SHORT_POLL_INTERVAL
    if hasattr(os, "pidfd_open"):
        poll.register(os.pidfd_open(bot), select.POLLIN)
        interval = POLL_INTERVAL
    while True:
        ready = dict(poll.poll(1000 * interval))
        if channel.fileno() in ready:
            return ""
        found = reap(bot) or (exceeded_limit(memory) if not ready and interval == POLL_INTERVAL else "")
        if found:
            return found


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    memory = int(sys.argv[2])
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    bot = start(sys.argv[3:], memory)
    nothing = os.open(os.devnull, os.O_RDWR)
    for place in range(3):  # only the bot keeps its ends of the pipes
        os.dup2(nothing, place)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    reason = wait_for_end(channel, bot, memory)
    stop(bot)
    try:
        channel.sendall(reason.encode())
    except OSError:
        pass


if __name__ == "__main__":
    main()
