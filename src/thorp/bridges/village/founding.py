"""The rules of a world in which the village is founded: where they differ from those of any other world.

They make company worth having. A world that exists keeps the rules it has, also when villagers move in.
"""

from __future__ import annotations

from typing import Final

RULES: Final[dict[str, object]] = {
    "shelter": True,
    "blueprint_ticks_per_block": 5,
    "starving_recovery": 4,
    "newcomers": "gate",
}
"""Values of the tuning."""
