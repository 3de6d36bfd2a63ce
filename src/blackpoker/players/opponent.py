"""An opponent in one call, ``blackpoker.opponent("strong")``: it chooses moves for the player to decide."""

from __future__ import annotations

import secrets

from blackpoker import Game, IllegalMove, Move, Regulation
from blackpoker.players.engine_players import BotLevel, Level, level_of, make_player
from blackpoker.players.errors import PlayersError
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge


class OpponentPlayer:
    """A player for either seat that sees only what this seat may know.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> easy = bp.opponent("easy", seed=1)
    >>> while game.outcome() is None:
    ...     step = game.push(easy.choose(game))
    >>> game.outcome().reason
    'life'
    """

    def __init__(self, level: Level, seed: int) -> None:
        self.level = level
        self.seed = seed
        #: one player per game regulation and seat; a player keeps its search tree
        self._players: dict[tuple[Regulation, int], SandboxedPlayer] = {}

    def choose(self, game: Game) -> Move:
        """Return a complete move for ``game.push``; the game is not changed. Raise `IllegalMove` if it is over."""
        if game.outcome() is not None:
            raise IllegalMove("the game is over", "ゲームは終わっています", "R-45")
        seat = game.player
        player = self._player(game.regulation, int(seat))
        knowledge = prior_knowledge(game.regulation)
        builder, then = game.draft(), game.copy()
        while not builder.complete:
            view = PlayerView(then, int(seat), knowledge)
            option = player.choose(view, view.decision)
            builder.push(option)
            then.push(option)
        return builder.move

    def _player(self, regulation: Regulation, seat: int) -> SandboxedPlayer:
        found = self._players.get((regulation, seat))
        if found is None:
            found = SandboxedPlayer(make_player(self.level, regulation, seat, 2 * self.seed + seat), self.level.id)
            self._players[regulation, seat] = found
        return found

    def __repr__(self) -> str:
        return f"opponent({self.level.id!r}, seed={self.seed})"


def opponent(level: str = "normal", seed: int | None = None) -> OpponentPlayer:
    """Return an opponent of this level; raise `PlayersError` for an unknown level or a bot.

    ``level`` is ``easy``, ``normal``, ``strong``, ``master``, a name in either language, or a search with settings
    (``search:playouts=500/horizon=3``). The same seed chooses the same moves; without one, a random seed is used.
    External bots play in the arena or on the server instead (docs/guide/bots.md).
    """
    found = level_of(level)
    if isinstance(found, BotLevel):
        raise PlayersError(
            f"{level!r} is a bot, a process of its own: it plays in the arena or on a server",
            f"「{level}」はボットです。アリーナかサーバーで対戦します",
        )
    return OpponentPlayer(found, secrets.randbits(30) if seed is None else seed)
