"""The ranking on the room display: after each round, and at the end from the last place up."""

import pytest

from bridgebuddy.events.services.rounds import finish
from bridgebuddy.players.room import Room
from bridgebuddy.scoring.models import Result, Scoring
from bridgebuddy.scoring.queries.barometer import Barometer
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.tonight import Tonight
from bridgebuddy.scoring.services import publishing, results
from tests.factories import begun
from tests.scoring.test_tonight import enter_by_chance, scored_section

from .reading import room, words

pytestmark = pytest.mark.django_db


def shown(section):
    section.refresh_from_db()
    publishing.show_after_rounds(section, True, by=None)
    return section


def in_round(family, pairs, round, scored):
    """Make an evening in a round, with all results of the rounds before it."""
    section = scored_section(pairs, family, rounds=scored)
    return begun(section, round)


def test_nothing_is_shown_unless_the_director_wants_it():
    assert Room(in_round("barometer", 14, 3, 2)).rankings == []


def test_after_each_round_of_a_barometer_everybody_is_listed():
    section = shown(in_round("barometer", 14, 3, 2))

    [page] = Room(section).rankings

    assert page.title == "After round 2 of 7"
    assert [len(column.lines) for column in page.columns] == [7, 7]
    assert [len({found.standing.label for found in one.lines}) for one in page.columns] == [7, 7]


def test_the_ranking_is_that_of_an_evening_that_ended_then():
    section = shown(in_round("barometer", 14, 4, 3))
    enter_by_chance(section, seed=3)
    Result.objects.filter(play=section.plays.filter(round=4).first()).delete()

    found = Barometer(Tonight(section))
    after = percentages(found.lists)

    assert found.round_of(section) == 3
    section.plays.filter(round=4).delete()
    section.round = 3
    section.save()
    ended = finish(section, round=3, by=None)
    assert after == percentages(Scored(Tonight(ended)).main_lists)
    assert len(after) == 14


def percentages(lists):
    return {one.label: one.row["percent"] for each in lists for one in each.standings}


def test_boards_that_somebody_will_still_play_do_not_count():
    """Where boards travel nobody learns anything of a board that is still to come."""
    section = shown(in_round("mitchell", 14, 4, 3))

    assert Room(section).rankings == []
    assert Barometer(Tonight(section)).after().entered == 0


def test_at_the_end_the_list_comes_from_the_last_place_up():
    section = finish(scored_section(14, "mitchell", rounds=7), round=7, by=None)
    assert Room(section).winners is None

    publishing.reveal(section, 2, by=None)

    page = Room(section).winners
    assert page.title == "The final list"
    lines = page.columns[0].lines
    assert [found.is_hidden for found in lines] == [True, False, False]
    assert [found.standing.row["order"] for found in lines] == [5, 6, 7]
    publishing.reveal(section, 7, by=None)
    page = Room(section).winners
    assert page.title == "The winners"
    assert not any(found.is_hidden for found in page.columns[1].lines)


def test_hidden_names_are_not_in_the_page(client):
    section = finish(scored_section(14, "mitchell", rounds=7), round=7, by=None)
    publishing.reveal(section, 1, by=None)
    first = Scored(Tonight(section)).main_lists[0].standings[0].contestant.surnames

    text = words(room(client, section))

    assert first not in text
    publishing.reveal(section, 7, by=None)
    assert first in words(room(client, section))


def test_the_display_fetches_itself_when_the_last_result_of_a_round_comes_in():
    section = shown(scored_section(14, "barometer", rounds=2))
    play = section.plays.filter(round=2).first()
    Result.objects.filter(play=play).delete()
    section.refresh_from_db()
    before = section.shown

    results.enter(section, play.pk, {"passed": True}, by=None)

    section.refresh_from_db()
    assert section.shown == before + 1


def test_a_result_is_no_news_for_displays_that_show_none():
    section = scored_section(14, "barometer", rounds=2)
    before = section.shown
    play = section.plays.first()

    results.enter(section, play.pk, {"passed": True}, by=None)

    section.refresh_from_db()
    assert section.shown == before
    assert not Scoring.objects.filter(barometer=True).exists()
