"""An evening of the club with three players and a table."""

import datetime

import pytest

from replays import evenings
from replays.evenings import Named

DAY = datetime.date(2026, 11, 28)


@pytest.fixture
def evening(bob):
    made = evenings.make_evening(
        viewer=bob, name="Saturday", date=DAY, ruleset="indian-13@1", correction_minutes=30
    )
    evenings.add_players(
        viewer=bob, evening=made, named=[Named("Asha"), Named("Bilal"), Named("Chitra")]
    )
    return made


@pytest.fixture
def table(bob, evening):
    return evenings.add_table(viewer=bob, evening=evening, name="Table 4")
