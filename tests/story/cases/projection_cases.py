"""PRJ, PCK and VIS: what a projection and the pocket show, and who may see what."""

import json
from typing import Any

import msgspec

from tests.story.suite import Suite, configured, refused
from tests.story.world import (
    SEQUENTIAL,
    WatchedWriter,
    World,
    bundle,
    entry,
    having,
    question,
    tamper,
    voice,
    without,
)
from thorp.kernel.canonical import Json
from thorp.story.config import Part, Person
from thorp.story.knowledge import UnknownReader

SEED = {
    "request_id": "seed-1",
    "author_id": "WORLD",
    "text": "On the board: Supper with Rebecca, at the Crown, bring the map.",
    "calendar": {
        "title": "Supper with Rebecca",
        "time": "2026-01-02T19:00:00+00:00",
        "location": "the Crown",
        "notes": "bring the map",
    },
}


def texts(entries: list[dict[str, Json]]) -> list[str]:
    return [each["text"] for each in entries]


class ProjectionCases(Suite):
    def test_PRJ_01(self) -> None:
        with self.world([bundle(voice("One."), voice("Two."), voice("Three."))]) as world:
            shown = world.stream("")
            assert texts(shown) == ["One.", "Two.", "Three."]
            assert len({each["created_at_world"] for each in shown}) == 1

    def test_PRJ_02(self) -> None:
        with self.world() as world:
            world.send("Present.")
            world.send("Past.", declared="2020-01-01T00:00:00Z")
            world.send("A little later.")
            world.send("Future.", declared="2030-01-01T00:00:00Z")
            shown = world.refresh()["stream"]["entries"]
            assert texts(shown) == ["Past.", "A little later.", "Present.", "Future."]

    def test_PRJ_03(self) -> None:
        with self.world([bundle(voice(), entry())]) as world:
            assert [each["author_label"] for each in world.stream()] == [None, None, "REBECCA"]

    def test_PRJ_04(self) -> None:
        with self.world([bundle(voice(), entry(), entry("Hidden.", to=["REBECCA"]))]) as world:
            for _ in range(3):
                world.send()
            written = {row[1]: row[9] for row in world.rows("story_entry")}
            shown = world.refresh()["stream"]["entries"]
            assert len(shown) == 5
            assert all(written[each["entry_id"]] == each["text"] for each in shown)

    def test_PRJ_05(self) -> None:
        with self.world() as world:
            assert world.stream("") == []

    def test_PRJ_06(self) -> None:
        line = [voice(f"Line {n}.") for n in range(31)]
        lines = [bundle(*line, entry("Hidden.", to=["REBECCA"])) for _ in range(33)]
        with self.world(lines, configured(SEQUENTIAL, stream={"page_size": 70})) as world:
            for _ in lines:
                world.send("")
            seen, cursor = [], None
            while page := (body := world.refresh(cursor))["stream"]["entries"]:
                assert len(page) <= 70
                seen += [each["entry_id"] for each in page]
                cursor = body["stream"]["cursor_after"]
            assert len(seen) == len(set(seen)) == 31 * 33 > 1000
            visible = [row[1] for row in sorted(world.rows("story_entry")) if row[6] == "PUBLIC"]
            assert seen == visible

    def test_PRJ_07(self) -> None:
        with self.world() as world:
            assert world.refresh()["stream"]["cursor_after"] is None
            cursor = world.send()[1]["stream"]["cursor_after"]
            stream = world.refresh(cursor)["stream"]
            assert stream == {"cursor_before": cursor, "cursor_after": cursor, "entries": []}

    def test_PRJ_08(self) -> None:
        with self.world() as world:
            for number, wrong in enumerate(
                ("garbage", "c:99999999", "c:-0000001", "c:" + "9" * 40, "")
            ):
                body = world.send(f"Beat {number}.", cursor=wrong)[1]
                assert texts(body["stream"]["entries"]) == [f"Beat {number}."]
                assert body["stream"]["cursor_before"] is None

    def test_PRJ_09(self) -> None:
        with self.world() as world:
            assert (
                world.ledger.invoke(having(world.envelope(), "ui", "stream_cursor", put=5))[0]
                == 400
            )

    def test_PRJ_10(self) -> None:
        def entries(*cursors: str | None) -> list[tuple[Any, ...]]:
            with self.world([bundle(voice())] * 3) as world:
                for cursor in cursors:
                    world.send(cursor=cursor)
                return world.rows("story_entry")

        assert entries(None, None, None) == entries("c:00000000", "c:00000002", "nonsense")

    def test_PRJ_11(self) -> None:
        with self.world([bundle(voice())]) as world:
            assert list(world.send()[1]["debug"]) == ["wrote", "bundle_id"]

    def test_PRJ_12(self) -> None:
        with self.world() as world:
            pocket = world.send()[1]["pocket"]
            assert list(pocket) == ["is_available", "clock", "calendar", "messages"]
            assert isinstance(pocket["is_available"], bool)
            assert list(pocket["clock"]) == ["world_time", "timezone"]
            assert (pocket["calendar"], pocket["messages"]) == ({"items": []}, {"items": []})


