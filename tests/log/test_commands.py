"""The commands of a log and a witness, as their users run them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.command import thorp
from tests.log.golden import GOLDEN, KEYS, LEAVES, load, log_signer
from thorp.kernel.errors import InvalidError
from thorp.log import read_policy
from thorp.log.announcement import Announcement, Fixture
from thorp.log.directory import Log, TileReader, create
from thorp.log.note import VerifiedSignature, read_note, read_vkey
from thorp.log.signer import find_keys, signers_from_text
from thorp.log.tlog import read_checkpoint, read_proof
from thorp.log.witness import Witness
from thorp.store import RealDisk

ORIGIN = "thorp.example/league"
AGENT = """
class Agent:
    def __init__(self, id):
        self.id = id
    def init(self, config):
        pass
    def act(self, observation, ctx):
        return {"type": "guess", "value": 50}
"""


def run(*arguments: object, code: int = 0, stdin: str = "") -> str:
    """A command's output; of one that fails, what it says."""
    done = thorp(*map(str, arguments), stdin=stdin)
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return (done.stdout if code == 0 else done.stderr).decode()


def ask(url: str, body: bytes | None = None) -> tuple[int, bytes]:
    """What a server answers: status and body."""
    try:
        with urllib.request.urlopen(url, body) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    run("log", "init", "--data", tmp_path / "data", "--origin", ORIGIN)
    return tmp_path / "data"


