"""Connections: how they are accepted and limited, agents' and spectators' WebSockets, and the
processes that hold them for a crowded world."""

__all__: list[str] = []
