"""examples/client.mjs in a real Node and a real browser, in a real world."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.serving import served
from tests.server.browser import browsing

CLIENT = Path(__file__).parents[2] / "examples" / "client.mjs"
TOLD = re.compile(
    r"I am A1 at 0,27,0\ngreeting: done\ngoing to (\S+): done\nmining it: done\nnow I have "
    r"(\{.*\})\n"
)

FURTHER = """
import {{ connect }} from "{client}";
const agent = await connect("{url}/v1/ws", "Jules");
const heard = [];
agent.onevent = (event) => heard.push(event.type);
const [x, y, z] = agent.position;
const results = [
  await agent.do({{ type: "FLY" }}),
  await agent.do({{ type: "MINE", block_pos: [x + 9, y, z] }}),
  await agent.do({{ type: "PLACE", block_pos: [x, y, z + 2], item_id: "PLANK" }}),
  await agent.do({{ type: "SAVE_MEMORY", key: "long", value: "é".repeat(40000) }}),
];
await agent.observe();
const token = agent.token;
const found = agent.find("PLANK");
agent.close();
const again = await connect("{url}/v1/ws", "Jules", {{ token }});
again.send({{ type: "RETIRE" }});
const body = again.id;
let end = "";
for (let at = 0; at < 50 && !end.startsWith("the connection"); at++) {{
  end = await again.observe().then(() => "", (problem) => problem.message);
}}
console.log(JSON.stringify({{ results, found, place: [x, y, z + 2], body, end, heard }}));
"""


def node(*arguments: str) -> str:
    done = subprocess.run(["node", *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.real("node")
@pytest.mark.parametrize(
    ("clock", "options"),
    [
        ("real", []),
        ("lockstep", []),
        (
            "lockstep",
            ["--experimental-websocket", "--no-warnings"],
        ),  # with the WebSocket that Node 22 has
    ],
)
def test_the_example_does_three_things_in_node_and_ends(
    clock: str, options: list[str], tmp_path: Path
) -> None:
    with served(tmp_path / "data", clock=clock) as url:
        told = TOLD.fullmatch(node(*options, str(CLIENT), f"{url.replace('http', 'ws')}/v1/ws"))
    assert told is not None
    assert json.loads(told[2])["PLANK"] == 20


@pytest.mark.real("node")
def test_refusals_changed_blocks_long_texts_and_a_second_connection(tmp_path: Path) -> None:
    with served(tmp_path / "data") as url:
        script = tmp_path / "further.mjs"
        script.write_text(FURTHER.format(client=CLIENT, url=url.replace("http", "ws")))
        told = json.loads(node(str(script)))
    fly, far, place, note = told["results"]
    assert (fly["ok"], fly["code"]) == (False, "E_BAD_REQUEST")
    assert (far["ok"], far["code"], far["type"]) == (False, "E_INVALID_TARGET", "TASK_FAIL")
    assert place["ok"]
    assert told["found"] == told["place"], "the changed block was seen"
    assert (note["ok"], note["code"]) == (False, "E_NO_RESOURCE"), "80,000 bytes went over the wire"
    assert told["body"] == "A1"
    assert told["end"] == "the connection is over: 4002 retired"
    assert "TASK_DONE" in told["heard"]


@pytest.mark.real("node")
def test_where_nobody_answers_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        ["node", str(CLIENT), "ws://127.0.0.1:9/v1/ws"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "nobody answers at ws://127.0.0.1:9/v1/ws" in done.stderr


async def _in_a_browser(url: str, tmp_path: Path) -> str:
    source = base64.b64encode(CLIENT.read_bytes()).decode()
    address = url.replace("http", "ws") + "/v1/ws"
    async with browsing(tmp_path) as page:
        await page.open(f"{url}/healthz")
        told: str = await page.get(
            f'import("data:text/javascript;base64,{source}").then(async ({{ main }}) => {{ let '
            'told = "";'
            f' await main("{address}", (line) => told += line + "\\n"); return told; }})'
        )
    return told


@pytest.mark.real("chromium")
def test_the_same_file_runs_in_a_browser(tmp_path: Path) -> None:
    with served(tmp_path / "data", clock="real") as url:
        assert TOLD.fullmatch(asyncio.run(_in_a_browser(url, tmp_path / "browser")))
