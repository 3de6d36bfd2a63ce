"""Convert a file of records to JSON lines, one game in each: python convert_records.py RECORDS.txt"""

import json
import sys
from pathlib import Path

import blackpoker as bp


def as_row(record: bp.Record) -> dict[str, object]:
    """Return a game as plain data."""
    outcome = record.game.outcome()
    moves = []
    for step in record.game.steps():
        move = step.move
        if move is not None:
            moves.append({"player": step.player, "action": move.action, "keys": move.keys, "text": move.text})
    return {
        "regulation": record.game.regulation.text,
        "date": None if record.date is None else record.date.isoformat(),
        "winner": None if outcome is None else outcome.winner,
        "comments": record.comments,
        "moves": moves,
    }


def main(path: Path) -> None:
    """Print one line for each game of the file."""
    for record in bp.Record.read_all(path.read_text(encoding="utf-8")):
        print(json.dumps(as_row(record), ensure_ascii=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
