"""VIS: who may see what."""

from __future__ import annotations

import json

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.config import Part, Person
from thorp.story.knowledge import UnknownReader
from thorp.story.testing.probes import tamper
from thorp.story.testing.suite import Suite, configured, refused
from thorp.story.testing.world import SEQUENTIAL, WatchedWriter, bundle, entry, question, voice, without

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

        mine = [bundle(voice()), bundle(entry("Hm.", to=["REBECCA"], author="WREN"))]
        for wrong in mine:
            with self.world([asked, wrong, wrong], TWO) as world:
                world.stream("")
                assert world.outcome() == "REJECTED VIEW_MIXING"

    def test_VIS_10_quoting_a_secret(self) -> None:
        """One person's view: what is quoted of a private entry stays among its readers."""
        asked = question("brass key", actor="REBECCA")
        for text, to, verdict in (
            (f"I say it: {SECRET}", [], "REJECTED VIEW_MIXING"),
            ("The LANTERN\u200b hides... a brass-key!", [], "REJECTED VIEW_MIXING"),
            (SECRET, ["REBECCA", "GEORGE"], "REJECTED VIEW_MIXING"),
            (SECRET, ["REBECCA"], "ACCEPTED"),
            ("She nods.", [], "ACCEPTED"),
        ):
            proposal = bundle(entry(text, to=to))
            with self.world([bundle(entry(SECRET, to=["REBECCA"])), asked, proposal, proposal]) as world:
                world.send("")
                world.stream("")
                assert world.outcome() == verdict, text

    def test_VIS_10_a_second_view(self) -> None:
        """Several people's views: only private entries, for those who may read everything that was served."""
        secrets = bundle(
            entry(SECRET, to=["REBECCA"]),
            entry("Wren swam.", to=["WREN"]),
            entry("We share a boat.", to=["REBECCA", "WREN"]),
        )

        def verdict(words: tuple[str, str], proposed: dict[str, Json]) -> str:
            """What is said of a proposal after one question each as REBECCA and as WREN."""
            asked = [
                question(query, actor=actor, name=actor)
                for query, actor in zip(words, ("REBECCA", "WREN"), strict=True)
            ]
            with self.world([secrets, *asked, proposed, proposed], TWO) as world:
                world.send("")
                world.stream("")
                return world.outcome()

        mixed, boat = "REJECTED VIEW_MIXING", ("boat", "boat")
        assert verdict(("boat", "swam"), bundle(entry("Wren swam."))) == mixed
        assert verdict(boat, bundle(entry())) == mixed
        assert verdict(boat, bundle(entry(to=["REBECCA", "GEORGE"]))) == mixed
        assert verdict(boat, bundle(entry(to=["REBECCA", "WREN"]))) == "ACCEPTED"
        assert verdict(("key", "swam"), bundle(entry(to=["REBECCA"]))) == mixed
        assert verdict(("key", "boat"), bundle(entry(to=["REBECCA"]))) == "ACCEPTED"
        assert verdict(("key", "boat"), bundle(entry(to=["REBECCA", "WREN"]))) == mixed
        assert verdict(("nothing", "swam"), bundle(entry(to=["WREN"]))) == "ACCEPTED"
        capsule = question(tool="CAPSULE_GET", actor="WREN", person="REBECCA", name="c")
        scene = question("boat", tool="SCENE_PACK_BUILD", actor="WREN", name="s")
        for tool in (capsule, scene):
            lines = [secrets, question("key", actor="REBECCA"), tool, *[bundle(entry(to=["REBECCA"]))] * 2]
            with self.world(lines, TWO) as world:
                world.send("")
                world.stream("")
                assert world.outcome() == ("ACCEPTED" if tool is scene else mixed)

    def test_VIS_10_a_part(self) -> None:
        """A part has its person's view from the start: another's is the second."""
        config = msgspec.structs.replace(TWO, parts={"AS_REBECCA": Part("part", view="REBECCA")})
        secret = bundle(entry("Wren swam.", to=["WREN"]), entry(SECRET, to=["REBECCA"]))
        asked = question("swam", actor="WREN")
        for lines, verdict in (
            ([asked, bundle(entry("Wren swam."))], "REJECTED VIEW_MIXING"),
            ([asked, bundle(entry("Wren swam.", to=["REBECCA"]))], "REJECTED VIEW_MIXING"),
            ([asked, bundle(entry("Wren swam.", to=["WREN"]))], "REJECTED VIEW_MIXING"),
            ([bundle(entry(SECRET))], "REJECTED VIEW_MIXING"),
            ([bundle(entry(SECRET, to=["REBECCA"]))], "ACCEPTED"),
            ([bundle(entry("She nods."))], "ACCEPTED"),
            ([bundle(entry(author="WREN"), actor="WREN")], "REJECTED VIEW_MIXING"),
        ):
            part = WatchedWriter([*lines, lines[-1]])
            with self.world([secret], config, writers={"part": part}) as world:
                world.send("")
                world.stream("", invoker="AS_REBECCA")
                assert world.outcome() == verdict, lines
                assert world.ledger.verify().difference is None

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
