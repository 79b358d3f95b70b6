"""The chat client against a real server that speaks, stutters and lies like an OpenAI-compatible
one."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from aiohttp import web

from tests.models import misbehaviour
from tests.models.loopback import Handler, serving, unused_address
from thorp.kernel.errors import InvalidError
from thorp.models import (
    Budget,
    BudgetError,
    ChatClient,
    ChatMessage,
    ChatRequest,
    ModelError,
    ModelTimeout,
    Reply,
)
from thorp.models.client import BACKOFF_SECONDS

REQUEST = ChatRequest("small", (ChatMessage("user", "Say hi."),))
KEY = "sk-invented-for-this-test"


def answer(text: Any = "hi", usage: Any = None) -> web.Response:
    body: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    if usage is not None:
        body["usage"] = usage
    return web.json_response(body)


class Endpoint:
    """Gives its answers one after the other, then the last one for ever; keeps what it was
    asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, dict[str, str], Any]] = []

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.path, dict(request.headers), await request.json()))
        given = self.answers[min(len(self.asked), len(self.answers)) - 1]
        return await given(request) if callable(given) else given()


def always(**options: Any) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        return answer(**options)

    return handler


def failing(status: int, **headers: str) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, text=f"no, {KEY}", headers=headers)

    return handler


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture(autouse=True)
def _never_hangs() -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 20


def noting(pauses: list[float]) -> Callable[[float], Awaitable[None]]:
    """A sleep that only notes how long it should be."""

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return sleep


def complete(
    endpoint: Any, pauses: list[float], seconds: float = 60, budget: Budget | None = None
) -> Reply:
    with serving(endpoint) as url:
        client = ChatClient(f"{url}/v1/", KEY, sleep=noting(pauses))
        return client.complete(REQUEST, seconds=seconds, budget=budget)


def test_a_call(pauses: list[float]) -> None:
    endpoint = Endpoint(always(text="hello", usage={"prompt_tokens": 11, "completion_tokens": 3}))
    assert complete(endpoint, pauses) == Reply("hello", 11, 3)
    [(path, headers, body)] = endpoint.asked
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Say hi."}],
        "max_tokens": 2048,
        "temperature": 0,
        "stream": False,
    }


def refusing(param: str, *, named: bool = True) -> Handler:
    """Refuses a request that has this parameter, in the words of endpoints that do."""

    async def handler(request: web.Request) -> web.StreamResponse:
        if param not in await request.json():
            return answer()
        error = {
            "message": f"Unsupported parameter: '{param}' is not supported with this model.",
            "param": param,
        }
        if not named:
            return web.Response(status=422, text=error["message"])
        return web.json_response({"error": error}, status=400)

    return handler


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("param", "sent"),
    [
        ("max_tokens", {"max_completion_tokens": 2048, "temperature": 0}),
        ("temperature", {"max_tokens": 2048}),
    ],
)
def test_asked_again_without_what_the_endpoint_refuses(
    param: str, named: bool, sent: dict[str, int], pauses: list[float]
) -> None:
    endpoint = Endpoint(refusing(param, named=named))
    with serving(endpoint) as url:
        client = ChatClient(url, sleep=noting(pauses))
        for _ in range(2):
            assert client.complete(REQUEST, seconds=5).text == "hi"
    bodies = [body for _, _, body in endpoint.asked]
    fixed = {"model", "messages", "stream"}
    assert [{name: body[name] for name in body.keys() - fixed} for body in bodies[1:]] == [
        sent,
        sent,
    ]
    assert pauses == []


def test_an_endpoint_that_takes_no_limit_at_all(pauses: list[float]) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        wrong = next(
            (name for name in body if name.startswith("max") or name == "temperature"), None
        )
        return (
            answer() if wrong is None else web.Response(status=400, text=f"unknown field {wrong}")
        )

    endpoint = Endpoint(handler)
    assert complete(endpoint, pauses).text == "hi"
    assert len(endpoint.asked) == 4
    assert endpoint.asked[-1][2].keys() == {"model", "messages", "stream"}


