"""`thorp log …` and `thorp witness`: publish what happened, and prove it to strangers.

Exit code 1 says that something does not hold or was not published; 2 that a request was refused.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from thorp.cli.commands import Commands, argument, option
from thorp.cli.options import AsJson, DataOption, data_directory
from thorp.cli.proofs import PolicyFile, TrustOptions, check_proof, exit_1, read_bounded, read_keys
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, ThorpError, UnknownError
from thorp.kernel.strict_json import read_document
from thorp.kernel.text import printable
from thorp.log import file_leaf, make_leaf, read_policy
from thorp.log.announcement import promises
from thorp.log.audit import audit
from thorp.log.directory import KEY, PUBLIC, VKEY, Log, TileReader, create, no_log, vkey_file
from thorp.log.directory import prove as find_proof
from thorp.log.merkle import leaf_hash
from thorp.log.note import COSIGNATURE, ED25519, check_name, encode_base64
from thorp.log.signer import create_key, find_keys, read_key_text
from thorp.log.signer import read_keys as read_private_keys
from thorp.log.tlog import write_proof
from thorp.log.trust import Trust
from thorp.log.verify import ProvenLeaf
from thorp.log.witness import Witness, cosign_by
from thorp.server.access.tokens import make_data_directory
from thorp.server.processes.lockfile import find_server
from thorp.store import RealDisk, write_atomic
from thorp.store.real_disk import PrivateDisk

app = Commands(help="Publish results in a signed log, and prove them to strangers.")

KeyFile = Annotated[
    Path | None, option("The private key; else $THORP_LOG_KEY, else DIR/log/key.", "FILE")
]


@app.command()
def init(
    data: DataOption = None,
    origin: Annotated[str, option("Its name, like thorp.example/league-3.", "NAME")] = "",
    rotate: Annotated[
        bool, option("Add a new key beside the old one; both sign from now on.")
    ] = False,
    retire: Annotated[bool, option("Drop all keys but the newest.")] = False,
    key_file: KeyFile = None,
) -> None:
    """Make a log with a new key, and print the key that verifies it.

    Example: thorp log init --origin thorp.example/league-3
    """
    directory = data_directory(data) / "log"
    key = directory / KEY if key_file is None else key_file
    if rotate or retire:
        print("\n".join(_rotate(directory, key, add=rotate)))
        return
    try:
        check_name(origin)
    except InvalidError as problem:
        raise InvalidError(f"--origin: {problem.message}", code="usage") from None
    # Keys without a log were left by an attempt that was interrupted; it is completed here.
    left = read_private_keys(key) if key.exists() else []
    if (directory / PUBLIC / VKEY).exists() or any(signer.vkey.name != origin for signer in left):
        raise ConflictError(
            f"{directory}: a log is here already; give another --data", code="exists"
        )
    make_data_directory(data_directory(data))
    disk = RealDisk()
    disk.make_directories(directory)
    signers = left or [create_key(key, origin)]
    create(disk, directory, [signer.vkey for signer in signers])
    print(signers[0].vkey)


def _rotate(directory: Path, key: Path, *, add: bool) -> list[str]:
    """Change the keys of a log. A leaf names a new key, so everybody sees it came from the old one.

    After an interruption the same command goes on: a key that is there already is used, not made
    again.
    """
    disk = RealDisk()
    with Log(disk, directory) as log:
        signers = read_private_keys(key)
        if not add and log.published_by and signers[-1].vkey not in log.published_by:
            raise IllegalError(
                "the newest key has not signed yet; run `thorp log checkpoint` first"
            )
        if not add:
            newest = read_key_text(key).strip("\n").split("\n")[-1]
            write_atomic(PrivateDisk(), key, f"{newest}\n".encode(), replace=True)
        elif signers[-1].vkey in log.vkeys:
            create_key(key, log.origin, keep=read_key_text(key))
        vkeys = [signer.vkey for signer in read_private_keys(key)]
        log.add([make_leaf("key", {"vkey": str(vkey)}) for vkey in vkeys if vkey not in log.vkeys])
        write_atomic(disk, directory / PUBLIC / VKEY, vkey_file(vkeys), replace=True)
    return [str(vkey) for vkey in vkeys]


@app.command()
def add(
    files: Annotated[list[Path], argument("What to publish the digests of.", "FILE…")],
    data: DataOption = None,
    as_json: AsJson = False,
) -> None:
    """Add a leaf for each file, all or none. A file that is in the log already keeps its number.

    A match is one leaf with its manifest and whatever else lies beside it.

    Example: thorp log add final.jsonl
    """
    leaves = [file_leaf(file) for file in files]
    with _open(data) as log:
        indexes = log.add(leaves)
        size = log.size
    added = [
        {"file": str(file), "index": index, "leaf": encode_base64(leaf_hash(leaf))}
        for file, index, leaf in zip(files, indexes, leaves, strict=True)
    ]
    if as_json:
        print(json.dumps({"size": size, "added": added}))
        return
    for row in added:
        print(f"{row['file']}: leaf {row['index']}, {row['leaf']}")


@app.command()
def checkpoint(
    data: DataOption = None, policy: PolicyFile = None, key_file: KeyFile = None
) -> None:
    """Publish everything added so far under a signed checkpoint, and print it.

    With a policy every witness that has a URL is asked first. If too few agree, nothing is
    published.
    """
    cosign = None if policy is None else cosign_by(read_policy(read_bounded(policy)))
    with _open(data) as log:
        signers = find_keys(data_directory(data) / "log" / KEY, key_file)
        with exit_1(ThorpError if cosign else ()):
            published = log.checkpoint(signers, cosign)
    sys.stdout.buffer.write(published)


@app.command()
def prove(
    out: Annotated[Path, option("Where to write the proof.", "P")],
    file: Annotated[Path | None, argument("A file that was added.", "FILE")] = None,
    index: Annotated[
        int | None, option("Instead of FILE: any leaf, by its number.", "N", min=0)
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the proof that a file, or any other leaf, is under the published checkpoint.

    Example: thorp log prove final.jsonl --out final.jsonl.tlog-proof
    """
    if (file is None) == (index is None):
        raise InvalidError("give the file to prove, or the --index of a leaf", code="usage")
    wanted = index if file is None else file_leaf(file)
    assert wanted is not None
    directory = data_directory(data) / "log"
    if not (directory / PUBLIC / VKEY).exists():
        raise no_log(directory)
    with exit_1(ThorpError):
        proof = find_proof(RealDisk(), directory / PUBLIC, wanted)
    write_atomic(RealDisk(), out, write_proof(proof), replace=True)
    print(
        f"{out}: leaf {proof.index}, {printable((proof.extra or b'').decode('utf-8', 'replace'))}"
    )


