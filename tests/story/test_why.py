"""Why the story has an entry: found by id or sentence, told to each view as far as it may know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.postgres import Cluster
from tests.story.suite import configured
from tests.story.world import SEQUENTIAL, WatchedWriter, World, bundle, entry, question, voice
from thorp.kernel.errors import IllegalError, InvalidError, LimitError, ThorpError, UnknownError
from thorp.story import Part, StoryConfig, open_ledger
from thorp.story.config import Person
from thorp.story.knowledge import UnknownReader
from thorp.story.lookup import NAMED_LIMIT, WANTED_LIMIT, sentences_of
from thorp.story.past import PastTables
from thorp.story.tools import ToolGate
from thorp.story.why import EntryOrigin, Given
from thorp.story.writer.offline import ScriptedWriter

PEOPLE = configured(SEQUENTIAL, people=(Person("REBECCA"), Person("OSWIN")))
RANDOM = StoryConfig(people=(Person("REBECCA"), Person("OSWIN")))


def opened(path: Path, *lines: Any, config: StoryConfig = PEOPLE) -> World:
    writer = WatchedWriter(lines)
    return World(open_ledger(path, config, writer), writer)


def why(world: World, wanted: str, reader: str | None = "GEORGE") -> EntryOrigin:
    return world.ledger.explain(reader, wanted)[1]


def refused(world: World, wanted: str, reader: str | None = "GEORGE") -> ThorpError:
    with pytest.raises(ThorpError) as problem:
        world.ledger.explain(reader, wanted)
    return problem.value


def ids(world: World, reader: str | None = "GEORGE") -> dict[str, str]:
    entries = world.ledger.page(reader)["stream"]["entries"]
    return {each["text"]: each["entry_id"] for each in entries}


# Finding.


def test_an_entry_is_found_by_its_id_and_by_a_sentence_of_it(tmp_path: Path) -> None:
    with opened(tmp_path, bundle(voice("Rain falls. The mill is shut.")), config=RANDOM) as world:
        world.stream("Look outside.")
        wanted = ids(world)["Rain falls. The mill is shut."]
        for way in (
            wanted,
            "The mill is shut.",
            "  the MILL is\nshut ",
            "mill is",
            "Rain falls. The",
        ):
            assert why(world, way).entry_id == wanted, way


def test_a_whole_sentence_goes_before_those_who_quote_it(tmp_path: Path) -> None:
    quoted = "You said: The ferry leaves at nine, and nobody came."
    with opened(tmp_path, bundle(voice("Rain falls.")), bundle(voice(quoted))) as world:
        world.stream("The ferry leaves at nine")
        world.stream("Again.")
        assert why(world, "the ferry leaves at nine").text == "The ferry leaves at nine"
        assert why(world, "ferry leaves at nine, and").text == quoted


def test_a_sentence_of_several_entries_is_refused_with_their_ids(tmp_path: Path) -> None:
    lines = [bundle(voice("Rain falls.")) for _ in range(NAMED_LIMIT + 2)]
    with opened(tmp_path, *lines) as world:
        for _ in lines:
            world.stream("")
        problem = refused(world, "Rain falls.")
        assert isinstance(problem, IllegalError)
        assert problem.code == "ambiguous"
        named = [f"e:{number:08d}" for number in range(1, NAMED_LIMIT + 1)]
        assert problem.message == (
            f"{NAMED_LIMIT + 2} entries say that: {', '.join(named)}, …; give the id of one"
        )


def test_only_entries_of_the_view_make_a_sentence_ambiguous(tmp_path: Path) -> None:
    texts = bundle(voice("Rain falls."), voice("Rain falls.", to=["REBECCA"]))
    with opened(tmp_path, texts) as world:
        world.stream("")
        assert why(world, "Rain falls.", "OSWIN").known.scope == "PUBLIC"
        assert refused(world, "Rain falls.", "REBECCA").code == "ambiguous"


@pytest.mark.parametrize("config", [PEOPLE, RANDOM], ids=["sequential", "random"])
def test_what_a_view_may_not_see_is_refused_as_what_does_not_exist(
    tmp_path: Path, config: StoryConfig
) -> None:
    secret = "The key lies under the third stone."
    with opened(tmp_path, bundle(voice(secret, to=["REBECCA"])), config=config) as world:
        world.stream("")
        [hidden] = ids(world, "REBECCA").values()
        assert why(world, hidden, "REBECCA").text == why(world, secret, "REBECCA").text == secret
        nowhere = "e:00000099" if config is PEOPLE else f"e:{'0' * 32}"
        for reader in ("GEORGE", "OSWIN", None, "WORLD"):
            answers = {
                (type(problem), problem.code, problem.message, problem.path)
                for wanted in (hidden, nowhere, secret, "The key lies nowhere at all.")
                for problem in [refused(world, wanted, reader)]
            }
            assert len(answers) == 1, reader
            assert {code for _, code, _, _ in answers} == {"no_entry"}


@pytest.mark.parametrize(
    ("wanted", "kind", "code"),
    [
        ("", InvalidError, "no_words"),
        (" \n\t", InvalidError, "no_words"),
        ("of the", InvalidError, "no_words"),
        ("…!?“”", InvalidError, "no_words"),
        ("x" * (WANTED_LIMIT + 1), LimitError, "too_long"),
        ("x" * WANTED_LIMIT, UnknownError, "no_entry"),
        ("e:zz", UnknownError, "no_entry"),
        ("b:00000001", UnknownError, "no_entry"),
        ("'; DROP TABLE story_entry; --", UnknownError, "no_entry"),
        ("\u202eecho \x00 \ud800", UnknownError, "no_entry"),
        ("<script>alert(1)</script> %s {0} $1", UnknownError, "no_entry"),
    ],
)
def test_hostile_questions_get_one_line_and_a_code(
    tmp_path: Path, wanted: str, kind: type[ThorpError], code: str
) -> None:
    with opened(tmp_path) as world:
        world.stream("The ferry leaves at nine.")
        before = world.ledger.tip()
        problem = refused(world, wanted)
        assert (type(problem), problem.code) == (kind, code)
        assert "\n" not in problem.message
        assert problem.message.isprintable()
        assert world.ledger.tip() == before


def test_an_unknown_reader_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as world, pytest.raises(UnknownReader):
        world.ledger.explain("NOBODY", "e:00000001")


def test_sentences_are_cut_after_their_marks() -> None:
    assert sentences_of("Rain falls. “Go!” she says.  Is it 3.5 miles? Yes") == [
        "Rain falls.", "“Go!", "she says.", "Is it 3.5 miles?", "Yes"
    ]  # fmt: skip
    assert sentences_of("") == []


# Who proposed it.


def test_who_proposed_an_entry(tmp_path: Path) -> None:
    lines = [bundle(entry("I confess.", author="GEORGE")), bundle(voice("Rain falls."))]
    with opened(tmp_path, *lines) as world:
        world.stream("Look.", declared="2026-07-01T12:00:00Z")
        world.ledger.seed({"request_id": "s", "author_id": "WORLD", "text": "A mill by a ford."})
        said = why(world, "Rain falls.").proposal
        assert (said.kind, said.writer, said.beat) == ("writer", "scripted", 1)
        assert (said.outcome, said.refused) == ("written", ["OPERATOR_IMPERSONATION"])
        assert said.invoker == "SYSTEM_INVOKER"
        assert why(world, "Look.").proposal.kind == "operator"
        assert why(world, "A mill by a ford.").proposal.kind == "seed"
        assert why(world, "A mill by a ford.").proposal.writer is None
        [clock] = ids(world, "SYSTEM_INVOKER").keys() - ids(world).keys()
        assert why(world, clock, "SYSTEM_INVOKER").proposal.kind == "clock"


def test_persons_are_told_of_no_beat_no_attempt_and_no_other_reader(tmp_path: Path) -> None:
    lines = [
        bundle(entry("I confess.", author="GEORGE")),
        bundle(
            voice("Rain falls.", to=["REBECCA", "OSWIN"]),
            voice("A key.", to=["REBECCA"]),
            voice("Snow.", to=["GEORGE", "OSWIN"]),
        ),
    ]
    with opened(tmp_path, *lines) as world:
        world.stream("")
        for reader, beside in (("REBECCA", ["A key."]), ("OSWIN", ["Snow."])):
            rain = why(world, "Rain falls.", reader)
            assert (rain.known.readers, rain.known.readers_total) == ([reader], None)
            said = rain.proposal
            assert (said.beat, said.invoker, said.outcome, said.refused) == (None,) * 4
            texts = {entry_id: text for text, entry_id in ids(world, reader).items()}
            assert [texts[each] for each in rain.written_with] == beside
        snow = why(world, "Snow.").known
        assert (snow.readers, snow.readers_total) == (["GEORGE", "OSWIN"], 2)
        assert why(world, "Snow.").proposal.refused == ["OPERATOR_IMPERSONATION"]


# What the writer was given.


def given(world: World, wanted: str, reader: str | None = "GEORGE") -> list[tuple[str, str, bool]]:
    found = why(world, wanted, reader).proposal
    assert found.is_known
    return [(each.by, each.excerpt, each.cited) for each in found.given]


def test_a_question_gives_what_was_there_when_it_was_asked(tmp_path: Path) -> None:
    lines = [
        bundle(voice("The old mill burns.")),
        question("mill burns"),
        bundle(voice("It is said that the old mill burns, and that nobody came.")),
        bundle(voice("The mill burns again, and this came later.")),
    ]
    with opened(tmp_path, *lines) as world:
        for words in ("One.", "Two.", "Three."):
            world.stream(words)
        assert given(world, "and that nobody came") == [
            ("LEDGER_SEARCH", "The old mill burns.", True)
        ]
        assert given(world, "The old mill burns.") == [], "it asked nothing"


def test_every_tool_gives_what_it_gave_then(tmp_path: Path) -> None:
    """The prompts of the writer say what it was given; what is recomputed is the same."""
    heard: list[list[dict[str, Any]]] = []

    def listen(moment: Any) -> Any:
        heard.append(list(moment.results))
        return bundle(voice(f"Thunder number {len(heard)} rolls."))

    def asking(number: int) -> list[Any]:
        return [
            question("mill ford", name=f"a{number}"),
            question("e:00000002", tool="LEDGER_GET", name=f"b{number}"),
            question("", tool="CAPSULE_GET", person="REBECCA", name=f"c{number}"),
            question("mill", tool="SCENE_PACK_BUILD", name=f"d{number}"),
            question("mill", actor="REBECCA", view="OSWIN_VIEW", name=f"e{number}"),
            listen,
        ]

    lines = [bundle(voice("A mill by a ford.")), bundle(entry("I am at the mill."))]
    lines += [*asking(1), bundle(voice("The ford floods the mill.")), *asking(2)]
    generous = configured(PEOPLE, tools={"max_per_beat": 6})
    with opened(tmp_path, *lines, config=generous) as world:
        for words in ("One.", "Two.", "Three.", "Four.", "Five."):
            world.stream(words)
        for number, results in enumerate(heard, 1):
            told = {each["entry_id"] for part in results for each in part.get("results", ())}
            for part in results:
                for pack in (
                    *part.get("capsule", {}).get("sections", ()),
                    part.get("scene_anchor"),
                ):
                    told |= {*(pack or {}).get("provenance", {}).get("used_entry_ids", ())}
            proposal = why(world, f"Thunder number {number} rolls.").proposal
            assert proposal.is_known
            assert {each.entry_id for each in proposal.given} == told
            assert len(told) == 1 + number, "what came between the two counts for the second"
            assert {each.by for each in proposal.given} <= {"LEDGER_SEARCH", "CAPSULE_GET"}


def test_a_view_is_told_only_of_what_it_sees_of_what_a_writer_was_given(tmp_path: Path) -> None:
    part = Part("scripted", "REBECCA")
    config = replace(PEOPLE, parts={"MUSE": part})
    writer = ScriptedWriter(
        [
            bundle(voice("A mill by a ford."), voice("The key of the mill.", to=["REBECCA"])),
            question("mill", actor="REBECCA", view="REBECCA_VIEW"),
            bundle(entry("I wonder.", to=[])),
        ]
    )
    ledger = open_ledger(tmp_path, config, writer, writers={"scripted": writer})
    with World(ledger, writer) as world:
        world.stream("")
        assert world.send("", invoker="MUSE")[0] == 200
        both = {excerpt for _, excerpt, _ in given(world, "I wonder.", "REBECCA")}
        assert both == {"A mill by a ford.", "The key of the mill."}
        for reader in ("GEORGE", "OSWIN", None):
            assert given(world, "I wonder.", reader) == [
                ("LEDGER_SEARCH", "A mill by a ford.", False)
            ]
            assert why(world, "I wonder.", reader).proposal.given_total == 1


class WindowReader(WatchedWriter):
    """A writer of another name than those that come with Thorp, so that it reads the window."""

    name = "model"

    def __init__(self, lines: Any) -> None:
        super().__init__(lines)
        self.name = "model"


def test_a_window_gives_what_its_prompt_had(tmp_path: Path) -> None:
    scene_change = question("the second thing", tool="SCENE_PACK_BUILD", name="x")
    lines: list[Any] = [bundle(voice(f"The {word} thing is told.")) for word in ("first", "second")]
    lines += [scene_change, bundle(voice("The third thing is told."))]
    lines += [bundle(voice(f"The {word} thing is told.")) for word in ("fourth", "fifth")]
    writer = WindowReader(lines)
    with World(open_ledger(tmp_path, PEOPLE, writer), writer) as world:
        for number in range(5):
            world.stream(f"Words {number}.")
        prompts = [writer.texts[0], writer.texts[1], *writer.texts[3:]]
        for prompt, word in zip(
            prompts, ("first", "second", "third", "fourth", "fifth"), strict=True
        ):
            own = f"The {word} thing is told."
            proposal = why(world, own).proposal
            shown = {each.excerpt for each in proposal.given if each.by == "WINDOW"}
            told = {text for text in world.texts() if text in prompt} - _fresh(prompt)
            assert shown == told, word


def _fresh(prompt: str) -> set[str]:
    """What the operator said in the beat itself, which was no entry yet."""
    return {prompt.rpartition('"')[0].rpartition('"')[2]}


def test_a_rule_that_has_changed_since_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, question("mill"), bundle(voice("Rain falls."))) as world:
        world.stream("A mill.")
        assert why(world, "Rain falls.").proposal.is_known
        real = ToolGate.ask

        def otherwise(gate: Any, request: Any) -> Any:
            answer = real(gate, request)
            return type(answer)(answer.request, "QUERY_LONG", None, {})

        monkeypatch.setattr(ToolGate, "ask", otherwise)
        found = why(world, "Rain falls.").proposal
        assert (found.is_known, found.given) == (False, [])


def test_the_past_is_what_it_was_in_indexed_blocks_too(tmp_path: Path) -> None:
    """A search in the past finds the same, whether its entries were indexed since or not."""
    lines: list[Any] = []
    for number in range(230):
        lines.append(
            bundle(*(voice(f"Stone {number} {place} lies by the mill.") for place in range(5)))
        )
    lines.insert(150, question("stone mill", limit=5, name="q"))
    with opened(tmp_path, *lines) as world:
        for _ in range(230):
            world.stream("")
        found = why(world, "Stone 150 3 lies by the mill.").proposal
        assert [each.excerpt for each in found.given] == [
            f"Stone 149 {place} lies by the mill." for place in range(5)
        ]
        past = world.ledger.read(lambda connection: PastTables(connection, PEOPLE, 150).blocks())
        assert past == [], "a block that is full now was not then"
        assert isinstance(found.given[0], Given)


@pytest.mark.real("postgresql")
def test_the_same_on_postgresql(postgres: Cluster) -> None:
    writer = WindowReader([question("mill"), bundle(voice("The mill of George burns."))])
    with World(open_ledger(postgres.make_schema(), PEOPLE, writer), writer) as world:
        world.stream("A mill by the ford.")
        world.stream("A mill by the ford, I said.")
        assert why(world, "mill of George").proposal.is_known
        assert refused(world, "e:00000099").code == "no_entry"
