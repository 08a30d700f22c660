"""Registrations: each person has one per session, and is on its list once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup.entries import add_pairs
from bridgebuddy.registration.errors import (
    NotForPairs,
    PartnerHasCancelled,
    PartnerIsTaken,
    RegistrationRefused,
    SelfAsPartner,
    TooManyNames,
)
from bridgebuddy.registration.models import Registration, RegistrationSettings, UnconfirmedName
from bridgebuddy.registration.own_sessions import open_session_of
from bridgebuddy.registration.registering import (
    confirm_names,
    enter_registered_pairs,
    note_typed_names,
    record_absence,
    record_arrivals,
    refuse_names,
    refuse_unknown,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.registrations import (
    Registrations,
    entries_with_cancelled_player,
    is_registration_open,
    open_sessions,
)
from bridgebuddy.registration.retention import delete_old_registrations, exported_registrations
from tests.factories import FAR_ZONES, PersonFactory, section_to_enter, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return section_to_enter(club, alice)


@pytest.fixture
def session(section):
    return section.session


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", "Cat Cedar", "Dan Dale", "Eve Elm", "Fay Fir")
    return [PersonFactory(club=club, name=name) for name in names]


def pairs(session):
    """Return the registered pairs in order; unanswered partners in brackets."""
    return [
        f"{pair.one.person} & {f'({pair.other.person})' if pair.asked else pair.other.person}"
        for pair in Registrations(session).pairs
    ]


def says(session):
    return {
        answer.person.name.split()[0]: answer.says
        for answer in Registrations(session).answers.values()
    }


def test_who_is_named_is_asked_and_comes_by_saying_so(session, people):
    ann, ben, *_ = people

    register_pair(session, ann, ben)
    assert pairs(session) == ["Ann Ash & (Ben Birch)"]
    assert [link.person for link in Registrations(session).partner_requests_to(ben.pk)] == [ann]
    register_pair(session, ben, ann)

    assert pairs(session) == ["Ann Ash & Ben Birch"]
    assert Registrations(session).partner_requests_to(ben.pk) == []


def test_entered_by_both_is_one_entry_at_the_place_of_the_first(session, people):
    ann, ben, cat, dan, *_ = people

    register_pair(session, ann, ben)
    register_pair(session, cat, dan)
    register_pair(session, ben, ann)
    register_pair(session, ben, ann)

    assert pairs(session) == ["Ann Ash & Ben Birch", "Cat Cedar & (Dan Dale)"]


def test_a_pair_that_registers_again_keeps_its_place(session, people):
    ann, ben, cat, dan, *_ = people
    for person, partner in ((ann, ben), (ben, ann), (cat, dan)):
        register_pair(session, person, partner)

    for person, partner in ((ann, ben), (ben, ann)):
        register_pair(session, person, partner)

    assert pairs(session) == ["Ann Ash & Ben Birch", "Cat Cedar & (Dan Dale)"]


def test_a_session_with_as_many_pairs_as_it_takes_is_full(section, people, alice):
    switch_registration(section, is_on=True, maximum=2, by=alice)
    ann, ben, cat, dan, eve, _fay = people

    is_full = []
    for person, partner in ((ann, ben), (cat, dan)):
        register_pair(section.session, person, partner)
        is_full.append(open_session_of(eve, section.session_id).is_full)

    assert is_full == [False, True]


def test_registration_is_open_from_its_first_day_on(section, club, alice):
    found = []
    for days in (0, 1):
        opens_on = club.today + timedelta(days=days)
        switch_registration(section, is_on=True, maximum=None, by=alice, opens_on=opens_on)
        found.append(open_sessions(club))

    assert found == [[section.session], []]


@pytest.mark.parametrize("zone", FAR_ZONES)
def test_the_day_of_a_session_is_that_of_its_club(club, alice, people, zone):
    club.time_zone = zone
    club.save()
    session = section_to_enter(club, alice).session

    register_pair(session, *people[:2])
    record_arrivals(session, people[:2])

    assert Registrations(session).pairs[0].is_here


def test_who_says_no_leaves_the_other_alone_and_is_not_named_again(session, people):
    ann, ben, cat, *_ = people
    register_pair(session, ann, ben)

    record_absence(session, [ben])

    assert says(session) == {"Ann": "alone", "Ben": "not"}
    assert [seeker.partner for seeker in Registrations(session).seekers] == [ben]
    with pytest.raises(PartnerHasCancelled):
        register_pair(session, cat, ben)
    assert pairs(session) == []


def test_who_changes_partner_leaves_the_first_one_alone(session, people):
    ann, ben, cat, *_ = people
    register_pair(session, ann, ben)
    register_pair(session, ben, ann)

    register_pair(session, ben, cat)

    assert says(session) == {"Ann": "alone", "Ben": "comes"}
    assert pairs(session) == ["Ben Birch & (Cat Cedar)"]


def test_who_comes_with_somebody_is_not_named_by_another(session, people):
    ann, ben, cat, *_ = people
    register_pair(session, ann, ben)
    register_pair(session, ben, ann)

    with pytest.raises(PartnerIsTaken):
        register_pair(session, cat, ben)
    with pytest.raises(SelfAsPartner):
        register_pair(session, cat, cat)

    assert pairs(session) == ["Ann Ash & Ben Birch"]


def test_two_who_ask_the_same_one_are_told_by_the_answer(session, people):
    ann, ben, cat, *_ = people
    register_pair(session, ann, cat)
    register_pair(session, ben, cat)

    register_pair(session, cat, ben)

    assert pairs(session) == ["Ben Birch & Cat Cedar"]
    assert says(session)["Ann"] == "alone"


def test_who_looks_may_be_asked_and_goes_on_looking_till_they_answer(session, people):
    ann, ben, cat, *_ = people
    seek_partner(session, ben)
    register_pair(session, ann, ben)

    assert says(session) == {"Ann": "comes", "Ben": "looks"}
    seek_partner(session, ben)
    assert pairs(session) == ["Ann Ash & (Ben Birch)"]
    record_absence(session, [ann])

    assert says(session) == {"Ann": "not", "Ben": "looks"}
    assert cat.name not in str(pairs(session))


def test_who_comes_back_after_leaving_is_asked_for_anew(session, people):
    """The other's yes was to another evening together: it is no place before those who came meanwhile."""
    ann, ben, cat, dan, *_ = people
    register_pair(session, ann, ben)
    register_pair(session, ben, ann)
    record_absence(session, [ann])
    register_pair(session, cat, dan)

    register_pair(session, ann, ben)

    assert pairs(session) == ["Cat Cedar & (Dan Dale)", "Ann Ash & (Ben Birch)"]


