"""The posture scan: no part of a story may steer it. Words of pacing and engagement have no place in its
code.

A finding names the file and the line. Lists of phrases that are refused must spell them, and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

WORDS: Final = (
    "engagement",
    "pacing",
    "dramatic",
    "drama",
    "boredom",
    "bored",
    "tension",
    "excitement",
    "interestingness",
    "cliffhanger",
    "retention",
)
PASSED_OVER: Final = ("phrases.py", "posture.py")
SUFFIXES: Final = (".py", ".md", ".json", ".toml", ".txt")
_WORD = re.compile(rf"(?<![a-z])({'|'.join(WORDS)})(?![a-z])", re.IGNORECASE)


class Finding(NamedTuple):
    file: Path
    line: int
    word: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word}"


def scan(roots: Iterable[Path]) -> list[Finding]:
    """Every place under these directories where something speaks of steering a story."""
    return [finding for root in roots for file in _files(root) for finding in _scan_file(file)]


def _files(root: Path) -> list[Path]:
    return [
        file
        for file in sorted(root.rglob("*"))
        if file.suffix in SUFFIXES and file.name not in PASSED_OVER and "testing" not in file.parts
    ]


def _scan_file(file: Path) -> list[Finding]:
    return [
        Finding(file, number, found[1].lower())
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        for found in _WORD.finditer(line)
    ]
