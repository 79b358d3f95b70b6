"""The client of an OpenAI-compatible chat endpoint.

The endpoint is named by `THORP_MODEL_URL`, else `OPENAI_BASE_URL`; the key by `THORP_MODEL_KEY`, else
`OPENAI_API_KEY` (an empty `THORP_MODEL_KEY` sends none). The key goes into one header and nowhere else:
not into errors, not into a repr, not into a recording.

A call has one deadline for all its attempts and pauses. It is tried again after 429, 5xx and a failed
connection, on a fixed schedule without jitter; a server's Retry-After is honoured up to a bound. A pause
that would outlast the deadline is not begun: the last error stands.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from thorp.kernel.canonical import Json, canonical_bytes, canonical_text
from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.models.budget import Budget
from thorp.models.chat import Called, ChatRequest, ModelError, ModelTimeout, Reply, estimate_tokens
from thorp.models.decode import DecodeError, decode_json
from thorp.models.post import OK, Answer, PostError, load_session, post

URL_VARIABLES = ("THORP_MODEL_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("THORP_MODEL_KEY", "OPENAI_API_KEY")

BACKOFF_SECONDS = (0.5, 1.0, 2.0)
"""The pauses before the second, third and fourth attempt: a hiccup is over by then, an outage is not."""

RETRY_AFTER_LIMIT_SECONDS = 30.0
"""The longest pause a server may ask for; one that wants more has said no."""

_TOO_MANY = 429
_SERVER_ERRORS = range(500, 600)
_UNBILLED = ("status", "connection")
_PLAIN_SECONDS = re.compile(r"[0-9]{1,6}\Z")
_HEADER_SAFE = re.compile(r"[\x21-\x7e]*\Z")


class ChatClient:
    """Calls one endpoint. Holds no connection between calls, so there is nothing to close."""

    def __init__(
        self, base_url: str, key: str | None = None, *, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidError("the model endpoint must be an http:// or https:// address", code="model_url")
        if key is not None and not _HEADER_SAFE.match(key):
            raise InvalidError("the model key holds a character that no header may", code="model_key")
        load_session()  # now, so that the first call does not spend its time on it
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._key = key
        self._sleep = sleep

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> ChatClient:
        """The client that the environment names. Refuses when it names no endpoint."""
        url = next((environ[name] for name in URL_VARIABLES if environ.get(name)), None)
        if url is None:
            raise InvalidError(
                f"no model endpoint; set {URL_VARIABLES[0]}, such as http://127.0.0.1:11434/v1",
                code="model_url",
            )
        key = next((environ[name] for name in KEY_VARIABLES if name in environ), None)
        return cls(url, key or None)

    def __repr__(self) -> str:
        return "ChatClient(key hidden)" if self._key else "ChatClient(no key)"

    def complete(self, request: ChatRequest, *, seconds: float, budget: Budget | None = None) -> Reply:
        """The model's reply. Raises ModelError, ModelTimeout, or BudgetError before any call is made."""
        reserved = request.prompt_tokens() + request.max_tokens
        if budget is not None:
            budget.reserve(reserved)
        try:
            reply = _read_reply(self._ask(request, seconds), request)
        except ModelError as failure:
            # What was refused costs nothing; what may have been computed and got lost counts in full.
            if budget is not None and failure.code in _UNBILLED:
                budget.settle(reserved, 0)
            raise
        if budget is not None:
            budget.settle(reserved, reply.tokens_in + reply.tokens_out)
        return reply

    def _ask(self, request: ChatRequest, seconds: float) -> bytes:
        """The body of a 200, within the deadline and the schedule of attempts."""
        deadline = time.monotonic() + seconds
        body = canonical_bytes({**request.to_json(), "stream": False})
        for pause in (*BACKOFF_SECONDS, None):
            try:
                answer = self._attempt(body, deadline)
            except PostError as failure:
                error = ModelError(str(failure), code=failure.code)
                if failure.code != "connection":
                    raise error from None
            else:
                if answer.status == OK:
                    return answer.body
                error = ModelError(f"HTTP {answer.status}", code="status", detail=self._detail(answer))
                if answer.status != _TOO_MANY and answer.status not in _SERVER_ERRORS:
                    raise error
                pause = _wanted_pause(answer, pause)
            if pause is None or time.monotonic() + pause >= deadline:
                raise error
            self._sleep(pause)
        raise AssertionError("the last attempt has no pause")

    def _attempt(self, body: bytes, deadline: float) -> Answer:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        left = deadline - time.monotonic()
        try:
            return post(self._url, body, headers=headers, seconds=max(left, 0))
        except TimeoutError:
            raise ModelTimeout("no reply in time") from None

    def _detail(self, answer: Answer) -> str:
        text = answer.body.decode("utf-8", "replace")
        return text.replace(self._key, "[key]") if self._key else text


def _wanted_pause(answer: Answer, scheduled: float | None) -> float | None:
    """The pause before the next attempt; None when there is none, or the server wants too long a one."""
    if scheduled is None or answer.retry_after is None or not _PLAIN_SECONDS.match(answer.retry_after):
        return scheduled
    wanted = float(answer.retry_after)
    return max(wanted, scheduled) if wanted <= RETRY_AFTER_LIMIT_SECONDS else None


def _read_reply(body: bytes, request: ChatRequest) -> Reply:
    try:
        value = decode_json(body)
    except DecodeError:
        raise ModelError("the reply is not JSON", code="malformed") from None
    message = _member(_first(_member(value, "choices")), "message")
    text, called = _member(message, "content"), None
    if request.functions:
        called = _called(_member(_first(_member(message, "tool_calls")), "function"))
    if called is not None and text is None:
        text = ""
    if not isinstance(text, str):
        raise ModelError("the reply holds no message", code="malformed")
    tokens_in = _count(_member(value, "usage", "prompt_tokens"))
    tokens_out = _count(_member(value, "usage", "completion_tokens"))
    return Reply(
        text,
        request.prompt_tokens() if tokens_in is None else tokens_in,
        _reply_tokens(text, called) if tokens_out is None else tokens_out,
        called,
    )


def _called(function: Json) -> Called | None:
    name, arguments = _member(function, "name"), _member(function, "arguments")
    if isinstance(arguments, dict):  # some endpoints take the text apart
        arguments = canonical_text(arguments)
    return Called(name, arguments) if isinstance(name, str) and isinstance(arguments, str) else None


def _reply_tokens(text: str, called: Called | None) -> int:
    return estimate_tokens(text) + (0 if called is None else estimate_tokens(called.name + called.arguments))


def _member(value: Json, *keys: str) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _first(value: Json) -> Json:
    return value[0] if isinstance(value, list) and value else None


def _count(value: Json) -> int | None:
    """A provider's number of tokens, or None where it makes no sense."""
    return value if type(value) is int and 0 <= value <= SAFE_INTEGER else None
