"""Imitation: make the letter of the teacher the most likely one."""

import math
import random
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import torch
from games import Policy, Question
from language_model import LanguageModel
from run_files import Run
from torch import Tensor, nn

from thorp.mind import LETTERS

LEARNING_RATE: Final = 1e-3
WARM_UP_STEPS: Final = 40
LEAST_RATE: Final = 0.02  # At the end, as a share of the rate.
BETAS: Final = (0.9, 0.99)
CLIP: Final = 1.0
TOKENS_A_BATCH: Final = 36_864
# A step of reinforcement takes the mean of many ways: what one way tells is mostly luck.
REINFORCE_RATE: Final = 2e-4
BATCHES_A_STEP: Final = 6
QUESTIONS_A_BATCH: Final = 1_024  # When nothing is learnt.


class Decision(NamedTuple):
    """A question, and what the teacher answers."""

    prompt: str
    letters: str
    choice: str


class Attempt(NamedTuple):
    """A question, what was answered, and by how much that way was better than the others that began
    in the same state, in their spread."""

    prompt: str
    letters: str
    choice: str
    advantage: float


def masked(scores: Tensor, letters: Sequence[str]) -> Tensor:
    """Scores in which only the options that there are count."""
    allowed = torch.zeros(scores.shape, dtype=torch.bool)
    for row, each in enumerate(letters):
        allowed[row, [LETTERS.index(letter) for letter in each]] = True
    return scores.masked_fill(~allowed.to(scores.device), float("-inf"))


def imitate(
    model: LanguageModel,
    decisions: Sequence[Decision],
    run: Run,
    *,
    name: str,
    seed: int = 0,
    rate: float = LEARNING_RATE,
    seconds: float = math.inf,
) -> None:
    """One pass over the decisions, in an order drawn from the seed; or as much of one as there is
    time for."""
    tokens = model.encode([each.prompt for each in decisions])
    batches = _batches(tokens, TOKENS_A_BATCH, seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=BETAS, weight_decay=0.0)
    warm_up = min(WARM_UP_STEPS, len(batches) // 4 + 1)
    began = time.monotonic()
    right = total = 0
    for step, batch in enumerate(batches, start=1):
        done = max(step / len(batches), (time.monotonic() - began) / seconds)
        for group in optimizer.param_groups:
            group["lr"] = rate * min(step / warm_up, _cosine(done))
        scores = model.scores([tokens[place] for place in batch])
        scores = masked(scores, [decisions[place].letters for place in batch])
        wanted = torch.tensor(
            [LETTERS.index(decisions[place].choice) for place in batch], device=scores.device
        )
        loss = nn.functional.cross_entropy(scores, wanted)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        right += int((scores.argmax(-1) == wanted).sum())
        total += len(batch)
        if step % 25 == 0 or done >= 1:
            run.say(
                name,
                step=step,
                steps=len(batches),
                loss=round(float(loss.detach()), 4),
                agreement=round(right / total, 4),
            )
            right = total = 0
        if done >= 1:
            break


def _cosine(done: float) -> float:
    """The share of the learning rate when so much of a pass is done: it falls along a cosine."""
    least = LEAST_RATE
    return least + (1 - least) * (1 + math.cos(math.pi * min(1.0, done))) / 2


def encourage(
    model: LanguageModel,
    attempts: Sequence[Attempt],
    run: Run,
    *,
    name: str,
    seed: int = 0,
    rate: float = REINFORCE_RATE,
) -> None:
    """Make answers likelier by how much better their ways were than the others: one pass."""
    tokens = model.encode([each.prompt for each in attempts])
    batches = _batches(tokens, TOKENS_A_BATCH, seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=BETAS, weight_decay=0.0)
    for begin in range(0, len(batches), BATCHES_A_STEP):
        group = batches[begin : begin + BATCHES_A_STEP]
        count = sum(map(len, group))
        optimizer.zero_grad(set_to_none=True)
        total = entropy = 0.0
        for batch in group:
            scores = model.scores([tokens[place] for place in batch])
            logs = masked(scores, [attempts[place].letters for place in batch]).log_softmax(-1)
            taken = torch.tensor(
                [[LETTERS.index(attempts[place].choice)] for place in batch], device=logs.device
            )
            worth = torch.tensor([attempts[place].advantage for place in batch], device=logs.device)
            loss = -(worth * logs.gather(-1, taken).squeeze(-1)).sum() / count
            loss.backward()
            total += float(loss.detach())
            entropy -= (
                float((logs.exp() * logs.masked_fill(logs.isinf(), 0)).detach().sum()) / count
            )
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
    run.say(name, steps=len(batches), loss=round(total, 4), entropy=round(entropy, 4))


@torch.no_grad()
def answer(
    model: LanguageModel,
    questions: Sequence[Question],
    temperature: float = 0.0,
    source: random.Random | None = None,
) -> list[str]:
    """The model's letter for each question: the likeliest, or one drawn at a temperature."""
    letters: list[str] = []
    for begin in range(0, len(questions), QUESTIONS_A_BATCH):
        batch = questions[begin : begin + QUESTIONS_A_BATCH]
        scores = model.scores(model.encode([each.prompt for each in batch]))
        scores = masked(scores, [each.letters for each in batch])
        if temperature and source is not None:
            noise = torch.tensor(
                [[source.random() for _ in LETTERS] for _ in batch], device=scores.device
            )
            scores = scores / temperature - torch.log(-torch.log(noise))
        letters += [LETTERS[place] for place in scores.argmax(-1).tolist()]
    return letters


def policy_of(model: LanguageModel, temperature: float = 0.0, seed: int = 0) -> Policy:
    """The model, as it is now, as a policy for `Tables.play`."""
    model.fold()
    source = random.Random(seed)
    return lambda questions: answer(model, questions, temperature, source)


def _batches(tokens: Sequence[Sequence[int]], room: int, seed: int) -> list[list[int]]:
    """Places in an order drawn from a seed, as many at a time as there is room for."""
    order = list(range(len(tokens)))
    random.Random(seed).shuffle(order)
    batches: list[list[int]] = [[]]
    longest = 0
    for place in order:
        longest = max(longest, len(tokens[place]))
        if batches[-1] and longest * (len(batches[-1]) + 1) > room:
            batches.append([])
            longest = len(tokens[place])
        batches[-1].append(place)
    return batches
