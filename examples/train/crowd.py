"""A thousand minds on one card: many worlds with several agents each, all asked as one batch.

    python crowd.py play   RECORDING --base MODEL.gguf --state adapter.pt
    python crowd.py replay RECORDING

A recording holds the letters that every agent chose, step by step, and each world's digest at the
end. It replays without a model, on any machine, to the same digests.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from games import Question

from thorp.env import World
from thorp.mind import Menu, Notes, Sight, describe

AGENTS: Final = 4
LEAST_TICKS: Final = 5
BUSY_TICKS: Final = 50
FIRST_SEED: Final = 60_000
TUNING: Final[dict[str, Any]] = {"starter_items": {}}


class Crowd:
    """One world, and the minds of its agents."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.steps: list[str] = []
        self.world = World(seed, AGENTS, TUNING, busy_ticks=BUSY_TICKS, least_ticks=LEAST_TICKS)
        seen = self.world.reset()
        self._sights = {body: Sight(self.world.block_palette) for body in seen}
        self._notes = {body: Notes() for body in seen}
        self._menus: dict[str, Menu] = {}
        self._see(seen)

    def ask(self, number: int) -> list[Question]:
        """A question of each agent that has a choice."""
        return [
            Question(number, describe(self._sights[body], self._notes[body], menu), letters, "")
            for body, menu in self._menus.items()
            if len(letters := self._notes[body].offered(menu)) > 1
        ]

    def answer(self, letters: str) -> None:
        """Take the options of those who were asked, in their order; the others go on."""
        self.steps.append(letters)
        rest = iter(letters)
        acts = {}
        for body, menu in self._menus.items():
            letters = self._notes[body].offered(menu)
            option = menu.option(next(rest) if len(letters) > 1 else letters)
            self._notes[body].took(option, menu)
            acts[body] = menu.act(option)
        self._see(self.world.step(acts))

    def _see(self, seen: dict[str, dict[str, Any]]) -> None:
        for body, obs in seen.items():
            self._sights[body].take(obs)
            self._notes[body].take(self._sights[body])
            self._menus[body] = Menu(self._sights[body])

    def summary(self) -> dict[str, Any]:
        """What is recorded of it."""
        infos = self.world.infos
        return {
            "seed": self.seed,
            "tick": self.world.tick,
            "digest": self.world.digest(),
            "achieved": [sum(map(bool, infos[body]["achievements"].values())) for body in infos],
            "steps": self.steps,
        }


def play(options: argparse.Namespace) -> None:
    """Let a model live in all worlds, and record it."""
    import torch
    from language_model import LanguageModel
    from learning import answer
    from run_files import Run

    model = LanguageModel(options.base, options.device, dtype=torch.float16)
    if options.state.suffix == ".gguf":
        model.load_adapter(options.state)
    else:
        model.load(Run(options.state.parent).load(options.state.name))
    model.fold()
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(options.processes)]
    workers = [context.Process(target=_serve, args=(far,), daemon=True) for _, far in pairs]
    for place, worker in enumerate(workers):
        worker.start()
        seeds = range(FIRST_SEED + place, FIRST_SEED + options.worlds, options.processes)
        pairs[place][0].send((list(seeds), options.ticks))
    decisions = 0
    asking = 0.0
    began = time.monotonic()
    active = [near for near, _ in pairs]
    rows: list[dict[str, Any]] = []
    while active:
        rounds = [pipe.recv() for pipe in active]
        rows += [row for _, ended in rounds for row in ended]
        active = [pipe for pipe, (questions, _) in zip(active, rounds, strict=True) if questions]
        waiting = [questions for questions, _ in rounds if questions]
        asked = [question for questions in waiting for each in questions for question in each]
        since = time.monotonic()
        letters = iter(answer(model, asked) if asked else [])
        asking += time.monotonic() - since
        decisions += len(asked)
        for pipe, questions in zip(active, waiting, strict=True):
            pipe.send(["".join(next(letters) for _ in each) for each in questions])
    seconds = time.monotonic() - began
    rows.sort(key=lambda row: row["seed"])
    head = {
        "worlds": options.worlds,
        "agents": AGENTS,
        "ticks": options.ticks,
        "decisions": decisions,
        "seconds": round(seconds, 1),
        "asking_seconds": round(asking, 1),
    }
    with gzip.open(options.recording, "wt") as file:
        for row in [head, *rows]:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(head, "a second:", round(decisions / seconds), "of the card:", round(decisions / asking))


def _serve(pipe: Connection) -> None:
    seeds, ticks = pipe.recv()
    crowds = [Crowd(seed) for seed in seeds]
    while crowds:
        ended = [each.summary() for each in crowds if each.world.tick >= ticks]
        crowds = [each for each in crowds if each.world.tick < ticks]
        pipe.send(([each.ask(0) for each in crowds], ended))
        if crowds:
            for each, letters in zip(crowds, pipe.recv(), strict=True):
                each.answer(letters)


def replay(options: argparse.Namespace) -> None:
    """Play a recording again, and compare every world's digest."""
    with gzip.open(options.recording, "rt") as file:
        head, *rows = map(json.loads, file)
    began = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        same = pool.map(_is_same, rows[: options.worlds])
    seconds = time.monotonic() - began
    print(f"{sum(same)} of {len(same)} worlds end in the same digest; {seconds:.0f} s", head)
    if not all(same):
        raise SystemExit(1)


def _is_same(row: dict[str, Any]) -> bool:
    crowd = Crowd(row["seed"])
    for letters in row["steps"]:
        crowd.answer(letters)
    return crowd.summary() == row


def main() -> None:
    """Play or replay."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("play", "replay"))
    parser.add_argument("recording", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--worlds", type=int, default=250)
    parser.add_argument("--ticks", type=int, default=600)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    play(options) if options.what == "play" else replay(options)


if __name__ == "__main__":
    main()
