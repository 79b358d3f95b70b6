"""The server as a process: its interpreter, the processes that it starts, and how commands
find it."""

__all__: list[str] = []
