"""Conversations with tools: the client for agents that play for long, many in one event loop.

    ToolClient.ask(request) -> ToolReply      one call: cancellable, limited in time, tried again

A request is `model`, `messages` and `tools` as the endpoint takes them; `docs/models.md` says how
endpoints and models that misbehave are handled. A parameter that an endpoint refused is remembered
for its model. All agents of a client pass one gate: after an endpoint has answered 429 or 503, none
of them asks until the pause is over.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import Any, ClassVar, Final

import msgspec

from thorp.kernel.canonical import Json, canonical_text
from thorp.models import client
from thorp.models.chat import REPLY_TOKENS, ModelError, estimate_size, estimate_tokens
from thorp.models.client import ChatClient, constrained, content_text, first_of, member_of
from thorp.models.decode import DecodeError, decode_json, find_object
from thorp.models.http_post import HttpAnswer

# How many calls of one reply are read: nobody plans further ahead in a world that moves.
MAX_CALLS: Final = 16
# How much of a reply's text is kept: it is sent again with every request.
MAX_TEXT_CHARACTERS: Final = 4_000
# The longest arguments: as long as the longest note that a world keeps.
MAX_ARGUMENT_CHARACTERS: Final = 1 << 16
JITTER: Final = 0.5  # A pause is up to this share longer, so that agents do not ask all at once.
# A count of tokens that differs from our estimate by more than this factor is not believed.
TRUSTED_FACTOR: Final = 10

DROPPED_SHARE: Final = 0.5
"""If the endpoint counts less than this share of our estimate, it has left out the tools. The
estimate is one token for 3 bytes; no tokenizer puts 6 bytes of such JSON into one token."""
# Fewer tokens of tools than this show nothing: an estimate is not that exact.
LEAST_TOOL_TOKENS: Final = 200
MAX_UNCALLED: Final = 3
"""At an endpoint that does not count its prompts, tools count as left out after this many replies
of a model that has never called one."""

_BUSY: Final = (client.TOO_MANY, client.UNAVAILABLE)
_FINAL: Final = {
    401: "it refuses the key; set THORP_MODEL_KEY",
    403: "it refuses the key; set THORP_MODEL_KEY",
    404: "it knows no such address or model; check THORP_MODEL_URL and the model's name",
}
# Some servers answer 500 to a parameter that they do not know.
_BAD_REQUEST: Final = (400, 422, 500)
_ABOUT_LENGTH: Final = re.compile(r"context|length|too long", re.IGNORECASE)
_ABOUT_TOOLS: Final = re.compile(r"\btool", re.IGNORECASE)
_HOW_TO_CALL: Final = (
    'Answer with one JSON object: {"name": "TOOL", "arguments": {}}. The tools, as JSON:\n'
)
_NAMES: Final = ("name", "tool", "action")
_ARGUMENTS: Final = ("arguments", "parameters", "input")


class EndpointRefused(ModelError):
    """The endpoint will never answer this. The run ends with this message."""

    code = "endpoint"


class ToolCall(msgspec.Struct, frozen=True):
    """A call of a tool by a model. `wrong` tells the model why its arguments cannot be used, if
    that is so."""

    id: str
    name: str
    arguments: dict[str, Json] = {}
    wrong: str = ""


class ToolReply(msgspec.Struct, frozen=True):
    """What a model said and called. `estimated` is set if the endpoint gave no sensible count of
    tokens."""

    text: str
    calls: tuple[ToolCall, ...]
    tokens_in: int
    tokens_out: int
    estimated: bool = False
    attempts: int = 1


class ToolClient(ChatClient):
    """A client for chats in which the model calls tools."""

    instead: ClassVar[client.Instead] = {
        "max_completion_tokens": "max_tokens",
        "max_tokens": None,
        "temperature": None,
        "response_format": None,
    }

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        parameters: Mapping[str, float | None] | None = None,
    ) -> None:
        own = dict(parameters or {})
        if "max_tokens" in own:  # under the name that is tried first here
            own["max_completion_tokens"] = own.pop("max_tokens")
        super().__init__(base_url, key, parameters=own, sleep=_sleep)
        self._open_at = 0.0
        """When the gate opens again, after the endpoint has asked for a pause."""
        self._callers: set[str] = set()
        """Models that have called a tool, and so must have seen it."""
        self._uncalled: Counter[str] = Counter()
        """By model: replies that called no tool and whose prompt was not counted."""

    async def ask(
        self,
        request: dict[str, Json],
        *,
        seconds: float,
        schema: Callable[[], dict[str, Json]] | None = None,
    ) -> ToolReply:
        """The model's reply. Raises ModelError, or EndpointRefused if it is useless to ask again.

        Where tools are in the prompt, because the endpoint has none, a call is text, and must obey
        `schema` if the endpoint takes one. Where it has tools, their own schemas bind the model.

        Some servers silently leave out the tools, because the model's template has no place for
        them. Then the tools are put into the prompt, and the model is asked again at once.
        """
        deadline = monotonic() + seconds
        longest = self.reply_tokens(REPLY_TOKENS)
        body, attempts = await self._ask(self._limited(request, schema), seconds)
        reply = read_reply(body, request, attempts, longest)
        if not self._drops_tools(body, request, reply):
            return reply
        self._refused[str(request["model"])].add("tools")
        try:
            body, more = await self._ask(self._limited(request, schema), deadline - monotonic())
        except ModelError:
            return reply  # the next question has the tools in its prompt
        again = read_reply(body, request, attempts + more, longest)
        return msgspec.structs.replace(
            again,
            tokens_in=reply.tokens_in + again.tokens_in,
            tokens_out=reply.tokens_out + again.tokens_out,
            estimated=reply.estimated or again.estimated,
        )

    def _limited(
        self, request: dict[str, Json], schema: Callable[[], dict[str, Json]] | None
    ) -> dict[str, Json]:
        """The request with its longest reply, and with the schema of a call if calls are text."""
        limited = {"max_completion_tokens": REPLY_TOKENS, **request}
        is_text = "tools" in self._refused[str(request["model"])]
        return constrained(limited, schema() if is_text and schema is not None else None)

    def _drops_tools(self, body: bytes, request: Mapping[str, Json], reply: ToolReply) -> bool:
        """Whether the endpoint has left the tools out of its prompt."""
        model = str(request["model"])
        if reply.calls:
            self._callers.add(model)
        sent = request.get("tools")
        if model in self._callers or not sent or "tools" in self._refused[model]:
            return False
        if estimate_size(sent) < LEAST_TOOL_TOKENS:
            return False
        counted = client.token_count(member_of(decode_json(body), "usage", "prompt_tokens"))
        if counted:
            return counted < DROPPED_SHARE * estimate_size(request)
        self._uncalled[model] += 1
        return self._uncalled[model] >= MAX_UNCALLED

    async def _attempt(self, request: Mapping[str, Json], deadline: float) -> HttpAnswer:
        """Wait at the gate, then ask. An endpoint that is busy closes the gate for all agents."""
        while (pause := self._open_at - monotonic()) > 0:
            if self._open_at >= deadline:
                raise ModelError("the endpoint wants a pause", code="status")
            await _sleep(pause)
        answer = await super()._attempt(request, deadline)
        if answer.status in _BUSY:
            wanted = client.seconds_to_wait(answer) or client.BACKOFF_SECONDS[0]
            pause = min(wanted, client.RETRY_AFTER_LIMIT_SECONDS)
            self._open_at = max(self._open_at, monotonic() + pause)
        return answer

    def _failure(self, answer: HttpAnswer) -> ModelError:
        why = _FINAL.get(answer.status)
        if why is None:
            return super()._failure(answer)
        return EndpointRefused(f"the model endpoint answers HTTP {answer.status}: {why}")

    def _body(self, request: Mapping[str, Json]) -> dict[str, Json]:
        body = super()._body(request)
        refused = self._refused[str(request["model"])]
        if "tools" in refused:
            return _without_tools(body)
        return {**body, "tool_choice": "required"} if "tool_choice" in refused else body

    def _refused_parameter(self, answer: HttpAnswer, body: Mapping[str, Json]) -> str | None:
        refused = super()._refused_parameter(answer, body)
        if refused is None and answer.status in _BAD_REQUEST and "tools" in body:
            text = answer.body.decode("utf-8", "replace")
            if _ABOUT_TOOLS.search(text) and not _ABOUT_LENGTH.search(text):
                return "tools" if "tool_choice" in body else "tool_choice"
        return refused


async def _sleep(pause: float) -> None:
    await asyncio.sleep(pause * random.uniform(1, 1 + JITTER))


def _without_tools(body: dict[str, Json]) -> dict[str, Json]:
    """The same request for an endpoint without tools: everything is text, and roles alternate."""
    instructions = _HOW_TO_CALL + "\n".join(
        canonical_text(tool["function"]) for tool in body.pop("tools", [])
    )
    messages: list[dict[str, Json]] = []
    for message in body["messages"]:
        role = message["role"]
        content = message.get("content") or ""
        if role == "system":
            content = f"{content}\n\n{instructions}"
        for call in message.get("tool_calls", ()):
            function = call["function"]
            content += f'\n{{"name": "{function["name"]}", "arguments": {function["arguments"]}}}'
        role = "user" if role == "tool" else role
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += f"\n{content}"
        else:
            messages.append({"role": role, "content": content.strip()})
    return {**body, "messages": messages}


def read_reply(
    body: bytes, request: Mapping[str, Json], attempts: int = 1, longest: int = REPLY_TOKENS
) -> ToolReply:
    """Read an endpoint's answer, whatever it holds. Raises ModelError if there is no message in it.

    `longest` is how many tokens the reply was allowed.
    """
    try:
        value = decode_json(body)
    except DecodeError:
        raise ModelError("the reply is not JSON", code="malformed") from None
    choice = first_of(member_of(value, "choices"))
    message = member_of(choice, "message")
    if not isinstance(message, dict):
        raise ModelError("the reply holds no message", code="malformed")
    said = content_text(message.get("content"))
    # Without what a model thinks aloud, even if only one of the two tags is there.
    text = (
        said.rpartition("</think>")[2].partition("<think>")[0].strip()
        if isinstance(said, str)
        else ""
    )
    asked = message.get("tool_calls")
    cut = member_of(choice, "finish_reason") == "length"
    calls = _read_calls(asked if isinstance(asked, list) else [], cut=cut)
    if not calls:
        tool_names = [tool["function"]["name"] for tool in request.get("tools", [])]
        calls = _read_calls(_spoken_call(text, tool_names), cut=cut)
        text = "" if calls else text
    tokens_in, guessed_in = _trusted(
        member_of(value, "usage", "prompt_tokens"), estimate_size(request)
    )
    said_tokens = estimate_tokens(canonical_text([said, asked]))
    tokens_out, guessed_out = _trusted(
        member_of(value, "usage", "completion_tokens"), said_tokens, most=TRUSTED_FACTOR * longest
    )
    text = _clean(text)[:MAX_TEXT_CHARACTERS]
    return ToolReply(
        text=text,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        estimated=guessed_in or guessed_out,
        attempts=attempts,
    )


def _read_calls(asked: Sequence[Json], *, cut: bool) -> tuple[ToolCall, ...]:
    """The first calls, each with an id of its own, which is made up if it is missing or was used
    before."""
    calls: list[ToolCall] = []
    for number, each in enumerate(asked[:MAX_CALLS], start=1):
        id = member_of(each, "id")
        name = member_of(each, "function", "name")
        if not isinstance(id, str) or not id or id in {call.id for call in calls}:
            id = f"call-{number}"
        name = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] if isinstance(name, str) else ""
        arguments, wrong = _read_arguments(member_of(each, "function", "arguments"), cut=cut)
        calls.append(ToolCall(_clean(id), name, arguments, wrong))
    return tuple(calls)


def _read_arguments(given: Json, *, cut: bool) -> tuple[dict[str, Json], str]:
    """The arguments of a call, and an empty text, or why they cannot be used. Missing ones are an
    empty object, unless the reply was cut off."""
    text = (
        given.strip() if isinstance(given, str) else canonical_text({} if given is None else given)
    )
    if cut and not text:
        return {}, "your answer was cut off at its longest; answer in fewer words"
    if len(text) > MAX_ARGUMENT_CHARACTERS:
        return {}, f"the arguments are longer than {MAX_ARGUMENT_CHARACTERS} characters; send less"
    try:
        value = decode_json(_clean(text).encode() or b"{}")
    except DecodeError as problem:
        return {}, f"the arguments are no whole JSON ({problem}); send one JSON object, like {{}}"
    if not isinstance(value, dict):
        return {}, "the arguments are no JSON object; send one, like {}"
    return value, ""


def _spoken_call(text: str, tool_names: Collection[str]) -> list[Json]:
    """The call that a model wrote as text: a JSON object that names one of its tools."""
    try:
        document: Any = find_object(text)
    except DecodeError:
        return []
    document = document["function"] if isinstance(document.get("function"), dict) else document
    key = next((key for key in _NAMES if _names_tool(document.get(key), tool_names)), None)
    if key is None:
        return []
    within = next((each for each in _ARGUMENTS if each in document), None)
    rest = {name: value for name, value in document.items() if name != key}
    return [
        {
            "function": {
                "name": document[key],
                "arguments": rest if within is None else document[within],
            }
        }
    ]


def _names_tool(name: Json, tool_names: Collection[str]) -> bool:
    """Whether this names a tool, in its own letters or in capitals."""
    if not isinstance(name, str):
        return False
    return name in tool_names or (name.isupper() and name.lower() in tool_names)


def _trusted(given: Json, estimate: int, most: int = 0) -> tuple[int, bool]:
    """The endpoint's count, or our estimate if there is none or it cannot be true; and whether it
    is an estimate."""
    count = client.token_count(given)
    if count is None or not estimate // TRUSTED_FACTOR <= count <= max(
        estimate * TRUSTED_FACTOR, most
    ):
        return estimate, True
    return count, False


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
