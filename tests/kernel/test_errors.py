"""Kinds of errors at a border: one table, and a document from which the same error comes back."""

from __future__ import annotations

import pytest

from thorp.kernel.errors import (
    KINDS,
    ContractError,
    IllegalError,
    ThorpError,
    UnavailableError,
    UnknownError,
    Violation,
    error_document,
    error_of,
    kind_of,
)
from thorp.store import ConnectionLost
from thorp.town.handoff_judge import UnknownTown


class OwnKind(IllegalError):
    code = "own"


def test_every_kind_is_found_and_named_once() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        made: ThorpError = (
            ContractError([Violation("c", "$", "m")])
            if kind.error is ContractError
            else kind.error("m")
        )
        assert kind_of(made) is kind
    assert kind_of(OwnKind("no")).name == "illegal"


@pytest.mark.parametrize(
    ("error", "kind", "status", "retry"),
    [
        (UnknownTown("thornwick"), UnknownError, 404, False),
        (ConnectionLost("away"), UnavailableError, 503, True),
        (OwnKind("no", path="$.a"), IllegalError, 409, False),
        (
            ContractError([Violation("a", "$.x", "m"), Violation("b", "$.y", "n")]),
            ContractError,
            400,
            False,
        ),
    ],
)
def test_an_error_comes_back_from_its_document(
    error: ThorpError, kind: type[ThorpError], status: int, retry: bool
) -> None:
    found = kind_of(error)
    assert (found.error, found.http_status, found.exit_code, found.retry) == (
        kind,
        status,
        2,
        retry,
    )
    told = error_document(error)["error"]
    again = error_of(told["kind"], told["code"], [Violation(**each) for each in told["violations"]])
    assert (type(again), again.code, again.path, str(again)) == (
        kind,
        error.code,
        error.path,
        str(error),
    )
