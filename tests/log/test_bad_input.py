"""Forged, stale, split and damaged logs, hostile witnesses and policies, a full disk, two writers.

Each is refused with a sentence of its own and exit code 1 or 2, and nothing is published.
"""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import thorp
from tests.log.golden import GOLDEN, KEYS, LEAVES, log_signer, next_signer, node
from tests.log.test_commands import write
from thorp.kernel.errors import IllegalError, ThorpError
from thorp.log import Policy, Witness, read_policy
from thorp.log import witness as witness_client
from thorp.log.directory import CHECKPOINT, PUBLIC, Log, create
from thorp.log.merkle import root_of
from thorp.log.note import Note, VerifiedSignature, read_vkey
from thorp.log.signer import Signer, signers_from_text
from thorp.log.tlog import Checkpoint, read_submission
from thorp.log.witness import NoQuorum, cosign_by
from thorp.store import RealDisk
from thorp.store.testing import BreakableDisk

SIGNER = log_signer()
DISK = RealDisk()
SIZE = 7


def signed(size: int, root: bytes, signer: Signer = SIGNER) -> bytes:
    checkpoint = str(Checkpoint(SIGNER.vkey.name, size, root))
    return str(Note(checkpoint, (signer.sign(checkpoint),))).encode()


@pytest.fixture
def public(tmp_path: Path) -> Path:
    create(DISK, tmp_path / "log", [SIGNER.vkey])
    with Log(DISK, tmp_path / "log") as log:
        log.add(LEAVES[:SIZE])
        log.checkpoint([SIGNER])
    return tmp_path / "log" / PUBLIC


# Logs


def forge(public: Path) -> None:
    text = str(Checkpoint(SIGNER.vkey.name, SIZE, root_of(node, SIZE)))
    line = next_signer().sign(text)._replace(key_id=SIGNER.vkey.id)
    (public / CHECKPOINT).write_bytes(str(Note(text, (line,))).encode())


def sign_as_another(public: Path) -> None:
    (public / CHECKPOINT).write_bytes(signed(SIZE, root_of(node, SIZE), next_signer()))


def rename(public: Path) -> None:
    text = str(Checkpoint("thorp.example/other", SIZE, root_of(node, SIZE)))
    (public / CHECKPOINT).write_bytes(str(Note(text, (SIGNER.sign(text),))).encode())


def cut_short(public: Path) -> None:
    bundle = public / f"tile/entries/000.p/{SIZE}"
    bundle.write_bytes(bundle.read_bytes()[:-3])


def drop_an_entry(public: Path) -> None:
    bundle = public / f"tile/entries/000.p/{SIZE}"
    bundle.write_bytes(bundle.read_bytes()[: -2 - len(LEAVES[SIZE - 1])])


def reorder(public: Path) -> None:
    """Entries and hashes alike, so that only the root tells."""
    tile, bundle = public / f"tile/0/000.p/{SIZE}", public / f"tile/entries/000.p/{SIZE}"
    hashes, sizes = tile.read_bytes(), [2 + len(leaf) for leaf in LEAVES[:2]]
    tile.write_bytes(hashes[32:64] + hashes[:32] + hashes[64:])
    entries = bundle.read_bytes()
    first, second, rest = entries[: sizes[0]], entries[sizes[0] : sum(sizes)], entries[sum(sizes) :]
    bundle.write_bytes(second + first + rest)


def remove_a_tile(public: Path) -> None:
    (public / f"tile/0/000.p/{SIZE}").unlink()


def swell_a_tile(public: Path) -> None:
    with (public / f"tile/0/000.p/{SIZE}").open("r+b") as file:
        file.truncate(1 << 40)


def remove_the_checkpoint(public: Path) -> None:
    (public / CHECKPOINT).unlink()


