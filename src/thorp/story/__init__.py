"""The story: an append-only reality that a writer may only propose to.

    with open_ledger("sqlite:///story.db", StoryConfig()) as ledger:
        status, projection = ledger.invoke(envelope)

An operator speaks, a writer proposes, acceptance decides, the ledger remembers, and a projection
shows each reader what that reader may see. `docs/story.md` has the whole of it.
"""

from thorp.story.answer import Answer
from thorp.story.audit import Verified
from thorp.story.branches import branch, describe_branches
from thorp.story.config import Part, Person, StoryConfig, read_config
from thorp.story.contracts import SCHEMAS
from thorp.story.contracts.invocation_envelope import read_envelope
from thorp.story.contracts.packs import read_anchor, read_capsule, read_rehydration
from thorp.story.contracts.projection_output import read_projection
from thorp.story.contracts.tool_request import read_result_pack, read_tool_request
from thorp.story.contracts.write_bundle import read_bundle, read_entry
from thorp.story.fork_point import ForkPoint
from thorp.story.rebuild import rebuild
from thorp.story.service import Ledger, open_ledger

__all__ = [
    "SCHEMAS",
    "Answer",
    "ForkPoint",
    "Ledger",
    "Part",
    "Person",
    "StoryConfig",
    "Verified",
    "branch",
    "describe_branches",
    "open_ledger",
    "read_anchor",
    "read_bundle",
    "read_capsule",
    "read_config",
    "read_entry",
    "read_envelope",
    "read_projection",
    "read_rehydration",
    "read_result_pack",
    "read_tool_request",
    "rebuild",
    "testing",
]
