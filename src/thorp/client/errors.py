"""The errors that end an agent's connection to a world, and the one of a wrong name.

An action that the world refuses is not one of them: it comes back as an `Outcome`.
"""

from thorp.kernel.errors import InvalidError, ThorpError


class ClientError(ThorpError):
    """The connection cannot be used any more."""

    code = "client"


class Unreachable(ClientError):
    """No connection could be made, or a broken one could not be made again in time."""

    code = "unreachable"


class Rejected(ClientError):
    """The server closed the connection on purpose, and coming back would not change its mind."""

    code = "rejected"


class Gibberish(ClientError):
    """The server sent a message that this kit cannot read."""

    code = "gibberish"


class UnknownName(InvalidError):
    """A block, a blueprint or a contract that the world or the agent does not know."""

    code = "unknown_name"
