"""Who may ask, and how a request is read and refused: what every other room of the server builds
on."""

__all__: list[str] = []
