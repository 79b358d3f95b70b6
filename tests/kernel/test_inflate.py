"""Compressed data are unpacked within a limit, or refused before more is held."""

import gzip
import tracemalloc
import zlib

import pytest

from thorp.kernel.errors import DamagedError
from thorp.kernel.inflate import GZIP, ZLIB, inflate

CONTENT = b"agents propose, the world decides, the log remembers" * 100
PACKED = {ZLIB: zlib.compress(CONTENT), GZIP: gzip.compress(CONTENT)}


@pytest.mark.parametrize("form", [ZLIB, GZIP])
def test_what_fits_is_unpacked_to_the_last_byte(form: int) -> None:
    assert inflate(PACKED[form], len(CONTENT), form) == CONTENT
    assert inflate(PACKED[form], 10 * len(CONTENT), form) == CONTENT
    with pytest.raises(DamagedError, match=f"more than {len(CONTENT) - 1} bytes"):
        inflate(PACKED[form], len(CONTENT) - 1, form)


@pytest.mark.parametrize("form", [ZLIB, GZIP])
@pytest.mark.parametrize("spoil", ["cut", "followed", "another form", "flipped", "empty"])
def test_anything_but_one_whole_stream_is_damaged(form: int, spoil: str) -> None:
    packed = PACKED[form]
    spoiled = {
        "cut": packed[:-1],
        "followed": packed + packed,
        "another form": PACKED[ZLIB + GZIP - form],
        "flipped": packed[:30] + bytes([packed[30] ^ 255]) + packed[31:],
        "empty": b"",
    }[spoil]
    with pytest.raises(DamagedError):
        inflate(spoiled, 10 * len(CONTENT), form)


def test_a_bomb_takes_no_more_memory_than_the_limit() -> None:
    most = 2**20
    bomb = zlib.compress(bytes(200 * most), 9)
    assert len(bomb) < most
    tracemalloc.start()
    try:
        with pytest.raises(DamagedError, match="more than"):
            inflate(bomb, most)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * most
