"""The foundation of every engine: canonical text, content ids, seeded randomness, hash chain,
errors.

Nothing here does I/O, and nothing here imports another part of Thorp.
"""

__all__ = ["canonical", "chain", "errors", "identity", "numbers", "rng"]
