"""Writers, which propose what is written. A writer never sees the ledger, and nothing it says is
true before it is accepted.

    offline     deterministic, from the evidence alone; the default
    model       a language model at any OpenAI-compatible endpoint
    scripted    says the lines that a test gives it
"""

from thorp.story.writer.moment import (
    BeatDeadline,
    Moment,
    Setting,
    WindowPiece,
    Words,
    Writer,
    WriterFailure,
)
from thorp.story.writer.offline import ScriptedWriter

__all__ = [
    "BeatDeadline",
    "Moment",
    "ScriptedWriter",
    "Setting",
    "WindowPiece",
    "Words",
    "Writer",
    "WriterFailure",
]
