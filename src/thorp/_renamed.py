"""Modules that the documents taught under an older name, importable for one more release.

Importing an old name gives the module under its new name, with a `DeprecationWarning`. A row of the
table goes when the release after the rename is out.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

RENAMED: Final = {
    "thorp.story.stop_words": "thorp.story.text",
    "thorp.town.world": "thorp.town.execution",
    "thorp.voxel.found": "thorp.voxel.new_world",
    "thorp.voxel.ground": "thorp.voxel.state.ground",
}


class _Renamed:
    """Finds the modules of the table, and loads each as the one that it has become.

    It has no base of `importlib.abc`, because importing that takes as long as all the rest of `thorp`.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, cast("Loader", self)) if name in RENAMED else None

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual empty module will do: it is replaced below."""

    def exec_module(self, module: ModuleType) -> None:
        old, new = module.__name__, RENAMED[module.__name__]
        warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=6)
        sys.modules[old] = import_module(new)


def install() -> None:
    """Let `import` know the old names. It is asked last, so that it costs other imports nothing."""
    sys.meta_path.append(_Renamed())
