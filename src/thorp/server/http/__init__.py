"""The HTTP interface: the table of routes, and the handlers that answer them."""

__all__: list[str] = []
