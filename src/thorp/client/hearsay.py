"""What others told an agent in the `data` of their words: jobs, places, people, a plot.

Words are for people, `data` is for programs. Whoever speaks may put anything into it, so this is
what somebody said and not what is so: a job is read again at its terminal before it is accepted,
and the world decides what may be built where. Data that cannot be understood is passed over.
"""

from typing import Any, Final, NamedTuple

import msgspec

from thorp.protocol.obs import Event, Position

MAX_JOBS: Final = 64
"""Jobs that were told and are not over; the oldest make room."""
MAX_PLACES: Final = 64

Goods = dict[str, int]


class Job(NamedTuple):
    """A contract that is open to the agent, and its terms."""

    contract: str
    terminal: str
    kind: str
    """GATHER, DELIVER or BUILD; what else it may say is for the speaker's own kind."""
    give: Goods
    """What is asked for; empty if that was not said, or if it is a building."""
    get: Goods
    """What is paid for it, as far as that was said."""
    deadline_tick: int | None
    told_by: str
    """Who told of it, or posted it."""


class Plot(NamedTuple):
    """A place where the agent may build: the box between two corners, and its sign."""

    sign: str
    pos: Position
    low: Position
    high: Position
    told_by: str


class _ToldJob(msgspec.Struct):
    contract: str
    terminal: str
    kind: str = ""
    give: list[tuple[str, int]] = []
    get: list[tuple[str, int]] = []
    deadline_tick: int | None = None


class _ToldPlot(msgspec.Struct):
    sign: str
    pos: Position
    low: Position
    high: Position


class Hearsay:
    """What others have said so far, the newest last."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        """By contract."""
        self.places: dict[str, str | Position] = {}
        """Where things are that everyone uses: the id of a block, or a cell."""
        self.plot: Plot | None = None
        """The newest plot that somebody whispered of."""

    def take(self, event: Event) -> None:
        """Remember what an event says about jobs, places and plots."""
        kind = event.get("type")
        data = event.get("data")
        if kind == "CHAT" and isinstance(data, dict):
            self._hear(event, data)
        elif kind == "CONTRACT" and event.get("state") != "OPEN":
            self.jobs.pop(str(event.get("contract_id")), None)

    def drop(self, contract: str) -> None:
        """Forget a job that is over, or that somebody else has."""
        self.jobs.pop(contract, None)

    def forget(self) -> None:
        """Forget everything: it was said to a body that the agent no longer has."""
        self.jobs.clear()
        self.places.clear()
        self.plot = None

    def _hear(self, event: Event, data: dict[str, Any]) -> None:
        speaker = str(event.get("from"))
        job = _converted(data.get("job"), _ToldJob)
        if job is not None:
            self.jobs.pop(job.contract, None)
            self.jobs[job.contract] = Job(
                contract=job.contract,
                terminal=job.terminal,
                kind=job.kind,
                give=dict(job.give),
                get=dict(job.get),
                deadline_tick=job.deadline_tick,
                told_by=speaker,
            )
            _drop_oldest(self.jobs, MAX_JOBS)
        places = _converted(data.get("places"), dict[str, str | Position])
        if places is not None:
            self.places |= places
            _drop_oldest(self.places, MAX_PLACES)
        plot = _converted(data.get("plot"), _ToldPlot)
        if plot is not None and event.get("channel") == "WHISPER":
            self.plot = Plot(
                sign=plot.sign, pos=plot.pos, low=plot.low, high=plot.high, told_by=speaker
            )


def _converted(value: Any, kind: Any) -> Any:
    """A part of the data as what it should be; None if it is missing, or something else."""
    if value is None:
        return None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return None


def _drop_oldest(entries: dict[str, Any], most: int) -> None:
    while len(entries) > most:
        del entries[next(iter(entries))]


def jobs_at(terminal: str, opened: Event, me: str) -> list[Job]:
    """The contracts that are open to others than their poster, as a terminal shows them."""
    return [
        Job(
            contract=str(contract["contract_id"]),
            terminal=terminal,
            kind=str(contract["kind"]),
            give=goods_of(contract.get("requirements")),
            get=goods_of(contract.get("reward")),
            deadline_tick=contract.get("deadline_tick"),
            told_by=str(contract["poster"]),
        )
        for contract in opened.get("contracts", [])
        if contract["state"] == "OPEN" and contract["poster"] != me
    ]


def goods_of(stacks: list[dict[str, Any]] | None) -> Goods:
    """Goods as a contract lists them."""
    return {str(stack["item"]): int(stack["count"]) for stack in stacks or ()}
