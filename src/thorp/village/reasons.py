"""Why somebody did what it did at a tick: what it knew then, and which job it was at.

What it knew is in the journal: its observation, its memory, what it was told. The job of a scripted
villager is not; but a script does the same whenever it sees the same. So the villager lives again
from its last arrival on, on the observations of that time. Its acts are compared with those in the
journal, and if one differs, as it does if somebody else had the body, nothing is claimed about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError
from thorp.protocol.act import read_act
from thorp.protocol.obs import Obs
from thorp.village.roster import ROSTER, villager
from thorp.village.villager import MEMORY, Villager
from thorp.voxel import Acted, Agent, World
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History, Watch

LIVED_AGAIN: Final = 60_000
"""Ticks that a villager lives again: ten days. A longer life takes minutes."""
ACTS_BACK: Final = 500  # Ticks in which the last act of somebody is looked for.
HEARD: Final = 20  # Events that it was told last.
MEMORY_CHARS: Final = 4_000  # Of one note of its memory.
NOT_RECORDED: Final = "not recorded"
RECOMPUTED: Final = "recomputed"
CHECK_EVERY: Final = 500  # Ticks between two digests that are compared.

UNREAD: Final = "?"
"""The type of an action that was not taken as it was sent."""

NEEDS: Final = {
    "food from afar": "food: it starves, and has none",
    "pit": "a way out of where it is stuck",
    "way up": "a way up from below the ground",
    "warmth": "warmth: it freezes and is hurt",
    "meal": "food: it has little to eat",
    "berries for oneself": "food: it has little, and the store has none",
    "rest": "sleep: it is night",
    "lost goods": "what it lost when it fell",
}
"""What a job of survival is for. The others serve its trade, its wish or its town."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Obs).decode


class Note(msgspec.Struct, kw_only=True):
    """A note of somebody's memory."""

    key: str
    value: str
    chars: int
    """How long it is as a whole."""


class LastAct(msgspec.Struct, kw_only=True):
    """What somebody sent last, up to a tick."""

    tick: int
    """The tick in which it was applied."""
    intent: str
    actions: list[dict[str, Any]]


class WeighedJob(msgspec.Struct, kw_only=True):
    """A job of a villager's table, as it stood after a tick."""

    name: str
    is_due: bool
    put_off_until: int | None
    chosen: bool


class Script(msgspec.Struct, kw_only=True):
    """What a scripted villager was at."""

    basis: str
    """`recomputed` or `not recorded`."""
    why_not: str | None = None
    trade: str | None = None
    job: str | None = None
    since: int | None = None
    need: str | None = None
    thought: str | None = None
    wish: str | None = None
    jobs: list[WeighedJob] = []
    """Its jobs down to the one that it drew, the most urgent first."""
    acts: int = 0
    """How many acts of the journal were compared; all of them were the same."""


class Reasons(msgspec.Struct, kw_only=True):
    """What somebody knew at a tick, and why it did what it did."""

    agent: str
    name: str
    tick: int
    observation: dict[str, Any]
    """Its OBS after the tick, without the blocks."""
    heard: list[dict[str, Any]]
    """What it was told last, the newest last."""
    memory: list[Note]
    last_act: LastAct | None
    organisation: str
    script: Script


def explain_agent(
    directory: WorldDirectory, who: str, at: int, *, watch: Watch = lambda _: None
) -> Reasons:
    """What an agent, by its id or its name, knew after a tick, and which job it was at. Refuses as
    `agent` if nobody of that name was there, and as `range` if the tick has not come."""
    history = _history(directory, at - ACTS_BACK)
    acts: dict[int, list[tuple[int, Acted]]] = {}

    def look(tick: int) -> None:
        watch(tick)
        for entry in [] if history.record is None else history.record.inputs:
            if isinstance(entry, Acted):
                acts[entry.agent] = [(tick, entry)]

    world = history.go(to_tick=at, check_every=CHECK_EVERY, watch=look)
    agent = _find(world, who, at)
    last = acts.get(agent.number, [])
    return Reasons(
        agent=agent.id,
        name=agent.name,
        tick=at,
        observation=_observation(world, agent),
        heard=[msgspec.json.decode(each.text) for each in agent.event_log.events[-HEARD:]],
        memory=[
            Note(key=key, value=memo.value[:MEMORY_CHARS], chars=len(memo.value))
            for key, memo in sorted(agent.memory.items())
        ],
        last_act=_last_act(*last[-1]) if last else None,
        organisation=agent.org,
        script=_script(directory, agent, at, watch),
    )


def _history(directory: WorldDirectory, at_most: int) -> History:
    """A history of the world that begins no later than with a tick."""
    begin = max(0, at_most)
    return History.begin(directory.disk, directory.path, new_city_world, at_most=begin)


def _find(world: World, who: str, at: int) -> Agent:
    agent = world.agent_by_id(who)
    named = [agent] if agent is not None else [each for each in world.agents if each.name == who]
    if not named:
        raise IllegalError(
            f"nobody is called {who!r} after tick {at}; `thorp world agents` lists everyone of now",
            code="agent",
        )
    if len(named) > 1:
        ids = ", ".join(each.id for each in named[:8])
        raise IllegalError(
            f"{len(named)} agents are called {who!r}: give an id ({ids})", code="ambiguous"
        )
    return named[0]


def _observation(world: World, agent: Agent) -> dict[str, Any]:
    session = Session(agent.number)
    compose(world, [session])
    observation: dict[str, Any] = msgspec.json.decode(session.take() or b"{}")
    for part in ("events", "voxels", "memory"):
        observation.pop(part, None)
    return observation


