"""Data of another club under the same names is never looked up, shown or changed."""

import datetime

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import ClubLogo, Membership, Person
from bridgebuddy.events.models import Event, Section
from bridgebuddy.events.queries.roster.person_search import RosterSuggestion, suggest_people
from bridgebuddy.events.services.lifecycle import sessions
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.own_movements import store_own_movement
from movements.engine import catalogue
from tests.events.states import HELD
from tests.factories import section_with

pytestmark = pytest.mark.django_db

NAMES = [("Linda Harris", "George Marsh"), ("Lindsay Stein", "Maria Wolf")]


@pytest.fixture
def theirs(carol):
    """Return another club's evening, whose players are on no list of the club."""
    club = carol.clubs.get()
    section = section_with(0, club=club, by=carol)
    entries.add_pairs(section, NAMES, by=carol)
    return section


@pytest.fixture
def ours(club, alice):
    return section_with(6, "mitchell", round=1, club=club, by=alice)


def people_of(section):
    return {link.person.club for entry in section.entries.all() for link in entry.links_in(1)}


def test_nobody_of_another_club_is_suggested_nor_their_partners(theirs, ours, club):
    Person.objects.create(club=club, name="Linda Harris")

    assert suggest_people(club, ours, "lin") == [RosterSuggestion("Linda Harris")]
    assert suggest_people(club, ours, "", "Linda Harris") == []
    assert suggest_people(club, ours, "mar", "Linda Harris") == []


def test_who_plays_there_tonight_is_not_entered_here(theirs, club, alice):
    earlier = section_with(0, club=club, by=alice)
    entries.add_pairs(earlier, NAMES, by=alice)
    tonight = section_with(0, club=club, by=alice)

    assert suggest_people(club, tonight, "linda") == [RosterSuggestion("Linda Harris")]


def test_a_namesake_who_enters_is_another_person(theirs, club, alice):
    section = section_with(0, club=club, by=alice)

    entries.add_pairs(section, NAMES, by=alice)

    assert people_of(section) == {club}
    assert Person.objects.filter(name="Linda Harris").count() == 2


def test_a_name_corrected_to_that_of_a_namesake_is_another_person(theirs, ours, club, alice):
    first = ours.entries.first()

    people.correct_names(first, ["Linda Harris", "Bob South1"], must_stay_seated=False, by=alice)

    assert people_of(ours) == {club}
    assert people_of(theirs) == {theirs.club}


def test_a_substitute_with_a_namesake_is_another_person(theirs, ours, club, alice):
    people.add_substitute(ours.entries.first(), 1, "Linda Harris", from_round=1, by=alice)

    assert people_of(ours) == {club}
    assert people_of(theirs) == {theirs.club}


def test_somebody_misspelt_is_put_right_whoever_has_the_name_elsewhere(theirs, ours, club, alice):
    first = ours.entries.first()
    people.correct_names(first, ["Lynda Harris", "Bob South1"], must_stay_seated=False, by=alice)
    known = first.people.get(name="Lynda Harris")

    people.correct_names(first, ["Linda Harris", "Bob South1"], must_stay_seated=False, by=alice)

    known.refresh_from_db()
    assert (known.name, known.club) == ("Linda Harris", club)


def test_somebody_known_from_another_evening_is_not_renamed_for_a_name_that_is_like_theirs(
    ours, club, alice
):
    earlier = section_with(1, club=club, by=alice)

    people.correct_names(
        ours.entries.first(), ["Anna Nordt1", "Bob South1"], must_stay_seated=False, by=alice
    )

    assert earlier.entries.get().names == "Anna North1 & Bob South1"
    assert ours.entries.first().names == "Anna Nordt1 & Bob South1"


def test_a_roster_may_have_a_name_that_another_club_has(theirs, club, alice, signed_in):
    person = Person.objects.create(club=club, name="Lynda Harris")
    address = reverse("edit-player", args=[club.pk, person.pk])

    answer = signed_in(alice).post(address, {"name": "Linda Harris"})

    assert answer.status_code == 302
    person.refresh_from_db()
    assert person.name == "Linda Harris"


def test_nobody_of_another_club_is_renamed_on_the_clubs_page(theirs, club, alice, signed_in):
    person = Person.objects.get(name="Linda Harris")
    address = reverse("edit-player", args=[club.pk, person.pk])

    answer = signed_in(alice).post(address, {"name": "Stolen"})

    assert answer.status_code == 404
    person.refresh_from_db()
    assert person.name == "Linda Harris"


def test_a_session_of_an_event_that_another_club_has_is_of_the_clubs_own(theirs, club, ours, alice):
    Event.objects.create(club=theirs.club, name=HELD["name"])

    opened = sessions.open_session(club, **HELD, by=alice)
    changed = sessions.change_session(ours, **HELD, by=alice)

    assert opened.session.event == changed.session.event
    assert opened.club == club


def test_the_form_of_a_new_session_knows_nothing_of_another_clubs(
    theirs, club, alice, carol, signed_in
):
    sessions.change_session(theirs, **HELD | {"starts_at": datetime.time(10, 15)}, by=carol)

    page = signed_in(alice).get(reverse("new-session"))

    assert "Spring Cup" not in page.content.decode()
    assert "10:15" not in page.content.decode()


def test_own_movements_of_another_club_are_neither_shown_nor_taken(
    theirs, club, alice, carol, signed_in
):
    own = store_own_movement(
        theirs.club, catalogue.build_movement("howell", 3), name="Their Own Howell", by=carol
    )
    section = section_with(6, club=club, by=alice)
    browser, address = signed_in(alice), reverse("choose-movement", args=[section.code])

    for page in (browser.get(reverse("import-movement")), browser.get(address)):
        assert "Their Own Howell" not in page.content.decode()
    answer = browser.post(address, {"own": own.pk, "boards": 3})

    assert answer.status_code == 422
    assert Section.objects.get(pk=section.pk).movement is None


def test_a_club_without_a_logo_has_not_another_clubs(theirs, ours, alice, signed_in):
    ClubLogo.objects.create(club=theirs.club, image=b"theirs", type="image/png")

    answer = signed_in(alice).get(reverse("print-logo", args=[ours.code]))

    assert answer.status_code == 404


def test_members_are_no_directors_until_one_makes_them(club, alice, bob, signed_in):
    address = reverse("club-settings", args=[club.pk])
    browser = signed_in(alice)

    member = Membership.objects.get(club=club, user=bob)
    browser.post(reverse("member-role", args=[club.pk, member.pk]), {"is_director": "on"})

    assert Membership.objects.get(club=club, user=bob).is_director
    assert signed_in(bob).get(address).status_code == 200