DAMAGES: dict[Callable[[Path], None], str] = {
    forge: "does not verify",
    sign_as_another: "no signature of a trusted key",
    rename: "no trusted log has signed this checkpoint of its own",
    cut_short: "cut short",
    drop_an_entry: "it has 6 entries, not 7",
    reorder: "its root is not that of the entries",
    remove_a_tile: "000.p/7: no such file",
    swell_a_tile: "where 8192 are the most",
    remove_the_checkpoint: "checkpoint: no such file",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_log_is_told_from_a_sound_one(
    public: Path, damage: Callable[[Path], None]
) -> None:
    audit = ("log", "audit", public, "--key", str(SIGNER.vkey))
    assert thorp(*audit).returncode == 0
    damage(public)
    done = thorp(*audit)
    assert (done.returncode, DAMAGES[damage] in done.stderr.decode()) == (1, True), done.stderr


OLD = {
    "stale": (signed(SIZE + 1, root_of(node, SIZE + 1)), "rolled back: it had 8 leaves, and has 7"),
    "split": (signed(SIZE, root_of(node, 3)), "split: two trees of 7 leaves"),
    "changed": (signed(3, root_of(node, 2)), "its first 3 leaves are not the old ones"),
    "forged": (signed(3, root_of(node, 3), next_signer()), "no signature of a trusted key"),
    "no checkpoint": (b"nonsense", "a note is a text"),
}


@pytest.mark.parametrize("case", OLD)
def test_a_log_is_held_against_what_was_seen_before(
    tmp_path: Path, public: Path, case: str
) -> None:
    old, told = OLD[case]
    (tmp_path / "old").write_bytes(old)
    done = thorp("log", "audit", public, "--key", str(SIGNER.vkey), "--old", tmp_path / "old")
    assert (done.returncode, told in done.stderr.decode()) == (1, True), done.stderr


def test_entries_of_other_tools_are_audited_too(tmp_path: Path) -> None:
    create(DISK, tmp_path / "log", [SIGNER.vkey])
    with Log(DISK, tmp_path / "log") as log:
        log.add([b'"text"', b"[1]", b'{"kind":["opening"]}', b"12"])
        log.checkpoint([SIGNER])
    public = tmp_path / "log" / PUBLIC
    bundle = public / "tile/entries/000.p/4"
    assert thorp("log", "audit", public, "--key", str(SIGNER.vkey)).returncode == 0
    assert b"text" in bundle.read_bytes()


# Keys


@pytest.mark.parametrize(
    "key",
    [
        KEYS["witnesses"][0]["CosignVkey"],
        KEYS["log"]["Skey"],
        KEYS["log"]["Vkey"].replace("+AQ", "+Ag"),
        KEYS["log"]["Vkey"][:-4],
        "nothing+like+a-key",
    ],
)
def test_a_key_of_the_wrong_type_is_refused(key: str) -> None:
    name = GOLDEN / "proofs" / "file-003-of-007.txt"
    done = thorp("log", "verify", f"{name}.tlog-proof", name, "--key", key)
    assert done.returncode == 2
    assert b"key" in done.stderr
    assert KEYS["log"]["Skey"][-20:].encode() not in done.stderr


def test_no_output_holds_the_key_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THORP_LOG_KEY", KEYS["log"]["Skey"])
    shown = thorp("config", "show", "--data", tmp_path)
    assert shown.returncode == 0
    assert b"THORP_LOG_KEY" in shown.stdout
    assert KEYS["log"]["Skey"][-20:].encode() not in shown.stdout + shown.stderr


# Witnesses

COSIGNER = signers_from_text(KEYS["witnesses"][0]["Skey"], key_type=4)[0]
OTHER = signers_from_text(KEYS["witnesses"][1]["Skey"], key_type=4)[0]
Handler = http.server.BaseHTTPRequestHandler


@contextmanager
def answering(answer: Callable[[Handler, bytes], None]) -> Iterator[str]:
    """A server that does whatever it likes with a request; its address."""

    class Hostile(Handler):
        def do_POST(self) -> None:
            answer(self, self.rfile.read(int(self.headers["Content-Length"])))

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def reply(status: int, body: str, **headers: str) -> Callable[[Handler, bytes], None]:
    def answer(handler: Handler, _body: bytes) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


def cosigned(
    signer: Signer, change: Callable[[str], str] = str
) -> Callable[[Handler, bytes], None]:
    def answer(handler: Handler, body: bytes) -> None:
        text = read_submission(body).checkpoint.decode().rpartition("\n\n")[0] + "\n"
        reply(200, str(signer.cosign(change(text), 1)))(handler, body)

    return answer


def dribble(handler: Handler, _body: bytes) -> None:
    """Always on time with the next byte, and never done."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        try:
            handler.wfile.write(b"x")
        except OSError:
            return
        time.sleep(0.1)


HOSTILE: dict[str, tuple[Callable[[Handler, bytes], None], str]] = {
    "garbage": (reply(200, "\x00\ufffd nonsense\n"), "a signature line is"),
    "nothing": (reply(200, ""), "no line of its key"),
    "another key": (cosigned(OTHER), "no line of its key"),
    "another text": (
        cosigned(COSIGNER, lambda text: text.replace("\n7\n", "\n8\n")),
        "does not verify",
    ),
    "a larger size": (reply(409, "99999999\n"), "rolled back or split"),
    "no size": (reply(409, "-1\n"), "decimal"),
    "always another size": (reply(409, "3\n"), "it answers 409"),
    "elsewhere": (reply(302, "", Location="http://127.0.0.1:1/"), "it answers 302"),
    "refusal": (reply(403, "who are you\x1b[2J"), "it answers 403"),
    "endless": (reply(200, "— " + "x" * 10_000_000), "signature line"),
    "slow": (dribble, "did not answer within"),
}


def policy_with(*urls: str, quorum: str = "g") -> Policy:
    keys = [COSIGNER.vkey, OTHER.vkey]
    lines = [f"witness w{number} {keys[number]} {url}" for number, url in enumerate(urls)]
    members = " ".join(f"w{number}" for number in range(len(urls)))
    return read_policy("\n".join([*lines, f"group g any {members}", f"quorum {quorum}"]).encode())


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_witness_publishes_nothing(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, told = HOSTILE[case]
    monkeypatch.setattr(witness_client, "PATIENCE_SECONDS", 1.0)
    create(DISK, tmp_path, [SIGNER.vkey])
    with answering(answer) as url, Log(DISK, tmp_path) as log:
        log.add(LEAVES[:SIZE])
        with pytest.raises(NoQuorum, match=told):
            log.checkpoint([SIGNER], cosign_by(policy_with(url)))
        assert not (tmp_path / PUBLIC / CHECKPOINT).exists()
        honest = Witness(DISK, tmp_path / "witness", OTHER, [SIGNER.vkey], lambda: 1.0)

        def tell(handler: Handler, body: bytes) -> None:
            reply(200, honest.add(body).body)(handler, body)

        with answering(tell) as other:  # one hostile witness cannot hold up the others
            published = log.checkpoint([SIGNER], cosign_by(policy_with(url, other)))
    assert OTHER.vkey.name.encode() in published
    assert COSIGNER.vkey.name.encode() not in published


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/", "file:///etc/passwd", "http://[::1", "http://\u2028/", "x"]
)
def test_a_witness_at_no_address_is_absent(tmp_path: Path, url: str) -> None:
    create(DISK, tmp_path, [SIGNER.vkey])
    with Log(DISK, tmp_path) as log, pytest.raises((NoQuorum, ThorpError)):
        log.checkpoint([SIGNER], cosign_by(policy_with(url)))
    assert not (tmp_path / PUBLIC / CHECKPOINT).exists()


def test_a_policy_of_nested_groups_is_judged_at_once() -> None:
    """Each group names all before it: whoever follows the names needs 2**200 steps."""
    lines, names = [f"witness w {COSIGNER.vkey}"], ["w"]
    for number in range(200):
        lines.append(f"group g{number} all {' '.join(names)}")
        names.append(f"g{number}")
    for number in range(200, 3_000):  # and this deep, whoever follows them by recursion
        lines.append(f"group g{number} any g{number - 1}")
    policy = read_policy("\n".join([*lines, "quorum g2999"]).encode())
    assert policy.is_met([VerifiedSignature(COSIGNER.vkey, 1)])
    assert not policy.is_met([VerifiedSignature(OTHER.vkey, 1)])


def test_a_policy_has_not_too_many_witnesses() -> None:
    keys = [
        Signer(f"w.example/{number}", number.to_bytes(32, "big"), key_type=4).vkey
        for number in range(65)
    ]
    lines = [f"witness w{number} {key}" for number, key in enumerate(keys)]
    read_policy("\n".join([*lines[:64], "quorum none"]).encode())
    with pytest.raises(ThorpError, match="at most 64 witnesses"):
        read_policy("\n".join([*lines, "quorum none"]).encode())


# Disks and writers


def test_a_witness_holds_its_directory_alone(tmp_path: Path) -> None:
    key = write(tmp_path / "log.vkey", KEYS["log"]["Vkey"])
    holder = Witness(
        DISK, tmp_path / "witness", COSIGNER, [read_vkey(KEYS["log"]["Vkey"])], time.time
    )
    with pytest.raises(IllegalError, match="another process"):
        Witness(DISK, tmp_path / "witness", COSIGNER, [], time.time)
    done = thorp(
        "witness", "--port", "0", "--data", tmp_path, "--name", "w.example/1", "--log", key
    )
    assert (done.returncode, b"another process" in done.stderr) == (2, True)
    holder.close()
    Witness(DISK, tmp_path / "witness", COSIGNER, [], time.time).close()


def test_a_witness_with_a_full_disk_cosigns_nothing() -> None:
    disk, path = BreakableDisk(1), Path("/breakable/witness")
    keeper = Witness(disk, path, COSIGNER, [SIGNER.vkey], lambda: 1.0)
    first = b"old 0\n\n" + signed(3, root_of(node, 3))
    disk.fail_in(1)
    with pytest.raises(ThorpError):
        keeper.add(first)
    disk.restart()
    again = Witness(disk, path, COSIGNER, [SIGNER.vkey], lambda: 1.0)
    assert (
        again.add(b"old 0\n\n" + signed(3, root_of(node, 2))).status == 200
    )  # it has promised nothing yet
    assert again.add(first).status == 409


def test_a_full_disk_has_its_sentence(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: what is written beyond it fails."""
    data = tmp_path / "data"
    assert thorp("log", "init", "--data", data, "--origin", "thorp.example/full").returncode == 0
    files = [write(tmp_path / f"{number}.txt", str(number)) for number in range(40)]
    assert thorp("log", "add", *files, "--data", data).returncode == 0
    command = f"ulimit -f 2; exec {sys.executable} -m thorp log checkpoint --data {data}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60)
    assert done.returncode == 2
    assert b"could not write" in done.stderr
    assert b"Traceback" not in done.stderr
    assert not (data / "log/public/checkpoint").exists()
    assert thorp("log", "checkpoint", "--data", data).stdout.startswith(b"thorp.example/full\n40\n")


def test_an_empty_log_has_a_checkpoint(tmp_path: Path) -> None:
    assert (
        thorp("log", "init", "--data", tmp_path, "--origin", "thorp.example/empty").returncode == 0
    )
    published = thorp("log", "checkpoint", "--data", tmp_path).stdout
    assert published.startswith(
        b"thorp.example/empty\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    )
    public = tmp_path / "log/public"
    assert thorp("log", "audit", public, "--key", public / "log.vkey").returncode == 0
