"""Every address of a section in every state: a page or "not found", never an error.

Visitors without rights are refused in each state.
"""

import os

import pytest
from django.db import transaction
from django.test import Client

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle import deletions
from bridgebuddy.events.services.play import rounds, searches
from bridgebuddy.events.services.setup import movement
from bridgebuddy.events.services.setup import sections as service
from bridgebuddy.scoring.services import publishing
from tests.factories import section_with
from tests.security import rights
from tests.security.test_rights import meaning_of

from .addresses import forms, pages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """No search takes long, and no sheet is drawn."""
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(searches, "searched_proposals", lambda *arguments: [])
    monkeypatch.setattr("movements.engine.fairness.switching.proposals", lambda *_: [])


def published(club, by):
    section = section_with(6, "mitchell", round=3, club=club, by=by)
    rounds.finish_session(section, round=3, by=by)
    publishing.make_list_final(section, by=by)
    publishing.publish_results(section, by=by)
    publishing.reveal_places(section, 3, by=by)
    return section


def deleted(club, by):
    section = section_with(6, "mitchell", round=1, club=club, by=by)
    deletions.delete_session(section, name=section.session.event.name, by=by)
    return section


def in_two(club, by):
    """Two sections: A plays, and B has no movement yet."""
    section = section_with(12, club=club, by=by)
    keys = list(section.entries.values_list("pk", flat=True))
    first, second = service.divide_entries(section, [keys[:6], keys[6:]], same_deals=True, by=by)
    first = movement.choose_movement(first, "mitchell", boards_per_round=3, by=by)
    rounds.start_next_round(first, after=0, by=by)
    return first, second


STATES = {
    "an empty list": lambda club, by: section_with(0, club=club, by=by),
    "a list alone": lambda club, by: section_with(10, club=club, by=by),
    "a movement alone": lambda club, by: section_with(8, "howell", club=club, by=by),
    "a list of players": lambda club, by: section_with(8, contest="individual", club=club, by=by),
    "a list of teams": lambda club, by: section_with(5, contest="teams", club=club, by=by),
    "over and published": published,
    "deleted": deleted,
    "beside one without a movement": lambda club, by: in_two(club, by)[0],
    "without a movement beside one that plays": lambda club, by: in_two(club, by)[1],
}


#: of so many addresses one is asked in each state, other ones in the next: on PostgreSQL each in one or two of them, so
#: that its queries are asked there
TURNS = int(os.environ.get("STATES_TURNS") or 1)


@pytest.mark.parametrize("state", STATES)
def test_no_address_of_a_section_is_answered_with_an_error(club, alice, state):
    section = Section.objects.get(pk=STATES[state](club, alice).pk)
    browser = Client(raise_request_exception=False)
    browser.force_login(alice)

    failed, turn = [], list(STATES).index(state) % TURNS
    for asked in [*pages(section), *forms(section)][turn::TURNS]:
        with transaction.atomic():
            status = asked.of(section, browser).status_code
            transaction.set_rollback(True)
        if status >= 500:
            failed.append((status, str(asked)))

    assert failed == []


@pytest.mark.parametrize("state", STATES)
def test_no_address_lets_anybody_in_who_has_no_business_there(club, alice, bob, carol, state):
    """One visitor at every address of a state, another one in the next: each comes by twice at least."""
    section = Section.objects.get(pk=STATES[state](club, alice).pk)
    phone = Client()
    phone.get(f"/p/{section.code}/")
    visitors = (
        *((phone, rights.SIGN_IN), (rights.browser_of(bob), rights.NO)),
        *((Client(), rights.SIGN_IN), (rights.browser_of(carol), rights.NO)),
    )
    turn = list(STATES).index(state)
    directors_own = rights.WHO[rights.HELPERS] | rights.WHO[rights.DIRECTORS]
    everybodys = rights.WHO[rights.EVERYBODY] - {"home"}
    once = {(form.name, form.is_form): form for form in [*forms(section), *pages(section)]}

    wrong = []
    for number, asked in enumerate(once.values(), start=turn):
        browser, refused = visitors[number % len(visitors)]
        if asked.name in directors_own | everybodys:
            with transaction.atomic():
                found = meaning_of(asked.of(section, browser))  # fails where it is an error
                transaction.set_rollback(True)
            if asked.name in directors_own and found != refused:
                wrong.append((str(asked), found, refused))

    assert wrong == []
