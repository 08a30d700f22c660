"""Live changes: past rounds stay, one change is made once, and undo restores everything."""

import threading

import pytest
from django.db import close_old_connections, connection

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import (
    CannotGoBack,
    ChangeRefused,
    NoSuchProposal,
    NotRunning,
    NotSeated,
    PersonTwice,
    SectionChanged,
)
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options, take_proposal
from bridgebuddy.events.services.setup import movement
from movements.engine import laws
from movements.engine.changes import (
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairStays,
    Rebuild,
    SkipIsMoved,
)
from movements.models import SeatingRow
from tests.factories import director_of, section_with
from tests.killed import killed_in

pytestmark = pytest.mark.django_db
LATE = ArrivingEntry(names=("Eve Engel", "Max O’Reid"))


@pytest.fixture
def section(club, alice):
    return section_with(16, "skip-mitchell", round=1, club=club, by=alice)


def take_first(section, change, by, **more):
    way = change_options(section, change)[0]
    return take_proposal(section, way, change, plan=section.plan, by=by, **more)


def played(section, last):
    """Return opponents and boards by names, in the rounds up to the last."""
    evening = SessionEvening(Section.objects.get(pk=section.pk))
    return [
        (
            game.round,
            game.table,
            [s.contestant.names for s in game.ns],
            [s.contestant.names for s in game.ew],
            game.boards,
        )
        for round in range(1, last + 1)
        for game in evening.games[round]
        if game.ns or game.ew
    ]


def test_a_late_pair_becomes_rover_and_what_was_played_stays(section, alice):
    before = played(section, 1)

    section = take_first(section, PairArrives(), alice, newcomer=LATE, reason="the train")

    evening = SessionEvening(section)
    late = next(
        contestant
        for contestant in evening.contestants.values()
        if contestant.names.startswith("Eve")
    )
    assert (late.label, late.first_round, late.left_after) == ("NS 9", 2, None)
    assert played(section, 1) == before
    assert [len(evening.sit_outs(round)) for round in range(1, 8)] == [0, 1, 1, 1, 1, 1, 1]
    assert laws.find_errors(section.movement.movement) == ()
    version = section.movements.get(version=2)
    assert (version.change, version.from_round, version.reason) == ("rover", 2, "the train")
    assert version.facts["names"] == "Eve Engel & Max O’Reid"


def test_everybody_else_keeps_their_label_when_numbers_move_up(section, alice):
    labels = {
        contestant.names: contestant.label
        for contestant in SessionEvening(section).contestants.values()
    }

    section = take_first(section, PairArrives(), alice, newcomer=LATE)

    after = {
        contestant.names: contestant.label
        for contestant in SessionEvening(section).contestants.values()
    }
    assert {names: after[names] for names in labels} == labels


def test_undo_brings_the_movement_back_and_the_pair_waits(section, alice):
    plan = played(section, 7)
    section = take_first(section, PairArrives(), alice, newcomer=LATE)

    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert played(section, 7) == plan
    assert [entry.names for entry in section.entries.filter(contestant=None)] == [
        "Eve Engel & Max O’Reid"
    ]
    assert rounds.start_next_round(section, after=1, by=alice).round == 2