def vkey(data: Path) -> Path:
    return data / "log" / "public" / "log.vkey"


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@contextmanager
def witness(data: Path, log: Path, name: str = "witness.example/w1") -> Iterator[str]:
    """A witness in a process of its own; its address."""
    command = [sys.executable, "-m", "thorp", "witness", "--port", "0", "--data", str(data)]
    command += ["--name", name, "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGKILL)


def policy(path: Path, log: Path, address: str, data: Path, *, quorum: str = "w1") -> Path:
    key = (data / "witness" / "witness.vkey").read_text().strip()
    return write(
        path, f"log {log.read_text().strip()}\nwitness w1 {key} {address}\nquorum {quorum}\n"
    )


def test_a_file_is_published_and_proved_in_a_few_commands(tmp_path: Path, data: Path) -> None:
    file, proof = write(tmp_path / "result.txt", "north wins\n"), tmp_path / "result.tlog-proof"
    added = json.loads(run("log", "add", file, "--data", data, "--json"))
    assert added["size"] == 1
    assert added["added"][0]["index"] == 0
    assert json.loads(run("log", "add", file, "--data", data, "--json"))["size"] == 1
    assert "checkpoint" in run("log", "prove", file, "--data", data, "--out", proof, code=1)
    assert not proof.exists()
    printed = run("log", "checkpoint", "--data", data)
    assert printed.encode() == (data / "log/public/checkpoint").read_bytes()
    run("log", "prove", file, "--data", data, "--out", proof)
    assert f"leaf 0 of 1 in {ORIGIN}" in run("log", "verify", proof, file, "--key", vkey(data))
    assert json.loads(run("log", "verify", proof, file, "--key", vkey(data), "--json"))["ok"]
    run("log", "audit", data / "log/public", "--key", vkey(data))
    file.write_text("south wins\n")
    assert "something else" in run("log", "verify", proof, file, "--key", vkey(data), code=1)
    assert "not in the log" in run("log", "prove", file, "--data", data, "--out", proof, code=1)


def test_what_is_asked_wrongly_is_refused_with_2(tmp_path: Path, data: Path) -> None:
    file = write(tmp_path / "a.txt", "a")
    golden = GOLDEN / "proofs" / "file-003-of-007.txt.tlog-proof"
    text = GOLDEN / "proofs" / "file-003-of-007.txt"
    assert "already" in run("log", "init", "--data", data, "--origin", ORIGIN, code=2)
    assert "--origin" in run(
        "log", "init", "--data", tmp_path / "other", "--origin", "two words", code=2
    )
    assert not (tmp_path / "other").exists()
    assert "no such file" in run("log", "add", file, tmp_path / "none", "--data", data, code=2)
    assert json.loads(run("log", "add", file, "--data", data, "--json"))["size"] == 1
    assert "thorp log init" in run("log", "add", file, "--data", tmp_path / "empty", code=2)
    assert "--key" in run("log", "verify", golden, text, code=2)
    log, cosigner = KEYS["log"]["Vkey"], KEYS["witnesses"][0]["CosignVkey"]
    assert "type 1" in run("log", "verify", golden, text, "--key", cosigner, code=2)
    assert "type 4" in run(
        "log", "verify", golden, text, "--key", log, "--witness-key", log, code=2
    )
    assert "id" in run(
        "log", "verify", golden, text, "--key", log.replace("049068c6", "049068c7"), code=2
    )
    assert "no such directory" in run("log", "audit", tmp_path / "none", "--key", log, code=2)


def test_proofs_of_others_are_verified_in_a_batch() -> None:
    rows = load("proofs")
    lines = [
        {
            "proof": str(GOLDEN / "proofs" / row["proof"]),
            "file": str(GOLDEN / "proofs" / row["file"]),
        }
        for row in rows
    ]
    lines.append({"proof": lines[0]["proof"], "file": lines[1]["file"]})
    text = "".join(json.dumps(line) + "\n" for line in lines) + '{"proof": 1}\nnot json\n'
    answers = [
        json.loads(line)
        for line in run(
            "log", "verify", "--batch", "--key", rows[0]["key"], stdin=text
        ).splitlines()
    ]
    assert [answer["ok"] for answer in answers] == [True] * len(rows) + [False, False, False]
    assert [answer["index"] for answer in answers[: len(rows)]] == [row["index"] for row in rows]


def test_a_match_is_one_leaf_with_its_manifest(tmp_path: Path, data: Path) -> None:
    match = tmp_path / "final.jsonl"
    run("match", "run", "number-guess", "--agent", "random", "--agent", "baseline", "--out", match)
    run("log", "add", match, "--data", data)
    run("log", "checkpoint", "--data", data)
    proof = tmp_path / "final.tlog-proof"
    run("log", "prove", match, "--data", data, "--out", proof)
    leaf = json.loads(read_proof(proof.read_bytes()).extra or b"")
    manifest = (tmp_path / "final.manifest.json").read_bytes()
    assert leaf["kind"] == "match"
    assert leaf["manifest"] == {"bytes": len(manifest), "sha256": sha256(manifest).hexdigest()}
    run("match", "verify", match, "--proof", proof, "--key", vkey(data))
    (tmp_path / "final.manifest.json").write_bytes(manifest + b" ")
    run("log", "verify", proof, match, "--key", vkey(data), code=1)
    assert "proof" in run("match", "verify", match, "--proof", proof, "--key", vkey(data), code=1)


def test_a_match_is_announced_before_its_first_move(tmp_path: Path, data: Path) -> None:
    game = ("number-guess", "--agent", "random", "--agent", "baseline", "--log", "--data", data)
    assert "--out" in run("match", "run", *game, code=2)
    run("match", "run", *game, "--out", tmp_path / "final.jsonl")
    told = run("log", "audit", data / "log/public", "--key", vkey(data))
    assert "1 matches were announced, 1 of them came" in told
    assert "never came" not in told
    opening, match, closing = map(json.loads, entries(data))
    assert (opening["kind"], match["kind"], closing["kind"]) == ("opening", "match", "closing")
    assert opening["event"] == closing["event"]
    assert "seed" not in json.dumps(opening)
    proof = tmp_path / "closing.tlog-proof"
    run("log", "prove", "--index", 2, "--data", data, "--out", proof)
    verify = ("match", "verify", tmp_path / "final.jsonl", "--proof", proof, "--key", vkey(data))
    assert f"announced before the first move as {opening['event'][:16]}" in run(*verify)
    run("match", "run", *game[:5], "--seed", 2, "--out", tmp_path / "other.jsonl")
    assert "something else" in run(*verify[:2], tmp_path / "other.jsonl", *verify[3:], code=1)


def test_a_match_with_another_seed_is_not_the_announced_one(tmp_path: Path, data: Path) -> None:
    """An operator announces one seed, plays another, and closes the announcement with that."""
    match, proof = tmp_path / "final.jsonl", tmp_path / "proof"
    run("match", "run", "number-guess", "--agent", "random", "--agent", "baseline", "--out", match)
    with Log(RealDisk(), data / "log") as log:
        announcement = Announcement(log, find_keys(data / "log/key", None), {"seed": 7})
        announcement.open([Fixture("final", ("random", "baseline"))], {})
        announcement.close_match("final", match)
    run("log", "prove", "--index", 2, "--data", data, "--out", proof)
    wrong = run("match", "verify", match, "--proof", proof, "--key", vkey(data), code=1)
    assert "not the one that was announced" in wrong


def test_a_tournament_that_never_came_is_listed(tmp_path: Path, data: Path) -> None:
    """An operator who plays until he likes the result leaves a trace."""
    agent = write(tmp_path / "agent.py", AGENT)
    field = (
        "number-guess",
        "--agent",
        "random",
        "--agent",
        f"me={agent}:Agent",
        "--log",
        "--data",
        data,
    )
    run("tournament", "run", *field, "--seed", "1", "--out", tmp_path / "first", "--quiet")
    kept = (tmp_path / "first/manifest.json").read_bytes()
    proof = tmp_path / "proof"
    run("log", "prove", "--index", len(entries(data)) - 1, "--data", data, "--out", proof)
    trusted = ("--proof", proof, "--key", vkey(data))
    told = run("tournament", "verify", tmp_path / "first", *trusted)
    assert "2 announced before the first move" in told
    assert "none missing" in told
    size = len(entries(data))
    run("tournament", "run", *field, "--seed", "1", "--out", tmp_path / "first", "--quiet")
    assert len(entries(data)) == size  # the same again announces nothing new
    agent.write_text(AGENT + "    def act(self, observation, ctx):\n        raise SystemExit(9)\n")
    run("tournament", "run", *field, "--seed", "2", "--out", tmp_path / "other", "--quiet")
    with Log(RealDisk(), data / "log") as log:  # one that was announced, and then kept back
        announcement = Announcement(
            log, find_keys(data / "log/key", None), {"scenario": "x", "seed": 3}
        )
        announcement.open([Fixture(f"r1-{each}", ("a", "b")) for each in "1234"], {})
        announcement.close_tournament(
            tip="0" * 64, standings=b"", logs={"r1-1": "a", "r1-3": "b", "x": "c"}
        )
        announcement.close_tournament(tip="0" * 64, standings=b"", logs={"r1-3": "d"})
    told = run("log", "audit", data / "log/public", "--key", vkey(data))
    assert "8 matches were announced, 6 of them came" in told
    assert "never came: r1-2, r1-4" in told
    assert "came more than once: r1-3" in told
    wrong = run("tournament", "verify", tmp_path / "other", *trusted, "--tip", "0" * 64, code=1)
    assert "it proves the tip" in wrong
    (tmp_path / "first/manifest.json").write_bytes(kept.replace(b'"seed":1', b'"seed":9'))
    run("tournament", "verify", tmp_path / "first", *trusted, code=1)


def entries(data: Path) -> list[bytes]:
    public = data / "log/public"
    size = read_checkpoint(read_note((public / "checkpoint").read_bytes()).text).size
    return list(TileReader(RealDisk(), public, size).all_entries())


def test_a_new_key_is_named_by_the_old_one(tmp_path: Path, data: Path) -> None:
    old = write(tmp_path / "old.vkey", vkey(data).read_text())
    run("log", "checkpoint", "--data", data)
    both = run("log", "init", "--data", data, "--rotate").splitlines()
    assert len(both) == 2
    assert both[0] == old.read_text().strip()
    assert "checkpoint" in run(
        "log", "init", "--data", data, "--retire", code=2
    )  # it has not signed yet
    vkey(data).write_text(old.read_text())  # as if cut off: doing it again makes no third key
    assert run("log", "init", "--data", data, "--rotate").splitlines() == both
    run("log", "checkpoint", "--data", data)
    for key in both:
        run("log", "audit", data / "log/public", "--key", key)
    entries = (data / "log/public/tile/entries/000.p/1").read_bytes()
    assert both[1].encode() in entries
    assert run("log", "init", "--data", data, "--retire").splitlines() == [both[1]]
    run("log", "checkpoint", "--data", data)
    run("log", "audit", data / "log/public", "--key", both[1])
    run("log", "audit", data / "log/public", "--key", old, code=1)


def test_a_log_whose_making_was_cut_off_is_made_again(tmp_path: Path, data: Path) -> None:
    made = vkey(data).read_text()
    vkey(data).unlink()
    assert "already" in run(
        "log", "init", "--data", data, "--origin", "thorp.example/other", code=2
    )
    assert run("log", "init", "--data", data, "--origin", ORIGIN) == made
    assert vkey(data).read_text() == made


def test_a_key_may_be_kept_elsewhere(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    made = run("log", "init", "--data", data, "--origin", ORIGIN, "--key-file", key)
    assert not (data / "log/key").exists()
    assert "there is no key" in run("log", "checkpoint", "--data", data, code=2)
    assert f"— {ORIGIN} " in run("log", "checkpoint", "--data", data, "--key-file", key)
    both = run("log", "init", "--data", data, "--rotate", "--key-file", key)
    assert both.startswith(made)
    run("log", "checkpoint", "--data", data, "--key-file", key)
    run("log", "audit", data / "log/public", "--key", both.splitlines()[1])


def test_no_command_shows_the_key(data: Path) -> None:
    secret = (data / "log/key").read_text().split("+", 4)[-1].strip()
    for command in (
        ["config", "show"],
        ["doctor"],
        ["log", "add", data / "log/key"],
        ["log", "checkpoint"],
        ["story", "beat", "Good morning."],
        ["story", "export"],
    ):
        done = thorp(*command, "--data", data)
        assert secret.encode() not in done.stdout + done.stderr
    public = [path for path in (data / "log/public").rglob("*") if path.is_file()]
    assert public
    assert not any(secret.encode() in path.read_bytes() for path in public)


# Witnesses


def test_witness_conversations_are_those_of_the_specification(tmp_path: Path) -> None:
    told = load("witness")
    signer = signers_from_text(KEYS["witnesses"][0]["Skey"], key_type=4)[0]
    keeper = Witness(
        RealDisk(), tmp_path, signer, [read_vkey(told["log"])], lambda: 1_800_000_000.5
    )
    for step in told["steps"]:
        answer = keeper.add(step["request"].encode())
        assert answer.status == step["status"], step["why"]
        if step["status"] == 409:
            assert (answer.body, answer.content_type) == (step["answer"], "text/x.tlog.size")
        if step["status"] == 200:
            assert answer.body.startswith(f"— {signer.vkey.name} ")
    assert keeper.last(told["origin_sha256"]) is not None
    assert keeper.last("0" * 64) is None


def test_a_checkpoint_is_cosigned_before_it_is_published(tmp_path: Path, data: Path) -> None:
    other = tmp_path / "witness-data"
    file, proof = write(tmp_path / "a.txt", "a"), tmp_path / "p"
    run("log", "add", file, "--data", data)
    with witness(other, vkey(data)) as address:
        rules = policy(tmp_path / "policy", vkey(data), address, other)
        published = run("log", "checkpoint", "--data", data, "--policy", rules)
        assert "— witness.example/w1 " in published
        kept = ask(f"{address}/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint")
        assert kept == (200, published.encode())
        run("log", "add", write(tmp_path / "b.txt", "b"), "--data", data)
        run("log", "checkpoint", "--data", data, "--policy", rules)
        assert ask(f"{address}/{'0' * 64}/checkpoint")[0] == 404
    run("log", "prove", file, "--data", data, "--out", proof)
    witnessed = run("log", "verify", proof, file, "--policy", rules)
    assert re.search(r"signed by witness.example/w1 at 20\d\d-", witnessed)
    run(
        "log",
        "verify",
        proof,
        file,
        "--key",
        vkey(data),
        "--witness-key",
        other / "witness/witness.vkey",
    )
    before = (data / "log/public/checkpoint").read_bytes()
    run("log", "add", write(tmp_path / "c.txt", "c"), "--data", data)
    assert "nothing is published" in run(
        "log", "checkpoint", "--data", data, "--policy", rules, code=1
    )
    assert (data / "log/public/checkpoint").read_bytes() == before


def test_a_witness_does_not_follow_a_log_back(tmp_path: Path, data: Path) -> None:
    """A copy of the log with its key goes on from an earlier state: the witness knows better."""
    other = tmp_path / "witness-data"
    run("log", "add", write(tmp_path / "a.txt", "a"), "--data", data)
    subprocess.run(["cp", "-r", data, tmp_path / "copy"], check=True)
    with witness(other, vkey(data)) as address:
        rules = policy(tmp_path / "policy", vkey(data), address, other)
        run("log", "add", write(tmp_path / "b.txt", "b"), "--data", data)
        run("log", "checkpoint", "--data", data, "--policy", rules)
        run("log", "add", write(tmp_path / "c.txt", "c"), "--data", tmp_path / "copy")
        told = run("log", "checkpoint", "--data", tmp_path / "copy", "--policy", rules, code=1)
        assert "422" in told
    with witness(other, vkey(data)) as address:  # after a kill it still knows
        rules = policy(tmp_path / "policy", vkey(data), address, other)
        run("log", "checkpoint", "--data", tmp_path / "copy", "--policy", rules, code=1)
    assert not (tmp_path / "copy/log/public/checkpoint").exists()


def test_of_many_requests_at_once_one_is_first(tmp_path: Path) -> None:
    """Forty views of one size are sent at once; the witness cosigns exactly one of them."""
    signer, other = log_signer(), tmp_path / "witness-data"
    key = write(tmp_path / "log.vkey", str(signer.vkey))
    requests = []
    for number in range(40):
        directory = tmp_path / f"log{number}"
        create(RealDisk(), directory, [signer.vkey])
        with Log(RealDisk(), directory) as log:
            log.add(LEAVES[number : number + 3])
            requests.append(b"old 0\n\n" + log.checkpoint([signer]))

    with witness(other, key) as address, ThreadPoolExecutor(8) as pool:
        statuses = sorted(
            pool.map(lambda body: ask(f"{address}/add-checkpoint", body)[0], requests)
        )
    assert statuses == [200] + [409] * 39


def test_hostile_requests_are_refused_by_a_witness(tmp_path: Path) -> None:
    key = write(tmp_path / "log.vkey", KEYS["log"]["Vkey"])
    with witness(tmp_path / "w", key) as address:
        for body in (b"", b"old 0", b"\xff" * 100, b"old 0\n\n" + b"x" * 200_000, os.urandom(1000)):
            assert ask(f"{address}/add-checkpoint", body)[0] == 400


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum none\nquorum none\n",
        "quorum w1\n",
        "log nonsense\nquorum none\n",
        f"log {KEYS['log']['CosignVkey']}\nquorum none\n",
        f"witness w1 {KEYS['log']['Vkey']}\nquorum w1\n",
        f"log {KEYS['log']['Vkey']}\nlog {KEYS['log']['Vkey']}\nquorum none\n",
        f"witness w1 {KEYS['witnesses'][0]['CosignVkey']}\ngroup g 2 w1\nquorum g\n",
        f"witness w1 {KEYS['witnesses'][0]['CosignVkey']}\ngroup g any\nquorum g\n",
        f"witness none {KEYS['witnesses'][0]['CosignVkey']}\nquorum none\n",
        f"witness w1 {KEYS['witnesses'][0]['CosignVkey']}\ngroup g 0 w1\nquorum g\n",
        "mirror x\nquorum none\n",
        "\udcff",
    ],
)
def test_a_wrong_policy_is_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="policy"):
        read_policy(text.encode("utf-8", "surrogateescape"))


