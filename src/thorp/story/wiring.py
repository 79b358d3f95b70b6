"""The engines of a story, put together over one connection."""

from __future__ import annotations

from thorp.store import Connection
from thorp.story.beat import Parts
from thorp.story.capsules import Capsules
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import Zones
from thorp.story.ledger import RealityLedger
from thorp.story.naming import Naming
from thorp.story.projection import Projector
from thorp.story.retrieval import Retrieval
from thorp.story.scene import Scenes
from thorp.story.tables import Tables
from thorp.story.tools import ToolGate
from thorp.story.writer.session import Summaries


def wire(connection: Connection, config: StoryConfig, naming: Naming, zones: Zones) -> Parts:
    """What a beat needs, on the state that a connection sees."""
    store = Tables(connection, config)
    ledger = RealityLedger(store, config, naming)
    retrieval = Retrieval(store, config)
    capsules = Capsules(retrieval, config)

    def scenes_for(summaries: Summaries) -> Scenes:
        return Scenes(retrieval, config, summaries, capsules)

    def gate_for(request_id: str, created_at: str, beat: int, scenes: Scenes) -> ToolGate:
        names = lambda number: naming.anchor(beat, number)  # noqa: E731
        return ToolGate(config, request_id, created_at, retrieval, capsules, scenes, names)

    return Parts(config, naming, zones, ledger, Projector(ledger, config, zones), scenes_for, gate_for)
