"""A session made from another one: the same pairs once more, a second session, a rehearsal."""

import datetime

import pytest
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events import errors
from bridgebuddy.events.models import Entry, EntryPerson, Play, Section, Session
from bridgebuddy.events.queries.roster.person_search import suggest_people
from bridgebuddy.events.queries.sessions.sections import section_by_code
from bridgebuddy.events.services.lifecycle.copies_of_sessions import (
    CopiedSeating,
    advance_rehearsal,
    copy_session,
    make_rehearsal,
)
from bridgebuddy.events.services.lifecycle.deletions import purge_expired_sessions
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.movement import choose_movement, seat_by_method, swap_seats
from movements.engine.changes import PairArrives, PairLeaves
from movements.models import StoredMovement
from tests.events.states import different, of, world
from tests.factories import section_with

pytestmark = pytest.mark.django_db

NEXT_WEEK = {
    "name": "Tuesday Pairs",
    "date": datetime.date(2026, 12, 1),
    "starts_at": datetime.time(19, 30),
}


def seats(section):
    """Return the seats: names by label."""
    section = Section.objects.get(pk=section.pk)
    labels = section.movement.without_seatings
    return {labels.label(entry.contestant): entry.names for entry in section.entries.all()}


def names(section):
    return [entry.names for entry in section.entries.all()]


def arrives(section, by, *names):
    """Let a pair come late."""
    section = Section.objects.get(pk=section.pk)
    way = change_options(section, PairArrives())[0]
    newcomer = ArrivingEntry(names=names)
    return changes.take_proposal(
        section, way, PairArrives(), plan=section.plan, by=by, newcomer=newcomer, reason=""
    )


def test_the_same_pairs_play_once_more_as_they_sat(club, alice):
    old = section_with(16, "skip-mitchell", round=4, club=club, by=alice)
    swapped = section_with(10, "mitchell", club=club, by=alice)
    swap_seats(swapped, 1, 6, by=alice)

    for section in (old, swapped):
        made = copy_session(section, **NEXT_WEEK, by=alice)

        assert seats(made) == seats(section)
        assert (made.round, made.is_finished) == (0, False)
        assert made.code != section.code
        assert made.boards_per_round == 3


def test_what_was_played_and_changed_is_left_behind_and_left_alone(club, alice):
    section = section_with(9, "mitchell", round=2, club=club, by=alice)
    before = world()

    made = copy_session(section, **NEXT_WEEK, by=alice)

    touched = {model for model, was, _now in different(before, world()) if was is not None}
    assert touched == set()
    assert not made.plays.exists()
    assert made.movements.get().version == 1
    rounds.start_next_round(made, after=0, by=alice)


def test_a_copy_is_of_what_the_session_began_with(club, alice):
    section = section_with(9, "mitchell", round=2, club=club, by=alice)
    began = seats(section)
    way = change_options(section, PairLeaves(9))[0]
    changes.take_proposal(section, way, PairLeaves(9), plan=section.plan, by=alice)

    made = copy_session(section, **NEXT_WEEK, by=alice)

    assert seats(made) == began
    assert {entry.left_after for entry in made.entries.all()} == {None}


def test_who_came_late_has_a_seat_from_the_start_in_the_same_movement_for_one_more(club, alice):
    section = section_with(9, "mitchell", round=2, club=club, by=alice)
    arrives(section, alice, "Eve Late", "Max Late")

    made = copy_session(section, **NEXT_WEEK, by=alice)

    made = Section.objects.get(pk=made.pk)
    assert (made.movement.family, made.entries.count()) == ("mitchell", 10)
    assert "Eve Late & Max Late" in seats(made).values()
    assert seats(section).items() - seats(made).items() == set()
    rounds.start_next_round(made, after=0, by=alice)


def test_a_movement_that_is_not_for_so_many_is_left_to_choose(club, alice):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    section.entries.filter(position__gt=2).update(contestant=None)
    Play.objects.all().delete()
    section.entries.filter(position__gt=2).delete()

    made = copy_session(section, **NEXT_WEEK, by=alice)

    assert made.movement is None
    assert made.entries.count() == 2