def test_a_refusal_of_something_else_is_final(pauses: list[float]) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        error = {"message": "messages are too long; lower max_tokens", "param": "messages"}
        return web.json_response({"error": error}, status=400)

    endpoint = Endpoint(handler)
    with pytest.raises(ModelError, match=r"^HTTP 400$"):
        complete(endpoint, pauses)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("environ", "sent"),
    [
        (
            {"THORP_MODEL_MAX_TOKENS": "300", "THORP_MODEL_TEMPERATURE": "0.5"},
            {"max_tokens": 300, "temperature": 0.5},
        ),
        ({"THORP_MODEL_MAX_TOKENS": "none", "THORP_MODEL_TEMPERATURE": "none"}, {}),
        ({"THORP_MODEL_TEMPERATURE": ""}, {"max_tokens": 2048, "temperature": 0}),
    ],
)
def test_parameters_of_the_environment(environ: dict[str, str], sent: dict[str, float]) -> None:
    endpoint = Endpoint(always())
    with serving(endpoint) as url:
        ChatClient.from_environment({"THORP_MODEL_URL": url, **environ}).complete(
            REQUEST, seconds=5
        )
    [(_, _, body)] = endpoint.asked
    assert {name: body[name] for name in body.keys() - {"model", "messages", "stream"}} == sent


@pytest.mark.parametrize("text", ["0", "-1", "many", "1e9", "99999999"])
def test_a_limit_that_makes_no_sense(text: str) -> None:
    environ = {"THORP_MODEL_URL": "http://127.0.0.1", "THORP_MODEL_MAX_TOKENS": text}
    with pytest.raises(InvalidError, match="THORP_MODEL_MAX_TOKENS"):
        ChatClient.from_environment(environ)


def test_a_list_of_parts_is_read(pauses: list[float]) -> None:
    parts = [
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "one, "},
        {"type": "text", "text": 7},
        "loose",
        {"type": "output_text", "text": "two"},
    ]
    assert complete(Endpoint(always(text=parts)), pauses).text == "one, two"


def test_without_a_key_no_header_is_sent() -> None:
    endpoint = Endpoint(always())
    with serving(endpoint) as url:
        ChatClient(url).complete(REQUEST, seconds=5)
    assert "Authorization" not in endpoint.asked[0][1]


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "many",
        {"prompt_tokens": -1, "completion_tokens": True},
        {"prompt_tokens": 1e300},
    ],
)
def test_missing_or_senseless_usage_is_estimated(usage: Any, pauses: list[float]) -> None:
    assert complete(Endpoint(always(text="four", usage=usage)), pauses) == Reply("four", 8 + 3, 2)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_tried_again_on_a_fixed_schedule(status: int, pauses: list[float]) -> None:
    endpoint = Endpoint(failing(status), failing(status), failing(status), always())
    assert complete(endpoint, pauses).text == "hi"
    assert tuple(pauses) == BACKOFF_SECONDS


@pytest.mark.parametrize("status", [429, 500])
def test_given_up_after_the_last_attempt(status: int, pauses: list[float]) -> None:
    endpoint = Endpoint(failing(status))
    with pytest.raises(ModelError, match=f"^HTTP {status}$"):
        complete(endpoint, pauses)
    assert len(endpoint.asked) == len(BACKOFF_SECONDS) + 1


def test_a_server_that_loads_its_model_is_waited_for(pauses: list[float]) -> None:
    endpoint = Endpoint(*[failing(503)] * 12, always())
    assert complete(endpoint, pauses).text == "hi"
    assert len(endpoint.asked) == 13
    assert pauses == [*BACKOFF_SECONDS, *[BACKOFF_SECONDS[-1]] * 9]


def test_a_server_that_never_stops_loading_is_given_up_at_the_deadline(pauses: list[float]) -> None:
    with serving(Endpoint(failing(503))) as url:
        client = ChatClient(url, sleep=noting(pauses))
        with pytest.raises(ModelError, match=r"^HTTP 503$"):
            client.complete(REQUEST, seconds=20)
    assert 20 - 2 * BACKOFF_SECONDS[-1] <= sum(pauses) < 20


