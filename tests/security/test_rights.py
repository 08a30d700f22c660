"""Every address, for every kind of visitor: generated, without gaps."""

from http.cookies import SimpleCookie

import pytest
from django.db import transaction
from django.urls import reverse

from bridgebuddy.clubs.models import Membership, Role
from tests.factories import UserFactory, member_of
from tests.lists import difference
from tests.signing_in import asks_to_sign_in

from . import rights

pytestmark = pytest.mark.django_db

NOT_FOUND, NOT_SO = 404, 405
#: what is there only once it is published
PUBLISHED = (
    *("public-results", "public-sheets", "public-sheet", "public-boards", "public-board"),
    *("public-matches", "public-match", "public-pairs", "public-privacy"),
    *("public-deals", "public-deals-file"),
    *("public-championship", "public-championship-line"),
    *("api-results", "api-board", "api-sheet", "api-match", "api-championship", "api-schema"),
)
#: what only somebody has who signs in with a code as well
OF_A_SECOND_FACTOR = {
    *("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes"),
    "mfa_authenticate",
}
#: what a director of the club may be told: here it is, it leads elsewhere, not as it was filled in, changed meanwhile
TOLD_A_DIRECTOR = {200, 204, 302, NOT_SO, 409, 422}
#: a director has no table's secret either; the other is no page
WITH_A_SECRET = rights.TABLES | {"own-language"}
#: what is found or not for reasons of its own: nothing hangs on who asks
MAY_BE_GONE = {"account_confirm_email", "have-read", *PUBLISHED, *OF_A_SECOND_FACTOR}


@pytest.fixture
def everybody(club, alice, bob, carol):
    """Return all visitors by kind; None is not signed in."""
    helper = UserFactory(email="hella@example.org")
    Membership.objects.create(club=club, user=helper, is_helper=True)
    return {
        rights.ANONYMOUS: None,
        rights.PLAYER: None,
        rights.STRANGER: UserFactory(email="stranger@example.org"),
        rights.MEMBER: bob,
        rights.HELPER: helper,
        rights.SCORER: member_of(club, Role.SCORER),
        rights.SECRETARY: member_of(club, Role.SECRETARY),
        rights.TREASURER: member_of(club, Role.TREASURER),
        rights.ANOTHER_DIRECTOR: carol,
        rights.DIRECTOR: alice,
    }


def meaning_of(answer):
    """Return the meaning of an answer; None if the address does not take such a request."""
    assert answer.status_code < 500
    if answer.status_code == NOT_SO:
        return None
    if asks_to_sign_in(answer):
        return rights.SIGN_IN
    if answer.status_code == NOT_FOUND:
        return rights.NO
    if answer.headers.get("Location") == reverse("new-club"):
        return rights.FOUND_A_CLUB
    return rights.YES


class Browser:
    """A browser in the state after coming in, restored for each request."""

    def __init__(self, user, *, first=None):
        self.client = rights.browser_of(user)
        if first:
            self.client.get(first)
        self.cookies = self.client.cookies.output(header="", sep=";")

    def ask(self, method, address):
        self.client.cookies = SimpleCookie(self.cookies)
        return getattr(self.client, method)(address, {"after": 4, "plan": 1})


def answers(browser, address, only=()):
    """Return the answers to GET and POST of an address; changes are rolled back.

    Fails if the answer is not among the allowed ones.
    """
    found = set()
    for method in ("get", "post"):
        with transaction.atomic():
            answer = browser.ask(method, address)
            found.add(meaning_of(answer))
            assert not only or answer.status_code in only, (address, answer.status_code)
            transaction.set_rollback(True)
    return found - {None}


@pytest.mark.guard
def test_of_every_address_it_is_said_whose_it_is():
    listed = [name for names in rights.WHO.values() for name in names]
    assert difference(rights.patterns(), listed, "WHO in tests/security/rights.py") == []
    others = [name for names in rights.OTHERS.values() for name in names]
    assert sorted(rights.other_patterns()) == sorted(others)


@pytest.mark.parametrize("kind", rights.ALL)
def test_everybody_is_answered_as_the_table_says(
    everybody, skip_section, alice, monkeypatch, settings, kind
):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    settings.HAS_MAIL = True  # addresses can be proved, and so changed
    addresses = rights.addresses_of(skip_section, alice)
    first = addresses["lookup"] if kind == rights.PLAYER else None
    browser = Browser(everybody[kind], first=first)

    wrong = {}
    for whose, names in rights.WHO.items():
        for name in names - MAY_BE_GONE:
            expected = rights.ANSWERS[whose][kind]
            if name == "home" and kind == rights.STRANGER:
                expected = rights.FOUND_A_CLUB
            is_theirs = kind == rights.DIRECTOR and name not in WITH_A_SECRET
            found = answers(browser, addresses[name], TOLD_A_DIRECTOR if is_theirs else ())
            if found != {expected}:
                wrong[name] = found, expected

    assert wrong == {}


@pytest.mark.parametrize("kind", rights.ALL)
def test_what_is_not_ours_is_answered_as_the_table_says(everybody, settings, kind):
    settings.HAS_MAIL = True  # addresses can be proved, and so changed
    addresses, browser = rights.other_addresses(), Browser(everybody[kind])

    wrong = {}
    for whose, names in rights.OTHERS.items():
        for name in names - MAY_BE_GONE:
            expected = rights.ANSWERS[whose][kind]
            found = answers(browser, addresses[name])
            if found != {expected}:
                wrong[name] = found, expected

    assert wrong == {}
