"""`thorp bots`: run bots in a world, or with `--agent` models and programs."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from thorp.arena.contract import AgentConfig, AgentContext, Limits, MatchTask, Seat
from thorp.arena.external import open_agent
from thorp.arena.external.protocol import SECONDS_LIMIT, WORLD
from thorp.arena.external.spec import BotSpec, ModelSpec, SocketSpec, parse_spec
from thorp.cli.commands import option, print_answer
from thorp.cli.location import TokenOption, find_token
from thorp.cli.model_crew import AgentOptions, BudgetOptions, run_models
from thorp.cli.options import DataOption
from thorp.cli.visit import Visit, complain, live_for_a_while
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32

MAX_BOTS: Final = 2_000  # One process cannot read more observations in time.
MAX_AGENTS: Final = 500  # With --agent: a program is a process of its own.
ENDLESS_TURNS: Final = 2**31 - 1

Count = Annotated[int, option("How many bots.", min=1, max=MAX_BOTS)]


class CrewOptions(NamedTuple):
    """In which world bots live, what they are, and for how long."""

    url: Annotated[str, option("The server's address.")] = "ws://127.0.0.1:8080/v1/ws"
    kind: Annotated[
        Literal["wanderer", "lumberjack", "farmer"] | None,
        option("The kind of all of them; by default each kind in turn."),
    ] = None
    seconds: Annotated[float | None, option("How long; by default until Ctrl-C.", min=0)] = None
    keep: Annotated[bool, option("Leave their bodies in the world at the end.")] = False
    village: Annotated[
        bool, option("Be the demo village: its tokens come on stdin.", hidden=True)
    ] = False
    minds: Annotated[
        bool, option("Be the minds of a village: their tokens come on stdin.", hidden=True)
    ] = False
    mind_model: Annotated[str, option("What chooses for them.", hidden=True)] = ""
    attached: Annotated[bool, option("End when standard input does, too.", hidden=True)] = False
    trace: Annotated[
        Path | None, option("Append as JSON lines what they see, do and hear.", "FILE")
    ] = None
    data: DataOption = None
    token: TokenOption = None


def bots(crew: CrewOptions, agents: AgentOptions, budget: BudgetOptions, count: Count = 3) -> None:
    """Run bots in a world until Ctrl-C: they wander, fell trees, build huts and farm.

    With --agent, language models or programs of yours live there instead, and what they did and
    spent is printed at the end. Then their bodies are removed from the world.

    Example: thorp bots --agent model:qwen3:8b --count 5 --goal "Build a hut" --max-calls 200
    --record run1
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    token = find_token(crew.url, crew.token, crew.data)
    if crew.village:
        _run_village(crew, token)
        return
    if crew.minds:
        _run_minds(crew, token)
        return
    if agents.agent is not None and crew.kind is not None:
        raise InvalidError("give --kind or --agent, not both", code="usage")
    with nullcontext() if crew.trace is None else crew.trace.open("a", encoding="utf-8") as trace:
        visit = Visit(
            url=crew.url,
            access_token=token,
            trace=trace,
            seconds=crew.seconds,
            keep=crew.keep,
            attached=crew.attached,
        )
        if agents.agent is None:
            _run_bots(count, crew.kind, visit)
        else:
            _run_agents(agents.agent, agents, budget, count, visit)


def _run_village(crew: CrewOptions, token: str | None) -> None:
    """Let the demo village live: `thorp up --village` starts us and writes its tokens to us."""
    from thorp.cli.village import run_village

    tokens = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, str])
    people = run_village(crew.url, tokens, access_token=token, say=complain)
    asyncio.run(live_for_a_while(people, crew.seconds, attached=crew.attached))


def _run_minds(crew: CrewOptions, token: str | None) -> None:
    """Let the minds of a village live, at a low priority: `thorp up --minds` starts us, writes
    their tokens to us, and reads from our standard output what they decide."""
    from thorp.cli.minds import run_minds
    from thorp.models.embedded.settings import NICENESS
    from thorp.village.mind_model import serve_mind_model

    tokens = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, str])
    os.nice(NICENESS)  # before the model's process is started, which inherits it

    def report(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    with serve_mind_model(crew.mind_model) as model:
        people = run_minds(crew.url, tokens, model, access_token=token, report=report, say=complain)
        asyncio.run(live_for_a_while(people, crew.seconds, attached=crew.attached))


def _run_bots(count: int, kind: str | None, visit: Visit) -> None:
    # Imported here, so that other commands need not load the kit.
    from thorp.client.bots import BOTS, run_bots

    kinds = tuple(BOTS) if kind is None else (kind,)
    say = partial(print, flush=True)
    visit.run(run_bots(visit.url, count, kinds, say=say, **visit.connection()))


def _run_agents(
    spec_text: str, options: AgentOptions, budget: BudgetOptions, count: int, visit: Visit
) -> None:
    """Let the agents of `--agent` live."""
    if count > MAX_AGENTS:
        raise InvalidError(f"--count is at most {MAX_AGENTS} with --agent", code="usage")
    spec = parse_spec(spec_text)
    names = [f"{spec.kind}-{number}" for number in range(1, count + 1)]
    if isinstance(spec, BotSpec | SocketSpec):
        raise InvalidError(
            "--agent takes model:NAME, file.py:Class, cmd:COMMAND, http://… or local", code="usage"
        )
    if isinstance(spec, ModelSpec):
        run_models(spec, options, budget, names, visit)
    elif options.record or options.replay or any(limit is not None for limit in budget):
        raise InvalidError("recordings and budgets are for model:NAME and local", code="usage")
    else:
        seats = [Seat(name, spec_text) for name in names]
        visit.run(_live_as_programs(seats, visit, as_json=options.json))


async def _live_as_programs(seats: Sequence[Seat], visit: Visit, *, as_json: bool) -> None:
    """Start a program for each seat, let all of them live, and report their turns."""
    from thorp.client.crew import run_agents
    from thorp.integrations.program import ProgramAgent

    crew = [ProgramAgent(seat.id, _opened(seat), complain) for seat in seats]
    try:
        await asyncio.gather(*(agent.start() for agent in crew))
        await run_agents(visit.url, crew, stay=visit.stays, say=complain, **visit.connection())
    finally:
        await asyncio.gather(*(agent.stop() for agent in crew))
        rows = [
            {"name": agent.name, "turns": agent.turns, "failures": agent.failures} for agent in crew
        ]
        lines = (f"{agent.name}: {agent.turns} turns, {agent.failures} failed" for agent in crew)
        print_answer(as_json, {"agents": rows}, *lines)


@contextmanager
def _opened(seat: Seat) -> Iterator[Callable[[int, Json], Json]]:
    """An agent as in the arena, except that it plays a world and not a scenario."""
    seed = seed_from(seat.id)
    task = MatchTask(
        scenario=WORLD,
        seats=(seat,),
        seed=seed,
        max_turns=ENDLESS_TURNS,
        limits=Limits(match_seconds=SECONDS_LIMIT),
    )
    with open_agent(seat, task, None) as agent:
        agent.init(AgentConfig(seat.id, seed))
        rng = Mulberry32(seed).random
        yield lambda turn, seen: agent.act(seen, AgentContext(rng, turn, seat.id))
