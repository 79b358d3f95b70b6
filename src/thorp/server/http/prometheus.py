"""Writes metrics in the text format of Prometheus."""

from collections.abc import Iterable, Iterator

Sample = tuple[dict[str, str], float]
"""Labels, and the value that they identify."""
Row = tuple[str, str, str, list[Sample]]
"""The name, kind, help text and samples of one metric."""


def metric(name: str, kind: str, help_text: str, samples: Iterable[Sample]) -> Iterator[str]:
    """The lines of one metric."""
    yield f"# HELP {name} {help_text}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        inside = ",".join(f'{key}="{text}"' for key, text in labels.items())
        number = str(value) if isinstance(value, int) else f"{value:.6f}".rstrip("0").rstrip(".")
        yield f"{name}{{{inside}}} {number}" if inside else f"{name} {number}"