def test_a_dead_endpoint_is_named_with_its_address_for_people_only(pauses: list[float]) -> None:
    url = unused_address()
    client = ChatClient(
        url.replace("http://", "http://ann:secret@") + "/v1?key=hidden", sleep=noting(pauses)
    )
    with pytest.raises(ModelError) as refused:
        client.complete(REQUEST, seconds=60)
    assert refused.value.detail == f"connection failed: {url}"
    assert url not in str(refused.value)


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 422])
def test_other_statuses_are_final(status: int, pauses: list[float]) -> None:
    endpoint = Endpoint(failing(status))
    with pytest.raises(ModelError, match=f"^HTTP {status}$"):
        complete(endpoint, pauses)
    assert (len(endpoint.asked), pauses) == (1, [])


def test_a_closed_connection_is_tried_again(pauses: list[float]) -> None:
    assert complete(Endpoint(misbehaviour.close, always()), pauses).text == "hi"
    assert pauses == [0.5]


def test_nobody_listens(pauses: list[float]) -> None:
    client = ChatClient(unused_address(), sleep=noting(pauses))
    with pytest.raises(ModelError, match=r"^connection failed$"):
        client.complete(REQUEST, seconds=60)
    assert tuple(pauses) == BACKOFF_SECONDS


@pytest.mark.parametrize(
    ("retry_after", "pause"),
    [("3", 3.0), ("0", 0.5), ("Fri, 31 Dec 1999 23:59:59 GMT", 0.5), ("Fri", 0.5), ("-1", 0.5)],
)
def test_retry_after(retry_after: str, pause: float, pauses: list[float]) -> None:
    complete(Endpoint(failing(429, **{"Retry-After": retry_after}), always()), pauses)
    assert pauses == [pause]


def test_a_date_to_retry_after(pauses: list[float]) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=25), usegmt=True)
    complete(Endpoint(failing(429, **{"Retry-After": soon}), always()), pauses)
    assert 1 < pauses[0] <= 25


@pytest.mark.parametrize("retry_after", ["31", "999999", "Fri, 31 Dec 9998 23:59:59 GMT"])
def test_a_retry_after_beyond_the_bound_is_a_no(retry_after: str, pauses: list[float]) -> None:
    with pytest.raises(ModelError, match=r"^HTTP 429$"):
        complete(Endpoint(failing(429, **{"Retry-After": retry_after}), always()), pauses)
    assert pauses == []


def test_a_pause_that_would_outlast_the_deadline_is_not_begun(pauses: list[float]) -> None:
    with pytest.raises(ModelError, match=r"^HTTP 500$"):
        complete(Endpoint(failing(500), always()), pauses, seconds=0.4)
    assert pauses == []


@pytest.mark.parametrize("handler", [misbehaviour.stall, misbehaviour.drip])
def test_the_deadline_is_for_everything(handler: Handler, pauses: list[float]) -> None:
    with pytest.raises(ModelTimeout, match=r"^no reply in time$"):
        complete(Endpoint(handler), pauses, seconds=0.3)


@pytest.mark.parametrize(
    ("handler", "text"),
    [
        (misbehaviour.not_json, "the reply is not JSON"),
        (misbehaviour.cut_off, "the reply was cut off"),
        (misbehaviour.huge, "the reply is larger than 1048576 bytes"),
        (always(text=None), "the reply holds no message"),
        (always(text=["parts"]), "the reply holds no message"),
    ],
)
def test_broken_replies_are_not_asked_for_again(
    handler: Handler, text: str, pauses: list[float]
) -> None:
    endpoint = Endpoint(handler)
    with pytest.raises(ModelError, match=f"^{text}$"):
        complete(endpoint, pauses)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    "body", [[], {}, {"choices": []}, {"choices": [1]}, {"choices": [{"message": "x"}]}, "hi"]
)
def test_replies_of_another_shape(body: Any, pauses: list[float]) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.json_response(body)

    with pytest.raises(ModelError, match="the reply holds no message"):
        complete(Endpoint(handler), pauses)


