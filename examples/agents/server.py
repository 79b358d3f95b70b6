"""A number-guess agent as an HTTP server, nothing to install.

python3 examples/agents/server.py 8765
thorp match run number-guess --agent http://127.0.0.1:8765/ --agent random
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ranges: dict[str, list[int]] = {}
"""What is left to guess in each game, by who plays it. A game starts anew with every init."""


def answer(message):
    game = (message["agentId"], message["seed"])
    if message["type"] == "init":
        ranges[game] = (message["parameters"]["minimum"], message["parameters"]["maximum"])
        return {"protocol": 1}
    low, high = ranges[game]
    seen = message["observation"]
    if seen["feedback"] == "higher":
        low = seen["lastGuess"] + 1
    elif seen["feedback"] == "lower":
        high = seen["lastGuess"] - 1
    ranges[game] = (low, high)
    return {"turn": message["turn"], "action": {"guess": (low + high) // 2}}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answer(message)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass  # the match has its own log


def main():
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
