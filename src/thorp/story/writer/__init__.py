"""Writers: what may propose. A writer never sees the ledger, and nothing it says is true before it
is accepted.

    offline     deterministic, from the evidence alone; the default
    model       any OpenAI-compatible endpoint
    scripted    says what a test told it to
"""

from thorp.story.writer.moment import (
    BeatDeadline,
    Moment,
    Setting,
    Told,
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
    "Told",
    "Words",
    "Writer",
    "WriterFailure",
]
