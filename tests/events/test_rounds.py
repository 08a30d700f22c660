"""Driving the rounds: once, in order, and back again."""

import threading
from datetime import timedelta

import pytest
from django.db import close_old_connections, connection
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import CannotGoBack, NotRunning, NotSeated, RoundMovedOn
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services import recording
from bridgebuddy.events.services.play import rounds
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db


def actions(section):
    """Return the recorded actions of a section, oldest first."""
    records = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
    return [record.action for record in reversed(records)]


def test_starting_a_round_sets_the_clock_and_counts_a_version(skip_section, alice):
    plan, shown = skip_section.plan, skip_section.shown

    section = rounds.start_next_round(skip_section, after=4, by=alice)

    assert (section.round, section.plan, section.shown) == (5, plan + 1, shown + 1)
    assert section.clock_ends_at - section.round_started_at == timedelta(minutes=21)
    last = AuditRecord.objects.first()
    assert (last.action, last.by, last.facts) == (
        "section.next_round",
        alice,
        {"round": 5, "plan": section.plan},
    )


def test_the_second_director_is_told_and_changes_nothing(skip_section, alice, carol):
    rounds.start_next_round(skip_section, after=4, by=alice)

    with pytest.raises(RoundMovedOn) as refused:
        rounds.start_next_round(skip_section, after=4, by=carol)

    assert refused.value.fields == {"expected": 4, "actual": 5}
    assert Section.objects.get(pk=skip_section.pk).round == 5


def test_no_round_follows_the_last(club, alice):
    section = section_with(6, "mitchell", round=3, club=club, by=alice)

    with pytest.raises(NotRunning):
        rounds.start_next_round(section, after=3, by=alice)


@pytest.mark.parametrize("pairs", [0, 6])
def test_nothing_starts_without_a_movement(club, alice, pairs):
    with pytest.raises(NotSeated):
        rounds.start_next_round(section_with(pairs, club=club, by=alice), after=0, by=alice)


def test_a_round_started_by_mistake_is_taken_back(skip_section, alice):
    section = rounds.take_back_round(skip_section, round=4, by=alice)

    assert section.round == 3
    with pytest.raises(RoundMovedOn):
        rounds.take_back_round(section, round=4, by=alice)


@pytest.mark.parametrize("is_paused", [False, True])
def test_who_takes_back_a_start_finds_the_clock_as_it_stood(club, alice, is_paused):
    section = section_with(16, "skip-mitchell", round=2, club=club, by=alice)
    left, long_ago = timedelta(minutes=4), timezone.now() - timedelta(minutes=17)
    clock = (None, left) if is_paused else (timezone.now() + left, None)
    section.clock_ends_at, section.clock_left = clock
    section.round_started_at = long_ago
    section.save()

    started = rounds.start_next_round(section, after=2, by=alice)
    again = rounds.start_next_round(started, after=3, by=alice)
    for round in (4, 3):
        again = rounds.take_back_round(again, round=round, by=alice)

    assert (again.round, again.round_started_at) == (2, long_ago)
    assert again.is_clock_paused == is_paused
    assert abs(again.time_left - left) < timedelta(seconds=30)


def test_of_a_round_whose_clock_nobody_kept_a_start_taken_back_gives_a_whole_one(
    skip_section, alice
):
    Section.objects.filter(pk=skip_section.pk).update(clocks_before={})

    section = rounds.take_back_round(skip_section, round=4, by=alice)

    assert section.clock_ends_at - section.round_started_at == timedelta(minutes=21)


def test_taking_back_round_one_is_before_the_start_again(club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)

    section = rounds.take_back_round(section, round=1, by=alice)

    assert (section.round, section.round_started_at, section.clock_ends_at) == (0, None, None)
    with pytest.raises(CannotGoBack):
        rounds.take_back_round(section, round=0, by=alice)


def test_a_finished_session_can_be_taken_up_again(skip_section, alice):
    finished = rounds.finish_session(skip_section, round=4, by=alice)
    assert finished.is_finished
    with pytest.raises(RoundMovedOn):
        rounds.start_next_round(finished, after=4, by=alice)

    section = rounds.take_back_round(finished, round=4, by=alice)

    assert (section.is_finished, section.round, section.is_running) == (False, 4, True)


def test_who_takes_back_the_end_finds_the_clock_as_it_stood(skip_section, alice):
    rounds.finish_session(skip_section, round=4, by=alice)
    hour = timedelta(hours=1)
    ended = Section.objects.get(pk=skip_section.pk)
    left = ended.clock_ends_at - ended.finished_at
    Section.objects.filter(pk=ended.pk).update(
        finished_at=ended.finished_at - hour, clock_ends_at=ended.clock_ends_at - hour
    )

    section = rounds.take_back_round(ended, round=4, by=alice)

    gone = section.clock_ends_at - timezone.now() - left
    assert abs(gone) < timedelta(seconds=30)


def test_a_clock_that_was_paused_at_the_end_is_paused_when_that_is_taken_back(skip_section, alice):
    paused = rounds.pause_clock(skip_section, by=alice)
    finished = rounds.finish_session(paused, round=4, by=alice)
    assert (finished.is_clock_paused, finished.time_left) == (False, None)

    section = rounds.take_back_round(finished, round=4, by=alice)

    assert (section.clock_left, section.is_clock_paused) == (paused.clock_left, True)