def test_a_waiting_list_moves_up_by_itself(section, session, people, alice):
    ann, ben, cat, dan, eve, fay = people
    switch_registration(section, is_on=True, maximum=1, by=alice)
    session = Session.objects.get()
    register_pair(session, ann, ben)
    register_pair(session, cat, dan)
    register_pair(session, eve, fay)
    registrations = Registrations(session)
    assert [registrations.waiting_place_of(pair) for pair in registrations.pairs] == [0, 1, 2]

    record_absence(session, [ben])

    registrations = Registrations(session)
    assert pairs(session) == ["Cat Cedar & (Dan Dale)", "Eve Elm & (Fay Fir)"]
    assert [registrations.waiting_place_of(pair) for pair in registrations.pairs] == [0, 1]
    assert registrations.waiting_place_of(registrations.pair_of(eve.pk)) == 1


def test_a_director_puts_two_together_and_says_it_for_whoever_rings(session, people, alice):
    ann, ben, cat, dan, *_ = people
    seek_partner(session, ann)
    seek_partner(session, ben)
    record_absence(session, [cat])

    register_pair(session, ann, ben, by=alice)
    register_pair(session, cat, dan, by=alice)

    assert pairs(session) == ["Ann Ash & Ben Birch", "Cat Cedar & Dan Dale"]
    with pytest.raises(PartnerIsTaken):
        register_pair(session, ann, cat, by=alice)
    said = AuditRecord.objects.filter(action="section.said_for").values_list("facts", flat=True)
    assert sorted(record["names"] for record in said) == [
        "Ann Ash & Ben Birch",
        "Cat Cedar & Dan Dale",
    ]


