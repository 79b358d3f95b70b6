"""Minds of a village in process: like `headless`, and with whatever chooses for them.

In a served world a model thinks while ticks go by. Here it is asked when its mind has a question,
and its answer is given `THINKING_TICKS` later, as if it had taken so long.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from statistics import fmean
from typing import Any, Final

import msgspec

from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32
from thorp.protocol.act import read_act
from thorp.protocol.obs import Obs
from thorp.village.founding import VILLAGE_DAYS
from thorp.village.minds import NAMES, TITLE, Act, Mind, Question, Reply, bodies
from thorp.voxel import Acted, AnyInput, Attach, Join, World
from thorp.voxel.achievements import TECH
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session

THINKING_TICKS: Final = 5
"""A second: what a decision takes on a core that does something else, too."""
SAMPLE_TICKS: Final = 10
"""As villagers are sampled."""
_DAY_BEGINS: Final = 0.25
_DAY_ENDS: Final = 0.75

Choose = Callable[[Question], Reply]
"""What chooses for a mind."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Obs).decode


def at_random(seed: int) -> Choose:
    """Choose any of the options, each as likely as the others: what a model has to be better
    than."""
    stream = Mulberry32(seed_from(f"minds at random {seed}"))

    def choose(question: Question) -> Reply:
        letters = question.letters
        return Reply(letter=letters[int(stream.random() * len(letters))])

    return choose


class MindFigures(msgspec.Struct, kw_only=True):
    """How one mind fared on one day."""

    name: str
    idle_day: float
    """Share of daytime samples in which it had no task and did nothing that is seen."""
    starving: int
    """Samples in which it was at hunger 0."""
    least_hunger: int
    downed: int
    unlocked: int
    """Achievements of the tech tree so far, as the world counts them."""
    decisions: int
    """Options taken today."""
    refused: int
    """Those of them that the world refused, or that came to nothing."""
    seconds: float
    """The mean time that a model took for one."""


