"""Turns worked out from a club's past sessions, and seats by them."""

import datetime
from collections import Counter

import pytest

from bridgebuddy.events.models import EntryPerson, Play, SeatingMethod, Section
from bridgebuddy.events.queries.roster.sit_out_history import (
    former_sessions,
    past_before,
    sit_out_turns,
)
from bridgebuddy.events.services.lifecycle.copies_of_sessions import CopiedSeating, copy_session
from bridgebuddy.events.services.lifecycle.sessions import open_session
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup.entries import add_pairs
from bridgebuddy.events.services.setup.movement import choose_movement, seat_by_method
from movements.engine.fairness.long_run_fairness import sit_outs_of
from tests.factories import begun, pair_names, section_with

pytestmark = pytest.mark.django_db

FIRST = datetime.date(2026, 10, 6)
WEEK = datetime.timedelta(days=7)


def a_week(club, by, week, pairs=9, names=None):
    """Open the session of a week with 9 pairs: of half a table in 4 rounds, 4 North-South pairs sit out."""
    section = open_session(
        club,
        name="Tuesday Pairs",
        date=FIRST + week * WEEK,
        starts_at=datetime.time(19),
        fewest_boards=8,
        most_boards=12,
        minutes_per_board=7,
        pairs=names or pair_names(pairs),
        by=by,
    )
    return choose_movement(section, "mitchell", rounds=4, boards_per_round=2, by=by)


def played(section):
    """Play a session to its end."""
    section = begun(Section.objects.get(pk=section.pk), 4)
    section.finished_at = section.session.planned_start + datetime.timedelta(hours=3)
    section.save()
    return section


def again(section):
    return Section.objects.get(pk=section.pk)


def names_of(section, numbers):
    return {entry.names for entry in section.entries.all() if entry.contestant in numbers}


def out(section):
    return names_of(section, sit_outs_of(again(section).movement.movement))


def test_what_was_played_says_who_had_what(club, alice):
    first = played(a_week(club, alice, 0))
    second = a_week(club, alice, 1)

    (former,) = former_sessions(second)

    had = {link.person: link for link in former.evening.had}
    links = EntryPerson.objects.filter(section=first).select_related("entry")
    outs = sit_outs_of(first.movement.movement)
    for link in links:
        one = had[link.person_id]
        number = link.entry.contestant
        assert (one.rounds, one.sat_out) == (4, outs.get(number, 0))
        is_ew = first.movement.movement.label(number).startswith("EW")
        assert one.ew == (4 if is_ew else 0)
    rounds = Counter()
    for play in Play.objects.filter(section=first).exclude(ns=None).exclude(ew=None):
        rounds[play.north_id, play.east_id] += 0.5  # two boards a round
    met = {(item, other): share for item, other, share in former.evening.met}
    assert len(met) == 4 * len(rounds)  # both of a pair meet both of the other
    assert {two: met[two] for two in rounds} == rounds


def test_seats_given_over_the_weeks_even_out(club, alice):
    """Ten weeks of nine pairs, of whom four sit out each time: the numbers differ by one at most."""
    count = Counter()
    for week in range(10):
        section = a_week(club, alice, week)
        if not week:
            section = seat_by_method(section, SeatingMethod.TURNS, by=alice)
        assert section.seating == SeatingMethod.TURNS  # the club's last answer
        count.update(out(section))
        played(section)

    assert sum(count.values()) == 40
    assert max(count.values()) - min(count.values()) == 1


def test_in_order_of_entry_it_is_off_and_stays_off(club, alice):
    played(seat_by_method(a_week(club, alice, 0), SeatingMethod.TURNS, by=alice))
    second = a_week(club, alice, 1)

    second = seat_by_method(second, SeatingMethod.ORDER, by=alice)

    first_seats = a_week(club, alice, 2)
    assert first_seats.seating == SeatingMethod.ORDER
    seats = list(second.entries.order_by("position").values_list("contestant", flat=True))
    assert seats == list(
        first_seats.entries.order_by("position").values_list("contestant", flat=True)
    )


def test_who_must_stay_seated_stays(club, alice):
    first = seat_by_method(a_week(club, alice, 0), SeatingMethod.TURNS, by=alice)
    played(first)
    second = a_week(club, alice, 1)
    stays = second.entries.get(position=9)
    stays.must_stay_seated = True
    stays.save()

    second = seat_by_method(second, SeatingMethod.TURNS, by=alice)

    stays.refresh_from_db()
    assert stays.contestant in second.movement.movement.stationary_contestants


