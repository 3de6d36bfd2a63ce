"""Verification of Ed25519 signatures (RFC 8032) without a library: a page's worker has none, and a game has few.

Points are in extended coordinates ``(x, y, z, t)`` with ``x = X / Z``, ``y = Y / Z``, ``t = X * Y / Z``.
"""

from __future__ import annotations

import hashlib
from typing import Final

Point = tuple[int, int, int, int]

P: Final = 2**255 - 19
#: order of the base point
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE: Final = pow(2, (P - 1) // 4, P)
ZERO: Final[Point] = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(factor: int, point: Point) -> Point:
    total = ZERO
    while factor > 0:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def is_equal(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def parse_point(data: bytes) -> Point:
    """Return the point of an encoding; raise `ValueError` if there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if len(data) != 32 or y >= P:
        raise ValueError("not an encoded point")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not on the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE: Final = parse_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_valid(public: bytes, data: bytes, signature: bytes) -> bool:
    """Return True if the signature of the data is by this public key; raise `ValueError` if one is malformed."""
    if len(public) != 32 or len(signature) != 64:
        raise ValueError("a key has 32 bytes, a signature 64")
    key, first = parse_point(public), parse_point(signature[:32])
    second = int.from_bytes(signature[32:], "little")
    if second >= ORDER:
        return False
    hashed = hashlib.sha512(signature[:32] + public + data).digest()
    challenge = int.from_bytes(hashed, "little") % ORDER
    return is_equal(multiply(second, BASE), add(first, multiply(challenge, key)))
