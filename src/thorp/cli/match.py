"""`thorp match …`: play one match, verify its log, show it."""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer

from thorp.arena import MatchInterrupted, MatchResult, service
from thorp.arena.contract import Level, MatchTask
from thorp.arena.events import LogReader
from thorp.arena.external import Replies, parse_seats
from thorp.arena.external.model_agents import is_local_without_choices
from thorp.arena.recap import recap
from thorp.arena.registry import agent_kinds, scenario_names, scenario_parameters
from thorp.cli.announcing import LogOption, announced, announcing, plan_of
from thorp.cli.commands import Commands, argument, option, print_json
from thorp.cli.interruption import Interruption
from thorp.cli.model_progress import show_loading
from thorp.cli.options import (
    Agents,
    AsJson,
    DataOption,
    ExactTip,
    MatchOptions,
    ScenarioName,
    data_directory,
)
from thorp.cli.proofs import ProofOptions, exit_1
from thorp.kernel.canonical import canonical_text
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.kernel.text import printable
from thorp.models.recorded_choices import RecordedChoices
from thorp.pages.standalone import single_page
from thorp.store import RealDisk, write_atomic

app = Commands(help="Play one match, verify its log, show it.")

LogFile = Annotated[Path, argument("A match log.", "FILE")]
WHOLE_BITS = 256
_BASIS = {
    "manifest": "judged by its manifest",
    "observations": "a bare log, judged with the parameters that its observations show",
    "defaults": "a bare log, judged with default parameters",
}


class RecordOptions(NamedTuple):
    """What a match is called, where its log goes, and what model agents play from."""

    match_id: Annotated[str | None, option("The match's id; by default drawn from the seed.")] = (
        None
    )
    out: Annotated[
        str | None,
        option(
            "Where the log goes; - is standard output, the default unless that is a terminal.",
            "FILE|-",
        ),
    ] = None
    force: Annotated[bool, option("Replace files that exist.")] = False
    replies: Annotated[
        Path | None,
        option("Recorded replies to play from, instead of a model: of this match, or of many."),
    ] = None
    level: Annotated[
        Level | None,
        option("How models are asked: for a JSON object, or for the letter of an option."),
    ] = None
    publish: LogOption = False
    data: DataOption = None

    @property
    def is_kept(self) -> bool:
        """Whether the log goes to the data directory, where a server shows it while it grows."""
        return self.data is not None and self.out is None and not self.publish

    def log_path(self, scenario: str, seed: int) -> Path | None:
        """Where the log goes; None for standard output. Refuses a file that may not be written."""
        if self.is_kept:
            return service.free_path(data_directory(self.data) / "matches", f"{scenario}-{seed}")
        if self.out is not None and self.out != "-":
            path = Path(self.out)
            service.refuse_existing(path, replace=self.force)
            return path
        if self.publish:
            raise InvalidError("--log publishes files: give --out FILE, too", code="usage")
        return None


@app.command()
def run(scenario: ScenarioName, agent: Agents, record: RecordOptions, rules: MatchOptions) -> None:
    """Play one match and write its log. With --data and no --out it is kept in DIR/matches, where
    the page of `thorp up` shows it, while it is played too. Ctrl-C or SIGTERM ends it and keeps
    what was played so far.

    A SPEC is a kind of bot (random), file.py:Class, cmd:COMMAND, ws:COMMAND, http://…,
    model:NAME, or local: the embedded model.

    Example: thorp match run number-guess --agent random --agent me=bot.py:Bot --seed 7 --out
    final.jsonl
    """
    parameters = scenario_parameters(scenario, rules.parameters())
    task = MatchTask(
        scenario=scenario,
        seats=parse_seats(agent),
        seed=rules.seed,
        max_turns=rules.max_turns,
        parameters=parameters,
        match_id=record.match_id,
        limits=rules.limits,
        secret=service.choose_secret(scenario, parameters, rules.secret),
        level=msgspec.UNSET if record.level is None else record.level,
    )
    log = record.log_path(scenario, rules.seed)
    replies = Replies()
    if record.replies is not None:
        task, replies = service.replayed_match(task, record.replies)
    stopped = None
    with announcing(record.data, wanted=record.publish) as event, ExitStack() as stack:
        event.open_match(task)
        watch = None
        if record.is_kept and log is not None:
            watch = stack.enter_context(service.live_log(RealDisk(), log))
        interruption = Interruption(watch)
        stack.enter_context(interruption.holding_signals())
        try:
            result = service.play(task, replies, watch=interruption.watch, loading=_show_loading)
        except MatchInterrupted as interrupt:
            stopped = interrupt
            result = interrupt.result
        tip = None
        if log is not None:
            tip = service.save_match(
                RealDisk(), log, task, result, replies.to_jsonl() or None, replace=record.force
            )
            event.close_match(log)
    if log is None:
        _print_unkept(result, record.out)
    else:
        print(f"{log}: {result.reason} after {result.turns} turns; {_scores(result)}")
        print(f"tip {tip}")
    if record.replies is None:
        _say_who_cannot_choose(task)
    _print_failures(result)
    _say_if_broken_off(replies)
    if result.error is not None:
        print(f"thorp: the scenario failed: {result.error}", file=sys.stderr)
        raise typer.Exit(1)
    if stopped is not None:
        print(f"thorp: interrupted in turn {result.turns}; this is the log so far", file=sys.stderr)
        sys.stdout.flush()
        raise stopped


