"""The reeve goes on with the plan, whatever becomes of one site."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from thorp.village import reeve
from thorp.village.knowledge import Knowledge
from thorp.village.town_plan import WORKS


def test_a_site_whose_survey_is_broken_off_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the way up, which is urgent for whoever comes out of a survey in a pit."""

    def survey(me: Any, work: Any) -> Iterator[None]:
        yield

    monkeypatch.setattr(reeve, "survey", survey)
    me: Any = SimpleNamespace(knowledge=Knowledge(), learn=lambda: None)
    works = [(5, WORKS[5])]
    for _ in range(reeve.SURVEYS):
        script = reeve.survey_around(me, WORKS[5], works)
        next(script)
        script.close()
        assert me.knowledge.done == []
    assert list(reeve.survey_around(me, WORKS[5], works)) == []
    assert me.knowledge.done == [5]
    assert me.knowledge.notes == {}
