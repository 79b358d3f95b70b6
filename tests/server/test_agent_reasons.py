"""Why an agent did what it did, over HTTP and on the page: for an operator and for itself, and never
for others."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.observer.filmed import make_village
from tests.server.browser import browsing
from tests.server.serving import Served, run, serving
from tests.server.test_page import PATIENCE_SECONDS, chromium
from tests.server.test_page_stranger import TEXT
from tests.server.test_stories import bearer
from thorp.bridges.voxel_town import new_city_world
from thorp.server.access.tokens import Role
from thorp.server.http import agent_reasons
from thorp.server.http.agent_reasons import AgentReasons

AT = 300


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"), last=AT + 100)


def asking(agent: str, query: str = "") -> str:
    return f"/admin/v1/observer/agents/{agent}/why?{query}"


async def ask(served: Served, path: str, **headers: str) -> tuple[int, Any]:
    status, text = await served.get(path, headers=headers)
    return status, json.loads(text)


def test_an_operator_and_the_agent_itself_are_told_and_nobody_else(village: Path) -> None:
    async def play() -> None:
        async with serving(
            village, loopback=Role.VIEWER, make_world=new_city_world, open_book=True
        ) as served:
            operator = bearer(village, Role.OPERATOR)
            status, found = await ask(served, asking("A2", f"at={AT}"), **operator)
            assert status == 200, found
            assert msgspec.to_builtins(msgspec.convert(found, AgentReasons)) == found
            assert (found["agent"], found["name"], found["tick"]) == ("A2", "Bram", AT)
            assert found["script"]["basis"] == "recomputed"
            assert found["script"]["job"]
            assert found["memory"][0]["key"] == "village/knowledge"
            assert found["replies"] is None
            own = bearer(village, Role.AGENT, "A2")
            assert (await ask(served, asking("A2", f"at={AT}"), **own)) == (200, found)

            # Whoever may not know it is not told whether there is such an agent.
            nowhere = await ask(served, asking("A999"), **own)
            assert nowhere[0] == 403
            for headers in (own, bearer(village, Role.AGENT), bearer(village, Role.VIEWER), {}):
                for agent in ("A3", "A999", "nobody"):
                    assert await ask(served, asking(agent, f"at={AT}"), **headers) == nowhere
            assert "village/knowledge" not in json.dumps(nowhere)

            for path, expected in (
                (asking("A999", f"at={AT}"), (404, "trace")),
                (asking("Bram", f"at={AT}"), (400, "invalid_agent")),
                (asking("--help"), (400, "invalid_agent")),
                (asking("A2", "at=0"), (400, "invalid_at")),
                (asking("A2", "at=x"), (400, "invalid_at")),
                (asking("A2", "at=999999999"), (400, "range")),
            ):
                status, refused = await ask(served, path, **operator)
                assert (status, refused["error"]) == expected, refused
                assert str(village) not in json.dumps(refused)

    run(play(), PATIENCE_SECONDS)


def test_few_wait_and_the_world_goes_on(village: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(village, make_world=new_city_world) as served:
            monkeypatch.setattr(agent_reasons, "MAX_WAITING", 1)
            before = served.server.stage.require_live().service.world.tick
            first = asyncio.create_task(ask(served, asking("A4", f"at={AT}")))
            while not served.server.agent_reasons._waiting:
                await asyncio.sleep(0.01)
            assert (await ask(served, asking("A5", f"at={AT}")))[1]["error"] == "busy"
            status, found = await first
            assert status == 200
            assert served.server.stage.require_live().service.world.tick > before
            # What was found out is kept.
            monkeypatch.setattr(agent_reasons, "MAX_WAITING", 0)
            assert await ask(served, asking("A4", f"at={AT}")) == (200, found)
            monkeypatch.setattr(agent_reasons, "MAX_WAITING", 1)
            monkeypatch.setattr(agent_reasons, "MAX_SECONDS", 0.01)
            status, slow = await ask(served, asking("A6", f"at={AT}"))
            assert (status, slow["error"]) == (503, "slow")
            assert served.server.agent_reasons._waiting == 0

    run(play(), PATIENCE_SECONDS)


@chromium
def test_the_inspector_says_why(village: Path, tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            serving(village, tape=True, open_book=True, make_world=new_city_world) as served,
            browsing(tmp_path / "profile", 390, 844) as page,
        ):
            await page.open(served.url(f"/?see=A2&at={AT}"))
            await page.until("document.querySelector('#agent-why button')")
            await page.get("document.querySelector('#agent-why button').focus()")
            await page.key("Enter")
            await page.until(f"{TEXT('#why-job')}.includes('Recomputed by replay')")
            assert "village/knowledge" in await page.get(TEXT("#agent-why"))
            assert await page.get("document.documentElement.scrollWidth <= 390")
            assert page.complaints == []

    run(play(), 2 * PATIENCE_SECONDS)
