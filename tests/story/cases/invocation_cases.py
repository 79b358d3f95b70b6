"""INV, IDP, NOP and TIM: envelopes, one request sent twice, requests that change nothing, and the
clock."""

import json
import threading
from typing import Any

from tests.story.suite import Suite, case_per_row, configured
from tests.story.world import (
    SEQUENTIAL,
    WatchedWriter,
    World,
    bundle,
    entry,
    fault,
    having,
    voice,
    without,
)
from thorp.kernel.canonical import Json
from thorp.story import read_projection
from thorp.story.instants import DAY_US, parse_instant

ODD_TEXT = "  \t lead\r\nand  end \x01\x7f 🏮 e\u0301 \u200d  "


ABSENT = object()
LOOK_ALIKES = (" george ", "GEO\u200bRGE", "\uff27EORGE", "GE\u041eRGE", "GEORGE\x7f", "gEoRgE")
HUMANS = (
    "ann.smith@mill.example",
    "ann@localhost",
    "Ann Smith <ann@mill.example>",
    "mailto:ann@mill.example",
    "@ann",
    "Ann Smith",
    "+44 20 7946 0958",
    "020-7946-0958",
    "078-05-1120",
)


@case_per_row(
    "check_refusals",
    {
        "INV_02": ("Missing request_id", "request_id", ABSENT),
        "INV_03": ("Missing request_id", "request_id", "", "  \t ", 5, None, "x" * 201),
        "INV_04": ("Invalid operator_id", "operator.operator_id", "NOT_GEORGE"),
        "INV_05": (None, "operator", ABSENT),
        "INV_06": ("Invalid invoker_id", "invoker.invoker_id", "GEORGE"),
        "INV_07": ("Invalid invoker_id", "invoker.invoker_id", *LOOK_ALIKES),
        "INV_08": (None, "invoker", ABSENT),
        "INV_09": (None, "invoker.invoker_role", "ADMIN", ABSENT),
        "INV_11": ("Invalid invoker_id", "invoker.invoker_id", *HUMANS),
        "INV_12": (None, "mode", {"kind": "INVALID_MODE", "client_intent": None}, ABSENT),
        "INV_17": ("Invalid input_text", "operator.input_text", None, 7, ["x"], ABSENT),
        "INV_26": ("Invalid pause_time", "declared_overrides.pause_time", "true"),
    },
)
class InvocationCases(Suite):
    def check_refusals(self, error: str | None, place: str, *values: Any) -> None:
        """An envelope with one of these values at a place is refused with this error."""
        path = place.split(".")
        with self.world() as world:
            for value in values:
                envelope = world.envelope()
                changed = (
                    without(envelope, *path)
                    if value is ABSENT
                    else having(envelope, *path, put=value)
                )
                self.refuse(world, changed, error)

    def refuse(self, world: World, envelope: Any, error: str | None = None) -> None:
        """The envelope gets a 400, and nothing is stored."""
        before = world.counts()
        status, body = world.ledger.invoke(envelope)
        assert status == 400, body
        assert error in (None, body["error"]), body
        assert world.counts() == before

    def test_INV_01(self) -> None:
        with self.world() as world:
            status, body = world.send("Hello.")
            read_projection(body)
            first = body["stream"]["entries"][0]
            assert (status, body["debug"]["wrote"]) == (200, True)
            assert (first["channel"], first["text"]) == ("USER", "Hello.")

    def test_INV_10(self) -> None:
        with self.world() as world:
            world.stream(invoker="user_external_1")

    def test_INV_13(self) -> None:
        with self.world() as world:
            envelope = {**world.envelope(), "declared_overrides": {}, "ui": {}}
            assert world.ledger.invoke(envelope)[0] == 200

    def test_INV_14(self) -> None:
        with self.world() as world:
            envelope = having(world.envelope(), "declared_overrides", "time", put=None)
            assert world.ledger.invoke(envelope)[0] == 200

    def test_INV_15(self) -> None:
        with self.world() as world:
            envelope = without(without(world.envelope(), "declared_overrides"), "ui")
            assert world.ledger.invoke(envelope)[0] == 200

    def test_INV_16(self) -> None:
        with self.world() as world:
            status, body = world.send("")
            assert status == 200
            assert body["debug"] == {"wrote": False, "bundle_id": None}
            assert body["stream"]["entries"] == []
            assert body["pocket"]["clock"]["world_time"] == "2026-01-01T07:31:00+00:00"

    def test_INV_18(self) -> None:
        with self.world() as world:
            [shown] = world.stream(ODD_TEXT)
            assert shown["text"] == ODD_TEXT
            assert world.texts() == [ODD_TEXT]

    def test_INV_19(self) -> None:
        with self.world() as world:
            [shown] = world.stream(" ")
            assert (shown["channel"], shown["text"]) == ("USER", " ")

    def test_INV_20(self) -> None:
        with self.world() as world:
            self.refuse(world, {**world.envelope(), "extra": 1}, "Unknown field")
            self.refuse(world, having(world.envelope(), "ui", "extra", put=1), "Unknown field")
        with self.world(config=configured(SEQUENTIAL, invocations={"strict": False})) as world:
            assert world.ledger.invoke({**world.envelope(), "extra": 1})[0] == 200
            assert world.ledger.invoke(having(world.envelope(), "ui", "extra", put=1))[0] == 200

    def test_INV_21(self) -> None:
        with self.world() as world:
            for wrong in (b'{"request_id": ', b"[]", b"\xff", b"", b"NaN", b'{"a": 1, "a": 2}'):
                self.refuse(world, wrong)
            good = json.dumps(world.envelope()).encode()
            assert world.ledger.respond(good, content_type="text/plain").status == 415
            assert world.counts()["story_beat"] == 0
            assert (
                world.ledger.respond(good, content_type="application/json; charset=utf-8").status
                == 200
            )

    def test_INV_22(self) -> None:
        with self.world() as world:
            envelope = having(world.envelope(), "operator", "operator_id", put="NOT_GEORGE")
            self.refuse(world, without(envelope, "request_id"), "Missing request_id")

    def test_INV_23(self) -> None:
        def told(intent: str | None) -> tuple[list[str], list[Any]]:
            writer = WatchedWriter([bundle(entry())])
            with self.world(writer=writer) as world:
                for text in ("Hello.", "And now?"):
                    world.send(text, intent=intent)
                return writer.texts, world.rows("story_entry")

        assert told(None) == told("Make the bridge collapse, and make it dramatic.")

    def test_INV_24(self) -> None:
        fact = "The mill burned down"
        writer = WatchedWriter([bundle(entry())])
        with self.world(writer=writer) as world:
            answers = [world.respond(text, notes=fact).body for text in ("Hello.", "And now?")]
            assert not any(fact in text for text in (*answers, *writer.texts, *world.texts()))

    def test_INV_25(self) -> None:
        with self.world() as world:
            envelope = having(
                world.envelope(), "ui", "client_timestamp_utc", put="1999-12-31T23:59:59Z"
            )
            _, body = world.ledger.invoke(envelope)
            assert body["pocket"]["clock"]["world_time"] == "2026-01-01T07:31:00+00:00"


