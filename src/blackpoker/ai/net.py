"""A small net in exact integers: the chance that the player to decide wins, and a policy over the options.

Each set bit adds a row to 64 sums. Their positive parts feed 32 units for the value, and a query of 32 numbers that is
multiplied with the row of every option for the policy. Fixed point: 1.0 is 256. All sums are exact and those of the
rows keep 16 bits in every build, so that every machine makes the same choice. In Python a row is one large integer, so
that 64 sums are one addition; machine code uses its own loops (``native/runtime.h``).
"""

from __future__ import annotations

import math
import struct
from array import array
from typing import Final

from mypy_extensions import i64

from blackpoker.ai.features import BITS, DECISIONS, LEAD_ROWS, ROWS

#: sizes of the first layer, of the value layer and of the policy query
UNITS: Final = 64
INNER: Final = 32
QUERY_SIZE: Final = 32
#: clamps of a sum and of a query number; both keep all products within 32 bits
MOST_SUM: Final = 4095
MOST_QUERY: Final = 8191
#: the largest weight after the first layer
MOST_WEIGHT: Final = 4095

# Offsets in the flat weight array. SECOND and QUESTION interleave two inputs per row.
FIRST: Final = 0  # BITS rows of UNITS
FIRST_BIAS: Final = FIRST + BITS * UNITS
SECOND: Final = FIRST_BIAS + UNITS  # pairs of units: INNER times two weights
SECOND_BIAS: Final = SECOND + UNITS * INNER
THIRD: Final = SECOND_BIAS + INNER
THIRD_BIAS: Final = THIRD + INNER
QUERY: Final = THIRD_BIAS + 1  # like SECOND
QUERY_BIAS: Final = QUERY + UNITS * QUERY_SIZE
OPTION: Final = QUERY_BIAS + QUERY_SIZE  # ROWS rows of ASKED
OPTION_BIAS: Final = OPTION + ROWS * QUERY_SIZE
SHOWN: Final = OPTION_BIAS + ROWS  # LEAD_ROWS rows of ASKED
HEURISTIC_WEIGHT: Final = SHOWN + LEAD_ROWS * QUERY_SIZE  # by kind of decision: 65536ths per point of heuristic score
WEIGHTS: Final = HEURISTIC_WEIGHT + DECISIONS

#: logistic function in 65536ths at -8, -8 + 1/32 … 8
LOGISTIC: Final[list[int]] = [round(65536 / (1 + math.exp(8 - n / 32))) for n in range(514)]
#: exp(-n / 32) in units of 2**-20
EXP_DECAY: Final[list[int]] = [round(2**20 * math.exp(-n / 32)) for n in range(512)]
#: clamp of the heuristic score difference to the best option
MOST_SCORE_GAP: Final = 200

#: storage in the native build, see ``engine.request``; ``table``: the length is known at run time
STORAGE: Final = {"Net": {"weights": "table i16", "size": "i64"}}
#: offset that makes every weight positive inside a large integer
_OFFSET: Final = 32768
_SUMS: Final = f"<{UNITS}I"
_INNER: Final = f"<{INNER}Q"


class Net:
    """The weights, as in the file and as large integers. ``size`` 0: no net."""

    __slots__ = (
        "first",
        "option",
        "option_bias",
        "query",
        "second",
        "shown",
        "size",
        "third",
        "heuristic_weights",
        "weights",
    )

    def __init__(self, weights: array[int]) -> None:
        if len(weights) not in (0, WEIGHTS):
            raise ValueError(f"a net has {WEIGHTS} weights, not {len(weights)}")
        self.weights: array[int] = weights
        self.size: i64 = len(weights)
        self.first: list[int] = []  # rows as large integers; the last is the bias
        self.second: list[int] = []  # by unit
        self.third: list[int] = []
        self.query: list[int] = []
        self.option: list[list[int]] = []
        self.option_bias: list[int] = []
        self.shown: list[list[int]] = []
        self.heuristic_weights: list[int] = []

    def unpack(self) -> None:
        """Build the large integers; not needed by a search in machine code."""
        if self.first or self.size == 0:
            return
        w = self.weights.tolist()
        self.second = deinterleave(w, SECOND, INNER, SECOND_BIAS)
        self.third = w[THIRD : THIRD_BIAS + 1]
        self.query = deinterleave(w, QUERY, QUERY_SIZE, QUERY_BIAS)
        self.option = [w[at : at + QUERY_SIZE] for at in range(OPTION, OPTION_BIAS, QUERY_SIZE)]
        self.option_bias = w[OPTION_BIAS:SHOWN]
        self.shown = [w[at : at + QUERY_SIZE] for at in range(SHOWN, HEURISTIC_WEIGHT, QUERY_SIZE)]
        self.heuristic_weights = w[HEURISTIC_WEIGHT:]
        raised = array("I", [each + _OFFSET for each in w[:SECOND]]).tobytes()
        self.first = [int.from_bytes(raised[at : at + 4 * UNITS], "little") for at in range(0, len(raised), 4 * UNITS)]


