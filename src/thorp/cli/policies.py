"""How governors decide, as options; and the policies that the options name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from thorp.cli.god import plain
from thorp.cli.options import DAY_SECONDS
from thorp.kernel.errors import InvalidError
from thorp.models import Recording
from thorp.town.cognition import Policy
from thorp.town.model import ModelChooser, ModelLimits, model_name
from thorp.town.model.chooser import POLICY_NAME, read_recording, refuse_unwritable, write_recording
from thorp.town.registry import find_policy

PolicyOption = Annotated[
    str, typer.Option("--policy", help="How to decide: ranked, simple, model, or an installed one.")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="The model of --policy model; else $THORP_MODEL."),
]
RepliesOption = Annotated[
    Path | None,
    typer.Option("--replies", metavar="FILE", help="Recorded model replies, instead of asking the model."),
]
RecordOption = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Where the model's replies are recorded.")
]
CallsOption = Annotated[int, typer.Option("--model-calls", min=0, help="Calls a model may make in all.")]
TokensOption = Annotated[int, typer.Option("--model-tokens", min=0, help="Tokens a model may use in all.")]
SecondsOption = Annotated[
    float, typer.Option("--model-seconds", min=0.001, max=DAY_SECONDS, help="Time for one choice.")
]

FindPolicy = Callable[[str], Policy]


@contextmanager
def open_policies(
    model: str | None, limits: ModelLimits, replies: Path | None, record: Path | None
) -> Iterator[FindPolicy]:
    """Policies by name. The policy *model* has one budget and one recording for the whole command; what was
    recorded is written however the command ends."""
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
            choosers.append(ModelChooser(model_name(model), limits=limits, replies=recording))
        return choosers[0].policy

    try:
        yield find
    finally:
        if record is not None and choosers:
            write_recording(record, recording)
        for chooser in choosers:
            outcomes = ", ".join(f"{name} {count}" for name, count in sorted(chooser.outcomes.items()))
            print(f"model {plain(chooser.model)}: {outcomes or 'never asked'}", file=sys.stderr)
