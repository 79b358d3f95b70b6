"""External agents: files, commands, HTTP servers and models, all behind the same contract.

`docs/agents.md` describes each kind. An agent that cannot work is refused when it is opened, before
the match begins. What goes wrong later is an exception from `init` or `act` whose text is the same
in every run; the runner logs it as an AgentError. The text may name configured limits, never
measured times or process ids.
"""

from thorp.arena.external.agents import open_agent
from thorp.arena.external.protocol import AgentFailure
from thorp.arena.external.spec import parse_seats
from thorp.models.recording import Recording as Replies

__all__ = ["AgentFailure", "Replies", "open_agent", "parse_seats"]
