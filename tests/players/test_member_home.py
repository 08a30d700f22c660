"""A member's home page: its owner, one press to register, and links that every role may open."""

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person, Role
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.money.services.accounts import store_payment
from bridgebuddy.money.services.settings import store_settings, turn_off, turn_on_money
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own.account_person import person_of_member
from bridgebuddy.publication.own.links import give_address, page_code
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import register_pair, seek_partner, switch_registration
from bridgebuddy.scoring.files.exports import exported_session
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import (
    make_list_final,
    publish_results,
    unpublish_results,
)
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import PersonFactory, director_of, member_of, section_to_enter, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice):
    section = section_to_enter(club, alice)
    return Session.objects.get(pk=section.session_id)


@pytest.fixture
def ann(club):
    return PersonFactory(club=club, name="Ann Ash")


def confirmed(person, email, **fields):
    return ResultsSubscription.objects.create(
        person=person, email=email, confirmed_at=timezone.now(), **fields
    )


def proved(user):
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def membership_of(user, club, person=None):
    membership = club.memberships.get(user=user)
    membership.person = person
    membership.save()
    return membership


class Member:
    """A member in a browser."""

    def __init__(self, browser, club):
        self.browser, self.club = browser, club

    def page(self):
        answer = self.browser.get(reverse("member-home", args=[self.club.pk]))
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    def press(self, session, do="come", **sent):
        address = reverse("member-come", args=[self.club.pk, session.pk])
        return self.browser.post(address, {"do": do, **sent}, follow=True).content.decode()


@pytest.fixture
def member(club, bob, ann, signed_in):
    membership_of(bob, club, ann)
    return Member(signed_in(bob), club)


# ── the person behind an account ──


def test_an_address_ties_an_account_only_if_both_have_proved_it(club, bob, ann):
    membership = club.memberships.get(user=bob)
    assert person_of_member(membership) is None
    stored = ResultsSubscription.objects.create(person=ann, email=bob.email.upper())
    proved(bob)
    assert person_of_member(membership) is None  # typed by a director, confirmed by nobody
    ResultsSubscription.objects.update(confirmed_at=timezone.now())
    assert person_of_member(membership) == ann
    for field in ("gone_since", "stopped_at"):
        ResultsSubscription.objects.update(**{field: timezone.now()})
        assert person_of_member(membership) is None
        ResultsSubscription.objects.update(**{field: None})
    EmailAddress.objects.update(verified=False)
    assert person_of_member(membership) is None
    assert stored.person == ann


def test_an_address_of_a_couple_or_of_another_club_ties_nobody(club, bob, ann, carol):
    membership = membership_of(proved(bob), club)
    confirmed(PersonFactory(club=carol.clubs.get()), bob.email)
    assert person_of_member(membership) is None
    confirmed(ann, bob.email)
    assert person_of_member(membership) == ann
    confirmed(PersonFactory(club=club, name="Ben Ash"), bob.email)
    assert person_of_member(membership) is None


def test_a_directors_press_counts_more_than_an_address(club, bob, ann):
    other = PersonFactory(club=club, name="Ben Birch")
    confirmed(ann, bob.email)
    assert person_of_member(membership_of(proved(bob), club, other)) == other
    dora = proved(member_of(club, email="dora@example.org"))
    confirmed(other, dora.email)
    assert person_of_member(club.memberships.get(user=dora)) is None


def test_an_account_follows_a_merged_person_and_leaves_a_forgotten_one(club, bob, ann, alice):
    membership = membership_of(bob, club, ann)
    stays = PersonFactory(club=club, name="Anne Ash")
    merge_people(stays, ann, by=alice)
    membership.refresh_from_db()
    assert person_of_member(membership) == stays

    anonymise_person(stays, by=alice)

    membership.refresh_from_db()
    assert membership.person is None
    assert person_of_member(membership) is None


def test_two_accounts_of_merged_people_leave_the_person_to_its_own(club, bob, ann, alice):
    stays = PersonFactory(club=club, name="Anne Ash")
    goes = membership_of(bob, club, ann)
    own = membership_of(alice, club, stays)

    merge_people(stays, ann, by=alice)

    goes.refresh_from_db()
    own.refresh_from_db()
    assert (goes.person, own.person) == (None, stays)


