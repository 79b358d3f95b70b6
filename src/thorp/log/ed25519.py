"""Checks Ed25519 signatures in plain Python (RFC 8032, section 5.1.7).

Only verification is here, which handles no secrets; signing is left to a library that protects
them. The check is that of Go and OpenSSL: S below the group's order, no cofactor, and the encoded
point compared with R.

Points are in extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z.
"""

from hashlib import sha512
from typing import Final

PUBLIC_KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_D2: Final = 2 * _D % _P
_SQRT_MINUS_1: Final = pow(2, (_P - 1) // 4, _P)

Point = tuple[int, int, int, int]
_NEUTRAL: Final[Point] = (0, 1, 1, 0)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of a public key has signed a message with this signature."""
    if len(public_key) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    owner = _decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if owner is None or s >= _ORDER:
        return False
    r = signature[:32]
    challenge = int.from_bytes(sha512(r + public_key + message).digest(), "little") % _ORDER
    x, y, z, t = owner
    minus_owner = (-x % _P, y, z, -t % _P)
    x, y, z, _ = _sum_of_products(s, challenge, minus_owner)
    inverse = pow(z, -1, _P)
    x = x * inverse % _P
    y = y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little") == r


def _decode(data: bytes) -> Point | None:
    """The point that 32 bytes encode; None if they encode none."""
    number = int.from_bytes(data, "little")
    sign = number >> 255
    y = number & (1 << 255) - 1
    if y >= _P:
        return None
    x = _root(y)
    if x is None or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _root(y: int) -> int | None:
    """One of the two x of a y on the curve; None if there is none."""
    u = (y * y - 1) % _P
    v = (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == u:
        return x
    if v * x * x % _P == -u % _P:
        return x * _SQRT_MINUS_1 % _P
    return None


def _add(first: Point, second: Point) -> Point:
    """The sum of two points, which may be the same."""
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = t1 * _D2 % _P * t2 % _P
    d = 2 * z1 * z2 % _P
    e = b - a
    f = d - c
    g = d + c
    h = b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


_BASE: Final = _decode((4 * pow(5, -1, _P) % _P).to_bytes(32, "little")) or _NEUTRAL
assert _BASE != _NEUTRAL, "the base point is the one with y = 4/5 and an even x"


def _sum_of_products(s: int, k: int, point: Point) -> Point:
    """s times the base point plus k times another, both in one pass over the bits."""
    result = _NEUTRAL
    for shift in range(255, -1, -1):
        result = _add(result, result)
        if s >> shift & 1:
            result = _add(result, _BASE)
        if k >> shift & 1:
            result = _add(result, point)
    return result
