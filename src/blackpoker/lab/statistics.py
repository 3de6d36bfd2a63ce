"""Confidence intervals of game metrics. Games of a deal are not independent, so the bootstrap resamples deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import stats

RESAMPLES: Final = 2000
SHARE: Final = 0.95
#: statistical power of an experiment of the recommended size
POWER: Final = 0.99

Numbers = Any  # an array, or a sequence of numbers


class Estimate(NamedTuple):
    """A value with its 95 % interval; ``n``: number of games (or uses) it is based on."""

    value: float
    low: float
    high: float
    n: int = 0
    p: float = 1.0  # p-value against the expected value

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


def estimate(parts: Numbers, wholes: Numbers | None = None, expected: float = 0.0, rate: bool = False) -> Estimate:
    """Return the sum of ``parts`` over the sum of ``wholes``, one of each per deal, with a bootstrap over the deals.

    Only the frequency of each pair of numbers matters, and in a sample of deals drawn with replacement these are
    multinomial: drawn that way, a hundred thousand deals cost no more than a hundred. A ``rate`` of 0 or 1 does not
    vary in such samples; its interval is Wilson's for as many games as there are deals.
    """
    above = np.asarray(parts, dtype=float)
    below = np.ones_like(above) if wholes is None else np.asarray(wholes, dtype=float)
    whole = float(below.sum())
    if whole == 0:
        return Estimate(math.nan, math.nan, math.nan)
    value = float(above.sum()) / whole
    if rate and value in (0.0, 1.0):
        n = int(np.count_nonzero(below))
        found = stats.binomtest(round(value * n), n).proportion_ci(SHARE, "wilson")
        p = float(stats.binomtest(round(value * n), n, expected).pvalue) if 0 < expected < 1 else 1.0
        return Estimate(value, float(found.low), float(found.high), int(whole), p)
    pairs, counts = np.unique(np.stack([above, below], axis=1), axis=0, return_counts=True)
    n = int(counts.sum())
    drawn = np.random.default_rng(0).multinomial(n, counts / n, size=RESAMPLES)
    wholes_drawn = drawn @ pairs[:, 1]
    valid = wholes_drawn > 0
    values = (drawn @ pairs[:, 0])[valid] / wholes_drawn[valid]
    low, high = np.quantile(values, [(1 - SHARE) / 2, (1 + SHARE) / 2])
    spread = float(np.std(values))
    p = float(2 * stats.norm.sf(abs(value - expected) / spread)) if spread > 0 else float(value == expected)
    return Estimate(value, float(low), float(high), int(whole), p)


def deals_needed(differences: Numbers, size: float) -> int | None:
    """Return the number of deals needed to detect a difference of this size (its 95 % interval excludes zero) with
    probability `POWER`, given the observed variance; None if nothing varied.
    """
    seen = np.asarray(differences, dtype=float)
    if len(seen) < 2 or size == 0:
        return None
    variance = float(np.var(seen, ddof=1))
    reach = stats.norm.ppf((1 + SHARE) / 2) + stats.norm.ppf(POWER)
    return math.ceil(reach**2 * variance / size**2) if variance > 0 else None


def significant(chances: Sequence[float], share: float = 0.05) -> list[bool]:
    """Return which values differ from the expected ones, at a false discovery rate of ``share`` (Benjamini and
    Hochberg).
    """
    given = [1.0 if math.isnan(p) else p for p in chances]
    if not given:
        return []
    return [bool(p <= share) for p in stats.false_discovery_control(given)]
