"""This round: results in, results missing, and the same numbers in the boxes of the desk."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.services.rulings import dismiss_doubt
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.events.test_plan import in_parts
from tests.factories import ClubFactory, begun, director_of, section_with
from tests.printing.conftest import section_playing
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db

FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def section():
    """Seven tables, two rounds, every result of them."""
    return scored_section(14, "mitchell", rounds=2)


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())).replace(" :", ":")


def page(client, section, status=200, **query):
    answer = client.get(reverse("results", args=[section.code]), query)
    assert answer.status_code == status
    return words(answer)


def desk(client, section):
    return words(client.get(reverse("desk", args=[section.code])))


def missing_at(section, *tables, round=2):
    """Take the first result away at some tables."""
    for table in tables:
        play = section.plays.filter(round=round, table=table).first()
        enter_result(section, play.pk, None, by=None)
    section.refresh_from_db()


def test_the_grid_has_all_rounds_and_what_is_in_at_their_tables(director, section):
    missing_at(section, 3)

    grid = director.get(reverse("results", args=[section.code])).context["this"].grid

    states = {round: [count.state for _table, count in tables] for round, tables in grid}
    assert states == {
        1: ["in"] * 7,
        2: [*["in"] * 2, "now", *["in"] * 4],
        **{round: ["none"] * 7 for round in range(3, 8)},
    }


def test_it_says_what_is_missing_and_where(director, section):
    missing_at(section, 3, 5)
    text = page(director, section)
    assert "Round 2: 2 of 21 results are missing" in text
    assert "Tables 3, 5" in text
    assert text.count("to come") == 2


def test_it_says_when_all_are_in(director, section):
    assert "Round 2: all results are in" in page(director, section)


def test_it_says_when_none_is_in(client):
    section = section_with(8, "howell", round=1)
    client.force_login(director_of(section.club))
    assert "Round 1: no result is in yet" in page(client, section)


def test_a_round_that_is_over_says_missing(director, section):
    missing_at(section, 3, round=1)
    text = page(director, section, round=1)
    assert "Round 1: 1 of 21 results is missing" in text
    assert "to come" not in text
    assert "missing" in text


def test_after_the_session_has_ended_early_nothing_is_to_come(director, section):
    missing_at(section, 3)
    finish_session(section, round=2, by=director_of(section.club))
    text = page(director, section)
    assert "Round 2: 1 of 21 results is missing" in text
    assert "to come" not in text
    assert "missing" not in desk(director, section)


def test_what_will_be_played_later_is_not_in(director, section):
    play = section.plays.filter(round=1, table=4).first()
    enter_result(section, play.pk, {"pending": True}, by=None)
    text = page(director, section, round=1)
    assert "Round 1: 1 of 21 results is missing" in text
    assert "will be played later" in text


def test_a_round_that_has_not_begun_is_said_and_the_current_one_shown(director, section):
    text = page(director, section, round=5)
    assert "Round 5 has not begun." in text
    assert "Round 2: all results are in" in text


@pytest.mark.parametrize("round", ["x", "-1", "0", "99999", "", "²"])
def test_an_address_that_nobody_wrote_shows_the_current_round(director, section, round):
    assert "Round 2: all results are in" in page(director, section, round=round)


@pytest.mark.parametrize("family", [None, "howell"])
def test_before_the_first_round_it_says_when_results_come(client, family):
    section = section_with(8, family)
    client.force_login(director_of(section.club))
    assert "They can be entered as soon as round 1 has begun." in page(client, section)


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [
        (13, "mitchell", "pairs"),
        (12, "individual", "individual"),
        (8, "team-round-robin", "teams"),
        (9, "swiss", "teams"),
        (14, "scrambled-mitchell", "pairs"),
        (20, "share-and-relay", "pairs"),
    ],
)
def test_every_board_that_two_sides_play_has_its_cell(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    answer = client.get(reverse("results", args=[section.code]))
    links = set(map(int, re.findall(r'id="play-(\d+)"', answer.content.decode())))
    played = section.plays.exclude(ns=None).exclude(ew=None)
    assert links == set(played.values_list("pk", flat=True))


def test_a_round_in_parts_has_a_row_for_each(client):
    section = begun(section_playing(ClubFactory(), in_parts(), 2), 2)
    client.force_login(director_of(section.club))
    assert page(client, section).count(" then ") == 2


def test_a_substitute_stands_beside_the_boards_they_played(client):
    section = section_with(8, "howell", round=2)
    by = director_of(section.club)
    link = EntryPerson.objects.filter(section=section).first()
    people.add_substitute(link.entry, link.position, "Zoë Neu", from_round=2, until_round=2, by=by)
    client.force_login(by)
    assert "Neu" not in page(client, section, round=1)
    assert "Neu" in page(client, section, round=2)


def test_long_names_are_never_cut(client):
    section = section_with(8, "howell", round=1)
    person = section.entries.first().players[0]
    person.name = "Anna " + "Oberhofmeisterinnenschwiegersohn-" + "Zweitnameaufderliste" + "x"
    person.save()
    client.force_login(director_of(section.club))
    assert person.surname in page(client, section)


def test_names_are_written_as_names(client):
    section = section_with(8, "howell", round=1)
    person = section.entries.first().players[0]
    person.name = "Anna <script>alert(1)</script>"
    person.save()
    client.force_login(director_of(section.club))
    answer = client.get(reverse("results", args=[section.code]))
    assert "<script>alert" not in answer.content.decode()


def test_a_result_that_looks_wrong_is_marked_until_it_is_settled(director, section):
    play = section.plays.filter(round=2, table=1).first()
    for other in section.plays.filter(round=2).exclude(pk=play.pk):
        enter_result(section, other.pk, {"passed": True}, by=None)
    enter_result(section, play.pk, {"contract": "1C", "declarer": "N", "tricks": 2}, by=None)
    text = director.get(reverse("results", args=[section.code])).content.decode()
    cell = text[text.index(f'id="play-{play.pk}"') :]
    assert "looks wrong" in cell[: cell.index("</a>")]
    for doubt in SectionDoubts(SessionSnapshot(section)).open_doubts:
        dismiss_doubt(section, doubt.key, by=None)
    assert "looks wrong" not in page(director, section)


# ── live ──


@pytest.mark.parametrize("name", ["desk", "results"])
def test_an_unchanged_poll_reads_who_asks_the_section_and_who_is_silent(
    director, section, name, django_assert_num_queries
):
    address = reverse(name, args=[section.code])
    with django_assert_num_queries(5):
        answer = director.get(address, {"v": f"{section.shown}-{section.results}"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("name", ["desk", "results"])
def test_a_poll_of_who_may_not_look_any_more_is_no_unchanged_one(client, section, name):
    address = reverse(name, args=[section.code])
    version = {"v": f"{section.shown}-{section.results}"}
    assert client.get(address, version).status_code == 302
    client.force_login(director_of(section_with(8).club))
    assert client.get(address, version).status_code == 404


def test_a_result_is_news_for_the_desk_and_for_this_round_and_for_no_phone(
    director, section, django_assert_num_queries
):
    before = f"{section.shown}-{section.results}"
    director.get(reverse("lookup", args=[section.code]))  # a phone that is known from now on
    missing_at(section, 3)
    for name in ("desk", "results"):
        answer = director.get(reverse(name, args=[section.code]), {"v": before}, headers=HTMX)
        assert answer.status_code == 200
        assert f"v={section.shown}-{section.results}" in answer.content.decode()
    for name in ("lookup", "room-display"):
        with django_assert_num_queries(1):
            answer = director.get(reverse(name, args=[section.code]), {"v": section.shown})
        assert answer.status_code == 204


def test_the_poll_of_several_sections_counts_the_results_of_all(director, section):
    other = Section.objects.create(session=section.session, name="B")
    section.name = "A"
    section.save()
    text = director.get(reverse("desk", args=[section.code])).content.decode()
    version = re.search(r"v=([\d.-]+)", text)[1]
    assert version == f"{section.shown}.{other.shown}-{section.results}.{other.results}"
    address = reverse("desk", args=[section.code])
    assert director.get(address, {"v": version}).status_code == 204
    other.results += 1
    other.save()
    assert director.get(address, {"v": version}, headers=HTMX).status_code == 200


@pytest.mark.parametrize("version", ["", "-", "1-", "-1", "1-2-3", "1.1-x", "²-1", "9" * 12 + "-1"])
def test_a_poll_that_nobody_sends_is_answered_with_the_page(director, section, version):
    assert director.get(reverse("results", args=[section.code]), {"v": version}).status_code == 200


def test_more_tables_cost_no_more_queries(client, django_assert_num_queries):
    small = scored_section(6, "mitchell", rounds=1)
    large = scored_section(40, "skip-mitchell", rounds=1, club=small.club)
    client.force_login(director_of(small.club))
    page(client, small)
    with CaptureQueriesContext(connection) as counted:
        page(client, small)
    with django_assert_num_queries(len(counted)):
        page(client, large)


# ── the desk ──


def test_the_desk_shows_what_is_in_at_every_table(director, section):
    missing_at(section, 3)
    text = desk(director, section)
    assert text.count("all in") == 6
    assert "2 of 3 in" in text
    assert "1 result of round 2 is still missing" in text


def test_a_session_started_before_its_day_says_its_day(client):
    section = section_with(14, "mitchell")
    client.force_login(director_of(section.club))
    planned = "This session is planned for"
    today = section.club.today
    for days, is_told in ((2, True), (0, False), (-1, False)):
        Session.objects.filter(pk=section.session_id).update(date=today + timedelta(days=days))
        for name in ("desk", "entries"):
            text = words(client.get(reverse(name, args=[section.code])))
            assert (planned in text) == is_told


def test_a_missing_result_keeps_nobody_from_the_next_round(director, section):
    missing_at(section, 3)
    director.post(reverse("next-round", args=[section.code]), {"after": 2})
    section.refresh_from_db()
    assert section.round == 3
    assert "22 results are missing" in desk(director, section)  # one of round 2


def test_a_club_that_scores_elsewhere_is_not_told_off(client):
    section = section_with(14, "mitchell", round=2)
    client.force_login(director_of(section.club))
    text = desk(client, section)
    assert "missing" not in text
    assert "0 of 3 in" not in text


def test_the_press_of_several_sections_counts_the_missing_of_those_it_starts(director, section):
    other = section_with(8, "howell", round=2, club=section.club)
    Section.objects.filter(pk=other.pk).update(session=section.session, name="B")
    Section.objects.filter(pk=section.pk).update(name="A")
    other.refresh_from_db()
    enter_by_chance(other)
    missing_at(section, 3)
    missing_at(other, 1, 2)
    text = desk(director, section)
    assert "Start round 3 in A and B" in text
    assert "3 results of round 2 are still missing" in text


def test_boards_too_many_for_boxes_are_a_number(client):
    section = scored_section(8, "team-round-robin", rounds=1, contest="teams", boards_per_round=12)
    client.force_login(director_of(section.club))
    answer = client.get(reverse("desk", args=[section.code])).content.decode()
    assert 'class="dots"' not in answer
    assert "all in" in answer


# ── who may ──


@pytest.mark.parametrize("name", ["results", "slips"])
def test_nobody_else_sees_it(client, section, name):
    address = reverse(name, args=[section.code])
    assert client.get(address).status_code == 302  # to the sign-in page
    client.force_login(director_of(section_with(8).club))
    assert client.get(address).status_code == 404


def test_looking_changes_nothing(director, section):
    before = section.plan, section.shown, section.results, AuditRecord.objects.count()
    page(director, section)
    section.refresh_from_db()
    assert (section.plan, section.shown, section.results, AuditRecord.objects.count()) == before


def test_the_two_tables_of_a_match_stand_together_below_its_teams_also_as_slips(client):
    section = section_with(8, "swiss", round=1, contest="teams", boards_per_round=3)
    client.force_login(director_of(section.club))

    page = client.get(reverse("results", args=[section.code]))
    slips = client.get(reverse("slips", args=[section.code]))

    tables = [row.table for row in page.context["this"].rows]
    assert tables == [1, 5, 2, 6, 3, 7, 4, 8]
    assert page.content.decode().count('class="ofmatch"') == 4
    assert [table for table, _slip in slips.context["stack"].slips] == tables
