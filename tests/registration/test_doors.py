"""A few doors by chance; with DOORS=2000 so many."""

import os

import pytest

from tests.proofs.doors import door


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(1, int(os.environ.get("DOORS", "6")) + 1))
def test_what_is_prepared_is_lawful_and_what_is_started_was_shown(seed, club, alice):
    assert door(seed, club, alice)["doors"] == 1
