"""Retells a match of any scenario for people: a header, one line per action, the result."""

from collections.abc import Iterator

from thorp.arena.events import LogReader, parse_event, parse_start
from thorp.kernel.canonical import Json, insertion_text
from thorp.kernel.errors import InvalidError
from thorp.kernel.text import one_line, printable

VALUE_LIMIT = 100  # The longest value on a line of a recap, in characters; longer ones are cut.


def recap(
    reader: LogReader, *, only_agent: str | None = None, summaries: bool = False
) -> Iterator[str]:
    """Yield the lines of a recap while the log is read. Refuses a line that is not an event, by its
    number."""
    start = parse_start(reader.take())
    names = [_short(agent_id) for agent_id in start["agentIds"]]
    width = max((len(name) for name in names), default=0)
    title = (
        f"{_short(start['scenarioName'])} {_short(start['matchId'])}: "
        f"{', '.join(names) or 'nobody'}"
    )
    yield f"{title}; seed {start['seed']}, at most {start['maxTurns']} turns"
    action: Json = None
    while (line := reader.take()) is not None:
        event = parse_event(line)
        if event is None:
            raise InvalidError(f"line {reader.line} holds no event of a match", code="not_a_log")
        if event["type"] == "ActionSubmitted":
            action = event.get("action")
        elif event["type"] == "StateUpdated" and summaries:
            yield f"  = {printable(insertion_text(event.get('summary')))}"
        elif only_agent is None or event.get("agentId", only_agent) == only_agent:
            yield from _tell(event, action, width)


def _tell(event: dict[str, Json], action: Json, width: int) -> Iterator[str]:
    """The lines about one event; `action` is the one that was submitted last."""
    kind = event["type"]
    name = _short(event.get("agentId")).ljust(width)
    if kind == "TurnStarted":
        yield f"turn {_short(event.get('turn'))}"
    elif kind == "ActionAdjudicated":
        mark = "" if event.get("valid") else "  INVALID"
        yield f"  {name}  {_short(action)}  →  {_short(event.get('feedback'))}{mark}"
    elif kind == "AgentError":
        yield f"  {name}  FAILED: {_short(event.get('message'))}"
    elif kind in ("MatchSealed", "MatchRevealed"):
        label, value = ("sealed", "commitment") if kind == "MatchSealed" else ("revealed", "secret")
        yield f"{label} {_short(event.get(value))}"
    elif kind == "MatchEnded":
        yield f"{_short(event.get('reason'))} after {_short(event.get('turns'))} turns"
        for agent_id, score in _ranked(event.get("scores")):
            yield f"  {_short(agent_id).ljust(width)}  {_short(score)}"


def _ranked(scores: Json) -> list[tuple[str, Json]]:
    if not isinstance(scores, dict):
        return []
    return sorted(
        scores.items(), key=lambda row: -row[1] if isinstance(row[1], (int, float)) else 0
    )


def _short(value: Json) -> str:
    """Format a value on one line, safe to print; an object with one member shows as that member."""
    if isinstance(value, dict) and len(value) == 1:
        name, content = next(iter(value.items()))
        return f"{_short(name)} {_short(content)}"
    text = value if isinstance(value, str) else insertion_text(value)
    line = one_line(text[: VALUE_LIMIT + 1])
    return line if len(line) <= VALUE_LIMIT else f"{line[: VALUE_LIMIT - 1]}…"
