"""Cost of a bot's decision in addition to its own computation: JSON lines to a process and back.

    python -m benchmarks.bots [--regulation master+full] [--decisions 2000] [--json]

Everything between the decision and the option is included: its tokens, the events, the view (not for ``lean``), JSON
in both directions, the bot's reading and writing of lines, and the check of a complete move. The bots answer without
computing. The same games are played with each of them in turn, so that other load affects all of them equally. The
wall-clock figure needs a quiet machine; processor time (ours, and with the bot's: Linux) can be measured on any.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import mean, median

from blackpoker import Game
from blackpoker.assist.decision import Decision
from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.bots.player import BotPlayer, choices
from blackpoker.players.bots.process import BotProcess
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.players.player_view import PlayerView
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p

PYTHON = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print('{"type":"join","detail":"DETAIL"}', flush=True)
    elif told["type"] == "ask":
        print(json.dumps({"type": "act", "seq": told["seq"], "words": [told["options"][0]["word"]]}), flush=True)
"""
NODE = """
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type === "hello") say({ type: "join", detail: "DETAIL" });
  if (told.type === "ask") say({ type: "act", seq: told.seq, words: [told.options[0].word] });
});
"""
CLASS = """
class Bot:
    def choose(self, seat, decision):
        return decision.words[0]
"""
WARM_UP = 100


class Measured:
    """A bot and the measured cost of its decisions."""

    def __init__(self, name: str, bot: Bot, game: Game) -> None:
        self.name = name
        self.process = BotProcess(bot)
        self.player = BotPlayer(bot, game.regulation, 0, 1)
        time = w.BotTime(bot.start, bot.seconds)
        self.process.greet(w.Hello(w.VERSION, game.regulation.text, "p1", 1, time, bot.memory))
        self.seconds: list[float] = []
        self.own: list[float] = []  # our processor time
        self.pid: int = child_of(self.process.supervisor.pid)
        self.begun: float = 0.0
        self.theirs: float = 0.0  # processor time of the bot

    def attend(self, game: Game) -> None:
        self.player.attend(game)

    def decide(self, seat: PlayerView, sentence: list[str]) -> None:
        if len(self.seconds) == WARM_UP:
            self.begun = processor_time(self.pid)
        began, started = time.thread_time(), time.perf_counter()
        decision = Decision(seat.world)
        self.player.seat = seat.player
        ask = self.player.ask(seat, decision, self.process.detail)
        reply = self.process.ask(ask, lambda asked: asked)
        if self.process.detail != "class":
            choices(seat, p.SubmitMove(seq=reply.seq, words=sentence))
        self.seconds.append(time.perf_counter() - started)
        self.own.append(time.thread_time() - began)

    def row(self) -> dict[str, float]:
        seconds, own = self.seconds[WARM_UP:], self.own[WARM_UP:]
        ours = mean(own)
        return {
            "median_us": round(1e6 * median(seconds), 1),
            "mean_us": round(1e6 * mean(seconds), 1),
            "processor_us": round(1e6 * ours, 1),
            "with_bot_us": round(1e6 * (ours + (self.theirs - self.begun) / len(seconds)), 1),
            "decisions": len(seconds),
        }


def child_of(pid: int) -> int:
    """Return the process started by this one, 0 if unknown."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                return int(path.parent.name)
        except OSError:
            pass
    return 0


def processor_time(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def bots(folder: Path) -> dict[str, Bot]:
    found: dict[str, Bot] = {}
    path = folder / "first.py"
    path.write_text(CLASS)
    worker = (sys.executable, "-m", "blackpoker.players.bots.worker", str(path), "Bot")
    found["class"] = Bot("class", worker)
    node = shutil.which("node")
    for detail in ("lean", "bot"):
        program = folder / f"{detail}.py"
        program.write_text(PYTHON.replace("DETAIL", detail))
        found[f"exec Python, {detail}"] = Bot(detail, (sys.executable, str(program)))
        if node is not None:
            script = folder / f"{detail}.js"
            script.write_text(NODE.replace("DETAIL", detail))
            found[f"exec Node, {detail}"] = Bot(detail, (node, str(script)))
    return found


def whole(game: Game, chance: Random) -> list[str]:
    """Return a random legal move."""
    words: list[str] = []
    while True:
        decision = game.ask(words)
        assert decision is not None
        words.append(chance.choice(decision.words))
        if game.draft(words).complete:
            return words


def play(game: Game, one: Measured, chance: Random) -> None:
    """Play a game in which this bot is queried at every decision; the moves are chosen randomly."""
    known = prior_knowledge(game.regulation)
    one.attend(game)
    while game.outcome() is None:
        sentence = whole(game, chance)
        if len(game.options) > 1:
            one.decide(PlayerView(game, game.player, known), sentence)
        for option in game.draft(sentence).options:
            game.push(option)


def measure(regulation: str, decisions: int) -> list[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        game = Game(regulation, seed=0)
        measured = [Measured(name, bot, game) for name, bot in bots(Path(folder)).items()]
        try:
            seed = 0
            while len(measured[0].seconds) < decisions + WARM_UP:
                for one in measured:
                    play(Game(regulation, seed=seed), one, Random(seed))
                seed += 1
        finally:
            for one in measured:
                one.theirs = processor_time(one.pid)
                one.process.kill()
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--regulation", default="master+full")
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = {one.name: one.row() for one in measure(given.regulation, given.decisions)}
    if given.json:
        print(json.dumps(rows, indent=2))
        return 0
    print(f"{given.regulation}: microseconds a decision, beside the bot's own thinking")
    for name, row in rows.items():
        clock = f"by the clock: median {row['median_us']:>7}, mean {row['mean_us']:>7}"
        print(f"  {name:<18} {clock}; processor: {row['processor_us']:>6}, with the bot's {row['with_bot_us']:>6}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
