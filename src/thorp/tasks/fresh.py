"""Fresh rows: an unseen test for a public suite.

    secret = new_secret()
    print(commit(secret))                       # published before anybody plays
    rows = fresh_rows(suite, secret, "build", 5)
    ...                                         # played
    print(secret.hex())                         # revealed afterwards
    judged = judge(suite, rows, oracles)        # rows that the oracle fails count for nobody

Who publishes the SHA-256 of a secret before play cannot choose the rows afterwards, and nobody can
prepare for rows that follow from a secret. Their seeds lie above those of every frozen split.
"""

import secrets
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Final

import msgspec

from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import ConflictError, InvalidError
from thorp.tasks.episode import Episode
from thorp.tasks.proof import Oracles, played
from thorp.tasks.record import MAX_SEED, Row, Task
from thorp.tasks.suite import Suite

SECRET_BYTES: Final = 32
# Frozen splits begin at a thousand and have a few dozen seeds each.
FIRST_FRESH_SEED: Final = 2**31
MAX_FRESH_ROWS: Final = 1_000


def new_secret() -> bytes:
    """A secret from the system."""
    return secrets.token_bytes(SECRET_BYTES)


def read_secret(text: str) -> bytes:
    """The secret that somebody reveals, as hexadecimal digits."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or len(text) != 2 * SECRET_BYTES:
        raise InvalidError(f"a secret has {2 * SECRET_BYTES} hexadecimal digits", code="secret")
    return secret


def commit(secret: bytes) -> str:
    """What is published of a secret before play: its SHA-256."""
    if len(secret) != SECRET_BYTES:
        raise InvalidError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}", code="secret")
    return sha256(secret).hexdigest()


def check_commitment(secret: bytes, commitment: str) -> None:
    """Refuse a secret that is not the one that was committed to."""
    if not compare_digest(commit(secret).encode(), commitment.casefold().encode()):
        raise ConflictError(
            f"this secret's SHA-256 is {commit(secret)[:12]}…, and {commitment[:12]}… was "
            "committed to; its rows are not those that were announced",
            code="commitment",
        )


def fresh_rows(suite: Suite, secret: bytes, text: str | None, count: int) -> list[Row]:
    """Make `count` fresh rows of each task: of a family, of one task, or of all (None)."""
    commit(secret)
    if not 1 <= count <= MAX_FRESH_ROWS:
        raise InvalidError(f"fresh rows are 1 to {MAX_FRESH_ROWS} a task, not {count}", code="rows")
    tasks = dict.fromkeys(row.task for row in suite.select(text))
    return [
        Episode(suite.tasks[task], seed).row("test")
        for task in tasks
        for seed in fresh_seeds(suite, suite.tasks[task], secret, count)
    ]


def fresh_seeds(suite: Suite, task: Task, secret: bytes, count: int) -> list[int]:
    """Seeds that follow from a secret, and differ for every task of every suite."""
    seeds: dict[int, None] = {}
    draw = 0
    while len(seeds) < count:
        named = canonical_bytes([suite.name, suite.version, task.digest, draw])
        number = int.from_bytes(sha256(secret + named).digest()[:8])
        seeds[FIRST_FRESH_SEED + number % (MAX_SEED + 1 - FIRST_FRESH_SEED)] = None
        draw += 1
    return list(seeds)


class Judged(msgspec.Struct, frozen=True):
    """Which rows count: those that the oracle solved."""

    sound: list[str]
    failed: dict[str, str]
    """The oracle's score, for each row that it failed."""


def judge(suite: Suite, rows: Iterable[Row], oracles: Oracles) -> Judged:
    """Let the oracle play the rows, once everybody else has."""
    scores = {
        row.id: played(task, row.seed, oracles.solver(task)).exact_score
        for row in rows
        for task in (suite.task(row.task_name),)
    }
    return Judged(
        sound=[row for row, score in scores.items() if score == 1],
        failed={row: str(score) for row, score in scores.items() if score != 1},
    )
