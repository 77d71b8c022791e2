"""Hostile logs break no referee, cost next to nothing and are judged the same twice."""

import pytest

from tests.soak import hostile


@pytest.mark.ci
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_hostile_logs_are_judged_or_refused(first):
    """The whole form is ``python -m tests.soak.hostile``."""
    assert [line for line in map(hostile.trouble, range(first, first + 250)) if line] == []
