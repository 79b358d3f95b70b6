"""Both writers against JavaScript itself: 100,000 random doubles and, in the long run, as many
documents."""

from __future__ import annotations

import json
import random
import struct
import subprocess
from typing import Any

import pytest

from thorp.kernel.canonical import canonical_text, insertion_text
from thorp.kernel.numbers import number_text

COUNT = 100_000
CHUNKS = 4
pytestmark = pytest.mark.real("node")

NUMBERS = """
const view = new DataView(new ArrayBuffer(8));
for (const bits of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {
  view.setBigUint64(0, BigInt('0x' + bits));
  console.log(String(view.getFloat64(0)));
}
"""
DOCUMENTS = """
const sorted = (value) => {
  if (Array.isArray(value)) return '[' + value.map(sorted).join(',') + ']';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const member = (key) => JSON.stringify(key) + ':' + sorted(value[key]);
  return '{' + Object.keys(value).sort().map(member).join(',') + '}';
};
for (const line of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {
  const value = JSON.parse(line);
  console.log(JSON.stringify(value));
  console.log(sorted(value));
}
"""


def node(script: str, lines: list[str]) -> list[str]:
    done = subprocess.run(
        ["node", "-e", script],
        input="\n".join(lines).encode(),
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode("utf-8").split("\n")[:-1]


def random_double(draw: random.Random) -> float:
    while True:
        shape = draw.randrange(5)
        if shape == 0:
            (value,) = struct.unpack(">d", draw.randbytes(8))
        elif shape == 1:
            value = float(draw.randrange(-(2**64), 2**64))
        elif shape == 2:
            value = draw.randrange(10**6) / 10 ** draw.randrange(12)
        elif shape == 3:
            value = draw.choice([-1, 1]) * 10.0 ** draw.randrange(-30, 30) * draw.randrange(1, 1000)
        else:
            value = draw.uniform(-1, 1) * 10.0 ** draw.randrange(-10, 25)
        if value == value and abs(value) != float("inf"):
            return value


def random_text(draw: random.Random) -> str:
    pools = ["abcxyz", "0123456789", '"\\\b\t\n\f\r\x00\x1f\x7f', "éß€漢\u2028\ue000\uffff", "😀𐀀"]
    return "".join(draw.choice(draw.choice(pools)) for _ in range(draw.randrange(6)))


def random_value(draw: random.Random, depth: int) -> Any:
    shape = draw.randrange(4 if depth == 0 else 8)
    if shape == 0:
        return draw.choice([None, True, False, draw.randrange(-1000, 1000)])
    if shape == 1:
        return draw.randrange(-(2**70), 2**70) if draw.randrange(4) == 0 else draw.randrange(2**53)
    if shape == 2:
        return random_double(draw)
    if shape == 3:
        return random_text(draw)
    if shape < 6:
        return [random_value(draw, depth - 1) for _ in range(draw.randrange(4))]
    keys = [
        str(draw.randrange(20)) if draw.randrange(3) == 0 else random_text(draw) for _ in range(4)
    ]
    return {key: random_value(draw, depth - 1) for key in keys}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_doubles(chunk: int) -> None:
    draw = random.Random(f"doubles {chunk}")
    values = [random_double(draw) for _ in range(COUNT // CHUNKS)]
    expected = node(NUMBERS, [struct.pack(">d", value).hex() for value in values])
    assert len(expected) == COUNT // CHUNKS
    assert [number_text(value) for value in values] == expected


LONG = [pytest.param(chunk, marks=pytest.mark.long) for chunk in range(4, 20)]


@pytest.mark.parametrize("chunk", [*range(4), *LONG])
def test_documents(chunk: int) -> None:
    draw = random.Random(f"documents {chunk}")
    values = [random_value(draw, 3) for _ in range(COUNT // 20)]
    expected = node(DOCUMENTS, [json.dumps(value) for value in values])
    assert len(expected) == 2 * len(values)
    for value, inserted, ordered in zip(values, expected[::2], expected[1::2], strict=True):
        assert insertion_text(value) == inserted
        assert canonical_text(value) == ordered
