"""Who may open and press what: every address there is, and everybody who might try."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from bridgebuddy.clubs.models import ClubLogo, Membership, Person
from bridgebuddy.events.models import EntryPerson, Section
from bridgebuddy.events.services import people
from bridgebuddy.events.services.own_movements import keep_movement
from movements.engine import catalogue
from tests.events.states import different, world
from tests.factories import ClubFactory, director_of, section_with
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

#: directors of the club; to all others it does not exist, and strangers are to sign in
DIRECTORS = "directors"
#: whoever is signed in; strangers are to sign in
SIGNED_IN = "signed in"
#: directors of any club, with what is their clubs'; who has none is led to found one
ANY_DIRECTOR = "any director"
EVERYBODY = "everybody"

WHO = {
    EVERYBODY: {"home"}  # to strangers it says what this is
    | {"service-worker", "manifest", "code", "player-language"}
    | {"lookup", "room-display", "player", "have-read", "line-up"},
    SIGNED_IN: {"new-club", "own-language", "delete-account", "use-movement", "print-movement"},
    ANY_DIRECTOR: {"new-session", "import-movement"},
    DIRECTORS: {"club-settings", "keep-logo", "remove-logo", "add-director"}
    | {"players", "new-player", "edit-player", "forget-player", "merge-players", "two-people"}
    | {"anonymise-player", "person-data", "kept", "club-data", "delete-club"}
    | {"edit-session", "copy-session", "rehearse", "press-on", "delete-session", "bring-back"}
    | {"entries", "add-pair", "add-list", "take-list", "suggestions", "edit-pair", "withdraw"}
    | {"substitutes", "correct-substitute", "end-substitute"}
    | {"strengths", "seat", "swap", "choose-movement", "arrow-switches", "own-movement"}
    | {"desk", "change", "undo", "redo", "history", "all-rounds", "next-round", "back", "finish"}
    | {"divide", "all-sections", "start-rounds", "section-clocks", "play-as"}
    | {"break", "seen", "clock", "cross", "print", "print-logo", "print-pdf", "print-preview"},
}
#: whose are not ours, or belong to nobody
OPEN = ("movements.library", "allauth", "django.conf.urls.i18n")
NOT_FOUND, NOT_SO = 404, 405


def patterns():
    """Every address of ours, by its name."""
    ours = [one for one in get_resolver().url_patterns if not is_open(one)]
    return {one.name: one for included in ours for one in included.url_patterns}


def is_open(included):
    return getattr(included.urlconf_name, "__name__", "").startswith(OPEN)


@pytest.fixture
def addresses(club, alice, skip_section):
    """Every address, of things that are there: by name."""
    ClubLogo.objects.create(club=club, image=b"logo", type="image/png")
    own = keep_movement(club, catalogue.build("howell", 4), name="Ours", by=alice)
    first = skip_section.entries.first()
    people.substitute(first, 2, "Zoë Neu", from_round=5, by=alice)
    known = {
        "link": EntryPerson.objects.exclude(plays_for=None).get().pk,
        "code": skip_section.code,
        "entry": skip_section.entries.first().pk,
        "person": Person.objects.filter(club=club).first().pk,
        "wish": "late",
        "name": "guide-cards",
        "label": "NS1",
        "language": "en",
        "family": "howell",
        "tables": 4,
        "kind": "json",
    }
    keys = {"own-movement": own.pk}
    return {
        name: reverse(
            name,
            kwargs={
                one: keys.get(name, club.pk) if one == "pk" else known[one]
                for one in pattern.pattern.converters
            },
        )
        for name, pattern in patterns().items()
    }


@pytest.fixture
def dora(club):
    """Directs another club, and is a member of this one."""
    user = director_of(ClubFactory(name="Overthere"), email="dora@example.org")
    Membership.objects.create(club=club, user=user)
    return user


def test_of_every_address_it_is_said_whose_it_is():
    assert sorted(patterns()) == sorted(name for names in WHO.values() for name in names)


def both(browser, address):
    """What somebody is answered who opens an address, and who sends something there."""
    return browser.get(address), browser.post(address, {"after": 4, "plan": 1})


def test_a_clubs_addresses_do_not_exist_for_members_and_other_clubs_directors(
    addresses, bob, carol, dora, signed_in
):
    browsers = [signed_in(user) for user in (bob, carol, dora)]
    before = world()

    for browser in browsers:
        found = {
            name: {answer.status_code for answer in both(browser, addresses[name])}
            for name in WHO[DIRECTORS]
        }
        assert {
            name: codes
            for name, codes in found.items()
            if NOT_FOUND not in codes or codes - {NOT_FOUND, NOT_SO}
        } == {}

    assert list(different(before, world())) == []


def test_strangers_are_led_to_sign_in_wherever_that_is_needed(addresses, client):
    before = world()

    for who in (DIRECTORS, SIGNED_IN, ANY_DIRECTOR):
        for name in WHO[who]:
            answers = both(client, addresses[name])
            codes = [one.status_code for one in answers if not asks_to_sign_in(one)]
            assert len(codes) < 2, name
            assert set(codes) <= {NOT_SO}, name

    assert list(different(before, world())) == []


def test_strangers_read_what_everybody_may(addresses, client):
    codes = {name: client.get(addresses[name], follow=True).status_code for name in WHO[EVERYBODY]}

    assert codes == dict.fromkeys(WHO[EVERYBODY], 200) | {"have-read": NOT_SO, "line-up": NOT_SO}


def test_a_director_finds_every_address_of_the_club(addresses, alice, signed_in):
    browser = signed_in(alice)

    for name, address in addresses.items():
        with transaction.atomic():
            codes = [answer.status_code for answer in both(browser, address)]
            transaction.set_rollback(True)
        assert set(codes) <= {200, 204, 302, NOT_SO, 409, 422} or name == "own-language", name
        assert codes != [NOT_SO, NOT_SO], name


def test_who_directs_no_club_is_led_to_found_one(addresses, bob, signed_in):
    for name in ("home", *WHO[ANY_DIRECTOR]):
        assert signed_in(bob).get(addresses[name]).headers["Location"] == reverse("new-club")


def test_a_member_who_directs_another_club_opens_sessions_and_keeps_movements_there_alone(
    club, dora, signed_in
):
    browser, theirs = signed_in(dora), dora.clubs.exclude(pk=club.pk).get()
    asked = {"club": club.pk}

    for name in ("home", "new-session", "import-movement"):
        page = browser.get(reverse(name), asked)
        assert page.context["club"] == theirs
        assert page.context["clubs"] == [theirs]
    answer = browser.post(
        reverse("new-session"),
        asked
        | {"name": "Cup", "date": "2027-03-01", "starts_at": "19:00"}
        | {"fewest_boards": 20, "most_boards": 24, "minutes_per_board": 7},
    )

    assert answer.status_code == 302
    assert Section.objects.get().club == theirs


def test_another_clubs_director_sees_only_that_club(skip_section, carol, signed_in):
    page = signed_in(carol).get(reverse("home")).content.decode()

    assert "Tuesday Pairs" not in page
    assert skip_section.code not in page


def test_an_entry_of_another_section_cannot_be_changed_through_ones_own(
    skip_section, alice, carol, signed_in
):
    theirs = section_with(6, club=carol.clubs.get(), by=carol)
    entry = theirs.entries.first()
    browser = signed_in(alice)
    before = world()

    answer = browser.post(
        reverse("edit-pair", args=[skip_section.code, entry.pk]), {"first": "X Y", "second": "Z W"}
    )
    browser.post(reverse("withdraw", args=[skip_section.code, entry.pk]))

    assert answer.headers["Location"] == reverse("entries", args=[skip_section.code])
    assert list(different(before, world())) == []


def test_nothing_changes_without_the_csrf_token(addresses, skip_section, alice):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    before = world()

    answers = {
        name: browser.post(addresses[name], {"after": 4, "plan": skip_section.plan}).status_code
        for names in WHO.values()
        for name in names
    }

    assert set(answers.values()) == {403}, answers
    assert list(different(before, world())) == []
