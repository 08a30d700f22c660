"""Services of tables: their counters, the rows they leave alone, and late forms."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.errors import NoPlay, ResultChanged
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.services import publishing, results
from bridgebuddy.table_phones.errors import PhoneEntryClosed
from bridgebuddy.table_phones.models import (
    CorrectionRequest,
    DirectorCall,
    ResultClaim,
    SwappedSeats,
    TableLastSeen,
)
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.services import calls, claims, playing_directors, seats
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.events.test_sections import divided
from tests.factories import section_with

from .tapping import Phone, with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN

pytestmark = pytest.mark.django_db


@pytest.fixture
def play(section):
    return section.plays.get(round=1, table=1, board=1)


def say(section, play, side="ns", outcome=FOUR_SPADES, after=0, **more):
    return claims.submit_claim(section, NewClaim(play.pk, side, outcome, after, **more))


def stands(play):
    found = Result.objects.filter(play=play, stands=True).first()
    return found.outcome if found else None


def test_a_session_that_is_moved_before_another_keeps_its_own_permissions(club, alice, section):
    other = with_phones(section_with(4, "howell", club=club, by=alice), feedback="none")
    moved = section.session.date - timedelta(days=1)
    Session.objects.filter(sections=other).update(date=moved)
    other = Section.objects.get(pk=other.pk)

    assert phone_settings_of(other).feedback == "none"

    with_phones(other, feedback="traveller")
    assert phone_settings_of(other).feedback == "traveller"


@pytest.mark.parametrize(
    "does",
    [
        lambda section, play: say(section, play),
        lambda section, play: calls.call_director(section, 1),
        lambda section, play: seats.swap_chairs(section, play.ns_id),
    ],
)
def test_what_phones_do_is_counted_as_a_result_and_never_refuses_a_director(
    section, play, does, alice
):
    other = with_phones(section_with(10, "mitchell", round=1, by=alice))
    before = Section.objects.get(pk=section.pk)
    theirs = Section.objects.get(pk=other.pk)

    does(section, play)

    after = Section.objects.get(pk=section.pk)
    assert (after.plan, after.shown, after.results) == (
        before.plan,
        before.shown,
        before.results + 1,
    )
    now = Section.objects.get(pk=other.pk)
    assert (now.plan, now.shown, now.results) == (theirs.plan, theirs.shown, theirs.results)


def test_a_play_of_another_section_or_of_nobody_is_refused(section, play, alice):
    other = with_phones(section_with(9, "mitchell", round=1, by=alice))
    waits = other.plays.filter(ew=None).first() or other.plays.filter(ns=None).first()

    for where, which in ((other, play), (other, waits)):
        with pytest.raises(NoPlay):
            say(where, which)


def test_without_phones_nothing_is_taken_down(section, play):
    with_phones(section, mode="none")

    with pytest.raises(PhoneEntryClosed):
        say(section, play)


def test_what_the_director_has_entered_a_table_can_only_want_corrected(section, play, alice):
    results.enter_result(section, play.pk, ONE_DOWN, by=alice)

    assert say(section, play, after=1) == claims.ASKED
    assert stands(play) == ONE_DOWN
    assert say(section, play, outcome=ONE_DOWN, after=1) == claims.AGREED


def test_a_directors_correction_is_nobodys_claim_any_more(section, play, alice):
    say(section, play)
    say(section, play, "ew", after=1)
    results.enter_result(section, play.pk, ONE_DOWN, by=alice)

    assert {claim.number for claim in ResultClaim.objects.all()} == {1}
    assert Result.objects.get(play=play, stands=True).number == 2


def test_a_side_confirms_only_the_result_that_its_page_showed(section, play, alice):
    say(section, play)
    results.enter_result(section, play.pk, ONE_DOWN, by=alice)

    for shown in (0, 1, 3):
        with pytest.raises(ResultChanged):
            claims.confirm_result(section, play.pk, "ew", after=shown)
    assert claims.confirm_result(section, play.pk, "ew", after=2) == claims.AGREED


def test_a_form_that_waited_is_never_lost(section, play, alice):
    say(section, play)
    say(section, play, "ew", after=1)
    with pytest.raises(ResultChanged):
        say(section, play, outcome=ONE_DOWN, after=0)

    assert say(section, play, outcome=ONE_DOWN, after=0, is_late=True) == claims.ASKED
    section = rounds.start_next_round(section, after=1, by=alice)
    missing = section.plays.get(round=1, table=1, board=2)
    assert say(section, missing, is_late=True) == claims.STORED
    assert stands(missing) == FOUR_SPADES
    assert [request.outcome for request in CorrectionRequest.objects.all()] == [ONE_DOWN]


def test_a_play_that_was_taken_back_keeps_what_came_for_it(section, play, alice):
    rounds.take_back_round(section, round=1, by=alice)

    assert say(section, play, is_late=True) == claims.LOST
    assert stands(play) == FOUR_SPADES


def test_a_key_counts_once_in_its_section_and_answers_the_same(section, play):
    first = say(section, play, key="abc")
    claims.submit_claim(section, NewClaim(play.pk, "ns", ONE_DOWN, 1))

    assert say(section, play, key="abc") == first
    assert stands(play) == ONE_DOWN


def test_a_final_list_is_changed_by_no_phone(section, play, alice, signed_in):
    other = section.plays.get(round=1, table=1, board=2)
    say(section, other)
    phone = Phone(section, 1, "Leave the phone at this table")
    rounds.finish_session(section, round=1, by=alice)
    publishing.make_list_final(section, by=alice)

    assert say(section, play, key="late", is_late=True) == claims.ASKED
    assert say(section, other, outcome=ONE_DOWN, after=1) == claims.ASKED
    assert say(section, other, "ew", after=1) == claims.AGREED
    assert (stands(play), stands(other)) == (None, FOUR_SPADES)
    assert ScoringSettings.objects.get().revision == 1
    assert not phone.table(1).has("Enter board 1")
    assert "the director has it" in phone.text
    desk = signed_in(alice)
    found = desk.get(reverse("look-at", args=[section.code])).context["doubts"]
    key = next(doubt.key for doubt in found if doubt.kind == "asked" and doubt.line.play == play.pk)
    desk.post(reverse("results-doubt", args=[section.code]), {"doubt": key, "do": "repair"})
    assert stands(play) == FOUR_SPADES
    assert ScoringSettings.objects.get().revision == 2


def test_a_lead_that_only_one_side_knows_is_no_difference(section, play):
    say(section, play, outcome={**FOUR_SPADES, "lead": "DK"})

    assert say(section, play, "ew") == claims.AGREED
    assert stands(play) == {**FOUR_SPADES, "lead": "DK"}


def test_a_call_is_taken_once_and_the_others_wait(section, alice, carol):
    first, second = calls.call_director(section, 1), calls.call_director(section, 2)

    calls.accept_call(section, first.pk, by=alice)
    counted = Section.objects.get(pk=section.pk).results
    calls.accept_call(section, first.pk, by=carol)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.by, second.taken_at) == (alice, None)
    assert Section.objects.get(pk=section.pk).results == counted


def test_the_same_call_again_is_no_news_for_the_desks(section):
    call = calls.call_director(section, 1, board=3)
    counted = Section.objects.get(pk=section.pk).results

    again = calls.call_director(section, 1, board=3)

    assert (again, again.taken_at) == (call, None)
    assert Section.objects.get(pk=section.pk).results == counted


def test_a_call_is_accepted_at_the_desk_of_each_section_of_its_session_alone(club, alice):
    here, beside = divided(12, family="mitchell", club=club, by=alice)
    elsewhere = section_with(6, "howell", round=1, club=club, by=alice)
    call = calls.call_director(beside, 1)

    calls.accept_call(elsewhere, call.pk, by=alice)
    assert DirectorCall.objects.filter(taken_at=None).exists()
    calls.accept_call(here, call.pk, by=alice)
    assert not DirectorCall.objects.filter(taken_at=None).exists()


def test_a_table_takes_back_its_call_but_not_what_the_desk_is_told_of_wrong_digits(section):
    calls.call_director(section, 1)
    calls.create_call_for_table(section, 2, DirectorCall.Why.DIGITS)

    for table in (1, 2):
        calls.withdraw_call(section, table)

    assert [call.table for call in DirectorCall.objects.all()] == [2]


def test_a_table_that_is_used_is_noted_again_every_45_seconds(section, monkeypatch):
    begun, noted = timezone.now(), []
    for seconds in (0, 44, 46, 90, 92):
        now = begun + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        calls.record_phone_activity(section.pk, 1)
        noted.append((TableLastSeen.objects.get().at - begun).seconds)

    assert noted == [0, 0, 46, 46, 92]


def test_two_who_change_chairs_twice_sit_as_before_and_others_are_left_alone(section, play, alice):
    seats.swap_chairs(section, play.ns_id)
    seats.swap_chairs(section, play.ew_id)
    assert set(SwappedSeats.objects.values_list("entry", flat=True)) == {play.ns_id, play.ew_id}

    seats.swap_chairs(section, play.ns_id)

    assert list(SwappedSeats.objects.values_list("entry", flat=True)) == [play.ew_id]
    elsewhere = section_with(6, "howell", round=1, by=alice).entries.first()
    seats.swap_chairs(section, elsewhere.pk)
    assert SwappedSeats.objects.count() == 1


def test_a_director_who_plays_as_before_is_recorded_once_and_who_stops_too(section, play, alice):
    before = AuditRecord.objects.count()
    for _ in range(2):
        playing_directors.store_playing_entry(section, play.ns_id, by=alice)
        playing_directors.record_early_look(section, 5, by=alice)
    for _ in range(2):
        playing_directors.store_playing_entry(section, None, by=alice)

    found = AuditRecord.objects.order_by("pk")[before:]
    assert [record.action for record in found] == [
        "tables.plays",
        "tables.early",
        "tables.plays_not",
    ]
