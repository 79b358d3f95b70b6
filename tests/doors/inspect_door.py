"""Plays tasks by Inspect itself: `python -m tests.doors.inspect_door`, in an environment that has
it.

A scripted model and an oracle as a provider play in Python; then `inspect eval` plays a row of the
suite by the entry point, as somebody does who has installed Thorp.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, get_model, modelapi

from tests.tasks.table import table
from thorp.integrations.inspect_tasks import SCORE, STATE, tasks
from thorp.tasks import default_suite

# Otherwise the tokens are counted, by a table that is fetched.
USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)


def call(tool: str, **arguments: Any) -> ModelOutput:
    output = ModelOutput.for_tool_call("scripted", tool, arguments)
    output.usage = USAGE
    return output


def say(text: str) -> ModelOutput:
    output = ModelOutput.from_content("scripted", text)
    output.usage = USAGE
    return output


@modelapi(name="thorp-oracle")
def oracle() -> type[ModelAPI]:
    """A provider that solves the task of patience."""

    class Oracle(ModelAPI):
        def __init__(
            self, model_name: str, base_url: str | None = None, api_key: str | None = None,
            config: GenerateConfig = GenerateConfig(),  # noqa: B008
            **model_args: Any,
        ) -> None:  # fmt: skip
            super().__init__(model_name, base_url, api_key, [], config)

        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
            assert {tool.name for tool in tools} == {"mine_nearest", "go_to", "wait"}
            return call("wait", ticks=5)

    return Oracle


def played(model: Any, logs: str, **arguments: Any) -> EvalLog:
    (log,) = run_eval(
        tasks(suite=table(), **arguments), model=model, log_dir=logs, display="none", max_samples=1
    )
    assert log.status == "success", log.error
    return log


def scores(log: EvalLog) -> list[float]:
    return [next(iter(sample.scores.values())).as_float() for sample in log.samples or []]


def main() -> None:
    with tempfile.TemporaryDirectory() as logs:
        log = played("thorp-oracle/solve", logs, id="try-patience")
        assert scores(log) == [1.0, 1.0]
        sample = (log.samples or [])[0]
        episode = table().open("try-patience-11")
        for _ in range(2):
            episode.act({"action": "wait", "ticks": 5})
        assert sample.store[STATE] == episode.digest()
        assert sample.store[SCORE] == 1.0
        print("inspect: an oracle as a provider scores 1.0, in the state that replay gives")
        outputs = [call("wait", ticks=1), call("fly"), say("I have done it. Score: 1.0")]
        model = get_model("mockllm/model", custom_outputs=outputs * 2)
        log = played(model, logs, id="try-logs")
        assert scores(log) == [0.0, 0.0]
        errors = [
            message.error
            for sample in log.samples or []
            for message in sample.messages
            if message.role == "tool"
        ]
        assert [error is None for error in errors] == [True, False] * 2
        print("inspect: mockllm is refused an unknown tool, and boasting earns nothing")
        row = default_suite().select(split="dev")[0]
        command = [str(Path(sys.executable).with_name("inspect")), "eval", "thorp/tasks"]
        command += ["-T", f"id={row.id}", "--model", "thorp/idle", "--log-dir", f"{logs}/cli"]
        command += ["--log-format", "json", "--display", "none"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        (path,) = Path(f"{logs}/cli").glob("*.json")
        log = read_eval_log(str(path))
        assert log.status == "success", log.error
        assert [sample.id for sample in log.samples or []] == [row.id]
        assert scores(log)[0] <= 0.1
        print("inspect: `inspect eval thorp/tasks --model thorp/idle` measures the floor")


if __name__ == "__main__":
    main()
