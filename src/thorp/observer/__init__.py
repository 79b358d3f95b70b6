"""What a viewer sees of a world, without a socket: read models of the present and the past.

Their handlers over HTTP and WebSocket are in `thorp.server`.
"""

__all__: list[str] = []
