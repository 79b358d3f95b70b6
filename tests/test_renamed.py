"""Modules that documents taught under an older name are importable for one more release."""

from __future__ import annotations

import subprocess
import sys

import pytest

from thorp._renamed import RENAMED


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_an_old_name_gives_the_module_and_warns(old: str, new: str) -> None:
    program = f"""
import importlib, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    module = importlib.import_module({old!r})
assert module is importlib.import_module({new!r}) and module.__name__ == {new!r} == module.__spec__.name
assert [str(each.message) for each in caught] == ["{old} is now {new}"], caught
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
