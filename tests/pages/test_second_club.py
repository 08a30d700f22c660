"""No page of a club shows anything of other clubs: neither of an older club nor of a newer one.

Each club has the same people, days and amounts, so numbers of all clubs together differ, too.
"""

from unittest.mock import patch

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle.forgetting import delete_club
from bridgebuddy.events.services.play import searches
from bridgebuddy.operations import caching
from tests.factories import ClubFactory, director_of
from tests.security import rights

from .full_club import make_full_club
from .meanwhile import SECRETS

pytestmark = pytest.mark.django_db

OK = 200


@pytest.fixture(autouse=True)
def quick_and_timeless(monkeypatch):
    """No search takes long, no sheet is drawn, and no clock runs."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])
    monkeypatch.setattr("movements.engine.fairness.switching.proposals", lambda *_: [])


def shown_pages(browser: Client, addresses: dict[str, str]) -> dict[str, str]:
    """Return the text of each page that there is, by its name. Nothing is cached, and nothing stays changed."""
    pages = {}
    for name, address in addresses.items():
        with transaction.atomic(), patch.object(caching, "memory", caching.ProcessMemory()):
            answer = browser.get(address, follow=True)
            if answer.status_code == OK:
                pages[name] = SECRETS.sub("", answer.content.decode(errors="replace"))
            transaction.set_rollback(True)
    return pages


def delete_unfinished(club: Club) -> None:
    """Delete a club with unfinished sessions."""
    Section.objects.filter(session__event__club=club).update(finished_at=timezone.now())
    delete_club(club, name=club.name)


def test_no_page_shows_anything_of_another_club():
    older, ours, newer = (ClubFactory(name=name) for name in ("Older", "Ours", "Newer"))
    addresses = {club: make_full_club(club, director_of(club)) for club in (older, ours, newer)}
    browser = rights.browser_of(ours.members.get())
    among_others = shown_pages(browser, addresses[ours])

    for other in (older, newer):
        delete_unfinished(other)

    alone = shown_pages(browser, {name: addresses[ours][name] for name in among_others})
    assert [name for name in alone if alone[name] != among_others[name]] == []
    assert len(alone) > 100
