"""A task as a match: `thorp match run task --set task=live-logs-1007`.

So a run of a task has a log like any match, and anybody with the log can prove it and its score:
`thorp match verify` plays the recorded actions again and measures the goal anew.
"""

from collections.abc import Callable, Sequence
from typing import Final

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import Seats, take_seats
from thorp.bridges.voxel_chooser import VoxelChooser
from thorp.kernel.canonical import Json
from thorp.language.tools import signature
from thorp.tasks.episode import Episode
from thorp.tasks.record import MAX_SEED, RowName, Task
from thorp.tasks.suite import default_suite
from thorp.tasks.tools import as_action, tools_of

SCENARIO: Final = "task"
DEFAULT_TASK: Final = "live-logs"


class _Run:
    """The state of a match: the episode, and who plays it."""

    def __init__(self, episode: Episode, seat: str) -> None:
        self.episode = episode
        self.seat = seat


class TaskMatch:
    """The scenario `task`. `task` is the id of a row, such as live-logs-1007, with a version or
    without. The id of a task alone is played at a seed that the match draws."""

    name = SCENARIO
    seats: Seats = (1, 1)
    observation_log = "digest"
    ranking = "score"

    def __init__(self, task: str = DEFAULT_TASK) -> None:
        self.task: Task = default_suite().task(task)
        self._row_seed = RowName.read(task).seed

    @property
    def briefing(self) -> str:
        """What a model is told before its first turn."""
        return briefing(self.task)

    @property
    def chooser(self) -> Callable[[], VoxelChooser] | None:
        """Makes questions with letters for a model; only tasks in a world have choices. The options
        are those of any world: the question does not tell the task."""
        return VoxelChooser if self.task.engine == "world" else None

    def init(self, seed: int, agent_ids: Sequence[str]) -> _Run:
        (seat,) = take_seats(self.name, agent_ids, self.seats)
        drawn = seed % (MAX_SEED + 1)
        return _Run(Episode(self.task, drawn if self._row_seed is None else self._row_seed), seat)

    def observe(self, state: _Run, agent_id: str) -> Json:
        return state.episode.observe()

    def adjudicate(self, state: _Run, agent_id: str, action: Json) -> Adjudication:
        verdict = state.episode.submit(as_action(action))
        feedback: Json = {"noted": True} if verdict.valid else {"error": verdict.problem}
        return Adjudication(verdict.valid, feedback, state)

    def end_turn(self, state: _Run) -> _Run:
        state.episode.end_turn()
        return state

    def is_terminal(self, state: _Run) -> bool:
        return state.episode.is_over

    def score(self, state: _Run) -> dict[str, float]:
        return {state.seat: state.episode.score}

    def summarize(self, state: _Run) -> Json:
        episode = state.episode
        return {"turn": episode.turn, "score": episode.score, "state": episode.digest()}


def briefing(task: Task) -> str:
    """The rules of every task in words, and the actions that this one is about."""
    actions = "; ".join(map(signature, tools_of(task)))
    return (
        f"Each observation begins with what you are asked to do. {task.title}. You have "
        f"{task.max_turns} turns; only what you reach counts, not what you say about it. Answer "
        f'with one action, such as {{"action": "wait"}}. There are {actions}.'
    )
