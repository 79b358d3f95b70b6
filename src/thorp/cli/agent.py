"""`thorp agent …`: trace what an agent saw and did in the journal; give an owner who lost the token
a new one. Also lists and orders bodies for `thorp world agents`."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.commands import Commands, argument, option, print_answer
from thorp.cli.location import Where
from thorp.cli.options import AsJson, DataOption, Quiet, world_directory
from thorp.cli.tick_progress import show_ticks
from thorp.client.http import HttpClient
from thorp.kernel.errors import InvalidError
from thorp.kernel.text import printable
from thorp.store import RealDisk
from thorp.voxel import Detach, WorldService, replay
from thorp.voxel.persistence.audit import Traced
from thorp.voxel.persistence.audit import trace as trace_ticks
from thorp.voxel.persistence.directory import WorldDirectory, summarize

app = Commands(help="Trace an agent, or rescue its body.")

# Fields of an event that its line shows in words, and not as `key=value`.
_HIDDEN = ("t", "type", "ref", "ok", "code", "message", "hint")
_UNREADABLE = "!"  # The type of an action that could not be read.


class TickOptions(NamedTuple):
    """Which ticks are shown, and how."""

    since: Annotated[int, option("The first tick to show.", "TICK", min=1)] = 1
    until: Annotated[int | None, option("The last one.", "TICK", min=1)] = None
    everything: Annotated[bool, option("Quiet ticks too.", name="--all")] = False
    as_jsonl: Annotated[
        bool, option("JSON lines, one a tick: OBS, acts, events.", name="--jsonl")
    ] = False

    @property
    def are_given(self) -> bool:
        """Whether any of them is other than by default."""
        return self != TickOptions()


class ReasonOptions(NamedTuple):
    """What is told of one tick instead: what the agent knew and weighed."""

    why: Annotated[bool, option("Say what it knew, and why it did what it did.")] = False
    at: Annotated[int | None, option("With --why: after this tick.", "TICK", min=1)] = None
    replies: Annotated[
        Path | None, option("With --why: a recording of its model (`bots --record`).", "DIR")
    ] = None


class OutputOptions(NamedTuple):
    """How the answer is printed, and whether progress is shown."""

    as_json: AsJson = False
    quiet: Quiet = False


@app.command()
def trace(
    agent_id: Annotated[str, argument("Its id, as in WELCOME (A3), or its name.", "AGENT")],
    *,
    data: DataOption = None,
    ticks: TickOptions,
    reasons: ReasonOptions,
    output: OutputOptions,
) -> None:
    """Show what an agent saw, did and was told, and why it was refused, tick by tick.

    Works on the journal, also while the world is running. With --why, what it knew after one tick,
    and what it weighed where that was recorded; a scripted villager's job and need are recomputed.

    Example: thorp agent trace A3 --since 1200 --jsonl > a3.jsonl

    Example: thorp agent trace Bram --why --at 9000 --json
    """
    path = world_directory(data)
    if reasons.why:
        if ticks.are_given:
            raise InvalidError("--why is about one tick: give --at, and no range", code="usage")
        _print_reasons(path, agent_id, reasons, output)
    elif reasons != ReasonOptions() or output.as_json:
        raise InvalidError("--at, --replies and --json go with --why", code="usage")
    else:
        _print_ticks(path, agent_id, ticks, quiet=output.quiet)


def _print_reasons(
    path: Path, agent_id: str, options: ReasonOptions, output: OutputOptions
) -> None:
    """Print what an agent knew after a tick, and what it weighed."""
    from thorp.cli.reasons import explain, reason_lines

    reasons = explain(path, agent_id, options.at, options.replies, quiet=output.quiet)
    print_answer(output.as_json, reasons, *([] if output.as_json else reason_lines(reasons)))


def _print_ticks(path: Path, agent_id: str, options: TickOptions, *, quiet: bool) -> None:
    """Print what an agent saw, did and was told, tick by tick."""
    as_jsonl = options.as_jsonl
    last = options.until or summarize(RealDisk(), path).last_tick
    with show_ticks(last, quiet=quiet) as progress:

        def show(traced: Traced) -> None:
            if not (options.everything or as_jsonl or traced.eventful):
                return
            if sys.stdout.isatty():
                progress.stop()
            text = msgspec.json.encode(traced).decode() if as_jsonl else _readable(traced)
            print(text if as_jsonl else printable(text))

        trace_ticks(
            RealDisk(),
            path,
            agent_id,
            show,
            since=options.since,
            until=options.until,
            make_world=new_city_world,
            watch=progress,
        )


@app.command()
def rescue(
    agent: Annotated[str, argument("The agent's name, or its id: A3.", "NAME")],
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Give a body a new resume token, for an owner who has lost the old one. Earlier tokens become
    void.

    Asks the server that holds the directory; without one, the world runs for one tick.

    Example: thorp agent rescue Odile
    """
    answer = order_body(where, "rescue", agent)
    print_answer(as_json, answer, answer["token"])


