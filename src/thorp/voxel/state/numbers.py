"""Whole numbers that a stored row may hold. A file that says otherwise was not written by this world."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

# What every reader of JSON keeps exact, and what no sum of ours comes near.
LIMIT: Final = 2**53
Natural = Annotated[int, Meta(ge=0, le=LIMIT)]
Positive = Annotated[int, Meta(ge=1, le=LIMIT)]
