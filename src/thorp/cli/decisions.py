"""The policies that `thorp town` decides by, and its batches: JSON lines in, and an answer for each
line out, in the same order. A bad line is answered with its error, in its place."""

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, NamedTuple

from thorp.cli.commands import option, print_json
from thorp.cli.location import OpenTowns
from thorp.cli.options import SECONDS
from thorp.kernel.canonical import Json
from thorp.kernel.errors import (
    ContractError,
    InvalidError,
    LimitError,
    ThorpError,
    UnavailableError,
    error_document,
)
from thorp.kernel.strict_json import DOCUMENT_BYTES_LIMIT, read_document
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

# Answers of a batch that may be outstanding: a full commit group, and so the next one gathers while
# this one is synced.
UNDER_WAY = 1000


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Every line that is not blank. One that is too long is cut, but stays long enough to be
    refused."""
    while line := stream.readline(DOCUMENT_BYTES_LIMIT + 2):
        piece = line
        while not piece.endswith(b"\n") and piece:
            piece = stream.readline(DOCUMENT_BYTES_LIMIT)
        line = line.rstrip(b"\r\n")
        if line.strip():
            yield line


def answer_lines(answer: Callable[[Json], dict[str, Json]]) -> None:
    """Answer each line of standard input with a line: the answer, or the error as a document."""
    for line in _lines(sys.stdin.buffer):
        try:
            document = answer(read_document(line))
        except ThorpError as error:
            document = error_document(error)
        print_json(document)


def execute_lines(world: OpenTowns) -> None:
    """Execute line after line, many to a sync, and print each answer as soon as it is durable."""
    answers: queue.Queue[Future[dict[str, Json]] | None] = queue.Queue(UNDER_WAY)
    printer = _Printer(answers)
    printer.start()
    try:
        for line in _lines(sys.stdin.buffer):
            if printer.problem is not None:
                break
            answers.put(_submit_line(world, line))
    finally:
        answers.put(None)
        printer.join()
    if printer.problem is not None:
        raise printer.problem


def _submit_line(world: OpenTowns, line: bytes) -> Future[dict[str, Json]]:
    try:
        return world.submit(read_document(line))
    except ThorpError as error:
        refused: Future[dict[str, Json]] = Future()
        refused.set_exception(error)
        return refused


class _Printer(threading.Thread):
    """Prints answers in order. After a problem it only empties the queue, so that the reader of
    lines is never blocked by it."""

    def __init__(self, answers: queue.Queue[Future[dict[str, Json]] | None]) -> None:
        super().__init__(name="thorp town answers", daemon=True)
        self._answers = answers
        self.problem: BaseException | None = None

    def run(self) -> None:
        while (future := self._answers.get()) is not None:
            if self.problem is None:
                try:
                    print_json(_answer_of(future))
                except BaseException as problem:
                    self.problem = problem


def _answer_of(future: Future[dict[str, Json]]) -> dict[str, Json]:
    """The answer to a line, or the error in the line. Any other error, such as a damaged world,
    ends the batch."""
    try:
        return future.result()
    except (ContractError, InvalidError, LimitError, UnavailableError) as error:
        return error_document(error)


class PolicyOptions(NamedTuple):
    """How governors decide."""

    policy: Annotated[str, option("How to decide: ranked, simple, model, or an installed one.")] = (
        "ranked"
    )
    model: Annotated[
        str | None, option("The model of --policy model; else $THORP_MODEL.", "NAME")
    ] = None
    replies: Annotated[
        Path | None, option("Recorded replies to use instead of the model.", "FILE")
    ] = None
    record: Annotated[Path | None, option("Record the model's replies in this file.", "FILE")] = (
        None
    )
    model_calls: Annotated[int, option("Calls a model may make in all.", min=0)] = (
        DEFAULT_LIMITS.calls
    )
    model_tokens: Annotated[int, option("Tokens a model may use in all.", min=0)] = (
        DEFAULT_LIMITS.tokens
    )
    model_seconds: Annotated[float, option("Time limit of one choice.", **SECONDS)] = (
        DEFAULT_LIMITS.seconds
    )


FindPolicy = Callable[[str], Policy]


@contextmanager
def open_policies(options: PolicyOptions) -> Iterator[FindPolicy]:
    """Yield a function that finds policies by name.

    The policy *model* has one budget and one recording for the whole command; the recording is
    written however the command ends.
    """
    replies = options.replies
    record = options.record
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
            choosers.append(
                ModelChooser(model_name(options.model), limits=limits, replies=recording)
            )
        return choosers[0].policy

    try:
        yield find
    finally:
        if record is not None and choosers:
            write_recording(record, recording)
        for chooser in choosers:
            outcomes = ", ".join(
                f"{name} {count}" for name, count in sorted(chooser.outcomes.items())
            )
            print(f"model {one_line(chooser.model)}: {outcomes or 'never asked'}", file=sys.stderr)
