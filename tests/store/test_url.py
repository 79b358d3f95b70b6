"""URLs that name a database, and those that are refused, without ever repeating a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from thorp.kernel.errors import InvalidError
from thorp.store.url import open_database


def test_a_relative_path_has_three_slashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_database("sqlite:///ledger.db").close()
    assert (tmp_path / "ledger.db").exists()


def test_an_absolute_path_has_four(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path}/ledger.db").close()
    assert (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ledger.db",
        "sqlite:ledger.db",
        "sqlite://",
        "sqlite:///",
        "sqlite:///directory/",
        "sqlite:///ledger.db?mode=ro",
        "mysql://agnes:hunter2@host/town",
        "postgresql+psycopg://agnes:hunter2@host/town",
        "agnes:hunter2@host/town",
        "postgresql://agnes:hunter2@@host/town",
        "postgresql://agnes:hunter2@[::1/town",
        "postgresql://agnes:hunter2/x@host/town",
        "postgresql://agnes:hunter2?x@host/town",
        "postgresql://agnes:hunter2#x@host/town",
        "postgresql://agnes:x@hunter2@host/town",
    ],
)
def test_a_bad_url_is_refused_with_advice_and_without_the_password(url: str) -> None:
    with pytest.raises(InvalidError, match="write sqlite:///relative/path") as caught:
        open_database(url)
    assert caught.value.code == "bad_url"
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://agnes:hunter2%zz@host/town",
        "postgresql://agnes@host/town?password=hunter2&x=y",
    ],
)
def test_what_the_library_cannot_read_is_not_repeated(url: str) -> None:
    with pytest.raises(InvalidError) as caught:
        open_database(url)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
