"""The world in words: one table of tools, one text of what is seen, one reader of answers.

A language model, an assistant and a learner call the same tools (`tools`) and read the same text
(`text`), and their answers are read in the same way (`answers`). A call becomes an action of the
protocol, and is checked like one.
"""

from thorp.language.event_text import refusal
from thorp.language.text import Describer
from thorp.language.tools import ACTION_SCHEMA, SIMPLE, TOOLS, Tool, read_action, read_call

__all__ = [
    "ACTION_SCHEMA",
    "SIMPLE",
    "TOOLS",
    "Describer",
    "Tool",
    "read_action",
    "read_call",
    "refusal",
]
