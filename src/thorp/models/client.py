"""The client of an OpenAI-compatible chat endpoint, and the budget that limits what it may spend.

`docs/agents.md` says which variables name endpoint, key and parameters, what happens when an
endpoint refuses a parameter, and how calls are tried again and budgeted. The key goes into one
header and nowhere else. Parameters of the endpoint are not part of a request's digest. A call has
one deadline for all its attempts and pauses. After a call the provider's own count replaces the
estimate, so one call may exceed its budget, and the next is refused. A server that answers 503, as
one does while it loads its model, is asked again until the deadline; after other errors the client
gives up after a few attempts.
"""

import asyncio
import os
import re
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from itertools import count
from typing import ClassVar, Self
from urllib.parse import urlsplit, urlunsplit

from thorp.kernel.canonical import Json, canonical_bytes, canonical_text
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.numbers import SAFE_INTEGER, whole
from thorp.models.chat import Called, ChatRequest, ModelError, ModelTimeout, Reply, estimate_tokens
from thorp.models.decode import DecodeError, decode_json
from thorp.models.http_post import OK, HttpAnswer, PostError, connector, post_async, run

PARAMETER_VARIABLES = {
    "THORP_MODEL_MAX_TOKENS": ("max_tokens", re.compile(r"[1-9][0-9]{0,6}\Z", re.ASCII)),
    "THORP_MODEL_TEMPERATURE": ("temperature", re.compile(r"[0-9](\.[0-9]{1,3})?\Z", re.ASCII)),
}
LEFT_OUT = "none"
SCHEMA_NAME = "answer"  # Endpoints want one.
URL_VARIABLES = ("THORP_MODEL_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("THORP_MODEL_KEY", "OPENAI_API_KEY")
# Pauses between attempts: a hiccup is over after them, an outage is not.
BACKOFF_SECONDS = (0.5, 1.0, 2.0)
# The longest pause a server may ask for; one that wants more has said no.
RETRY_AFTER_LIMIT_SECONDS = 30.0

TOO_MANY = 429
UNAVAILABLE = 503  # What servers answer while they load a model, which may take minutes.
_BAD_REQUEST = (400, 422)
_TEXT_PARTS = (None, "text", "output_text")  # other parts are thoughts, pictures and refusals
_SERVER_ERRORS = range(500, 600)
_UNBILLED = ("status", "connection")  # codes of failures for which no provider charges
_FAILED = 500  # What some servers answer to a schema that they cannot make a grammar of.
_ABOUT_SCHEMA = re.compile(r"response_format|schema|grammar", re.IGNORECASE)
_ABOUT_LENGTH = re.compile(r"context|length|too long", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[0-9]{1,6}\Z")
_HEADER_SAFE = re.compile(r"[\x21-\x7e]*\Z")

Instead = Mapping[str, str | None]
"""By the name of a parameter that was refused: the one that is sent instead; None for none."""
INSTEAD: Instead = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": None,
    "temperature": None,
    "response_format": None,
}


class BudgetError(LimitError):
    """A call was not made, because it might have cost more than was left."""

    code = "budget"


class Budget:
    """The calls and tokens that may still be spent. A call counts when it is made, whatever its
    outcome."""

    def __init__(self, *, calls: int, tokens: int) -> None:
        self._calls = calls
        self._tokens = tokens
        self.calls_left = calls
        self.tokens_left = tokens

    def reserve(self, tokens: int) -> None:
        """Set aside one call and this many tokens, or refuse and change nothing."""
        if self.calls_left <= 0:
            raise BudgetError(f"the budget of {self._calls} model calls is used up")
        if tokens > self.tokens_left:
            raise BudgetError(f"the budget of {self._tokens} tokens does not cover another call")
        self.calls_left -= 1
        self.tokens_left -= tokens

    def settle(self, reserved: int, used: int) -> None:
        """Replace the tokens that were set aside by those that were used."""
        self.tokens_left += reserved - used


class ChatClient:
    """Calls one endpoint. Holds no connection between calls, so there is nothing to close."""

    instead: ClassVar[Instead] = INSTEAD

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        parameters: Mapping[str, float | None] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`parameters` replace `max_tokens` and `temperature` of every request; None leaves one
        out."""
        base_url = base_of(base_url)
        if key is not None and not _HEADER_SAFE.match(key):
            raise InvalidError(
                "the model key holds a character that no header may", code="model_key"
            )
        connector()
        parts = urlsplit(base_url)
        self._url = urlunsplit(parts._replace(path=f"{parts.path}/chat/completions"))
        host = parts.netloc.rpartition("@")[2]  # without a name and password, if there are any
        self.address = f"{parts.scheme}://{host}"
        """The endpoint's address, for people. It must not get into logs and recordings."""
        self._key = key
        self._parameters = dict(parameters or {})
        self._refused: defaultdict[str, set[str]] = defaultdict(set)
        self._sleep = sleep

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """The client that the environment names. Refuses when it names no endpoint."""
        url = next((environ[name] for name in URL_VARIABLES if environ.get(name)), None)
        if url is None:
            raise InvalidError(
                f"no model endpoint; set {URL_VARIABLES[0]}, such as http://127.0.0.1:11434/v1",
                code="model_url",
            )
        key = next((environ[name] for name in KEY_VARIABLES if name in environ), None)
        return cls(url, key or None, parameters=_parameters(environ))

    def __repr__(self) -> str:
        return "ChatClient(key hidden)" if self._key else "ChatClient(no key)"

    def complete(
        self,
        request: ChatRequest,
        *,
        seconds: float,
        budget: Budget | None = None,
        schema: dict[str, Json] | None = None,
    ) -> Reply:
        """The model's reply. Raises ModelError or ModelTimeout, or BudgetError before any call is
        made.

        An endpoint that takes a JSON schema makes its model obey `schema`. Like the parameters of
        the endpoint it is not part of the request's digest: it follows from what the model is told.
        """
        reserved = request.prompt_tokens() + self.reply_tokens(request.max_tokens)
        budget = budget or Budget(calls=1, tokens=reserved)
        budget.reserve(reserved)
        try:
            asked = constrained(request.to_json(), schema)
            body, _ = run(self._ask(asked, seconds))
            reply = _read_reply(body, request)
        except ModelError as failure:
            # A call that was refused costs nothing. One whose reply may have been computed and lost
            # counts in full.
            if failure.code in _UNBILLED:
                budget.settle(reserved, 0)
            raise
        budget.settle(reserved, reply.tokens_in + reply.tokens_out)
        return reply

    def reply_tokens(self, wanted: int) -> int:
        """The longest reply that is asked for, in tokens: what the environment sets, or else
        `wanted`."""
        for name in ("max_tokens", "max_completion_tokens"):
            limit = self._parameters.get(name)
            if limit:
                return int(limit)
        return wanted

    async def _ask(self, request: Mapping[str, Json], seconds: float) -> tuple[bytes, int]:
        """The body of a 200 and the number of attempts, within the deadline and the schedule of
        pauses."""
        began = time.monotonic()
        paused = 0.0
        for attempts in count(1):
            is_loading = False
            wanted = None
            try:
                answer = await self._attempt(request, began + seconds)
            except PostError as failure:
                error = ModelError(
                    str(failure), code=failure.code, detail=f"{failure}: {self.address}"
                )
                if failure.code != "connection":
                    raise error from None
            else:
                if answer.status == OK:
                    return answer.body, attempts
                error = self._failure(answer)
                if answer.status != TOO_MANY and answer.status not in _SERVER_ERRORS:
                    raise error
                is_loading = answer.status == UNAVAILABLE
                wanted = seconds_to_wait(answer)
            if attempts > len(BACKOFF_SECONDS) and not is_loading:
                raise error
            pause = max(BACKOFF_SECONDS[min(attempts, len(BACKOFF_SECONDS)) - 1], wanted or 0)
            # In tests pauses take no time, so what was slept is counted too.
            spent = max(time.monotonic() - began, paused)
            if (wanted or 0) > RETRY_AFTER_LIMIT_SECONDS or spent + pause >= seconds:
                raise error
            await self._sleep(pause)
            paused += pause
        raise AssertionError("counting has no end")

    async def _attempt(self, request: Mapping[str, Json], deadline: float) -> HttpAnswer:
        """The endpoint's answer, after parameters that it refuses have been left out or renamed;
        each is refused once at most."""
        while True:
            body = self._body(request)
            left = max(deadline - time.monotonic(), 0)
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            try:
                answer = await post_async(
                    self._url, canonical_bytes(body), seconds=left, headers=headers
                )
            except TimeoutError:
                raise ModelTimeout(
                    "no reply in time", detail=f"no reply from {self.address}"
                ) from None
            refused = self._refused_parameter(answer, body)
            if refused is None:
                return answer
            self._refused[body["model"]].add(refused)

    def _failure(self, answer: HttpAnswer) -> ModelError:
        text = answer.body.decode("utf-8", "replace")
        detail = text.replace(self._key, "[key]") if self._key else text
        return ModelError(f"HTTP {answer.status}", code="status", detail=detail)

    def _body(self, request: Mapping[str, Json]) -> dict[str, Json]:
        body: dict[str, Json] = {**request, **self._parameters, "stream": False}
        for name, instead in self.instead.items():
            if name in body and (body[name] is None or name in self._refused[body["model"]]):
                value = body.pop(name)
                if instead is not None and value is not None:
                    body[instead] = value
        return body

    def _refused_parameter(self, answer: HttpAnswer, body: Mapping[str, Json]) -> str | None:
        """The parameter that an answer complains about, if it can be left out or renamed; else
        None."""
        text = answer.body.decode("utf-8", "replace")
        if answer.status not in _BAD_REQUEST:
            failed = answer.status == _FAILED and "response_format" in body
            return "response_format" if failed and _ABOUT_SCHEMA.search(text) else None
        try:
            named = member_of(decode_json(answer.body), "error", "param")
        except DecodeError:  # not JSON, or more of it than is kept
            named = None
        if isinstance(named, str):
            text = named
        refused = next(
            (name for name in self.instead if name in body and re.search(rf"\b{name}\b", text)),
            None,
        )
        if refused is None and named is None and "response_format" in body:
            # Servers word their trouble with a schema in many ways; with their trouble about a
            # prompt that is too long it has nothing to do.
            return None if _ABOUT_LENGTH.search(text) else "response_format"
        return refused


def constrained(request: Mapping[str, Json], schema: dict[str, Json] | None) -> dict[str, Json]:
    """The request, with a JSON schema that the reply must obey, if there is one."""
    if schema is None:
        return dict(request)
    named = {"name": SCHEMA_NAME, "schema": schema}
    return {**request, "response_format": {"type": "json_schema", "json_schema": named}}


def base_of(url: str) -> str:
    """An endpoint's address, up to where `/chat/completions` begins. Refuses a text that is not an
    address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidError(
            "the model endpoint must be an http:// or https:// address", code="model_url"
        )
    path = parts.path.rstrip("/") or "/v1"  # people write addresses with and without it
    return urlunsplit(parts._replace(path=path))


def _parameters(environ: Mapping[str, str]) -> dict[str, float | None]:
    """The parameters that the environment sets; None for one that is to be left out."""
    parameters: dict[str, float | None] = {}
    for variable, (name, pattern) in PARAMETER_VARIABLES.items():
        text = environ.get(variable, "")
        if text and text != LEFT_OUT and not pattern.match(text):
            raise InvalidError(
                f"{variable} is a plain number, or {LEFT_OUT} to leave it out",
                code="model_parameter",
            )
        if text:
            parameters[name] = None if text == LEFT_OUT else whole(float(text))
    return parameters


def seconds_to_wait(answer: HttpAnswer) -> float | None:
    """How long a server asks us to wait, which it says in milliseconds, in seconds, or as a date;
    None if it does not say."""
    if _PLAIN_NUMBER.match(answer.retry_after_ms or ""):
        return int(answer.retry_after_ms or 0) / 1000
    retry_after = answer.retry_after or ""
    if _PLAIN_NUMBER.match(retry_after):
        return float(retry_after)
    try:
        return parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None


def _read_reply(body: bytes, request: ChatRequest) -> Reply:
    """Read an endpoint's answer. Raises ModelError if there is no message in it."""
    try:
        value = decode_json(body)
    except DecodeError:
        raise ModelError("the reply is not JSON", code="malformed") from None
    message = member_of(first_of(member_of(value, "choices")), "message")
    text = content_text(member_of(message, "content"))
    called = None
    if request.functions:
        function = member_of(first_of(member_of(message, "tool_calls")), "function")
        name = member_of(function, "name")
        arguments = member_of(function, "arguments")
        if isinstance(arguments, dict):  # some endpoints have parsed the text already
            arguments = canonical_text(arguments)
        if isinstance(name, str) and isinstance(arguments, str):
            called = Called(name, arguments)
    if called is not None and text is None:
        text = ""
    if not isinstance(text, str):
        raise ModelError("the reply holds no message", code="malformed")
    tokens_in = token_count(member_of(value, "usage", "prompt_tokens"))
    tokens_out = token_count(member_of(value, "usage", "completion_tokens"))
    if tokens_in is None:
        tokens_in = request.prompt_tokens()
    if tokens_out is None:
        tokens_out = estimate_tokens(text)
        tokens_out += estimate_tokens(called.name + called.arguments) if called else 0
    return Reply(text, tokens_in, tokens_out, called)


def content_text(content: Json) -> Json:
    """A message's content; for a list of parts, those that are text, joined."""
    if not isinstance(content, list):
        return content
    texts = [member_of(part, "text") for part in content if member_of(part, "type") in _TEXT_PARTS]
    texts = [text for text in texts if isinstance(text, str)]
    return "".join(texts) if texts else None


def member_of(value: Json, *keys: str) -> Json:
    """The value under these keys, one inside the other; None where one is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def first_of(value: Json) -> Json:
    """The first item of a list; None for an empty list or anything else."""
    return value[0] if isinstance(value, list) and value else None


def token_count(value: Json) -> int | None:
    """A provider's number of tokens, or None if it makes no sense."""
    return value if type(value) is int and 0 <= value <= SAFE_INTEGER else None
