"""What the latest event from the nether says about threat, scarcity and dread.

Key words are looked for in the lower-cased text, inside words too: "afraid" contains a raid.
"""

from __future__ import annotations

_ANY_EVENT = 0.04
_THREAT = 0.12
_SCARCITY = 0.12
_DREAD = 0.14

_THREAT_WORDS = ("raid", "ghast", "piglin", "blaze", "breach", "attack", "wither")
_SCARCITY_WORDS = ("resource", "supply", "crop", "food", "famine", "scarcity")
_DREAD_WORDS = ("raid", "ghast", "piglin", "panic", "fear", "breach", "wither", "blaze")


def threat_signal(event: str | None) -> float:
    """What an event adds to the threat; 0 where there is none, or nothing is said of it."""
    if not event:
        return 0
    return _ANY_EVENT + _THREAT if _mentions(event, _THREAT_WORDS) else _ANY_EVENT


def scarcity_signal(event: str | None) -> float:
    """What an event adds to scarcity."""
    return _SCARCITY if event and _mentions(event, _SCARCITY_WORDS) else 0


def dread_signal(event: str | None) -> float:
    """What an event adds to dread."""
    if not event:
        return 0
    return _ANY_EVENT + _DREAD if _mentions(event, _DREAD_WORDS) else _ANY_EVENT


def _mentions(event: str, words: tuple[str, ...]) -> bool:
    text = event.lower()
    for word in words:  # noqa: SIM110 - a generator would cost more than the search
        if word in text:
            return True
    return False
