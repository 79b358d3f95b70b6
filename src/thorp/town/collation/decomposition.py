"""Canonical decomposition (NFD) as of Unicode 17, whichever Unicode this Python was built with.

Python's own tables are as old as the interpreter (3.11 has Unicode 14), and an order that is hashed must not
change with it. How an assigned character decomposes never changes, so only the characters added after
Unicode 14 need a word here: twenty that decompose, and the combining classes of the new marks.
"""

import unicodedata

_LATER_DECOMPOSITIONS = {
    "\U000105c9": "\U000105d2\u0307",
    "\U000105e4": "\U000105da\u0307",
    "\U00011383": "\U00011382\U000113c9",
    "\U00011385": "\U00011384\U000113bb",
    "\U0001138e": "\U0001138b\U000113c2",
    "\U00011391": "\U00011390\U000113c9",
    "\U000113c5": "\U000113c2\U000113c2",
    "\U000113c7": "\U000113c2\U000113b8",
    "\U000113c8": "\U000113c2\U000113c9",
    "\U00016121": "\U0001611e\U0001611e",
    "\U00016122": "\U0001611e\U00016129",
    "\U00016123": "\U0001611e\U0001611f",
    "\U00016124": "\U00016129\U0001611f",
    "\U00016125": "\U0001611e\U00016120",
    "\U00016126": "\U0001611e\U0001611e\U0001611f",
    "\U00016127": "\U0001611e\U00016129\U0001611f",
    "\U00016128": "\U0001611e\U0001611e\U00016120",
    "\U00016d68": "\U00016d67\U00016d67",
    "\U00016d69": "\U00016d63\U00016d67",
    "\U00016d6a": "\U00016d63\U00016d67\U00016d67",
}

_LATER_CLASSES: dict[int, tuple[range, ...]] = {
    9: (range(0x113CE, 0x113D1), range(0x11F41, 0x11F43), range(0x1612F, 0x16130)),
    220: (
        range(0x1ADD, 0x1ADE),
        range(0x1AE6, 0x1AE7),
        range(0x10EFA, 0x10EFC),
        range(0x10EFD, 0x10F00),
        range(0x1E4EE, 0x1E4EF),
        range(0x1E5EF, 0x1E5F0),
    ),
    230: (
        range(0x0897, 0x0898),
        range(0x1ACF, 0x1ADD),
        range(0x1AE0, 0x1AE6),
        range(0x1AE7, 0x1AEB),
        range(0x10D69, 0x10D6E),
        range(0x1E08F, 0x1E090),
        range(0x1E4EF, 0x1E4F0),
        range(0x1E5EE, 0x1E5EF),
        range(0x1E6E3, 0x1E6E4),
        range(0x1E6E6, 0x1E6E7),
        range(0x1E6EE, 0x1E6F0),
        range(0x1E6F5, 0x1E6F6),
    ),
    232: (range(0x1E4EC, 0x1E4EE),),
    234: (range(0x1AEB, 0x1AEC),),
}
_LATER_MARKS = {
    chr(code): kind for kind, ranges in _LATER_CLASSES.items() for codes in ranges for code in codes
}
_LATER = frozenset(_LATER_DECOMPOSITIONS).union(_LATER_MARKS)


def combining_class(character: str) -> int:
    """The canonical combining class: 0 for what starts a sequence, else its place in the order of marks."""
    return unicodedata.combining(character) or _LATER_MARKS.get(character, 0)


def decompose(text: str) -> list[str]:
    """The characters of the text in NFD."""
    characters = unicodedata.normalize("NFD", text)
    if _LATER.isdisjoint(characters):
        return list(characters)
    expanded = "".join(_LATER_DECOMPOSITIONS.get(character, character) for character in characters)
    ordered: list[str] = []
    marks: list[str] = []
    for character in expanded:
        if combining_class(character):
            marks.append(character)
            continue
        ordered += sorted(marks, key=combining_class)
        ordered.append(character)
        marks.clear()
    return ordered + sorted(marks, key=combining_class)