def _readable(traced: Traced) -> str:
    body = traced.observation["self"]
    position = ", ".join(map(str, body["pos"]))
    vitals = ", ".join(f"{vital} {body[vital]}" for vital in ("hp", "hunger", "stamina"))
    lines = [
        f"tick {traced.tick} at {position}: {vitals}",
        *(f"  {word}" for word in traced.connection),
    ]
    lines += [f"  sent {_action_text(action)}" for act in traced.acts for action in _actions(act)]
    lines += [f"  sent what could not be read: {problem}" for problem in traced.unreadable]
    lines += [f"  {_event_text(event)}" for event in traced.events]
    return "\n".join(lines)


def _actions(act: Any) -> list[dict[str, Any]]:
    fields = msgspec.to_builtins(act)
    cancels = [{"type": "cancel", "id": task_id} for task_id in fields.get("cancel", [])]
    return [*cancels, *fields.get("instants", []), *fields.get("tasks", [])]


def _action_text(action: dict[str, Any]) -> str:
    rest = {key: value for key, value in action.items() if key not in ("type", "id")}
    named = f" ({action['id']})" if action.get("id") else ""
    if action["type"] == _UNREADABLE and action.get("sent"):
        return f"{action['sent']}{named}, {action.get('problem', 'which could not be read')}"
    return f"{action['type']}{named}{_fields(rest)}"


def _event_text(event: dict[str, Any]) -> str:
    rest = _fields({key: value for key, value in event.items() if key not in _HIDDEN})
    hint = f" ({event['hint']})" if event.get("hint") else ""
    if event["type"] == "ACTION_RESULT" and event["ok"]:
        return f"{event['ref']}: {event.get('message', 'accepted')}{rest}{hint}"
    if "code" in event:
        about = event.get("ref") or event.get("kind", event["type"])
        return f"{about}: refused, {event['code']}: {event.get('message', '')}{rest}{hint}"
    return f"{event['type']}{rest}"


def _fields(values: dict[str, Any]) -> str:
    return "".join(f" {key}={value}" for key, value in values.items())


def list_bodies(where: Where) -> list[dict[str, Any]]:
    """List every body: asks the server that holds the directory; without one, replays the world."""
    kept = _keeper(where)
    if not isinstance(kept, Path):
        with kept:
            return list(kept.get("/admin/v1/agents")["agents"])
    from thorp.server.http.bodies import listing

    path = world_directory(kept)
    world = replay(
        RealDisk(), path, summarize(RealDisk(), path).last_tick, make_world=new_city_world
    )
    return [{**msgspec.to_builtins(body), "connected": False} for body in listing(world).agents]


def order_body(where: Where, order: Literal["rescue", "retire"], who: str) -> dict[str, str]:
    """Rescue or retire a body: asks the server that holds the directory; without one, the world
    runs for a tick in this process."""
    kept = _keeper(where)
    if not isinstance(kept, Path):
        with kept:
            return dict(kept.post(f"/admin/v1/agents/{order}", msgspec.json.encode({"agent": who})))
    from thorp.server.http import bodies

    path = world_directory(kept)
    make = bodies.rescue if order == "rescue" else bodies.retire
    WorldDirectory(RealDisk(), path).require()
    with WorldService.open(RealDisk(), path, make_world=new_city_world) as service:
        bodies.find(service.world, who)
        gone = [Detach(agent.number) for agent in service.world.agents if agent.attached]
        if gone:  # the last server has ended, and its connections with it
            service.tick(gone).result()
        entry, answer = make(service.world, who)
        service.tick([entry]).result()
    return answer


def _keeper(where: Where) -> HttpClient | Path:
    """The server or the directory that keeps the world; a database never does."""
    kept = where.find()
    if isinstance(kept, str):
        raise InvalidError(
            "--url takes a server here: a world is not kept in a database", code="bad_url"
        )
    return kept