def test_the_budget_is_charged_with_the_providers_count(pauses: list[float]) -> None:
    budget = Budget(calls=5, tokens=5000)
    complete(
        Endpoint(always(usage={"prompt_tokens": 100, "completion_tokens": 20})),
        pauses,
        budget=budget,
    )
    assert (budget.calls_left, budget.tokens_left) == (4, 4880)


@pytest.mark.parametrize(
    "budget", [Budget(calls=0, tokens=10_000), Budget(calls=5, tokens=2048 + 10)]
)
def test_what_might_not_fit_is_never_sent(budget: Budget, pauses: list[float]) -> None:
    endpoint = Endpoint(always())
    with pytest.raises(BudgetError):
        complete(endpoint, pauses, budget=budget)
    assert endpoint.asked == []


def test_a_refusal_costs_no_tokens_and_a_lost_reply_costs_all(pauses: list[float]) -> None:
    budget = Budget(calls=5, tokens=5000)
    with pytest.raises(ModelError):
        complete(Endpoint(failing(400)), pauses, budget=budget)
    assert (budget.calls_left, budget.tokens_left) == (4, 5000)
    with pytest.raises(ModelError):
        complete(Endpoint(misbehaviour.cut_off), pauses, budget=budget)
    assert (budget.calls_left, budget.tokens_left) == (3, 5000 - 2048 - 11)


def test_the_key_shows_nowhere(pauses: list[float]) -> None:
    with pytest.raises(ModelError) as caught:
        complete(Endpoint(failing(401)), pauses)
    assert caught.value.detail == "no, [key]"
    assert KEY not in str(caught.value) + repr(caught.value)
    assert KEY not in repr(ChatClient("http://127.0.0.1", KEY))


@pytest.mark.parametrize("key", ["two words", "line\nfeed", "naïve"])
def test_a_key_that_no_header_can_carry_is_refused_unshown(key: str) -> None:
    with pytest.raises(InvalidError) as caught:
        ChatClient("http://127.0.0.1", key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["", "localhost:8080/v1", "ftp://host/v1", "http://", "file:///tmp"]
)
def test_what_is_no_endpoint_is_refused(url: str) -> None:
    with pytest.raises(InvalidError, match="must be an http"):
        ChatClient(url)


@pytest.mark.parametrize(
    ("environ", "path", "key"),
    [
        ({"THORP_MODEL_URL": "/t", "OPENAI_BASE_URL": "/o"}, "/t", None),
        ({"THORP_MODEL_URL": "", "OPENAI_BASE_URL": "/o"}, "/o", None),
        ({"OPENAI_BASE_URL": "/o", "OPENAI_API_KEY": "two"}, "/o", "two"),
        ({"THORP_MODEL_URL": "/t", "THORP_MODEL_KEY": "one", "OPENAI_API_KEY": "two"}, "/t", "one"),
        ({"THORP_MODEL_URL": "/t", "THORP_MODEL_KEY": "", "OPENAI_API_KEY": "two"}, "/t", None),
    ],
)
def test_environment(environ: dict[str, str], path: str, key: str | None) -> None:
    endpoint = Endpoint(always())
    with serving(endpoint) as url:
        full = {
            name: url + value if value.startswith("/") else value for name, value in environ.items()
        }
        ChatClient.from_environment(full).complete(REQUEST, seconds=5)
    [(asked, headers, _)] = endpoint.asked
    assert asked == f"{path}/chat/completions"
    assert headers.get("Authorization") == (f"Bearer {key}" if key else None)


def test_an_environment_without_an_endpoint() -> None:
    with pytest.raises(InvalidError, match="no model endpoint; set THORP_MODEL_URL"):
        ChatClient.from_environment({"OPENAI_API_KEY": KEY})


def test_odd_text_goes_there_and_back(pauses: list[float]) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        said = json.loads(await request.read())["messages"][0]["content"]
        return answer(text=said)

    odd = "é\u2028\U0001f600\ud800\x00"
    with serving(handler) as url:
        reply = ChatClient(url).complete(ChatRequest("m", (ChatMessage("user", odd),)), seconds=5)
    assert reply.text == odd