def _last_act(tick: int, entry: Acted) -> LastAct:
    fields: dict[str, Any] = msgspec.to_builtins(entry.act)
    return LastAct(
        tick=tick,
        intent=str(fields.get("intent") or ""),
        actions=[*fields.get("instants", []), *fields.get("tasks", [])],
    )


# A villager's life, once more


def _script(directory: WorldDirectory, agent: Agent, at: int, watch: Watch) -> Script:
    """What a villager was at, by its script; or why nobody knows."""
    if agent.name not in ROSTER or MEMORY not in agent.memory:
        return Script(basis=NOT_RECORDED, why_not="it is no scripted villager")
    if not agent.attached:
        return Script(basis=NOT_RECORDED, why_not="it was away, and its body slept")
    since = max(agent.joined_tick, agent.came_tick)
    if at - since > LIVED_AGAIN:
        why = f"it came in {at - since} ticks before; at most {LIVED_AGAIN} are lived again"
        return Script(basis=NOT_RECORDED, why_not=why)
    history = _history(directory, since - 1)
    first = _first_answered(directory, agent.number, since, at)
    if first is None:
        return Script(basis=NOT_RECORDED, why_not="it has not acted since it came in")
    life = _Life(history, agent.number, agent.name, first)

    def look(tick: int) -> None:
        watch(tick)
        life.look(tick)

    history.go(to_tick=at, check_every=CHECK_EVERY, watch=look)
    return life.script()


def _first_answered(directory: WorldDirectory, number: int, since: int, at: int) -> int | None:
    """The tick of the first observation that somebody answered since it came in: a script answers
    the first that it sees."""
    for segment in directory.segments(after=since - 1):
        for record in segment.ticks(None, after=since - 1):
            if record.tick > at:
                return None
            for entry in record.inputs:
                if isinstance(entry, Acted) and entry.agent == number:
                    return entry.act.tick
    return None


class _Life:
    """A villager who lives again beside the journal."""

    def __init__(self, history: History, number: int, name: str, since: int) -> None:
        self._history = history
        self._number = number
        self._since = since
        self._me = villager(name, msgspec.to_builtins(history.world.catalogs.lists()))
        self._session: Session | None = None
        self._sent: dict[int, Any] = {}
        """What the script wanted to send in answer to the observation of a tick."""
        self._acts = 0
        self._differs: int | None = None

    def look(self, tick: int) -> None:
        """Compare what was sent with what the script wanted; then see what comes."""
        if tick < self._since:
            return
        world = self._history.world
        agent = world.agents.get(self._number)
        if agent is None or self._differs is not None:
            return
        if self._session is None:
            self._session = Session(self._number, cursor=agent.seen)
        else:
            self._compare(tick)
        if not (self._session.is_behind(agent.event_log) or tick >= self._me.wake_tick):
            return
        compose(world, [self._session])
        frame = self._session.take()
        act = None if frame is None else self._me.take(_decode(frame))
        if act is not None:
            self._sent[tick] = msgspec.to_builtins(read_act(_encode(act)))

    def _compare(self, tick: int) -> None:
        record = self._history.record
        for entry in [] if record is None else record.inputs:
            if isinstance(entry, Acted) and entry.agent == self._number:
                self._acts += 1
                wanted = self._sent.pop(entry.act.tick, None)
                if wanted is None or not _is_same(wanted, msgspec.to_builtins(entry.act)):
                    self._differs = tick
                    return

    def script(self) -> Script:
        """What the villager is at now."""
        if self._differs is not None:
            why = f"what it sent in tick {self._differs} is not what its script sends"
            return Script(basis=NOT_RECORDED, why_not=why)
        me = self._me
        if not me.job:
            return Script(basis=NOT_RECORDED, why_not="it has just come in", trade=me.trade)
        wish = me.knowledge.wish
        return Script(
            basis=RECOMPUTED,
            trade=me.trade,
            job=me.job,
            since=me.job_tick,
            need=NEEDS.get(me.job, f"its work as {me.trade}"),
            thought=me.intent,
            wish=None if wish is None else " ".join(filter(None, (wish.kind, wish.thing))),
            jobs=_weighed(me),
            acts=self._acts,
        )


def _is_same(wanted: dict[str, Any], sent: dict[str, Any]) -> bool:
    """Whether an act is the one that the script wanted. Of an action that was over a limit of its
    tick the journal keeps no more than the id."""
    if wanted.keys() != sent.keys():
        return False
    for part, value in sent.items():
        if part not in ("instants", "tasks"):
            if value != wanted[part]:
                return False
        elif len(value) != len(wanted[part]) or not all(
            own == other or (other["type"] == UNREAD and own.get("id") == other.get("id"))
            for own, other in zip(wanted[part], value, strict=True)
        ):
            return False
    return True


def _weighed(me: Villager) -> list[WeighedJob]:
    """The jobs of the table down to the one that was drawn."""
    names: Sequence[str] = [job.name for job in me.jobs]
    last = names.index(me.job) if me.job in names else len(names) - 1
    weighed = []
    for job in me.jobs[: last + 1]:
        until = me.postponed_until.get(job.name, 0)
        weighed.append(
            WeighedJob(
                name=job.name,
                is_due=_is_due(me, job),
                put_off_until=until if until > me.tick else None,
                chosen=job.name == me.job,
            )
        )
    return weighed


def _is_due(me: Villager, job: Any) -> bool:
    try:
        return bool(job.is_due(me))
    except Exception:  # a script may stumble over what it sees; then nothing is due
        return False
