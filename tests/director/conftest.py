"""What tests of the director's pages share."""

import pytest

from bridgebuddy.events.services.play import searches
from movements.engine.changes import PairArrives, PairLeaves, proposals
from tests.factories import director_of


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


@pytest.fixture
def browser(alice, signed_in):
    """The browser of the club's director."""
    return signed_in(alice)


@pytest.fixture
def director(client, section):
    """The browser of somebody who directs the section of a test's file."""
    client.force_login(director_of(section.club))
    return client
