"""Finds out by asking what an endpoint can do: tools, JSON schemas, probabilities, grammars, how
fast it is, and how long a context it takes.

An endpoint that does not know a parameter may refuse it, or ignore it and answer as if it had not
been there. So each question has an answer that nobody gives by chance: words that a schema or a
grammar allows and no model would say, or a count of the prompt's tokens that a tool must change.
"""

import re
import time
from collections.abc import Callable
from typing import Any, Final, Literal
from urllib.parse import urlsplit, urlunsplit

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import UnavailableError
from thorp.models.client import constrained, content_text, first_of, member_of, token_count
from thorp.models.decode import DecodeError, decode_json, find_object
from thorp.models.http_post import OK, HttpAnswer, PostError, connector, post_async, run

QUESTION_SECONDS: Final = 300.0
"""How long one question may take: a large model may be loaded for it."""
REPLY_TOKENS: Final = 24
SCHEMA_TOKENS: Final = 96  # Room for the object, with the spaces that some write.
# Fewer tokens than any tokenizer makes of the tool below.
LEAST_TOOL_TOKENS: Final = 40
PROBABILITIES: Final = 10  # How many are asked for; endpoints allow five to twenty.
_WORDS: Final = ("quahog", "zyzzyva")
_UNAVAILABLE: Final = 503
_PAUSE_SECONDS: Final = 1.0

_FILLING: Final = " ".join(
    f"{number}. The miller of the village counts sacks, and the baker counts loaves."
    for number in range(1, 9)
)
_TOOL: Final[dict[str, Json]] = {
    "type": "function",
    "function": {
        "name": "look_up_weather",
        "description": "Tells the weather at a place, now or on one of the next seven days, with "
        "wind, rain, clouds, and whether it is a good day to bring in the hay.",
        "parameters": {
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "The name of a village or town."},
                "day": {"type": "integer", "description": "How many days from today, 0 to 7."},
            },
            "required": ["place"],
        },
    },
}

Ability = Literal["yes", "ignored", "refused", "unused"]
"""`unused`: it was taken, and the model did not use it this time."""


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """What an endpoint can do. A number is None where the endpoint does not say it."""

    model: str
    tools: Ability
    json_schema: Ability
    probabilities: Ability
    grammar: Ability
    context_tokens: int | None
    prompt_tokens_second: float | None
    reply_tokens_second: float | None
    seconds_first_token: float


