"""Fixtures of tests of the phones at the table."""

import pytest

from tests.factories import section_with

from .tapping import with_phones


@pytest.fixture
def section(club, alice):
    """Return ten pairs in round 1, whose tables enter results on phones."""
    return with_phones(section_with(10, "mitchell", round=1, club=club, by=alice))
