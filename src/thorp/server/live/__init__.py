"""The world while it is played: the tick, its clock, what is asked of the next tick, and the tape
of what happened."""

__all__: list[str] = []
