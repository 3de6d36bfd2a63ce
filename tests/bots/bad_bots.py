"""Bots that break the protocol. Each is a Python source text and a part of the expected one-line error.

``CLASSES`` define a class Bot; ``PROGRAMS`` begin with ``HEAD`` and exchange JSON lines.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = """
import json, os, signal, sys, time
def say(**message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)
def greet():
    hear()
    say(type="join", detail="lean")
def both(*messages):
    os.write(1, "".join(json.dumps(message) + "\\n" for message in messages).encode())
def sentence(told):
    words = [told["options"][0]["token"]]
    while True:
        say(type="preview", seq=told["seq"], tokens=words)
        drafted = hear()
        if drafted["complete"]:
            return words
        words.append(drafted["options"][0]["token"])
def answer(told):
    say(type="move", seq=told["seq"], tokens=sentence(told))
"""

CLASSES: Final[dict[str, tuple[str, str]]] = {
    "syntax error": ("class Bot:\n    def choose(self, seat, decision)\n        return 0\n", "SyntaxError"),
    "exception": (
        "class Bot:\n    def choose(self, seat, decision):\n        return 1 // 0\n",
        "crashed: ZeroDivisionError: integer division or modulo by zero (bot.py, line 3)",
    ),
    "exception at start": (
        "class Bot:\n    def __init__(self):\n        raise OSError('no model')\n    def choose(self, seat, decision):\n        return 0\n",
        "could not start: OSError: no model (bot.py, line 3)",
    ),
    "missing import": ("import nowhere\nclass Bot:\n    choose = None\n", "No module named 'nowhere'"),
    "no such class": ("class Other:\n    def choose(self, seat, decision):\n        return 0\n", "has no class Bot"),
    "no method": ("class Bot:\n    pass\n", "has no class Bot with a method choose"),
    "wrong word": ("class Bot:\n    def choose(self, seat, decision):\n        return 'fly'\n", "'fly' is not offered"),
    "wrong option": (
        "class Bot:\n    def choose(self, seat, decision):\n        return 12345\n",
        "12345 is not offered",
    ),
    "nothing": ("class Bot:\n    def choose(self, seat, decision):\n        pass\n", "None is not offered"),
    "endless loop": (
        "class Bot:\n    def choose(self, seat, decision):\n        while True: pass\n",
        "took longer than 1 s",
    ),
    "deaf endless loop": (
        "import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
        "class Bot:\n    def choose(self, seat, decision):\n        while True: pass\n",
        "took longer than 1 s",
    ),
    "endless start": ("while True: pass\n", "took longer than 2 s"),
    "endless recursion": (
        "class Bot:\n    def choose(self, seat, decision):\n        return self.choose(seat, decision)\n",
        "crashed: RecursionError",
    ),
    "exit": (
        "import sys\nclass Bot:\n    def choose(self, seat, decision):\n        sys.exit(3)\n",
        "crashed: SystemExit: 3",
    ),
    "dies hard": ("import os\nclass Bot:\n    def choose(self, seat, decision):\n        os._exit(9)\n", "exit code 9"),
    "memory": (
        "class Bot:\n    def choose(self, seat, decision):\n        return len('x' * 2**31)\n",
        "crashed: MemoryError",
    ),
    "forks": (
        "import os, time\nclass Bot:\n    def choose(self, seat, decision):\n        for n in range(5):\n"
        "            if os.fork() == 0:\n                os.setsid()\n                if os.fork() == 0:\n"
        "                    while True: time.sleep(60)\n                os._exit(0)\n        time.sleep(60)\n",
        "took longer than 1 s",
    ),
    "too many forks": (
        "import os, time\nclass Bot:\n    def choose(self, seat, decision):\n        for n in range(70):\n"
        "            if os.fork() == 0:\n                time.sleep(60)\n        time.sleep(60)\n",
        "started more than 64 processes",
    ),
}

PROGRAMS: Final[dict[str, tuple[str, str]]] = {
    "dead at start": ("sys.exit('no luck today')", "ended with exit code 1: no luck today"),
    "silent at start": ("time.sleep(60)", "took longer than 2 s"),
    "no join": ("hear(); say(type='move', seq=1, tokens=['pass'])", "answered hello with move"),
    "unknown detail": ("hear(); say(type='join', detail='all')", "Invalid enum value 'all'"),
    "dead in the game": ("greet(); answer(hear()); answer(hear()); os.abort()", "was ended by SIGABRT"),
    "silent": ("greet(); hear(); time.sleep(60)", "took longer than 1 s"),
    "late": (
        "greet(); told = hear(); time.sleep(1.5); answer(told); answer(hear())",
        "took longer than 1 s",
    ),
    "early": (
        "hear(); both(dict(type='join'), dict(type='move', seq=1, tokens=['pass'])); time.sleep(60)",
        "before it was asked",
    ),
    "twice": (
        "greet(); told = hear(); act = dict(type='move', seq=1, tokens=sentence(told)); both(act, act); time.sleep(60)",
        "before it was asked",
    ),
    "another number": (
        "greet(); told = hear(); say(type='move', seq=77, tokens=['pass']); time.sleep(60)",
        "answered number 77, asked was 1",
    ),
    "illegal sentence": (
        "greet(); told = hear(); say(type='move', seq=told['seq'], tokens=['summon_soldier', 'H99'])",
        "sent ['summon_soldier', 'H99']",
    ),
    "half a sentence": (
        "greet(); told = hear(); say(type='move', seq=told['seq'], tokens=['set_bulwark', 'set_bulwark'])",
        "sent ['set_bulwark', 'set_bulwark']",
    ),
    "illegal text": (
        "greet(); told = hear(); say(type='move', seq=told['seq'], text='fly to the moon')",
        "sent 'fly to the moon'",
    ),
    "no sentence": ("greet(); told = hear(); say(type='move', seq=told['seq'])", "neither words nor text"),
    "unknown message": ("greet(); hear(); say(type='sing')", "Invalid value 'sing'"),
    "no JSON": ("greet(); hear(); print('pass', flush=True); time.sleep(60)", "sent 'pass'"),
    "10 MB line": (
        "greet(); hear(); sys.stdout.write('x' * 10_000_000); sys.stdout.flush(); time.sleep(60)",
        "a line of more than 1,000,000 bytes",
    ),
    "half a line": (
        "greet(); hear(); sys.stdout.write('{\"type\": '); sys.stdout.flush(); time.sleep(60)",
        "took longer than 1 s after half a line",
    ),
    "half a line and gone": (
        "greet(); hear(); sys.stdout.write('{\"type\": '); sys.stdout.flush(); os._exit(0)",
        "ended with exit code 0 after half a line",
    ),
    "not UTF-8": (
        'greet(); hear(); os.write(1, b\'{"type": "move", "seq": 1, "tokens": ["\\xff\\xfe"]}\\n\'); time.sleep(60)',
        "which is not UTF-8",
    ),
    "closed stdin": (
        "greet(); told = hear(); words = sentence(told); os.close(0)\n"
        "say(type='move', seq=told['seq'], tokens=words); time.sleep(60)",
        "closed its input",
    ),
    "closed stdout": ("greet(); hear(); os.close(1); time.sleep(60)", "closed its output"),
    "full stderr": (
        "greet(); hear()\nwhile True: os.write(2, b'help! ' * 10_000)",
        "took longer than 1 s",
    ),
    "full stdout": ("greet(); hear()\nwhile True: say(type='refusals')", "does not read what it is told"),
    "children keep the pipes": (
        "greet(); hear()\nif os.fork() == 0:\n    os.setsid(); time.sleep(60)\nos._exit(4)",
        "ended with exit code 4",
    ),
    "stops itself": ("greet(); hear(); os.kill(os.getpid(), signal.SIGSTOP)", "took longer than 1 s"),
}
