"""Plays: written when a round begins, amended only by real events, and never lost."""

from dataclasses import replace

import pytest
from django.db import IntegrityError

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.events.errors import NoSuchRound, NotEntered, NotSeated, PersonTwice
from bridgebuddy.events.models import Entry, Play, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plays import movement_as_played
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options, take_proposal
from bridgebuddy.events.services.play.plays import HistoryRewritten, guard_history
from bridgebuddy.events.services.setup import entries
from movements.engine import catalogue
from movements.engine.changes import (
    FewerBoards,
    PairArrives,
    PairLeaves,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    SkipIsMoved,
)
from movements.models import SeatingRow
from tests.factories import section_with

pytestmark = pytest.mark.django_db
LATE = ArrivingEntry(names=("Eve Engel", "Max O’Reid"))


@pytest.fixture
def section(club, alice):
    """Eight tables, a skip Mitchell of 7 rounds of 3 boards, round 2 being played."""
    return section_with(16, "skip-mitchell", round=2, club=club, by=alice)


def standing(section, **where):
    return section.plays.filter(taken_back_at=None, **where)


def seats(section, **where):
    return list(
        standing(section, **where).values_list(
            *("round", "table", "board", "ns__contestant", "ew__contestant"),
            *("north__name", "south__name", "east__name", "west__name"),
        )
    )


def after(section, change, by, **more):
    way = change_options(section, change)[0]
    newcomer = LATE if way.proposal.newcomer else None
    return take_proposal(section, way, change, plan=section.plan, by=by, newcomer=newcomer, **more)


def test_a_round_that_begins_writes_a_play_for_every_board_at_every_table(section):
    assert standing(section).count() == 2 * 8 * 3
    assert seats(section, round=2, table=1) == [
        (2, 1, board, 1, 16, "Anna North1", "Bob South1", "Anna North16", "Bob South16")
        for board in (4, 5, 6)
    ]


def test_nobody_asks_the_movement_what_was_played(section):
    before = SessionEvening(section).games

    SeatingRow.objects.filter(movement=section.movement, round__lte=2).delete()

    assert SessionEvening(Section.objects.get(pk=section.pk)).games == before


def test_a_start_taken_back_keeps_its_plays_aside_and_they_come_back_with_it(section, alice):
    keys = set(standing(section, round=2).values_list("pk", flat=True))

    section = rounds.take_back_round(section, round=2, by=alice)
    assert not standing(section, round=2).exists()
    assert set(section.plays.filter(round=2).values_list("pk", flat=True)) == keys
    section = rounds.start_next_round(section, after=1, by=alice)

    assert set(standing(section, round=2).values_list("pk", flat=True)) == keys


def test_a_round_started_again_with_others_at_a_table_is_another_play(section, alice):
    section = rounds.take_back_round(section, round=2, by=alice)
    aside = dict(section.plays.filter(round=2).values_list("pk", "ew_id"))
    section = after(section, SkipIsMoved(), alice)
    section = rounds.start_next_round(section, after=1, by=alice)

    for play in standing(section, round=2):
        assert aside.get(play.pk, play.ew_id) == play.ew_id


@pytest.mark.parametrize("line", ["ns", "ew"])
def test_one_that_joins_the_round_being_played_is_at_the_table_that_was_half(club, alice, line):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice, missing_line=line)
    nobody = {line: None}
    half = standing(section, **nobody)
    assert half.count() == 3
    kept = set(standing(section).exclude(**nobody).values_list("pk", flat=True))

    section = after(section, PairArrives(joins_running=True), alice)

    new = Entry.objects.get(section=section, entry_people__person__name="Eve Engel")
    assert standing(section, **{line: new}, round=1).count() == 3
    assert not standing(section, **nobody).exists()
    assert kept < set(standing(section).values_list("pk", flat=True))

    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert standing(section, **nobody).count() == 3
    assert not standing(section, **{line: new}).exists()
    lost = section.plays.filter(**{line: new})
    assert lost.count() == 3, "nothing that happened is lost silently"
    entries.withdraw_pair(Entry.objects.get(pk=new.pk), by=alice)
    assert not Entry.objects.filter(pk=new.pk).exists()


@pytest.mark.parametrize(
    ("mistake", "tables"),
    [
        (SatInEachOthersPlace(1, 9, 10), {1, 2}),
        (PlayedOtherBoards(1, 3, 4), {3, 4}),
        (PlayedTheOtherWay(2, 5), {5}),
    ],
)
def test_a_mistake_amends_its_plays_and_no_others_and_undo_brings_them_back(
    section, alice, mistake, tables
):
    before = {play.pk: play for play in standing(section)}
    told = seats(section)

    section = after(section, mistake, alice)

    now = {play.pk: play for play in standing(section)}
    assert now.keys() == before.keys(), "a play stays what a result can hang on"
    different = {
        (now[key].round, now[key].table)
        for key in now
        if (now[key].board, now[key].ns_id, now[key].ew_id, now[key].north_id, now[key].east_id)
        != (
            *(before[key].board, before[key].ns_id, before[key].ew_id),
            *(before[key].north_id, before[key].east_id),
        )
    }
    assert different == {(mistake.round, table) for table in tables}
    section = changes.undo_change(section, plan=section.plan, by=alice)
    assert seats(section) == told
    assert {play.pk for play in standing(section)} == before.keys()
    section = changes.redo_change(section, plan=section.plan, by=alice)
    assert seats(section) != told


