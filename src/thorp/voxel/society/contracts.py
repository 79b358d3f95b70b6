"""Contracts at a terminal: work for a reward that waits in escrow."""

from __future__ import annotations

from typing import Any, Final

INSTANTS: Final[dict[type, Any]] = {}
