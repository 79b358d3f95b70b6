"""`thorp bots`: run bots in a world, or with `--agent` models and programs."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TextIO

import msgspec
import typer

from thorp.arena.contract import AgentConfig, AgentContext, Limits, MatchTask, Seat
from thorp.arena.external import open_agent
from thorp.arena.external.protocol import SECONDS_LIMIT, WORLD
from thorp.arena.external.spec import BotSpec, LocalSpec, ModelSpec, SocketSpec, parse_spec
from thorp.cli.commands import option, print_answer
from thorp.cli.location import TokenOption, find_token
from thorp.cli.options import AsJson, DataOption
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.integrations.choosing_agent import ChoosingAgent
    from thorp.integrations.model_agent import ModelAgent
    from thorp.integrations.spending import Account
    from thorp.integrations.transcript import Tape
    from thorp.models.embedded.process import Endpoint

MAX_BOTS: Final = 2_000  # One process cannot read more observations in time.
MAX_AGENTS: Final = 500  # With --agent: a program is a process of its own.
PERSONA_BYTES_LIMIT: Final = 16_384  # It is part of every request.
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


class AgentOptions(NamedTuple):
    """Which agents live there instead of bots, and what a model among them is given."""

    agent: Annotated[
        str | None,
        option("No bots: model:NAME, file.py:Class, cmd:COMMAND, http://… or local", "SPEC"),
    ] = None
    persona: Annotated[Path | None, option("Who a model is: a text.", "FILE")] = None
    goal: Annotated[str, option("What a model should achieve.", "TEXT")] = ""
    level: Annotated[
        Literal["choices", "simple", "full"] | None,
        option("A menu of lettered options, few tools, or all; local chooses, others have all."),
    ] = None
    record: Annotated[Path | None, option("Write down each model's talk.", "DIR")] = None
    replay: Annotated[
        Path | None, option("Play a recording, not the model; tell differences.", "DIR")
    ] = None
    history_tokens: Annotated[
        int | None, option("How much talk a model is shown; 6000, or 2000 if simple.", min=0)
    ] = None
    reply_seconds: Annotated[float, option("How long a reply may take.", min=0.1, max=3600)] = 60.0
    json: AsJson = False

    def level_of(self, spec: ModelSpec) -> str:
        """The level that was asked for, or else the usual one of a model."""
        return self.level or ("choices" if isinstance(spec, LocalSpec) else "full")


class BudgetOptions(NamedTuple):
    """What models may cost; by default there is no limit."""

    max_calls: Annotated[
        int | None, option("The most calls of models in the whole run.", min=0)
    ] = None
    max_tokens: Annotated[
        int | None, option("The most tokens in the whole run, of prompts and replies.", min=0)
    ] = None
    max_money: Annotated[
        float | None, option("The most money in the whole run, by --prices.", min=0)
    ] = None
    agent_calls: Annotated[int | None, option("The most calls of each agent.", min=0)] = None
    agent_tokens: Annotated[int | None, option("The most tokens of each agent.", min=0)] = None
    agent_money: Annotated[
        float | None, option("The most money of each agent, by --prices.", min=0)
    ] = None
    prices: Annotated[
        Path | None, option("What a million tokens of a model cost, as JSON.", "FILE")
    ] = None


class Visit(NamedTuple):
    """Where a crew lives, and when it leaves."""

    url: str
    access_token: str | None
    trace: TextIO | None
    seconds: float | None
    keep: bool  # Their bodies stay in the world at the end.
    attached: bool  # Standard input is the process that started us; they leave when it ends.

    def connection(self) -> dict[str, Any]:
        """The options of `run_agents` that say how a crew is connected."""
        return {"access_token": self.access_token, "keep": self.keep, "trace": self.trace}

    def run(self, lives: Coroutine[None, None, None]) -> None:
        """Let the crew live until it is done or the visit is over."""
        asyncio.run(_for_a_while(lives, self.seconds, attached=self.attached))

    @property
    def stays(self) -> bool:
        """Whether agents that are done idle until the time is over."""
        return self.seconds is not None


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
    people = run_village(crew.url, tokens, access_token=token, say=_complain)
    asyncio.run(_for_a_while(people, crew.seconds, attached=crew.attached))


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
        people = run_minds(
            crew.url, tokens, model, access_token=token, report=report, say=_complain
        )
        asyncio.run(_for_a_while(people, crew.seconds, attached=crew.attached))


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
        _run_models(spec, options, budget, names, visit)
    elif options.record or options.replay or any(limit is not None for limit in budget):
        raise InvalidError("recordings and budgets are for model:NAME and local", code="usage")
    else:
        seats = [Seat(name, spec_text) for name in names]
        visit.run(_live_as_programs(seats, visit, as_json=options.json))


def _run_models(
    spec: ModelSpec, options: AgentOptions, budget: BudgetOptions, names: list[str], visit: Visit
) -> None:
    """Let models live; report what they did and spent however the visit ends, and exit with 1 if a
    replay went another way than its recording."""
    from thorp.client.crew import run_agents
    from thorp.integrations.spending import Account, Allowance, read_price

    if options.record and options.replay:
        raise InvalidError("give --record or --replay, not both", code="usage")
    if options.replay and (count := len(list(options.replay.glob("*.jsonl")))) != len(names):
        raise InvalidError(
            f"{options.replay} has {count} recordings; give --count {count}", code="usage"
        )
    price = read_price(budget.prices, spec.model) if budget.prices else None
    whole = Account(Allowance(budget.max_calls, budget.max_tokens, budget.max_money), price)
    allowance = Allowance(budget.agent_calls, budget.agent_tokens, budget.agent_money)
    accounts = {name: Account(allowance, price, whole) for name in names}
    with _endpoint_of(spec, options) as endpoint:
        crew: Sequence[ModelAgent | ChoosingAgent]
        if options.level_of(spec) == "choices":
            crew = _choosing_crew(spec, options, accounts, endpoint)
        else:
            crew = _calling_crew(spec, options, accounts, endpoint)
        stays = visit.stays and options.replay is None  # A replay is over with its recording.
        try:
            visit.run(run_agents(visit.url, crew, stay=stays, say=_complain, **visit.connection()))
        finally:
            _report_models(crew, whole, as_json=options.json)
    differences = [
        f"{agent.name}: {difference}" for agent in crew for difference in agent.tape.differences()
    ]
    for difference in differences:
        _complain(difference)
    if differences:
        raise typer.Exit(1)


@contextmanager
def _endpoint_of(spec: ModelSpec, options: AgentOptions) -> Iterator["Endpoint | None"]:
    """The endpoint of `local`, which lasts as long as the crew; None if the environment names one,
    or none is needed."""
    if not isinstance(spec, LocalSpec) or options.replay:
        yield None
        return
    from thorp.cli.model_progress import show_loading
    from thorp.models.embedded.local import open_local

    chooses = options.level_of(spec) == "choices"
    with ExitStack() as stack:
        with show_loading(spec.name or spec.kind, quiet=False) as waiting:
            opened = open_local(spec.name, chooses=chooses, waiting=waiting)
            endpoint = stack.enter_context(opened)
        yield endpoint


def _choosing_crew(
    spec: ModelSpec,
    options: AgentOptions,
    accounts: Mapping[str, "Account"],
    endpoint: "Endpoint | None",
) -> list["ChoosingAgent"]:
    """Models that choose among lettered options."""
    from thorp.integrations.choosing_agent import MAX_ASKED_AT_ONCE, ChoosingAgent
    from thorp.models.choice import LISTED_BY_LLAMA, ChoiceClient

    if options.goal or options.persona:
        _complain("a model that only chooses follows no --goal and no --persona; it is told none")
    client = None
    if endpoint is not None:
        client = ChoiceClient(endpoint.url, endpoint.key)
        client.listed = LISTED_BY_LLAMA
        client.trouble = endpoint.trouble
    elif not options.replay:
        client = ChoiceClient.from_environment()
    turns = asyncio.Semaphore(MAX_ASKED_AT_ONCE)
    return [
        ChoosingAgent(
            name,
            spec.model,
            client,
            account,
            _open_tape(name, options),
            turns=turns,
            reply_seconds=options.reply_seconds,
            say=_complain,
        )
        for name, account in accounts.items()
    ]


def _calling_crew(
    spec: ModelSpec,
    options: AgentOptions,
    accounts: Mapping[str, "Account"],
    endpoint: "Endpoint | None",
) -> list["ModelAgent"]:
    """Models that call tools."""
    from thorp.integrations.model_agent import HISTORY_TOKENS, ModelAgent
    from thorp.language.tools import SIMPLE, TOOLS, WAIT
    from thorp.models.tool_chat import ToolClient

    client = None
    if endpoint is not None:
        client = ToolClient(endpoint.url, endpoint.key)
    elif not options.replay:
        client = ToolClient.from_environment()
    level = options.level_of(spec)
    history_tokens = options.history_tokens
    if history_tokens is None:
        history_tokens = HISTORY_TOKENS[level]
    persona = _read_persona(options.persona) if options.persona else ""
    return [
        ModelAgent(
            name,
            spec.model,
            client,
            account,
            _open_tape(name, options),
            tools=SIMPLE if level == "simple" else (*TOOLS, WAIT),
            persona=persona,
            goal=options.goal,
            history_tokens=history_tokens,
            reply_seconds=options.reply_seconds,
            say=_complain,
        )
        for name, account in accounts.items()
    ]


def _open_tape(name: str, options: AgentOptions) -> "Tape":
    """The recording that an agent plays or makes; by default one that keeps nothing."""
    from thorp.integrations.transcript import Player, Recorder, Tape

    if options.replay:
        return Player(options.replay / f"{name}.jsonl")
    if options.record:
        options.record.mkdir(parents=True, exist_ok=True)
        return Recorder(options.record / f"{name}.jsonl")
    return Tape()


def _report_models(
    crew: Sequence["ModelAgent | ChoosingAgent"], whole: "Account", *, as_json: bool
) -> None:
    rows = [
        {
            "name": agent.name,
            "deeds": agent.deeds,
            "spent": agent.account.spent,
            "ended": agent.ended,
        }
        for agent in crew
    ]
    lines = [
        f"{agent.name}: {_count_list(agent.deeds)}; {_count_list(agent.account.spent)}"
        for agent in crew
    ]
    in_all = f"in all: {_count_list(whole.spent)}"
    print_answer(as_json, {"agents": rows, "spent": whole.spent}, *lines, in_all)


def _count_list(counts: msgspec.Struct) -> str:
    """The counts that are not zero, each with its name."""
    fields = msgspec.structs.asdict(counts).items()
    named = [f"{count:g} {name.replace('_', ' ')}" for name, count in fields if count]
    return ", ".join(named) or "nothing"


async def _live_as_programs(seats: Sequence[Seat], visit: Visit, *, as_json: bool) -> None:
    """Start a program for each seat, let all of them live, and report their turns."""
    from thorp.client.crew import run_agents
    from thorp.integrations.program import ProgramAgent

    crew = [ProgramAgent(seat.id, _opened(seat), _complain) for seat in seats]
    try:
        await asyncio.gather(*(agent.start() for agent in crew))
        await run_agents(visit.url, crew, stay=visit.stays, say=_complain, **visit.connection())
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


async def _for_a_while(
    crew: Coroutine[None, None, None], seconds: float | None, *, attached: bool
) -> None:
    """Let a crew live until it is done, the time is over, SIGTERM comes, or, if `attached`, the
    process that started us has ended."""
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
    """End now. A second call does nothing: a process group's signal and the server may both ask."""
    with suppress(RuntimeError):
        limit.reschedule(asyncio.get_running_loop().time())


async def _end_with_input(limit: asyncio.Timeout) -> None:
    """End when standard input does: then the process that holds its other end is gone."""
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
