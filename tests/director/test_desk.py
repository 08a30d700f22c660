"""The desk: its words, its buttons, its queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from movements.engine import catalogue
from tests.events.test_plan import in_parts
from tests.factories import begun, director_of, section_with
from tests.printing.conftest import section_playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(alice, signed_in):
    """Ask the desk as alice: desk(section) or desk(section, "name", **answers to post)."""
    browser = signed_in(alice)

    def ask(section, name="desk", htmx=False, **answers):
        address = reverse(name, args=[section.code])
        headers = {"HX-Request": "true"} if htmx else {}
        if answers:
            return browser.post(address, answers, headers=headers)
        return browser.get(address, headers=headers)

    ask.browser = browser
    return ask


def text(response):
    """The words of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_the_desk_says_the_skip_before_it_happens(desk, skip_section):
    page = text(desk(skip_section))

    assert "Round 4 of 7" in page
    assert "East-West move up TWO tables : this is the skip. Boards move down one." in page
    assert "Start round 5" in page


def test_teams_matches_stand_at_the_tables_cards_and_phones_name(desk, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 2)
    begun(section, 1)

    page = text(desk(section))
    whole = text(desk(section, "all-rounds"))

    tables = re.findall(
        r"Table (\d) Boards [^N]+ NS (\d) (?:\S+ ){3}EW (\d) (?:\S+ ){3}"
        r"(?:boards then to table \d )?(?:EW next: table (\d))?",
        page,
    )
    assert tables == [
        *[("1", "1", "3", "2"), ("2", "2", "1", "3"), ("3", "3", "2", "1")],
        *[("4", "4", "7", "5"), ("7", "7", "4", "6"), ("5", "5", "6", "4"), ("6", "6", "5", "7")],
    ]
    assert re.findall(r"Table \d", whole) == [f"Table {n}" for n in range(1, 8)]


@pytest.mark.parametrize(
    ("family", "options", "said"),
    [
        (
            "team-round-robin",
            {},
            "When the round ends the boards of a triangle go to another table:",
        ),
        ("swiss", {"odd": "triangle"}, "After the first half of a triangle its boards go"),
    ],
)
def test_a_triangle_has_its_boards_sent_on(desk, club, family, options, said):
    section = section_playing(club, catalogue.build_movement(family, 7, None, None, options), 4)
    begun(section, 1)

    page = text(desk(section))

    assert said in page
    three = (1, 2, 3) if family == "team-round-robin" else (5, 6, 7)
    sent = {1: 3, 2: 1, 3: 2} if family == "team-round-robin" else {5: 7, 6: 5, 7: 6}
    matches = re.findall(r"from (\d) to (\d)", page)
    assert matches == [(str(table), str(sent[table])) for table in three]
    if options:
        assert re.findall(r"boards from table (\d)", page) == ["6", "7", "5"]


def test_the_second_round_of_a_triangle_sends_its_boards_nowhere(desk, club):
    section = section_playing(club, catalogue.build_movement("team-round-robin", 7), 4)
    begun(section, 2)

    page = text(desk(section))

    assert "boards of a triangle" not in page
    assert re.findall(r"boards from table (\d)", page) == ["2", "3", "1"]


def test_next_round_starts_one_round_and_shows_it(desk, skip_section):
    answer = desk(skip_section, "next-round", htmx=True, after=4)

    assert "Round 5 of 7" in text(answer)
    assert "<html" not in answer.content.decode()
    assert Section.objects.get(pk=skip_section.pk).round == 5


def test_results_come_into_the_menu_with_the_press_that_starts_round_1(desk, club):
    section = section_with(10, "mitchell", club=club)

    before = desk(section).content.decode()
    begun = desk(section, "next-round", htmx=True, after=0).content.decode()
    taken_back = desk(section, "back", htmx=True, after=1).content.decode()

    results = f'href="{reverse("results", args=[section.code])}"'
    assert (results in before, results in begun, results in taken_back) == (False, True, False)


def test_a_double_tap_starts_one_round(desk, skip_section):
    desk(skip_section, "next-round", after=4)
    answer = desk(skip_section, "next-round", htmx=True, after=4)

    assert Section.objects.get(pk=skip_section.pk).round == 5
    assert "Another director was faster: round 5 has already begun." in text(answer)


def test_without_javascript_the_second_director_is_told_too(desk, skip_section):
    rounds.start_next_round(skip_section, after=4, by=director_of(skip_section.club))

    answer = desk.browser.post(
        reverse("next-round", args=[skip_section.code]), {"after": 4}, follow=True
    )

    assert "Another director was faster: round 5 has already begun." in text(answer)


