"""Graded tasks by the wire of OpenEnv: the Task API, and what `reset` may ask for.

    {"task": "live-logs-1000"}                     a row; "live-logs" with a seed is one, too
    {"split": "train", "index": 3}                 the fourth row of a split
    {"task": …, "acts": […], "digest": "…"}        a Start: the state that these acts lead to
    {"injected_state": {"task": …, "acts": […]}}   the same, and the score so far is paid at once

The reward of a step is what the score has grown by, so the rewards of an episode add up to the
score. What can be listed here holds no goal and no solution.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.language.tools import Schema, Tool, signature
from thorp.tasks import Episode, Start, Starts, Suite, read_start
from thorp.tasks.export import preview
from thorp.tasks.record import MAX_SEED, SPLITS, Row, RowName, Split, row_id
from thorp.tasks.tools import as_action, tools_of

TYPES: Final[dict[Split, str]] = {"train": "train", "dev": "validation", "test": "test"}
"""What OpenEnv calls the splits."""
Reply = dict[str, Any]


class TaskOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What of a `reset` chooses a task and its state."""

    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    task: Annotated[str, Meta(max_length=80)] | None = None
    acts: list[Any] | None = None
    digest: Annotated[str, Meta(max_length=64)] | None = None
    injected_state: dict[str, Any] | None = None
    split: str | None = None
    index: Annotated[int, Meta(ge=0, le=2**53)] | None = None

    @property
    def names_a_task(self) -> bool:
        """Whether anything but the seed was given."""
        fields = (self.task, self.acts, self.digest, self.injected_state, self.split, self.index)
        return any(field is not None for field in fields)


class TaskTable:
    """The rows of a suite, by split and index, and the states that were opened."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.starts = Starts(suite)
        self._rows: dict[str, list[Row]] = {split: [] for split in SPLITS}
        for row in suite.rows.values():
            self._rows[row.split].append(row)

    def splits(self) -> list[Reply]:
        """The splits, by OpenEnv's types."""
        return [{"name": split, "type": TYPES[split]} for split in SPLITS]

    def rows(self, split: Json) -> list[Row]:
        """The rows of a split."""
        if not isinstance(split, str) or split not in self._rows:
            raise UnknownError(
                f"split: there is none called {split!r:.40}; there are {', '.join(SPLITS)}",
                code="split",
            )
        return self._rows[split]

    def row(self, split: Json, index: Json) -> Row:
        """The row at an index of a split."""
        rows = self.rows(split)
        if type(index) is not int or not 0 <= index < len(rows):
            raise InvalidError(
                f"index: {split} has rows 0 to {len(rows) - 1}, not {index!r:.40}", code="index"
            )
        return rows[index]

    def answer(self, question: str, body: Mapping[str, Json]) -> Reply:
        """Answer a question of the Task API about a split."""
        split = body.get("split")
        rows = self.rows(split)
        match question:
            case "num_tasks":
                return {"num_tasks": len(rows)}
            case "task":
                row = self.row(split, body.get("index"))
                return {"task": preview(self.suite, row, rows.index(row))}
            case "task_range":
                first = _bound(body, "start")
                end = _bound(body, "stop")
                listed = list(enumerate(rows))[first:end]
            case _:
                listed = list(enumerate(rows))
        return {"tasks": [preview(self.suite, row, index) for index, row in listed]}

    def open(self, options: TaskOptions) -> "TaskPlay":
        """The episode that a `reset` asks for. Refuses what does not name exactly one."""
        if options.injected_state is not None:
            others = msgspec.structs.replace(options, injected_state=None)
            if others.names_a_task:
                raise InvalidError("injected_state stands alone, without task", code="start")
            return TaskPlay(self.starts.open(read_start(options.injected_state)), pays_at_once=True)
        start = self._start(options)
        return TaskPlay(self.starts.open(start))

    def _start(self, options: TaskOptions) -> Start:
        if options.task is None:
            if options.acts is not None or options.digest is not None:
                raise InvalidError("acts and digest belong to a task: give it, too", code="start")
            return Start(task=self._chosen(options).id)
        if options.split is not None or options.index is not None:
            raise InvalidError("give task, or split and index", code="task")
        return Start(
            task=self._named(options.task, options.seed),
            acts=options.acts or [],
            digest=options.digest or "",
        )

    def _chosen(self, options: TaskOptions) -> Row:
        """A row by split and index; without an index, the seed chooses one."""
        split = options.split or "train"
        rows = self.rows(split)
        if options.index is not None:
            return self.row(split, options.index)
        if not rows:
            raise UnknownError(f"split: {split} has no rows", code="split")
        return rows[(options.seed or 0) % len(rows)]

    def _named(self, text: str, seed: int | None) -> str:
        """The row that an id names, with the seed beside it if the id has none."""
        task = self.suite.task(text)
        own = RowName.read(text).seed
        if own is None and seed is None:
            raise InvalidError(
                f"{text} is a task; give a seed, too, or name a row", code="row", path="$.task"
            )
        if own is not None and seed not in (None, own):
            raise InvalidError(f"{text} has seed {own}, not {seed}", code="row")
        chosen = seed if own is None else own
        if chosen is None or chosen > MAX_SEED:
            raise InvalidError(f"seeds of tasks are at most {MAX_SEED}", code="row")
        return row_id(task.name, chosen)


