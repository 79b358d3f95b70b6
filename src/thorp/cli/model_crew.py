"""Language models that live in a world: opened, let live, and accounted for."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import msgspec
import typer

from thorp.arena.external.spec import LocalSpec, ModelSpec
from thorp.cli.commands import option, print_answer
from thorp.cli.options import AsJson
from thorp.cli.visit import Visit, complain
from thorp.kernel.errors import InvalidError

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.integrations.choosing_agent import ChoosingAgent
    from thorp.integrations.model_agent import ModelAgent
    from thorp.integrations.model_run import ModelRun
    from thorp.integrations.spending import Account
    from thorp.integrations.transcript import Tape
    from thorp.models.embedded.process import Endpoint

PERSONA_BYTES_LIMIT: Final = 16_384  # It is part of every request.


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


def run_models(
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
            visit.run(run_agents(visit.url, crew, stay=stays, say=complain, **visit.connection()))
        finally:
            _report_models(crew, whole, as_json=options.json)
    differences = [
        f"{agent.name}: {difference}" for agent in crew for difference in agent.tape.differences()
    ]
    for difference in differences:
        complain(difference)
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
        complain("a model that only chooses follows no --goal and no --persona; it is told none")
    client = None
    if endpoint is not None:
        client = ChoiceClient(endpoint.url, endpoint.key)
        client.listed = LISTED_BY_LLAMA
        client.trouble = endpoint.trouble
    elif not options.replay:
        client = ChoiceClient.from_environment()
    turns = asyncio.Semaphore(MAX_ASKED_AT_ONCE)
    return [ChoosingAgent(run, client, turns=turns) for run in _model_runs(spec, options, accounts)]


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
            run,
            client,
            tools=SIMPLE if level == "simple" else (*TOOLS, WAIT),
            persona=persona,
            goal=options.goal,
            history_tokens=history_tokens,
        )
        for run in _model_runs(spec, options, accounts)
    ]


def _model_runs(
    spec: ModelSpec, options: AgentOptions, accounts: Mapping[str, "Account"]
) -> Iterator["ModelRun"]:
    """How each agent of a crew lives, by the names of their accounts."""
    from thorp.integrations.model_run import ModelRun

    for name, account in accounts.items():
        yield ModelRun(
            name=name,
            model=spec.model,
            account=account,
            tape=_open_tape(name, options),
            reply_seconds=options.reply_seconds,
            say=complain,
        )


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
