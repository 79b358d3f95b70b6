"""llama.cpp in a child process: what it serves, whom it answers, and how it ends, on good days and
on bad ones. The model is tiny; the runtime is the real one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import THORP
from tests.server.test_child import children_of, is_running, wait_until_gone
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, LimitError, ThorpError
from thorp.models import ChatClient, ChatMessage, ChatRequest, Reply
from thorp.models.embedded import EmbeddedModel, Endpoint, Settings, Weights, known_model, processor
from thorp.models.embedded.causes import why_not_loaded
from thorp.models.http_post import HttpAnswer, connector, post_async, run

pytestmark = pytest.mark.real("mind")

CUT_BYTES = 60_000  # About half of the tiny model.


def weights(path: Path) -> Weights:
    return Weights("tiny", path)


def ask(endpoint: Endpoint, text: str = "Say hello.", tokens: int = 8) -> Reply:
    client = ChatClient(endpoint.url, endpoint.key)
    request = ChatRequest(endpoint.model, (ChatMessage("user", text),), max_tokens=tokens)
    return client.complete(request, seconds=30)


def get(endpoint: Endpoint, path: str, **headers: str) -> HttpAnswer:
    connector()
    return run(post_async(f"{endpoint.url}{path}", None, seconds=10, headers=headers))


def own_children() -> set[int]:
    return {pid for pid, command in children_of(os.getpid()).items() if "embedded.llama" in command}


def test_it_answers_and_the_same_question_gets_the_same_answer(tiny: Path) -> None:
    with EmbeddedModel.open(weights(tiny)) as endpoint:
        assert own_children() == {endpoint.pid}
        first = ask(endpoint)
        assert first.tokens_in > 10
        assert 1 <= first.tokens_out <= 8
        assert ask(endpoint).text == first.text
        assert endpoint.trouble() is None
        assert endpoint.environment.keys() == {"THORP_MODEL_URL", "THORP_MODEL_KEY"}
    assert own_children() == set()
    assert endpoint.trouble() is not None


def test_it_answers_on_loopback_and_only_who_knows_the_key(tiny: Path) -> None:
    with EmbeddedModel.open(weights(tiny)) as one, EmbeddedModel.open(weights(tiny)) as other:
        assert one.url.startswith("http://127.0.0.1:")
        assert one.key != other.key
        assert one.key not in repr(one)
        assert one.key.encode() not in Path(f"/proc/{one.pid}/cmdline").read_bytes()
        assert get(one, "/models").status == 401
        assert get(one, "/models", Authorization=f"Bearer {other.key}").status == 401
        assert get(one, "/models", Authorization=f"Bearer {one.key}").status == 200
        port = int(one.url.split(":")[2].removesuffix("/v1"))
        assert _listens_on(port) == {"127.0.0.1"}


def _listens_on(port: int) -> set[str]:
    """The addresses on which somebody listens on a port, of /proc/net/tcp."""
    found = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, state = line.split()[1], line.split()[3]
        address, _, number = local.partition(":")
        if state == "0A" and int(number, 16) == port:
            found.add(socket.inet_ntoa(bytes.fromhex(address)[::-1]))
    return found


def test_no_page_of_any_origin_may_read_its_answers(tiny: Path) -> None:
    """`null` is the origin of every page that puts itself into a sandboxed frame."""
    import http.client

    with EmbeddedModel.open(weights(tiny)) as endpoint:
        port = int(endpoint.url.split(":")[2].removesuffix("/v1"))
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port}"):
            for method in ("GET", "OPTIONS"):
                line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                line.request(method, "/health", headers={"Origin": origin})
                allowed = line.getresponse().getheader("Access-Control-Allow-Origin")
                line.close()
                assert allowed not in ("*", origin)


def test_an_adapter_changes_what_it_says(tiny: Path, tmp_path: Path) -> None:
    from tests.models.embedded.tiny import write_adapter

    adapter = write_adapter(tmp_path / "adapter.gguf")
    with EmbeddedModel.open(weights(tiny)) as endpoint:
        plain = ask(endpoint).text
    with EmbeddedModel.open(weights(tiny), Settings(adapter=adapter)) as endpoint:
        adapted = ask(endpoint).text
    with EmbeddedModel.open(weights(tiny), Settings(adapter=adapter, adapter_scale=0)) as endpoint:
        without = ask(endpoint).text
    assert adapted != plain
    assert without == plain


def test_it_is_nice_and_takes_one_thread_and_the_settings_reach_it(tiny: Path) -> None:
    settings = Settings(context_tokens=512, slots=2, niceness=7)
    with EmbeddedModel.open(weights(tiny), settings) as endpoint:
        assert (
            os.getpriority(os.PRIO_PROCESS, endpoint.pid) == os.getpriority(os.PRIO_PROCESS, 0) + 7
        )
        bearer = f"Bearer {endpoint.key}"
        assert b'"n_ctx":512' in get(endpoint, "/models", Authorization=bearer).body


def test_progress_is_told_and_loading_may_be_given_up(tiny: Path) -> None:
    heard: list[float] = []
    with EmbeddedModel.open(weights(tiny), waiting=heard.append):
        pass
    assert heard == sorted(heard)
    assert heard

    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), EmbeddedModel.open(weights(tiny), waiting=interrupt):
        raise AssertionError("it was never loaded")
    assert own_children() == set()
    with (
        pytest.raises(LimitError, match="not loaded within 0 s"),
        EmbeddedModel.open(weights(tiny), Settings(load_seconds=0)),
    ):
        raise AssertionError("it was never loaded")
    assert own_children() == set()


def test_a_child_that_is_killed_in_the_middle_is_told_in_one_line(tiny: Path) -> None:
    with EmbeddedModel.open(weights(tiny)) as endpoint:
        os.kill(endpoint.pid, signal.SIGKILL)
        trouble = endpoint.wait(10)
    assert trouble == "the model tiny is gone: its process was ended by SIGKILL"


def refusal_of(model: Weights, settings: Settings | None = None) -> ThorpError:
    """The error with which a model is refused; nothing is left of the child."""
    with pytest.raises(ThorpError) as refused, EmbeddedModel.open(model, settings):
        raise AssertionError("it was loaded")
    assert own_children() == set()
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    return refused.value


def test_files_that_are_no_whole_model(tiny: Path, tmp_path: Path) -> None:
    from tests.models.embedded.tiny import write_adapter, write_model

    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny.read_bytes()[:CUT_BYTES])
    noise = tmp_path / "noise.gguf"
    noise.write_bytes(bytes(range(256)) * 64)
    empty = tmp_path / "empty.gguf"
    empty.touch()
    other = write_model(tmp_path / "other.gguf", architecture="thorpian")
    adapter = write_adapter(tmp_path / "adapter.gguf")
    expected: list[tuple[Path, type[ThorpError], str, str]] = [
        (cut, DamagedError, "model_damaged", "cut off or damaged"),
        (noise, InvalidError, "model_format", "no model in the GGUF format"),
        (empty, InvalidError, "model_format", "no model in the GGUF format"),
        (other, InvalidError, "model_architecture", "'thorpian'"),
        (adapter, InvalidError, "model_failed", "key not found in model"),
    ]
    for path, kind, code, words in expected:
        refusal = refusal_of(weights(path))
        assert (type(refusal), refusal.code) == (kind, code), refusal
        assert str(path) in str(refusal)
        assert words in str(refusal)


def test_adapters_that_are_for_another_model_or_none(tiny: Path, tmp_path: Path) -> None:
    from tests.models.embedded.tiny import WIDTH, write_adapter

    noise = tmp_path / "noise.gguf"
    noise.write_bytes(b"noise")
    wide = write_adapter(tmp_path / "wide.gguf", width=2 * WIDTH)
    other = write_adapter(tmp_path / "other.gguf", architecture="qwen2")
    for path, words in [
        (noise, "no adapter for tiny"),
        (wide, "incorrect shape"),
        (other, "arch mismatch"),
        (tiny, "expect general.type to be 'adapter'"),
        (tmp_path / "missing.gguf", "no such adapter"),
    ]:
        refusal = refusal_of(weights(tiny), Settings(adapter=path))
        assert (type(refusal), refusal.code) == (InvalidError, "model_adapter")
        assert str(path) in str(refusal)
        assert words in str(refusal)


def test_a_port_that_is_taken(tiny: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refusal = refusal_of(weights(tiny), Settings(port=port))
    assert isinstance(refusal, ConflictError)
    assert f"port {port} is taken" in str(refusal)


def test_two_runs_do_not_share_a_port(tiny: Path) -> None:
    """Two servers of the same kind could, where each allows it."""
    with EmbeddedModel.open(weights(tiny)) as first:
        port = int(first.url.split(":")[2].removesuffix("/v1"))
        with (
            pytest.raises(ConflictError, match=f"port {port} is taken"),
            EmbeddedModel.open(weights(tiny), Settings(port=port)),
        ):
            raise AssertionError("it was loaded")
        assert own_children() == {first.pid}
        assert ask(first).tokens_out > 0


def test_a_port_that_only_the_system_may_have(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp says the same of every port that it cannot have."""

    def refuse(address: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.create_server", refuse)
    told = why_not_loaded("couldn't bind HTTP server socket", 1, weights(tiny), Settings(port=81))
    assert told.code == "port_reserved"
    assert "port 81 is one that this user may not listen on" in str(told)


def test_a_child_that_stands_still_ends_with_the_block(tiny: Path) -> None:
    with EmbeddedModel.open(weights(tiny)) as endpoint:
        os.kill(endpoint.pid, signal.SIGSTOP)
    assert own_children() == set()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(threads=0),
        Settings(slots=65),
        Settings(port=65_536),
        Settings(context_tokens=1),
        Settings(niceness=-1),
    ],
)
def test_settings_out_of_their_bounds(settings: Settings, tiny: Path) -> None:
    assert refusal_of(weights(tiny), settings).code == "usage"


