"""Why, over HTTP: each token is told what its own view may know, and nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.server.serving import Served, run
from tests.server.test_stories import (
    CANARIES,
    CONFIG,
    bearer,
    story_server,
    tell_secrets,
    with_story,
)
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening
from thorp.server.http.server import Server
from thorp.server.http.stories import Stories
from thorp.story import open_ledger


async def ask(
    served: Served, query: str, path: str = "/v1/story/why", **headers: str
) -> tuple[int, Any]:
    status, text = await served.get(f"{path}?{query}", headers=headers)
    return status, json.loads(text)


def entries(data: Path) -> dict[str, str]:
    """The id of each secret, by whom it is for."""
    found = {}
    with open_ledger(data, create=False) as ledger:
        for own in CANARIES:
            for each in ledger.page(own)["stream"]["entries"]:
                if CANARIES[own] in each["text"]:
                    found[own] = each["entry_id"]
    return found


def test_every_view_is_answered_for_itself_and_what_it_may_not_see_does_not_exist(
    tmp_path: Path,
) -> None:
    tell_secrets(tmp_path)
    secrets = entries(tmp_path)

    async def play() -> None:
        async with story_server(tmp_path, loopback=Role.VIEWER, config=CONFIG) as served:
            senders = {
                "GEORGE": bearer(tmp_path, Role.OPERATOR),
                "REBECCA": bearer(tmp_path, Role.AGENT, "REBECCA"),
                "OSWIN": bearer(tmp_path, Role.AGENT, "OSWIN"),
                None: bearer(tmp_path, Role.VIEWER),
            }
            for reader, headers in senders.items():
                _, nowhere = await ask(
                    served, "entry=e:00000000000000000000000000000000", **headers
                )
                for own, entry_id in secrets.items():
                    for wanted in (entry_id, quote(f"{CANARIES[own]} at the ford")):
                        status, answer = await ask(served, f"entry={wanted}", **headers)
                        if own == reader:
                            assert (status, answer["view"]) == (200, reader)
                            assert CANARIES[own] in answer["text"]
                        else:
                            assert (status, answer) == (404, nowhere)
                            assert answer["error"] == "no_entry"
                status, answer = await ask(served, "entry=A%20mill%20by%20a%20ford.", **headers)
                assert status == 200
                assert answer["view"] == (reader or "PUBLIC")
                assert (answer["proposal"]["beat"] is None) == (reader != "GEORGE")
                assert not any(canary in json.dumps(answer) for canary in CANARIES.values())

    run(play())


@with_story()
async def test_the_keeper_may_ask_for_any_view_and_nobody_else(served: Served) -> None:
    tell_secrets(served.data)
    secrets = entries(served.data)
    path = "/admin/v1/story/why"
    for own, entry_id in secrets.items():
        status, answer = await ask(served, f"entry={entry_id}&as={own}", path)
        assert (status, answer["view"]) == (200, own)
        other = "OSWIN" if own != "OSWIN" else "REBECCA"
        assert (await ask(served, f"entry={entry_id}&as={other}", path))[0] == 404
    assert (await ask(served, f"entry={secrets['GEORGE']}", path))[0] == 200
    for role in (Role.OPERATOR, Role.VIEWER, Role.AGENT):
        person = "REBECCA" if role is Role.AGENT else ""
        headers = bearer(served.data, role, person)
        status, _ = await ask(served, f"entry={secrets['OSWIN']}&as=OSWIN", path, **headers)
        assert status == 403


@with_story()
async def test_bad_questions_are_refused_in_one_line(served: Served) -> None:
    assert (await ask(served, "entry=e:0"))[1]["error"] == "no_story"
    tell_secrets(served.data)
    for query, status, error in (
        ("", 400, "no_words"),
        ("entry=", 400, "no_words"),
        (f"entry={'x' * 2001}", 400, "too_long"),
        ("entry=mill&sentence=0", 400, "invalid_sentence"),
        ("entry=mill&sentence=x", 400, "invalid_sentence"),
        ("entry=mill&sentence=9", 400, "sentence"),
        ("entry=at%20the%20ford&sentence=1", 200, None),
        ("entry=%00%ed%a0%80%3Cscript%3E%20x", 404, "no_entry"),
        ("entry=mill&proof=1", 404, "no_log"),
    ):
        code, answer = await ask(served, query)
        assert (code, answer.get("error")) == (status, error), (query, answer)


def test_with_an_open_book_an_agent_without_a_story_reads_as_everybody(tmp_path: Path) -> None:
    tell_secrets(tmp_path)

    async def play(*, open_book: bool) -> tuple[int, Any]:
        stories = Stories(tmp_path, "offline", CONFIG, open_book=open_book)
        server = Server(tmp_path, Principals(Tokens(tmp_path)), stories=stories)
        import aiohttp

        async with listening(server, "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:
            served = Served(port, server, http, tmp_path)
            headers = bearer(tmp_path, Role.AGENT, "A77")
            return await ask(served, "entry=A%20mill%20by%20a%20ford.", **headers)

    status, answer = asyncio.run(play(open_book=True))
    assert (status, answer["view"]) == (200, "PUBLIC")
    status, answer = asyncio.run(play(open_book=False))
    assert (status, answer["error"]) == (403, "unknown_reader")


@with_story()
async def test_one_proof_at_a_time(served: Served) -> None:
    tell_secrets(served.data)
    lock = served.server.why._proving
    async with lock:
        status, answer = await ask(served, "entry=mill&proof=1")
        assert (status, answer["error"]) == (503, "busy")
        assert (await ask(served, "entry=A%20mill%20by%20a%20ford."))[0] == 200
