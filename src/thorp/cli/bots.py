"""`thorp bots`: run bots in a world."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
import typer

from thorp.arena.contract import AgentConfig, AgentContext, Limits, MatchTask, Seat
from thorp.arena.external import open_agent
from thorp.arena.external.protocol import SECONDS_LIMIT, WORLD
from thorp.arena.external.spec import BotSpec, ModelSpec, SocketSpec, parse_spec
from thorp.cli.commands import option, print_answer
from thorp.cli.location import TokenOption, find_token
from thorp.cli.options import AsJson, DataOption
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32

MAX_AGENTS: Final = 500  # Agents of one process; a program among them is a process of its own.
PERSONA_BYTES_LIMIT: Final = 16_384  # It is part of every request.
ENDLESS_TURNS: Final = 2**31 - 1

Calls = Annotated[int | None, option("The most calls of models: in the run, of each agent.", min=0)]
Tokens = Annotated[int | None, option("The most tokens, of prompts and replies.", min=0)]
Money = Annotated[float | None, option("The most money, by --prices.", min=0)]

MAX_BOTS = 2_000  # One process cannot read more observations in time.


class AgentOptions(NamedTuple):
    """Who lives there."""

    agent: Annotated[
        str | None, option("No bots: model:NAME, file.py:Class, cmd:COMMAND or http://…", "SPEC")
    ] = None
    persona: Annotated[Path | None, option("Who a model is: a text.", "FILE")] = None
    goal: Annotated[str, option("What a model should achieve.", "TEXT")] = ""
    level: Annotated[Literal["simple", "full"], option("All tools, or few for a small model.")] = (
        "full"
    )
    record: Annotated[Path | None, option("Write down each model's talk.", "DIR")] = None
    replay: Annotated[
        Path | None, option("Play a recording, not the model; tell differences.", "DIR")
    ] = None
    history_tokens: Annotated[
        int | None, option("How much talk a model is shown; 6000, or 2000 if simple.", min=0)
    ] = None
    reply_seconds: Annotated[float, option("How long a reply may take.", min=0.1, max=3600)] = 60.0
    json: AsJson = False


class BudgetOptions(NamedTuple):
    """What models may cost; by default there is no limit."""

    max_calls: Calls = None
    max_tokens: Tokens = None
    max_money: Money = None
    agent_calls: Calls = None
    agent_tokens: Tokens = None
    agent_money: Money = None
    prices: Annotated[
        Path | None, option("What a million tokens of a model cost, as JSON.", "FILE")
    ] = None


RunFor = Callable[[Coroutine[None, None, None]], Coroutine[None, None, None]]


def _run_agents(
    options: AgentOptions, budget: BudgetOptions, count: int, run_for: RunFor, **where: Any
) -> None:
    """Let them live, for as long as `run_for` says; report what was done and spent, however it
    ends."""
    if count > MAX_AGENTS:
        raise InvalidError(f"--count is at most {MAX_AGENTS} with --agent", code="usage")
    spec = parse_spec(options.agent or "")
    names = [f"{spec.kind}-{number}" for number in range(1, count + 1)]
    if isinstance(spec, BotSpec | SocketSpec):
        raise InvalidError(
            "--agent takes model:NAME, file.py:Class, cmd:COMMAND or http://…", code="usage"
        )
    if isinstance(spec, ModelSpec):
        _run_models(spec.model, options, budget, names, run_for=run_for, where=where)
    elif options.record or options.replay or any(limit is not None for limit in budget):
        raise InvalidError("recordings and budgets are for model:NAME", code="usage")
    else:
        asyncio.run(run_for(_run_programs(options, names, where)))


def _run_models(
    model: str,
    options: AgentOptions,
    budget: BudgetOptions,
    names: list[str],
    *,
    run_for: RunFor,
    where: Any,
) -> None:
    from thorp.client.crew import run_agents
    from thorp.integrations.model_agent import HISTORY_TOKENS, ModelAgent
    from thorp.integrations.spending import Account, Allowance, read_price
    from thorp.integrations.transcript import Player, Recorder, Tape
    from thorp.language.tools import SIMPLE, TOOLS, WAIT
    from thorp.models.tool_chat import ToolClient

    if options.record and options.replay:
        raise InvalidError("give --record or --replay, not both", code="usage")
    if options.replay and (count := len(list(options.replay.glob("*.jsonl")))) != len(names):
        raise InvalidError(
            f"{options.replay} has {count} recordings; give --count {count}", code="usage"
        )
    client = None if options.replay else ToolClient.from_environment()
    price = read_price(budget.prices, model) if budget.prices else None
    whole = Account(Allowance(budget.max_calls, budget.max_tokens, budget.max_money), price)
    each = Allowance(budget.agent_calls, budget.agent_tokens, budget.agent_money)
    tools = SIMPLE if options.level == "simple" else (*TOOLS, WAIT)
    history = (
        HISTORY_TOKENS[options.level] if options.history_tokens is None else options.history_tokens
    )
    persona = _read_persona(options.persona) if options.persona else ""

    def make(name: str) -> ModelAgent:
        tape = Tape()
        if options.replay:
            tape = Player(options.replay / f"{name}.jsonl")
            where["stay"] = False  # it ends with the recording
        elif options.record:
            options.record.mkdir(parents=True, exist_ok=True)
            tape = Recorder(options.record / f"{name}.jsonl")
        return ModelAgent(
            name,
            model,
            client,
            Account(each, price, whole),
            tape,
            tools=tools,
            persona=persona,
            goal=options.goal,
            history_tokens=history,
            reply_seconds=options.reply_seconds,
            say=_complain,
        )

    crew = [make(name) for name in names]
    try:
        asyncio.run(run_for(run_agents(residents=crew, say=_complain, **where)))
    finally:
        told = [
            {
                "name": each.name,
                "deeds": each.deeds,
                "spent": each.account.spent,
                "ended": each.ended,
            }
            for each in crew
        ]
        lines = [f"{each.name}: {_told(each.deeds)}; {_told(each.account.spent)}" for each in crew]
        in_all = f"in all: {_told(whole.spent)}"
        print_answer(options.json, {"agents": told, "spent": whole.spent}, *lines, in_all)
    differences = [
        f"{each.name}: {difference}" for each in crew for difference in each.tape.differences()
    ]
    for difference in differences:
        _complain(difference)
    if differences:
        raise typer.Exit(1)


def _told(counts: msgspec.Struct) -> str:
    """The counts that are not zero, by name."""
    each = msgspec.structs.asdict(counts).items()
    return (
        ", ".join(f"{count:g} {name.replace('_', ' ')}" for name, count in each if count)
        or "nothing"
    )


async def _run_programs(options: AgentOptions, names: list[str], where: Any) -> None:
    from thorp.client.crew import run_agents
    from thorp.integrations.program import ProgramAgent

    crew = [
        ProgramAgent(name, _opened(Seat(name, options.agent or "")), _complain) for name in names
    ]
    try:
        await asyncio.gather(*(each.start() for each in crew))
        await run_agents(residents=crew, say=_complain, **where)
    finally:
        await asyncio.gather(*(each.stop() for each in crew))
        told = [
            {"name": each.name, "turns": each.turns, "failures": each.failures} for each in crew
        ]
        lines = (f"{each.name}: {each.turns} turns, {each.failures} failed" for each in crew)
        print_answer(options.json, {"agents": told}, *lines)


@contextmanager
def _opened(seat: Seat) -> Iterator[Callable[[int, Json], Json]]:
    """An agent as in the arena, which is told of a world instead of a scenario."""
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


def _read_persona(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(PERSONA_BYTES_LIMIT + 1)
    try:
        text = data.decode().strip()
    except UnicodeDecodeError:
        text = ""
    if not text or len(data) > PERSONA_BYTES_LIMIT:
        raise InvalidError(
            f"{path}: a persona is a text of at most {PERSONA_BYTES_LIMIT} bytes", code="persona"
        )
    return text


def bots(
    agents: AgentOptions,
    budget: BudgetOptions,
    *,
    count: Annotated[int, option("How many bots.", min=1, max=MAX_BOTS)] = 3,
    url: Annotated[str, option("The server's address.")] = "ws://127.0.0.1:8080/v1/ws",
    kind: Annotated[
        Literal["wanderer", "lumberjack", "farmer"] | None,
        option("The kind of all of them; by default each kind in turn."),
    ] = None,
    seconds: Annotated[float | None, option("How long; by default until Ctrl-C.", min=0)] = None,
    keep: Annotated[bool, option("Leave their bodies in the world at the end.")] = False,
    village: Annotated[
        bool, option("Be the demo village: its tokens come on stdin.", hidden=True)
    ] = False,
    attached: Annotated[bool, option("End when standard input does, too.", hidden=True)] = False,
    trace: Annotated[
        Path | None, option("Append as JSON lines what they see, do and hear.", "FILE")
    ] = None,
    data: DataOption = None,
    token: TokenOption = None,
) -> None:
    """Run bots in a world until Ctrl-C: they wander, fell trees, build huts and farm.

    With --agent, language models or programs of yours live there instead, and at the end it is told
    what they did and spent. At the end their bodies are removed from the world.

    Example: thorp bots --agent model:qwen3:8b --count 5 --goal "Build a hut" --max-calls 200
    --record run1
    """
    from thorp.client.bots import (
        BOTS,
        run_bots,
    )  # here, so that other commands need not load the kit

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    token = find_token(url, token, data)
    if village:
        from thorp.cli.village import run_village

        tokens = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, str])
        people = run_village(url, tokens, access_token=token, say=_complain)
        asyncio.run(_for_a_while(people, seconds, attached=attached))
        return
    if agents.agent is not None and kind is not None:
        raise InvalidError("give --kind or --agent, not both", code="usage")
    with nullcontext() if trace is None else trace.open("a", encoding="utf-8") as out:
        run_for = partial(_for_a_while, seconds=seconds, attached=attached)
        where: dict[str, Any] = {"access_token": token, "keep": keep, "trace": out}
        if agents.agent is not None:
            _run_agents(agents, budget, count, run_for, stay=seconds is not None, url=url, **where)
        else:
            kinds = tuple(BOTS) if kind is None else (kind,)
            asyncio.run(
                run_for(run_bots(url, count, kinds, say=partial(print, flush=True), **where))
            )


async def _for_a_while(
    crew: Coroutine[None, None, None], seconds: float | None, *, attached: bool
) -> None:
    """Let them live until they are done, the time is over, or the process that started us has
    ended."""
    try:
        async with asyncio.timeout(seconds) as limit:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _end, limit)
            watching = asyncio.create_task(_end_with_input(limit)) if attached else None
            try:
                await crew
            finally:
                if watching is not None:
                    watching.cancel()
    except TimeoutError:
        return


def _end(limit: asyncio.Timeout) -> None:
    """End now. Told twice, by a group's signal and by the server, it ends once."""
    with suppress(RuntimeError):
        limit.reschedule(asyncio.get_running_loop().time())


async def _end_with_input(limit: asyncio.Timeout) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while await reader.read(1024):
            pass
        _end(limit)
    finally:
        pipe.close()


def _complain(text: str) -> None:
    print(f"thorp: {text}", file=sys.stderr, flush=True)
