"""The simulator: every engine lives on a disk that breaks, and what it promises is checked.

One seed is one run: which faults, at which change of which disk, and what the clients ask for. So a
failure is a seed and a step, again and again. `thorp simulate` runs it; `docs/simulator.md` says
what is injected and what is checked. `thorp.simulator.breakable_sqlite` needs apsw (the extra
`thorp[simulate]`).
"""

__all__ = ["crowd", "lives", "run", "witness"]