def deinterleave(w: list[int], at: int, n: int, bias: int) -> list[int]:
    """Return one row per unit as large integers, from interleaved pairs; the last is the bias."""
    rows: list[int] = []
    for unit in range(UNITS):
        pair = w[at + unit // 2 * 2 * n : at + (unit // 2 + 1) * 2 * n]
        rows.append(pack_lanes([each + _OFFSET for each in pair[unit % 2 :: 2]]))
    rows.append(pack_lanes([256 * each + 256 * _OFFSET for each in w[bias : bias + n]]))
    return rows


def pack_lanes(numbers: list[int]) -> int:
    return int.from_bytes(struct.pack(f"<{len(numbers)}Q", *numbers), "little")


def forward_layer(rows: list[int], sums: list[int], n: int) -> tuple[tuple[int, ...], int]:
    """Return the next layer's sums of the positive inputs, in 65536ths, and the offset that they contain."""
    sum = rows[UNITS]
    seen = 256
    unit = 0
    for above in sums:
        if above > 0:
            sum += above * rows[unit]
            seen += above
        unit += 1
    return struct.unpack(_INNER if n == INNER else f"<{n}Q", sum.to_bytes(8 * n, "little")), seen * _OFFSET


def activations(net: Net, bits: list[int]) -> list[int]:
    """Return the activations of the first layer."""
    first = net.first
    sums = first[BITS]
    for bit in bits:
        sums += first[bit]
    up = len(bits) * _OFFSET
    out: list[int] = []
    for raised in struct.unpack(_SUMS, sums.to_bytes(4 * UNITS, "little")):
        sum: i64 = ((raised - up) & 65535) - _OFFSET
        out.append(0 if sum < 0 else MOST_SUM if sum > MOST_SUM else sum)
    return out


def value(net: Net, bits: list[int]) -> i64:
    """Return the chance that the player to decide wins, in 65536ths."""
    third = net.third
    sums, up = forward_layer(net.second, activations(net, bits), INNER)
    logit = third[INNER] * 256
    place = 0
    for raised in sums:
        sum = raised - up
        if sum > 0:
            logit += (sum >> 8) * third[place]
        place += 1
    if logit < -524288:
        logit = -524288
    elif logit > 524288:
        logit = 524288
    at = logit + 524288
    low = LOGISTIC[at >> 11]
    return low + ((LOGISTIC[(at >> 11) + 1] - low) * (at & 2047) >> 11)


def policy_query(net: Net, bits: list[int], out: list[int]) -> None:
    """Fill ``out`` with the policy query."""
    out.clear()
    sums, up = forward_layer(net.query, activations(net, bits), QUERY_SIZE)
    for raised in sums:
        sum = raised - up >> 8
        out.append(-MOST_QUERY if sum < -MOST_QUERY else MOST_QUERY if sum > MOST_QUERY else sum)


def policy_logit(net: Net, query: list[int], row: i64, shown: i64) -> i64:
    """Return the logit of an option in 256ths; ``row`` and ``shown`` are its rows."""
    sum = 0
    place = 0
    second = net.shown[shown]
    for weight in net.option[row]:
        sum += query[place] * (weight + second[place])
        place += 1
    return (sum >> 8) + net.option_bias[row]


def heuristic_weight(net: Net, kind: i64) -> i64:
    """Return the weight of one point of heuristic score for this kind of decision, in 65536ths."""
    return net.heuristic_weights[kind]
