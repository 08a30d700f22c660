"""The page after an evening: clock, rulings, boards, newcomers, and one suggestion."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from bridgebuddy.director.results.ranking_page.evening_words import time_sentences
from bridgebuddy.events.queries.lateness import actual_session_times
from bridgebuddy.planning.charts import store_chart_line
from bridgebuddy.planning.next_session import next_chart_line
from bridgebuddy.planning.rules.chart import ChartLine, MovementChoice
from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.queries.newcomers import newcomers
from tests.factories import section_with
from tests.seasons.evenings import evening

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def clocked(section, lengths, late=0):
    """Let a section's rounds have taken so many minutes, and be over."""
    at = section.session.planned_start + late * MINUTE
    for round, minutes in enumerate(lengths[:-1], 1):
        section.clocks_before[str(round)] = [at.isoformat(), 0, False]
        at += minutes * MINUTE
    section.round = len(lengths)
    section.round_started_at, section.finished_at = at, at + lengths[-1] * MINUTE
    section.save()
    return section


@pytest.fixture
def section(club, alice):
    """Return eight pairs with seven rounds of three boards, 21 minutes each."""
    return section_with(8, "howell", club=club, by=alice)


def test_times_are_those_of_the_rounds_against_the_plan(section):
    clocked(section, [21, 25, 21, 20, 21, 30, 21], late=3)

    found = actual_session_times(section)

    assert found.began_late == 3
    assert found.over == ((2, 4), (6, 9))
    assert found.late == 3 + 4 - 1 + 9
    assert found.lost == 4 - 1 + 9
    assert found.planned == section.session.planned_start + 7 * 21 * MINUTE


def test_a_break_is_no_part_of_its_round(section):
    section.break_after, section.break_minutes = 3, 15
    clocked(section, [21, 21, 36, 21, 21, 21, 21])

    assert actual_session_times(section).over == ()
    assert actual_session_times(section).late == 0


def test_a_section_that_ends_before_its_break_has_had_none(section):
    section.break_after, section.break_minutes = 5, 15
    clocked(section, [21, 21, 21, 21, 40])

    assert actual_session_times(section).over == ((5, 19),)


def test_of_rounds_that_were_pressed_afterwards_no_times_are_invented(section):
    assert actual_session_times(section) is None  # not begun
    assert actual_session_times(clocked(section, [1] * 7)) is None
    assert actual_session_times(clocked(section, [21] * 7, late=24 * 60)) is None
    assert actual_session_times(clocked(section, [21] * 6 + [600])) is None  # ended in the morning
    clocked(section, [21] * 7)
    del section.clocks_before["3"]
    assert actual_session_times(section) is None


def test_who_is_new_has_never_played_here_before(club, alice):
    first = evening(club, alice, "2026-11-13", pairs=3, is_final=False)
    second = evening(club, alice, "2026-11-20", pairs=4, is_final=False)

    assert newcomers(first.session) == []  # everybody is
    assert [newcomer.name for newcomer in newcomers(second.session)] == [
        "Anna North4",
        "Bob South4",
    ]
    assert newcomers(evening(club, alice, "2026-11-27", pairs=4, is_final=False).session) == []


def test_a_rehearsal_is_nobodys_first_evening(club, alice):
    evening(club, alice, "2026-11-06", pairs=3, is_final=False)
    rehearsal = evening(club, alice, "2026-11-13", pairs=4, is_final=False)
    rehearsal.session.rehearsal_until = datetime(2026, 12, 1, tzinfo=UTC)
    rehearsal.session.save()
    found = newcomers(evening(club, alice, "2026-11-20", pairs=4, is_final=False).session)

    assert [newcomer.name for newcomer in found] == ["Anna North4", "Bob South4"]


