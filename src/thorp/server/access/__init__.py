"""Who may ask, and how a request is read and refused. Every other room of the server builds on
this."""

__all__: list[str] = []
