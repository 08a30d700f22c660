"""The director's page of registrations: its buttons, and the entries afterwards."""

from datetime import time, timedelta

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section, Session
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.planning.prepared_starts import last_prepared, prepare
from bridgebuddy.registration import registering
from bridgebuddy.registration.models import Registration, RegistrationSettings, UnconfirmedName
from bridgebuddy.registration.registering import (
    note_typed_names,
    record_absence,
    record_arrivals,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.registrations import Registrations
from tests.factories import ClubFactory, PersonFactory, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    section = section_with(0, club=club, by=alice)
    Session.objects.update(date=club.today)
    return Section.objects.get(pk=section.pk)


@pytest.fixture
def on(section, alice):
    switch_registration(section, is_on=True, maximum=None, by=alice)
    return Session.objects.get()


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", "Cat Cedar", "Dan Dale", "Eve Elm", "Fay Fir")
    return [PersonFactory(club=club, name=name) for name in names]


@pytest.fixture
def page(client, alice, section):
    client.force_login(alice)

    class Page:
        address = reverse("who-comes", args=[section.code])

        def read(self):
            return " ".join(client.get(self.address).content.decode().split())

        def press(self, do, *people, **sent):
            keys = [person.pk for person in people]
            return client.post(self.address, {"do": do, "person": keys, **sent})

    return Page()


def test_it_is_off_until_it_is_switched_on_and_holds_as_many_as_is_said(page, section):
    assert "Open the registration" in page.read()

    page.press("switch", on=1, most=12)

    assert "No registrations yet" in page.read()
    assert "Room for 12 pairs more." in page.read()
    settings = RegistrationSettings.objects.get()
    assert (settings.is_on, settings.most) == (True, 12)
    page.press("switch", on=0, most=12)
    assert "Open the registration" in page.read()


def test_no_room_at_all_is_asked_about(page, on):
    answer = page.press("switch", on=1, most=0)

    assert answer.status_code == 422
    assert RegistrationSettings.objects.get().most is None


def test_teams_are_told_that_it_is_for_pairs(client, alice, club):
    section = section_with(0, club=club, by=alice, contest="teams")
    Session.objects.update(date=club.today)
    client.force_login(alice)
    address = reverse("who-comes", args=[section.code])

    assert "for sessions of pairs only" in client.get(address).content.decode()
    client.post(address, {"do": "switch", "on": 1})
    assert not RegistrationSettings.objects.exists()


def test_one_press_makes_the_list_of_who_has_agreed(client, page, on, people, alice, section):
    register_pair(on, people[0], people[1], by=alice)
    register_pair(on, people[2], people[3])
    shown = page.read()
    assert "2 pairs registered, 0 here" in shown
    assert "Make the list of this 1 pair" in shown
    assert "Dan Dale is asked" in shown

    answer = page.press("list")

    assert answer.url == reverse("entries", args=[section.code])
    assert [entry.names for entry in section.entries.all()] == ["Ann Ash & Ben Birch"]
    page.press("yes", people[2], people[3])
    assert "Put 1 pair on the list" in page.read()
    page.press("list")
    page.press("list")
    assert section.entries.count() == 2


def test_home_and_the_empty_list_say_how_many_have_registered_and_lead_to_them(
    client, page, on, people, alice, club, section
):
    """Home is kept for its readers: a later registration must show all the same."""
    later = section_with(0, club=club, by=alice).session
    Session.objects.filter(pk=later.pk).update(date=club.today + timedelta(days=2))
    later.refresh_from_db()
    switch_registration(later.sections.get(), is_on=True, maximum=1, opens_on=None, by=alice)
    home, address = reverse("home"), f'href="{reverse("who-comes", args=[section.code])}"'
    client.force_login(alice)
    before = client.get(home).content.decode()
    assert "Nobody is entered yet." in before
    assert "nobody entered yet" in before

    register_pair(on, *people[:2], by=alice)
    register_pair(later, *people[:2], by=alice)
    register_pair(later, *people[2:4], by=alice)  # waits: one pair is the most
    seek_partner(on, people[4], by=alice)

    after = client.get(home).content.decode()
    assert "Nobody is entered yet." not in after
    assert "nobody entered yet" not in after
    assert (
        after.count("1 pair registered") == 3
    )  # the session of today, its first step, the later one
    assert address in after
    assert reverse("who-comes", args=[later.sections.get().code]) in after
    entries = client.get(reverse("entries", args=[section.code])).content.decode()
    assert "1 pair registered" in entries
    register_pair(on, *people[2:4], by=alice)
    assert "2 pairs registered" in client.get(home).content.decode()
    page.press("list")
    for of_session in (section, Section.objects.create(session=section.session, name="B")):
        entries = client.get(reverse("entries", args=[of_session.code])).content.decode()
        assert "pairs registered" not in entries


def test_the_chart_is_read_for_as_many_as_there_will_be(page, on, club, alice):
    names = [PersonFactory(club=club, name=f"Player {letter}") for letter in "abcdefghijklmnopqr"]
    for item, other in zip(names[::2], names[1::2], strict=True):
        register_pair(on, item, other, by=alice)
    seek_partner(on, PersonFactory(club=club, name="Zoe Alone"))

    shown = page.read()

    assert "9 pairs, 1 looking: the chart says" in shown
    assert "Make the list of these 9 pairs" in shown


def test_who_is_missing_stands_first_and_is_left_out_or_ticked(page, on, people, alice):
    register_pair(on, people[0], people[1], by=alice)
    register_pair(on, people[2], people[3], by=alice)
    record_arrivals(on, [people[0], people[1], people[2]])

    shown = page.read()
    assert "2 pairs registered, 1 here" in shown
    assert shown.index("Dan Dale is missing") < shown.index("Ann Ash &amp; Ben Birch")

    page.press("here", people[2], people[3])
    assert "2 pairs registered, 2 here" in page.read()
    page.press("here", people[2], people[3], here=0)
    page.press("out", people[2], people[3])
    assert "1 pair registered, 1 here" in page.read()
    assert {item.says for item in Registrations(on).absence_answers} == {"not"}


def test_two_who_look_are_put_together_and_one_alone_is_not(page, on, people):
    seek_partner(on, people[0])
    seek_partner(on, people[1])
    assert "Make them a pair" in page.read()

    page.press("together", people[0])
    assert Registration.objects.filter(says="looks").count() == 2
    page.press("together", people[0], people[1])

    assert [pair.names for pair in Registrations(on).agreed_pairs] == ["Ann Ash & Ben Birch"]


def test_who_is_asked_and_left_out_leaves_the_other_as_they_were(page, on, people):
    seek_partner(on, people[1])
    register_pair(on, people[0], people[1])

    page.press("out", people[0])

    assert {
        registration.person: registration.says for registration in Registration.objects.all()
    } == {
        people[0]: "not",
        people[1]: "looks",
    }


def test_somebody_rings_and_the_roster_learns_who_is_new(page, on, people, club):
    page.press("say", first="ann ash", second="New Somebody")
    page.press("say", first="Cat Cedar")

    registrations = Registrations(on)
    assert [pair.names for pair in registrations.agreed_pairs] == ["Ann Ash & New Somebody"]
    assert [seeker.person for seeker in registrations.seekers] == [people[2]]
    assert Person.objects.filter(club=club, name="New Somebody").exists()
    answer = page.press("say", first="Ann Ash", second="ann ash")
    assert answer.status_code == 422
    assert "this is the same name twice" in answer.content.decode()
    page.press("say", first="Ann Ash", second="Cat Cedar")
    assert "Ann Ash is registered with another partner" in page.read()


def test_names_that_were_typed_wait_and_nearly_known_ones_are_asked_about(page, on, people):
    typed = note_typed_names(on, "Anne Ash", "Ben Birch")

    shown = page.read()
    assert "Anne Ash is not on the roster and would join it." in shown
    assert "Is it Ann Ash?" in shown

    page.press("confirm", typed=typed.pk, first="Ann Ash", second="Ben Birch")

    assert [pair.names for pair in Registrations(on).agreed_pairs] == ["Ann Ash & Ben Birch"]
    assert not Person.objects.filter(name="Anne Ash").exists()
    other = note_typed_names(on, "A Joke")
    page.press("refuse", typed=other.pk)
    assert not UnconfirmedName.objects.exists()


def test_another_clubs_people_and_names_are_nobodys_here(page, on, people):
    theirs = ClubFactory()
    stranger = PersonFactory(club=theirs, name="Stran Ger")
    section = section_with(0, club=theirs)
    Session.objects.filter(pk=section.session.pk).update(date=theirs.today)
    switch_registration(section, is_on=True, maximum=None, by=theirs.memberships.first().user)
    session = Session.objects.get(pk=section.session.pk)
    seek_partner(session, stranger)
    typed = note_typed_names(session, "Un Known")

    page.press("here", stranger)
    page.press("out", stranger)
    page.press("together", stranger, people[0])
    page.press("refuse", typed=typed.pk)
    page.press("confirm", typed=typed.pk, first="Un Known")

    [answer] = Registration.objects.all()
    assert (answer.person, answer.says, answer.here_at) == (stranger, "looks", None)
    assert UnconfirmedName.objects.filter(pk=typed.pk).exists()


def test_the_entries_say_who_has_cancelled_and_take_them_off_with_one_button(
    client, page, on, people, alice, section
):
    register_pair(on, people[0], people[1], by=alice)
    page.press("list")
    record_absence(on, [people[0]])
    entries = reverse("entries", args=[section.code])

    shown = client.get(entries).content.decode()
    assert "will not come this time" in shown
    client.post(reverse("withdraw", args=[section.code, section.entries.get().pk]))

    assert "not this time" not in client.get(entries).content.decode()
    assert not section.entries.exists()


def test_what_is_said_of_a_session_that_has_begun_is_refused_in_words(page, on, section, people):
    seek_partner(on, people[0])
    Section.objects.update(round=1)

    page.press("out", people[0])

    assert "the session has begun or is over" in page.read()
    assert Registration.objects.get().says == "looks"


@pytest.mark.parametrize("sent", ["", "none", "\0"])
def test_what_is_no_button_changes_nothing(page, on, people, sent):
    seek_partner(on, people[0])

    answer = page.press(sent, people[0])

    assert answer.url == page.address
    assert Registration.objects.get().says == "looks"


@pytest.mark.parametrize("key", ["", "x", "²", "9" * 40, "-1"])
def test_what_is_no_key_is_nobody(client, page, on, key):
    for do in ("here", "out", "together", "yes", "confirm", "refuse"):
        answer = client.post(page.address, {"do": do, "person": key, "typed": key, "first": "A"})
        assert answer.status_code == 302
    assert not Registration.objects.exists()


# ── what can start ──


@pytest.fixture
def evening(on, club, alice):
    """Let so many pairs say that they come, and the first ones come in."""

    def evening(pairs, here):
        for number in range(pairs):
            two = [PersonFactory(club=club, name=f"{text} No{number}") for text in ("Ada", "Bob")]
            registering.register_pair(on, *two, by=alice)
            if number < here:
                record_arrivals(on, two)
        return Section.objects.get()

    return evening


@pytest.mark.parametrize(
    ("starts_at", "pairs_to_come"), [(time(0), "late pairs"), (time(23, 59, 59), "missing pairs")]
)
def test_what_can_start_is_prepared_first_and_then_started_as_it_was_shown(
    page, evening, on, starts_at, pairs_to_come
):
    Session.objects.filter(pk=on.pk).update(starts_at=starts_at)
    section = evening(8, here=6)
    assert "Being prepared" in page.read()
    assert "Start with" not in page.read()

    prepare(str(section.pk))

    text = page.read()
    assert "Start with 6 pairs" in text
    assert "8 pairs: " in text
    assert f"If the 2 {pairs_to_come} come" in text
    assert "If Ada &amp; Bob No6 come" in text
    kept = last_prepared(section)
    answer = page.press("start", evening=kept.key(kept.evenings[0]))
    assert answer.url == reverse("desk", args=[section.code])
    assert Section.objects.get().round == 1


def test_a_press_that_comes_too_late_says_so_and_starts_nothing(page, evening, client, on):
    section = evening(8, here=6)
    prepare(str(section.pk))
    key = last_prepared(section).key(last_prepared(section).evenings[0])
    record_arrivals(on, [link.person for link in Registrations(on).pairs[7].attendees])

    answer = page.press("start", evening=key)

    assert "The session was not started" in client.get(answer.url).content.decode()
    assert not Section.objects.get().is_started
    page.press("start")
    page.press("start", evening="nonsense")
    assert not Section.objects.get().is_started


def test_the_page_asks_whether_anything_is_new(page, evening, client):
    section = evening(8, here=6)
    prepare(str(section.pk))
    version = client.get(page.address).context["version"]
    poll = {"HTTP_HX_REQUEST": "true"}

    assert client.get(page.address, {"v": version}, **poll).status_code == 204
    assert 'id="now"' in client.get(page.address, {"v": "old"}, **poll).content.decode()


def test_it_is_laid_out_to_be_printed_and_another_one_says_how_many_sheets_differ(
    page, evening, client, on
):
    section = evening(8, here=6)
    prepare(str(section.pk))
    kept = last_prepared(section)

    answer = page.press("lay-out", evening=kept.key(kept.evenings[0]))

    assert answer.url == reverse("print", args=[section.code])
    assert not Section.objects.get().is_started
    client.cookies[f"paper-{section.code}"] = "1"
    record_arrivals(on, [link.person for link in Registrations(on).pairs[7].attendees])
    prepare(str(section.pk))
    assert "sheets different" in page.read()
    kept = last_prepared(section)
    page.press("start", evening=kept.key(kept.evenings[0]))
    assert "Print what changed" in client.get(reverse("desk", args=[section.code])).content.decode()


def test_too_few_are_said_in_words_and_another_day_prepares_nothing(page, evening, on):
    section = evening(2, here=1)
    prepare(str(section.pk))
    assert "1 pair: no movement" in page.read()

    Session.objects.update(date="2030-01-01")
    prepare(str(section.pk))
    assert "What can start" not in page.read()
    assert last_prepared(section) is None


def test_the_host_closes_the_gap_where_one_is_left_who_looks(page, on, people):
    ann, ben, cat, *_ = people
    seek_partner(on, ann)
    assert "With the host" not in page.read()
    SessionPlan.objects.create(session=on, host=cat)
    assert "With the host, Cat Cedar" in page.read()
    seek_partner(on, ben)
    assert "With the host" not in page.read()
    page.press("host", ann)
    assert not Registrations(on).pairs
    record_absence(on, [ben])

    page.press("host", ann)

    assert [pair.names for pair in Registrations(on).agreed_pairs] == ["Ann Ash & Cat Cedar"]
    seek_partner(on, people[4])
    assert "With the host" not in page.read()


def test_whoever_has_the_name_of_somebody_who_comes_is_asked_about(page, on, people, alice):
    register_pair(on, people[0], people[1], by=alice)
    typed = note_typed_names(on, "Ann Ash", "Nell New")

    page.press("confirm", typed=typed.pk, first="Ann Ash", second="Nell New")
    assert [pair.names for pair in Registrations(on).pairs] == ["Ann Ash & Ben Birch"]
    assert UnconfirmedName.objects.filter(pk=typed.pk).exists()
    page.press("confirm", typed=typed.pk, first="Ann Ash (Graz)", second="Nell New")

    assert [pair.names for pair in Registrations(on).pairs] == [
        "Ann Ash & Ben Birch",
        "Ann Ash (Graz) & Nell New",
    ]
