"""Bulletin boards."""

from __future__ import annotations

from typing import Any, Final

INSTANTS: Final[dict[type, Any]] = {}
