"""The HTTP interface: the table of routes and the handlers behind it."""

__all__: list[str] = []