def test_of_a_session_that_was_ended_early_no_rounds_are_to_come(skip_section, alice):
    assert (skip_section.rounds, skip_section.is_last_round) == (7, False)

    finished = rounds.finish_session(skip_section, round=4, by=alice)

    assert finished.rounds == 4
    assert sorted(SessionEvening(finished).games) == [1, 2, 3, 4]


def test_the_clock_pauses_runs_on_and_takes_a_minute_more(skip_section, alice):
    paused = rounds.pause_clock(skip_section, by=alice)
    left = paused.clock_left
    assert timedelta(minutes=20) < left <= timedelta(minutes=21)
    assert rounds.pause_clock(paused, by=alice).shown == paused.shown

    longer = rounds.add_minute(paused, by=alice)
    assert longer.clock_left == left + timedelta(minutes=1)

    running = rounds.resume_clock(longer, by=alice)
    assert running.clock_left is None
    assert running.clock_ends_at - timezone.now() <= left + timedelta(minutes=1)


def test_the_clock_to_the_second(club, alice, monkeypatch):
    section = section_with(6, "mitchell", club=club, by=alice)
    start, minute = timezone.now(), timedelta(minutes=1)
    time = {"now": start}
    monkeypatch.setattr(rounds.timezone, "now", lambda: time["now"])

    def clock(change=None, wait=0, **asked):
        """Wait some minutes and make a change; return start, end and rest of the round."""
        time["now"] += wait * minute
        if change:
            change(section, **asked, by=alice)
        now = Section.objects.get(pk=section.pk)
        began, ends = (
            at and (at - start) // minute for at in (now.round_started_at, now.clock_ends_at)
        )
        return began, ends, now.clock_left and now.clock_left // minute

    steps = [
        clock(rounds.start_next_round, after=0),
        clock(rounds.add_minute, wait=5),
        clock(rounds.pause_clock),
        clock(rounds.pause_clock, wait=5),
        clock(rounds.add_minute, wait=5),
        clock(rounds.resume_clock),
        clock(rounds.resume_clock, wait=1),
    ]
    assert steps == [
        *[(0, 21, None), (0, 22, None), (0, None, 17), (0, None, 17), (0, None, 18)],
        *[(0, 33, None), (0, 33, None)],
    ]
    # the next round has a clock of its own; taken back, the one before goes on as it stood
    assert clock(rounds.start_next_round, wait=4, after=1) == (20, 41, None)
    clock(rounds.pause_clock, wait=1)
    assert clock(rounds.take_back_round, wait=1, round=2) == (0, 35, None)
    # what is ended goes on with the time it had left
    clock(rounds.finish_session, wait=1, round=1)
    assert Section.objects.get(pk=section.pk).finished_at == start + 23 * minute
    assert clock(rounds.take_back_round, wait=60, round=1) == (0, 95, None)
    Section.objects.update(finished_at=time["now"], clock_ends_at=None)  # as it once was written
    assert clock(rounds.take_back_round, wait=17, round=1) == (100, 121, None)
    clock(rounds.pause_clock)
    assert clock(rounds.take_back_round, round=1) == (None, None, None)


def test_of_a_section_alone_a_refusal_names_no_section(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)

    with pytest.raises(RoundMovedOn) as refused:
        rounds.start_rounds(section, {section.name: 1}, by=alice)

    assert refused.value.fields == {"expected": 1, "actual": 0}


def test_a_clock_that_is_not_running_refuses(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)

    for change in (rounds.pause_clock, rounds.resume_clock, rounds.add_minute):
        with pytest.raises(NotRunning):
            change(section, by=alice)


@pytest.mark.django_db(transaction=True)
def test_of_ten_directors_who_press_together_one_starts_the_round():
    section = section_with(16, "skip-mitchell")
    directors = [director_of(section.club) for _ in range(10)]
    gate, outcomes = threading.Barrier(len(directors)), []

    def press(director):
        close_old_connections()
        gate.wait()
        try:
            outcomes.append(rounds.start_next_round(section, after=0, by=director).round)
        except RoundMovedOn as refused:
            outcomes.append(refused)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(director,)) for director in directors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [outcome for outcome in outcomes if outcome == 1] == [1]
    assert sum(isinstance(outcome, RoundMovedOn) for outcome in outcomes) == 9
    assert Section.objects.get(pk=section.pk).round == 1
    assert actions(section).count("section.next_round") == 1


@pytest.mark.django_db(transaction=True)
def test_no_phone_waits_for_a_round_that_is_being_started(client, monkeypatch):
    """Phones that ask meanwhile read the round before, whole, on either database."""
    section = section_with(16, "skip-mitchell", round=1)
    by, plan = director_of(section.club), f"/p/{section.code}/NS1/"
    client.get(plan)  # what only the first visit writes
    is_started, may_end, outcomes = threading.Event(), threading.Event(), []

    def written_down(*facts, **more):
        is_started.set()
        assert may_end.wait(60)
        return record(*facts, **more)

    def press():
        try:
            outcomes.append(rounds.start_next_round(section, after=1, by=by).round)
        finally:
            connection.close()

    record = recording.add_record
    monkeypatch.setattr(recording, "add_record", written_down)
    director = threading.Thread(target=press)
    director.start()
    assert is_started.wait(60)
    meanwhile = [client.get(item) for item in (plan, f"{plan}?v={section.shown}")]
    assert not outcomes
    may_end.set()
    director.join()

    assert [answer.status_code for answer in meanwhile] == [200, 204]
    assert outcomes == [2]
    assert client.get(f"{plan}?v={section.shown}").status_code == 200
