"""Check a published result with nothing but Python: `python verify_log.py PROOF FILE VKEY
[WITNESS_VKEY …]`.

PROOF      a .tlog-proof file (c2sp.org/tlog-proof@v1)
FILE       the result it is for; a match's sidecar files lie beside it
VKEY       the log's key, from somewhere else than PROOF and FILE; witnesses' keys may follow

Prints where and when FILE was published, exit code 0; or why this is not shown, exit code 1. It
uses the standard library only, so that a stranger can read all of what is trusted.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SIDECARS = {
    "manifest": "manifest.json",
    "observations": "observations.txt",
    "replies": "replies.jsonl",
}


class NotShown(Exception):
    """Why FILE is not shown to be in the log."""


def require(holds, why):
    if not holds:
        raise NotShown(why)


# Ed25519 (RFC 8032): points as (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z


def recover_x(y, sign):
    require(y < P, "a point is not on the curve")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    require((x * x - square) % P == 0 and (x or not sign), "a point is not on the curve")
    return P - x if x & 1 != sign else x


def decode(data):
    number = int.from_bytes(data, "little")
    y = number & (1 << 255) - 1
    x = recover_x(y, number >> 255)
    return x, y, 1, x * y % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def signed(public, signature, message):
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    base_y = 4 * pow(5, -1, P) % P
    base_x = recover_x(base_y, 0)
    left = multiply(s, (base_x, base_y, 1, base_x * base_y % P))
    right = add(decode(signature[:32]), multiply(k, decode(public)))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# Notes (C2SP signed-note), keys, and the tree (RFC 6962)


def unbase64(text):
    data = base64.b64decode(text, validate=True)
    require(base64.b64encode(data).decode() == text, "base64 has another spelling")
    return data


def read_vkey(text):
    name, key_id, coded = text.split("+", 2)
    key = unbase64(coded)
    expected = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
    require(len(key) == 33 and expected.hex() == key_id, f"the key of {name} is not sound")
    return name, expected, key[0], key[1:]


def signatures(note, key):
    """The times of a note's signatures by a key; 0 for a log's, which states none."""
    name, key_id, kind, public = key
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    for line in lines.splitlines():
        dash, signer, coded = line.split(" ")
        data = unbase64(coded)
        if (dash, signer, data[:4]) != ("\u2014", name, key_id):
            continue
        if kind == 1:
            require(signed(public, data[4:], text.encode()), f"the signature of {name} is wrong")
            yield 0
        elif kind == 4:
            time = int.from_bytes(data[4:12], "big")
            message = f"cosignature/v1\ntime {time}\n{text}".encode()
            require(signed(public, data[12:], message), f"the cosignature of {name} is wrong")
            yield time


def root_above(leaf, index, size, path):
    """The root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    require(index < size, "the index is outside the tree")
    root, last = leaf, size - 1
    for sibling in path:
        require(last > 0, "the proof is too long")
        if index & 1 or index == last:
            root = hashlib.sha256(b"\1" + sibling + root).digest()
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\1" + root + sibling).digest()
        index, last = index >> 1, last >> 1
    require(last == 0, "the proof is too short")
    return root


def leaf_of(file):
    """The leaf that a file has in a log of Thorp: canonical JSON with whole digests."""

    def digest(path):
        data = path.read_bytes()
        return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    leaf = {"format": "thorp.leaf", "kind": "file", "version": 1, **digest(file)}
    stem = file.name.removesuffix(".jsonl")
    if file.suffix == ".jsonl" and file.with_name(f"{stem}.manifest.json").exists():
        leaf["kind"] = "match"
        for name, suffix in SIDECARS.items():
            sidecar = file.with_name(f"{stem}.{suffix}")
            if sidecar.exists():
                leaf[name] = digest(sidecar)
    return json.dumps(leaf, sort_keys=True, separators=(",", ":")).encode()


def verify(proof, file, log_vkey, witness_vkeys):
    head, _, checkpoint = proof.read_text(encoding="utf-8").partition("\n\n")
    version, *lines = head.split("\n")
    require(version == "c2sp.org/tlog-proof@v1", "this is no proof file")
    leaf = leaf_of(file)
    if lines[0].startswith("extra "):
        require(unbase64(lines.pop(0)[6:]) == leaf, "the proof is for something else")
    index, path = int(lines[0].removeprefix("index ")), [unbase64(line) for line in lines[1:]]
    origin, size, root = checkpoint.split("\n")[:3]
    log = read_vkey(log_vkey)
    require(log[0] == origin and log[2] == 1, "the key is that of another log")
    require(list(signatures(checkpoint, log)), "the log has not signed this checkpoint")
    found = root_above(hashlib.sha256(b"\0" + leaf).digest(), index, int(size), path)
    require(found == unbase64(root), "the proof does not lead to the root")
    print(f"{file}: leaf {index} of {size} in {origin}")
    for text in witness_vkeys:
        witness = read_vkey(text)
        times = list(signatures(checkpoint, witness))
        require(witness[2] == 4 and times, f"{witness[0]} has not cosigned it")
        print(f"witnessed by {witness[0]} at {times[0]} (seconds since 1970)")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    try:
        verify(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].strip(), sys.argv[4:])
    except (NotShown, ValueError, IndexError, OSError) as problem:
        sys.exit(f"not shown: {problem}")