def test_after_a_late_evening_fewer_boards_are_worth_trying(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    choice = MovementChoice("mitchell", 5, 5, 5)
    store_chart_line(club, ChartLine(10, choice))

    on_time, late, later = (next_chart_line(section, minutes) for minutes in (0, 15, 20))

    assert on_time.line.choice == late.line.choice == choice
    assert on_time.to_try is None
    # a board a round fewer is 35 minutes, of fifteen too many and of twenty not; a round fewer is 35 as well
    assert (late.to_try.kind, late.to_try.choice.rounds, late.to_try.minutes) == ("rounds", 4, 35)
    assert (later.to_try.kind, later.to_try.choice.boards, later.to_try.minutes) == (
        "boards",
        4,
        35,
    )


@pytest.mark.parametrize(("late", "is_shorter"), [(9, False), (10, True)])
def test_ten_minutes_are_late_enough_for_less_to_play(club, alice, late, is_shorter):
    section = section_with(10, "mitchell", club=club, by=alice)
    store_chart_line(club, ChartLine(10, MovementChoice("mitchell", 5, 5, 5)))

    assert bool(next_chart_line(section, late).to_try) == is_shorter


def test_a_movement_that_has_no_fewer_rounds_is_left_alone(section, club):
    store_chart_line(club, ChartLine(8, MovementChoice("howell", 4, 7, 4)))

    assert next_chart_line(section, 20).to_try is None


def test_else_what_the_chart_has_beside_where_it_is_clearly_fairer(section, club):
    uneven, even = MovementChoice("partial-howell", 4, 5, 4), MovementChoice("howell", 4, 7, 4)
    store_chart_line(club, ChartLine(8, uneven, "", (even,)))
    assert next_chart_line(section, 0).to_try is None  # eight boards more are no alternative

    store_chart_line(club, ChartLine(8, uneven, "", (replace(even, boards=3),)))
    found = next_chart_line(section, 0).to_try

    assert (found.kind, found.choice.family, found.after) == ("fairer", "howell", 100)
    assert found.before < found.after


def test_of_two_fairer_alternatives_the_fairest_is_suggested(section, club):
    uneven = MovementChoice("scrambled-mitchell", 4, 4, 5)
    fairer, fairest = MovementChoice("partial-howell", 4, 5, 4), MovementChoice("howell", 4, 7, 3)
    store_chart_line(club, ChartLine(8, uneven, "", (fairer, fairest)))

    assert next_chart_line(section, 0).to_try.choice == fairest


def test_teams_and_numbers_beyond_the_chart_have_none(club, alice):
    teams = section_with(8, "team-round-robin", club=club, by=alice, contest="teams")

    assert next_chart_line(teams, 0) is None


def test_the_page_says_it_all_in_few_words(client, club, alice):
    evening(club, alice, "2026-11-13", pairs=7)
    section = clocked(evening(club, alice, "2026-11-20", pairs=8), [14, 14, 20, 14, 14, 14, 14])
    client.force_login(alice)

    page = client.get(reverse("ranking", args=[section.code]) + "?open=review").content.decode()

    assert "6 minutes after the plan" in page
    assert "Round 3 ran over by 6 minutes" in page
    assert "Anna North8, Bob South8" in page
    assert "With 8 pairs the chart says: Howell, 7 × 4" in page
    assert f"{reverse('club-chart', args=[club.pk])}?pairs=8" in page
    assert 'href="/help/looking-back/"' in page


def test_the_page_asks_no_more_with_more_pairs(client, club, alice, django_assert_max_num_queries):
    few, many = (evening(club, alice, f"2026-11-1{n}", pairs=n) for n in (4, 8))
    client.force_login(alice)
    counts = []
    for section in (few, many):
        address = reverse("ranking", args=[section.code]) + "?open=review"
        with django_assert_max_num_queries(60) as asked:
            client.get(address)
        counts.append(len(asked))

    assert counts[1] <= counts[0]


def test_the_old_address_leads_to_the_opened_review_and_keeps_strangers_out(
    client, club, alice, carol
):
    section = evening(club, alice, "2026-11-20", pairs=8)
    old = reverse("looking-back", args=[section.code])
    client.force_login(carol)
    assert client.get(old).status_code == 404

    client.force_login(alice)
    page = client.get(old, follow=True)

    assert page.redirect_chain == [(f"/s/{section.code}/results/ranking/?open=review#review", 302)]
    assert page.context["review"].is_open


def test_the_sentence_of_two_lists_is_the_first_about_the_clock(client, club, alice):
    section = section_with(10, "mitchell", club=club, by=alice, round=5)
    for play in section.plays.exclude(ns=None):
        enter_result(section, play.pk, {"score": 110}, by=alice)
    make_list_final(clocked(section, [21] * 5), by=alice)
    client.force_login(alice)

    page = client.get(reverse("ranking", args=[section.code])).content.decode()

    assert page.count("Review of the session: Ended at ") == 1


def test_a_session_that_was_cut_says_its_rounds_instead_of_its_lateness(section):
    clocked(section, [21, 21, 21, 23])

    times = actual_session_times(section)

    assert (times.rounds, times.planned_rounds, times.late) == (4, 7, 2)
    sentences = list(time_sentences(times))
    assert sentences[0].endswith(", after 4 of 7 rounds")
    assert not any("the plan" in sentence for sentence in sentences)
    whole = actual_session_times(clocked(section, [21] * 6 + [23]))
    assert next(time_sentences(whole)).endswith("2 minutes after the plan")
