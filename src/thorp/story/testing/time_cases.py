"""TIM: the world's clock."""

from typing import Any

from thorp.story.instants import between, parse_instant
from thorp.story.testing.suite import Suite, configured
from thorp.story.testing.world import SEQUENTIAL, bundle, having, voice

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
            assert {each["created_at_world"] for each in answer[1]["stream"]["entries"]} == {DECLARED}
            assert {row[3] for row in world.rows("story_entry")} == {parse_instant(DECLARED)}
            assert minutes_from(DECLARED, clock(world.send())) == 1

    def test_TIM_04(self) -> None:
        with self.world() as world:
            assert [each["channel"] for each in world.stream(declared=DECLARED)] == ["USER"]
            rows = sorted(world.rows("story_entry"))
            assert [row[5] for row in rows] == ["SYSTEM", "OPERATOR"]
            assert rows[0][4:9] == ("SYSTEM_INVOKER", "SYSTEM", "PRIVATE", '["SYSTEM_INVOKER"]', "VOICE")
            assert DECLARED in rows[0][9]
            assert len(world.refresh()["stream"]["entries"]) == 1

    def test_TIM_05(self) -> None:
        with self.world() as world:
            path = ("declared_overrides", "time", "declared_world_time")
            for wrong in ("soon", 1000, "2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z"):
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
            assert answer[1]["stream"]["entries"][0]["created_at_world"] == "2026-07-01T16:00:00+00:00"
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
        assert between(start, end) == (2, 0, 0, 0, 0)
        assert between(start, end + 90_061_000_001) == (3, 1, 1, 1, 1)
