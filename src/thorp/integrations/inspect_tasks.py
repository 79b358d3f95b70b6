"""Graded tasks for Inspect: `inspect eval thorp/tasks -T id=live-logs -T split=dev --model …`.

The tools of a task are tools of Inspect, and its score is the sample's. An installed Thorp is found
by Inspect's entry point; the extra is `pip install 'thorp[inspect]'`. The model `thorp/idle` does
nothing, without a network: the floor under every score.
"""

from typing import Any, Final

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    execute_tools,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolChoice, ToolDef, ToolError, ToolInfo, ToolParams

from thorp.kernel.errors import ThorpError
from thorp.language.tools import Tool as WorldTool
from thorp.tasks import Row, Starts, Suite, default_suite, read_start
from thorp.tasks.record import SPLITS, Split
from thorp.tasks.tool_play import ToolPlay

SCORE: Final = "thorp_score"
STATE: Final = "thorp_state"
START: Final = "start"
"""The metadata of a sample in which its Start is."""


@task(name="tasks")
def tasks(id: str | None = None, split: str = "dev", suite: Suite | None = None) -> Task:
    """Rows of a task or family, or of the whole suite; `split` is train, dev or test."""
    chosen = suite or default_suite()
    rows = chosen.select(id, split=_read_split(split))
    return Task(
        dataset=MemoryDataset([sample(chosen, row) for row in rows], name=f"thorp-{split}"),
        solver=world_loop(chosen),
        scorer=goal(),
        version=1,
        metadata={"suite": chosen.name, "suite_digest": chosen.digest},
    )


def _read_split(text: str) -> Split:
    for split in SPLITS:
        if text == split:
            return split
    raise ValueError(f"split is {', '.join(SPLITS)}, not {text!r:.40}")


def sample(suite: Suite, row: Row) -> Sample:
    """A row as a sample. Its metadata has the Start that opens it."""
    return Sample(
        id=row.id,
        input=row.prompt,
        target="1.0",
        metadata={
            START: {"task": row.id, "acts": [], "digest": ""},
            "task": row.task_name,
            "family": row.family,
            "difficulty": row.difficulty,
            "split": row.split,
            "suite_digest": suite.digest,
        },
    )


@solver
def world_loop(suite: Suite | None = None) -> Solver:
    """Lets the model call tools, a turn each, until the task is over or it calls none."""
    starts = Starts(suite or default_suite())

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        play = ToolPlay(starts.open(read_start(state.metadata[START])))
        if not play.episode.acts:
            state.user_prompt.text = play.message
        state.tools = [tool_of(play, tool) for tool in play.tools]
        # A model that only talks would stay here for ever; one without calls has given up.
        while not play.is_over and not state.completed:
            state.output = await get_model().generate(state.messages, state.tools)
            state.messages.append(state.output.message)
            if not state.output.message.tool_calls:
                break
            answers = await execute_tools(state.messages, state.tools)
            state.messages.extend(answers.messages)
            _note(state, play)
        _note(state, play)
        return state

    return solve


def _note(state: TaskState, play: ToolPlay) -> None:
    """Keep the score after each turn, so that a sample that is cut off has the one it reached."""
    state.store.set(SCORE, play.score)
    state.store.set(STATE, play.episode.digest())


def tool_of(play: ToolPlay, tool: WorldTool) -> Tool:
    """A tool of the task, as a tool of Inspect that acts in this run."""

    async def call(**arguments: Any) -> str:
        try:
            return play.call(tool.name, arguments)
        except ThorpError as refusal:
            raise ToolError(refusal.message) from None

    parameters = ToolParams.model_validate(tool.parameters)
    return ToolDef(
        call, name=tool.name, description=tool.description, parameters=parameters, parallel=False
    ).as_tool()


@scorer(metrics=[mean(), stderr()])
def goal() -> Scorer:
    """The score of the task, as the world has measured it; no model judges."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(
            value=float(state.store.get(SCORE, 0.0)), metadata={STATE: state.store.get(STATE)}
        )

    return score


IDLE: Final = "idle"
_USUAL_CONFIG: Final = GenerateConfig()


@modelapi(name="thorp")
class IdleModel(ModelAPI):
    """The model `thorp/idle`: it waits, turn after turn."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = _USUAL_CONFIG,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name != IDLE:
            raise ValueError(f"thorp has the model {IDLE} only, not {model_name!r:.40}")

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Call `wait`, whatever was asked."""
        output = ModelOutput.for_tool_call(IDLE, "wait", {})
        output.usage = ModelUsage()
        return output
