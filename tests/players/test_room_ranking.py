"""The ranking on the room display: after each round, and at the end from the last place up."""

import random
from types import SimpleNamespace

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import finish_session, start_next_round
from bridgebuddy.events.services.setup import movement, sections
from bridgebuddy.players.room_display.room import RoomDisplay, split_screens
from bridgebuddy.players.room_display.room_ranking import DisplayedRankingRow, size_class
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing, results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.events.test_sections import divided
from tests.factories import begun, director_of, section_with
from tests.scoring.test_drawing import play_on, publish, swiss
from tests.scoring.test_drawing import score as score_round
from tests.scoring.test_tonight import enter_by_chance, scored_section

from .reading import room, words

pytestmark = pytest.mark.django_db


def show_after_rounds(section):
    section.refresh_from_db()
    publishing.show_after_rounds(section, True, by=None)
    return section


def in_round(family, pairs, round, scored):
    """Make an evening in a round, with all results of the rounds before it."""
    section = scored_section(pairs, family, rounds=scored)
    return begun(section, round)


def test_nothing_is_shown_unless_the_director_wants_it():
    assert RoomDisplay(in_round("barometer", 14, 3, 2)).rankings == []


def test_the_wish_of_another_session_shows_nothing():
    show_after_rounds(in_round("barometer", 14, 3, 2))

    assert RoomDisplay(in_round("barometer", 14, 3, 2)).rankings == []


@pytest.mark.parametrize(
    ("place", "is_first"), [("1", True), ("1=", True), ("2", False), ("10", False), ("", False)]
)
def test_all_who_share_the_first_place_are_first(place, is_first):
    assert DisplayedRankingRow(SimpleNamespace(place=place), "60").is_first == is_first


@pytest.mark.parametrize(
    ("letters", "size"), [(20, ""), (21, "long"), (24, "long"), (25, "longer"), (51, "longest")]
)
def test_longer_names_are_smaller(letters, size):
    assert size_class("N" * letters) == size
    assert size_class("N" * letters * 2, wide=2) == size


def test_after_each_round_of_a_barometer_everybody_is_listed():
    section = show_after_rounds(in_round("barometer", 14, 3, 2))

    [page] = RoomDisplay(section).rankings

    assert page.title == "After round 2 of 7"
    assert [len(column.lines) for column in page.columns] == [7, 7]
    assert [len({found.standing.label for found in column.lines}) for column in page.columns] == [
        7,
        7,
    ]


def test_the_ranking_is_that_of_an_evening_that_ended_then():
    section = show_after_rounds(in_round("barometer", 14, 4, 3))
    enter_by_chance(section, seed=3)
    Result.objects.filter(play=section.plays.filter(round=4).first()).delete()

    barometer = Barometer(SessionSnapshot(section))
    after = percentages(barometer.lists)

    assert barometer.ranked_round_of(section) == 3
    section.plays.filter(round=4).delete()
    section.round = 3
    section.save()
    ended = finish_session(section, round=3, by=None)
    assert after == percentages(ScoredSession(SessionSnapshot(ended)).main_lists)
    assert len(after) == 14


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_a_bye_counts_after_its_round(contest):
    """A pair with a bye in the present round gets its points together with the others."""
    rng = random.Random(4)
    options = {} if contest == "pairs" else {"odd": "bye"}
    section = swiss(9, contest=contest, **options)
    by = director_of(section.club)
    score_round(section, rng)
    play_on(section, by, rng)
    publish(section, by)
    section = start_next_round(section, after=2, by=by)

    barometer = Barometer(SessionSnapshot(section))

    rounds = {
        standing.round: standing.rows
        for standing in barometer.results_after_round().results.standings
    }
    then = {row.contestant: (row.place, row.total) for row in rounds[2]}
    [listed] = barometer.lists
    assert {x.contestant.slug: (x.place, x.row.total) for x in listed.standings} == then
    byes = [
        match for match in SessionSnapshot(section).document.session.matches if match.away is None
    ]
    assert [bye.round for bye in byes] == [1, 2, 3]


def percentages(lists):
    return {standing.label: standing.row.percent for each in lists for standing in each.standings}


def test_boards_that_somebody_will_still_play_do_not_count():
    """With travelling boards no player learns the results of a later board."""
    section = show_after_rounds(in_round("mitchell", 14, 4, 3))

    assert RoomDisplay(section).rankings == []
    assert Barometer(SessionSnapshot(section)).results_after_round().entered_count == 0


def test_at_the_end_the_list_comes_from_the_last_place_up():
    section = finish_session(scored_section(14, "mitchell", rounds=7), round=7, by=None)
    assert RoomDisplay(section).winners == []

    publishing.reveal_places(section, 2, by=None)

    [page] = RoomDisplay(section).winners
    assert page.title == "The final list"
    lines = page.columns[0].lines
    assert [found.is_hidden for found in lines] == [True, False, False]
    assert [found.standing.row.order for found in lines] == [5, 6, 7]
    publishing.reveal_places(section, 7, by=None)
    [page] = RoomDisplay(section).winners
    assert page.title == "The winners"
    assert not any(found.is_hidden for found in page.columns[1].lines)


