"""Text within bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thorp.protocol.frame import clip


@given(st.text(), st.integers(0, 40))
def test_a_cut_keeps_whole_characters_and_as_many_as_fit(text: str, max_bytes: int) -> None:
    cut = clip(text, max_bytes)
    assert text.startswith(cut)
    assert len(cut.encode()) <= max_bytes
    assert cut == text or len(text[: len(cut) + 1].encode()) > max_bytes
