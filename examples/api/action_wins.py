"""Play games and print how often each action was used by the side that won: python action_wins.py [GAMES]"""

import sys
from collections import Counter

import blackpoker as bp


def main(games: int) -> None:
    """Play the games and print a table."""
    used: Counter[str] = Counter()
    won: Counter[str] = Counter()
    damage = 0
    for seed in range(games):
        game = bp.Game("lite+entry", seed=seed)
        players = (bp.opponent("easy", seed=2 * seed), bp.opponent("easy", seed=2 * seed + 1))
        while game.outcome() is None:
            game.push(players[game.player].choose(game))
        outcome = game.outcome()
        for step in game.steps():
            move = step.move
            if move is not None and move.action is not None:
                used[move.action] += 1
                won[move.action] += outcome is not None and outcome.winner == step.player
            for event in step.events(bp.Audience.JUDGE):
                match event:
                    case bp.GraveEvent(event="damaged"):
                        damage += event.count
                    case bp.TurnEvent() | bp.WinEvent():
                        pass
    print(f"{games} games, {damage / games:.1f} cards of damage and costs in each")
    for action, count in used.most_common():
        print(f"{action:<20} {count:>6} {won[action] / count:>5.0%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
