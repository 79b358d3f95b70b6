"""The only listening sockets: for agents, spectators, operators, and the page. `docs/server.md`
describes each.

The modules of this level put the rooms together: `host` runs `thorp up`, `follower` runs
`thorp follow`. Rooms import in one direction: http → live → sockets → access, processes.
"""

__all__: list[str] = []
