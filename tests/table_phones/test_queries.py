"""Queries of tables and phones: each of its own section, and in its order."""

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.models import DirectorCall, PhoneSettings
from bridgebuddy.table_phones.queries.at_table import TableClaims
from bridgebuddy.table_phones.queries.conflicting_results import conflicting_boards
from bridgebuddy.table_phones.queries.director_calls import calling_tables
from bridgebuddy.table_phones.queries.next_seats import next_seats_of
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.queries.silent_tables import version_with_silence
from bridgebuddy.table_phones.queries.unclear_results import DoubtfulResults
from bridgebuddy.table_phones.services import claims, seats
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.factories import section_with

from .tapping import with_phones
from .test_entering import FOUR_SPADES, ONE_DOWN

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return with_phones(section_with(6, "mitchell", round=1, club=club, by=alice))


@pytest.fixture
def other():
    return with_phones(section_with(6, "mitchell", round=1))


def say_twice(section, other_outcome=ONE_DOWN):
    play = section.plays.get(round=1, table=1, board=1)
    claims.submit_claim(section, NewClaim(play.pk, "ns", FOUR_SPADES, 0))
    if other_outcome:
        claims.submit_claim(section, NewClaim(play.pk, "ew", other_outcome, 1))
    return play


def test_only_a_section_s_own_boards_differ(section, other):
    assert conflicting_boards(section) == {}
    say_twice(other)
    say_twice(section, None)
    section, other = (Section.objects.get(pk=record.pk) for record in (section, other))

    assert (conflicting_boards(section), conflicting_boards(other)) == ({}, {1: [1]})


def test_who_changed_chairs_did_so_in_their_section_alone(section, other):
    seats.swap_chairs(section, section.entries.first().pk)
    seats.swap_chairs(other, other.entries.first().pk)

    assert TableClaims(section, ()).swapped == {section.entries.first().pk}


def test_tables_to_which_nobody_has_gone_yet_stand_first(section):
    at = timezone.now()
    rings = {"section": section, "round": 1, "why": DirectorCall.Why.BOARD}
    went = DirectorCall.objects.create(**rings, table=2, taken_at=at)
    waits = DirectorCall.objects.create(**rings, table=1)

    assert [table.call.pk for table in calling_tables(section)] == [waits.pk, went.pk]


def test_a_session_has_what_its_club_chose_for_one_before(section):
    PhoneSettings.objects.filter(session=section.session).delete()
    chosen = {
        "mode": "any",
        "agreement": "none",
        "feedback": "none",
        "asks_lead": False,
        "slips_too": True,
    }
    before = section_with(4, "howell", club=section.club).session
    PhoneSettings.objects.create(session=before, version=7, **chosen)
    later = section_with(4, "howell", club=section.club)

    settings = phone_settings_of(later)

    assert {name: getattr(settings, name) for name in chosen} == chosen
    assert (settings.session_id, settings.version) == (later.session_id, 1)


def test_a_page_without_silent_tables_polls_with_nothing_more(section):
    plain = version_with_silence(section, {})

    assert "~" not in plain
    assert version_with_silence(section, {3: timezone.now(), 5: timezone.now()}) == f"{plain}~3.5"


def test_after_the_last_round_and_before_the_first_nobody_goes_anywhere(section, alice):
    keys = [section.entries.first().pk]
    assert [seat.round for seat in next_seats_of(section, keys)] == [2]
    assert next_seats_of(section, []) == []
    section.round = section.movement.rounds
    assert next_seats_of(section, keys) == []
    section.round = 0
    assert next_seats_of(section, keys) == []


def test_results_that_nobody_has_checked_are_another_doubt_when_one_is_another(section, alice):
    play = say_twice(section, None)
    section = rounds.start_next_round(Section.objects.get(pk=section.pk), after=1, by=alice)

    doubts = DoubtfulResults(SessionSnapshot(section)).all_doubts
    keys = [doubt.key for doubt in doubts if doubt.kind == "unchecked"]

    assert keys == [f"unchecked-1-1-{play.pk}-1"]
