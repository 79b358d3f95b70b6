"""The line of a record: JSON for everyone, and exact to the byte for us."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError, LimitError
from thorp.store.record import (
    GENESIS,
    MARK,
    MAX_RECORD_BYTES,
    check_payload,
    decode_line,
    encode_batch,
)

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
).map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
PAYLOADS = JSON_VALUES.filter(lambda payload: b"\\ud" not in payload and b"\xed" not in payload)


def test_a_known_line() -> None:
    """The format is frozen: these bytes are what version 2 writes."""
    data, tip = encode_batch([b'{"tick":41}', b'"\xc3\xa9"'], first=7, synced=6, prev=GENESIS)
    first, second = (
        b"410158b6bcf2436493e12fae105d693f38fb2c1f69d0c282cf537e7331f9ed51",
        b"1aa040191362dcb778ddab2a6140b6da2d8d44878a64c033edc8c7eb95e3a0e8",
    )
    assert data == (
        b'{\t"hash":"' + first + b'","prev":"' + GENESIS + b'",'
        b'"n":7,"synced":6,"left":1,"data":{"tick":41}}\n'
        b'{\t"hash":"' + second + b'","prev":"' + first + b'",'
        b'"n":8,"synced":6,"left":0,"data":"\xc3\xa9"}\n'
    )
    assert tip == second


def test_a_known_line_of_a_journal_of_version_1() -> None:
    """Its links are half as long; a journal that has them goes on with them."""
    data, tip = encode_batch([b'{"tick":41}', b'"\xc3\xa9"'], first=7, synced=6, prev=GENESIS[:32])
    assert data == (
        b'{\t"hash":"922376facdf532dda732b79b23e8d8b9","prev":"00000000000000000000000000000000",'
        b'"n":7,"synced":6,"left":1,"data":{"tick":41}}\n'
        b'{\t"hash":"114c96bfab06c5401faadd25757c4cb7","prev":"922376facdf532dda732b79b23e8d8b9",'
        b'"n":8,"synced":6,"left":0,"data":"\xc3\xa9"}\n'
    )
    assert tip == data.splitlines()[1][len(MARK) : len(MARK) + 32]


def test_the_hash_can_be_checked_with_common_tools() -> None:
    data, tip = encode_batch([b'{"a":1}'], first=1, synced=1, prev=GENESIS)
    rest = data[data.index(b'"prev"') : -1]
    assert sha256(rest).hexdigest().encode() == tip


@given(st.lists(PAYLOADS, min_size=1, max_size=5), st.integers(0, 10**17), st.integers(0, 10**17))
def test_lines_come_back_as_they_went(payloads: list[bytes], first: int, synced: int) -> None:
    for index, payload in enumerate(payloads):
        check_payload(payload, index)
    data, tip = encode_batch(payloads, first=first, synced=synced, prev=GENESIS)
    lines = data.splitlines(keepends=True)
    records = [record for line in lines if (record := decode_line(line)) is not None]
    assert [record.data for record in records] == payloads
    assert [record.n for record in records] == list(range(first, first + len(payloads)))
    assert [record.left for record in records] == list(reversed(range(len(payloads))))
    assert {record.synced for record in records} == {synced}
    assert [record.prev for record in records] == [
        GENESIS,
        *(record.hash for record in records[:-1]),
    ]
    assert records[-1].hash == tip
    for line, payload in zip(lines, payloads, strict=True):
        assert json.loads(line)["data"] == json.loads(payload)


@given(PAYLOADS, st.data())
def test_any_other_byte_is_noticed(payload: bytes, data: st.DataObject) -> None:
    line, _ = encode_batch([payload], first=3, synced=2, prev=GENESIS)
    at = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != line[at]))
    assert decode_line(line[:at] + bytes([byte]) + line[at + 1 :]) is None


@given(PAYLOADS, st.data())
def test_any_cut_is_noticed(payload: bytes, data: st.DataObject) -> None:
    line, _ = encode_batch([payload], first=3, synced=2, prev=GENESIS)
    assert decode_line(line[: data.draw(st.integers(0, len(line) - 1))]) is None


def test_a_payload_cannot_look_like_a_record() -> None:
    line, _ = encode_batch([b"1"], first=5, synced=5, prev=GENESIS)
    with pytest.raises(InvalidError, match="one line"):
        check_payload(line[:-1], 0)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"{}{}",
        b"[1,]",
        b"nul",
        b"NaN",
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'{"a":\n1}',
        b'{"a":\t1}',
        b'{"a":1}\r',
        b'"a\x01b"',
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_what_is_not_one_json_value_on_one_line_is_refused(payload: bytes) -> None:
    with pytest.raises(InvalidError) as caught:
        check_payload(payload, 4)
    assert (caught.value.code, caught.value.path) == ("invalid", "$[4]")


def test_the_limit_is_a_limit() -> None:
    check_payload(b'"' + b"x" * (MAX_RECORD_BYTES - 2) + b'"', 0)
    with pytest.raises(LimitError) as caught:
        check_payload(b'"' + b"x" * (MAX_RECORD_BYTES - 1) + b'"', 0)
    assert caught.value.code == "record_too_long"
