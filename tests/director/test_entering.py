"""Entering and correcting one result: as a line, by keys, or as another outcome of the board."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import (
    finish_session,
    start_next_round,
    take_back_round,
)
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.services.results import enter_result
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db

FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
FOUR_HEARTS = {"contract": "4H", "declarer": "S", "tricks": 11}
KEYS = {"level": 3, "strain": "NT", "doubled": "x", "declarer": "E", "over": -2}


@pytest.fixture
def section():
    return section_with(8, "howell", round=1)


@pytest.fixture
def play(section):
    """Return the first board at table 1, which has no vulnerable side."""
    return section.plays.filter(board=1).first()


def address(section, play):
    return reverse("enter-result", args=[section.code, getattr(play, "pk", play)])


def send(client, section, play, how, after=0, **said):
    return client.post(address(section, play), {"how": how, "after": after, **said})


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def standing(play):
    found = Result.objects.filter(play=play, stands=True).first()
    return found.outcome if found else None


@pytest.mark.parametrize(
    ("how", "said", "outcome"),
    [
        ("line", {"line": "4ss="}, FOUR_SPADES),
        ("line", {"line": " 4 H S + 1 "}, FOUR_HEARTS),
        ("line", {"line": "4ss= hk"}, {**FOUR_SPADES, "lead": "HK"}),
        ("line", {"line": "p"}, {"passed": True}),
        ("line", {"line": "-"}, {"not_played": "skipped"}),
        ("line", {"line": "60 40"}, {"artificial": {"ns": "AVE+", "ew": "AVE-"}}),
        ("keys", KEYS, {"contract": "3NTx", "declarer": "E", "tricks": 7}),
        (
            "keys",
            {**KEYS, "doubled": "", "over": 0},
            {"contract": "3NT", "declarer": "E", "tricks": 9},
        ),
        ("passed", {}, {"passed": True}),
        ("score", {"score": -420}, {"score": -420}),
        ("score", {"score": 0}, {"score": 0}),
        ("unplayed", {"unplayed": "time"}, {"not_played": "time"}),
        ("unplayed", {"unplayed": "missing"}, {"not_played": "missing"}),
        ("unplayed", {"unplayed": "later"}, {"pending": True}),
    ],
)
def test_every_way_to_say_it_is_written_down(director, section, play, how, said, outcome):
    plan, results = section.plan, section.results
    answer = send(director, section, play, how, **said)
    assert answer.status_code == 302
    round_page = reverse("results", args=[section.code])
    assert answer.url == f"{round_page}?round=1#table-{play.table}"
    assert standing(play) == outcome
    section.refresh_from_db()
    assert (section.plan, section.results) == (plan, results + 1)
    result = play.results.get()
    assert (result.source, result.by) == (ResultSource.DESK, director_of_(director))


def director_of_(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


@pytest.mark.parametrize(
    ("how", "said", "problem"),
    [
        ("line", {"line": ""}, "This field is required."),
        ("line", {"line": "4"}, "Which suit? C D H S N"),
        ("line", {"line": "4q"}, "“q” is no suit: C D H S N"),
        ("line", {"line": "4h"}, "Who was declarer? N E S W"),
        ("line", {"line": "4hq="}, "“q” is no seat: N E S W"),
        ("line", {"line": "4hs"}, "How many tricks? = or +1 or −1"),
        ("line", {"line": "4hs?"}, "“?” is not a number of tricks: = or +1 or −1"),
        ("line", {"line": "4hs+5"}, "Not +5 tricks: at most +3, at least −10."),
        ("line", {"line": "4hs= hx"}, "“hx” is no card: first the suit, then the rank (A K Q J)."),
        ("line", {"line": "120/0"}, "An average is at most 100 %."),
        ("line", {"line": "what"}, "A line begins with 1 to 7, or is a score, p or −."),
        ("line", {"line": "+620"}, "This result is impossible on this board."),
        ("line", {"line": "4" * 50}, "20"),
        ("keys", {}, "This field is required."),
        ("keys", {**KEYS, "over": 5}, "At most +4, at least −9."),
        ("keys", {**KEYS, "level": 8}, "Select a valid choice."),
        ("keys", {**KEYS, "strain": "<b>"}, "Select a valid choice."),
        ("score", {"score": 620}, "This result is impossible on this board."),
        ("score", {"score": "many"}, "Enter a whole number."),
        ("score", {"score": 10**12}, "9999"),
        ("unplayed", {"unplayed": "hunger"}, "Select a valid choice."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written_down(
    director, section, play, how, said, problem
):
    answer = send(director, section, play, how, **said)
    assert answer.status_code == 422
    assert problem in words(answer).replace("&lt;", "<")
    assert not Result.objects.exists()


def test_what_was_typed_is_still_there_where_it_is_refused(director, section, play):
    answer = send(director, section, play, "line", line='4"hs')
    assert 'value="4&quot;hs"' in answer.content.decode()


def test_the_page_begins_with_the_result_that_stands(director, section, play):
    enter_result(section, play.pk, FOUR_SPADES, by=director_of_(director))
    answer = director.get(address(section, play))
    text = answer.content.decode()
    assert 'value="4ss="' in text
    assert 'name="after" value="1"' in text
    assert "by South, 10 tricks" in words(answer)
    assert "+420" in text
    for chosen in ('value="4"', 'value="S"'):
        assert re.search(rf"<input[^>]*{chosen}[^>]*checked", text)


@pytest.mark.parametrize(
    "outcome",
    [
        {"assigned": {"ns": [[50, 420], [50, -50]]}},
        {"artificial": {"ns": 55, "ew": "AVE-"}},
        {"not_played": "missing", "side": "ew"},
        {"pending": True},
        {"score": 420, "beside": {"contract": "4S"}},
        None,
    ],
)
def test_the_page_shows_whatever_stands(director, section, play, outcome):
    enter_result(section, play.pk, FOUR_SPADES, by=None)
    enter_result(section, play.pk, outcome, by=None)
    assert director.get(address(section, play)).status_code == 200


def test_a_correction_keeps_what_was_there(director, section, play):
    send(director, section, play, "line", line="4ss=")
    send(director, section, play, "line", after=1, line="4hs+1")
    assert [result.outcome for result in play.results.all()] == [FOUR_SPADES, FOUR_HEARTS]


def test_a_correction_shows_what_it_would_do_before_it_is_stored(director, section, play):
    enter_by_chance(section)
    was = Result.objects.get(play=play, stands=True)
    sent = {"how": "line", "line": "7ns=", "after": was.number, "do": "show"}

    text = director.post(address(section, play), sent).content.decode()

    assert "Effect" in text
    assert '<th scope="col">then</th>' in text
    assert 'value="7ns="' in text
    assert Result.objects.get(play=play, stands=True) == was


def test_a_result_can_be_taken_away(director, section, play):
    send(director, section, play, "line", line="4ss=")
    assert send(director, section, play, "nothing", after=1).status_code == 302
    assert standing(play) is None


def test_a_double_tap_writes_one_result(director, section, play):
    for _ in range(2):
        assert send(director, section, play, "line", line="4ss=").status_code == 302
    assert Result.objects.count() == 1


def test_of_two_directors_the_second_sees_what_the_first_wrote_and_may_insist(
    director, section, play
):
    enter_result(section, play.pk, FOUR_HEARTS, after=0, by=None)
    answer = send(director, section, play, "line", line="4ss=")
    assert answer.status_code == 409
    assert "Somebody else has entered another result meanwhile: 4 hearts S +1." in words(answer)
    text = answer.content.decode()
    assert 'value="4ss="' in text  # what was typed is still there
    assert 'name="after" value="1"' in text
    assert standing(play) == FOUR_HEARTS
    send(director, section, play, "line", after=1, line="4ss=")
    assert standing(play) == FOUR_SPADES


@pytest.mark.parametrize("after", ["", "x", "-1", str(10**9)])
def test_a_form_without_the_number_it_showed_writes_nothing(director, section, play, after):
    assert send(director, section, play, "line", after=after, line="4ss=").status_code == 422
    assert not Result.objects.exists()


@pytest.mark.parametrize("how", ["", "dice"])
def test_a_form_that_nobody_sent_writes_nothing(director, section, play, how):
    assert send(director, section, play, how, line="4ss=").status_code == 200
    assert not Result.objects.exists()


def test_a_play_taken_back_meanwhile_is_said(director, section, play):
    take_back_round(section, round=1, by=director_of_(director))
    for answer in (
        director.get(address(section, play), follow=True),
        director.post(address(section, play), {"how": "passed", "after": 0}, follow=True),
    ):
        assert "Nobody plays this board there." in words(answer)
    assert not Result.objects.exists()


def test_a_board_at_half_a_table_has_no_result(client):
    section = section_with(13, "mitchell", round=1)
    client.force_login(director_of(section.club))
    waiting = section.plays.filter(ew=None).first() or section.plays.filter(ns=None).first()
    answer = client.post(address(section, waiting), {"how": "passed", "after": 0}, follow=True)
    assert "Nobody plays this board there." in words(answer)
    assert not Result.objects.exists()


def test_results_are_entered_after_the_session_has_ended_early(director, section, play):
    finish_session(section, round=1, by=director_of_(director))
    assert send(director, section, play, "passed").status_code == 302
    assert standing(play) == {"passed": True}


def test_an_earlier_round_is_corrected_and_the_page_leads_back_to_it(director, section, play):
    start_next_round(section, after=1, by=director_of_(director))
    answer = send(director, section, play, "passed")
    assert "?round=1#" in answer.url


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [(12, "individual", "individual"), (8, "swiss", "teams"), (20, "share-and-relay", "pairs")],
)
def test_every_contest_is_entered_alike(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    play = section.plays.exclude(ns=None).first()
    assert client.get(address(section, play)).status_code == 200
    assert send(client, section, play, "passed", after=1).status_code == 302
    assert standing(play) == {"passed": True}


def test_german_letters_on_a_german_page(director, section, play, settings):
    director.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    send(director, section, play, "line", line="4co+1")
    assert standing(play) == {"contract": "4H", "declarer": "E", "tricks": 11}
    assert 'value="4co+1"' in director.get(address(section, play)).content.decode()


def test_a_german_page_shows_the_lead_in_its_letters(director, section, play, settings):
    director.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    send(director, section, play, "line", line="3san+1 pd")
    assert standing(play) == {"contract": "3NT", "declarer": "N", "tricks": 10, "lead": "SQ"}
    assert 'value="3san+1 pd"' in director.get(address(section, play)).content.decode()


@pytest.mark.parametrize(
    ("how", "said", "lead"),
    [
        ("line", {"line": "4ss+1"}, "HK"),
        ("keys", {"level": 4, "strain": "S", "doubled": "", "declarer": "S", "over": 1}, "HK"),
        ("line", {"line": "4ss+1 d2"}, "D2"),
        ("line", {"line": "4ss="}, None),  # only the lead was deleted
        ("line", {"line": "4sw="}, None),  # another player leads
    ],
)
def test_a_correction_without_a_lead_keeps_the_lead(director, section, play, how, said, lead):
    send(director, section, play, "line", line="4ss= hk")

    send(director, section, play, how, after=1, **said)

    assert standing(play).get("lead") == lead


# ── who may ──


def test_only_directors_of_the_club_enter_results(client, section, play):
    assert client.get(address(section, play)).status_code == 302
    assert send(client, section, play, "passed").url.startswith("/accounts/login/")
    client.force_login(director_of(section_with(8).club))
    assert client.get(address(section, play)).status_code == 404
    assert send(client, section, play, "passed").status_code == 404
    assert not Result.objects.exists()


def test_a_play_of_another_section_is_nobodys_here(director, section):
    other = section_with(8, "howell", round=1)
    beside = section_with(8, "howell", round=1, club=section.club)
    Section.objects.filter(pk=beside.pk).update(session=section.session, name="B")
    for play in (other.plays.first(), beside.plays.first(), 10**6):
        answer = director.post(address(section, play), {"how": "passed", "after": 0}, follow=True)
        assert "Nobody plays this board there." in words(answer)
    assert not Result.objects.exists()


def test_a_single_result_is_its_own_record(director, section, play):
    before = AuditRecord.objects.count()
    send(director, section, play, "passed")
    assert AuditRecord.objects.count() == before
