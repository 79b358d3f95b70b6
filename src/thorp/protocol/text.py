"""Text within bounds. Limits count bytes of UTF-8, and a cut never splits a character."""

from __future__ import annotations


def clip(text: str, max_bytes: int) -> str:
    """The longest beginning of a text that fits."""
    if len(text) * 4 <= max_bytes:
        return text
    return text.encode()[:max_bytes].decode(errors="ignore")