def test_a_director_connects_an_account_with_a_player_once(club, alice, bob, ann, carol, signed_in):
    browser, membership = signed_in(alice), club.memberships.get(user=bob)
    address = reverse("member-role", args=[club.pk, membership.pk])
    PersonFactory(club=carol.clubs.get(), name="Eve Elm")

    def connected(name):
        answer = browser.post(address, {"person": name, "is_treasurer": "on"})
        membership.refresh_from_db()
        return answer.status_code, membership.person

    assert connected("  ann  ASH ") == (302, ann)
    assert connected("Eve Elm") == (422, ann)
    assert connected("") == (302, None)
    membership_of(alice, club, ann)
    assert connected("Ann Ash") == (422, None)
    assert membership.roles == [Role.TREASURER]


# ── one press to come ──


def test_without_a_partner_a_member_comes_and_looks(member, session, ann):
    assert "I am coming" in member.page()

    member.press(session, **{"with": "look"})

    assert "You are looking for a partner." in member.page()
    assert Registration.objects.get().person == ann
    member.press(session, "away")
    assert "Not this time." in member.page()


def test_the_partner_of_the_last_published_evening_is_one_press_away(
    club, alice, bob, signed_in, session
):
    played = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    ann, ben = played.entries.first().players
    make_list_final(played, by=alice)
    publish_results(Section.objects.get(pk=played.pk), by=alice)
    membership_of(bob, club, ann)
    member = Member(signed_in(bob), club)
    page = member.page()
    assert f'name="with" value="{ben.pk}"' in page
    assert "as last time" in page
    assert "The club’s lists" in page

    member.press(session, **{"with": ben.pk})

    assert Registration.objects.get(person=ann).partner == ben
    assert "is asked" in member.page()


def test_the_last_result_is_on_the_home_page_while_it_is_published(club, alice, bob, signed_in):
    played = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    entry, snapshot = played.entries.first(), SessionSnapshot(played)
    ann, ben = entry.players
    own_key = next(key for key, item in snapshot.contestants.items() if item.entry == entry.pk)
    place = exported_session(ScoredSession(snapshot)).rows[own_key].place
    membership_of(bob, club, ann)
    stranger = member_of(club, email="stranger@example.org")
    membership_of(stranger, club, PersonFactory(club=club, name="Zoe Zero"))
    homes = [Member(signed_in(user), club) for user in (bob, stranger)]
    assert "All my boards" not in homes[0].page()

    make_list_final(played, by=alice)
    publish_results(Section.objects.get(pk=played.pk), by=alice)

    own, other = (home.page() for home in homes)
    panel = own[: own.index("All my boards")].rsplit('<section class="panel">', 1)[1]
    assert f"{place} of 3" in panel
    assert f"with {ben.name}" in panel
    sheet = re.search(r'href="(/r/[^"]+/sheets/[^"]+)"', panel)[1]
    assert ann.name in homes[0].browser.get(sheet).content.decode()
    assert "All my boards" not in other
    unpublish_results(Section.objects.get(pk=played.pk), by=alice)
    assert "All my boards" not in homes[0].page()


def test_a_full_evening_says_the_place_on_the_waiting_list(member, club, alice, session, ann):
    section = session.sections.get()
    switch_registration(section, is_on=True, maximum=1, by=alice)
    first, second, third = (PersonFactory(club=club) for _ in range(3))
    register_pair(session, first, second)
    register_pair(session, second, first)
    assert "You join the waiting list." in member.page()

    register_pair(session, third, ann)
    assert f"Yes, with {third.name}" in member.page()
    member.press(session, **{"with": third.pk})

    assert "Number <b>1</b> on the waiting list." in member.page()


