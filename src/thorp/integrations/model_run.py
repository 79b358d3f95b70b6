"""How a model lives as an agent, whether it calls tools or chooses letters."""

from collections.abc import Callable
from typing import NamedTuple

from thorp.integrations.spending import Account
from thorp.integrations.transcript import Tape


class ModelRun(NamedTuple):
    """Under which name a model lives, what it may spend, and where its talk is written."""

    name: str
    model: str
    account: Account
    tape: Tape
    reply_seconds: float = 60.0
    say: Callable[[str], None] = lambda text: None
    """Hears for people why the model gave no reply, and why it is no longer asked."""
