"""A number-guess agent as a command: JSON lines on standard input and output, nothing to install.

thorp match run number-guess --agent "cmd:python3 examples/agents/jsonlines.py" --agent random
"""

import json
import sys


def answer(message):
    print(json.dumps(message), flush=True)  # without the flush the line stays in a buffer


def main():
    low = high = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "init":
            low = message["parameters"]["minimum"]
            high = message["parameters"]["maximum"]
            answer({"type": "ready", "protocol": 1})
        elif message["type"] == "act":
            seen = message["observation"]
            if seen["feedback"] == "higher":
                low = seen["lastGuess"] + 1
            elif seen["feedback"] == "lower":
                high = seen["lastGuess"] - 1
            guess = (low + high) // 2
            answer({"type": "action", "turn": message["turn"], "action": {"guess": guess}})
        elif message["type"] == "end":
            return


if __name__ == "__main__":
    main()