def test_a_published_list_is_on_the_screen_by_itself_all_of_it_in_turn(client):
    section = finish_session(scored_section(20, "howell", rounds=3), round=3, by=None)
    version = section.shown
    publishing.make_list_final(section, by=None)
    publishing.publish_results(section, by=None)

    section = Section.objects.get(pk=section.pk)
    pages = RoomDisplay(section).winners

    shown = [
        line.standing.label for page in pages for column in page.columns for line in column.lines
    ]
    ranked = ScoredSession(SessionSnapshot(section)).main_lists[0].standings
    assert shown == [standing.label for standing in ranked]
    assert [page.title for page in pages] == ["The winners"] * 2
    assert [[len(column.lines) for column in page.columns] for page in pages] == [[5, 5], [5, 5]]
    assert section.shown > version  # every display fetches itself anew
    assert "All boards" in words(room(client, section))
    publishing.unpublish_results(section, by=None)
    assert RoomDisplay(Section.objects.get(pk=section.pk)).winners == []


def test_of_sections_scored_apart_each_has_its_own_list_at_the_end():
    by = director_of(section_with(8).club)
    parts = divided(18, club=by.clubs.get(), by=by, family="howell", sizes=(6, 6, 6))
    for seed, item in enumerate(parts):
        item = begun(item, item.rounds)
        enter_by_chance(item, seed)
        finish_session(item, round=item.rounds, by=None)
    section = Section.objects.get(pk=parts[2].pk)
    publishing.set_scoring_profile(section, {"scope": "section"}, by=None)
    publishing.reveal_places(section, 6, by=None)

    pages = [RoomDisplay(Section.objects.get(pk=record.pk)).winners for record in parts]

    assert [[column.section for column in page.columns] for [page] in pages] == [
        ["A"],
        ["B"],
        ["C"],
    ]


def test_of_four_lists_two_are_shown_at_a_time(client):
    section = scored_section(20, "rainbow", contest="individual")
    section = begun(section, section.rounds)
    enter_by_chance(section)
    section = finish_session(section, round=section.rounds, by=None)
    publishing.reveal_places(section, 4, by=None)

    pages = RoomDisplay(section).winners

    assert [[column.field for column in page.columns] for page in pages] == [["N", "E"], ["S", "W"]]
    assert room(client, section).content.decode().count("data-page") == 2


def test_hidden_names_are_not_in_the_page(client):
    section = finish_session(scored_section(14, "mitchell", rounds=7), round=7, by=None)
    publishing.reveal_places(section, 1, by=None)
    first = ScoredSession(SessionSnapshot(section)).main_lists[0].standings[0].contestant.surnames

    text = words(room(client, section))

    assert first not in text
    publishing.reveal_places(section, 7, by=None)
    assert first in words(room(client, section))


def test_the_display_fetches_itself_when_the_last_result_of_a_round_comes_in():
    section = show_after_rounds(scored_section(14, "barometer", rounds=2))
    play = section.plays.filter(round=2).first()
    Result.objects.filter(play=play).delete()
    section.refresh_from_db()
    before = section.shown

    results.enter_result(section, play.pk, {"passed": True}, by=None)

    section.refresh_from_db()
    assert section.shown == before + 1


def test_a_result_is_no_news_for_displays_that_show_none():
    section = scored_section(14, "barometer", rounds=2)
    before = section.shown
    play = section.plays.first()

    results.enter_result(section, play.pk, {"passed": True}, by=None)

    section.refresh_from_db()
    assert section.shown == before
    assert not ScoringSettings.objects.filter(barometer=True).exists()


# ── two sections beside each other ──


@pytest.fixture
def two(club, alice):
    """Ten pairs in each of two sections with the same boards; two rounds have begun, the first has results."""
    section = section_with(20, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    found = sections.divide_entries(section, [keys[:10], keys[10:]], same_deals=True, by=alice)
    found = [
        movement.choose_movement(entry, "barometer", boards_per_round=2, by=alice)
        for entry in found
    ]
    for item in found:
        begun(item, 2)
        enter_by_chance(item)
        Result.objects.filter(play__section=item, play__round=2).delete()
    publishing.show_after_rounds(found[0], True, by=None)
    return found


def test_two_sections_beside_each_other_share_the_columns_of_one_ranking(two):
    [halves] = split_screens(two[0])

    pages = [half.rankings for half in halves]

    titles = {page.title for half in pages for page in half}
    assert titles == {"After round 1 of 5, all sections"}
    letters = {(x.letter, x.standing.section) for h in pages for p in h for x in p.columns[0].lines}
    assert letters == {("A", "A"), ("B", "B")}
    shown = [
        [x.standing.contestant.names for page in half for x in page.columns[0].lines]
        for half in pages
    ]
    together = [
        x.names for ranking in Barometer(SessionSnapshot(two[0])).lists for x in ranking.standings
    ]
    assert sorted(shown[0] + shown[1]) == sorted(together)
    assert not set(shown[0]) & set(shown[1])
    assert all(len(page.columns) == 1 for half in pages for page in half)


def test_where_each_section_has_its_own_list_it_stands_in_its_half(two):
    scoring = ScoringSettings.objects.get(session=two[0].session)
    scoring.profile = {**scoring.profile, "scope": "section"}
    scoring.save()

    [halves] = split_screens(two[0])

    for half, section in zip(halves, two, strict=True):
        names = {x.standing.contestant.entry for p in half.rankings for x in p.columns[0].lines}
        assert names == set(section.entries.values_list("pk", flat=True))


def test_the_final_list_has_the_screen_for_itself(client, two):
    for section in two:
        begun(section, 5)
        enter_by_chance(section)
        finish_session(section, round=5, by=None)
    publishing.reveal_places(two[0], 1, by=None)

    page = client.get(f"/p/{two[0].code}/room/", {"all": 1})

    assert split_screens(two[0]) == []
    assert "The final list" in words(page)
