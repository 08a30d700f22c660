"""A form or a button pressed four times in one moment stores once, and no press ends in an error page."""

import pytest
from django.apps import apps
from django.db.models import OneToOneField
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from bridgebuddy.coming.models import Beforehand
from bridgebuddy.events.models import Session
from bridgebuddy.planning.models import ClubChart, Owned
from bridgebuddy.publication.models import BridgeWebs, ClubPage, MailAddress, OwnPage
from bridgebuddy.publication.own import links
from bridgebuddy.scoring.models import Scoring
from bridgebuddy.seasons.models import ClubRating, HandicapByHand, HandicapRule
from bridgebuddy.tables.models import Phones
from tests.factories import PersonFactory, section_with
from tests.together import errors, together

pytestmark = pytest.mark.django_db(transaction=True)
PRESSES = 4


def own_kept(section):
    return reverse("own-kept", args=[links.code_of(links.give(person_of(section), by=None))])


def person_of(section):
    return section.entries.order_by("position").first().players[0]


def of_club(name):
    return lambda section: reverse(name, args=[section.club.pk])


def of_section(name):
    return lambda section: reverse(name, args=[section.code])


def of_person(name):
    return lambda section: reverse(name, args=[section.club.pk, person_of(section).pk])


RULE = {"last": 20, "months": 12, "least": 3, "times": "1", "band": "1", "most": "10", "new": "0"}
#: by model: the address of the form that makes its one row, and what is sent there
FORMS = {
    Owned: (of_club("club-chart"), {"board_sets": "2 red", "tables": "12"}),
    ClubChart: (of_club("club-chart"), {"fill": "1"}),
    HandicapRule: (of_club("handicaps"), RULE),
    HandicapByHand: (of_person("handicap-by-hand"), {"handicap": "2", "reason": "new here"}),
    ClubPage: (of_club("club-public"), {"is_on": "True", "address": "lindenhof", "words": ""}),
    BridgeWebs: (of_club("club-bridgewebs"), {"code": "lindenhof", "password": "secret"}),
    ClubRating: (of_club("rating"), {"do": "on"}),
    MailAddress: (of_person("player-mail"), {"email": "anna@example.org"}),
    OwnPage: (of_person("player-own-page"), {"do": "give"}),
    Phones: (
        of_section("phones"),
        {"mode": "secret", "agreement": "accept", "feedback": "traveller"},
    ),
    Scoring: (of_section("hand-in"), {}),
    Beforehand: (of_section("who-comes"), {"do": "switch", "on": "1", "most": ""}),
}
#: rows that no form makes by itself: a service does, under a lock of the session, or a job that works them out anew
OTHERS = {
    "ClubLogo",  # a file, stored with update_or_create
    "FinalList",
    "FormBefore",
    "Outcome",
    "PastSession",
    "Planned",  # made with its session
    "RatingBefore",
    "Swapped",  # a switch under the section's lock
    "Upload",
}


def pressed(user, address, sent):
    """Send a form four times in one moment; return the statuses."""

    def press():
        browser = Client()
        browser.force_login(user)
        return lambda: browser.post(address, sent).status_code

    outcomes = together(*[press() for _ in range(PRESSES)])
    assert errors(outcomes) == []
    return set(outcomes)


def test_every_row_of_which_there_is_one_is_in_the_table():
    models = {
        model
        for model in apps.get_models()
        if model.__module__.startswith("bridgebuddy.")
        and any(isinstance(field, OneToOneField) for field in model._meta.local_fields)
    }

    assert {model.__name__ for model in models} == OTHERS | {model.__name__ for model in FORMS}


def test_a_form_sent_four_times_at_once_makes_one_row(club, alice, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    section = section_with(6, club=club, by=alice)
    rows = {}

    for model, (address, sent) in FORMS.items():
        model.objects.all().delete()
        statuses = pressed(alice, address(section), sent)
        rows[model.__name__] = (statuses <= {200, 302}, model.objects.count())

    assert rows == dict.fromkeys(rows, (True, 1))


# ── buttons that make something ──


def test_a_club_is_made_once(alice):
    Club.objects.all().delete()

    statuses = pressed(alice, reverse("new-club"), {"name": "New Club", "results_come": "phones"})

    assert statuses == {302}
    assert Club.objects.get().memberships.get().user == alice


def test_another_club_of_the_same_name_is_made_where_the_first_is_in_use(alice, club, client):
    PersonFactory(club=club)
    client.force_login(alice)

    client.post(reverse("new-club"), {"name": club.name, "results_come": "phones"})

    assert Club.objects.filter(name=club.name).count() == 2


def test_a_rehearsal_is_made_once(club, alice):
    section = section_with(6, "howell", club=club, by=alice)

    statuses = pressed(alice, reverse("rehearse", args=[section.code]), {})

    assert statuses == {302}
    assert Session.objects.exclude(rehearsal_until=None).count() == 1


def test_a_later_press_and_another_director_make_another_rehearsal(club, alice, client):
    section = section_with(6, "howell", club=club, by=alice)
    press = reverse("rehearse", args=[section.code])
    client.force_login(alice)
    first = client.post(press).url
    assert client.post(press).url == first
    Session.objects.exclude(rehearsal_until=None).update(rehearsal_until=timezone.now())

    second = client.post(press).url

    assert second != first


def test_an_evening_to_try_is_opened_once(club, alice):
    statuses = pressed(alice, reverse("trial"), {"to": "desk"})

    assert statuses == {302}
    assert Session.objects.exclude(rehearsal_until=None).count() == 1


def test_a_new_club_is_asked_what_is_public_and_shows_initials_unless_it_says_more(alice, client):
    client.force_login(alice)
    page = client.get(reverse("new-club")).content.decode()
    assert 'name="public_names"' in page

    client.post(reverse("new-club"), {"name": "Quiet", "results_come": "phones"})
    client.post(reverse("new-club"), {"name": "Open", "public_names": "full"})

    assert Club.objects.get(name="Quiet").public_names == "initials"
    assert Club.objects.get(name="Open").public_names == "full"
