"""How long prompts are by the tokenizer of the embedded model, and what a choice costs: with the true
weights, which `thorp model get smollm2` fetches."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from tests.mind.test_options import RICH, moments
from thorp.bridges.voxel_match import VoxelSurvival
from thorp.kernel.errors import ThorpError
from thorp.mind import LETTERS, RULES, describe
from thorp.models import ChatMessage, ChatRequest
from thorp.models.choice import LISTED_BY_LLAMA, ChoiceClient
from thorp.models.embedded import Endpoint, find_model
from thorp.models.embedded.local import open_local
from thorp.models.http_post import connector, post_async, run

MOST_TOKENS = 400
MOST_NEW_TOKENS = 180
BEFORE_QUESTION = 8
"""What the chat's template puts around the rules, up to where the question begins: always the same,
so it is in the cache with them."""
BEGINNING = "hour "
"""How every question begins, so this is in the cache, too."""
AFTER_QUESTION = 5
"""And from there to the answer: `<|im_end|>`, `<|im_start|>assistant`, two line feeds."""
MOST_COLD_SECONDS = 3.5
MOST_WARM_SECONDS = 1.5
ASKED = 12

pytestmark = [pytest.mark.long, pytest.mark.real("mind")]


@pytest.fixture(autouse=True)
def _has_the_model() -> None:
    try:
        find_model()
    except ThorpError as problem:
        pytest.skip(str(problem))


def count_tokens(endpoint: Endpoint, text: str) -> int:
    connector()
    url = endpoint.url.removesuffix("/v1")
    headers = {"Authorization": f"Bearer {endpoint.key}"}
    body = msgspec.json.encode({"content": text})
    answer = run(post_async(f"{url}/tokenize", body, seconds=60, headers=headers))
    return len(msgspec.json.decode(answer.body)["tokens"])


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prompts(most: int) -> list[tuple[str, str]]:
    """Prompts with their letters, from a poor beginning and from a rich one."""
    asked = []
    for seed, tuning in ((1, RICH), (2, dict(VoxelSurvival.tuning)), (5, RICH)):
        for _, _, sight, notes, menu in moments(seed, tuning, most):
            if len(menu) > 1:
                asked.append((describe(sight, notes, menu), menu.letters))
    return asked


def test_a_question_has_at_most_400_tokens_of_which_180_are_new() -> None:
    with open_local(chooses=True) as endpoint:
        rules = count_tokens(endpoint, RULES)
        beginning = count_tokens(endpoint, BEGINNING)
        assert count_tokens(endpoint, f"{BEGINNING}7") == beginning + 1
        asked = [prompt for prompt, _ in prompts(100)]
        counts = [count_tokens(endpoint, prompt) for prompt in asked]
    assert len(counts) > 200
    assert all(prompt.startswith(BEGINNING) for prompt in asked)
    assert max(counts) - beginning + AFTER_QUESTION <= MOST_NEW_TOKENS
    assert BEFORE_QUESTION + rules + max(counts) + AFTER_QUESTION <= MOST_TOKENS


def test_every_letter_is_one_token() -> None:
    """Alone, and as the answer that follows the template's last line feed."""
    with open_local(chooses=True) as endpoint:
        assert {count_tokens(endpoint, letter) for letter in LETTERS} == {1}
        before = count_tokens(endpoint, "\n")
        assert {count_tokens(endpoint, f"\n{letter}") for letter in LETTERS} == {before + 1}


def test_a_choice_costs_little_processor_time_and_is_always_legal() -> None:
    with open_local(chooses=True) as endpoint:
        client = ChoiceClient(endpoint.url, endpoint.key)
        client.listed = LISTED_BY_LLAMA
        costs = []
        before = cpu_seconds(endpoint.pid)
        for prompt, letters in prompts(20)[:ASKED]:
            messages = (ChatMessage("system", RULES), ChatMessage("user", prompt))
            request = ChatRequest(model="local", messages=messages, max_tokens=1)
            choice = client.choose(request, letters, seconds=300)
            assert choice.letter in letters
            assert set(choice.probabilities) == set(letters)
            assert choice.tokens_in <= MOST_TOKENS
            now = cpu_seconds(endpoint.pid)
            costs.append(now - before)
            before = now
    cold, *warm = costs
    print(
        f"CPU seconds: cold {cold:.2f}, warm {sum(warm) / len(warm):.2f}, {max(warm):.2f} at most"
    )
    assert cold <= MOST_COLD_SECONDS
    assert sum(warm) / len(warm) <= MOST_WARM_SECONDS
