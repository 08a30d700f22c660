"""A refused fold answers on its page under its own address: the page's other forms still go to theirs."""

import re
from urllib.parse import urljoin

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.models import Session
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.services.championships import store_championship
from tests.factories import section_with
from tests.markup import markup

pytestmark = pytest.mark.django_db


def posts_to(answer, address):
    """Return the attributes of every form of a page that is sent to an address."""
    forms = [tag for tag in re.findall(r"<form\b[^>]*>", markup(answer)) if 'method="post"' in tag]
    found = []
    for tag in forms:
        for name in ("action", "hx-post"):
            written = re.search(rf' {name}="([^"]*)"', tag)
            if written or name == "action":
                goes_to = urljoin(address, written[1] if written else "")
                found += [tag] if goes_to.partition("#")[0] == address else []
    return found


@pytest.fixture
def running(club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    section.session.date = timezone.localdate()
    section.session.save()
    return section


@pytest.mark.parametrize(
    "fold", ["delete-session", "anonymise-player", "delete-account", "delete-club", "new-player"]
)
def test_only_the_forms_own_button_sends_a_refused_fold_again(
    club, alice, running, signed_in, fold
):
    person = running.entries.first().players[0]
    address = {
        "delete-session": lambda: reverse(fold, args=[running.code]),
        "anonymise-player": lambda: reverse(fold, args=[club.pk, person.pk]),
        "delete-account": lambda: reverse(fold),
    }.get(fold, lambda: reverse(fold, args=[club.pk]))()

    answer = signed_in(alice).post(address, {"name": "", "password": "wrong"})

    assert answer.status_code == 422
    assert len(posts_to(answer, address)) <= 1
    assert 'href="?' not in markup(answer)


def test_storing_a_session_after_a_refused_deletion_does_not_delete_it(
    club, alice, running, signed_in
):
    browser = signed_in(alice)
    address = reverse("delete-session", args=[running.code])
    page = markup(browser.post(address, {"name": "Wednesday"}))
    form = next(tag for tag in re.findall(r"<form\b[^>]*>", page) if "sessionform" in tag)
    written = re.search(r' action="([^"]*)"', form)

    # the session's form has a field of the same name, with the name that the deletion asks for
    browser.post(urljoin(address, written[1] if written else ""), {"name": "Tuesday Pairs"})

    assert Session.objects.get(pk=running.session_id).deleted_at is None


def test_refused_rules_leave_the_championships_table_as_it_is_stored(
    club, alice, running, signed_in
):
    stored = Championship(club=club, name="League", of=Championship.Of.PAIR, best=8, least=1)
    championship = store_championship(stored, by=alice)
    address = reverse("championship-rules", args=[club.pk, championship.pk])

    answer = signed_in(alice).post(address, {"name": "WRONG", "of": "player", "best": "none"})

    assert answer.status_code == 422
    assert "<h1>WRONG" not in markup(answer)
    assert "League" in re.search(r"<h1.*?</h1>", markup(answer), re.DOTALL)[0]
    assert answer.context["championship"].of == Championship.Of.PAIR


def test_cards_of_a_board_that_is_not_played_are_asked_of_nobody(alice, running, signed_in):
    address = reverse("type-cards", args=[running.code, 999])

    answers = [signed_in(alice).get(address), signed_in(alice).post(address, {"north": "x"})]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_boards_of_matches_are_asked_only_where_teams_play_matches(alice, running, signed_in):
    address = reverse("match-boards", args=[running.code])

    asked = signed_in(alice).get(address, follow=True)
    stored = signed_in(alice).post(address, {"boards": 8})

    assert asked.redirect_chain[0][0] == reverse("entries", args=[running.code])
    assert "This is asked for team matches only." in asked.content.decode()
    assert 'role="alert"' in markup(stored)
