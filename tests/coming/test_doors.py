"""A few doors by chance; `python -m tests.proofs.doors` has two thousand."""

import pytest

from tests.proofs.doors import door


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(1, 7))
def test_what_is_prepared_is_lawful_and_what_is_started_was_shown(seed):
    assert door(seed)["doors"] == 1
