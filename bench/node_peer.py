"""A peer in JavaScript that runs beside a benchmark, warm: orders in, answers out, a line of JSON
each."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast


@contextmanager
def node_peer(script: str) -> Iterator[Callable[[dict[str, Any]], Any]]:
    """Start a script of this directory; what is yielded sends it an order and returns its
    answer."""
    path = Path(__file__).with_name(script)
    with subprocess.Popen(
        ["node", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        orders = cast(Any, process.stdin)
        answers = cast(Any, process.stdout)

        def ask(order: dict[str, Any]) -> Any:
            orders.write(json.dumps(order).encode() + b"\n")
            orders.flush()
            return json.loads(answers.readline())

        yield ask
        orders.close()
