"""The interface of every worker pool: batches go in, and their results come back in any order."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager
from typing import Any

from thorp.kernel.errors import ThorpError
from thorp.workers.batches import Batch, BatchResult


class WorkerError(ThorpError):
    """A batch is lost. Batches that were collected before it are safe."""

    code = "worker"


class WorkerLost(WorkerError):
    """A worker died with a batch, which can be run again."""

    def __init__(self, batch: Batch[Any, Any], message: str) -> None:
        super().__init__(message)
        self.batch = batch


class WorkerPool(AbstractContextManager["WorkerPool"]):
    """Runs up to `capacity` batches at once. Leaving its `with` block stops those that are
    pending."""

    capacity: int

    @abstractmethod
    def submit(self, batch: Batch[Any, Any]) -> None:
        """Start a batch; there must be a free worker."""

    @abstractmethod
    def collect(self) -> BatchResult[Any]:
        """Wait for any pending batch, and return its result. Raises WorkerLost if its worker
        died."""
