"""The bot of seeded.py as a program: JSON lines, no package. exec:"python3 examples/bots/seeded_lines.py"."""

import json
import sys
from typing import Any


def send(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


class Random:
    def __init__(self, seed: int) -> None:
        self.state: int = seed % 2**32 or 1

    def word(self, options: list[dict[str, str]]) -> str:
        """Return one of the options; a single option uses no random number."""
        if len(options) == 1:
            return options[0]["token"]
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return options[x % len(options)]["token"]


def main() -> None:
    random = Random(1)
    words: list[str] = []
    seq = 0
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                random = Random(message["seed"])
                send({"type": "join", "detail": "lean"})
            case "prompt":
                seq, words = message["seq"], [random.word(message["options"])]
                send({"type": "preview", "seq": seq, "tokens": words})
            case "preview_result" if message["complete"]:
                send({"type": "move", "seq": seq, "tokens": words})
            case "preview_result":
                words.append(random.word(message["options"]))
                send({"type": "preview", "seq": seq, "tokens": words})
            case "quit":
                return


if __name__ == "__main__":
    main()
