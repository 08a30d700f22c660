"""Fixtures of tests of the director's pages."""

import pytest

from bridgebuddy.events.services.play import searches
from movements.engine.changes import PairArrives, PairLeaves, proposals
from tests.factories import director_of


@pytest.fixture
def quick_search(monkeypatch):
    """Shorten the exact search, which takes seconds; these pages do not depend on its result."""
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
    """Return the browser of a director of the section in a test's file."""
    client.force_login(director_of(section.club))
    return client
