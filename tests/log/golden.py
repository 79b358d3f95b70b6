"""Records made by Go's note and tlog packages and agreed by a second implementation."""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

from thorp.log.merkle import leaf_hash, node_hash
from thorp.log.signer import Signer, signers_from_text

GOLDEN = Path(__file__).parent.parent / "golden" / "tlog"


def load(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def decoded(texts: list[str]) -> list[bytes]:
    return [b64decode(text) for text in texts]


LEAVES = [row["leaf"].encode() for row in load("leaves")]
HASHES = [leaf_hash(leaf) for leaf in LEAVES]
KEYS = load("keys")


def log_signer() -> Signer:
    return signers_from_text(KEYS["log"]["Skey"])[0]


def next_signer() -> Signer:
    return signers_from_text(KEYS["log_next"]["Skey"])[0]


@cache
def node(level: int, index: int) -> bytes:
    if level == 0:
        return HASHES[index]
    return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
