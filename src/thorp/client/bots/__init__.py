"""Bots that live in a world: small, plain, and made with nothing but the agent kit.

A bot is a coroutine that takes an agent and its own randomness, and goes on until the connection is over.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from thorp.client.agent import Agent
from thorp.client.bots.farmer import farm
from thorp.client.bots.lumberjack import build_huts
from thorp.client.bots.wanderer import wander

Bot = Callable[[Agent, Random], Awaitable[None]]

BOTS: Final[dict[str, Bot]] = {"wanderer": wander, "lumberjack": build_huts, "farmer": farm}

__all__ = ["BOTS", "Bot", "build_huts", "farm", "wander"]
