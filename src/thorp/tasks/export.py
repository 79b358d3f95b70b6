"""Rows for other people's tools: one JSON object a line, with all that is needed to play one.

    {"id": "live-logs-1000", "prompt": "…", "tools": [{"type": "function", …}], "start": {…}, …}

Goals and solutions are not among the fields: what is shown to a learner must not hold them.
"""

from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.tasks.record import Row, Task
from thorp.tasks.suite import Suite
from thorp.tasks.tools import tools_of

FORMAT: Final = "thorp.task-row.v1"


def chat_tools(task: Task) -> list[dict[str, Any]]:
    """The tools of a task as language models are offered them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in tools_of(task)
    ]


def preview(suite: Suite, row: Row, index: int) -> dict[str, Json]:
    """What describes a row to those who choose among rows, under the field names that other tools
    use."""
    return {
        "id": row.id,
        "split": row.split,
        "index": index,
        "difficulty": row.difficulty,
        "group": row.family,
        "task": row.task_name,
        "seed": row.seed,
        "prompt": row.prompt,
        "max_turns": row.max_turns,
        "digest": row.digest,
        "suite": suite.name,
        "suite_digest": suite.digest,
    }


def exported(suite: Suite, row: Row, index: int) -> dict[str, Json]:
    """A row with its tools, and the Start that opens it."""
    return {
        "format": FORMAT,
        **preview(suite, row, index),
        "tools": chat_tools(suite.task(row.task_name)),
        "start": {"task": row.id, "acts": [], "digest": ""},
    }
