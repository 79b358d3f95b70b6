"""PRJ and PCK: what a screen gets."""

from __future__ import annotations

from typing import Any

from thorp.kernel.canonical import Json
from thorp.story.testing.suite import Suite, configured, refused
from thorp.story.testing.world import SEQUENTIAL, World, bundle, entry, having, voice

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
            for number, wrong in enumerate(("garbage", "c:99999999", "c:-0000001", "c:" + "9" * 40, "")):
                body = world.send(f"Beat {number}.", cursor=wrong)[1]
                assert texts(body["stream"]["entries"]) == [f"Beat {number}."]
                assert body["stream"]["cursor_before"] is None

    def test_PRJ_09(self) -> None:
        with self.world() as world:
            assert world.ledger.invoke(having(world.envelope(), "ui", "stream_cursor", put=5))[0] == 400

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
            assert refused(world.ledger.sow, wrong) == "literal"
            assert not any(world.counts().values())

    def test_PCK_02(self) -> None:
        with self.world() as world:
            world.ledger.sow({**SEED, "visible_to": ["REBECCA"]})
            assert self.pocket(world)["calendar"]["items"] == []
            hers = world.ledger.page("REBECCA")["pocket"]["calendar"]["items"]
            assert [each["title"] for each in hers] == ["Supper with Rebecca"]

    def test_PCK_03(self) -> None:
        with self.world() as world:
            world.ledger.sow(SEED)
            assert self.pocket(world)["calendar"]["items"] == [SEED["calendar"]]
            assert world.stream() != []
            assert texts(world.refresh()["stream"]["entries"]) == [SEED["text"], "Hello."]
            assert self.pocket(world)["calendar"]["items"] == [SEED["calendar"]]

    def test_PCK_04(self) -> None:
        with self.world([bundle(entry("Supper at seven, do not forget."))]) as world:
            world.send()
            pocket = self.pocket(world)
            assert (pocket["calendar"]["items"], pocket["messages"]["items"]) == ([], [])