def test_redo_seats_the_pair_again(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    plan = played(section, 7)
    section = changes.undo_change(section, plan=section.plan, by=alice)

    section = changes.redo_change(section, plan=section.plan, by=alice)

    assert played(section, 7) == plan
    assert changes.redoable_version(section) is None
    assert [item.change for item in section.movements.all()] == ["", "rover", "undo", "redo"]


def test_two_changes_are_taken_back_one_after_the_other(section, alice):
    first = played(section, 7)
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    second = played(section, 7)
    section = take_first(section, PairLeaves(2), alice)

    section = changes.undo_change(section, plan=section.plan, by=alice)
    assert played(section, 7) == second
    section = changes.undo_change(section, plan=section.plan, by=alice)
    assert played(section, 7) == first
    section = changes.redo_change(section, plan=section.plan, by=alice)
    assert played(section, 7) == second
    section = changes.redo_change(section, plan=section.plan, by=alice)
    with pytest.raises(CannotGoBack):
        changes.redo_change(section, plan=section.plan, by=alice)


def test_nothing_is_taken_back_once_the_next_round_has_begun(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = rounds.start_next_round(section, after=1, by=alice)

    with pytest.raises(CannotGoBack):
        changes.undo_change(section, plan=section.plan, by=alice)


def test_undo_never_reaches_back_behind_a_round_that_has_begun(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = rounds.start_next_round(section, after=1, by=alice)
    plan = played(section, 7)
    section = take_first(section, PairLeaves(2), alice)

    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert played(section, 7) == plan
    assert changes.undoable_version(section) is None
    with pytest.raises(CannotGoBack):
        changes.undo_change(section, plan=section.plan, by=alice)


def test_of_two_changes_each_is_named_when_it_is_taken_back_or_made_again(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = take_first(section, PairLeaves(2), alice)
    named = []

    for turn in (
        changes.undo_change,
        changes.undo_change,
        changes.redo_change,
        changes.redo_change,
    ):
        next_one = (
            changes.undoable_version if turn is changes.undo_change else changes.redoable_version
        )(section)
        section = turn(section, plan=section.plan, by=alice)
        last = section.movements.last()
        named.append((next_one.version, last.change, last.facts["kind"], last.from_round))

    left = section.movements.get(version=3).change
    assert named == [
        (3, "undo", left, 2),
        (2, "undo", "rover", 2),
        (2, "redo", "rover", 2),
        (3, "redo", left, 2),
    ]


def test_a_waiting_pair_is_seated(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = changes.undo_change(section, plan=section.plan, by=alice)
    section = rounds.start_next_round(section, after=1, by=alice)
    waiting = section.entries.get(contestant=None)

    section = take_first(section, PairArrives(), alice, newcomer=ArrivingEntry(entry=waiting.pk))

    waiting.refresh_from_db()
    assert (waiting.contestant, waiting.first_round) == (9, 3)
    assert section.entries.count() == 17


def test_a_pair_that_leaves_is_neither_playing_nor_sitting_out(section, alice):
    leaving = section.entries.get(contestant=3)

    section = take_first(section, PairLeaves(3), alice)

    leaving.refresh_from_db()
    assert leaving.left_after == 1
    evening = SessionEvening(section)
    assert all(3 not in [entry.number for entry in evening.sit_outs(r)] for r in range(1, 8))
    assert [evening.round_turn(3, r).has_left for r in (1, 2, 7)] == [False, True, True]
    assert [len(evening.sit_outs(r)) for r in (2, 3)] == [1, 1]


def test_nobody_has_to_be_let_go_in_the_last_round(club, alice):
    section = section_with(16, "skip-mitchell", round=7, club=club, by=alice)

    assert change_options(section, PairLeaves(3)) == []


def test_a_pair_that_cannot_move_keeps_its_table(section, alice):
    section = take_first(section, PairStays(10), alice)

    evening = SessionEvening(section)
    assert {evening.round_turn(10, r).game.table for r in range(1, 8)} == {2}
    assert all(evening.sit_outs(round) == () for round in range(1, 8))


def test_a_search_may_let_a_pair_go(club, alice):
    section = section_with(8, "howell", round=3, club=club, by=alice)
    leaving = section.entries.get(contestant=3)

    section = take_first(section, Rebuild(1, leaves=(3,)), alice)

    leaving.refresh_from_db()
    assert leaving.left_after == 3
    assert section.movements.get(version=2).facts["leaves"] == ["3"]
    evening = SessionEvening(section)
    assert [len(evening.sit_outs(round)) for round in range(1, 8)] == [0, 0, 0, 1, 1, 1, 1]
    assert laws.find_errors(section.movement.movement) == ()


def test_the_free_seat_is_taken_in_the_round_being_played(club, alice):
    section = section_with(13, "mitchell", round=2, club=club, by=alice)

    section = take_first(section, PairArrives(joins_running=True), alice, newcomer=LATE)

    evening = SessionEvening(section)
    late = next(
        contestant
        for contestant in evening.contestants.values()
        if contestant.names.startswith("Eve")
    )
    assert (late.label, late.first_round) == ("EW 7", 2)
    assert evening.sit_outs(2) == ()
    assert evening.round_turn(late.number, 2).game is not None


def test_boards_keep_their_numbers_and_new_ones_come_after_them(section, alice):
    old = section.movement.numbers
    change = PairArrives()
    way = next(way for way in change_options(section, change) if way.proposal.kind == "new-table")

    section = take_proposal(section, way, change, plan=section.plan, by=alice, newcomer=LATE)

    new = section.movement.numbers
    assert {name: new[name] for name in old} == dict(old)
    assert [new[name] for name in new if name not in old] == [range(25, 28)]


def test_fewer_boards_shorten_the_clock_and_leave_the_last_of_every_set(section, alice):
    section = take_first(section, FewerBoards(2, 3), alice)

    assert section.boards_per_round == 2
    evening = SessionEvening(section)
    assert {len(game.boards) for game in evening.games[1]} == {3}
    assert {len(game.boards) for round in range(2, 8) for game in evening.games[round]} == {2}
    assert evening.games[2][0].boards == (4, 5)


def test_a_change_decided_on_an_old_page_is_refused(section, alice):
    old = section.plan
    way = change_options(section, SkipIsMoved())[0]
    rounds.start_next_round(section, after=section.round, by=alice)

    with pytest.raises(SectionChanged):
        take_proposal(section, way, SkipIsMoved(), plan=old, by=alice)

    assert section.movements.count() == 1


def test_the_clock_and_a_corrected_name_refuse_no_decision(section, alice):
    way = change_options(section, SkipIsMoved())[0]
    rounds.add_minute(section, by=alice)
    rounds.pause_clock(section, by=alice)
    entry = section.entries.first()
    people.correct_names(entry, ["Anna Nordt1", "Bob South1"], must_stay_seated=False, by=alice)

    changed = take_proposal(section, way, SkipIsMoved(), plan=section.plan, by=alice)

    assert changed.movements.latest("version").decided_on == section.plan


def test_somebody_who_plays_already_cannot_come_late(section, alice):
    name = section.entries.first().players[0].name
    with pytest.raises(PersonTwice):
        take_first(section, PairArrives(), alice, newcomer=ArrivingEntry(names=(name, "Max Late")))
    assert section.movements.count() == 1
    assert section.entries.count() == 16


def test_a_newcomer_without_a_name_is_refused(section, alice):
    with pytest.raises(NoSuchProposal):
        take_first(section, PairArrives(), alice)


def test_a_finished_session_does_not_change(section, alice):
    rounds.finish_session(section, round=1, by=alice)
    section.refresh_from_db()
    with pytest.raises(NotRunning):
        change_options(section, SkipIsMoved())


@pytest.mark.parametrize("round", [0, 1, 4])
def test_proposals_have_the_same_keys_every_time(club, alice, round):
    section = section_with(16, "skip-mitchell", round=round, club=club, by=alice)
    change = PairLeaves(2)

    assert [way.key for way in change_options(section, change)] == [
        way.key for way in change_options(section, change)
    ]


# ── the start, or the round, is taken back ──


def back_to_the_start(section, by):
    while section.round:
        section = rounds.take_back_round(section, round=section.round, by=by)
    return section


def times(section):
    """Return the entries that do not play all evening: names, first round, last round."""
    return [
        (entry.names, entry.first_round, entry.left_after)
        for entry in section.entries.exclude(first_round=1, left_after=None)
    ]


def test_in_another_movement_nobody_is_late_any_more(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = take_first(section, PairLeaves(2), alice)
    section = back_to_the_start(section, alice)

    section = movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)

    assert times(section) == []
    assert [len(SessionEvening(section).sit_outs(round)) for round in (1, 2)] == [1, 1]


def test_who_changes_seats_with_a_late_pair_is_late_instead(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = back_to_the_start(section, alice)

    section = movement.swap_seats(section, 1, 9, by=alice)

    assert times(section) == [("Anna North1 & Bob South1", 2, None)]
    assert changes.undoable_version(section) is None


def test_with_somebody_waiting_the_seats_are_not_drawn(section, alice):
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = changes.undo_change(section, plan=section.plan, by=alice)
    section = back_to_the_start(section, alice)

    with pytest.raises(NotSeated):
        movement.seat_by_method(section, "random", by=alice)

    entry = section.entries.first()
    names = [player.name for player in entry.players]
    assert people.correct_names(entry, names, must_stay_seated=True, by=alice).must_stay_seated


def test_before_the_start_undo_keeps_the_seats_given_meanwhile(club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    section = take_first(section, LengthChanges(5), alice)
    section = movement.seat_by_method(section, "random", seed=7, by=alice)
    seats = section.seats()

    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert (section.seats(), section.movement.rounds) == (seats, 7)


def test_a_change_can_be_taken_back_after_the_start_of_its_round(section, alice):
    plan = played(section, 7)
    section = take_first(section, PairArrives(), alice, newcomer=LATE)
    section = rounds.take_back_round(section, round=1, by=alice)
    section = take_first(section, LengthChanges(5), alice)

    section = changes.undo_change(section, plan=section.plan, by=alice)
    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert played(section, 7) == plan
    assert [entry.names for entry in section.entries.filter(contestant=None)] == [
        "Eve Engel & Max O’Reid"
    ]


# ── two at once, and a machine that dies ──


@pytest.mark.django_db(transaction=True)
def test_of_twenty_changes_at_once_one_is_made_and_the_evening_stays_lawful():
    section = section_with(16, "skip-mitchell", round=1)
    directors = [director_of(section.club) for _ in range(20)]
    plan = section.plan
    wishes = [PairLeaves(2), PairArrives(), SkipIsMoved(), FewerBoards(2, 3)]
    chosen = [change_options(section, wish)[0] for wish in wishes]
    gate, outcomes = threading.Barrier(len(directors)), []

    def press(number):
        close_old_connections()
        wish, way = wishes[number % 4], chosen[number % 4]
        late = ArrivingEntry(names=(f"Eve Late{number}", f"Max Late{number}"))
        gate.wait()
        try:
            take_proposal(section, way, wish, plan=plan, by=directors[number], newcomer=late)
            outcomes.append("made")
        except ChangeRefused as refused:
            outcomes.append(type(refused).__name__)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["SectionChanged"] * 19 + ["made"]
    section = Section.objects.get(pk=section.pk)
    assert laws.find_errors(section.movement.movement) == ()
    assert section.movements.count() == 2
    assert AuditRecord.objects.filter(action="section.live_change").count() == 1
    assert SeatingRow.objects.filter(movement=section.movement).exists()


@pytest.mark.django_db(transaction=True)
def test_directors_who_look_again_each_make_their_change():
    section = section_with(20, "skip-mitchell", round=1)
    directors = [director_of(section.club) for _ in range(6)]
    outcomes = []

    def leave(number):
        close_old_connections()
        try:
            for _ in range(40):
                fresh = Section.objects.select_related("movement").get(pk=section.pk)
                change = PairLeaves(number)
                try:
                    take_first(fresh, change, directors[number - 1])
                    outcomes.append(number)
                    return
                except SectionChanged:
                    continue
        finally:
            connection.close()

    threads = [threading.Thread(target=leave, args=(number,)) for number in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    section = Section.objects.get(pk=section.pk)
    assert sorted(outcomes) == [1, 2, 3, 4, 5, 6]
    assert laws.find_errors(section.movement.movement) == ()
    assert section.movements.count() == 7
    assert AuditRecord.objects.filter(action="section.live_change").count() == 6


@pytest.mark.django_db(transaction=True)
def test_a_change_killed_in_the_middle_leaves_the_old_movement(monkeypatch):
    section = section_with(16, "skip-mitchell", round=1)
    by = director_of(section.club)
    before = Section.objects.values().get(pk=section.pk)
    way = change_options(section, PairArrives())[0]

    killed_in(
        lambda: take_proposal(section, way, PairArrives(), plan=section.plan, by=by, newcomer=LATE),
        monkeypatch,
    )

    assert Section.objects.values().get(pk=section.pk) == before
    assert section.entries.count() == 16
    section = take_first(section, PairArrives(), by, newcomer=LATE)
    assert section.entries.count() == 17
