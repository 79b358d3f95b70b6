"""What docs/agents.md says of limits and messages is what the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from thorp.arena.contract import Limits
from thorp.arena.external import agent_process, model_agents, protocol
from thorp.models import chat, client, decode, http_post

PAGE = (Path(__file__).parents[3] / "docs" / "agents.md").read_text("utf-8")
DEFAULT = Limits()


@pytest.mark.parametrize(
    "claim",
    [
        f"| time for one turn | {DEFAULT.turn_seconds:g} s |",
        f"| time for all turns of a seat, but for `local` | {DEFAULT.match_seconds:g} s |",
        f"| time until ready | {protocol.START_SECONDS:g} s |",
        f"| memory of a process | {DEFAULT.memory_mib} MiB |",
        f"| model calls, tokens, but for `local` | {DEFAULT.model_calls}, {DEFAULT.model_tokens:,} |",
        f"| one HTTP reply | {http_post.BODY_BYTES_LIMIT >> 20} MiB |",
        f"| kept standard error | {agent_process.STDERR_BYTES_LIMIT >> 10} KiB |",
        f"| {decode.SEARCH_LIMIT:,} characters, {decode.CANDIDATE_LIMIT} braces |",
        f"`the line is larger than {agent_process.LINE_BYTES_LIMIT} bytes`",
        f"`the reply is larger than {http_post.BODY_BYTES_LIMIT} bytes`",
        f"its last {model_agents.EXCHANGES_LIMIT} exchanges",
        f"(at most {model_agents.MEMORY_CHARACTERS_LIMIT:,} characters)",
        f"one token per {chat.BYTES_PER_TOKEN} bytes, {chat.MESSAGE_OVERHEAD_TOKENS} per message",
        f"its longest reply ({chat.REPLY_TOKENS:,})",
        "after {:g}, {:g} and {:g} s".format(*client.BACKOFF_SECONDS),
        f"{client.RETRY_AFTER_LIMIT_SECONDS:g} s), all within",
        *(f"`{word}`" for word in agent_process.SECRET_WORDS),
        *client.URL_VARIABLES,
        *client.KEY_VARIABLES,
    ],
)
def test_claim(claim: str) -> None:
    assert claim in " ".join(PAGE.split())