def test_who_has_a_substitute_did_not_sit_out(club, alice):
    first = a_week(club, alice, 0)
    first = begun(again(first), 4)
    sits_out_last = next(number for number, _ in first.movement.movement.sit_outs(4))
    entry = first.entries.get(contestant=sits_out_last)
    owner = entry.people_in(4)[0]
    people.add_substitute(entry, 1, "Zoe Guest", from_round=4, until_round=4, by=alice)
    first.finished_at = first.session.planned_start
    first.save()

    past = past_before(a_week(club, alice, 1))

    zoe = club.people.get(name="Zoe Guest")
    partner = entry.people_in(4)[1]
    assert past.sat_out[zoe.pk] > past.sat_out[owner.pk]
    assert past.sat_out[partner.pk] > past.sat_out[owner.pk]


def test_a_person_who_was_two_is_one(club, alice):
    """After a merge of two people their past shares follow."""
    played(a_week(club, alice, 0))
    names = [("Anna North1", "Bobby South1"), *pair_names(9)[1:]]
    second = a_week(club, alice, 1, names=names)
    _ = past_before(again(second))
    bob, bobby = (club.people.get(name=name) for name in ("Bob South1", "Bobby South1"))

    merge_people(bobby, bob, by=alice)

    past = past_before(again(second))
    assert bobby.pk in past.sat_out
    assert bob.pk not in past.sat_out


def test_rehearsals_deleted_sessions_and_those_to_come_are_nothing(club, alice):
    rehearsal, deleted = (played(a_week(club, alice, week)) for week in (0, 1))
    rehearsal.session.rehearsal_until = rehearsal.session.planned_start
    rehearsal.session.save()
    deleted.session.deleted_at = deleted.session.planned_start
    deleted.session.save()
    played(a_week(club, alice, 9))
    played(a_week(club, alice, -60))

    assert former_sessions(a_week(club, alice, 2)) == []


def test_other_clubs_are_nothing(club, alice, carol):
    played(a_week(carol.clubs.get(), carol, 0))

    assert former_sessions(a_week(club, alice, 1)) == []


def test_it_is_said_who_sat_out_and_to_whom_it_falls(club, alice):
    first = played(seat_by_method(a_week(club, alice, 0), SeatingMethod.TURNS, by=alice))
    second = a_week(club, alice, 1)

    told = sit_out_turns(second, list(second.entries.all()))

    assert told.last == FIRST
    assert {row.names for row in told.sat_out} == out(first)
    assert {row.names for row in told.tonight} == out(second)
    assert not out(first) & out(second)


def test_where_it_falls_to_all_or_nothing_is_known_nothing_is_said(club, alice):
    alone = a_week(club, alice, 0)
    assert sit_out_turns(alone, list(alone.entries.all())) is None
    played(alone)
    section = section_with(7, "howell", club=club, by=alice)
    section.session.date = FIRST + WEEK
    section.session.save()

    told = sit_out_turns(again(section), list(section.entries.all()))

    assert told.tonight == ()


def test_a_copy_goes_on_evening_out(club, alice):
    first = played(seat_by_method(a_week(club, alice, 0), SeatingMethod.TURNS, by=alice))

    copy = copy_session(
        first,
        name="Tuesday Pairs",
        date=FIRST + WEEK,
        starts_at=datetime.time(19),
        sit=CopiedSeating.TURNS,
        by=alice,
    )

    assert copy.seating == SeatingMethod.TURNS
    assert not out(first) & out(copy)


def test_without_a_past_it_is_the_order_of_entry(club, alice):
    section = a_week(club, alice, 0)
    before = dict(section.entries.values_list("position", "contestant"))

    section = seat_by_method(section, SeatingMethod.TURNS, by=alice)

    assert dict(section.entries.values_list("position", "contestant")) == before


def test_a_pair_more_is_seated_in_turn_too(club, alice):
    played(seat_by_method(a_week(club, alice, 0), SeatingMethod.TURNS, by=alice))
    second = a_week(club, alice, 1)

    add_pairs(second, [("Zoe New", "Yan New")], by=alice)

    assert again(second).seating == SeatingMethod.TURNS
    assert None not in second.entries.values_list("contestant", flat=True)


def test_what_is_known_is_read_once(club, alice, django_assert_num_queries):
    for week in range(3):
        played(a_week(club, alice, week))
    section = again(a_week(club, alice, 3))
    _ = section.club
    with django_assert_num_queries(4):
        former_sessions(section)
    with django_assert_num_queries(2):
        former_sessions(section)
