"""Add a card to a hand and print what becomes legal: python edit_position.py POSITION.toml p1 S7"""

import sys
from pathlib import Path

import blackpoker as bp


def main(path: Path, player: bp.Player, card: bp.Card) -> None:
    """Print the position with the card and its legal moves."""
    position = bp.Position.parse(path.read_text(encoding="utf-8"))
    before = {move.text for move in position.game(seed=1).legal_moves}
    position.side(player).hand.append(str(card))
    game = position.game(seed=1)
    print(bp.Position.of(game))
    print(f"{len(game.legal_moves)} legal moves; new with {card.sign}:")
    for move in game.legal_moves:
        if move.text not in before:
            print(f"  {move.text}: keys {move.keys}, payment {move.payment}, targets {move.targets}")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), bp.Player(sys.argv[2]), bp.Card(sys.argv[3]))
    except bp.BlackPokerError as error:
        sys.exit(error.en)
