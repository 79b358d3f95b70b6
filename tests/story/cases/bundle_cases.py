"""BND, ENT, TOL and RET: which bundles and entries are accepted, and what a writer asks its
tools."""

import json
import threading

from tests.story.suite import Suite, case_per_row, configured, refused
from tests.story.world import (
    SEQUENTIAL,
    WatchedWriter,
    World,
    bundle,
    change,
    entry,
    fault,
    having,
    question,
    voice,
    without,
)
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError
from thorp.store import ConstraintError
from thorp.story import read_bundle, read_result_pack, read_tool_request
from thorp.story.acceptance import judge_proposal
from thorp.story.schema import COLUMNS

CONTENT = "proposed_write_bundle"
FIVE = [voice(f"Line {number}.") for number in range(5)]
SAME_INSTANT = "2026-01-01T09:31:00+02:00"


@case_per_row(
    "check_verdicts",
    {
        "BND_02": ("SILENT_WITH_ENTRIES", bundle(entry(), wrote=False)),
        "BND_03": ("WROTE_TYPE", bundle(entry(), wrote="yes"), bundle(entry(), wrote=1)),
        "BND_06": ("BUNDLE_ID_PREASSIGNED", bundle(entry(), bundle_id="b:7")),
        "BND_07": ("REQUEST_MISMATCH", bundle(entry(), request_id="another")),
        "BND_08": ("PROPOSED_BY", without(bundle(entry()), CONTENT, "proposed_by", "actor")),
        "BND_08_of_another": (
            "PROPOSED_BY",
            bundle(entry(), actor="GEORGE"),
            bundle(entry(), actor="STRANGER"),
            having(bundle(entry()), CONTENT, "proposed_by", "engine", put="ENGINE_1_INVOCATION"),
        ),
        "BND_16": (
            "PRE_REJECTED",
            bundle(entry(), rejection={"rejected": True, "reason": None}),
            bundle(entry(), rejection=None),
        ),
    },
)
class BundleCases(Suite):
    def test_BND_01(self) -> None:
        with self.world([bundle(wrote=True)] * 2) as world:
            assert world.stream("") == []
            assert world.outcome() == "REJECTED WROTE_EMPTY"
            assert world.bundles() == 0

    def test_BND_04(self) -> None:
        broken = bundle(*FIVE[:2], without(FIVE[2], "text"), *FIVE[3:])
        with self.world([broken] * 2) as world:
            status, body = world.send("")
            assert (status, body["debug"]) == (200, {"wrote": False, "bundle_id": None})
            assert world.texts() == []

    def test_BND_05(self) -> None:
        broken = bundle(*FIVE[:2], without(FIVE[2], "text"), *FIVE[3:])
        with self.world([broken] * 2) as world:
            _, body = world.send("Hello.")
            assert body["debug"]["wrote"] is True
            assert world.texts() == ["Hello."]

    def test_BND_08_the_system_writes_it(self) -> None:
        """Whatever a writer claims of itself, and if it claims nothing."""
        invocation, writer = ("ENGINE_1_INVOCATION", "SYSTEM_INVOKER"), "ENGINE_9_LLM_WRITER"
        for text, line, recorded in (
            ("Hello.", bundle(entry()), invocation),
            ("Hello.", {"no_write": {}}, invocation),
            ("", bundle(entry()), (writer, "REBECCA")),
            ("", bundle(voice()), (writer, "WORLD")),
            ("", bundle(entry(), voice(), actor="WORLD"), (writer, "SYSTEM_INVOKER")),
            ("", without(bundle(entry()), CONTENT, "proposed_by"), (writer, "REBECCA")),
        ):
            with self.world([line]) as world:
                world.stream(text)
                engine = COLUMNS["story_beat"].index("engine")
                assert max(world.rows("story_beat"))[engine : engine + 2] == recorded

    def test_BND_09(self) -> None:
        with (
            self.world([bundle(voice(), entry())]) as world,
            fault(world, "story_entry", "NEW.seq = 3"),
        ):
            assert world.send()[0] == 500
            assert not any(world.counts().values())

    def test_BND_10(self) -> None:
        with self.world([bundle(voice(), entry())]) as world:
            assert [each["channel"] for each in world.stream()] == ["USER", "VOICE", "PEOPLE"]
            assert world.bundles() == 1
            assert [row[0] for row in sorted(world.rows("story_entry"))] == [1, 2, 3]

    def test_BND_11(self) -> None:
        assert judge_proposal(bundle(entry())[CONTENT], None).code == "NO_ACTIVE_BEAT"

    def test_BND_12(self) -> None:
        rejected = judge_proposal(bundle(entry())[CONTENT], None).bundle
        assert rejected["rejection"]["rejected"] is True
        assert rejected["rejection"]["reason"]
        assert (rejected["wrote"], rejected["bundle_id"], rejected["entries"]) == (False, None, [])
        named = {**rejected, "proposed_by": {"engine": "ENGINE_10", "actor": "REBECCA"}}
        read_bundle(named, SEQUENTIAL)
        assert refused(read_bundle, {**named, "bundle_id": "b:1"}, SEQUENTIAL) == "rejection"

    def test_BND_13(self) -> None:
        writer = WatchedWriter([bundle(entry(), wrote="yes"), bundle(entry("She waits."))])
        with self.world(writer=writer) as world:
            assert [each["text"] for each in world.stream()] == ["Hello.", "She waits."]
            assert len(writer.prompts) == 2
            assert writer.prompts[0] == writer.prompts[1]

    def test_BND_14(self) -> None:
        writer = WatchedWriter([bundle(entry(), wrote="yes")] * 2)
        with self.world(writer=writer) as world:
            answers = [world.respond().body for _ in range(3)]
            assert max(world.rows("story_beat"))[0] == 3
            assert not any(
                "WROTE_TYPE" in text for text in (*answers, *writer.texts, *world.texts())
            )

    def test_BND_15(self) -> None:
        writer = WatchedWriter(forever=bundle(voice(), entry()))
        with self.world(writer=writer) as world:
            threads = [threading.Thread(target=world.send, args=[f"Voice {n}."]) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rows = sorted(world.rows("story_entry"))
            assert len(rows) == 24
            assert [row[2] for row in rows] == sorted(row[2] for row in rows)
            assert all(rows[at][8] == "USER" for at in range(0, 24, 3))


def listing(scope: str, *visible_to: str) -> dict[str, Json]:
    return bundle(entry(visibility={"scope": scope, "visible_to": list(visible_to)}))


@case_per_row(
    "check_verdicts",
    {
        "ENT_01": (
            "AUTHOR_MISSING",
            bundle(without(entry(), "author")),
            bundle(without(entry(), "author", "author_class")),
        ),
        "ENT_02": ("CHANNEL", bundle(entry(channel="XP_GAIN"))),
        "ENT_03": ("AUTHOR_CLASS", bundle(entry(author_class="NPC"))),
        "ENT_04": ("PRIVATE_EMPTY", listing("PRIVATE")),
        "ENT_05": ("PUBLIC_LIST", listing("PUBLIC", "REBECCA")),
        "ENT_06": ("SCOPE", listing("SECRET")),
        "ENT_07": ("VISIBILITY_IDENTITY", bundle(entry(to=["NOBODY_KNOWN"]))),
        "ENT_09": ("ENTRY_SHAPE", bundle(entry(mood=7))),
        "ENT_10": (
            "ENTRY_ID_PREASSIGNED",
            bundle(entry(entry_id="e:1")),
            bundle(entry(bundle_id="b:1")),
        ),
        "ENT_12": ("ACCEPTED", bundle(entry(created_at_world=SAME_INSTANT))),
        "ENT_13": ("OPERATOR_IMPERSONATION", bundle(entry(channel="USER"))),
        "ENT_14": (
            "OPERATOR_IMPERSONATION",
            bundle(entry(author="GEORGE")),
            bundle(entry(author="George")),
        ),
        "ENT_15": (
            "SYSTEM_AUTHOR",
            bundle(entry(author="SYSTEM_INVOKER", author_class="SYSTEM", channel="VOICE")),
        ),
        "ENT_16": (
            "AUTHOR_PAIRING",
            bundle(entry(author="WORLD", author_class="WORLD", channel="PEOPLE")),
            bundle(entry(channel="VOICE")),
        ),
    },
)
class EntryCases(Suite):
    def verdict(self, *entries: object) -> list[str]:
        return self.verdicts(*(bundle(each) for each in entries))

    def test_ENT_08(self) -> None:
        found = self.verdict(without(entry(), "text"), entry(""), entry(" \n\t"))
        assert found == ["TEXT_MISSING", "TEXT_EMPTY", "TEXT_EMPTY"]

    def test_ENT_11(self) -> None:
        found = self.verdict(
            entry(created_at_world="2026-01-01T07:30:00+00:00"),
            entry(created_at_world="soon"),
            entry(created_at_world=1767252660),
        )
        assert found == ["TIME_MISMATCH", "TIME_FORMAT", "TIME_FORMAT"]

    def test_ENT_17(self) -> None:
        assert self.verdict(voice("Your context \n Window is full.")) == ["META_LANGUAGE"]
        hidden = ("con\u200btext window", "con\u00adtext win\u2060dow", "\uff43ontext\u3000window")
        assert self.verdict(*map(voice, hidden)) == ["META_LANGUAGE"] * len(hidden)
        assert self.verdict(voice("Later th\u200dat day.")) == ["TIME_SHORTCUT"]

    def test_ENT_18(self) -> None:
        with self.world() as world:
            text = "Is your context window full? Rehydrate."
            assert world.stream(text)[0]["text"] == text

    def test_ENT_19(self) -> None:
        words = "Later that day it rains."
        assert self.verdict(voice(words), entry(f'"{words}"')) == ["TIME_SHORTCUT", "ACCEPTED"]

    def test_ENT_20(self) -> None:
        said = ["The door is open.", "The door is shut."]
        with self.world([bundle(voice(text)) for text in said]) as world:
            shown = [each["text"] for _ in said for each in world.stream("")]
            assert shown == said == world.texts()
            assert [each["text"] for each in world.refresh()["stream"]["entries"]] == said

    def test_ENT_21(self) -> None:
        with self.world() as world:
            world.send()
            for statement in ("UPDATE story_entry SET text = 'x'", "DELETE FROM story_entry"):
                both = {"sqlite": statement, "postgresql": statement}
                assert refused(change, world, both, kind=ConstraintError) == "constraint"
            assert world.texts() == ["Hello."]

    def test_ENT_22(self) -> None:
        with self.world(config=configured(SEQUENTIAL)) as world:
            world.send()
            [row] = world.rows("story_entry")
            assert row[4:9] == ("GEORGE", "OPERATOR", "PUBLIC", "[]", "USER")


ASKED = "tool_request"
TRUTH = "Before we go in: I am telling you the truth about the ledger."


@case_per_row(
    "check_rejected",
    {
        "TOL_02": ("TOOL_UNKNOWN", question("x", tool="INVALID_TOOL_NAME")),
        "TOL_04": ("REQUEST_MISMATCH", question("x", request_id="another")),
        "TOL_05": (
            "ENGINE_MISMATCH",
            having(question("x"), ASKED, "requested_by", "engine", put="ENGINE_9"),
        ),
        "TOL_06": (
            "LIMIT_RANGE",
            *(question("x", limit=wrong) for wrong in (0, 1000, 2.5, 0.0, -1, True, "5")),
        ),
        "TOL_06_missing": (
            "LIMIT_MISSING",
            without(question("x"), ASKED, "tool", "constraints", "limit"),
        ),
        "TOL_07": (
            "DIRECTIVE_PHRASE",
            question("Decide what is relevant to Rebecca and tell me."),
            question("Sum\u200bmarise it."),
        ),
        "TOL_11": (
            "PERSON_REQUIRED",
            question("", tool="CAPSULE_GET"),
            question("", tool="CAPSULE_GET", person="STRANGER"),
        ),
    },
)
class ToolCases(Suite):
    def check_rejected(self, code: str, *questions: Json) -> None:
        """Each of these questions, asked in a beat of its own, is rejected with this code."""
        with self.world() as world:
            for asked in questions:
                assert self.answer(world, asked)["rejected"] == code

    def test_TOL_01(self) -> None:
        with self.world() as world:
            world.send("The lantern is lit.")
            asked = question("Who lit the lantern?", name="tr_77")
            answer = self.answer(world, asked)
            read_result_pack(answer)
            assert (answer["tool_request_id"], answer["request_id"]) == ("tr_77", "request-2")
            [row] = world.rows("story_tool")
            assert json.loads(row[4]) == {**asked[ASKED], "request_id": "request-2"}

    def test_TOL_03(self) -> None:
        with self.world() as world:
            first, second = self.answers(world, question("x"), question("x"))
            assert ("rejected" in first, second["rejected"]) == (False, "ID_DUPLICATE")
            assert "rejected" not in self.answer(world, question("x"))

    def test_TOL_06_a_whole_number(self) -> None:
        """JSON has one kind of number: 5.0 is 5. What was asked is recorded as it was asked."""
        with self.world() as world:
            world.send("The lantern is lit.")
            for limit in (5, 5.0, 5e0):
                assert self.answer(world, question("lantern", limit=limit))["results"]
                assert f'"limit": {limit}' in world.rows("story_tool")[-1][4]
                request = read_tool_request(
                    {"request_id": "r", **question("x", limit=limit)[ASKED]}
                )
                assert request.tool.constraints.limit == 5

    def test_TOL_06_what_may_be_left_out(self) -> None:
        """Of the constraints all but the limit; of a pack nothing, though it may be null."""
        with self.world() as world:
            world.send("The lantern is lit.")
            asked = having(question("lantern"), ASKED, "tool", "constraints", put={"limit": 5})
            pack = self.answer(world, asked)
            assert pack["results"]
            for member in ("tool_request_id", "request_id", "results", "empty", "notes"):
                assert refused(read_result_pack, without(pack, member)) == "shape"

    def test_TOL_08(self) -> None:
        def ask(moment: object) -> dict[str, object]:
            return question("x", name=f"tr_{len(moment.results)}")  # type: ignore[attr-defined]

        writer = WatchedWriter(forever=ask)
        with self.world(writer=writer) as world:
            assert [each["text"] for each in world.stream()] == ["Hello."]
            verdicts = [row[2] for row in sorted(world.rows("story_tool"))]
            assert verdicts == ["SERVED"] * 4 + ["LOOP_LIMIT"]
            assert (writer.calls, world.outcome()) == (6, "LOOPED")
            assert world.bundles() == 1

    def test_TOL_09(self) -> None:
        with self.world() as world:
            world.send("The lantern is lit.")
            before = world.rows("story_entry")
            kinds = ("LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD")
            asked = [question("lantern", tool=kind, person="REBECCA", name=kind) for kind in kinds]
            assert not any("rejected" in answer for answer in self.answers(world, *asked))
            assert world.rows("story_entry") == before

    def test_TOL_10(self) -> None:
        writer = WatchedWriter([])
        with self.world(writer=writer) as world:
            world.send("A brass key.")
            writer.script([question("brass")])
            answer = world.respond("Hm.")
            assert '"verbatim_excerpt": "A brass key."' in writer.texts[-1]
            assert "brass" not in answer.body


class RetrievalCases(Suite):
    def found(self, world: World, asked: object) -> list[str]:
        return [each["verbatim_excerpt"] for each in self.answer(world, asked)["results"]]

    def test_RET_01(self) -> None:
        with self.world() as world:
            world.send(TRUTH)
            world.send("Another matter.")
            asked = question(
                "Did George just say that he is telling the truth?",
                actor="REBECCA",
                limit=5,
                person="GEORGE",
            )
            [excerpt] = self.found(world, asked)
            assert excerpt
            assert excerpt in TRUTH

    def test_RET_02(self) -> None:
        with self.world() as world:
            world.send()
            for query in ("dragon", "", "the of and", "!!!"):
                answer = self.answer(world, question(query))
                assert (answer["results"], answer["empty"], answer["notes"]) == ([], True, None)

    def test_RET_03(self) -> None:
        with self.world() as world:
            pack = {**self.answer(world, question("x")), "empty": False}
            assert refused(read_result_pack, pack, kind=ContractError) == "empty"

    def test_RET_04(self) -> None:
        with self.world() as world:
            for text in ("It was 100 to one.", "A hundred.", "100x", "1000"):
                world.send(text)
            assert self.found(world, question("100%_")) == ["It was 100 to one."]

    def test_RET_05(self) -> None:
        said = [
            "red lamp",
            "red lamp oil",
            "red",
            "oil for the lamp, red",
            "lamp",
            "oil",
            "lamp red",
        ]
        with self.world() as world:
            for text in said:
                world.send(text)
            asked = question("red lamp oil", limit=3)
            best = ["oil for the lamp, red", "red lamp oil", "lamp red"]
            assert [self.found(world, asked) for _ in range(3)] == [best] * 3
            world.send("red lamp oil", declared="2020-01-01T00:00:00Z")
            assert self.found(world, asked) == [*best[:2], "red lamp oil"]

    def test_RET_06(self) -> None:
        with self.world() as world:
            for _ in range(5):
                world.send("A bell rings.")
            window: dict[str, str | None] = {
                "from": "2026-01-01T07:32:00+00:00",
                "to": "2026-01-01T09:34:00+02:00",
            }
            answer = self.answer(world, question("bell", window=window))
            times = [each["created_at_world"][11:16] for each in answer["results"]]
            assert times == ["07:34", "07:33", "07:32"]
            backwards: dict[str, str | None] = {"from": window["to"], "to": window["from"]}
            assert (
                self.answer(world, question("bell", window=backwards))["rejected"]
                == "WINDOW_INVERTED"
            )
            wrong: dict[str, str | None] = {"from": "noon", "to": None}
            assert self.answer(world, question("bell", window=wrong))["rejected"] == "WINDOW_FORMAT"

    def test_RET_07(self) -> None:
        text = "padding " * 200 + "needle " + "padding " * 200
        with self.world() as world:
            world.send(text)
            [excerpt] = self.found(world, question("needle"))
            assert len(excerpt) <= SEQUENTIAL.tools.max_excerpt_chars
            assert excerpt in text
            assert "needle" in excerpt

    def test_RET_08(self) -> None:
        lines = [bundle(voice("One."), entry("Two.", to=["REBECCA"])), bundle(voice("Three."))]
        with self.world(lines) as world:
            world.send("")
            world.send("Four.")
            asked = question(
                "b:00000002, e:00000001 e:00000002\te:99999999 b:none", tool="LEDGER_GET", limit=50
            )
            assert self.found(world, asked) == ["One.", "Four.", "Three."]

    def test_RET_09(self) -> None:
        found = []

        def listen(moment: object) -> dict[str, object]:
            found.extend(moment.results)  # type: ignore[attr-defined]
            return bundle(voice("A dragon wakes."))

        asked = [bundle(voice("A dragon."), wrote="no"), question("dragon"), listen]
        with self.world(asked, configured(SEQUENTIAL, writing={"max_attempts": 3})) as world:
            assert len(world.stream("dragon")) == 2
            assert found[0]["empty"] is True
