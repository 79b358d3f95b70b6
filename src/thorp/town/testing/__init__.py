"""Does my world keep the contract of a `TownWorld`? A suite to inherit, and handoffs of every kind.

    class TestMyWorld(TownWorldSuite):
        town_id = "Hollow Mill"

        def open_world(self):
            return MyWorld(self.directory)

Each test is one promise. One that is broken raises BrokenPromise, an AssertionError that tells what was seen.
Nothing here imports pytest, which collects any class whose name starts with `Test`.
"""

from thorp.town.testing.suite import BrokenPromise, TownWorldSuite, handoff_for, proposal_for

__all__ = ["BrokenPromise", "TownWorldSuite", "handoff_for", "proposal_for"]