def test_what_was_played_follows_whoever_is_called_otherwise_by_now(club, alice):
    section = section_with(14, "mitchell", round=2, club=club, by=alice)
    told = {(r, t, b, n, e) for r, t, b, _, _, n, _, e, _ in seats(section)}

    for change in (PairArrives(), PairLeaves(2), FewerBoards(2, 3), SkipIsMoved()):
        options = change_options(section, change)
        if options:
            section = after(section, change, alice)

    assert {(r, t, b, n, e) for r, t, b, _, _, n, _, e, _ in seats(section)} == told
    assert movement_as_played(section).in_round(1)


def test_a_change_that_would_rewrite_what_was_played_is_a_fault_and_nothing_happens(section, alice):
    way = change_options(section, SkipIsMoved())[0]
    movement = way.proposal.movement
    forged = replace(
        movement, seatings=tuple(s.turned() if s.round == 1 else s for s in movement.seatings)
    )
    forgery = replace(way, proposal=replace(way.proposal, movement=forged))
    before = Section.objects.values().get(pk=section.pk)

    with pytest.raises(HistoryRewritten):
        take_proposal(section, forgery, SkipIsMoved(), plan=section.plan, by=alice)

    assert Section.objects.values().get(pk=section.pk) == before


def without_a_table(movement, round):
    """Return the movement without one table's plays in a round."""
    gone = movement.in_round(round)[0]
    return replace(
        movement, seatings=tuple(seating for seating in movement.seatings if seating != gone)
    )


def test_a_round_that_is_over_neither_gains_nor_loses_a_play(section):
    way = change_options(section, SkipIsMoved())[0]
    whole, numbers = way.proposal, (section.movement.numbers, way.numbers)
    for side in ("before", "movement"):
        forged = replace(whole, **{side: without_a_table(getattr(whole, side), 1)})
        with pytest.raises(HistoryRewritten):
            guard_history(forged, SkipIsMoved(), section.round, numbers)


def test_the_round_being_played_gains_a_play_by_who_joins_it_and_loses_none(section):
    way = change_options(section, SkipIsMoved())[0]
    joining = replace(way.proposal, from_round=section.round)
    numbers = (section.movement.numbers, way.numbers)

    gains = replace(joining, before=without_a_table(joining.before, section.round))
    guard_history(gains, SkipIsMoved(), section.round, numbers)

    loses = replace(joining, movement=without_a_table(joining.movement, section.round))
    with pytest.raises(HistoryRewritten):
        guard_history(loses, SkipIsMoved(), section.round, numbers)


def test_plays_of_a_round_in_parts_say_so(club, alice):
    whole = catalogue.build_movement("scissors-mitchell", 4)
    halved = next(
        s.round for s in whole.seatings if len(whole.seatings_at_table(s.round, s.table)) > 1
    )
    section = section_with(8, "scissors-mitchell", round=halved, club=club, by=alice)

    told = {(p.table, p.part, p.parts) for p in standing(section, round=halved)}

    parts = {table: len(whole.seatings_at_table(halved, table)) for table in range(1, 5)}
    assert told == {(t, part, n) for t, n in parts.items() for part in range(1, n + 1)}


def test_teams_and_single_players_have_plays_too(club, alice):
    teams = section_with(6, "team-round-robin", round=1, club=club, by=alice, contest="teams")
    single = section_with(8, "individual", round=1, club=club, by=alice, contest="individual")

    assert standing(teams).count() == 6 * 3
    home = standing(teams).filter(table=1).first()
    assert [home.north, home.south, home.east, home.west] == [
        *home.ns.players[:2],
        *home.ew.players[2:],
    ]
    one = standing(single).first()
    assert None not in (one.ns, one.ns2, one.ew, one.ew2)
    assert [one.north, one.south, one.east, one.west] == [
        entry.players[0] for entry in (one.ns, one.ns2, one.ew, one.ew2)
    ]


# ── substitutes and corrections ──


def names_in(section, entry, round):
    return [person.name for person in Entry.objects.get(pk=entry.pk).people_in(round)]