class PocketCases(Suite):
    def pocket(self, world: World) -> dict[str, Json]:
        pocket: dict[str, Json] = world.refresh()["pocket"]
        return pocket

    def test_PCK_01(self) -> None:
        with self.world() as world:
            wrong = having(SEED, "calendar", "title", put="Breakfast")
            assert refused(world.ledger.seed, wrong) == "literal"
            assert not any(world.counts().values())

    def test_PCK_02(self) -> None:
        with self.world() as world:
            world.ledger.seed({**SEED, "visible_to": ["REBECCA"]})
            assert self.pocket(world)["calendar"]["items"] == []
            hers = world.ledger.page("REBECCA")["pocket"]["calendar"]["items"]
            assert [each["title"] for each in hers] == ["Supper with Rebecca"]

    def test_PCK_03(self) -> None:
        with self.world() as world:
            world.ledger.seed(SEED)
            assert self.pocket(world)["calendar"]["items"] == [SEED["calendar"]]
            assert world.stream() != []
            assert texts(world.refresh()["stream"]["entries"]) == [SEED["text"], "Hello."]
            assert self.pocket(world)["calendar"]["items"] == [SEED["calendar"]]

    def test_PCK_04(self) -> None:
        with self.world([bundle(entry("Supper at seven, do not forget."))]) as world:
            world.send()
            pocket = self.pocket(world)
            assert (pocket["calendar"]["items"], pocket["messages"]["items"]) == ([], [])


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
                [found] = self.answer(world, question("brass key", actor="REBECCA", view=view))[
                    "results"
                ]
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
                assert (
                    len({each["entry_id"] for body in bodies for each in body["stream"]["entries"]})
                    == 2
                )
                return [body["stream"]["cursor_after"] for body in bodies]

        assert (
            cursors()
            == cursors(bundle(entry(SECRET, to=["REBECCA"])))
            == ["c:00000001", "c:00000002"]
        )

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
            with self.world(
                [bundle(entry(SECRET, to=["REBECCA"])), asked, proposal, proposal]
            ) as world:
                world.send("")
                world.stream("")
                assert world.outcome() == verdict, text

    def test_VIS_10_a_second_view(self) -> None:
        """One beat has one person's view: nobody else's private text comes into its prompts."""
        secrets = bundle(entry(SECRET, to=["REBECCA"]), entry("Wren swam.", to=["WREN"]))
        hers = question("key", actor="REBECCA", name="hers")
        for tool in ("LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD"):
            other = question("swam", tool=tool, actor="WREN", person="WREN", name=tool)
            writer = WatchedWriter([secrets])
            with self.world(writer=writer, config=TWO) as world:
                world.send("")
                first, second = self.answers(world, hers, other)
                assert first["results"]
                assert second["rejected"] == "VIEW_NOT_GIVEN"
                assert "swam" not in writer.texts[-1]
                assert {row[3] for row in world.rows("story_pack")} == {None}
        everybody = question("mill", name="all")
        again = question("key", actor="REBECCA", name="again")
        with self.world([secrets], TWO) as world:
            world.send("")
            answers = self.answers(world, everybody, hers, everybody, again)
            assert [each.get("rejected") for each in answers] == [None, None, "ID_DUPLICATE", None]

    def test_VIS_10_a_part(self) -> None:
        """A part has its person's view from the start, and gets no other."""
        config = msgspec.structs.replace(TWO, parts={"AS_REBECCA": Part("part", view="REBECCA")})
        secret = bundle(entry("Wren swam.", to=["WREN"]), entry(SECRET, to=["REBECCA"]))
        asked = question("swam", actor="WREN")
        scenes = [
            question("swam", tool="SCENE_PACK_BUILD", actor=actor, name=actor)
            for actor in ("WREN", "WORLD")
        ]
        for lines, verdict in (
            ([asked, bundle(entry(author="WREN"), actor="WREN")], "REJECTED VIEW_MIXING"),
            ([*scenes, {"no_write": {}}], "NO_WRITE"),
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
                assert {row[2] for row in world.rows("story_tool")} <= {"VIEW_NOT_GIVEN"}
                assert {row[3] for row in world.rows("story_pack")} == {None, "REBECCA"}
                assert not any("Wren swam" in text for text in part.texts)
                assert world.ledger.verify().difference is None

    def test_VIS_11(self) -> None:
        with self.world([bundle(entry(SECRET, to=["REBECCA"]))]) as world:
            world.send()
            tamper(
                world, "UPDATE story_entry SET visible_to = '[REBE' WHERE seq = 2", "story_entry"
            )
            for reader in ("GEORGE", "REBECCA", "SYSTEM_INVOKER", "WORLD", None):
                assert SECRET not in json.dumps(world.ledger.page(reader))
            assert self.answer(world, question("brass key", actor="REBECCA"))["empty"] is True

    def test_VIS_12(self) -> None:
        with self.world() as world:
            world.send()
            assert refused(world.ledger.page, "STRANGER", kind=UnknownReader) == "unknown_reader"
