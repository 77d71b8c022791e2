"""Every family has its names wherever people read them."""

from typing import get_args

from api.codes import FamilyWord
from replays.views import judge, reference
from rummy_audit.rules.rulesets import FAMILIES
from tools import write_docs


def test_every_family_is_called_by_its_name():
    assert (
        FAMILIES
        == tuple(reference.FAMILY_TITLES)
        == tuple(judge._WORDS)
        == tuple(write_docs.TITLES)
        == get_args(FamilyWord)
    )


def test_pages_and_docs_call_a_family_alike():
    assert reference.FAMILY_TITLES == write_docs.TITLES
