"""VIS: who may see what."""

from __future__ import annotations

import json

from thorp.story.config import Person
from thorp.story.knowledge import UnknownReader
from thorp.story.testing.faults import tamper
from thorp.story.testing.suite import Suite, configured, refused
from thorp.story.testing.world import SEQUENTIAL, WatchedWriter, bundle, entry, question, without

SECRET = "The lantern hides a brass key."
TWO = configured(SEQUENTIAL, people=(Person("REBECCA"), Person("WREN")))


class VisibilityCases(Suite):
    def test_VIS_01(self) -> None:
        with self.world([bundle(entry(SECRET, to=["REBECCA"]))]) as world:
            answers = [world.respond(request_id=f"r{n}").body for n in range(2)]
            answers += [json.dumps(world.refresh()), json.dumps(world.ledger.page("GEORGE"))]
            assert SECRET in world.texts()
            assert not any(SECRET in answer or "brass" in answer for answer in answers)

    def test_VIS_02(self) -> None:
        with self.world([bundle(entry(SECRET, to=["GEORGE"]))]) as world:
            assert [each["text"] for each in world.stream()] == ["Hello.", SECRET]

    def test_VIS_03(self) -> None:
        with self.world([bundle(entry(SECRET, to=["REBECCA"]))]) as world:
            world.send()
            answer = self.answer(world, question("brass key"))
            assert (answer["results"], answer["empty"]) == ([], True)

    def test_VIS_04(self) -> None:
        with self.world([bundle(entry(SECRET, to=["REBECCA"]))]) as world:
            world.send()
            for view in ("REBECCA_VIEW", "REBECCA"):
                [found] = self.answer(world, question("brass key", actor="REBECCA", view=view))["results"]
                assert (found["verbatim_excerpt"], found["visibility_scope"]) == (SECRET, "PRIVATE")

    def test_VIS_05(self) -> None:
        with self.world() as world:
            answer = self.answer(world, question("key", actor="WORLD", view="REBECCA_VIEW"))
            assert answer["rejected"] == "VIEW_NOT_OWN"

    def test_VIS_06(self) -> None:
        with self.world() as world:
            for view in ("Omniscient", "GEORGE_VIEW", "SYSTEM_INVOKER", "PUBLIC"):
                assert self.answer(world, question("key", view=view))["rejected"] == "VIEW_UNKNOWN"

    def test_VIS_07(self) -> None:
        with self.world() as world:
            asked = question("key", actor="REBECCA")
            no_view = without(asked, "tool_request", "requested_by", "knowledge_view")
            no_actor = without(asked, "tool_request", "requested_by", "actor")
            assert self.answer(world, no_view)["rejected"] == "VIEW_MISSING"
            assert self.answer(world, no_actor)["rejected"] == "ACTOR_MISSING"

    def test_VIS_08(self) -> None:
        writer = WatchedWriter([bundle(entry(SECRET, to=["REBECCA"])), bundle(entry("Hm."))])
        with self.world(writer=writer) as world:
            for _ in range(4):
                world.send()
            assert len(writer.texts) == 4
            assert not any("brass" in text for text in writer.texts)
            assert all("Hm." in text for text in writer.texts[2:])

    def test_VIS_09(self) -> None:
        def cursors(*lines: object) -> list[str]:
            with self.world(lines, configured(SEQUENTIAL, ids="random"), secret=7) as world:
                bodies = [world.send()[1] for _ in range(2)]
                assert len({each["entry_id"] for body in bodies for each in body["stream"]["entries"]}) == 2
                return [body["stream"]["cursor_after"] for body in bodies]

        assert cursors() == cursors(bundle(entry(SECRET, to=["REBECCA"]))) == ["c:00000001", "c:00000002"]

    def test_VIS_10(self) -> None:
        asked = question("key", actor="REBECCA")
        other = [bundle(entry(author="WREN"), actor="WREN"), bundle(entry(), actor="WREN")]
        with self.world([asked, *other], TWO) as world:
            world.stream("")
            assert world.outcome() == "REJECTED VIEW_MIXING"
            assert world.texts() == []
        with self.world([asked, bundle(entry())], TWO) as world:
            assert [each["text"] for each in world.stream("")] == ["She nods."]

    def test_VIS_11(self) -> None:
        with self.world([bundle(entry(SECRET, to=["REBECCA"]))]) as world:
            world.send()
            tamper(world, "UPDATE story_entry SET visible_to = '[REBE' WHERE seq = 2", "story_entry")
            for reader in ("GEORGE", "REBECCA", "SYSTEM_INVOKER", "WORLD", None):
                assert SECRET not in json.dumps(world.ledger.page(reader))
            assert self.answer(world, question("brass key", actor="REBECCA"))["empty"] is True

    def test_VIS_12(self) -> None:
        with self.world() as world:
            world.send()
            assert refused(world.ledger.page, "STRANGER", kind=UnknownReader) == "unknown_reader"
