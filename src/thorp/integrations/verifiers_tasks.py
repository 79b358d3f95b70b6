"""Graded tasks for verifiers: a Taskset of rows, and an Env in which a model plays them by JSON.

    vf-eval thorp-tasks-v1 --env.taskset.rows live-logs --env.taskset.split dev …

`docs/tasks.md` has the whole line. The package `thorp_tasks_v1` is this module under the name by
which verifiers finds it. The score is a reward of the task, read from what the Env has noted in the
trace; a task that nobody has played has none, so the untouched task fails, as it should.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import verifiers.v1 as vf

from thorp.kernel.canonical import Json
from thorp.models.decode import DecodeError, find_object
from thorp.tasks import Start, Starts, default_suite, read_start
from thorp.tasks.record import Split
from thorp.tasks.scenario import briefing
from thorp.tasks.tool_play import ToolPlay
from thorp.tasks.tools import as_action

NOTE: Final = "thorp"
"""Where in a trace the Env notes how far it came."""


class RowData(vf.TaskData):
    """A row: its id, and the acts after which it begins."""

    row: str = ""
    split: str = ""
    difficulty: int = 1
    family: str = ""
    acts: tuple[Any, ...] = ()
    digest: str = ""

    @property
    def start(self) -> Start:
        """The state that a rollout begins in."""
        return Start(task=self.row, acts=list(self.acts), digest=self.digest)


class RowTask(vf.Task[RowData]):
    """A row to be played."""

    solution: Start | None = None

    @property
    def key(self) -> str:
        """The row's id."""
        return self.data.row

    async def validate(self, runtime: Any) -> bool | None:
        """Whether the recorded solution reaches all of the score; None without one."""
        if self.solution is None:
            return None
        return Starts().open(self.solution).exact_score == 1

    @vf.reward
    async def goal(self, trace: Any) -> float:
        """The score, as the world has measured it."""
        return float(trace.info.get(NOTE, {}).get("score", 0.0))


class TasksetConfig(vf.TasksetConfig):
    """Which rows: those of a task or family (`rows`) in a split. `proofs` is the suite's
    `proofs.jsonl`, for vf-validate."""

    rows: str | None = None
    split: Split = "dev"
    proofs: str | None = None


class ThorpTaskset(vf.Taskset[RowTask, TasksetConfig]):
    """The rows of Thorp Tasks."""

    def load(self) -> Iterator[RowTask]:
        """Each row of the split."""
        solutions = _read_solutions(self.config.proofs)
        for row in default_suite().select(self.config.rows, split=self.config.split):
            data = RowData(
                id=row.id,
                name=row.id,
                prompt=None,
                row=row.id,
                split=row.split,
                difficulty=row.difficulty,
                family=row.family,
            )
            task = RowTask(data, self.config.task)
            task.solution = solutions.get(row.id)
            yield task


def _read_solutions(path: str | None) -> dict[str, Start]:
    if path is None:
        return {}
    proofs = [msgspec.json.decode(line) for line in Path(path).read_bytes().splitlines()]
    return {proof["id"]: read_start(proof["solution"]) for proof in proofs}


class EnvConfig(vf.EnvConfig):
    """The one seat of a task."""

    player: vf.AgentConfig = vf.AgentConfig()


class ThorpEnv(vf.Env[EnvConfig]):
    """Lets a model play a row: an observation a turn, answered by one action as JSON."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play until the task is over or the run has ended."""
        play = ToolPlay(Starts().open(task.data.start))
        async with agents.player.interaction(task) as chat:
            _note(chat.trace, play)
            segment = await chat.turn(f"{briefing(play.episode.task)}\n\n{play.seen}")
            while not segment.terminated and not play.is_over:
                play.episode.act(as_action(read_reply(segment.last_reply)))
                _note(chat.trace, play)
                if not play.is_over:
                    segment = await chat.turn(play.seen)


def _note(trace: Any, play: ToolPlay) -> None:
    """Note the score so far where the task's reward reads it."""
    trace.info[NOTE] = {"score": play.score, "state": play.episode.digest()}


def read_reply(reply: str) -> Json:
    """The action in a reply: its first JSON object. A reply without one is refused as it stands."""
    try:
        return find_object(reply)
    except DecodeError:
        return reply
