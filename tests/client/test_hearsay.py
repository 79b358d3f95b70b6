"""What an agent makes of the data in others' words."""

from __future__ import annotations

from typing import Any

import pytest

from thorp.client import hearsay
from thorp.client.hearsay import Hearsay, Job, Plot, jobs_at
from thorp.protocol.obs import Event

JOB = {
    "contract": "C000007",
    "terminal": "CONTRACT_TERMINAL@0,27,2",
    "kind": "DELIVER",
    "give": [["STONE", 4]],
    "get": [["PLANK", 20]],
    "deadline_tick": 43620,
}
PLOT = {"sign": "SIGN@20,27,8", "pos": [20, 27, 8], "low": [17, 24, 8], "high": [23, 35, 14]}


def chat(data: Any = None, text: str = "", speaker: str = "A18", channel: str = "WHISPER") -> Event:
    event = {"t": 1, "type": "CHAT", "from": speaker, "channel": channel, "text": text}
    return event if data is None else {**event, "data": data}


def test_a_job_is_told_with_its_terms() -> None:
    said = Hearsay()
    said.take(chat({"job": JOB}))
    assert said.jobs == {
        "C000007": Job(
            contract="C000007",
            terminal="CONTRACT_TERMINAL@0,27,2",
            kind="DELIVER",
            give={"STONE": 4},
            get={"PLANK": 20},
            deadline_tick=43620,
            told_by="A18",
        )
    }


def test_a_job_may_leave_its_terms_out() -> None:
    said = Hearsay()
    said.take(chat({"job": {"contract": "C000009", "terminal": "CONTRACT_TERMINAL@0,27,2"}}))
    assert said.jobs["C000009"].give == {}
    assert said.jobs["C000009"].deadline_tick is None


@pytest.mark.parametrize("state", ["ACCEPTED", "COMPLETED", "FAILED"])
def test_a_job_that_is_not_open_any_more_is_dropped(state: str) -> None:
    said = Hearsay()
    said.take(chat({"job": JOB}))
    said.take({"t": 2, "type": "CONTRACT", "contract_id": "C000007", "state": state})
    assert said.jobs == {}


def test_places_and_a_plot_are_kept() -> None:
    said = Hearsay()
    said.take(chat({"places": {"plaza": [0, 27, 0], "store": "CHEST@-2,27,1"}, "plot": PLOT}))
    assert said.places == {"plaza": (0, 27, 0), "store": "CHEST@-2,27,1"}
    assert said.plot == Plot(
        sign="SIGN@20,27,8",
        pos=(20, 27, 8),
        low=(17, 24, 8),
        high=(23, 35, 14),
        told_by="A18",
    )


def test_a_plot_that_is_said_to_everybody_is_nobodys() -> None:
    said = Hearsay()
    said.take(chat({"plot": PLOT}, channel="MARKET"))
    assert said.plot is None


@pytest.mark.parametrize(
    "data",
    [
        "a text",
        ["a list"],
        {"job": "C000007"},
        {"job": {"contract": "C000007"}},
        {"job": {**JOB, "give": {"STONE": 4}}},
        {"job": {**JOB, "give": [["STONE", "four"]]}},
        {"places": [1, 2, 3]},
        {"places": {"plaza": [0, 27]}},
        {"plot": {**PLOT, "pos": "here"}},
        {"plot": None, "job": None},
    ],
)
def test_data_that_cannot_be_understood_is_passed_over(data: Any) -> None:
    said = Hearsay()
    said.take(chat(data))
    assert (said.jobs, said.places, said.plot) == ({}, {}, None)


def test_no_talk_fills_the_memory() -> None:
    said = Hearsay()
    for number in range(2 * hearsay.MAX_JOBS):
        places = {f"place {number}": [number, 0, 0]}
        said.take(chat({"job": {**JOB, "contract": f"C{number:06}"}, "places": places}))
    assert len(said.jobs) == hearsay.MAX_JOBS
    assert len(said.places) == hearsay.MAX_PLACES
    assert next(iter(said.jobs)) == f"C{hearsay.MAX_JOBS:06}", "the newest are kept"


def test_another_body_was_told_nothing() -> None:
    said = Hearsay()
    said.take(chat({"job": JOB, "places": {"plaza": [0, 27, 0]}, "plot": PLOT}))
    said.forget()
    assert (said.jobs, said.places, said.plot) == ({}, {}, None)


def test_what_a_terminal_shows_are_jobs_unless_they_are_taken_or_ones_own() -> None:
    def contract(name: str, state: str, poster: str) -> dict[str, Any]:
        return {
            "contract_id": name,
            "state": state,
            "kind": "GATHER",
            "poster": poster,
            "deadline_tick": 900,
            "requirements": [{"item": "COAL", "count": 2}],
            "reward": [{"item": "PLANK", "count": 3}],
        }

    contracts = [
        contract("C1", "OPEN", "A2"),
        contract("C2", "ACCEPTED", "A2"),
        contract("C3", "OPEN", "A1"),
    ]
    (job,) = jobs_at("CONTRACT_TERMINAL@1,2,3", {"contracts": contracts}, me="A1")
    assert (job.contract, job.give, job.get) == ("C1", {"COAL": 2}, {"PLANK": 3})
    assert jobs_at("CHEST@1,2,3", {"inventory": []}, me="A1") == []
