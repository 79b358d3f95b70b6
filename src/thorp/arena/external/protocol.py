"""The messages between the runner and an external agent, version 1, as `docs/agents.md` shows them.

Each is a JSON object with a `type`. A reply repeats its turn, so that a late one is recognised and dropped.
Over HTTP each of the runner's messages repeats what `init` said, so that a server need not keep state.
"""

from thorp.arena.contract import AgentConfig, MatchTask
from thorp.arena.registry import scenario_parameters
from thorp.kernel.canonical import DEPTH_LIMIT, Json, insertion_bytes
from thorp.kernel.errors import ThorpError
from thorp.models.decode import DecodeError, decode_json

PROTOCOL = 1

WORLD = "world"  # What an agent that lives in a served world is told instead of a scenario's name.

END = insertion_bytes({"type": "end"})


class AgentFailure(ThorpError):
    """An external agent did not act. The message goes into the log, so it is the same in every run."""

    code = "agent"


class RunnerMessages:
    """Writes the runner's messages of one match."""

    def __init__(self, task: MatchTask) -> None:
        limits = task.limits
        is_world = task.scenario == WORLD
        self._match: dict[str, Json] = {
            "scenario": task.scenario,
            "parameters": {} if is_world else scenario_parameters(task.scenario, task.parameters),
        }
        self._more: dict[str, Json] = {
            "maxTurns": task.max_turns,
            "limits": {
                "turnSeconds": limits.turn_seconds,
                "matchSeconds": limits.match_seconds,
                "memoryMib": limits.memory_mib,
            },
        }

    def init(self, config: AgentConfig) -> bytes:
        return insertion_bytes({"type": "init", **self._seat(config), **self._match, **self._more})

    def self_contained_act(self, config: AgentConfig, turn: int, observation: Json) -> bytes:
        """The `act` message for HTTP: it repeats the seat and the match, so that it is complete in itself."""
        return insertion_bytes(
            {
                "type": "act",
                **self._seat(config),
                "turn": turn,
                **self._match,
                "observation": observation,
            }
        )

    def _seat(self, config: AgentConfig) -> dict[str, Json]:
        seat: dict[str, Json] = {"protocol": PROTOCOL, "agentId": config.agent_id, "seed": config.seed}
        return seat if config.commitment is None else {**seat, "commitment": config.commitment}


def act_message(turn: int, observation: Json) -> bytes:
    return insertion_bytes({"type": "act", "turn": turn, "observation": observation})


def read_message(data: bytes) -> dict[str, Json]:
    try:
        message = decode_json(data)
    except DecodeError as failure:
        if failure.code == "depth":
            # The same words as the log's writer uses for a value that is too deep.
            raise AgentFailure(f"nested deeper than {DEPTH_LIMIT} levels, or a cycle") from None
        raise AgentFailure("the reply is not JSON") from None
    if not isinstance(message, dict):
        raise AgentFailure("the reply is not a JSON object")
    return message


def check_ready(message: dict[str, Json]) -> None:
    if message.get("type") == "error":
        raise AgentFailure(_error_text(message))
    if message.get("type") != "ready":
        raise AgentFailure("the agent did not answer init with ready")
    if message.get("protocol") != PROTOCOL:
        raise AgentFailure(f"the agent does not speak protocol {PROTOCOL}")


def is_late(message: dict[str, Json], turn: int) -> bool:
    """Whether a message answers an earlier turn."""
    answered = message.get("turn")
    return type(answered) is int and answered < turn


def take_action(message: dict[str, Json], turn: int) -> Json:
    kind = message.get("type")
    if kind not in ("action", "error"):
        raise AgentFailure("the reply is neither an action nor an error")
    answered = message.get("turn")
    if type(answered) is not int or answered != turn:
        raise AgentFailure(f"the reply does not answer turn {turn}")
    if kind == "error":
        raise AgentFailure(_error_text(message))
    if "action" not in message:
        raise AgentFailure("the reply holds no action")
    return message["action"]


def _error_text(message: dict[str, Json]) -> str:
    text = message.get("message")
    return text if isinstance(text, str) else "the agent reports an error without a message"
