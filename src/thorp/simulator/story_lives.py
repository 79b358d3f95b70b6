"""Lives of a story on a disk that breaks: every beat is told once, and its answer stays the same to
the byte.

The script is drawn from the seed: what the operator says, what the writer proposes (questions,
entries for all or for a few, silence, proposals that are refused), seeds of the keeper, and
requests that come twice or with other content under the same id. The windows are small, so that
scenes are rebuilt often.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any, Final

from thorp.simulator.proposals import bundle, entry, question, voice
from thorp.simulator.script_lives import AnswerLost, ScriptLives
from thorp.store.database import Database
from thorp.story import StoryConfig
from thorp.story.config import Context
from thorp.story.service import Ledger
from thorp.story.writer import Moment, Words
from thorp.story.writer.offline import ScriptedWriter

CONFIG: Final = StoryConfig(context=Context(unit="chars", budget=400, ratio_percent=100))
SECRET: Final = 11
SCRIPT_STEPS: Final = (3, 9)
"""The fewest and the most steps of a script."""
LIKELY: Final = ("beat", "beat", "beat")
"""Steps that are drawn more often than the others."""
WORDS: Final = ("the river", "a bell", "tea", "rain", "the mill", "stones", "a letter", "nobody")

Line = dict[str, Any]


class ByHeart(ScriptedWriter):
    """A writer that says in each beat the lines of that beat, however often it is tried."""

    def __init__(self, lines: dict[str, list[Line]]) -> None:
        super().__init__()
        self._lines_of = lines

    def write(self, moment: Moment) -> Words:
        """The next line of the beat; the last line again if acceptance has refused it."""
        lines = self._lines_of[moment.request_id]
        self.script([lines[min(len(moment.results), len(lines) - 1)]])
        return super().write(moment)


class StoryLives(ScriptLives):
    """Lives of one story, and its client, which remembers what was answered."""

    def __init__(self, seed: int, **options: Any) -> None:
        super().__init__(seed, **options)
        count = self.random.randint(*SCRIPT_STEPS)
        kinds = (*LIKELY, *STEPS)
        self.script = [
            (self.random.choice(kinds), self.random.randrange(1000)) for _ in range(count)
        ]
        self.texts = [self._draw_text() for _ in self.script]
        self.lines = {str(number): self._draw_lines() for number in range(count)}
        self.done = 0
        """How many steps of the script are answered."""
        self.answered: dict[int, str] = {}
        """The body of the answer to each beat and seed, by its number in the script."""

    def _draw_text(self) -> str:
        words = " ".join(
            self.random.choice(WORDS) for _ in range(self.random.choice((1, 2, 4, 40)))
        )
        return self.random.choice((f"I see {words}.", f"Where is {words}?", words, ""))

    def _draw_lines(self) -> list[Line]:
        draw = self.random
        text = f"{draw.choice(WORDS).capitalize()} and {draw.choice(WORDS)}."
        last: Line = draw.choice(
            [
                bundle(voice(text), entry()),
                bundle(entry(text, to=["REBECCA"])),
                bundle(entry(text), wrote="yes"),
                bundle(entry(text, author="GEORGE", author_class="OPERATOR")),
                {"no_write": {}},
            ]
        )
        asked = draw.choice((0, 0, 1, 2))
        questions = [question(draw.choice(WORDS), name=f"tr_{number}") for number in range(asked)]
        return [*questions, last]

    def play(self, database: Database) -> str:
        """Open the story, and go on with the script after the last step that was answered."""
        writer = ByHeart(self.lines)
        with contextlib.closing(Ledger(database, CONFIG, writer, secret=SECRET)) as ledger:
            self._check_ledger(ledger)
            while self.done < len(self.script):
                kind, value = self.script[self.done]
                self.step(f"{kind} {self.done}")
                STEPS[kind](self, ledger, value)
                self.done += 1
            self._check_ledger(ledger)
            return ledger.tip()[1]

    # The steps of a script.

    def beat(self, ledger: Ledger, _: int) -> None:
        """The operator speaks, and the writer says its lines."""
        self.answered[self.done] = self._respond(ledger, self._envelope(self.done))

    def seed(self, ledger: Ledger, _: int) -> None:
        """The keeper sends a seed; the answer must be the document that the ledger keeps."""
        seed = {
            "request_id": str(self.done),
            "author_id": "WORLD",
            "text": "Tea.",
            "calendar": {"title": "Tea"},
        }
        status, body = ledger.seed(seed)
        self.check(status == 200, f"a seed is answered with {status}: {body}")
        kept = read_body(ledger, self.done)
        self.check(
            kept is not None and json.loads(kept) == body,
            "the answer to a seed is not what is kept",
        )
        self.answered[self.done] = kept or ""

    def again(self, ledger: Ledger, number: int) -> None:
        """The same request gives the same bytes."""
        for beat in self._one_beat(number):
            body = self._respond(ledger, self._envelope(beat))
            self.check(
                body == self.answered[beat], f"sent again, beat {beat} is answered otherwise"
            )

    def conflict(self, ledger: Ledger, number: int) -> None:
        """Other content under a used id gets the first answer, marked as another's, and changes
        nothing."""
        for beat in self._one_beat(number):
            tip = ledger.tip()
            answer = ledger.respond(self._envelope(beat, text="Other words."))
            if answer.status != 200:
                raise AnswerLost(f"{answer.status}: {answer.body}")
            holds = answer.mismatch and answer.body == self.answered[beat] and ledger.tip() == tip
            self.check(holds, f"other content under the id of beat {beat} is not told apart")

    def refresh(self, ledger: Ledger, _: int) -> None:
        """Looking changes nothing."""
        tip = ledger.tip()
        self._respond(ledger, {**self._envelope(self.done, text=""), "mode": {"kind": "NO_OP"}})
        self.check(ledger.tip() == tip, "a refresh has changed the story")

    def _one_beat(self, number: int) -> list[int]:
        beats = [each for each in self.answered if self.script[each][0] == "beat"]
        return [beats[number % len(beats)]] if beats else []

    def _respond(self, ledger: Ledger, envelope: Line) -> str:
        answer = ledger.respond(envelope)
        if answer.status != 200:
            raise AnswerLost(f"{answer.status}: {answer.body}")
        return answer.body

    def _envelope(self, number: int, text: str | None = None) -> Line:
        return {
            "request_id": str(number),
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
            "operator": {
                "operator_id": "GEORGE",
                "input_text": self.texts[number] if text is None else text,
            },
            "mode": {"kind": "BEAT"},
        }

    def _check_ledger(self, ledger: Ledger) -> None:
        """Check that every answer is there to the byte, and that nothing is there that was not
        sent, or only in part."""
        difference = ledger.verify().difference
        self.check(difference is None, f"the ledger is not sound: {difference}")
        for number, body in self.answered.items():
            self.check(
                read_body(ledger, number) == body, f"the answer to {number} is lost or changed"
            )
        beats = ledger.tip()[0]
        answers = len(self.answered)
        self.check(
            answers <= beats <= answers + 1,
            f"{answers} beats were answered, and the ledger has {beats}",
        )


def read_body(ledger: Ledger, number: int) -> str | None:
    """The answer that the ledger keeps for a request, if it has one."""
    select = "SELECT body FROM story_beat WHERE request_id = ?"
    rows = ledger.read(lambda connection: connection.execute(select, [str(number)]))
    return str(rows[0][0]) if rows else None


STEPS: Final[dict[str, Callable[[StoryLives, Ledger, int], None]]] = {
    "beat": StoryLives.beat,
    "seed": StoryLives.seed,
    "again": StoryLives.again,
    "conflict": StoryLives.conflict,
    "refresh": StoryLives.refresh,
}
