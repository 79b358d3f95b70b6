"""One session's episode for OpenEnv: from a reset to the last step, in a world or a task."""

import secrets
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.env import World
from thorp.integrations.openenv_tasks import TaskOptions, TaskPlay, TaskTable
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.language.event_text import refusal
from thorp.language.text import Describer
from thorp.language.tools import read_action
from thorp.tasks import default_suite

# Ticks that one decision may take: enough to walk across the view, or to smelt a stack of ore.
BUSY_TICKS: Final = 200
AGENT: Final = "A1"
Reply = dict[str, Any]


class BadRequest(Exception):
    """A malformed request, with its errors in the form of OpenEnv's own server."""

    def __init__(self, where: str, problem: str, kind: str = "value_error") -> None:
        super().__init__(f"{where}: {problem}")
        self.errors = [{"type": kind, "loc": [where], "msg": problem}]


class ResetOptions(TaskOptions, frozen=True, kw_only=True):
    """The fields of `reset`. Any other is refused: without it another episode would be played."""

    episode_id: Annotated[str, Meta(max_length=255)] | None = None


RESET_FIELDS: Final = ResetOptions.__struct_fields__


def read_options(data: Any) -> ResetOptions:
    """What a `reset` asks for."""
    given = {} if data is None else data
    if isinstance(given, dict):
        for name in given:
            if name not in RESET_FIELDS:
                expected = f"reset has no such field; it has {', '.join(RESET_FIELDS)}"
                raise BadRequest(name[:40], expected, "extra_forbidden")
    try:
        return msgspec.convert(given, ResetOptions)
    except msgspec.ValidationError as problem:
        reason, _, where = str(problem).partition(" - at ")
        raise BadRequest(where.strip("`").removeprefix("$.") or "data", reason) from None


class Episode:
    """The world or the task of a session and its one agent, from a reset to the last step."""

    def __init__(self, max_steps: int, tasks: "LazyTable", *, only_tasks: bool = False) -> None:
        self._max_steps = max_steps
        self._tasks = tasks
        self._only_tasks = only_tasks
        self._play: TaskPlay | None = None
        self._world: World | None = None
        self._describer = Describer()
        self._obs: dict[str, Any] = {}
        self._seed: int | None = None
        self._episode_id: str | None = None
        self._steps = 0

    @property
    def state(self) -> Reply:
        seed = {} if self._seed is None else {"seed": self._seed}
        return {"episode_id": self._episode_id, "step_count": self._steps, **seed}

    def reset(self, data: Any) -> Reply:
        """Begin again: in the task that was asked for, or in the world of the given seed, or of a
        random one. A reset that is refused changes nothing."""
        options = read_options(data)
        if options.names_a_task or self._only_tasks:
            return self._begin_task(options)
        self._play = None
        self._seed = secrets.randbits(31) if options.seed is None else options.seed
        self._episode_id = options.episode_id or secrets.token_hex(8)
        self._world = World(self._seed, busy_ticks=BUSY_TICKS)
        self._obs = self._world.reset()[AGENT]
        self._describer = Describer(self._world.block_palette)
        self._steps = 0
        return self._reply(None)

    def _begin_task(self, options: ResetOptions) -> Reply:
        try:
            play = self._tasks.table.open(options)
        except ThorpError as refusal:
            field = "injected_state" if options.injected_state is not None else "task"
            raise BadRequest(field, refusal.message, refusal.code) from None
        self._play = play
        self._seed = play.seed
        self._episode_id = options.episode_id or secrets.token_hex(8)
        self._steps = 0
        return play.begin()

    def step(self, action: Any) -> Reply:
        """Do one action, or let ticks pass, and return the observation after it."""
        if not isinstance(action, Mapping):
            raise BadRequest(
                "data", "expected an action, an object with the field action", "dict_type"
            )
        if self._play is not None:
            reply = self._play.step(action)
            self._steps = self._play.steps
            return reply
        if self._world is None:
            return self._reply(
                0.0, InvalidError("there is no world yet; send reset first", code="no_world")
            )
        if self._steps >= self._max_steps:
            return self._reply(
                0.0, InvalidError("the episode is over; send reset for another", code="ended")
            )
        self._steps += 1
        try:
            part = read_action(action, self._describer)
        except InvalidError as problem:
            return self._reply(0.0, problem)
        reward = 0.0
        refused = None
        for _ in range(1 if any(part.values()) else action.get("ticks") or 1):
            self._obs = self._world.step({AGENT: part})[AGENT]
            self._describer.take(self._obs)
            reward += self._world.rewards.get(AGENT, 0.0)
            refused = refused or _refused(self._obs["events"])
        return self._reply(reward, refused)

    def _reply(self, reward: float | None, problem: InvalidError | None = None) -> Reply:
        """The newest observation, with the problem that the last action had, if any."""
        reply: Reply = {"metadata": {}, "ok": problem is None, "step": self._steps}
        if problem is not None:
            field = problem.path.removeprefix("$.").removeprefix("$")
            reply["error"] = {"code": problem.code, "field": field, "say": problem.message}
        if self._world is not None:
            infos = self._world.infos[AGENT]
            done = [name for name, count in infos["achievements"].items() if count]
            text = self._describer.describe(self._obs)
            reply |= {"tick": self._world.tick, "text": text, "achievements": done}
        return {"observation": reply, "reward": reward, "done": self._steps >= self._max_steps}


def _refused(events: list[dict[str, Any]]) -> InvalidError | None:
    """The first refusal or failed task among the events of a step."""
    for event in events:
        if event["type"] == "TASK_FAIL" or (
            event["type"] == "ACTION_RESULT" and not event.get("ok")
        ):
            code = str(event.get("code"))
            message, kind, hint = (str(event.get(name, "")) for name in ("message", "kind", "hint"))
            say = refusal(code, message, kind, hint)
            return InvalidError(say, code=code, path="$.action")
    return None


class LazyTable:
    """The suite that comes with Thorp, read when somebody asks for a task."""

    @cached_property
    def table(self) -> TaskTable:
        """Its rows, and the states that were opened."""
        return TaskTable(default_suite())
