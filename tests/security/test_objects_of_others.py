"""An object of another club at an address of our own club is not found: it is neither read nor changed."""

import pytest
from django.db import transaction
from django.urls import resolve, reverse
from django.utils import timezone

from tests.events.states import different, world
from tests.factories import ClubFactory, director_of, section_with

from . import rights

pytestmark = pytest.mark.django_db

#: not found, and no such request is taken here
NOT_FOUND = {404, 405}
#: addresses that answer otherwise: by leading back, for phones, with nothing
OTHERWISE = {
    302: {
        *("correct-substitute", "cross", "edit-pair", "end-substitute", "enter-result", "import"),
        *("member-come", "own-come", "withdraw"),
    },
    403: rights.TABLES,
    204: {"slip-reading"},
}
#: parts of an address that say whose page it is
OWNERS = {"pk", "code"}
#: parts of an address that name an object of a club or of a session by its key
OBJECTS = {
    *("brought", "championship", "entry", "fouled", "invitation", "link", "mail", "member"),
    *("penalty", "person", "play", "report", "result", "series", "session"),
}


def mixed_addresses(ours: dict[str, str], theirs: dict[str, str]) -> dict[str, str]:
    """Return our addresses by name, each with the keys of their objects."""
    mixed = {}
    for name, address in ours.items():
        our_keys, their_keys = resolve(address).kwargs, resolve(theirs[name]).kwargs
        if OWNERS & our_keys.keys() and (objects := OBJECTS & our_keys.keys()):
            mixed[name] = reverse(name, kwargs=our_keys | {key: their_keys[key] for key in objects})
    return mixed


def test_an_object_of_another_club_is_not_found_at_an_address_of_ours(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    ours, theirs = ClubFactory(), ClubFactory()
    both = {}
    for club in (ours, theirs):
        section = section_with(9, "mitchell", round=2, club=club, by=director_of(club))
        both[club] = rights.addresses_of(section, club.members.get())
    browser = rights.browser_of(ours.members.get())

    found = []
    addresses = mixed_addresses(both[ours], both[theirs])
    for name, address in addresses.items():
        for method in ("get", "post"):
            with transaction.atomic():
                before = world()
                answer = getattr(browser, method)(address, {"after": 4, "plan": 1})
                status = answer.status_code
                if status not in NOT_FOUND and name not in OTHERWISE.get(status, ()):
                    found.append(f"{name} answers {status} to {method}")
                if any(different(before, world())):
                    found.append(f"{name} changes something")
                transaction.set_rollback(True)

    assert found == []
    assert len(addresses) > 30
