"""The error root: every refusal says what, where and how to go on."""

from __future__ import annotations

import pickle

import pytest

from thorp.kernel.errors import ContractError, InvalidError, LimitError, ThorpError, Violation, item, member


def test_paths() -> None:
    assert member(item(member("$", "quests"), 3), "title") == "$.quests[3].title"
    assert member("$", 'odd "key"') == '$["odd \\"key\\""]'


def test_a_refusal_shows_its_path_only_when_it_has_one() -> None:
    assert str(LimitError("too many")) == "too many"
    assert str(InvalidError("not a number", path="$.a")) == "$.a: not a number"
    assert InvalidError("x").code == "invalid"
    assert InvalidError("x", code="special").code == "special"


def test_a_contract_error_carries_every_violation() -> None:
    error = ContractError(
        [Violation("type", "$.a", "must be a string"), Violation("range", "$.b", "too big")]
    )
    assert isinstance(error, ThorpError)
    assert (error.code, error.path, len(error.violations)) == ("type", "$.a", 2)
    assert str(error) == "$.a: must be a string (and 1 more)"


@pytest.mark.parametrize(
    "error",
    [InvalidError("no", code="c", path="$.a"), ContractError([Violation("type", "$.a", "must be a string")])],
    ids=["refusal", "contract"],
)
def test_errors_cross_between_processes(error: ThorpError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.code, copy.path) == (type(error), str(error), error.code, error.path)


def test_a_contract_error_without_violations_is_a_mistake() -> None:
    with pytest.raises(ValueError):
        ContractError([])
