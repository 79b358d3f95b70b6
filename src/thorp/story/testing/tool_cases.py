"""TOL and RET: a writer's questions to its tools, and what retrieval answers."""

import json

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError
from thorp.story.contracts import read_result_pack
from thorp.story.testing.suite import Suite, case_per_row, configured, refused
from thorp.story.testing.world import (
    SEQUENTIAL,
    WatchedWriter,
    World,
    bundle,
    entry,
    having,
    question,
    voice,
    without,
)

ASKED = "tool_request"
TRUTH = "Before we go in: I am telling you the truth about the ledger."


@case_per_row(
    "check_rejected",
    {
        "TOL_02": ("TOOL_UNKNOWN", question("x", tool="INVALID_TOOL_NAME")),
        "TOL_04": ("REQUEST_MISMATCH", question("x", request_id="another")),
        "TOL_05": ("ENGINE_MISMATCH", having(question("x"), ASKED, "requested_by", "engine", put="ENGINE_9")),
        "TOL_06": ("LIMIT_RANGE", *(question("x", limit=wrong) for wrong in (0, 1000, 2.5, -1, True, "5"))),
        "TOL_06_missing": ("LIMIT_MISSING", without(question("x"), ASKED, "tool", "constraints", "limit")),
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

    def test_TOL_08(self) -> None:
        def ask(moment: object) -> dict[str, object]:
            return question("x", name=f"tr_{len(moment.results)}")  # type: ignore[attr-defined]

        writer = WatchedWriter(forever=ask)
        with self.world(writer=writer) as world:
            assert [each["text"] for each in world.stream()] == ["Hello."]
            verdicts = [row[2] for row in sorted(world.rows("story_tool"))]
            assert verdicts == ["SERVED"] * 4 + ["LOOP_LIMIT"]
            assert (writer.calls, world.outcome()) == (6, "NO_WRITE")

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
                "Did George just say that he is telling the truth?", actor="REBECCA", limit=5, person="GEORGE"
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
        said = ["red lamp", "red lamp oil", "red", "oil for the lamp, red", "lamp", "oil", "lamp red"]
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
            assert self.answer(world, question("bell", window=backwards))["rejected"] == "WINDOW_INVERTED"
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