def test_the_list_is_made_of_who_has_agreed_and_has_room_and_nobody_is_put_in_twice(
    section, session, people, alice
):
    ann, ben, cat, dan, eve, fay = people
    register_pair(session, ann, ben, by=alice)
    register_pair(session, cat, dan)
    register_pair(session, eve, fay, by=alice)
    add_pairs(section, [("Eve Elm", "Somebody Else")], by=alice)

    assert enter_registered_pairs(section, by=alice) == 1
    assert enter_registered_pairs(section, by=alice) == 0

    entered = [entry.names for entry in section.entries.order_by("position")]
    assert entered == ["Eve Elm & Somebody Else", "Ann Ash & Ben Birch"]
    assert [pair.names for pair in Registrations(session).half_entered_pairs] == [
        "Eve Elm & Fay Fir"
    ]
    register_pair(session, dan, cat)
    assert enter_registered_pairs(section, by=alice) == 1
    assert EntryPerson.objects.filter(person=cat).count() == 1


def test_a_pair_of_an_earlier_session_of_the_event_is_entered_again(section, people, alice):
    ann, ben, *_ = people
    earlier = section_with(0, club=section.club, by=alice)
    assert earlier.session.event == section.session.event
    add_pairs(earlier, [(ann.name, ben.name)], by=alice)
    register_pair(section.session, ann, ben, by=alice)

    assert enter_registered_pairs(section, by=alice) == 1


def test_who_cancels_after_the_list_was_made_is_told_at_the_entries(
    section, session, people, alice
):
    ann, ben, *_ = people
    register_pair(session, ann, ben, by=alice)
    enter_registered_pairs(section, by=alice)
    assert entries_with_cancelled_player(section) == []
    shown = Section.objects.get().shown

    record_absence(session, [ben])

    assert [entry.names for entry in entries_with_cancelled_player(section)] == [
        "Ann Ash & Ben Birch"
    ]
    assert Section.objects.get().shown == shown + 1
    record = AuditRecord.objects.filter(action="section.not_this_time").get()
    assert (record.by, record.facts["names"]) == (None, "Ben Birch")


@pytest.mark.parametrize("way", ["off", "begun", "over", "deleted", "never on"])
def test_nothing_is_taken_of_a_session_that_is_not_open(way, section, session, people, alice):
    ann, ben, *_ = people
    if way == "off":
        switch_registration(section, is_on=False, maximum=None, by=alice)
    elif way == "begun":
        Section.objects.update(round=1)
    elif way == "over":
        Session.objects.update(date=session.date - timedelta(days=1))
    elif way == "deleted":
        delete_session(section, by=alice)
    else:
        RegistrationSettings.objects.all().delete()
    session = Session.objects.get()

    for said in (
        lambda: register_pair(session, ann, ben),
        lambda: seek_partner(session, ann),
        lambda: record_absence(session, [ann]),
        lambda: record_arrivals(session, [ann]),
        lambda: note_typed_names(session, "A Stranger"),
    ):
        with pytest.raises(RegistrationRefused):
            said()

    assert not Registration.objects.exists()
    assert not is_registration_open(session)
    assert open_sessions(session.event.club) == []


def test_only_pairs_enter_beforehand(club, alice):
    section = section_with(0, club=club, by=alice, contest="teams")

    with pytest.raises(NotForPairs):
        switch_registration(section, is_on=True, maximum=None, by=alice)


def test_who_comes_in_is_here_and_who_was_asked_has_said_yes_by_it(session, people):
    ann, ben, cat, *_ = people
    register_pair(session, ann, ben)
    seek_partner(session, cat)

    record_arrivals(session, [ann])
    record_arrivals(session, [ben])
    record_arrivals(session, [cat])

    [pair] = Registrations(session).pairs
    assert not pair.asked
    assert pair.is_here
    assert Registration.objects.get(person=cat).here_at
    record_arrivals(session, [ben], is_here=False)
    assert Registrations(session).pairs[0].missing == [ben]


def test_nobody_is_here_on_another_day(session, people):
    Session.objects.update(date=session.date + timedelta(days=1))
    session = Session.objects.get()
    seek_partner(session, people[0])

    with pytest.raises(RegistrationRefused):
        record_arrivals(session, [people[0]])


def test_a_strangers_names_wait_for_a_director(session, people, alice, club):
    typed = note_typed_names(session, "New Ann", "Ben Birch")
    assert note_typed_names(session, "New Ann", "Ben Birch") == typed
    assert pairs(session) == []
    assert not Person.objects.filter(name="New Ann").exists()

    confirm_names(typed, "Nell Ann", "Ben Birch", by=alice)

    assert pairs(session) == ["Nell Ann & Ben Birch"]
    assert not UnconfirmedName.objects.exists()
    with pytest.raises(RegistrationRefused):
        confirm_names(typed, "Nell Ann", "Ben Birch", by=alice)