class HeadlessMinds:
    """Minds, and the bodies they have. `inputs` are theirs for the next tick."""

    def __init__(
        self, world: World, count: int, choose: Choose, *, from_tick: int | None = None
    ) -> None:
        """They come in after `from_tick`, by default when a new village has lived its first
        days."""
        if from_tick is None:
            from_tick = round(VILLAGE_DAYS * world.tuning.day_ticks)
        self._from_tick = from_tick
        self._are_in = False
        self._world = world
        self._choose = choose
        self._minds: dict[int, Mind] = {}
        self._sessions: dict[int, Session] = {}
        self._replies: dict[int, tuple[int, Reply]] = {}
        """The answers that were thought of already, and when they are given."""
        self._acted: set[int] = set()
        self._names = NAMES[:count]
        self.inputs: list[AnyInput] = []
        self._begin_day()

    @property
    def minds(self) -> list[Mind]:
        """Every mind that has come in."""
        return list(self._minds.values())

    def _come(self) -> None:
        """Let them come in with the next tick, or back into the bodies that they have."""
        self._are_in = True
        there = bodies(self._world)
        for name in self._names:
            token = sha256(f"the token of {name}".encode()).hexdigest()
            if name in there:
                self.inputs.append(Attach(there[name], token, title=TITLE))
            else:
                self.inputs.append(Join(name, token, TITLE))

    def look(self, inputs: Sequence[AnyInput]) -> None:
        """Take in a tick that was executed with these inputs, and decide what is done in the
        next."""
        self.inputs = []
        if not self._are_in and self._world.tick >= self._from_tick:
            self._come()
        self._meet(inputs)
        due = [number for number in self._minds if self._is_awake(number)]
        compose(self._world, [self._sessions[number] for number in due])
        for number in due:
            frame = self._sessions[number].take()
            if frame is not None:
                self._live(number, _decode(frame))
        self._note_falls()
        if self._world.tick % SAMPLE_TICKS == 0:
            self._sample()

    def _meet(self, inputs: Sequence[AnyInput]) -> None:
        """Give those who came in with this tick a mind."""
        joined = iter(self._world.scratch.joined)
        for entry in inputs:
            if not isinstance(entry, Join | Attach):
                continue
            number = next(joined) if isinstance(entry, Join) else entry.agent
            agent = self._world.agents.get(number)
            if agent is not None and agent.name in self._names and entry.title == TITLE:
                catalogs = msgspec.to_builtins(self._world.catalogs.lists())
                self._minds[number] = Mind(agent.name, catalogs)
                self._sessions[number] = Session(number, cursor=agent.seen)

    def _is_awake(self, number: int) -> bool:
        agent = self._world.agents.get(number)
        if agent is None:
            return False
        if number in self._replies and self._world.tick >= self._replies[number][0]:
            return True
        is_told = self._sessions[number].is_behind(agent.event_log)
        return is_told or self._world.tick >= self._minds[number].wake_tick

    def _live(self, number: int, obs: Obs) -> None:
        mind = self._minds[number]
        self._send(number, mind.take(obs))
        due, reply = self._replies.get(number, (0, None))
        if reply is not None and obs.tick >= due:
            del self._replies[number]
            self._send(number, mind.answer(reply))
        elif mind.question is not None and reply is None:
            reply = self._choose(mind.question)
            self._replies[number] = (obs.tick + THINKING_TICKS, reply)
        for decision in mind.take_log():
            if decision.came:
                self._decisions[number] += 1
                self._refused[number] += decision.came != "done"
                self._seconds.setdefault(number, []).append(decision.seconds)

    def _send(self, number: int, acts: Sequence[Act]) -> None:
        for act in acts:
            read = read_act(_encode(act))
            if read.tasks or any(True for _ in _seen(act)):
                self._acted.add(number)
            seen = self._sessions[number].seen(self._world.tick)
            self.inputs.append(Acted(number, read, seen))

    # Measuring

    def _begin_day(self) -> None:
        self._samples: dict[int, list[int]] = {}
        """Of each mind: daytime samples, idle ones, samples at hunger 0, the least hunger."""
        self._decisions: Counter[int] = Counter()
        self._refused: Counter[int] = Counter()
        self._seconds: dict[int, list[float]] = {}
        self._downed: Counter[int] = Counter()

    def _sample(self) -> None:
        world = self._world
        hour = world.tick % world.tuning.day_ticks / world.tuning.day_ticks
        for number in self._minds:
            agent = world.agents.get(number)
            if agent is None:
                continue
            counts = self._samples.setdefault(number, [0, 0, 0, agent.hunger])
            if _DAY_BEGINS <= hour < _DAY_ENDS:
                counts[0] += 1
                is_busy = agent.work is not None or agent.move is not None
                counts[1] += not (is_busy or number in self._acted)
            counts[2] += agent.hunger == 0
            counts[3] = min(counts[3], agent.hunger)
        self._acted.clear()

    def figures(self) -> list[MindFigures]:
        """How each fared since this was asked last."""
        rows = []
        for number, mind in self._minds.items():
            agent = self._world.agents.get(number)
            day, idle, starving, least = self._samples.get(number, [0, 0, 0, 0])
            rows.append(
                MindFigures(
                    name=mind.name,
                    idle_day=round(idle / max(1, day), 3),
                    starving=starving,
                    least_hunger=least,
                    downed=self._downed[number],
                    unlocked=0
                    if agent is None
                    else sum(bool(agent.achievements.get(each)) for each in TECH),
                    decisions=self._decisions[number],
                    refused=self._refused[number],
                    seconds=round(fmean(self._seconds.get(number) or [0.0]), 3),
                )
            )
        self._begin_day()
        return rows

    def _note_falls(self) -> None:
        """Count who was downed in this tick."""
        fallen = [
            str(event["agent"])
            for event in self._world.scratch.public_events
            if event["kind"] == "DOWNED"
        ]
        for number in self._minds:
            self._downed[number] += fallen.count(f"A{number}")


def _seen(act: Act) -> Any:
    """The instants of an ACT that spectators see."""
    hidden = ("SAVE_MEMORY", "LOAD_MEMORY", "WHISPER", "VOTE")
    return (each for each in act.get("instants", ()) if each["type"] not in hidden)