class Examiner:
    """Asks one model at one endpoint. `base_url` ends before `/chat/completions`."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        *,
        seconds: float = QUESTION_SECONDS,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        connector()
        self._url = base_url.rstrip("/")
        parts = urlsplit(self._url)
        # Without a name and password, if there are any.
        self._address = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._seconds = seconds
        self._say = say

    def models(self) -> list[dict[str, Json]]:
        """What the endpoint lists; empty if it lists nothing."""
        answer = self._ask("/models", None)
        listed = _value(answer)
        if answer.status in (401, 403):
            raise UnavailableError(
                f"the endpoint answers HTTP {answer.status}: it refuses the key; set "
                "THORP_MODEL_KEY",
                code="endpoint",
            )
        data = member_of(listed, "data")
        return [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []

    def examine(self, model: str | None = None) -> Examined:
        """Ask everything. Without a model's name, the first one that is listed is asked."""
        listed = self.models()
        about: dict[str, Json] = next(
            (each for each in listed if model is None or each.get("id") == model), {}
        )
        name = model or str(about.get("id") or "")
        if not name:
            raise UnavailableError(
                "the endpoint lists no model; say which one with --model NAME", code="endpoint"
            )
        self._say("speed")
        first_seconds, plain = self._timed(name, _user(f"{_FILLING}\nSay yes."), max_tokens=1)
        whole_seconds, reply = self._timed(
            name, _user("Tell of a mill, in one long sentence."), max_tokens=REPLY_TOKENS
        )
        self._say("tools")
        tools = self._tools(name)
        self._say("JSON schemas")
        json_schema = self._json_schema(name)
        self._say("grammars and probabilities")
        return Examined(
            model=name,
            tools=tools,
            json_schema=json_schema,
            probabilities=self._probabilities(name),
            grammar=self._grammar(name),
            context_tokens=_context(about),
            prompt_tokens_second=_speed(plain, "prompt", first_seconds),
            reply_tokens_second=_speed(reply, "completion", whole_seconds),
            seconds_first_token=round(first_seconds, 3),
        )

    # Questions

    def _timed(self, model: str, messages: Json, *, max_tokens: int) -> tuple[float, Json]:
        """A plain question, and how long it took. Raises UnavailableError if it is refused."""
        began = time.monotonic()
        answer = self._chat(model, messages, max_tokens=max_tokens)
        if answer.status != OK:
            words = answer.body.decode("utf-8", "replace")
            raise UnavailableError(
                f"the endpoint answers HTTP {answer.status} to a plain question: {words[:200]}",
                code="endpoint",
            )
        return time.monotonic() - began, _value(answer)

    def _tools(self, model: str) -> Ability:
        question = _user("What is the weather at Thorp? Use the tool.")
        without = _counted(_value(self._chat(model, question, max_tokens=1)))
        answer = self._chat(model, question, max_tokens=SCHEMA_TOKENS, tools=[_TOOL])
        if answer.status != OK:
            return "refused"
        value = _value(answer)
        if member_of(_message(value), "tool_calls"):
            return "yes"
        counted = _counted(value)
        if without is not None and counted is not None and counted - without < LEAST_TOOL_TOKENS:
            return "ignored"
        return "unused"

    def _json_schema(self, model: str) -> Ability:
        schema: dict[str, Json] = {
            "type": "object",
            "properties": {"word": {"type": "string", "enum": list(_WORDS)}},
            "required": ["word"],
            "additionalProperties": False,
        }
        format = constrained({}, schema)
        answer = self._chat(model, _user("Name a colour."), max_tokens=SCHEMA_TOKENS, **format)
        if answer.status != OK:
            return "refused"
        try:
            obeyed = find_object(_text(_value(answer))).get("word") in _WORDS
        except DecodeError:
            obeyed = False
        return "yes" if obeyed else "ignored"

    def _grammar(self, model: str) -> Ability:
        rule = " | ".join(f'"{word}"' for word in _WORDS)
        answer = self._chat(
            model, _user("Name a colour."), max_tokens=REPLY_TOKENS, grammar=f"root ::= {rule}"
        )
        if answer.status != OK:
            return "refused"
        said = _text(_value(answer)).strip()
        return "yes" if re.fullmatch("|".join(_WORDS), said) else "ignored"

    def _probabilities(self, model: str) -> Ability:
        answer = self._chat(
            model,
            _user("Say A or B."),
            max_tokens=1,
            logprobs=True,
            top_logprobs=PROBABILITIES,
        )
        if answer.status != OK:
            return "refused"
        choice = first_of(member_of(_value(answer), "choices"))
        first = first_of(member_of(choice, "logprobs", "content"))
        return "yes" if member_of(first, "top_logprobs") else "ignored"

    # HTTP

    def _chat(self, model: str, messages: Json, **more: Json) -> HttpAnswer:
        body: dict[str, Json] = {"model": model, "messages": messages, "temperature": 0, **more}
        return self._ask("/chat/completions", canonical_bytes(body))

    def _ask(self, path: str, body: bytes | None) -> HttpAnswer:
        """The endpoint's answer, as soon as it has loaded its model."""
        until = time.monotonic() + self._seconds
        while True:
            try:
                answer = run(
                    post_async(
                        f"{self._url}{path}",
                        body,
                        seconds=max(until - time.monotonic(), 0),
                        headers=self._headers,
                    )
                )
            except PostError as failure:
                raise UnavailableError(
                    f"{self._address}: {failure}; is it running, and is the address right?",
                    code="endpoint",
                ) from None
            except TimeoutError:
                raise UnavailableError(
                    f"{self._address}: no answer within {self._seconds:g} s", code="endpoint"
                ) from None
            if answer.status != _UNAVAILABLE or time.monotonic() + _PAUSE_SECONDS > until:
                return answer
            time.sleep(_PAUSE_SECONDS)


def _user(text: str) -> Json:
    return [{"role": "user", "content": text}]


def _value(answer: HttpAnswer) -> Json:
    try:
        return decode_json(answer.body)
    except DecodeError:
        return None


def _message(value: Json) -> Any:
    return member_of(first_of(member_of(value, "choices")), "message")


def _text(value: Json) -> str:
    text = content_text(member_of(_message(value), "content"))
    return text if isinstance(text, str) else ""


def _counted(value: Json) -> int | None:
    return token_count(member_of(value, "usage", "prompt_tokens"))


def _context(about: dict[str, Json]) -> int | None:
    """The context that a list of models tells: llama.cpp, vLLM, and others each have a name for
    it."""
    sizes = (
        member_of(about, "meta", "n_ctx"),
        *(about.get(name) for name in ("max_model_len", "context_length", "context_window")),
    )
    return next((each for each in sizes if token_count(each)), None)


def _speed(value: Json, of: Literal["prompt", "completion"], seconds: float) -> float | None:
    """Tokens a second: by the server's own clock if it tells, else by ours."""
    speed = member_of(
        value, "timings", "prompt_per_second" if of == "prompt" else "predicted_per_second"
    )
    if isinstance(speed, int | float) and speed > 0:
        return round(speed, 1)
    tokens = token_count(member_of(value, "usage", f"{of}_tokens"))
    return round(tokens / max(seconds, 1e-3), 1) if tokens else None
