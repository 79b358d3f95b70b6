"""Graded tasks for TRL's `GRPOTrainer`: an environment with one method a tool, and its rows.

    from datasets import Dataset
    from thorp.integrations.trl_tasks import environment, rows

    trainer = GRPOTrainer(
        model, reward_funcs=[], environment_factory=environment("live-logs"),
        train_dataset=Dataset.from_list(rows("live-logs", split="train")), …
    )

TRL repeats a row for each member of a group and gives all of its columns to `reset`, so a group
begins in one state. A row that begins in the middle has `acts`, as JSON text, and a `digest`; its
prompt holds the messages so far. This module needs no package of TRL's.
"""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.language.tools import Tool
from thorp.tasks import Start, Starts, Suite, Task, default_suite
from thorp.tasks.export import preview
from thorp.tasks.record import Row, Split
from thorp.tasks.tool_play import ToolPlay
from thorp.tasks.tools import tools_of

_TYPES: Final[dict[str, Any]] = {
    "integer": int,
    "string": str,
    "number": float,
    "boolean": bool,
    "array": list[str],
}
SYSTEM: Final = "You act in a world by calling tools, one a turn, until the task is done."
# By trainers there is one table of kept states a process.
_STARTS: dict[str, Starts] = {}


class TaskEnvironment:
    """The base of every environment: TRL makes some, and uses them again for every rollout."""

    suite: Suite

    def __init__(self) -> None:
        self._play: ToolPlay | None = None

    def reset(self, task_id: str, acts: str = "[]", digest: str = "", **row: Any) -> str | None:
        """Begin a row, or the state that its acts lead to. The text belongs to the prompt's last
        message; a row that begins in the middle has its messages already."""
        starts = _STARTS.setdefault(self.suite.digest, Starts(self.suite))
        start = Start(task=task_id, acts=_read_acts(acts), digest=digest)
        self._play = ToolPlay(starts.open(start))
        return None if start.acts else f"\n{self._play.message}"

    def get_reward(self) -> float:
        """The score of the rollout, from 0 to 1."""
        return 0.0 if self._play is None else self._play.score

    def _call(self, name: str, arguments: dict[str, Json]) -> str:
        if self._play is None:
            raise InvalidError("no task has begun; reset first", code="no_task")
        return self._play.call(name, arguments)


def _read_acts(text: str) -> list[Any]:
    try:
        return msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError as problem:
        raise InvalidError(f"acts: {problem}", code="start") from None


def environment(id: str, suite: Suite | None = None) -> type[TaskEnvironment]:
    """The environment of a task or family, with its tools as methods."""
    chosen = suite or default_suite()
    tools: dict[str, Tool] = {}
    for task in tasks_of(id, chosen):
        tools |= {tool.name: tool for tool in tools_of(task)}
    methods = {name: _method(tool) for name, tool in tools.items()}
    return type("ThorpTask", (TaskEnvironment,), {"suite": chosen, **methods})


def tasks_of(id: str, suite: Suite) -> list[Task]:
    """The tasks that an id names: one, or those of a family."""
    names = dict.fromkeys(row.task for row in suite.select(id))
    return [suite.tasks[name] for name in names]


def rows(id: str, *, split: Split = "train", suite: Suite | None = None) -> list[dict[str, Any]]:
    """The rows of a task or family as columns of a dataset."""
    chosen = suite or default_suite()
    return [
        _columns(chosen, row, index) for index, row in enumerate(chosen.select(id, split=split))
    ]


def _columns(suite: Suite, row: Row, index: int) -> dict[str, Any]:
    about = preview(suite, row, index)
    return {
        "prompt": [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": f"Your task is {row.task}."},
        ],
        "task_id": row.id,
        "acts": "[]",
        "digest": "",
        "difficulty": about["difficulty"],
        "group": about["group"],
    }


def _method(tool: Tool) -> Callable[..., str]:
    """A method that calls a tool. Its signature and docstring are read for the tool's schema."""
    required = tool.parameters["required"]
    properties = tool.parameters["properties"]
    parameters = [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD,
            default=Parameter.empty if name in required else None,
            annotation=_TYPES.get(schema.get("type", "string"), str),
        )
        for name, schema in sorted(properties.items(), key=lambda each: each[0] not in required)
    ]
    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    signature = Signature([own, *parameters], return_annotation=str)

    def call(*given: Any, **fields: Any) -> str:
        bound = signature.bind(*given, **fields).arguments
        environment: TaskEnvironment = bound.pop("self")
        return environment._call(tool.name, bound)

    lines = [f"    {name}: {_one_line(properties[name]['description'])}" for name in properties]
    arguments = ["", "Args:", *lines] if lines else []
    call.__name__ = tool.name
    call.__qualname__ = f"ThorpTask.{tool.name}"
    call.__doc__ = "\n".join(
        [_one_line(tool.description), *arguments, "", "Returns:", "    What is seen after it."]
    )
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    return call


def _one_line(text: str) -> str:
    return " ".join(text.split())
