"""The one test that the forks' parent runs: afterwards the database is there."""

import pytest

from bridgebuddy.clubs.models import Club


@pytest.mark.django_db
def test_the_database_is_there():
    assert not Club.objects.exists()
