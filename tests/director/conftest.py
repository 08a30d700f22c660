"""What tests of the director's pages share."""

import pytest

from bridgebuddy.events.services.play import searches
from movements.engine.changes import PairArrives, PairLeaves, proposals


@pytest.fixture
def quick_search(monkeypatch):
    """The exact search takes seconds; what it would find is nothing these pages depend on."""
    monkeypatch.setattr(
        searches,
        "searched_proposals",
        lambda movement, fixed, change, sizes: proposals(
            movement, fixed, PairArrives() if change.arrives else PairLeaves(1), sizes
        ),
    )
