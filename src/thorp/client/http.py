"""The client of a server's HTTP API, as `god`, `thorp town` and `thorp story` use it.

    with HttpClient("http://127.0.0.1:8080", token) as client:
        towns = client.get("/admin/v1/towns")["towns"]

One request at a time, each within its time. What the server refuses is raised as the engine behind
it would raise it: an error of `thorp.kernel.errors` with the same kind, code, path and message.
Redirects, cookies and the proxies of the environment are not used: the server that was named is the
one that answers.
"""

import asyncio
import time
from collections.abc import Coroutine, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar
from urllib.parse import quote

import aiohttp
from yarl import URL

from thorp.kernel.canonical import DEPTH_LIMIT, Json
from thorp.kernel.closing import Closing
from thorp.kernel.errors import ROOT, InvalidError, LimitError, ThorpError, Violation, error_of
from thorp.kernel.strict_json import StrictJson

__all__ = [
    "AS_IT_IS",
    "NOTHING",
    "HttpClient",
    "Query",
    "ServerError",
    "read_answer",
    "read_json_answer",
    "refusal_of",
    "town_path",
]

ANSWER_SECONDS: Final = 60.0  # A database that syncs slowly, and a world that waits for its tick.
CONNECT_SECONDS: Final = (
    10.0  # A name that is looked up, or a server that is starting on a busy machine.
)
READY_SECONDS: Final = (
    10.0  # A world of some days is opened within it; one that takes longer says so.
)
ASK_AGAIN_SECONDS: Final = 0.1
MAX_ANSWER_BYTES: Final = 64 << 20  # Ten thousand entries of a chronicle are three million bytes.
KEEP_SECONDS: Final = (
    5.0  # Less than servers keep silent connections: none is used that is being closed.
)
_ROUNDS: Final = (
    3  # Turns of the loop until an ended connection is noticed, or a closed one is gone.
)

# Asks for answers that are not compressed: a few bytes could become as many as the memory holds.
AS_IT_IS: Final = {"Accept-Encoding": "identity"}

# What an answer means that does not name its kind.
_KIND_OF_STATUS: Final = {400: "invalid", 404: "unknown", 409: "conflict", 413: "limit"}

_JSON: Final = StrictJson(bytes_limit=MAX_ANSWER_BYTES, depth_limit=DEPTH_LIMIT)

T = TypeVar("T")
Query = Mapping[str, str | None]  # The fields after the question mark; None is left out.
NOTHING: Final[Query] = {}


class ServerError(ThorpError):
    """A server that did not do what was asked; what an engine refused is raised as such."""

    code = "server"


