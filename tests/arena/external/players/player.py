"""A command agent that behaves as its argument says: a way to answer, or one of many ways not
to."""

import json
import os
import signal
import subprocess
import sys
import time


def send(message):
    raw(json.dumps(message).encode() + b"\n")


def raw(data):
    while data:
        data = data[os.write(1, data) :]


def guess(turn, number=1):
    send({"type": "action", "turn": turn, "action": {"guess": number}})


def crash(turn):
    if turn == 2:
        os._exit(3)
    guess(turn)


def slow(turn):
    if turn == 1:
        time.sleep(1.4)
        guess(turn, 99)
    else:
        guess(turn)


def late(turn):
    guess(turn - 1, 99)
    send({"type": "error", "turn": turn - 1, "message": "too late"})
    guess(turn)


def ahead(turn):
    if turn == 1:
        raw(
            b"".join(
                json.dumps({"type": "action", "turn": n, "action": n}).encode() + b"\n"
                for n in (1, 2, 3)
            )
        )


def huge(turn):
    if turn == 1:
        raw(b"x" * (3 << 20) + b"\n")
    else:
        guess(turn)


def endless(turn):
    while True:
        raw(b"x" * 65536)


def close_output(turn):
    os.close(1)
    time.sleep(60)


def close_input(turn):
    guess(turn)
    os.close(0)
    time.sleep(60)


def flood_stderr(turn):
    for _ in range(64):
        os.write(2, b"x" * 16384)
    os.write(2, f"the end of turn {turn}\n".encode())
    guess(turn)


def bomb(turn):
    kept = []
    while True:
        kept.append(bytearray(16 << 20))


def loop(turn):
    while True:
        pass


def sleep(turn):
    time.sleep(60)


def with_grandchild(turn):
    if turn == 1:
        child = subprocess.Popen(["sleep", "300"])
        print(child.pid, file=sys.stderr, flush=True)
    guess(turn)


def orphan(turn):
    child = subprocess.Popen(["sleep", "300"])
    print(child.pid, file=sys.stderr, flush=True)
    os._exit(0)


def stubborn(turn):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    guess(turn)
    if turn == 2:
        time.sleep(60)


def environment(turn):
    send({"type": "action", "turn": turn, "action": dict(os.environ)})


def fragments(turn):
    for byte in (
        json.dumps({"type": "action", "turn": turn, "action": {"guess": 1}}).encode() + b"\r\n\n \n"
    ):
        raw(bytes([byte]))


def verdict(turn):
    send({"type": "action", "turn": turn, "action": {"heard": MESSAGE.get("feedback", "nothing")}})


def mirror(turn):
    send({"type": "action", "turn": turn, "action": INIT})


ACTS = {
    "ok": guess,
    "crash": crash,
    "slow": slow,
    "late": late,
    "ahead": ahead,
    "huge": huge,
    "endless": endless,
    "close-output": close_output,
    "close-input": close_input,
    "flood-stderr": flood_stderr,
    "bomb": bomb,
    "loop": loop,
    "sleep": sleep,
    "grandchild": with_grandchild,
    "orphan": orphan,
    "stubborn": stubborn,
    "environment": environment,
    "fragments": fragments,
    "mirror": mirror,
    "verdict": verdict,
    "segfault": lambda turn: os.kill(os.getpid(), signal.SIGSEGV),
    "garbage": lambda turn: raw(b"hello\n"),
    "not-utf8": lambda turn: raw(b'{"type":"action","turn":1,"action":"\xff"}\n'),
    "deep": lambda turn: raw(b"[" * 100_000 + b"\n"),
    "list": lambda turn: send([turn]),
    "other-type": lambda turn: send({"type": "ready", "protocol": 1}),
    "no-type": lambda turn: send({"turn": turn, "action": 1}),
    "no-turn": lambda turn: send({"type": "action", "action": 1}),
    "bool-turn": lambda turn: send({"type": "action", "turn": True, "action": 1}),
    "later-turn": lambda turn: send({"type": "action", "turn": turn + 1, "action": 1}),
    "no-action": lambda turn: send({"type": "action", "turn": turn}),
    "error": lambda turn: send(
        {"type": "error", "turn": turn, "message": f"no idea in turn {turn}"}
    ),
    "bare-error": lambda turn: send({"type": "error", "turn": turn}),
    "big-number": lambda turn: raw(
        b'{"type":"action","turn":%d,"action":[1e999,-0,1e21]}\n' % turn
    ),
}
INITS = {
    "exit-at-once": lambda: os._exit(5),
    "mute": lambda: time.sleep(60),
    "greeting": lambda: raw(b"Hello, I am ready!\n"),
    "other-protocol": lambda: send({"type": "ready", "protocol": 2}),
    "no-ready": lambda: send({"type": "action", "turn": 0, "action": 1}),
    "init-error": lambda: send({"type": "error", "turn": 0, "message": "no licence"}),
}


def main():
    global INIT, MESSAGE
    behaviour = sys.argv[1]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "init":
            INIT = message
            INITS.get(behaviour, lambda: send({"type": "ready", "protocol": 1}))()
        elif message["type"] == "act":
            MESSAGE = message
            ACTS[behaviour](message["turn"])
        elif behaviour != "stubborn":
            return


main()
