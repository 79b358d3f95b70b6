"""One agent's side of the protocol, without I/O: its cases, and what holds whatever comes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol import samples
from thorp.kernel.errors import IllegalError, LimitError
from thorp.protocol import MAX_ACTIONS, Catalog, Obs, Welcome
from thorp.protocol.actions import Say
from thorp.protocol.obs import Voxels
from thorp.protocol.outcome import Outcome
from thorp.protocol.session import AgentSession, Phase, Request, RequestState, Settled
from thorp.protocol.testing import SessionSuite

decode = msgspec.json.Decoder(Welcome | Catalog | Obs).decode
SAY = {"type": "SAY", "text": "hi", "channel": "LOCAL"}
MINE = {"type": "MINE", "block_pos": [1, 2, 3]}


class TestOurSession(SessionSuite):
    def make_session(self, name: str) -> AgentSession:
        return AgentSession(name)


class Broken(AgentSession):
    """Forgets to look at tasks: a suite that passes it proves nothing."""

    def _take_event(self, event: dict[str, Any]) -> None:
        if event.get("type") == "ACTION_RESULT":
            super()._take_event(event)


def test_the_suite_finds_a_session_that_is_wrong() -> None:
    class Wrong(SessionSuite):
        def make_session(self, name: str) -> AgentSession:
            return Broken(name)

    with pytest.raises(AssertionError, match="a task runs until TASK_DONE: step 8"):
        Wrong().test_every_case()


def message(fields: dict[str, Any]) -> Any:
    return decode(msgspec.json.encode(fields))


def live(tick: int = 1) -> AgentSession:
    session = AgentSession("s")
    session.receive(message(samples.welcome()))
    session.receive(message(samples.obs(tick)))
    return session


def test_nothing_can_be_sent_before_the_first_observation_or_after_the_end() -> None:
    session = AgentSession("s")
    with pytest.raises(IllegalError, match="before the first observation"):
        session.do(SAY)
    session = live()
    session.end("closed")
    with pytest.raises(IllegalError):
        session.act()
    with pytest.raises(IllegalError, match="over"):
        session.receive(message(samples.obs(2)))


def test_an_act_holds_no_more_than_the_world_reads() -> None:
    session = live()
    requests = [session.request(SAY) for _ in range(MAX_ACTIONS)]
    session.act(requests)
    with pytest.raises(LimitError):
        session.act(requests, cancel=["T1"])
    assert len(session.take_frames()) == 1


def test_an_id_of_the_agents_own_is_kept_and_ours_are_all_different() -> None:
    session = live()
    own = session.request({**SAY, "id": "mine"})
    typed = session.request(Say(text="hi", channel=None))
    other = session.request(SAY)
    assert own.ref == "mine"
    assert len({own.ref, typed.ref, other.ref}) == 3
    assert typed.action["type"] == "SAY"


def test_an_intent_is_sent_once_until_it_changes() -> None:
    session = live()
    session.intent = "I am bored."
    session.act()
    session.act()
    session.intent = "I am busy."
    session.act()
    intents = [frame.get("intent") for frame in session.take_frames()]
    assert intents == ["I am bored.", None, "I am busy."]


def test_catalogs_come_in_parts_and_name_the_blocks() -> None:
    session = AgentSession("s")
    for part, names in enumerate((["AIR", "DIRT"], ["GRASS"]), 1):
        fields = {"type": "CATALOG", "name": "block_palette", "digest": "", "data": names}
        session.receive(message({**fields, "part": part, "total_parts": 2}))
    assert session.catalogs["block_palette"] == ["AIR", "DIRT", "GRASS"]
    cells = samples.cube({(1, 0, 0): 2})
    session.blocks.take(msgspec.convert(samples.voxels(cells=cells), Voxels))
    assert list(session.blocks.find_all("GRASS")) == [(1, 20, 0)]


# Whatever the world sends in whatever order, each request is settled once, and every one in the
# end.

TASK_IDS = ("T1", "T2", "T3")
events = st.one_of(
    st.builds(
        lambda number, ok, code, task: {
            "type": "ACTION_RESULT",
            "ref": f"s-{number}",
            "ok": ok,
            "code": code,
            **({"task_id": task} if task and ok else {}),
        },
        st.integers(1, 8),
        st.booleans(),
        st.sampled_from(["", "E_STALE", "E_BLOCKED"]),
        st.sampled_from(["", *TASK_IDS]),
    ),
    st.builds(
        lambda code: {"type": "ACTION_RESULT", "ref": "ACT", "ok": False, "code": code},
        st.sampled_from(["E_STALE", "E_BAD_REQUEST"]),
    ),
    st.builds(
        lambda kind, task: {"type": kind, "task_id": task},
        st.sampled_from(["TASK_DONE", "TASK_FAIL"]),
        st.sampled_from(TASK_IDS),
    ),
)
steps = st.one_of(
    st.tuples(st.just("obs"), st.integers(1, 6), st.lists(events, max_size=4)),
    st.tuples(st.just("do"), st.sampled_from([SAY, MINE]), st.none() | st.integers(1, 9)),
    st.tuples(st.just("act"), st.integers(0, 2), st.sampled_from([(), ("T1",)])),
    st.tuples(st.just("lost"), st.none(), st.none()),
    st.tuples(st.just("welcome"), st.sampled_from(["A1", "A2"]), st.none()),
    st.tuples(st.just("abandon"), st.integers(0, 7), st.none()),
)


class Life:
    """A session with a random world, and every request that was made of it."""

    def __init__(self) -> None:
        self.session = AgentSession("s")
        self.requests: list[Request] = []
        self.settled: list[Request] = []
        self.tick = 0

    def receive(self, fields: dict[str, Any]) -> None:
        self.note(self.session.receive(message(fields)))

    def note(self, happened: list[Any]) -> None:
        self.settled += [event.request for event in happened if isinstance(event, Settled)]

    def step(self, kind: str, first: Any, second: Any) -> None:
        is_live = self.session.phase is Phase.LIVE
        if kind == "obs":
            self.tick += first
            heard = [{"t": self.tick, **event} for event in second]
            self.receive(samples.obs(self.tick, events=heard))
        elif kind == "welcome":
            self.receive(samples.welcome(agent_id=first))
        elif kind == "lost":
            self.session.connection_lost()
        elif kind == "do" and is_live:
            self.requests.append(self.session.do(first, ticks=second))
        elif kind == "act" and is_live:
            requests = [self.session.request(SAY) for _ in range(first)]
            self.requests += requests
            self.session.act(requests, cancel=second)
        elif kind == "abandon" and first < len(self.requests):
            self.session.abandon(self.requests[first], Outcome(False))
        for frame in self.session.take_frames():
            assert frame["tick"] == self.session.tick
            assert frame["agent_id"] == self.session.agent_id


@given(st.lists(steps, max_size=40))
def test_each_request_is_settled_once_and_every_one_in_the_end(plan: list[Any]) -> None:
    life = Life()
    for step in plan:
        life.step(*step)
    life.note(life.session.end("closed"))
    own = set(map(id, life.requests))
    settled = [id(request) for request in life.settled if id(request) in own]
    assert len(settled) == len(set(settled)) == len(own)
    for request in life.requests:
        assert request.state is RequestState.SETTLED
        assert request.outcome is not None
