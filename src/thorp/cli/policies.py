"""The options that say how governors decide, and the policies that they name."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from thorp.cli.options import DAY_SECONDS
from thorp.kernel.errors import InvalidError
from thorp.kernel.text import one_line
from thorp.models import Recording
from thorp.town.cognition import Policy
from thorp.town.model import (
    DEFAULT_LIMITS,
    POLICY_NAME,
    ModelChooser,
    ModelLimits,
    model_name,
    read_recording,
    refuse_unwritable,
    write_recording,
)
from thorp.town.registry import find_policy


class PolicyOptions(NamedTuple):
    """How governors decide."""

    policy: Annotated[
        str, typer.Option("--policy", help="How to decide: ranked, simple, model, or an installed one.")
    ] = "ranked"
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="The model of --policy model; else $THORP_MODEL."),
    ] = None
    replies: Annotated[
        Path | None,
        typer.Option(
            "--replies", metavar="FILE", help="Recorded model replies to use instead of asking the model."
        ),
    ] = None
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Record the model's replies in this file.")
    ] = None
    model_calls: Annotated[int, typer.Option(min=0, help="Calls a model may make in all.")] = (
        DEFAULT_LIMITS.calls
    )
    model_tokens: Annotated[int, typer.Option(min=0, help="Tokens a model may use in all.")] = (
        DEFAULT_LIMITS.tokens
    )
    model_seconds: Annotated[
        float, typer.Option(min=0.001, max=DAY_SECONDS, help="Time limit of one choice.")
    ] = DEFAULT_LIMITS.seconds


FindPolicy = Callable[[str], Policy]


@contextmanager
def open_policies(options: PolicyOptions) -> Iterator[FindPolicy]:
    """Policies by name. The policy *model* has one budget and one recording for the whole command; what was
    recorded is written however the command ends."""
    replies, record = options.replies, options.record
    limits = ModelLimits(options.model_calls, options.model_tokens, options.model_seconds)
    if replies is not None and record is not None:
        raise InvalidError("give --replies or --record, not both", code="usage")
    if record is not None:
        refuse_unwritable(record)
    recording = Recording() if replies is None else read_recording(replies)
    choosers: list[ModelChooser] = []

    def find(name: str) -> Policy:
        if name != POLICY_NAME:
            return find_policy(name)
        if not choosers:
            choosers.append(ModelChooser(model_name(options.model), limits=limits, replies=recording))
        return choosers[0].policy

    try:
        yield find
    finally:
        if record is not None and choosers:
            write_recording(record, recording)
        for chooser in choosers:
            outcomes = ", ".join(f"{name} {count}" for name, count in sorted(chooser.outcomes.items()))
            print(f"model {one_line(chooser.model)}: {outcomes or 'never asked'}", file=sys.stderr)
