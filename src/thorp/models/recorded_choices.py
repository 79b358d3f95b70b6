"""Many games of a model that chooses, in one small file: how it answered, and what it was asked.

The file is JSON lines, packed with gzip or plain. The first line says what was played; each other
line is a game: the seed of its world, the letters that the model answered with, and the first
eight hexadecimal digits of the SHA-256 of every prompt, so that a replay notices if it asks
something else than was asked then. The rules, which begin every prompt and never change within a
file, have a whole digest in the first line. Tokens are not part of it.
"""

import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import islice
from typing import Annotated, Final, Literal, Self

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, LimitError, UnknownError
from thorp.models.chat import ChatRequest, Reply
from thorp.models.recording import Recording, Spent, read_recording

PROMPT_DIGITS: Final = 8
"""Digits of a prompt's digest: enough to notice that it is another one."""
BYTES_LIMIT: Final = 64 << 20
"""How long a file may be when it is unpacked: a hundred games are a megabyte."""
_HEADER: Final[dict[str, Json]] = {"format": "thorp.choices", "version": 1}
_GZIP: Final = b"\x1f\x8b"
_GZIP_WINDOW: Final = 31  # zlib's word for: gzip, with the largest window

_Letters = Annotated[str, msgspec.Meta(pattern="^[A-Za-z]*$")]
_Digits = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]*$")]


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: which match was played, by whom, and the digest of the rules."""

    format: Literal["thorp.choices"]
    version: Literal[1]
    scenario: str
    parameters: dict[str, Json]
    rules: str
    about: str = ""


def header_of(scenario: str, parameters: dict[str, Json], rules: str, about: str = "") -> _Header:
    """The first line for games of a scenario. `parameters` are all that it has."""
    return _Header(
        format="thorp.choices",
        version=1,
        scenario=scenario,
        parameters=parameters,
        rules=sha256(rules.encode()).hexdigest(),
        about=about,
    )


def prompt_digits(prompt: str) -> str:
    """What a file holds of a prompt."""
    return sha256(prompt.encode()).hexdigest()[:PROMPT_DIGITS]


class RecordedGame(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """One line: the seed of a game's world, and its answers. One that was broken off, by whoever
    played it, says after how many turns."""

    seed: int
    letters: _Letters
    prompts: _Digits
    turns: Annotated[int, msgspec.Meta(ge=1)] | None = None

    def __post_init__(self) -> None:
        if len(self.prompts) != PROMPT_DIGITS * len(self.letters):
            raise ValueError(f"expected {PROMPT_DIGITS} digits for each letter")

    def digest(self, number: int) -> str:
        """The digits of one prompt, counted from 0."""
        return self.prompts[PROMPT_DIGITS * number : PROMPT_DIGITS * (number + 1)]


class RecordedGames:
    """A file of games. `scenario` and `parameters` say what was played; `games` are by seed."""

    def __init__(self, header: _Header, games: Mapping[int, RecordedGame]) -> None:
        self.scenario = header.scenario
        self.parameters = header.parameters
        self.about = header.about
        self.games = games
        self._rules = header.rules

    @staticmethod
    def is_in(data: bytes) -> bool:
        """Whether these bytes are such a file, from their beginning; packed ones always are."""
        return data.startswith((_GZIP, b'{"about":', b'{"format":"thorp.choices"'))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a file. Refuses a torn or foreign one, by line number."""
        name = "recorded choices"
        text = _unpacked(data, name) if data.startswith(_GZIP) else data
        lines = read_recording(text, name, _HEADER, RecordedGame)
        first = next(lines, None)
        try:
            header = msgspec.convert(first, _Header)
        except msgspec.ValidationError as problem:
            raise InvalidError(f"{name}, line 1: {problem}", code="recording") from None
        games = {game.seed: game for game in islice(lines, None)}
        return cls(header, games)

    def to_jsonl(self) -> bytes:
        """The file, unpacked."""
        header: dict[str, Json] = {
            **_HEADER,
            "about": self.about,
            "parameters": self.parameters,
            "rules": self._rules,
            "scenario": self.scenario,
        }
        lines: list[Json] = [header, *map(msgspec.to_builtins, self.games.values())]
        return b"".join(canonical_bytes(line) + b"\n" for line in lines)

    def game(self, scenario: str, parameters: Mapping[str, Json], seed: int) -> "RecordedChoices":
        """The recording of one game. Refuses a match that is not in the file."""
        if scenario != self.scenario:
            raise InvalidError(
                f"the recorded games are of {self.scenario}, not of {scenario}", code="recording"
            )
        for name, value in self.parameters.items():
            if parameters.get(name) != value:
                raise InvalidError(
                    f"the recorded games have {name}={value}; leave --set {name} out, or give that",
                    code="recording",
                )
        if seed not in self.games:
            there = f"{min(self.games)} to {max(self.games)}" if self.games else "none"
            raise UnknownError(f"no game of seed {seed} is recorded; there are {there}")
        return RecordedChoices(self.games[seed], self._rules)