BROKEN_RUNTIMES = {
    "model_runtime_missing": "raise ImportError('libgomp.so.1: cannot open shared object file')",
    "model_memory ": "raise ImportError('x.so: failed to map segment from shared object')",
    "model_processor": "import os, signal; os.kill(os.getpid(), signal.SIGILL)",
    "model_memory": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "model_runtime": "",  # without the classes that are used
    "model_failed": "import sys; sys.exit('something that nobody foresaw')",
}


@pytest.mark.parametrize("code", BROKEN_RUNTIMES)
def test_a_runtime_that_fails(
    code: str, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "xllamacpp.py").write_text(BROKEN_RUNTIMES[code])
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    refusal = refusal_of(weights(tiny))
    assert refusal.code == code.strip()
    if code == "model_failed":
        assert "something that nobody foresaw" in str(refusal)
    if code == "model_runtime_missing":
        assert "cannot be loaded here (libgomp.so.1: cannot open shared" in str(refusal)


def test_a_child_that_talks_a_lot_is_listened_to(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that nobody reads holds 64 KiB, and blocks who writes more."""
    (tmp_path / "xllamacpp.py").write_text(
        "import sys; sys.stderr.write('chatter\\n' * 100_000); sys.exit('and the end')"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    refusal = refusal_of(weights(tiny), Settings(load_seconds=30))
    assert "and the end" in str(refusal)


def test_without_the_extra_the_command_that_installs_it_is_named(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install thorp[mind]" in str(refusal_of(weights(tiny)))


def test_which_processors_lack_avx2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = tmp_path / "cpuinfo"
    monkeypatch.setattr(processor, "CPU_FILE", cpu)
    assert not processor.lacks_avx2()  # a system that says nothing
    cpu.write_text("processor: 0\nflags\t\t: fpu sse2 avx\n")
    assert processor.lacks_avx2()
    cpu.write_text("processor: 0\nflags\t\t: fpu sse2 avx avx2\n")
    assert not processor.lacks_avx2()
    cpu.write_text("processor: 0\nFeatures: neon\n")  # another kind of processor
    assert not processor.lacks_avx2()


def test_without_avx2_the_runtime_is_not_even_imported(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child looks at another file about its processor, and finds a runtime that would be
    noticed."""
    cpu = tmp_path / "cpuinfo"
    cpu.write_text("flags\t\t: fpu sse2 avx\n")
    (tmp_path / "sitecustomize.py").write_text(
        "import pathlib\nfrom thorp.models.embedded import processor\n"
        f"processor.CPU_FILE = pathlib.Path({str(cpu)!r})\n"
    )
    (tmp_path / "xllamacpp.py").write_text("import sys; sys.exit('it was imported')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    refusal = refusal_of(weights(tiny))
    assert refusal.code == "model_processor"
    assert "no AVX2" in str(refusal)
    cpu.write_text("flags\t\t: fpu sse2 avx avx2\n")
    assert "it was imported" in str(refusal_of(weights(tiny)))


LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_too_little_memory(tiny: Path) -> None:
    """The address space has room for the programs, and not for the context."""
    done = subprocess.run(
        [
            *(sys.executable, "-c", LIMITED, str(900 << 20), str(THORP)),
            *("model", "serve", str(tiny), "--context", str(1 << 20), "--slots", "4", "--quiet"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1
    assert "not enough memory" in done.stderr


def start_serving(tiny: Path, *options: str) -> tuple[subprocess.Popen[str], int]:
    """`thorp model serve` as a user starts it, and its child as soon as there is one. A script that
    ends it with & leaves it SIGINT ignored."""
    process = subprocess.Popen(
        [str(THORP), "model", "serve", str(tiny), "--quiet", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    deadline = time.monotonic() + 30
    while not (child := _embedded(process.pid)):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.005)
    return process, child


def _embedded(parent: int) -> int:
    commands: dict[int, str] = children_of(parent)
    return next((pid for pid, command in commands.items() if "embedded.llama" in command), 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_loads_leaves_nothing_running(number: int, tiny: Path) -> None:
    process, child = start_serving(tiny)
    with process:
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert errors == ""
    wait_until_gone([child])


@pytest.mark.parametrize("is_loaded", [False, True])
def test_a_parent_that_is_killed_takes_the_model_with_it(is_loaded: bool, tiny: Path) -> None:
    process, child = start_serving(tiny)
    with process:
        assert process.stdout is not None
        if is_loaded:
            first = process.stdout.readline()
            assert first.startswith("export THORP_MODEL_URL=http://127.0.0.1:")
            assert is_running(child)
        process.kill()
    wait_until_gone([child])


def test_a_model_that_is_killed_ends_the_command_with_one_line(tiny: Path) -> None:
    process, child = start_serving(tiny)
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(child, signal.SIGKILL)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert errors == "thorp: the model tiny is gone: its process was ended by SIGKILL\n"


def test_nothing_but_the_child_imports_the_runtime() -> None:
    source = """
import sys
from typer.main import get_command
from thorp.cli.main import commands
import thorp.models.embedded.local
import thorp.cli.bots, thorp.cli.match
import thorp.integrations.choosing_agent
get_command(commands())
heavy = {"xllamacpp", "torch", "gguf", "llama_cpp"} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""
    subprocess.run([sys.executable, "-c", source], check=True, timeout=60)


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_the_overview_imports_neither_a_runtime_nor_torch(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "thorp", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert "thorp bots" in done.stdout
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "thorp.models.embedded.cache" in names
    assert {"xllamacpp", "torch", "gguf", "transformers"} & names == set()


def test_a_grammar_and_probabilities_in_one_request(tiny: Path) -> None:
    """What a choice among lettered options needs."""
    import json

    connector()
    body: dict[str, Any] = {
        "model": "tiny",
        "messages": [{"role": "user", "content": "A or B?"}],
        "max_tokens": 1,
        "temperature": 0,
        "grammar": 'root ::= "A" | "B"',
        "logprobs": True,
        "top_logprobs": 5,
    }
    with EmbeddedModel.open(weights(tiny)) as endpoint:
        answer = run(
            post_async(
                f"{endpoint.url}/chat/completions",
                json.dumps(body).encode(),
                seconds=30,
                headers={"Authorization": f"Bearer {endpoint.key}"},
            )
        )
    choice = json.loads(answer.body)["choices"][0]
    assert choice["message"]["content"] in ("A", "B")
    assert len(choice["logprobs"]["content"][0]["top_logprobs"]) == 5


def test_a_longer_context_than_a_model_was_trained_for_is_refused_before_loading(
    tmp_path: Path,
) -> None:
    model = known_model("smollm2")
    weights = Weights(model.name, tmp_path / "none.gguf", model)
    with (
        pytest.raises(InvalidError, match="at most 8192 tokens"),
        EmbeddedModel.open(weights, Settings(context_tokens=8_193)),
    ):
        pass
