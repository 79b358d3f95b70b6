"""Hints: sentences that the world adds to refusals, so that the next try succeeds. See
`docs/protocol.md`.

A rule refuses with a code and a sentence that never change. A hint explains the case at hand: the
nearest right name, how far away the thing is, which block is in the way, which goods are lacking.
It is made from the world as it is when the rule refuses, and goes out with the event, but is not
hashed: it may become better in any release, and old worlds keep their digests.

    table      every refusal that can be explained, by its sentence; and how many are, in a tick
    names      things that do not exist, or have another name
    places     distances, blocks that are in the way, and lands that do not allow something
    stocks     goods that are lacking
    society    who decides, and how laws and contracts stand
    unread     actions that could not be read
"""

__all__: list[str] = []