def test_invented_names_push_out_one_another_and_no_known_one(session, people, monkeypatch):
    monkeypatch.setattr("bridgebuddy.registration.registering.MOST_TYPED", 3)
    known = people[0].name
    for name in (known, "One", "Two", "Three", "Honest Guest"):
        note_typed_names(session, name)

    waiting = list(UnconfirmedName.objects.order_by("pk").values_list("name", flat=True))

    assert waiting == [known, "Three", "Honest Guest"]
    for person in people[1:3]:
        note_typed_names(session, person.name)
    with pytest.raises(TooManyNames):
        note_typed_names(session, "Four")


def test_all_unknown_names_are_refused_in_one_press_and_later_ones_stay(session, people, alice):
    for name in ("One", people[0].name, "Two", "Three"):
        note_typed_names(session, name)
    ann = people[1]
    note_typed_names(session, ann.name, "Nobody Known", partner_of=ann)
    seen = UnconfirmedName.objects.get(name="Three").pk
    note_typed_names(session, "Honest Guest")

    assert refuse_unknown(session, up_to=seen, by=alice) == 3

    waiting = set(UnconfirmedName.objects.values_list("name", flat=True))
    assert waiting == {people[0].name, ann.name, "Honest Guest"}


def test_the_page_shows_known_names_first_and_refuses_all_others(session, people, alice, signed_in):
    for name in ("One", "Two", "Three", people[0].name):
        note_typed_names(session, name)
    address = reverse("who-comes", args=[session.sections.get().code])
    browser = signed_in(alice)

    page = browser.get(address).content.decode()

    assert page.index(f'value="{people[0].name}"') < page.index('value="One"')
    assert "Refuse all 3 names that are not on the roster" in " ".join(page.split())
    last = UnconfirmedName.objects.get(name="Three").pk
    browser.post(address, {"do": "refuse-unknown", "up_to": last})
    assert list(UnconfirmedName.objects.values_list("name", flat=True)) == [people[0].name]


def test_a_partner_whom_the_roster_does_not_know_waits_and_may_be_refused(session, people, alice):
    ann, *_ = people
    seek_partner(session, ann)
    typed = note_typed_names(session, ann.name, "Nobody Known", partner_of=ann)
    assert says(session) == {}

    refuse_names(typed, by=alice)
    refuse_names(typed, by=alice)

    assert says(session) == {"Ann": "alone"}
    note_typed_names(session, ann.name, "Nobody Known", partner_of=ann)
    seek_partner(session, ann)
    assert not UnconfirmedName.objects.exists()


def test_who_is_merged_has_said_what_either_said(session, people, alice):
    ann, ben, cat, dan, eve, fay = people
    register_pair(session, ann, ben, by=alice)
    register_pair(session, cat, dan, by=alice)
    seek_partner(session, eve)

    merge_people(fay, cat, by=alice)
    merge_people(eve, ann, by=alice)

    assert pairs(session) == ["Fay Fir & Dan Dale"]
    assert says(session) == {"Fay": "comes", "Dan": "comes", "Eve": "looks", "Ben": "alone"}


def test_a_pair_of_one_person_under_two_names_is_one_person_alone(session, people, alice):
    ann, ben, *_ = people
    register_pair(session, ann, ben, by=alice)

    merge_people(ann, ben, by=alice)

    answer = Registration.objects.get()
    assert (answer.person, answer.says, answer.partner) == (ann, "alone", None)


def test_who_is_forgotten_has_said_nothing(session, people, alice):
    ann, ben, cat, *_ = people
    register_pair(session, ann, ben, by=alice)
    note_typed_names(session, cat.name, "Jan Neu", partner_of=cat)

    anonymise_person(ann, by=alice)
    anonymise_person(cat, by=alice)

    assert says(session) == {"Ben": "alone"}
    assert Registration.objects.get().partner is None
    assert not UnconfirmedName.objects.exists()
    assert "Ann" not in str([record.facts for record in AuditRecord.objects.all()])