def test_a_substitute_plays_from_a_round_on_and_history_keeps_who_played(section, alice):
    entry = section.entries.get(contestant=1)

    people.add_substitute(entry, 2, "Zoë Neu", from_round=2, by=alice)

    assert names_in(section, entry, 1) == ["Anna North1", "Bob South1"]
    assert names_in(section, entry, 2) == names_in(section, entry, 7) == ["Anna North1", "Zoë Neu"]
    assert {row[6] for row in seats(section, round=1, table=1)} == {"Bob South1"}
    assert {row[6] for row in seats(section, round=2, table=1)} == {"Zoë Neu"}
    evening = SessionEvening(Section.objects.get(pk=section.pk))
    assert evening.games[1][0].ns[0].contestant.surnames == "North1 & South1"
    assert evening.games[2][0].ns[0].contestant.surnames == "North1 & Neu"
    assert evening.contestants[1].names == "Anna North1 & Zoë Neu"


def test_a_substitute_for_some_rounds_gives_the_place_back(section, alice):
    entry = section.entries.get(contestant=1)

    people.add_substitute(entry, 1, "Zoë Neu", from_round=3, until_round=4, by=alice)

    assert [names_in(section, entry, r)[0] for r in range(1, 8)] == [
        *("Anna North1", "Anna North1", "Zoë Neu", "Zoë Neu"),
        *("Anna North1", "Anna North1", "Anna North1"),
    ]
    people.add_substitute(entry, 1, "Anna North1", from_round=3, by=alice)
    links = Entry.objects.get(pk=entry.pk).entry_people.filter(position=1)
    assert [(link.from_round, link.until_round) for link in links] == [(1, None)]


def test_a_substitute_is_recorded_counts_a_plan_and_is_nobody_who_plays_then(section, alice):
    entry, other = section.entries.get(contestant=1), section.entries.get(contestant=2)
    people.add_substitute(entry, 1, "Zoë Neu", from_round=3, until_round=4, by=alice, reason="ill")

    now = Section.objects.get(pk=section.pk)
    assert (now.plan, now.shown) == (section.plan + 1, section.shown + 1)
    record = AuditRecord.objects.first()
    assert (record.action, record.reason) == ("section.substitute", "ill")
    with pytest.raises(PersonTwice):
        people.add_substitute(other, 1, "zoë neu", from_round=4, by=alice)
    people.add_substitute(other, 1, "zoë neu", from_round=5, by=alice)
    with pytest.raises(PersonTwice):
        people.add_substitute(other, 1, "Bob South2", from_round=5, by=alice)
    for rounds_ in ((0, None), (8, None), (4, 3), (1, 8)):
        with pytest.raises(NoSuchRound):
            people.add_substitute(
                entry, 1, "X Y", from_round=rounds_[0], until_round=rounds_[1], by=alice
            )
    with pytest.raises(NotEntered):
        people.add_substitute(entry, 3, "X Y", from_round=1, by=alice)


def test_without_a_movement_there_are_no_rounds_for_a_substitute(club, alice):
    section = section_with(6, club=club, by=alice)

    with pytest.raises(NotSeated):
        people.add_substitute(section.entries.first(), 1, "X Y", from_round=1, by=alice)


def test_a_correction_says_who_it_always_was_in_history_too(section, alice):
    entry = section.entries.get(contestant=1)

    people.correct_names(entry, ["Anna North1", "Karl Klein"], must_stay_seated=False, by=alice)

    assert {row[6] for row in seats(section, table=1)} == {"Karl Klein"}
    assert names_in(section, entry, 1) == ["Anna North1", "Karl Klein"]
    assert Person.objects.filter(name="Bob South1").exists(), "somebody else, known to the club"
    now = Section.objects.get(pk=section.pk)
    assert (now.plan, now.shown > section.shown) == (section.plan, True)


def test_a_misspelt_name_is_put_right_in_the_roster(section, alice):
    entry = section.entries.get(contestant=1)
    known = entry.players[1]

    people.correct_names(entry, ["Anna North1", "Bob Sauth1"], must_stay_seated=False, by=alice)

    known.refresh_from_db()
    assert known.name == "Bob Sauth1"
    assert not Person.objects.filter(club=section.club, name="Bob South1").exists()


def test_a_correction_leaves_a_substitutes_rounds_alone(section, alice):
    entry = section.entries.get(contestant=1)
    people.add_substitute(entry, 2, "Zoë Neu", from_round=2, by=alice)

    people.correct_names(
        Entry.objects.get(pk=entry.pk), ["Anna North1", "Zoe Alt"], must_stay_seated=False, by=alice
    )

    assert names_in(section, entry, 1) == ["Anna North1", "Bob South1"]
    assert names_in(section, entry, 2) == ["Anna North1", "Zoe Alt"]
    assert {row[6] for row in seats(section, round=1, table=1)} == {"Bob South1"}


def test_no_two_plays_stand_at_one_place(section):
    one = standing(section).first()
    one.pk = None

    with pytest.raises(IntegrityError):
        Play.objects.bulk_create([one])
