"""The endings that the reference engine stored, and a mark for a test of each."""

import pytest

from tests.tools.vectors import contract

ENDED = {name: one for name, one in contract()["endings"].items() if not one["threw"]}

ended = pytest.mark.parametrize("name", ENDED)