def _bound(body: Mapping[str, Json], name: str) -> int | None:
    value = body.get(name)
    if value is None or (type(value) is int and abs(value) <= 2**53):
        return value
    raise InvalidError(f"{name}: expected a whole number, not {value!r:.40}", code="index")


class TaskPlay:
    """A task that is being played in a session."""

    def __init__(self, episode: Episode, *, pays_at_once: bool = False) -> None:
        self._episode = episode
        self.steps = 0
        # After an injected state both the reply to `reset` and the next step carry the score: it is
        # nowhere said which of them a grader reads.
        self._unpaid: float | None = episode.score if pays_at_once else None

    @property
    def seed(self) -> int:
        """The seed of the row."""
        return self._episode.seed

    def begin(self) -> Reply:
        """The reply to `reset`."""
        return self._reply(self._unpaid)

    def step(self, action: Mapping[str, Json]) -> Reply:
        """Play a turn."""
        episode = self._episode
        unpaid = self._unpaid
        self._unpaid = None
        if episode.is_over:
            problem = InvalidError("the task is over; send reset for another", code="ended")
            return self._reply(unpaid or 0.0, problem)
        self.steps += 1
        given = {name: value for name, value in action.items() if value is not None}
        verdict = episode.act(as_action(given))
        reward = episode.reward + (unpaid or 0.0)
        if verdict.valid:
            return self._reply(reward)
        return self._reply(reward, InvalidError(verdict.problem, code="refused", path="$.action"))

    def _reply(self, reward: float | None, problem: InvalidError | None = None) -> Reply:
        episode = self._episode
        seen = episode.observe()
        reply: Reply = {
            "metadata": {},
            "ok": problem is None,
            "step": self.steps,
            "text": seen["text"],
            "task": seen["task"]["id"],
            "turns_left": seen["task"]["turns_left"],
            "state": seen["task"]["state"],
            "node": episode.node(),
        }
        if problem is not None:
            field = problem.path.removeprefix("$.").removeprefix("$")
            reply["error"] = {"code": problem.code, "field": field, "say": problem.message}
        return {"observation": reply, "reward": reward, "done": episode.is_over}


def action_schema(suite: Suite) -> Schema:
    """The tools of all tasks of a suite in one flat object: `action` names one, the other fields
    are its arguments."""
    tools: dict[str, Tool] = {}
    for task in suite.tasks.values():
        tools |= {tool.name: tool for tool in tools_of(task)}
    fields: dict[str, Schema] = {}
    for tool in tools.values():
        for name, schema in tool.parameters["properties"].items():
            fields[name] = _either(fields.get(name, schema), schema)
    action = {
        "type": "string",
        "enum": list(tools),
        "description": "What to do, and its fields (? may be left out): "
        f"{'; '.join(map(signature, tools.values()))}",
    }
    return {
        "title": "ThorpTaskAction",
        "type": "object",
        "properties": {"action": action, **fields},
        "required": ["action"],
        "additionalProperties": False,
    }


def _either(one: Schema, other: Schema) -> Schema:
    """A schema of what both take: the same one, or none but its description."""
    if {**one, "description": ""} == {**other, "description": ""}:
        return one
    return {"description": one.get("description", "")}
