"""Runs the agents of matches again, which shows that they do the same."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from thorp.arena import service
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external import Replies
from thorp.arena.external.spec import BotSpec, FileSpec, ModelSpec, parse_spec
from thorp.arena.tournament.outcome import Outcome
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.kernel.identity import digest


def rerun_agents(
    path: Path,
    entrants: Sequence[Seat],
    code: Mapping[str, str | None],
    played: Iterable[tuple[MatchTask, Outcome, Path]],
) -> frozenset[str]:
    """Run the agents of all matches again, if the code of every seat is here; return the seats that
    did the same to the byte. Models answer from the recording of each match, and are not among the
    seats returned. Refuses agents that did something else."""
    for entrant in entrants:
        spec = parse_spec(entrant.spec)
        if isinstance(spec, BotSpec | ModelSpec):
            continue
        if not isinstance(spec, FileSpec) or not Path(spec.path).is_file():
            return frozenset()
        if code_digest(spec) != code.get(entrant.id):
            return frozenset()
    for task, outcome, recording in played:
        replies = service.read_replies(recording) if recording.is_file() else Replies()
        replies.replaying = True
        try:
            again = digest(service.play(task, replies, tolerant=True).jsonl)
        except ThorpError as refusal:
            raise InvalidError(f"{path}: {outcome.key}: {refusal}", code=refusal.code) from None
        if again != outcome.log:
            raise InvalidError(
                f"{path} is not reproduced: run again here, {outcome.key} went otherwise",
                code="not_reproduced",
            )
    return frozenset(
        entrant.id for entrant in entrants if not isinstance(parse_spec(entrant.spec), ModelSpec)
    )


def code_digest(spec: FileSpec) -> str:
    """The SHA-256 of an agent's file as it is now."""
    with service.open_log(Path(spec.path)) as file:
        return digest(file.read())
