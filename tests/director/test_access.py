"""Access rights: every address, and every kind of visitor."""

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Membership
from bridgebuddy.events.models import Section
from tests.events.states import different, world
from tests.factories import ClubFactory, UserFactory, director_of, section_with
from tests.security.rights import (
    ANY_HELPER,
    AS_JSON,
    DIRECTORS,
    EVERYBODY,
    HELPERS,
    MEMBERS,
    OF_TEAMS,
    PAYMENTS,
    READERS_OF_MEMBERS,
    SCORERS,
    SECRETARIES,
    SIGNED_IN,
    TABLES,
    TREASURERS,
    WHO,
    addresses_of,
)
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

FORBIDDEN, NOT_FOUND, NOT_SO = 403, 404, 405
OF_THE_CLUB = (
    *(HELPERS, SCORERS, SECRETARIES, READERS_OF_MEMBERS, TREASURERS, PAYMENTS, DIRECTORS),
)
#: the addresses that exist only for a club's own people with a role
THE_CLUBS = set().union(*(WHO[kind] for kind in OF_THE_CLUB))


@pytest.fixture
def addresses(alice, skip_section):
    """Every address, of things that are there: by name."""
    return addresses_of(skip_section, alice)


@pytest.fixture
def dora(club):
    """Directs another club, and is a member of this one."""
    user = director_of(ClubFactory(name="Overthere"), email="dora@example.org")
    Membership.objects.create(club=club, user=user)
    return user


def both(browser, address):
    """Return the answers to GET and POST of an address."""
    return browser.get(address), browser.post(address, {"after": 4, "plan": 1})


def test_a_clubs_addresses_do_not_exist_for_a_member_who_directs_another_and_nothing_changes(
    addresses, dora, signed_in
):
    """Other answers are tested in tests/security/rights.py."""
    browser, before = signed_in(dora), world()

    found = {
        name: {answer.status_code for answer in both(browser, addresses[name])}
        for name in THE_CLUBS
    }

    assert {
        name: codes
        for name, codes in found.items()
        if NOT_FOUND not in codes or codes - {NOT_FOUND, NOT_SO}
    } == {}
    assert list(different(before, world())) == []


def test_strangers_are_led_to_sign_in_wherever_that_is_needed(addresses, client, settings):
    settings.HAS_MAIL = True  # without it there is no page for addresses
    before = world()

    for visitor in (*OF_THE_CLUB, MEMBERS, SIGNED_IN, ANY_HELPER):
        for name in WHO[visitor]:
            answers = both(client, addresses[name])
            codes = [answer.status_code for answer in answers if not asks_to_sign_in(answer)]
            assert len(codes) < 2, name
            assert set(codes) <= {NOT_SO}, name

    assert [
        item for item in different(before, world()) if item[0] != "AttemptCount"
    ] == []  # are counted


def test_strangers_read_what_everybody_may(addresses, client):
    codes = {name: client.get(addresses[name], follow=True).status_code for name in WHO[EVERYBODY]}

    # phones enter no results in this session, and pairs play no matches
    assert {codes.pop(name) for name in TABLES} == {FORBIDDEN, NOT_SO}
    assert {codes.pop(name) for name in OF_TEAMS} == {NOT_FOUND}
    assert codes.pop("public-championship-line") == NOT_FOUND  # nobody is in the list yet
    assert codes == dict.fromkeys(codes, 200) | dict.fromkeys(
        ("have-read", "through-door", "player-deals-word"), NOT_SO
    )


def test_an_account_without_a_club_is_led_to_create_one_and_a_member_is_not(
    addresses, club, bob, signed_in
):
    stranger = signed_in(UserFactory())
    for name in ("home", *WHO[ANY_HELPER]):
        assert stranger.get(addresses[name]).headers["Location"] == reverse("new-club")
    for name in WHO[ANY_HELPER]:
        assert signed_in(bob).get(addresses[name]).status_code == NOT_FOUND
    page = signed_in(bob).get(addresses["home"], follow=True)
    assert page.redirect_chain == [(reverse("member-home", args=[club.pk]), 302)]
    assert reverse("new-club") not in page.content.decode()


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

    for name in ("mail-address", "member-mails-off"):  # a mail program stops mails by itself
        answers.pop(name)
    for name in (*AS_JSON, "api-match"):  # read only
        answers.pop(name)
    assert set(answers.values()) == {403}, answers
    assert list(different(before, world())) == []
