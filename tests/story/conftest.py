"""Assertions inside the story's public conformance suite are explained, as those of tests are."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("thorp.story.testing", "tests.story.cases")
