"""Questions that the rules of bodies and the rules of society both ask: whose land a column is,
what somebody may do there, who owns which goods, which blocks are around, where a body can
appear."""

__all__: list[str] = []