def _print_unkept(result: MatchResult, out: str | None) -> None:
    """Print the log of a match that is kept in no file; on a terminal, only how it ended."""
    if out is None and sys.stdout.isatty():
        print(f"{result.reason} after {result.turns} turns; {printable(_scores(result))}")
        print("(--out FILE keeps the log; --out - prints it)")
    else:
        sys.stdout.buffer.write(result.jsonl)


def _say_if_broken_off(replies: Replies) -> None:
    """Say that a recorded game did not end, if it was played again."""
    if isinstance(replies, RecordedChoices) and replies.game.turns is not None:
        print(
            f"thorp: the recorded game was broken off after turn {replies.game.turns}; it counts "
            "as it stood there",
            file=sys.stderr,
        )


def _say_who_cannot_choose(task: MatchTask) -> None:
    """A line for each seat of the embedded model that has to answer in JSON."""
    for seat in task.seats:
        if is_local_without_choices(seat, task):
            print(
                f"thorp: {task.scenario} offers no choices, so {seat.id} answered in JSON, without "
                "the adapter, which seldom goes well",
                file=sys.stderr,
            )


def _show_loading(name: str) -> AbstractContextManager[Callable[[float], None]]:
    return show_loading(name, quiet=False)


def _scores(result: MatchResult) -> str:
    scores = [f"{agent_id} {score}" for agent_id, score in result.scores.items()]
    return ", ".join(scores) or "no scores"


def _print_failures(result: MatchResult) -> None:
    """For each agent that failed: how often, its first error, and what it wrote meanwhile."""
    for agent_id, said in result.diagnostics.items():
        errors = (event for event in result.events if event["type"] == "AgentError")
        messages = [event["message"] for event in errors if event["agentId"] == agent_id]
        if messages:
            line = f"{agent_id} failed {len(messages)} times: {printable(messages[0])}"
            end = "\n" if said and not said.endswith("\n") else ""
            print(f"thorp: {line}\n{printable(said)}", file=sys.stderr, end=end)


@app.command()
def verify(
    file: LogFile, proof: ProofOptions, tip: ExactTip = None, as_json: AsJson = False
) -> None:
    """Judge every recorded action again; every byte must be reproduced. Exit code 1 if not."""
    with exit_1(as_json=as_json):
        event = proof.match(file, lambda: plan_of(service.read_task(file)))
    verdict = service.verify_file(file, tip)
    difference = verdict.difference
    if as_json:
        print_json(verdict)
    elif difference is not None:
        reason = printable(difference.message)
        print(f"{file}:{difference.line}: {difference.code}: {reason} ({_BASIS[verdict.basis]})")
    else:
        bots = (
            printable(f"; played again: {', '.join(verdict.replayed_bots)}")
            if verdict.replayed_bots
            else ""
        )
        print(
            f"{file}: {verdict.lines} events reproduced to the byte ({_BASIS[verdict.basis]}{bots})"
        )
        if verdict.interrupted:
            print("the match was interrupted: its log ends there, without scores")
        if verdict.tip is not None:
            print(f"tip {verdict.tip}")
        if verdict.block_bits is not None and verdict.block_bits < WHOLE_BITS:
            bits = verdict.block_bits
            print(f"the digests of its blocks have {bits} bits, that of the log is whole")
        if event is not None:
            print(announced(event, 1))
    raise typer.Exit(0 if difference is None else 1)


@app.command()
def show(
    file: LogFile,
    agent: Annotated[str | None, option("Only what this agent did.", "ID")] = None,
    summaries: Annotated[bool, option("Also the state after each turn, secrets included.")] = False,
    html: Annotated[
        Path | None, option("Write a page that replays it, for any browser.", "OUT")
    ] = None,
) -> None:
    """Show a match line by line, or as a page that needs no server."""
    with service.open_log(file) as log:
        lines = recap(LogReader(log), only_agent=agent, summaries=summaries)
        if html is None:
            for line in lines:
                print(line)
            return
        deque(lines, 0)  # read to the end, so that a file that is not a log is refused
        log.seek(0)
        beside = service.sidecar_path(file, service.REPLIES)
        replies = service.read_replies(beside).to_jsonl() if beside.exists() else b""
        write_atomic(
            RealDisk(), html, single_page("A match of Thorp", log=log.read(), replies=replies)
        )
    print(html)


@app.command(name="list")
def list_scenarios(as_json: AsJson = False) -> None:
    """List every scenario with its bots and parameters."""
    rows = []
    for name in scenario_names():
        try:
            rows.append((name, agent_kinds(name), scenario_parameters(name, {})))
        except IllegalError as broken:
            print(f"thorp: {broken}", file=sys.stderr)
    if as_json:
        print_json(
            {name: {"agents": agents, "parameters": values} for name, agents, values in rows}
        )
        return
    for name, agents, values in rows:
        print(name)
        print(f"  bots        {', '.join(agents)}")
        parameters = " ".join(
            f"{key}={canonical_text([*value] if isinstance(value, tuple) else value)}"
            for key, value in values.items()
        )
        print(f"  parameters  {parameters}")