def test_a_closed_evening_offers_no_press_and_refuses_one(member, session, alice):
    switch_registration(session.sections.get(), is_on=False, maximum=None, by=alice)
    page = member.page()

    assert "Registration is not open yet." in page
    assert "I am coming" not in page
    assert "Entries are closed" in member.press(session, **{"with": "look"})
    assert not Registration.objects.exists()


def test_an_account_without_a_player_reads_and_registers_nobody(club, bob, signed_in, session):
    member = Member(signed_in(bob), club)

    assert "belongs to no player of the club yet" in member.page()
    assert "belongs to no player yet" in member.press(session, **{"with": "look"})
    member.browser.post(reverse("member-page", args=[club.pk]))
    assert not Registration.objects.exists()
    assert not PlayerPage.objects.exists()


def test_another_clubs_session_cannot_be_pressed(member, carol):
    theirs = section_to_enter(carol.clubs.get(), carol)

    member.press(theirs.session, **{"with": "look"})

    assert not Registration.objects.exists()


# ── the own page ──


def test_the_own_page_opens_and_one_that_the_club_has_closed_does_not(member, club, ann, session):
    address = reverse("member-page", args=[club.pk])

    first = member.browser.post(address)

    code = page_code(PlayerPage.objects.get(person=ann))
    assert first.headers["Location"] == reverse("own-page", args=[code])
    chosen = member.browser.post(address, {"session": session.pk})
    assert chosen.headers["Location"] == reverse("own-come", args=[code, session.pk])
    PlayerPage.objects.update(ended_at=timezone.now())
    assert "has closed your own page" in member.browser.post(address, follow=True).content.decode()
    assert page_code(PlayerPage.objects.get(person=ann)) == code


# ── every link of a role's pages may be opened by that role ──

#: the pages from which each role begins
FIRST_PAGES = {
    Role.MEMBER: ["member-home"],
    Role.TREASURER: ["member-home", "players", "club-money"],
    Role.SECRETARY: ["member-home", "players", "season", "club-settings", "club-public"],
    Role.SCORER: ["member-home", "club-results"],
}
OF_A_SECTION = ("results", "boards", "ranking", "look-at", "deals", "event")


def links_in(page):
    matches = re.findall(r'(?:href|action|hx-get|hx-post)="(/[^"]*)"', page)
    links = {unescape(address).partition("#")[0] for address in matches}
    return sorted(link for link in links if not link.startswith(("/static/", "/accounts/")))


@pytest.mark.parametrize("role", FIRST_PAGES)
def test_every_link_of_a_role_is_open_to_it(club, alice, signed_in, session, role):
    played = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    give_address(Person.objects.filter(club=club).first(), by=alice)
    seek_partner(session, Person.objects.filter(club=club).last())
    browser = signed_in(member_of(club, role))
    pages = [reverse(name, args=[club.pk]) for name in FIRST_PAGES[role]]
    if role == Role.SCORER:
        pages += [reverse(name, args=[played.code]) for name in OF_A_SECTION]
    shown = {page: browser.get(page, follow=True) for page in pages}
    assert {page: answer.status_code for page, answer in shown.items()} == dict.fromkeys(pages, 200)

    links = {link for answer in shown.values() for link in links_in(answer.content.decode())}
    closed = {link for link in links if browser.get(link).status_code == 404}

    assert closed == set()
    assert reverse("home") in links


def test_a_director_who_is_a_member_elsewhere_reads_that_home_too(club, signed_in, session):
    dora = director_of(section_with(0).club)
    club.memberships.create(user=dora)

    assert "Welcome" in Member(signed_in(dora), club).page()


def test_the_own_balance_is_on_the_home_page_and_nobody_else_s(member, club, alice, ann):
    other = PersonFactory(club=club, name="Ben Birch")
    assert "Table money" not in member.page()
    turn_on_money(club, by=alice)
    store_settings(club, {"currency": "EUR"}, by=alice)
    store_payment(ann, 2000, key="a", by=alice)
    store_payment(other, 7700, key="b", by=alice)

    page = member.page()

    assert '<th scope="row">Table money</th> <td>€20.00</td>' in page
    assert "77.00" not in page
    turn_off(club, by=alice)
    assert "€20.00" not in member.page()
