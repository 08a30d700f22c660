"""A form or a button pressed four times in one moment stores once, and no press ends in an error page."""

import pytest
from django.apps import apps
from django.db.models import OneToOneField
from django.forms import ModelForm
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.forms import MemberForm, RolesForm
from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.single_rows import SingleRowForm, save_single_row
from bridgebuddy.director.club.equipment import EquipmentForm
from bridgebuddy.director.club.public_page import PublicPageForm, page_of
from bridgebuddy.director.season.forms import HandicapRuleForm, ManualHandicapForm
from bridgebuddy.events.models import Session
from bridgebuddy.planning.models import ClubChart, Equipment
from bridgebuddy.publication.models import BridgeWebs, ClubPage, PlayerPage, ResultsSubscription
from bridgebuddy.publication.own import links
from bridgebuddy.registration.models import RegistrationSettings
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.seasons.models import HandicapRule, ManualHandicap, RatingSettings
from bridgebuddy.table_phones.models import PhoneSettings
from tests.factories import ClubFactory, PersonFactory, section_with
from tests.together import errors, together

pytestmark = pytest.mark.django_db(transaction=True)
PRESSES = 4


def own_kept(section):
    return reverse(
        "own-kept", args=[links.page_code(links.give_address(person_of(section), by=None))]
    )


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
    Equipment: (of_club("club-chart"), {"board_sets": "2 red", "tables": "12"}),
    ClubChart: (of_club("club-chart"), {"fill": "1"}),
    HandicapRule: (of_club("handicaps"), RULE),
    ManualHandicap: (of_person("handicap-by-hand"), {"handicap": "2", "reason": "new here"}),
    ClubPage: (of_club("club-public"), {"is_on": "True", "address": "lindenhof", "words": ""}),
    BridgeWebs: (of_club("club-bridgewebs"), {"code": "lindenhof", "password": "secret"}),
    RatingSettings: (of_club("rating"), {"do": "on"}),
    ResultsSubscription: (of_person("player-mail"), {"email": "anna@example.org"}),
    PlayerPage: (of_person("player-own-page"), {"do": "give"}),
    PhoneSettings: (
        of_section("phones"),
        {"mode": "secret", "agreement": "accept", "feedback": "traveller"},
    ),
    ScoringSettings: (of_section("hand-in"), {}),
    RegistrationSettings: (of_section("who-comes"), {"do": "switch", "on": "1", "most": ""}),
}
#: rows that no form makes by itself: a service does, under a lock of the session, or a job that works them out anew
OTHERS = {
    "ClubLogo",  # a file, stored with update_or_create
    "FinalList",
    "PublishedOutcome",
    "PastSession",
    "SessionPlan",  # made with its session
    "RatingBefore",
    "SwappedSeats",  # a switch under the section's lock
    "BridgeWebsUpload",
    "Membership",  # made by an invitation; its form only changes the roles
    *(
        "MoneySettings",
        "SeriesPrices",
        "SessionMoney",
        "MoneyAccount",
    ),  # under the lock of the money
}


def pressed(user, address, sent):
    """Send a form four times in one moment; return the statuses."""

    def press():
        browser = Client()
        browser.force_login(user)
        return lambda: browser.post(address, sent).status_code

    return statuses_of(press)


def statuses_of(press):
    """Make some presses, send them in one moment, and return the statuses."""
    outcomes = together(*[press() for _ in range(PRESSES)])
    assert errors(outcomes) == []
    return set(outcomes)


def any_one_to_one(model):
    return any(isinstance(field, OneToOneField) for field in model._meta.local_fields)


def forms_below(form):
    """Return all subclasses of a form that stores a row."""
    below = set(form.__subclasses__())
    below |= set().union(*map(forms_below, below))
    return {form for form in below if form._meta.model is not None}


def test_every_row_of_which_there_is_one_is_in_the_table():
    models = {
        model
        for model in apps.get_models()
        if model.__module__.startswith("bridgebuddy.") and any_one_to_one(model)
    }

    assert {model.__name__ for model in models} == OTHERS | {model.__name__ for model in FORMS}


def test_a_form_sent_four_times_at_once_makes_one_row(club, alice, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    section = section_with(6, club=club, by=alice)
    rows = {}

    for model, (address, sent) in FORMS.items():
        model.objects.all().delete()
        refused = pressed(alice, address(section), sent) - {200, 302}
        rows[model.__name__] = (refused, model.objects.count())

    assert rows == dict.fromkeys(rows, (set(), 1))


def test_every_form_of_such_a_row_knows_the_row_that_an_equal_form_has_stored():
    forms = {form for form in forms_below(ModelForm) if form.__module__.startswith("bridgebuddy.")}

    single = {form for form in forms if any_one_to_one(form._meta.model)} - {RolesForm, MemberForm}

    assert single == {EquipmentForm, HandicapRuleForm, ManualHandicapForm, PublicPageForm}
    assert {form for form in single if not issubclass(form, SingleRowForm)} == set()


def test_a_form_is_valid_although_an_equal_form_was_stored_after_it_was_opened(club):
    sent = {"is_on": "True", "address": "lindenhof", "words": "Mondays"}
    form = PublicPageForm(sent, instance=page_of(club))
    stored = ClubPage.objects.create(club=club, address="lindenhof")

    assert form.errors == {}
    assert save_single_row(form) == stored
    assert ClubPage.objects.get().words == "Mondays"


def test_a_form_is_refused_when_another_club_has_taken_the_address(club):
    sent = {"is_on": "True", "address": "lindenhof", "words": ""}
    form = PublicPageForm(sent, instance=page_of(club))
    ClubPage.objects.create(club=ClubFactory(), address="lindenhof")

    assert set(form.errors) == {"address"}


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


def test_an_evening_to_try_is_opened_once_for_a_browser_without_an_account():
    first = Client()
    first.get(reverse("trial"))
    secret = first.cookies["csrftoken"].value

    def press():
        browser = Client()
        browser.cookies["csrftoken"] = secret
        return lambda: browser.post(reverse("trial"), {"to": "desk"}).status_code

    statuses = statuses_of(press)

    assert statuses == {302}
    assert Session.objects.count() == User.objects.count() == Club.objects.count() == 1


def test_two_browsers_without_an_account_try_apart():
    for _browser in range(2):
        browser = Client()
        browser.get(reverse("trial"))
        browser.post(reverse("trial"), {"to": "desk"})

    assert Session.objects.count() == User.objects.count() == Club.objects.count() == 2


def test_a_new_club_is_asked_what_is_public_and_shows_initials_unless_it_says_more(alice, client):
    client.force_login(alice)
    page = client.get(reverse("new-club")).content.decode()
    assert 'name="public_names"' in page

    client.post(reverse("new-club"), {"name": "Quiet", "results_come": "phones"})
    client.post(reverse("new-club"), {"name": "Open", "public_names": "full"})

    assert Club.objects.get(name="Quiet").public_names == "initials"
    assert Club.objects.get(name="Open").public_names == "full"
