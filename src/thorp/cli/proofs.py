"""The options that every `verify` command shares: whom to trust, and a proof file to check."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from thorp.cli.commands import NO_TEXTS, option
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError, UnknownError
from thorp.log import file_leaf, read_policy
from thorp.log.announcement import check_plan, closes, members_of
from thorp.log.note import COSIGNATURE, ED25519, NoteError, VerifierKey, read_vkey
from thorp.log.tlog import MAX_PROOF_FILE_BYTES, read_proof
from thorp.log.trust import Trust
from thorp.log.verify import ProvenLeaf, verify_proof
from thorp.store import RealDisk, read_whole

Keys = Annotated[
    list[str], option("A log's key, or a file with it; any counts.", "VKEY", name="--key")
]
WitnessKeys = Annotated[
    list[str], option("A witness's key, or a file with it; all must sign.", "VKEY")
]
PolicyFile = Annotated[Path | None, option("Logs, witnesses, quorum.", "FILE")]

# Codes of errors in the command itself, not in what it examines.
WRONG_REQUEST: Final = frozenset({"usage", "no_file", "bad_key", "key_type", "no_key", "policy"})
KEY_KINDS: Final = {ED25519: "a log's key (type 1)", COSIGNATURE: "a witness's key (type 4)"}


class TrustOptions(NamedTuple):
    """The options that say whom to trust."""

    key: Keys = NO_TEXTS
    witness_key: WitnessKeys = NO_TEXTS
    policy: PolicyFile = None

    def read(self) -> Trust:
        """Read the keys and the policy; refuse options that trust no log at all."""
        trust = Trust(
            tuple(key for text in self.key for key in read_keys(text, ED25519)),
            tuple(key for text in self.witness_key for key in read_keys(text, COSIGNATURE)),
            None if self.policy is None else read_policy(read_bounded(self.policy)),
        )
        if not trust.keys and (trust.policy is None or not trust.policy.logs):
            raise InvalidError(
                "give the log's key with --key, or a --policy that names it", code="usage"
            )
        return trust


class ProofOptions(NamedTuple):
    """The options of a verify command that also takes a proof."""

    proof: Annotated[
        Path | None, option("A proof that this history was published in a log.", "P")
    ] = None
    key: Keys = NO_TEXTS
    witness_key: WitnessKeys = NO_TEXTS
    policy: PolicyFile = None

    def match(self, file: Path, plan: Callable[[], dict[str, Json]]) -> str | None:
        """Verify the proof of a match, or of the leaf that closes its event; return that event."""
        if self.proof is None:
            return None
        match = file_leaf(file)
        document = self._carried_leaf(self.proof)
        if not closes(document, match):
            check_proof(self.proof, match, self.trust())
            return None
        check_proof(self.proof, document, self.trust())
        return check_plan(plan(), document)

    def leaf(self, kind: str) -> bytes:
        """The proved leaf, which the proof file must carry and which must be of this kind."""
        assert self.proof is not None
        leaf = self._carried_leaf(self.proof)
        if not leaf:
            raise InvalidError(
                f"{self.proof}: it does not carry its leaf (a line `extra`)", code="no_leaf"
            )
        check_proof(self.proof, leaf, self.trust())
        if members_of(leaf).get("kind") != kind:
            raise NoteError(f"{self.proof}: it proves something else, not the history of a {kind}")
        return leaf

    def tip(self, kind: str, tip: str | None) -> str | None:
        """The tip that the history must have: the published one if there is a proof, else the one
        given by hand."""
        if self.proof is None:
            return tip
        members = members_of(self.leaf(kind))
        proved = members.get("tip")
        if proved is None and "origin" in members:  # of a world before its first tick
            return tip
        if not isinstance(proved, str):
            raise NoteError(f"{self.proof}: it proves something else, not the history of a {kind}")
        if tip is not None and tip != proved:
            raise NoteError(f"{self.proof}: it proves the tip {proved}, not {tip}")
        return proved

    def event(self, kind: str, plan: Callable[[], dict[str, Json]]) -> str | None:
        """The event that a proved leaf closes; refuse a plan that is not the one announced."""
        return None if self.proof is None else check_plan(plan(), self.leaf(kind))

    @staticmethod
    def _carried_leaf(proof: Path) -> bytes:
        """The leaf in a proof file; empty if the file does not carry it."""
        return read_proof(read_bounded(proof)).extra or b""

    def trust(self) -> Trust:
        """Whom to trust: refuses options that trust no log at all."""
        return TrustOptions(self.key, self.witness_key, self.policy).read()


def check_proof(path: Path, leaf: bytes, trust: Trust) -> ProvenLeaf:
    """Verify a proof file for a leaf."""
    return verify_proof(read_bounded(path), leaf, trust)


def read_keys(text: str, key_type: int) -> list[VerifierKey]:
    """The keys of an option: one key, or a file with one a line."""
    path = Path(text)
    if "+" in text and not path.is_file():
        lines = [text]
    else:
        lines = read_bounded(path).decode("utf-8", "replace").split("\n")
    try:
        keys = [read_vkey(line) for line in lines if line.strip()]
    except NoteError as problem:
        raise InvalidError(problem.message, code="bad_key") from None
    for key in keys:
        if key.type != key_type:
            wrong = f"{key.name}: this takes {KEY_KINDS[key_type]}, not {KEY_KINDS[key.type]}"
            raise InvalidError(wrong, code="key_type")
    if not keys:
        raise InvalidError(f"{text}: there is no key in it", code="no_key")
    return keys


def read_bounded(path: Path) -> bytes:
    """A file of keys, a proof or a policy; none of them is longer than a proof."""
    if not path.is_file():
        raise UnknownError(f"{path}: no such file; check the path", code="no_file")
    return read_whole(RealDisk(), path, most=MAX_PROOF_FILE_BYTES)


@contextmanager
def exit_1(wrong: Any = (InvalidError, LimitError), *, as_json: bool = False) -> Iterator[None]:
    """Report an error in what is examined as one line and exit code 1. An error in the request
    itself is raised on, for exit code 2."""
    try:
        yield
    except wrong as problem:
        if problem.code in WRONG_REQUEST:
            raise  # the command was wrong, not what it looked at
        if as_json:
            print(json.dumps({"ok": False, "error": str(problem)}))
        else:
            print(f"thorp: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
