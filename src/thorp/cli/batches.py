"""Batches: JSON lines in, JSON lines out, in the same order; a bad line is answered in its place."""

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import BinaryIO

from thorp.cli.location import Towns
from thorp.cli.printing import print_json
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

UNDER_WAY = 1000
"""Answers that a batch may be behind its input: one full group, so that the next one can gather."""


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Every line that is not blank. Of one that is too long only so much is kept that it can be refused."""
    while line := stream.readline(DOCUMENT_BYTES_LIMIT + 2):
        piece = line
        while not piece.endswith(b"\n") and piece:
            piece = stream.readline(DOCUMENT_BYTES_LIMIT)
        line = line.rstrip(b"\r\n")
        if line.strip():
            yield line


def answer_lines(answer: Callable[[Json], dict[str, Json]]) -> None:
    """Answer line after line."""
    for line in _lines(sys.stdin.buffer):
        try:
            document = answer(read_document(line))
        except ThorpError as error:
            document = error_document(error)
        print_json(document)


def execute_lines(world: Towns) -> None:
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


def _submit_line(world: Towns, line: bytes) -> Future[dict[str, Json]]:
    try:
        return world.submit(read_document(line))
    except ThorpError as error:
        refused: Future[dict[str, Json]] = Future()
        refused.set_exception(error)
        return refused


class _Printer(threading.Thread):
    """Prints answers in order. After a problem it only empties the queue, so that nobody waits for it."""

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
    """The answer to a line, or what is wrong with the line. What is wrong with the world ends the batch."""
    try:
        return future.result()
    except (ContractError, InvalidError, LimitError, UnavailableError) as error:
        return error_document(error)
