"""The ways in for agents that do not speak the agent protocol: one table of tools, one text of what is seen.

A language model, an assistant and a learner call the same tools (`tools`) and read the same text (`text`).
Behind every door are the same rules: a call becomes an action of the protocol, and is read as one.
"""

from thorp.adapters.text import Describer, refusal
from thorp.adapters.tools import ACTION_SCHEMA, SIMPLE, TOOLS, Tool, read_action, read_call

__all__ = ["ACTION_SCHEMA", "SIMPLE", "TOOLS", "Describer", "Tool", "read_action", "read_call", "refusal"]
