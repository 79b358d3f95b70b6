"""The Merkle tree of RFC 6962: roots, inclusion proofs and consistency proofs.

    leaf hash    SHA-256(0x00 || entry)
    node hash    SHA-256(0x01 || left || right)
    empty tree   SHA-256 of nothing
    n > 1        splits at the largest power of two below n

Provers take a function `node(level, index)`, which returns the hash of a *whole* subtree of
2**level leaves that begins at leaf `index << level`, from memory or from tiles. They only ask for
whole subtrees.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256().digest()

Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf. The first byte that is hashed keeps a leaf from passing for a node."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node over its two halves."""
    return sha256(b"\1" + left + right).digest()


class Frontier:
    """The whole subtrees of a growing tree, largest first: enough to append leaves and to compute
    the root."""

    def __init__(self, size: int = 0, subtrees: Iterable[bytes] = ()) -> None:
        self.size = size
        self._subtrees = list(subtrees)

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given by its hash. Each one at the end of the size in binary joins the new
        leaf with a subtree of the same size, as a carry does."""
        size = self.size
        subtrees = self._subtrees
        while size & 1:
            leaf = sha256(b"\1" + subtrees.pop() + leaf).digest()
            size >>= 1
        subtrees.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The root of the tree so far."""
        return fold(self._subtrees)


def fold(subtrees: Sequence[bytes]) -> bytes:
    """The root above whole subtrees, given largest first."""
    if not subtrees:
        return EMPTY_ROOT
    root = subtrees[-1]
    for left in reversed(subtrees[:-1]):
        root = node_hash(left, root)
    return root


def whole_subtrees(start: int, end: int) -> list[tuple[int, int]]:
    """Cut the leaves from `start` to `end` into whole subtrees (level, index), as the tree does.

    The tree must split at `start`: it is 0, or a multiple of the largest power of two that fits.
    """
    pieces = []
    while start < end:
        level = (end - start).bit_length() - 1
        pieces.append((level, start >> level))
        start += 1 << level
    return pieces


def range_hash(node: Node, start: int, end: int) -> bytes:
    """The hash of the leaves from `start` to `end`, where the tree splits at `start`."""
    return fold([node(level, index) for level, index in whole_subtrees(start, end)])


def root_of(node: Node, size: int) -> bytes:
    """The root of the tree's first `size` leaves."""
    return range_hash(node, 0, size)


def inclusion_proof(node: Node, index: int, size: int) -> list[bytes]:
    """The sibling hashes of a leaf, from the leaf upwards."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    proof: list[bytes] = []
    start = 0
    end = size
    while end - start > 1:
        sibling, start, end = _descend(node, index, start, end)
        proof.append(sibling)
    return proof[::-1]


def consistency_proof(node: Node, old: int, new: int) -> list[bytes]:
    """The hashes that show that the first `old` leaves of a tree of `new` leaves are the old
    tree."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not begin with one of {old}")
    if old in (0, new):
        return []
    proof: list[bytes] = []
    start = 0
    end = new
    while old != end:
        sibling, start, end = _descend(node, old - 1, start, end)
        proof.append(sibling)
    if start > 0:
        proof.append(range_hash(node, start, end))
    return proof[::-1]


def _descend(node: Node, index: int, start: int, end: int) -> tuple[bytes, int, int]:
    """The hash of the half that a leaf is not in, and the bounds of the half that it is in."""
    middle = start + (1 << ((end - start - 1).bit_length() - 1))  # the largest power of two below
    if index < middle:
        return range_hash(node, middle, end), start, middle
    return range_hash(node, start, middle), middle, end


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from a leaf to a root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    seen = leaf
    last = size - 1
    for sibling in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            seen = node_hash(sibling, seen)
            while index and not index & 1:
                index = index >> 1
                last = last >> 1
        else:
            seen = node_hash(seen, sibling)
        index = index >> 1
        last = last >> 1
    return last == 0 and seen == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether a proof shows that the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= new:
        return False
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    index = old - 1
    last = new - 1
    while index & 1:
        index = index >> 1
        last = last >> 1
    old_seen = new_seen = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if index & 1 or index == last:
            old_seen = node_hash(sibling, old_seen)
            new_seen = node_hash(sibling, new_seen)
            while index and not index & 1:
                index = index >> 1
                last = last >> 1
        else:
            new_seen = node_hash(new_seen, sibling)
        index = index >> 1
        last = last >> 1
    return last == 0 and old_seen == old_root and new_seen == new_root
