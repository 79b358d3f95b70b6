"""How often the shipped way of running the model chooses as the one that was measured did.

    python agree.py draw GAMES.jsonl.gz PROMPTS.jsonl [--count 500]
    python agree.py ask  PROMPTS.jsonl ANSWERS.jsonl  [--model MODEL.gguf]

`draw` plays recorded games again and takes prompts from them, equally many of each game, evenly over
its length. `ask` asks the embedded model (llama.cpp, on this machine's CPU) what it answers to each,
and counts how often that is what was recorded. It goes on where it was interrupted.
"""

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games import Game, Setting

from thorp.mind import RULES
from thorp.models import ChatMessage, ChatRequest
from thorp.models.choice import LISTED_BY_LLAMA, ChoiceClient
from thorp.models.embedded.cache import find_model
from thorp.models.embedded.catalogue import DEFAULT
from thorp.models.embedded.local import ADAPTER
from thorp.models.embedded.process import EmbeddedModel
from thorp.models.embedded.settings import Settings
from thorp.models.recorded_choices import RecordedGames, prompt_digits

SECONDS: Final = 600.0  # The longest wait for an answer.
# Two answers are nearly as likely if no more than this lies between them.
CLOSE: Final = 0.1


def draw(games: RecordedGames, count: int) -> Iterator[dict[str, Any]]:
    """Prompts of recorded games, with the letters offered and the one that was taken."""
    ticks: Any = games.parameters["ticks"]
    each = -(-count // len(games.games))
    for recorded in games.games.values():
        wanted = places(len(recorded.letters), each)
        game = Game(recorded.seed, Setting(games.scenario, ticks))
        for place, letter in enumerate(recorded.letters[: max(wanted) + 1]):
            question = game.ask()
            assert prompt_digits(question.prompt) == recorded.digest(place), "another prompt"
            if place in wanted:
                yield {
                    "seed": recorded.seed,
                    "place": place,
                    "prompt": question.prompt,
                    "letters": question.letters,
                    "taken": letter,
                }
            game.answer(letter)


def places(length: int, count: int) -> list[int]:
    """So many places in a game of this length, evenly."""
    return [(2 * number + 1) * length // (2 * count) for number in range(count)]


def ask(prompts: list[dict[str, Any]], answers: Path, model: str) -> None:
    """Ask the embedded model what has no answer yet."""
    done = len(answers.read_text().splitlines()) if answers.exists() else 0
    with (
        EmbeddedModel.open(find_model(model), Settings(adapter=ADAPTER)) as endpoint,
        answers.open("a") as file,
    ):
        client = ChoiceClient(endpoint.url, endpoint.key)
        client.listed = LISTED_BY_LLAMA
        for row in prompts[done:]:
            messages = (ChatMessage("system", RULES), ChatMessage("user", row["prompt"]))
            request = ChatRequest(model="local", messages=messages, max_tokens=1)
            before = cpu_seconds(endpoint.pid)
            choice = client.choose(request, row["letters"], seconds=SECONDS)
            answer = {
                "letter": choice.letter,
                "taken": row["taken"],
                "probabilities": {
                    letter: round(value, 4)
                    for letter, value in list(choice.probabilities.items())[:4]
                },
                "tokens": choice.tokens_in,
                "seconds": round(cpu_seconds(endpoint.pid) - before, 2),
            }
            file.write(json.dumps(answer) + "\n")
            file.flush()


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(answers: Path) -> str:
    """How many letters are equal, and how close the others were."""
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    other = [row for row in rows if row["letter"] != row["taken"]]
    close = [
        row
        for row in other
        if row["probabilities"][row["letter"]] - row["probabilities"].get(row["taken"], 0) < CLOSE
    ]
    seconds = sorted(row["seconds"] for row in rows)
    return (
        f"{len(rows) - len(other)} of {len(rows)} letters are equal; {len(close)} of the other "
        f"{len(other)} were within {CLOSE:.0%} of each other; "
        f"{sum(row['tokens'] for row in rows) / len(rows):.0f} tokens and "
        f"{sum(seconds) / len(seconds):.2f} CPU seconds a decision"
    )


def main() -> None:
    """Draw or ask."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("draw", "ask"))
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--model", default=DEFAULT)
    options = parser.parse_args()
    if options.what == "draw":
        rows = draw(RecordedGames.from_bytes(options.source.read_bytes()), options.count)
        with options.out.open("w") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
    else:
        prompts = [json.loads(line) for line in options.source.read_text().splitlines()]
        ask(prompts, options.out, options.model)
        print(report(options.out))


if __name__ == "__main__":
    main()
