"""The commands `thorp …`, one module a group. No logic here: words in, words out."""

__all__: list[str] = []
