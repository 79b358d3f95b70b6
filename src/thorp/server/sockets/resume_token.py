"""Tokens that give an agent its body back."""

import secrets
from typing import Final

WORLD_ID: Final = "world_1"


def new_token() -> str:
    """A resume token that nobody can guess."""
    return f"resume_{WORLD_ID}_{secrets.token_urlsafe(24)}"