def test_the_people_are_those_of_the_roster(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    before = set(Person.objects.values_list("pk", "name"))

    made = copy_session(section, **NEXT_WEEK, by=alice)

    assert set(Person.objects.values_list("pk", "name")) == before
    assert names(made) == names(section)


def test_substitutes_stay_behind_and_nobody_comes_twice(club, alice):
    section = section_with(10, "mitchell", round=3, club=club, by=alice)
    first = section.entries.first()
    people.add_substitute(first, 2, "Eve Help", from_round=2, by=alice)
    people.add_substitute(section.entries.last(), 1, "Ada Help", from_round=1, by=alice)
    arrives(section, alice, "Bob South1", "Max Late")

    made = copy_session(section, **NEXT_WEEK, by=alice)

    assert names(made) == [f"Anna North{n} & Bob South{n}" for n in range(1, 11)]


def test_a_copy_may_be_of_nobody(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, with_entries=False, by=alice)

    assert (names(made), made.movement, made.boards_per_round) == ([], None, None)
    assert made.session.most_boards == section.session.most_boards


def test_the_lines_change_places_but_for_who_must_stay_seated(club, alice):
    section = section_with(9, "mitchell", club=club, by=alice)
    third = section.entries.get(contestant=3)
    Entry.objects.filter(pk=third.pk).update(must_stay_seated=True)

    made = copy_session(section, **NEXT_WEEK, sit=CopiedSeating.TURNED, by=alice)

    was, now = seats(section), seats(made)
    assert (now["NS 1"], now["EW 1"]) == (was["EW 1"], was["NS 1"])
    assert (now["NS 3"], now["EW 3"]) == (was["NS 3"], was["EW 3"])
    assert now["NS 5"] == was["NS 5"]  # opposite is nobody
    assert seats(made) == seats(Section.objects.get(pk=made.pk))


def test_seats_are_drawn_with_a_seed_that_repeats_them(club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, sit=CopiedSeating.RANDOM, by=alice)

    drawn = seats(made)
    assert made.seed
    assert sorted(drawn.values()) == sorted(seats(section).values())
    seat_by_method(made, "random", seed=made.seed, by=alice)
    assert seats(made) == drawn


def test_seats_by_strength_need_strengths(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    with pytest.raises(errors.NoStrengths):
        copy_session(section, **NEXT_WEEK, sit=CopiedSeating.EVEN, by=alice)
    assert Session.objects.count() == 1
    for strength, person in enumerate(Person.objects.order_by("pk")):
        person.strength = strength
        person.save()

    made = copy_session(section, **NEXT_WEEK, sit=CopiedSeating.EVEN, by=alice)

    assert made.seating == "even"
    assert sorted(seats(made).values()) == sorted(seats(section).values())


def test_each_line_of_a_second_session_plays_in_a_section_of_its_own(club, alice):
    section = section_with(16, "skip-mitchell", round=7, club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, sit=CopiedSeating.LINES, is_second=True, by=alice)

    ns, ew = made.session.sections.order_by("name")
    was = seats(section)
    assert (ns.name, ew.name) == ("A", "B")
    assert names(ns) == [was[f"NS {n}"] for n in range(1, 9)]
    assert names(ew) == [was[f"EW {n}"] for n in range(1, 9)]
    for line in (ns, ew):
        choose_movement(line, "howell", boards_per_round=2, by=alice)
        rounds.start_next_round(line, after=0, by=alice)
    assert (made.session.follows, made.session.number) == (section.session, 2)


def test_each_row_of_a_mitchell_for_teams_plays_its_second_session_by_itself(club, alice):
    section = section_with(10, "mitchell-teams", contest="teams", round=5, club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, sit=CopiedSeating.ROWS, is_second=True, by=alice)

    one, other = made.session.sections.order_by("name")
    was = seats(section)
    assert names(one) == [was[str(n)] for n in range(1, 6)]
    assert names(other) == [was[str(n)] for n in range(6, 11)]
    for row in (one, other):
        choose_movement(row, "team-awl", boards_per_round=4, by=alice)
        rounds.start_next_round(row, after=0, by=alice)


def test_what_has_no_two_lines_cannot_be_divided_by_them(club, alice):
    howell = section_with(8, "howell", club=club, by=alice)
    unseated = section_with(8, club=club, by=alice)

    for section in (howell, unseated):
        with pytest.raises(errors.NotSeated):
            copy_session(section, **NEXT_WEEK, sit=CopiedSeating.LINES, by=alice)

    assert Session.objects.count() == 2


@pytest.mark.parametrize(
    ("contest", "count", "family"),
    [("teams", 8, "mitchell-teams"), ("individual", 12, "individual")],
)
def test_teams_and_single_players_play_once_more_too(club, alice, contest, count, family):
    section = section_with(count, family, contest=contest, round=1, club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, is_second=True, by=alice)

    assert seats(made) == seats(section)
    assert made.contest == contest
    rounds.start_next_round(made, after=0, by=alice)


def test_all_sections_are_copied_by_their_names(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    beside = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(beside, [(f"Cleo{n} East", f"Dan{n} West") for n in range(6)], by=alice)
    choose_movement(beside, "howell", boards_per_round=3, by=alice)

    made = copy_session(beside, **NEXT_WEEK, by=alice)

    first, second = made.session.sections.order_by("pk")
    assert (first.name, second.name) == ("A", "B")
    assert (seats(first), seats(second)) == (seats(section), seats(beside))


def test_a_copy_of_what_is_arrow_switched_is_switched_too(club, alice):
    from bridgebuddy.events.services.setup import switches
    from tests.events.states import a_switch

    section = section_with(6, "mitchell", club=club, by=alice)
    section = switches.switch_arrows(section, a_switch(section), **of(section), by=alice)
    rounds.start_next_round(section, after=0, by=alice)

    made = copy_session(section, **NEXT_WEEK, by=alice)

    section.refresh_from_db()
    assert (made.movement, made.unswitched) == (section.movement, section.unswitched)


def test_another_movement_for_the_copy_leaves_the_other_its_own(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    made = copy_session(section, **NEXT_WEEK, by=alice)

    choose_movement(made, "howell", boards_per_round=3, by=alice)

    assert Section.objects.get(pk=section.pk).movement.family == "mitchell"
    assert StoredMovement.objects.count() == 2


def test_a_button_pressed_twice_makes_one_copy(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)

    one, other = (copy_session(section, **NEXT_WEEK, once="x", by=alice) for _ in range(2))

    assert one == other
    assert Session.objects.count() == 2


def test_a_copy_is_recorded(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)

    made = copy_session(section, **NEXT_WEEK, by=alice)

    told = AuditRecord.objects.get(subject="section", subject_id=made.pk)
    assert (told.action, told.by, told.facts) == (
        "section.copy",
        alice,
        {"name": "Tuesday Pairs", "of": "2026-11-24"},
    )


# ── rehearsals ──


def test_a_rehearsal_is_a_marked_copy_for_a_day(club, alice):
    section = section_with(10, "mitchell", round=2, club=club, by=alice)

    made = make_rehearsal(section, by=alice)

    assert made.session.is_rehearsal
    assert seats(made) == seats(section)
    assert made.code != section.code
    length = made.session.rehearsal_until - timezone.now()
    assert datetime.timedelta(hours=23) < length <= datetime.timedelta(days=1)
    assert not section.session.is_rehearsal
    assert AuditRecord.objects.get(subject_id=made.pk).action == "section.rehearse"


def test_of_several_sections_the_one_that_was_asked_for_is_rehearsed_first(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    beside = Section.objects.create(session=section.session, name="B")

    assert make_rehearsal(beside, by=alice).name == "B"


def test_a_rehearsal_is_pressed_through_to_its_end(club, alice):
    made = make_rehearsal(section_with(16, "skip-mitchell", round=4, club=club, by=alice), by=alice)

    made = advance_rehearsal(made, by=alice)

    assert (made.round, made.is_finished) == (7, True)
    assert made.plays.filter(round=7).exists()
    assert advance_rehearsal(made, by=alice).round == 7


def test_nothing_real_is_pressed_through(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)

    with pytest.raises(AssertionError):
        advance_rehearsal(section, by=alice)

    assert Section.objects.get(pk=section.pk).round == 0


def test_a_rehearsal_without_a_movement_is_not_pressed_on(club, alice):
    made = make_rehearsal(section_with(8, club=club, by=alice), by=alice)

    with pytest.raises(errors.NotSeated):
        advance_rehearsal(made, by=alice)


def test_a_rehearsal_is_over_when_its_day_is(club, alice):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    made = make_rehearsal(section, by=alice)
    rounds.start_next_round(made, after=0, by=alice)
    Session.objects.filter(pk=made.session_id).update(rehearsal_until=timezone.now())

    assert section_by_code(made.code) is None
    assert purge_expired_sessions() == 1

    assert not Section.objects.filter(pk=made.pk).exists()
    assert Section.objects.get(pk=section.pk).plays.exists()
    assert StoredMovement.objects.count() == 1


def test_who_was_entered_in_a_rehearsal_alone_is_forgotten_with_it(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    made = make_rehearsal(section, by=alice)
    entries.add_pairs(made, [("Donald Duck", "Daisy Duck"), ("Rita Real", "Otto Only")], by=alice)
    entries.add_pairs(section, [("Rita Real", "Max Later")], by=alice)
    Session.objects.filter(pk=made.session_id).update(rehearsal_until=timezone.now())

    purge_expired_sessions()

    known = set(Person.objects.filter(club=club).values_list("name", flat=True))
    assert {"Donald Duck", "Daisy Duck", "Otto Only"} & known == set()
    assert {"Rita Real", "Max Later", "Anna North1"} <= known


def test_a_substitute_of_a_rehearsal_is_forgotten_with_what_they_played(club, alice):
    made = make_rehearsal(section_with(10, "mitchell", club=club, by=alice), by=alice)
    made = rounds.start_next_round(made, after=0, by=alice)
    people.add_substitute(made.entries.first(), 1, "Donald Duck", from_round=1, by=alice)
    Session.objects.filter(pk=made.session_id).update(rehearsal_until=timezone.now())

    purge_expired_sessions()

    assert not Person.objects.filter(name="Donald Duck").exists()


def test_a_rehearsal_makes_nobody_a_usual_partner(club, alice):
    section = section_with(0, club=club, by=alice)
    made = make_rehearsal(section, by=alice)
    entries.add_pairs(made, [("Linda Harris", "George Marsh")], by=alice)

    assert suggest_people(club, section, "", "Linda Harris") == []


def test_somebody_misspelt_is_put_right_though_they_were_rehearsed(club, alice):
    section = section_with(0, club=club, by=alice)
    entries.add_pairs(section, [("Lynda Harris", "George Marsh")], by=alice)
    made = make_rehearsal(section, by=alice)

    people.correct_names(
        section.entries.get(), ["Linda Harris", "George Marsh"], must_stay_seated=False, by=alice
    )

    assert Person.objects.filter(club=club).count() == 2
    assert names(made) == ["Linda Harris & George Marsh"]
    assert EntryPerson.objects.filter(section=made).count() == 2