@app.command()
def verify(
    trust_options: TrustOptions,
    proof: Annotated[Path | None, argument("A proof file.", "P")] = None,
    file: Annotated[Path | None, argument("What it proves.", "FILE")] = None,
    batch: Annotated[
        bool, option('Read lines {"proof","file"}, answer lines {"ok":…} in order.')
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that a file is in a log whose key is trusted. Needs neither data directory nor network.

    Example: thorp log verify final.jsonl.tlog-proof final.jsonl --key log.vkey
    """
    trust = trust_options.read()
    if batch:
        for line in sys.stdin.buffer:
            print(json.dumps(_batch_answer(line, trust)), flush=True)
        return
    if proof is None or file is None:
        raise InvalidError("give a proof and the file it proves, or --batch", code="usage")
    with exit_1(as_json=as_json):
        proven = check_proof(proof, file_leaf(file), trust)
    if as_json:
        print(json.dumps({"ok": True, **_proven_document(proven)}))
    else:
        print(
            f"{file}: leaf {proven.index} of {proven.checkpoint.size} in {proven.checkpoint.origin}"
        )
        for cosignature in proven.verified:
            when = (
                ""
                if cosignature.time is None
                else time.strftime(" at %Y-%m-%dT%H:%M:%SZ", time.gmtime(cosignature.time))
            )
            print(f"signed by {cosignature.key.name}{when}")


def _batch_answer(line: bytes, trust: Trust) -> dict[str, Any]:
    try:
        match read_document(line):
            case {"proof": str(proof), "file": str(file)}:
                proven = check_proof(Path(proof), file_leaf(Path(file)), trust)
            case _:
                raise InvalidError('a line is {"proof": PATH, "file": PATH}')
    except (ThorpError, OSError) as problem:
        return {"ok": False, "error": str(problem)}
    return {"ok": True, **_proven_document(proven)}


def _proven_document(proven: ProvenLeaf) -> dict[str, Any]:
    witnesses = [
        {"name": signature.key.name, "time": signature.time}
        for signature in proven.verified
        if signature.time is not None
    ]
    size = proven.checkpoint.size
    origin = proven.checkpoint.origin
    return {"index": proven.index, "size": size, "origin": origin, "witnesses": witnesses}


@app.command(name="audit")
def audit_command(
    public: Annotated[Path, argument("What a log publishes, DIR/log/public.", "PUBLIC_DIR")],
    trust_options: TrustOptions,
    old: Annotated[
        Path | None, option("An older checkpoint that must still hold.", "CHECKPOINT")
    ] = None,
) -> None:
    """Derive a whole published log again from its entries. Exit code 1 if anything differs."""
    trust = trust_options.read()
    if not public.is_dir():
        raise UnknownError(f"{public}: no such directory; check the path", code="missing")
    with exit_1(ThorpError):
        kept = None if old is None else read_bounded(old)
        report = audit(RealDisk(), public, trust, kept)
        announced, missing, repeated = promises(
            TileReader(RealDisk(), public, report.size).all_entries()
        )
    print(
        f"{public}: {report.size} leaves of {report.origin}, every tile and the root as they "
        "should be"
    )
    if announced:
        absent = sum(map(len, missing.values()))
        print(f"{announced} matches were announced, {announced - absent} of them came")
    for problem, events in (("never came", missing), ("came more than once", repeated)):
        for event, fixtures in events.items():
            line = printable(f"{', '.join(fixtures)} (announced as {event[:16]}…)")
            print(f"{problem}: {line}")


def witness(
    port: Annotated[int, option("The port; 0 takes a free one.", min=0, max=65_535)],
    name: Annotated[str, option("The witness's name, like witness.example/w1.", "NAME")],
    log: Annotated[list[str], option("The key of a log to witness, or a file with it.", "VKEY")],
    data: DataOption = None,
) -> None:
    """Witness logs: cosign each checkpoint that only adds to the one before. Serves on 127.0.0.1.

    Example: thorp witness --port 8090 --name witness.example/w1 --log log.vkey
    """
    logs = [key for text in log for key in read_keys(text, ED25519)]
    directory = data_directory(data) / "witness"
    make_data_directory(data_directory(data))
    disk = RealDisk()
    disk.make_directories(directory)
    if not (directory / KEY).exists():
        create_key(directory / KEY, check_name(name), key_type=COSIGNATURE)
    (signer,) = read_private_keys(directory / KEY, key_type=COSIGNATURE)
    own = signer.vkey.name
    if own != name:
        raise ConflictError(
            f"{directory}: the key here is that of {own}; give that --name", code="exists"
        )
    write_atomic(disk, directory / "witness.vkey", f"{signer.vkey}\n".encode(), replace=True)
    from thorp.server.http.witness_server import (
        serve_witness,  # an HTTP server takes a while to import
    )

    keeper = Witness(disk, directory, signer, logs, time.time)
    asyncio.run(serve_witness(keeper, port, partial(print, flush=True)))


@contextmanager
def _open(data: Path | None) -> Iterator[Log]:
    directory = data_directory(data)
    try:
        log = Log(RealDisk(), directory / "log")
    except ThorpError as problem:
        server = find_server(directory) if problem.code == "locked" else None
        if server is not None:
            problem.message = (
                f"{directory}: the server at {server.url} writes this log; stop it first"
            )
        raise
    with log:
        yield log