def test_nothing_is_published_under_a_wrong_policy(tmp_path: Path, data: Path) -> None:
    rules = write(tmp_path / "policy", "quorum w1")
    assert "line 1 of the policy" in run(
        "log", "checkpoint", "--data", data, "--policy", rules, code=2
    )
    assert not (data / "log/public/checkpoint").exists()


def test_quorums_of_groups() -> None:
    keys = [read_vkey(each["CosignVkey"]) for each in KEYS["witnesses"]][:2]
    lines = [f"witness w{number} {key}" for number, key in enumerate(keys)]
    for rule, needed in (("any", 1), ("all", 2), ("1", 1), ("2", 2)):
        rules = read_policy("\n".join([*lines, f"group g {rule} w0 w1", "quorum g"]).encode())
        for count in range(3):
            assert rules.is_met([VerifiedSignature(key, 1) for key in keys[:count]]) == (
                count >= needed
            )


def test_a_stranger_needs_nothing_of_thorp(tmp_path: Path) -> None:
    program = Path(__file__).parents[2] / "examples" / "verify_log.py"
    assert len(program.read_text().splitlines()) <= 200

    def check(proof: Path, file: Path, *keys: str) -> int:
        command = [sys.executable, "-I", "-S", str(program), str(proof), str(file), *keys]
        return subprocess.run(command, capture_output=True, timeout=60).returncode

    for row in load("proofs"):
        proof, file = GOLDEN / "proofs" / row["proof"], GOLDEN / "proofs" / row["file"]
        keys = [row["key"], row["witness_key"]] if row["cosigned"] else [row["key"]]
        assert check(proof, file, *keys) == 0
        assert check(proof, file, KEYS["log_next"]["Vkey"]) == 1
        other = write(tmp_path / file.name, file.read_text() + " ")
        assert check(proof, other, *keys) == 1
        if not row["cosigned"]:
            assert check(proof, file, *keys, row["witness_key"]) == 1
