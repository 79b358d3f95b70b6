"""Trades: goods for goods, at once or not at all."""

from __future__ import annotations

from typing import Any, Final

INSTANTS: Final[dict[type, Any]] = {}
