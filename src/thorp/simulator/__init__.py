"""The simulator: every engine lives on a disk that breaks, and what it promises is checked.

A seed decides everything in a run: which faults happen, at which change of which disk, and what the
clients ask for. So a failure has a seed and a step, and can be repeated. `thorp simulate` runs
seeds; `docs/simulator.md` says what is injected and what is checked.
`thorp.simulator.breakable_sqlite` needs apsw (the extra `thorp[simulate]`).
"""

__all__ = ["crowd", "lives", "run", "witness"]