class RecordedChoices(Recording):
    """The recording of one game of one seat: it answers as long as it is asked what was asked then,
    and keeps what it said as any recording does."""

    def __init__(self, game: RecordedGame, rules: str) -> None:
        super().__init__()
        self.replaying = True
        self.game = game
        self._rules = rules
        self._said = Recording()
        self._seat = ""
        self._asked = 0
        self._trouble = ""

    def ask(self, caller: str, request: str, call: Callable[[], Reply]) -> Reply:
        """Refuses: who asks so wants an action in JSON."""
        raise InvalidError(
            "the recording has letters of options; leave --level out", code="unrecorded"
        )

    def answer(self, caller: str, request: ChatRequest, call: Callable[[], Reply]) -> Reply:
        """The recorded letter, if the prompt is the one that was recorded."""
        return self._said.ask(caller, request.digest, lambda: self._letter(caller, request))

    def to_jsonl(self) -> bytes:
        """What it has answered, to be kept beside the log."""
        return self._said.to_jsonl()

    @property
    def spent(self) -> Spent:
        """What was asked; tokens are not recorded."""
        return self._said.spent

    def _letter(self, caller: str, request: ChatRequest) -> Reply:
        self._trouble = self._trouble or self._difference(caller, request)
        if self._trouble:
            raise InvalidError(self._trouble, code="unrecorded")
        letter = self.game.letters[self._asked]
        self._asked += 1
        return Reply(letter, 0, 0)

    def _difference(self, caller: str, request: ChatRequest) -> str:
        """Why the recording has no answer; empty if it has one."""
        self._seat = self._seat or caller
        if caller != self._seat:
            return f"the recorded game is of one seat, and {self._seat} has it"
        if self._asked == len(self.game.letters):
            return f"the recorded game has {self._asked} answers, and this is one question more"
        rules, prompt = (each.content for each in request.messages)
        if sha256(rules.encode()).hexdigest() != self._rules:
            return "the rules that begin each prompt are not those of the recorded game"
        if prompt_digits(prompt) != self.game.digest(self._asked):
            return (
                f"question {self._asked + 1} is not the one that was recorded: the world or the "
                "prompts have changed since"
            )
        return ""


def _unpacked(data: bytes, name: str) -> bytes:
    """What gzip has packed, if it is not too long."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        text = unpacker.decompress(data, BYTES_LIMIT)
    except zlib.error:
        raise InvalidError(f"{name}: damaged, gzip cannot unpack it", code="recording") from None
    if unpacker.unconsumed_tail:
        raise LimitError(f"{name}: larger than {BYTES_LIMIT} bytes when unpacked", code="size")
    if not unpacker.eof:
        raise InvalidError(f"{name}: torn, its end is missing", code="recording")
    return text