class IdempotencyCases(Suite):
    def test_IDP_01(self) -> None:
        with self.world() as world:
            first = world.respond(request_id="once")
            before, calls = world.counts(), world.writer.calls
            second = world.respond(request_id="once")
            assert second.replayed
            assert first.body == second.body
            assert (world.counts(), world.writer.calls) == (before, calls)
            assert world.stream()[0]["created_at_world"] == "2026-01-01T07:32:00+00:00"

    def test_IDP_02(self) -> None:
        with self.world() as world:
            first = world.respond("Hello.", request_id="once")
            second = world.respond("Something else.", request_id="once")
            assert (second.status, second.body, second.mismatch) == (200, first.body, True)
            assert world.texts() == ["Hello."]

    def test_IDP_03(self) -> None:
        with self.world(
            config=configured(SEQUENTIAL, invocations={"on_mismatch": "conflict"})
        ) as world:
            first = world.respond("Hello.", request_id="once")
            before = world.counts()
            assert world.respond("Something else.", request_id="once").status == 409
            assert world.counts() == before
            assert world.respond("Hello.", request_id="once").body == first.body

    def test_IDP_04(self) -> None:
        with self.world() as world:
            first = world.respond(request_id="once")
            assert world.respond(request_id="once", cursor="c:00000000").body == first.body

    def test_IDP_05(self) -> None:
        with self.world([bundle(voice(), entry())]) as world:
            first = world.respond(request_id="once")
            again = world.respond(request_id="once")
            assert again.body == first.body
            entries = json.loads(again.body)["stream"]["entries"]
            assert [each["channel"] for each in entries] == ["USER", "VOICE", "PEOPLE"]

    def test_IDP_06(self) -> None:
        with self.world() as world:
            first = world.respond(request_id="once", cursor="c:00000000")
            for _ in range(10):
                world.send()
            assert world.respond(request_id="once").body == first.body

    def test_IDP_07(self) -> None:
        with self.world() as world:
            envelope, bodies = world.envelope(), []

            def post() -> None:
                bodies.append(world.ledger.respond(envelope).body)

            threads = [threading.Thread(target=post) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(bodies) == 20
            assert len(set(bodies)) == 1
            assert world.bundles() == 1

    def test_IDP_08(self) -> None:
        with self.world() as world:
            envelope = world.envelope(kind="INVALID_MODE")
            assert world.ledger.invoke(envelope)[0] == 400
            assert world.ledger.invoke(having(envelope, "mode", "kind", put="BEAT"))[0] == 200

    def test_IDP_09(self) -> None:
        with self.world() as world:
            with fault(world, "story_beat"):
                assert world.send(request_id="once")[0] == 500
                assert not any(world.counts().values())
            assert world.send(request_id="once")[0] == 200

    def test_IDP_10(self) -> None:
        """A process that dies while its writer works has stored nothing. Other tests kill real
        processes."""
        url = self.fresh_url()

        class Killed(BaseException):
            pass

        def die(moment: object) -> Json:
            raise Killed

        world = self.world([die], url=url)
        try:
            world.send(request_id="once")
        except Killed:
            pass
        else:
            raise AssertionError("the writer should have died")
        finally:
            world.ledger.close()
        with self.world(url=url) as again:
            assert again.bundles() == 0
            assert again.send(request_id="once")[0] == 200
            assert again.bundles() == 1

    def test_IDP_11(self) -> None:
        url = self.fresh_url()
        with self.world([bundle(voice())], url=url) as world:
            first = world.respond(request_id="once")
        with self.world(url=url) as world:
            again = world.respond(request_id="once")
            assert (again.body, again.replayed) == (first.body, True)

    def test_IDP_12(self) -> None:
        with self.world() as world:
            first = world.respond("", request_id="once", kind="NO_OP")
            assert world.respond("Hello.", request_id="once").body == first.body
            assert world.texts() == []


class NoOpCases(Suite):
    def test_NOP_01(self) -> None:
        with self.world([bundle(voice(), entry())]) as world:
            for _ in range(3):
                world.send()
            body = world.refresh()
            texts = [each["text"] for each in body["stream"]["entries"]]
            assert texts == ["Hello.", "Rain falls.", "She nods.", "Hello.", "Hello."]
            assert body["debug"] == {"wrote": False, "bundle_id": None}

    def test_NOP_02(self) -> None:
        with self.world() as world:
            assert world.stream("hi", kind="NO_OP") == []
            assert world.texts() == []

    def test_NOP_03(self) -> None:
        with self.world() as world:
            world.send()
            clock = world.refresh()["pocket"]["clock"]
            declared = world.envelope("", kind="NO_OP", declared="2030-01-01T00:00:00Z")
            assert world.ledger.invoke(declared)[0] == 400
            assert world.send("", kind="NO_OP", pause=True)[0] == 400
            assert world.send("", kind="NO_OP", pause=False)[0] == 200
            assert world.refresh()["pocket"]["clock"] == clock

    def test_NOP_04(self) -> None:
        with self.world([bundle(voice())]) as world:
            world.send()
            before = (world.ledger.tip(), world.rows("story_beat"), world.writer.calls)
            bodies = [world.refresh() for _ in range(100)]
            assert (world.ledger.tip(), world.rows("story_beat"), world.writer.calls) == before
            assert len({json.dumps({**body, "request_id": ""}) for body in bodies}) == 1


EPOCH = "2026-01-01T07:30:00+00:00"
DECLARED = "2026-03-21T10:00:00+00:00"


def clock(answer: tuple[int, dict[str, Any]]) -> str:
    status, body = answer
    assert status == 200, body
    found: str = body["pocket"]["clock"]["world_time"]
    return found


def minutes_from(start: str, shown: str) -> float:
    return (parse_instant(shown) - parse_instant(start)) / 60_000_000


class TimeCases(Suite):
    def test_TIM_01(self) -> None:
        with self.world() as world:
            assert [minutes_from(EPOCH, clock(world.send())) for _ in range(2)] == [1, 2]

    def test_TIM_02(self) -> None:
        with self.world() as world:
            answer = world.send("Later that day...")
            assert minutes_from(EPOCH, clock(answer)) == 1
            assert answer[1]["stream"]["entries"][0]["text"] == "Later that day..."

    def test_TIM_03(self) -> None:
        with self.world([bundle(voice())]) as world:
            answer = world.send(declared=DECLARED)
            assert clock(answer) == DECLARED
            assert {each["created_at_world"] for each in answer[1]["stream"]["entries"]} == {
                DECLARED
            }
            assert {row[3] for row in world.rows("story_entry")} == {parse_instant(DECLARED)}
            assert minutes_from(DECLARED, clock(world.send())) == 1

    def test_TIM_04(self) -> None:
        with self.world() as world:
            assert [each["channel"] for each in world.stream(declared=DECLARED)] == ["USER"]
            rows = sorted(world.rows("story_entry"))
            assert [row[5] for row in rows] == ["SYSTEM", "OPERATOR"]
            assert rows[0][4:9] == (
                "SYSTEM_INVOKER",
                "SYSTEM",
                "PRIVATE",
                '["SYSTEM_INVOKER"]',
                "VOICE",
            )
            assert DECLARED in rows[0][9]
            assert len(world.refresh()["stream"]["entries"]) == 1

    def test_TIM_05(self) -> None:
        with self.world() as world:
            path = ("declared_overrides", "time", "declared_world_time")
            for wrong in (
                "soon",
                1000,
                "2026-02-30T00:00:00Z",
                "2026-01-01",
                "2026-01-01T24:00:00Z",
            ):
                status, body = world.ledger.invoke(having(world.envelope(), *path, put=wrong))
                assert (status, body["error"]) == (400, "Invalid declared_world_time")
            assert not any(world.counts().values())
            assert minutes_from(EPOCH, clock(world.send())) == 1

    def test_TIM_06(self) -> None:
        with self.world() as world:
            assert clock(world.send(declared="2026-03-21T10:00:00Z")) == DECLARED

    def test_TIM_07(self) -> None:
        with self.world() as world:
            answer = world.send(declared="2026-07-01T12:00:00", zone="America/New_York")
            assert clock(answer) == "2026-07-01T12:00:00-04:00"
            assert (
                answer[1]["stream"]["entries"][0]["created_at_world"] == "2026-07-01T16:00:00+00:00"
            )
            assert clock(world.send(declared="2026-07-01T12:00:00")) == "2026-07-01T12:00:00+01:00"

    def test_TIM_08(self) -> None:
        with self.world() as world:
            for wrong in ("Mars/Base", "", "../../etc/passwd", "Europe"):
                assert world.send(zone=wrong)[0] == 400

    def test_TIM_09(self) -> None:
        with self.world() as world:
            assert world.send()[1]["pocket"]["clock"]["timezone"] == "Europe/London"
            assert world.send(zone="Asia/Tokyo")[1]["pocket"]["clock"]["timezone"] == "Asia/Tokyo"
            assert world.send()[1]["pocket"]["clock"]["timezone"] == "Europe/London"

    def test_TIM_10(self) -> None:
        with self.world() as world:
            frozen = clock(world.send(pause=True))
            assert [clock(world.send()) for _ in range(3)] == [frozen] * 3

    def test_TIM_11(self) -> None:
        with self.world() as world:
            frozen = clock(world.send(pause=True))
            for _ in range(3):
                world.send()
            assert minutes_from(frozen, clock(world.send(pause=False))) == 1

    def test_TIM_12(self) -> None:
        url = self.fresh_url()
        with self.world(url=url) as world:
            frozen = clock(world.send(pause=True))
            assert clock(world.send(pause=None)) == frozen
        with self.world(url=url) as world:
            assert clock(world.send(request_id="later")) == frozen

    def test_TIM_13(self) -> None:
        with self.world() as world:
            assert clock(world.send(declared=DECLARED, pause=True)) == DECLARED
            assert clock(world.send()) == DECLARED

    def test_TIM_14(self) -> None:
        with self.world() as world:
            assert minutes_from(EPOCH, clock(world.send(pause=False))) == 1

    def test_TIM_15(self) -> None:
        earlier = "2020-01-01T00:00:00+00:00"
        with self.world() as world:
            cursor = world.send("First.")[1]["stream"]["cursor_after"]
            body = world.send("Second.", declared=earlier, cursor=cursor)[1]
            assert [each["text"] for each in body["stream"]["entries"]] == ["Second."]
            assert body["pocket"]["clock"]["world_time"] == earlier
        forward = configured(SEQUENTIAL, time={"backward_declaration": "reject"})
        with self.world(config=forward) as world:
            world.send("First.")
            before = world.counts()
            status, body = world.send("Second.", declared=earlier)
            assert (status, body["error"]) == (400, "Invalid declared_world_time")
            assert world.counts() == before

    def test_TIM_16(self) -> None:
        wall = [1_000_000.0]
        config = configured(SEQUENTIAL, time={"mode": "coupled"})
        with self.world(config=config, wall=lambda: wall[0]) as world:
            start = clock(world.send())
            wall[0] += 60
            assert minutes_from(start, clock(world.send())) == 3
            wall[0] += 60
            assert minutes_from(start, clock(world.send(pause=True))) == 3
            wall[0] += 600
            assert minutes_from(start, clock(world.send())) == 3
            wall[0] += 20
            assert minutes_from(start, clock(world.send(pause=False))) == 4

    def test_TIM_17(self) -> None:
        start, end = parse_instant("2028-02-28T00:00:00Z"), parse_instant("2028-03-01T00:00:00Z")
        assert end - start == 2 * DAY_US
