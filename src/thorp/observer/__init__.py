"""What a viewer sees of a world, without a socket: read models of the present and the past.

`thorp.server` serves them over HTTP and WebSocket.
"""

__all__: list[str] = []
