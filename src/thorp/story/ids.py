"""Generates the ids of a ledger: unpredictable to readers, and the same in every rebuild.

Ids are derived from the ledger's secret seed, so they do not reveal how many hidden entries there
are. A branch has a secret of its own for what comes after the split, so its ids are never those of
the story that it left, and a request that one of them has sealed is not sealed in the other.
Sequential ids (`e:00000001`, in a branch `e:00000001~5f3a09c2`) are for tests.
"""

from bisect import bisect_left
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from thorp.story.config import StoryConfig
from thorp.story.fork_point import Branch

MARK_CHARS: Final = 8  # Enough to tell the branches of a test apart.


class IdGenerator:
    """Makes the ids of entries, bundles, packs and sealed requests."""

    def __init__(self, config: StoryConfig, secret: int, branches: Sequence[Branch] = ()) -> None:
        is_random = config.ids == "random"
        self._beats = [branch.beat for branch in branches]
        self._seqs = [branch.seq for branch in branches]
        self._eras = [
            _Era(secret, is_random=is_random, is_branch=False),
            *(_Era(branch.secret, is_random=is_random, is_branch=True) for branch in branches),
        ]

    def entry(self, seq: int) -> str:
        """The id of the entry with this number."""
        return self._eras[bisect_left(self._seqs, seq)].name("e", seq)

    def bundle(self, beat: int) -> str:
        """The id of the bundle of a beat."""
        return self._era(beat).name("b", beat)

    def anchor(self, beat: int, number: int) -> str:
        """The id of a scene anchor; a beat numbers those that it makes."""
        return self._era(beat).name("sa", beat, number)

    def rehydration(self, beat: int) -> str:
        """The id of the rehydration pack of a beat."""
        return self._era(beat).name("rh", beat)

    def request(self, name: str) -> str:
        """A request id that only this ledger can make: the name, and a keyed digest of it."""
        return self._eras[-1].sealed(name)

    def is_sealed(self, request_id: str, beat: int) -> bool:
        """Whether the request id of a beat is one that only this ledger could make at that beat."""
        return request_id == self._era(beat).sealed(request_id.rpartition(":")[0])

    def _era(self, beat: int) -> "_Era":
        return self._eras[bisect_left(self._beats, beat)]


class _Era:
    """The ids that are made from one secret: those of a story, or of a branch after its split."""

    def __init__(self, secret: int, *, is_random: bool, is_branch: bool) -> None:
        key = blake2b(str(secret).encode(), digest_size=32, person=b"thorp.story.v1").digest()
        self._seal = blake2b(digest_size=16, key=key)
        self._keyed = self._seal if is_random else None
        self._mark = f"~{blake2b(key).hexdigest()[:MARK_CHARS]}" if is_branch else ""

    def sealed(self, name: str) -> str:
        """A request id with this name."""
        seal = self._seal.copy()
        seal.update(f"request:{name}".encode())
        return f"{name}:{seal.hexdigest()}"

    def name(self, kind: str, number: int, index: int = 0) -> str:
        """The id of a thing of a kind, by its number and its index."""
        if self._keyed is None:
            return f"{kind}:{number:08d}" + (f".{index}" if index else "") + self._mark
        name = self._keyed.copy()
        name.update(f"{kind}:{number}.{index}".encode())
        return f"{kind}:{name.hexdigest()}"
