"""Generates the ids of a ledger: unpredictable to readers, and the same in every rebuild.

Ids are derived from the ledger's secret seed, so they do not reveal how many hidden entries there
are. Sequential ids (`e:00000001`) are for tests.
"""

from hashlib import blake2b

from thorp.story.config import StoryConfig


class IdGenerator:
    """Makes the ids of entries, bundles, packs and sealed requests."""

    def __init__(self, config: StoryConfig, secret: int) -> None:
        key = blake2b(str(secret).encode(), digest_size=32, person=b"thorp.story.v1").digest()
        self._seal = blake2b(digest_size=16, key=key)
        self._keyed = self._seal if config.ids == "random" else None

    def entry(self, seq: int) -> str:
        """The id of the entry with this number."""
        return self._name("e", seq)

    def bundle(self, beat: int) -> str:
        """The id of the bundle of a beat."""
        return self._name("b", beat)

    def anchor(self, beat: int, number: int) -> str:
        """The id of a scene anchor; a beat numbers those that it makes."""
        return self._name("sa", beat, number)

    def rehydration(self, beat: int) -> str:
        """The id of the rehydration pack of a beat."""
        return self._name("rh", beat)

    def request(self, name: str) -> str:
        """A request id that only this ledger can make: the name, and a keyed digest of it."""
        seal = self._seal.copy()
        seal.update(f"request:{name}".encode())
        return f"{name}:{seal.hexdigest()}"

    def _name(self, kind: str, number: int, index: int = 0) -> str:
        if self._keyed is None:
            return f"{kind}:{number:08d}" + (f".{index}" if index else "")
        name = self._keyed.copy()
        name.update(f"{kind}:{number}.{index}".encode())
        return f"{kind}:{name.hexdigest()}"
