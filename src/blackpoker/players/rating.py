"""OpenSkill ratings (Plackett-Luce) for the arena and the bot ladder."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Rating(NamedTuple):
    """Estimated strength of a player and its uncertainty."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def conservative(self) -> float:
        """Return the conservative estimate by which a ladder is ordered."""
        return self.mu - 3 * self.sigma


@cache
def model() -> Any:
    from openskill.models import PlackettLuce  # slow to import and rarely needed

    return PlackettLuce()


def updated_ratings(first: Rating, second: Rating, winner: int | None) -> tuple[Rating, Rating]:
    """Return both ratings after a game; ``winner``: 0, 1 or None for a draw."""
    ranks = [0.0, 0.0] if winner is None else [float(winner != 0), float(winner != 1)]
    teams = [[model().create_rating([one.mu, one.sigma])] for one in (first, second)]
    (one,), (other,) = model().rate(teams, ranks=ranks)
    return Rating(float(one.mu), float(one.sigma)), Rating(float(other.mu), float(other.sigma))