class HttpClient(Closing):
    """Asks one server. Belongs to one thread."""

    def __init__(self, url: str, token: str | None = None, directory: Path | None = None) -> None:
        """The server at a URL, which holds `directory` if that was how it was found."""
        self._url = _checked_url(url)
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise InvalidError("a token has letters, digits, - and _ only", code="token")
        self._token = token or None
        self._directory = directory
        self._runner = asyncio.Runner()
        self._http: aiohttp.ClientSession | None = None
        self.headers: Mapping[str, str] = {}
        """The headers of the last answer to `ask`."""

    @property
    def name(self) -> str:
        where = "" if self._directory is None else f", which holds {self._directory},"
        return f"the server at {self._url}{where}"

    def get(self, path: str, query: Query = NOTHING, *, seconds: float = ANSWER_SECONDS) -> Json:
        """The document at a path."""
        return self._document(*self.ask("GET", path, query, seconds=seconds))

    def post(self, path: str, body: bytes, query: Query = NOTHING) -> Json:
        """What a document that is sent is answered with."""
        return self._document(*self.ask("POST", path, query, body))

    def ask(
        self,
        method: str,
        path: str,
        query: Query = NOTHING,
        body: bytes | None = None,
        *,
        seconds: float = ANSWER_SECONDS,
        ready_seconds: float | None = None,
    ) -> tuple[int, bytes]:
        """The status and the body that come back. Raises ServerError if none come, or we may not
        ask.

        A server whose world is not open yet has done nothing, and is asked again for
        `ready_seconds`, or READY_SECONDS.
        """

        async def whole() -> tuple[int, bytes]:
            async with asyncio.timeout(seconds):
                response = await self._send(method, path, query, body)
                async with response:
                    self.headers = response.headers
                    return response.status, await read_answer(response)

        until = time.monotonic() + (READY_SECONDS if ready_seconds is None else ready_seconds)
        while True:
            status, answer = self._judged(*self._bounded(whole(), seconds))
            if status != 503 or _error_of(answer) != "not_ready" or time.monotonic() > until:
                return status, answer
            time.sleep(ASK_AGAIN_SECONDS)

    def lines(self, path: str, query: Query) -> Iterator[Json]:
        """The documents of an answer that is one a line, as they come."""
        rest = b""
        for piece in self.pieces(path, query):
            *whole, rest = (rest + piece).split(b"\n")
            yield from map(self.read, whole)
            if len(rest) > MAX_ANSWER_BYTES:
                raise _too_large()

    def pieces(
        self, path: str, query: Query, *, seconds: float = ANSWER_SECONDS
    ) -> Iterator[bytes]:
        """The bytes of an answer, as they come; none of them may take longer than `seconds`."""

        async def begin() -> aiohttp.ClientResponse:
            async with asyncio.timeout(seconds):
                response = await self._send("GET", path, query, None)
                if response.status != 200:
                    async with response:
                        self._document(*self._judged(response.status, await read_answer(response)))
                return response

        async def more(response: aiohttp.ClientResponse) -> bytes:
            async with asyncio.timeout(seconds):
                return await response.content.readany()

        response = self._bounded(begin(), seconds)
        try:
            while piece := self._bounded(more(response), seconds):
                yield piece
        finally:
            response.close()

    def close(self) -> None:
        """Hang up. A question that a signal cut short is dropped."""

        async def end() -> None:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            if self._http is not None:
                await self._http.close()
            for _ in range(_ROUNDS):
                await asyncio.sleep(0)

        self._runner.run(end())
        self._runner.close()

    def _bounded(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        try:
            return self._runner.run(work)
        except TimeoutError:
            self._fail(
                "timeout", f"did not answer within {seconds:.0f} s; it may still do what was asked"
            )
        except aiohttp.ClientSSLError:
            self._fail("untrusted", "has no certificate that this machine trusts")
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as problem:
            reason = getattr(getattr(problem, "os_error", None), "strerror", None) or "no answer"
            advice = (
                "is it running?" if self._directory is None else "if it is elsewhere, give --url"
            )
            self._fail("unreachable", f"cannot be reached: {reason}; {advice}")
        except (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError, ConnectionError):
            self._fail(
                "lost", "went away before it had answered; look whether it did what was asked"
            )
        except aiohttp.ClientError as problem:
            self._fail("not_http", f"does not answer in HTTP: {type(problem).__name__}")

    async def _send(
        self, method: str, path: str, query: Query, body: bytes | None
    ) -> aiohttp.ClientResponse:
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
        if self._http is None:
            self._http = _session(self._token)
        asked = "&".join(
            f"{name}={quote(text, safe='')}" for name, text in query.items() if text is not None
        )
        url = URL(f"{self._url}{path}" + (f"?{asked}" if asked else ""), encoded=True)
        sent = None if body is None else BytesIO(body)  # a long one would be sent at once as bytes
        return await self._http.request(method, url, data=sent, allow_redirects=False)

    def _judged(self, status: int, body: bytes) -> tuple[int, bytes]:
        """The same, unless the server does not know us, or we do not know it."""
        if status == 401:
            self._fail(
                "token", f"says: {_details(body)}; give it with --data, --token or $THORP_TOKEN"
            )
        if status == 403:
            self._fail("token", f"refuses this token: {_details(body)}")
        if status == 405 or (status == 404 and _error_of(body) == "not_found"):
            self._fail("too_old", "does not know this; it is no thorp server, or an older one")
        if 300 <= status < 400:
            self._fail("redirected", "sends us elsewhere; give the address it stands at itself")
        return status, body

    def _document(self, status: int, body: bytes) -> Json:
        if status == 200:
            return self.read(body)
        raise refusal_of(status, body) or ServerError(
            f"{self.name} failed: {status} {_details(body)}"
        )

    def read(self, text: bytes) -> Json:
        """The document that an answer is."""
        try:
            return _JSON.read(text)
        except (InvalidError, LimitError):
            self._fail("gibberish", "answers with something that is not JSON")

    def _fail(self, code: str, what: str) -> NoReturn:
        raise ServerError(f"{self.name} {what}", code=code)


def refusal_of(status: int, body: bytes) -> ThorpError | None:
    """What an engine behind the server refused, as it would raise it; None if this is no such
    refusal."""
    code = _error_of(body)
    details = _member(body, "details")
    kind = _member(body, "kind")
    named = kind if isinstance(kind, str) else _KIND_OF_STATUS.get(status)
    if named is None or code is None:
        return None
    listed = details.get("violations") if isinstance(details, dict) else None
    documents = (
        [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    )
    violations = [
        Violation(*(str(document.get(key, "")) for key in ("code", "path", "message")))
        for document in documents
    ]
    if violations and kind is None:
        named = "contract"  # from a server that does not name the kind
    return error_of(named, code, violations or [Violation(code, ROOT, str(details))])


def town_path(town_id: str, what: str, root: str = "/admin/v1/towns") -> str:
    """The path of something about a town, whatever its id is."""
    name = quote(town_id, safe="").replace(
        ".", "%2E"
    )  # a dot by itself would be a step in the path
    return f"{root}/{name}/{what}"


def _session(token: str | None) -> aiohttp.ClientSession:
    headers = {**AS_IT_IS, "Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=1, keepalive_timeout=KEEP_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
        auto_decompress=False,
        trust_env=False,
        headers=headers,
    )


async def read_answer(response: aiohttp.ClientResponse) -> bytes:
    """The body of an answer, whatever it says its length is. One that is too large is read no
    further."""
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise _too_large()
    return bytes(body)


async def read_json_answer(response: aiohttp.ClientResponse) -> Json:
    """The document that the body of an answer is."""
    try:
        return _JSON.read(await read_answer(response))
    except (InvalidError, LimitError):
        raise ServerError(
            "the server answers with something that is not JSON", code="gibberish"
        ) from None


def _too_large() -> ServerError:
    return ServerError(f"the server's answer is larger than {MAX_ANSWER_BYTES} bytes", code="size")


def _checked_url(text: str) -> str:
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if not url.host or url.user is not None or url.query_string or url.fragment:
        raise InvalidError(
            f"--url takes the address of a server, like http://host:8080, not {text!r}",
            code="bad_url",
        )
    return str(url).rstrip("/")


def _member(body: bytes, name: str) -> Json:
    try:
        document = _JSON.read(body)
    except (InvalidError, LimitError):
        return None
    return document.get(name) if isinstance(document, dict) else None


def _error_of(body: bytes) -> str | None:
    error = _member(body, "error")
    return error if isinstance(error, str) else None


def _details(body: bytes) -> str:
    details = _member(body, "details")
    return str(details) if details is not None else (_error_of(body) or "")
