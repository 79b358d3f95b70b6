"""Requests to a model and its replies, as values.

A request is named by the digest of everything that its answer depends on, so that a recording can
tell whether it holds the answer to *this* question. Tokens are counted by the provider; if it gives
no count, and before a call is made, they are estimated from the number of bytes.
"""

from typing import Literal

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes, canonical_text
from thorp.kernel.errors import ThorpError
from thorp.kernel.identity import content_id

REQUEST_PREFIX = "req_"
# The longest reply asked for, in tokens: room for some reasoning and one action.
REPLY_TOKENS = 2048
# For estimates: English has about 4 bytes a token, JSON fewer, so 3 gives too many rather than too
# few.
BYTES_PER_TOKEN = 3
MESSAGE_OVERHEAD_TOKENS = 8  # The cost of roles and separators for each message, rounded up.


class ModelError(ThorpError):
    """A call that gave no reply. `detail` is what the endpoint said: for a person to read, never
    for a log."""

    code = "model"

    def __init__(self, message: str, *, code: str | None = None, detail: str = "") -> None:
        super().__init__(message, code=code)
        self.detail = detail


class ModelTimeout(ModelError):
    """A call that gave no reply in the time that it was allowed."""

    code = "timeout"


class ChatMessage(msgspec.Struct, frozen=True):
    """One message of a chat, as the endpoint takes it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Function(msgspec.Struct, frozen=True):
    """Something that a model may call instead of answering; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Json]


class Called(msgspec.Struct, frozen=True):
    """A function that a model calls. The arguments are the model's own text."""

    name: str
    arguments: str


class Reply(msgspec.Struct, frozen=True):
    """A model's text, or what it calls, and the tokens it took."""

    text: str
    tokens_in: int
    tokens_out: int
    called: Called | None = None


class ChatRequest(msgspec.Struct, frozen=True):
    """One question to one model."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int = REPLY_TOKENS
    temperature: float = 0
    functions: tuple[Function, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The request as the endpoint takes it: model, messages and parameters."""
        tools = [
            {"type": "function", "function": msgspec.to_builtins(each)} for each in self.functions
        ]
        return {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": message.content} for message in self.messages
            ],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            **({"tools": tools} if tools else {}),
        }

    @property
    def digest(self) -> str:
        """The name of this request; equal requests have equal names."""
        return content_id(REQUEST_PREFIX, self.to_json())

    def prompt_tokens(self) -> int:
        """An estimate of the tokens of the messages and of the functions that are offered."""
        functions = sum(
            estimate_tokens(canonical_text(msgspec.to_builtins(each))) for each in self.functions
        )
        messages = sum(
            MESSAGE_OVERHEAD_TOKENS + estimate_tokens(each.content) for each in self.messages
        )
        return functions + messages


def estimate_tokens(text: str) -> int:
    """An estimate of a text's tokens, on the high side."""
    size = len(canonical_bytes(text)) - 2  # without its quotes
    return -(-size // BYTES_PER_TOKEN)


def estimate_size(value: Json) -> int:
    """An estimate of the tokens of a value that is sent as JSON."""
    return -(-len(msgspec.json.encode(value)) // BYTES_PER_TOKEN)