@pytest.mark.parametrize("typed", ["Ann Ash", "Ash, Ann", "Ash,Ann", "ann  ash"])
def test_a_typed_name_is_forgotten_however_it_was_written(session, people, alice, typed):
    ann, *_ = people
    note_typed_names(session, typed)
    note_typed_names(session, "Zoë Neu")

    anonymise_person(ann, by=alice)

    assert UnconfirmedName.objects.get().name == "Zoë Neu"


def test_who_leaves_the_roster_leaves_the_partner_looking(session, people, alice):
    ann, ben, *_ = people
    register_pair(session, ann, ben, by=alice)

    ann.delete()

    assert pairs(session) == []
    assert [seeker.person for seeker in Registrations(session).seekers] == [ben]


def test_it_is_forgotten_a_week_after_the_session(session, people, alice):
    ann, ben, *_ = people
    register_pair(session, ann, ben, by=alice)
    note_typed_names(session, "A Stranger")
    Session.objects.update(date=timezone.localdate() - timedelta(days=7))
    delete_old_registrations()
    assert Registration.objects.count() == 2

    Session.objects.update(date=timezone.localdate() - timedelta(days=8))
    delete_old_registrations()

    assert not Registration.objects.exists()
    assert not UnconfirmedName.objects.exists()


def test_nothing_is_forgotten_before_the_day_of_the_club_is_over(club, alice, people, monkeypatch):
    """At five in the morning in London, it is the evening before in Honolulu."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 25, 5, tzinfo=UTC))
    club.time_zone = "Pacific/Honolulu"
    club.save()
    session = section_to_enter(club, alice).session
    assert str(session.date) == "2026-11-24"
    seek_partner(session, people[0], contact="0171 555")
    note_typed_names(session, "A Stranger")

    delete_old_registrations()
    assert Registration.objects.get().contact == "0171 555"
    assert UnconfirmedName.objects.exists()

    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 25, 11, tzinfo=UTC))
    delete_old_registrations()
    assert Registration.objects.get().contact == ""
    assert not UnconfirmedName.objects.exists()


def test_what_somebody_said_and_who_named_them_is_handed_out(session, people):
    ann, ben, *_ = people
    register_pair(session, ann, ben)

    [mine], [theirs] = exported_registrations(ann), exported_registrations(ben)

    assert (mine["says"], mine["with"]) == ("comes", "Ben Birch")
    assert (theirs["says"], theirs["with"]) == ("is asked", "Ann Ash")


def test_who_comes_costs_the_same_for_one_pair_and_for_many(
    session, people, alice, django_assert_num_queries
):
    def read():
        registrations = Registrations(Session.objects.select_related("beforehand").get())
        return (
            registrations.pairs,
            registrations.waiting_pairs,
            registrations.seekers,
            registrations.pairs_to_enter,
            registrations.unconfirmed_names,
        )

    register_pair(session, people[0], people[1], by=alice)
    with django_assert_num_queries(4):
        read()
    register_pair(session, people[2], people[3], by=alice)
    seek_partner(session, people[4])

    with django_assert_num_queries(4):
        read()


def test_two_hundred_say_so_for_twenty_tables_and_each_keeps_the_place_of_its_turn(
    section, session, club, alice
):
    switch_registration(section, is_on=True, maximum=40, by=alice)
    session = Session.objects.get()
    Person.objects.bulk_create(
        Person(club=club, name=f"Player {n}", search=f"player {n:03}") for n in range(400)
    )
    people = list(Person.objects.filter(club=club, name__startswith="Player").order_by("pk"))
    two = list(zip(people[::2], people[1::2], strict=True))
    for element, other in two:
        register_pair(session, element, other, by=alice)
    registrations = Registrations(session)
    assert [row.people for row in registrations.pairs_with_place] == [
        (a.pk, b.pk) for a, b in two[:40]
    ]
    assert [registrations.waiting_place_of(item) for item in registrations.waiting_pairs] == list(
        range(1, 161)
    )

    for gone in (0, 7, 39, 60):
        record_absence(session, [two[gone][1]])

    registrations = Registrations(session)
    left = [pair for n, pair in enumerate(two) if n not in (0, 7, 39, 60)]
    assert [pair.people for pair in registrations.pairs] == [(a.pk, b.pk) for a, b in left]
    assert registrations.waiting_place_of(registrations.pair_of(two[42][0].pk)) == 0
    assert registrations.waiting_place_of(registrations.pair_of(two[43][0].pk)) == 1
    assert enter_registered_pairs(section, by=alice) == 40
