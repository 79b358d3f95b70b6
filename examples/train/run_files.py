"""The files of a training run: decisions as JSON Lines, states of adapters, a log of what was done.

A step that is finished leaves its file, and is not done again when the run is resumed.
"""

import gzip
import json
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Processes that only play games need none.
    from torch import Tensor


class Run:
    """A folder that holds one training run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._began = time.monotonic()

    def path(self, name: str) -> Path:
        """Where a file of this name is, or will be."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """Whether a step has left its file."""
        return self.path(name).exists()

    def write_rows(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        """Write rows whole or not at all."""
        draft = self.path(f"{name}.part")
        with draft.open("w") as file:
            for row in rows:
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
        os.replace(draft, self.path(name))

    def write_packed(self, name: str, data: bytes) -> None:
        """Write a file packed with gzip, whole or not at all; the same data gives the same bytes."""
        draft = self.path(f"{name}.part")
        draft.write_bytes(gzip.compress(data, mtime=0))
        os.replace(draft, self.path(name))

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of a file."""
        with self.path(name).open() as file:
            yield from map(json.loads, file)

    def save(self, name: str, state: "dict[str, Tensor]") -> None:
        """Keep the weights of an adapter."""
        import torch

        draft = self.path(f"{name}.part")
        torch.save(state, draft)
        os.replace(draft, self.path(name))

    def load(self, name: str) -> "dict[str, Tensor]":
        """The weights of an adapter."""
        import torch

        state: dict[str, Tensor] = torch.load(self.path(name), weights_only=True)
        return state

    def say(self, text: str, **figures: float | str) -> None:
        """Tell a person what was done, and keep the figures for curves."""
        seconds = round(time.monotonic() - self._began, 1)
        print(f"[{seconds:7.1f} s] {text}", *(f"{k}={v}" for k, v in figures.items()), flush=True)
        with self.path("curve.jsonl").open("a") as file:
            file.write(json.dumps({"seconds": seconds, "what": text, **figures}) + "\n")
