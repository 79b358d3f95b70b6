"""The only listening sockets: agents, spectators, operators, and the page. `docs/server.md` tells
of each."""

__all__: list[str] = []
