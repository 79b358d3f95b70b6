"""A process that tells a story and says what was answered, until it is killed.

    python -m tests.story.kill_child URL LIFE

Each line on standard output is a request id and the digest of its answer.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading

from tests.story.world import bundle, entry, voice
from thorp.story import StoryConfig, open_ledger
from thorp.story.writer import ScriptedWriter

CLIENTS = 3


def main(url: str, life: str) -> None:
    lines = iter(lambda: bundle(voice(), entry("Quiet.", to=["REBECCA"])), None)
    ledger = open_ledger(url, StoryConfig(), ScriptedWriter(lines))

    def client(number: int) -> None:
        count = 0
        while True:
            request_id = f"{life}-{number}-{count}"
            answer = ledger.respond(envelope(request_id))
            if answer.status == 200:
                line = f"{request_id} {hashlib.sha256(answer.body.encode()).hexdigest()}\n"
                os.write(1, line.encode())
            count += 1

    for number in range(CLIENTS):
        threading.Thread(target=client, args=[number], daemon=True).start()
    threading.Event().wait()


def envelope(request_id: str) -> dict[str, object]:
    return {
        "request_id": request_id,
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": f"Beat {request_id}."},
        "mode": {"kind": "BEAT"},
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
