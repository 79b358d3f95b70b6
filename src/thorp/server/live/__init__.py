"""The world while it is played: the tick, its clock, requests to the next tick, and the tape of the
past ones."""

__all__: list[str] = []
