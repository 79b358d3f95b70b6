"""Trees, tiles, notes and proofs are those of other implementations, to the byte."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.log.golden import GOLDEN, HASHES, KEYS, decoded, load, log_signer, node
from thorp.kernel.errors import InvalidError, LimitError
from thorp.log import ed25519
from thorp.log.merkle import (
    Frontier,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    root_of,
)
from thorp.log.note import (
    MAX_SIGNATURES,
    NoteError,
    decode_base64,
    read_note,
    read_private_key,
    read_vkey,
    verify_note,
)
from thorp.log.tlog import (
    MAX_ENTRY_BYTES,
    pack_entries,
    read_checkpoint,
    read_proof,
    read_submission,
    tile_path,
    unpack_entries,
    write_proof,
)
from thorp.log.trust import Trust
from thorp.log.verify import verify_proof

ORDER = 2**252 + 27742317777372353535851937790883648493
sizes = st.integers(1, len(HASHES))


@pytest.mark.parametrize("row", load("roots"), ids=lambda row: f"size-{row['size']}")
def test_roots_are_those_of_others(row: dict) -> None:
    frontier = Frontier()
    for each in HASHES[: row["size"]]:
        frontier.append(each)
    assert frontier.root() == root_of(node, row["size"]) == b64decode(row["root"])


@pytest.mark.parametrize(
    "row", load("inclusion"), ids=lambda row: f"{row['index']}-of-{row['size']}"
)
def test_inclusion_proofs_are_those_of_others(row: dict) -> None:
    proof = decoded(row["proof"])
    assert inclusion_proof(node, row["index"], row["size"]) == proof
    assert is_included(
        b64decode(row["leaf_hash"]), row["index"], row["size"], proof, b64decode(row["root"])
    )


@pytest.mark.parametrize(
    "row", load("consistency"), ids=lambda row: f"{row['old']}-to-{row['new']}"
)
def test_consistency_proofs_are_those_of_others(row: dict) -> None:
    proof = decoded(row["proof"])
    assert consistency_proof(node, row["old"], row["new"]) == proof
    assert is_consistent(
        row["old"], b64decode(row["old_root"]), row["new"], b64decode(row["new_root"]), proof
    )


@given(sizes, st.data())
def test_an_inclusion_proof_holds_for_its_leaf_and_no_other(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size - 1))
    proof, root = inclusion_proof(node, index, size), root_of(node, size)
    assert is_included(HASHES[index], index, size, proof, root)
    assert is_included(HASHES[index], other, size, proof, root) == (index == other)
    assert is_included(HASHES[other], index, size, proof, root) == (index == other)
    assert not is_included(HASHES[index], index, size, [*proof, root], root)
    assert not is_included(HASHES[index], index + size, size, proof, root)
    for at in range(len(proof)):
        assert not is_included(HASHES[index], index, size, proof[:at] + proof[at + 1 :], root)
        assert not is_included(
            HASHES[index], index, size, [*proof[:at], leaf_hash(b""), *proof[at + 1 :]], root
        )


@given(sizes, sizes)
def test_a_consistency_proof_holds_for_its_sizes_only(one: int, other: int) -> None:
    old, new = sorted((one, other))
    proof, old_root, new_root = (
        consistency_proof(node, old, new),
        root_of(node, old),
        root_of(node, new),
    )
    assert is_consistent(old, old_root, new, new_root, proof)
    assert not is_consistent(old, old_root, new, new_root, [*proof, new_root])
    assert not is_consistent(new + 1, old_root, new, new_root, proof)
    assert is_consistent(old, new_root, new, old_root, proof) == (old == new)
    for at in range(len(proof)):
        assert not is_consistent(old, old_root, new, new_root, proof[:at] + proof[at + 1 :])


@pytest.mark.parametrize("row", load("tile_paths"), ids=lambda row: row["path"])
def test_tile_paths(row: dict) -> None:
    assert tile_path(row["level"], row["index"], row["width"]) == row["path"]


@given(st.lists(st.binary(max_size=40)))
def test_entries_come_back_out_of_their_bundle(entries: list[bytes]) -> None:
    assert unpack_entries(pack_entries(entries)) == entries


def test_an_entry_has_its_limit_and_a_bundle_its_end() -> None:
    assert unpack_entries(pack_entries([b"x" * MAX_ENTRY_BYTES])) == [b"x" * MAX_ENTRY_BYTES]
    with pytest.raises(LimitError):
        pack_entries([b"x" * (MAX_ENTRY_BYTES + 1)])
    with pytest.raises(Exception, match="cut short"):
        unpack_entries(pack_entries([b"abc"])[:-1])


@pytest.mark.parametrize("row", load("notes"), ids=lambda row: row["why"])
def test_notes_are_taken_or_refused(row: dict) -> None:
    def take() -> bytes:
        note = read_note(b64decode(row["note_base64"]))
        read_checkpoint(note.text)
        verify_note(note, map(read_vkey, row["keys"]))
        return str(note).encode()

    if row["accept"]:
        assert take() == b64decode(row["note_base64"])
    else:
        with pytest.raises(InvalidError):
            take()


def test_a_note_has_at_most_so_many_signatures() -> None:
    text = "origin\n1\n" + "A" * 43 + "=\n"
    line = str(log_signer().sign(text))
    assert read_note(f"{text}\n{line * MAX_SIGNATURES}".encode())
    with pytest.raises(LimitError):
        read_note(f"{text}\n{line * (MAX_SIGNATURES + 1)}".encode())


@pytest.mark.parametrize("text", ["AAB=", "AB==", "AA", "A A=", "AAA=\n", "!!!!"])
def test_base64_has_one_spelling(text: str) -> None:
    with pytest.raises(NoteError):
        decode_base64(text)


@pytest.mark.parametrize(
    "key", [KEYS["log"], KEYS["log_next"], *KEYS["witnesses"]], ids=lambda key: key["Name"]
)
def test_keys_are_written_and_read_as_others_do(key: dict) -> None:
    assert str(read_vkey(key["Vkey"])) == key["Vkey"]
    assert str(read_vkey(key["CosignVkey"])) == key["CosignVkey"]
    assert read_private_key(key["Skey"])[2].hex() == key["SeedHex"]


@pytest.mark.parametrize(
    "change", [("049068c6", "049068c7"), ("+AQm", "+AgM"), ("public+", "pub lic+")]
)
def test_a_changed_key_is_refused(change: tuple[str, str]) -> None:
    with pytest.raises(NoteError):
        read_vkey(KEYS["log"]["Vkey"].replace(*change))


@pytest.mark.parametrize("row", load("checkpoints"), ids=lambda row: f"size-{row['size']}")
def test_checkpoints_and_cosignatures_are_signed_as_others_do(row: dict) -> None:
    from thorp.log.signer import signers_from_text

    assert f"{row['body']}\n{log_signer().sign(row['body'])}" == row["checkpoint"]
    keys = [read_vkey(KEYS["log"]["Vkey"])]
    keys += [read_vkey(witness["CosignVkey"]) for witness in KEYS["witnesses"]]
    verified = verify_note(read_note(row["cosigned_checkpoint"].encode()), keys)
    assert len(verified) == 1 + len(row["cosignatures"])
    for witness, line in zip(KEYS["witnesses"], row["cosignatures"], strict=False):
        (signer,) = signers_from_text(witness["Skey"], key_type=4)
        stated = next(each.time for each in verified if each.key == signer.vkey)
        assert stated is not None
        assert str(signer.cosign(row["body"], stated)) == line


@pytest.mark.parametrize("row", load("proofs"), ids=lambda row: row["file"])
def test_proof_files_of_others_hold_and_are_written_the_same(row: dict) -> None:
    data = (GOLDEN / "proofs" / row["proof"]).read_bytes()
    proof = read_proof(data)
    assert write_proof(proof) == data
    assert proof.extra is not None
    witnesses = (read_vkey(row["witness_key"]),) if row["cosigned"] else ()
    trust = Trust((read_vkey(row["key"]),), witnesses)
    assert verify_proof(data, proof.extra, trust).index == row["index"]
    with pytest.raises(NoteError):
        verify_proof(data, proof.extra + b" ", trust)
    with pytest.raises(NoteError):
        verify_proof(data, proof.extra, trust._replace(keys=(read_vkey(KEYS["log_next"]["Vkey"]),)))


@settings(max_examples=30)
@given(st.data())
def test_no_changed_byte_of_a_proof_goes_unnoticed(data: st.DataObject) -> None:
    original = (GOLDEN / "proofs" / "file-003-of-007.txt.tlog-proof").read_bytes()
    proof = read_proof(original)
    assert proof.extra is not None
    at = data.draw(st.integers(0, len(original) - 1))
    changed = original[:at] + bytes([data.draw(st.integers(0, 255))]) + original[at + 1 :]
    keys = (read_vkey(KEYS["log"]["Vkey"]),)
    witness = read_vkey(load("proofs")[1]["witness_key"])
    try:
        verify_proof(changed, proof.extra, Trust(keys, (witness,)))
    except (InvalidError, LimitError):
        return
    assert changed == original


@given(st.binary(max_size=300))
def test_no_bytes_make_a_reader_fail(data: bytes) -> None:
    for reader in (read_note, read_proof, read_submission):
        with pytest.raises((InvalidError, LimitError)):
            reader(data)


# Signatures


@settings(max_examples=30)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.data())
def test_signatures_are_judged_as_by_openssl(
    seed: bytes, message: bytes, data: st.DataObject
) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert ed25519.verify(public, signature, message)
    at, bit = data.draw(st.integers(0, 63)), data.draw(st.integers(0, 7))
    broken = bytearray(signature)
    broken[at] ^= 1 << bit
    assert not ed25519.verify(public, bytes(broken), message)
    assert not ed25519.verify(public, signature, message + b"x")


def test_a_signature_has_one_form() -> None:
    """S plus the group's order would verify without the bound."""
    key = Ed25519PrivateKey.from_private_bytes(sha256(b"form").digest())
    signature = key.sign(b"text")
    s = int.from_bytes(signature[32:], "little") + ORDER
    other = signature[:32] + s.to_bytes(32, "little")
    assert not ed25519.verify(key.public_key().public_bytes_raw(), other, b"text")


@settings(max_examples=30)
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64))
def test_odd_keys_and_signatures_are_judged_as_by_openssl(public: bytes, signature: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, b"text")
        valid = True
    except InvalidSignature:
        valid = False
    assert ed25519.verify(public, signature, b"text") == valid
    assert not ed25519.verify(public[:31], signature, b"text")
    assert not ed25519.verify(public, signature[:63], b"text")
