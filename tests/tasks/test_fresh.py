"""Fresh rows: an unseen test that nobody can choose or prepare for."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.tasks.sources import oracles, suite
from thorp.kernel.errors import ConflictError, InvalidError, UnknownError
from thorp.tasks import check_commitment, commit, fresh_rows, judge, new_secret
from thorp.tasks.fresh import FIRST_FRESH_SEED, SECRET_BYTES, read_secret
from thorp.tasks.proof import Oracles
from thorp.tasks.record import MAX_SEED

SECRET = bytes(range(SECRET_BYTES))


def test_rows_follow_from_the_secret() -> None:
    rows = fresh_rows(suite(), SECRET, "build-post", 3)
    assert [row.id for row in rows] == [
        row.id for row in fresh_rows(suite(), SECRET, "build-post", 3)
    ]
    others = fresh_rows(suite(), SECRET[::-1], "build-post", 3)
    assert not {row.seed for row in rows} & {row.seed for row in others}
    assert rows[:2] == fresh_rows(suite(), SECRET, "build-post", 2), "more rows change no row"


def test_fresh_rows_are_in_no_frozen_split() -> None:
    rows = fresh_rows(suite(), SECRET, "remember", 2)
    assert len({row.seed for row in rows}) == len(rows) == 12
    assert all(FIRST_FRESH_SEED <= row.seed <= MAX_SEED for row in rows)
    assert max(row.seed for row in suite().rows.values()) < FIRST_FRESH_SEED


def test_a_secret_is_committed_to_and_revealed() -> None:
    published = commit(SECRET)
    assert published == sha256(SECRET).hexdigest()
    check_commitment(read_secret(SECRET.hex()), published)
    with pytest.raises(ConflictError) as refused:
        check_commitment(SECRET[::-1], published)
    assert refused.value.code == "commitment"
    assert SECRET.hex() not in str(refused.value)


def test_secrets_differ() -> None:
    assert new_secret() != new_secret()
    assert len(new_secret()) == SECRET_BYTES


@pytest.mark.parametrize("text", ["", "00", "zz" * SECRET_BYTES, " " + "00" * SECRET_BYTES])
def test_what_is_no_secret_is_refused(text: str) -> None:
    with pytest.raises(InvalidError) as refused:
        read_secret(text)
    assert refused.value.code == "secret"


def test_rows_that_the_oracle_fails_count_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = fresh_rows(suite(), SECRET, "build-post", 2)
    judged = judge(suite(), rows, oracles())
    assert judged.sound == [row.id for row in rows]
    assert judged.failed == {}
    monkeypatch.setattr(Oracles, "solver", lambda *_: lambda episode: None)
    judged = judge(suite(), rows, oracles())
    assert judged.sound == []
    assert judged.failed == {row.id: "0" for row in rows}


def test_rows_of_nothing_are_refused() -> None:
    with pytest.raises(InvalidError):
        fresh_rows(suite(), SECRET, "build-post", 0)
    with pytest.raises(InvalidError):
        fresh_rows(suite(), b"short", "build-post", 1)
    with pytest.raises(UnknownError):
        fresh_rows(suite(), SECRET, "build-moon", 1)