@pytest.mark.parametrize("after", ["", "x", "-1", "9999"])
def test_a_nonsense_round_changes_nothing(desk, skip_section, after):
    answer = desk(skip_section, "next-round", htmx=True, after=after)

    assert answer.status_code == 200
    assert Section.objects.get(pk=skip_section.pk).round == 4


def test_back_finish_and_back_again(desk, skip_section):
    desk(skip_section, "back", after=4)
    assert Section.objects.get(pk=skip_section.pk).round == 3

    desk(skip_section, "finish", told="on", after=3)
    finished = Section.objects.get(pk=skip_section.pk)
    assert finished.is_finished
    assert "The session is over." in text(desk(finished))

    desk(skip_section, "back", after=3)
    assert not Section.objects.get(pk=skip_section.pk).is_finished


def test_the_clock_pauses_and_runs_on(desk, skip_section):
    desk(skip_section, "clock", do="pause")
    assert Section.objects.get(pk=skip_section.pk).is_clock_paused
    assert "Resume the clock" in desk(skip_section).content.decode()

    desk(skip_section, "clock", do="minute")
    desk(skip_section, "clock", do="resume")
    assert not Section.objects.get(pk=skip_section.pk).is_clock_paused
    assert desk(skip_section, "clock", do="explode").status_code == 302


def test_the_last_round_offers_the_finish(desk, club, alice):
    section = section_with(6, "mitchell", round=3, club=club, by=alice)

    page = text(desk(section))

    assert "Finish the session" in page
    assert "Start round" not in page


def test_without_a_movement_the_desk_leads_to_the_entries(desk, club, alice):
    section = section_with(6, club=club, by=alice)

    assert desk(section).headers["Location"] == reverse("entries", args=[section.code])


def test_at_a_table_past_which_the_boards_go_lie_none(desk, club, alice):
    section = section_with(15, "share-and-relay", round=1, club=club, by=alice)

    tile = desk(section).content.decode().split('id="table-8"')[1].split("</article>")[0]
    assert "nobody" in tile
    assert "1–3" not in tile


def test_a_half_table_and_its_sit_out_are_plain(desk, club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    page = text(desk(section))

    assert "nobody" in page
    assert "Sits out now NS 8 North15 &amp; South15, back at table 8 in round 2" in page
    assert "Next NS 1" in page


def test_stands_and_sharing_are_shown_where_they_are(desk, club, alice):
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    page = text(desk(section))

    assert "shares with table 8" in page
    assert "Table 5 puts its boards on the stand, table 4 takes from there." in page
    assert "Stand Boards 13–15 wait here; next out: Boards 13–15 after table 4" in page


def test_before_a_round_in_parts_everybody_is_sent_to_the_first_part(desk, club):
    section = begun(section_playing(club, in_parts(), 2), 1)

    page = text(desk(section))

    assert re.findall(r"(NS|EW) next: table (\d)", page) == [("EW", "2"), ("EW", "1")]


def test_teams_are_read_once_although_their_matches_are_drawn_without_tables(
    desk, club, django_assert_num_queries
):
    teams, pairs = (
        section_playing(club, catalogue.build_movement(family, 4), 2)
        for family in ("team-round-robin", "howell")
    )
    desk(pairs)
    pairs.touch()
    with CaptureQueriesContext(connection) as of_pairs:
        desk(pairs)

    with django_assert_num_queries(len(of_pairs)):
        desk(teams)


def test_a_changed_poll_brings_the_fragment(desk, skip_section):
    rounds.start_next_round(skip_section, after=4, by=director_of(skip_section.club))

    answer = desk.browser.get(
        f"{reverse('desk', args=[skip_section.code])}?v={skip_section.shown}-{skip_section.results}",
        headers={"HX-Request": "true"},
    )

    assert answer.status_code == 200
    assert "Round 5 of 7" in text(answer)


def test_three_tables_and_thirty_cost_the_same(
    desk, club, alice, django_assert_max_num_queries, django_assert_num_queries
):
    small = section_with(6, "mitchell", round=1, club=club, by=alice)
    large = section_with(60, "skip-mitchell", round=1, club=club, by=alice)
    for name in ("desk", "all-rounds", "entries"):
        with django_assert_max_num_queries(19) as counted:
            desk(small, name)
        with django_assert_num_queries(len(counted)):
            desk(large, name)


def test_names_are_text_never_markup(club, alice, desk):
    from bridgebuddy.events.services.setup import entries, movement

    section = section_with(5, club=club, by=alice)
    entries.add_pairs(section, [("<b>Eve</b> <script>alert(1)</script>", "Sean O'Neill")], by=alice)
    section = movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)

    for name in ("desk", "entries", "all-rounds"):
        page = desk(section, name).content.decode()
        assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in desk(section, "entries").content.decode()
