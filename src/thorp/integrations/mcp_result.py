"""What a tool answers an assistant: a refusal, or text and data, cut to what a host shows."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

# Hosts show 8 kB of a result. Data and text together, with their JSON around them, stay below.
MAX_DATA_BYTES: Final = 2_500
MAX_TEXT_BYTES: Final = 4_500
# The end of a text that was cut: how many lines were left off, and how to read on.
MAX_READ_ON_BYTES: Final = 120


class ToolRefusal(Exception):
    """Why a tool does nothing, in a sentence that says what to send instead."""


class ToolResult(NamedTuple):
    """A tool's answer: in words for the model, and as data for its host."""

    text: str
    data: dict[str, Any] | None = None
    is_error: bool = False


def fit_data(data: dict[str, Any]) -> dict[str, Any]:
    """Shorten data to `MAX_DATA_BYTES`: drop the last item of the longest list until it fits."""
    while len(msgspec.json.encode(data)) > MAX_DATA_BYTES:
        lists = [key for key, value in data.items() if isinstance(value, list) and value]
        if not lists:
            return {"left_off": len(data)}
        longest = max(lists, key=lambda key: len(msgspec.json.encode(data[key])))
        data = {**data, longest: data[longest][:-1], "left_off": data.get("left_off", 0) + 1}
    return data


def list_result(data: dict[str, Any], read_on: str, lines: Sequence[str] = ()) -> ToolResult:
    """A result with data, and with `lines` as its text, or without lines the data as JSON. Items
    that do not fit are left off as a whole; the text then ends with their number and `read_on`."""
    fitting = fit_data(data)
    kept = list(lines)
    room = MAX_TEXT_BYTES - MAX_READ_ON_BYTES
    while kept and len("\n".join(kept).encode()) > room:
        kept.pop()
    text = "\n".join(kept) if lines else msgspec.json.encode(fitting).decode()
    left_off = len(lines) - len(kept) if lines else fitting.get("left_off", 0)
    return ToolResult(
        f"{text}\n{left_off} more were left off; {read_on}" if left_off else text, fitting
    )
