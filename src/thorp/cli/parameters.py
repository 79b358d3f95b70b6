"""`--set NAME=VALUE` options: the value is JSON if it reads as JSON, else the text itself."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError


def parse_parameters(texts: Sequence[str]) -> dict[str, Json]:
    """The parameters that `--set` options name. Refuses a malformed or repeated one."""
    parameters: dict[str, Json] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise InvalidError(f"--set takes NAME=VALUE, not {text!r}", code="parameter")
        if name in parameters:
            raise InvalidError(f"--set {name} is given twice; give it once", code="parameter")
        try:
            parameters[name] = msgspec.json.decode(value)
        except (msgspec.DecodeError, ValueError, RecursionError):
            parameters[name] = value
    return parameters
