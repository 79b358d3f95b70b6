"""Plays tasks by verifiers itself: `python -m tests.doors.verifiers_door`, in an environment that
has it.

A model on loopback answers every turn with the same action, in the stream that its harness asks
for; `vf-eval` plays groups of rows with it, and `vf-validate` holds a row against its solution.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from thorp.tasks import default_suite

PROOFS = Path(__file__).parents[2] / "suites" / "tasks-1" / "proofs.jsonl"
COMMANDS = Path(sys.executable).parent
GROUP = 2
REPLY = json.dumps({"action": "wait", "ticks": 5})


class Model(BaseHTTPRequestHandler):
    """A chat endpoint that streams one reply."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "x", "created": 1, "model": body["model"]}
        if not body.get("stream"):
            message = {"role": "assistant", "content": REPLY}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send("application/json", json.dumps(head | {"object": "chat.completion", "choices": [choice], "usage": usage}))  # fmt: skip
            return
        chunks: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": REPLY}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        lines = [json.dumps(head | {"object": "chat.completion.chunk"} | each) for each in chunks]
        self._send("text/event-stream", "".join(f"data: {each}\n\n" for each in [*lines, "[DONE]"]))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def ran(*command: str, folder: Path) -> str:
    """What a command of verifiers prints."""
    environment = {**os.environ, "OPENAI_API_KEY": "x", "PATH": f"{COMMANDS}:{os.environ['PATH']}"}
    done = subprocess.run(
        [str(COMMANDS / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        timeout=900,
        cwd=folder,
        env=environment,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    suite = default_suite()
    row = min(suite.select(split="dev"), key=lambda row: (row.max_turns, row.id))
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        player = ["--env.player.runtime.type", "subprocess", "--env.player.harness.id", "null"]
        where = ["--client.base-url", f"http://127.0.0.1:{server.server_port}/v1"]
        ran(
            "vf-eval", "thorp-tasks-v1", "--env.taskset.rows", row.id, *player, "-m", "scripted",
            *where, "--client.api-key-var", "OPENAI_API_KEY", "--no-push", "--no-rich",
            "-r", str(GROUP), folder=folder,
        )  # fmt: skip
        (path,) = folder.rglob("traces.jsonl")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        traces = [trace for line in lines for trace in line.get("traces", [line])]
        assert len(traces) == GROUP
        episode = suite.open(row.id)
        while not episode.is_over:
            episode.act(json.loads(REPLY))
        for trace in traces:
            assert "rewards" in trace, json.dumps(trace)[:2000]
            assert trace["rewards"]["goal"]["score"] == episode.score, trace["rewards"]
            assert trace["info"]["thorp"]["state"] == episode.digest()
        print(f"verifiers: {GROUP} rollouts of {row.id} end in the state that replay gives")
        told = ran(
            "vf-validate", "thorp-tasks-v1", "--taskset.rows", row.id,
            "--taskset.proofs", str(PROOFS), "--runtime.type", "subprocess", folder=folder,
        )  # fmt: skip
        (path,) = folder.rglob("*validate*/*.jsonl")
        assert '"valid_rate": 1.0' in told, told[-2000:] + path.read_text()
        print("verifiers: vf-validate finds the solution valid, and the untouched task unsolved")
    server.shutdown()


if __name__ == "__main__":
    main()
