"""What can go wrong between an agent and its world, apart from a refused action (which is an `Outcome`)."""

from __future__ import annotations

from thorp.kernel.errors import ThorpError


class ClientError(ThorpError):
    """The connection cannot be used any more."""

    code = "client"


class Unreachable(ClientError):
    """No connection could be made, or none again after the last one broke."""

    code = "unreachable"


class Rejected(ClientError):
    """The server closed the connection on purpose, and coming back would not change its mind."""

    code = "rejected"


class Gibberish(ClientError):
    """The server sent a message that this kit cannot read."""

    code = "gibberish"
