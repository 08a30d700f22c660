"""Slips and travellers: one line a board, all of them or none."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.results.entry import slips
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import take_back_round
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.services.results import enter_result, enter_results
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

FOUR_SPADES = {"contract": "4S", "declarer": "S", "tricks": 10}
FOUR_HEARTS = {"contract": "4H", "declarer": "S", "tricks": 11}


@pytest.fixture
def section():
    """Seven tables, two rounds of three boards, no result."""
    return section_with(14, "mitchell", round=2)


@pytest.fixture
def plays(section):
    """Return the plays of table 3 in round 2."""
    return list(section.plays.filter(round=2, table=3))


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def address(section, **query):
    found = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{reverse('slips', args=[section.code])}?{found}"


def page(client, section, **query):
    answer = client.get(address(section, **query))
    assert answer.status_code == 200
    return answer


def field_data(answer):
    """Return the data of the fields of a page."""
    text = answer.content.decode()
    names = r'name="((?:line|was|after)-\d+)"\s+value="([^"]*)"'
    return dict(re.findall(names, text))


def send(client, section, plays, *lines, sent=None, **query):
    query = query or {"round": 2, "table": 3}
    fields = dict(sent or field_data(page(client, section, **query)))
    fields |= {f"line-{play.pk}": line for play, line in zip(plays, lines, strict=False)}
    return client.post(address(section, **query), fields)


def standing(plays):
    results = Result.objects.filter(play__in=plays, stands=True)
    by_play = {result.play_id: result.outcome for result in results}
    return [by_play.get(play.pk) for play in plays]


def test_all_lines_of_a_slip_are_stored_and_the_next_one_comes(director, section, plays):
    plan, results = section.plan, section.results
    answer = send(director, section, plays, "4ss=", "4hs+1", "p")
    assert answer.url == address(section, round=2, table=4)
    assert standing(plays) == [FOUR_SPADES, FOUR_HEARTS, {"passed": True}]
    section.refresh_from_db()
    assert (section.plan, section.results) == (plan, results + 1)
    assert set(Result.objects.values_list("source", flat=True)) == {ResultSource.SLIP}
    assert "Table 3: 3 results saved." in words(director.get(answer.url))


def test_nothing_is_stored_while_a_line_is_wrong(director, section, plays):
    answer = send(director, section, plays, "4ss=", "4hs+5", "620")
    text = words(answer)
    assert answer.status_code == 422
    assert "Not +5 tricks: at most +3, at least −10." in text
    assert "by South, 10 tricks" in text  # the line that is right is read back still
    assert not Result.objects.exists()
    sent = field_data(answer)
    assert [sent[f"line-{play.pk}"] for play in plays] == ["4ss=", "4hs+5", "620"]


def test_what_no_table_can_have_had_is_wrong_too(director, section, plays):
    answer = send(director, section, plays, "4ss=", "11")
    assert answer.status_code == 422
    assert "This result is impossible on this board." in words(answer)
    assert not Result.objects.exists()


def test_the_first_wrong_line_has_the_focus_else_the_first_open_one(director, section, plays):
    def focused(answer):
        return int(re.search(r'id="line-(\d+)"[^>]*autofocus', answer.content.decode())[1])

    assert focused(page(director, section, round=2, table=3)) == plays[0].pk
    assert focused(send(director, section, plays, "4ss=", "4hs", "9")) == plays[1].pk
    send(director, section, plays, "4ss=")
    assert focused(page(director, section, round=2, table=3)) == plays[1].pk


def test_empty_lines_stay_as_they_are_and_the_slip_comes_again(director, section, plays):
    answer = send(director, section, plays, "4ss=", "", "")
    assert answer.url == address(section, round=2, table=3)
    assert standing(plays) == [FOUR_SPADES, None, None]
    send(director, section, plays, "", "4hs+1", "")
    assert standing(plays) == [FOUR_SPADES, FOUR_HEARTS, None]


def test_the_button_goes_on_also_where_a_line_is_left_for_later(director, section, plays):
    sent = field_data(page(director, section, round=2, table=3)) | {"go": "on"}
    answer = send(director, section, plays, "4ss=", "", "p", sent=sent)
    assert answer.url == address(section, round=2, table=4)
    assert standing(plays) == [FOUR_SPADES, None, {"passed": True}]


def test_a_line_that_is_left_alone_changes_nothing(director, section, plays):
    send(director, section, plays, "4ss=", "4hs+1", "p")
    section.refresh_from_db()
    before = section.results
    send(director, section, plays)
    section.refresh_from_db()
    assert section.results == before
    assert Result.objects.count() == 3


def test_a_slip_sent_twice_is_stored_once(director, section, plays):
    sent = field_data(page(director, section, round=2, table=3))
    for _ in range(2):
        answer = send(director, section, plays, "4ss=", "4hs+1", "p", sent=sent)
        assert answer.status_code == 302
    assert Result.objects.count() == 3


def test_what_another_director_wrote_meanwhile_is_not_overwritten(director, section, plays):
    sent = field_data(page(director, section, round=2, table=3))
    enter_result(section, plays[1].pk, FOUR_HEARTS, by=None)
    answer = send(director, section, plays, "4ss=", "2cn=", "p", sent=sent)
    assert answer.status_code == 422
    assert "Somebody else has entered another result meanwhile: 4 hearts S +1." in words(answer)
    assert standing(plays) == [None, FOUR_HEARTS, None]
    # once more, and it is meant
    assert send(director, section, plays, sent=field_data(answer)).status_code == 302
    assert standing(plays)[1] == {"contract": "2C", "declarer": "N", "tricks": 8}


def test_a_line_left_alone_does_not_bring_back_what_another_director_corrected(
    director, section, plays
):
    enter_result(section, plays[0].pk, FOUR_SPADES, by=None)
    sent = field_data(page(director, section, round=2, table=3))
    enter_result(section, plays[0].pk, FOUR_HEARTS, by=None)
    wrong = send(director, section, plays, "4ss=", "9", sent=sent)
    assert wrong.status_code == 422
    send(
        director,
        section,
        plays,
        field_data(wrong)[f"line-{plays[0].pk}"],
        "p",
        sent=field_data(wrong),
    )
    assert standing(plays) == [FOUR_HEARTS, {"passed": True}, None]


def test_who_is_faster_between_looking_and_writing_is_not_overwritten(
    director, section, plays, monkeypatch
):
    def meanwhile(section, entered, **kwargs):
        enter_result(section, plays[0].pk, FOUR_HEARTS, by=None)
        return enter_results(section, entered, **kwargs)

    monkeypatch.setattr(slips, "enter_results", meanwhile)
    answer = send(director, section, plays, "4ss=", "p")
    assert answer.status_code == 409
    assert standing(plays) == [FOUR_HEARTS, None, None]


def test_a_round_taken_back_meanwhile_is_said(director, section, plays):
    sent = field_data(page(director, section, round=2, table=3))
    take_back_round(section, round=2, by=director_of(section.club))
    answer = send(director, section, plays, "4ss=", sent=sent, round=2, table=3)
    assert answer.status_code == 409
    assert "Nobody plays this board there." in words(answer)
    assert not Result.objects.exists()


def test_what_stands_is_there_to_be_corrected(director, section, plays):
    enter_result(section, plays[0].pk, {**FOUR_SPADES, "lead": "HT"}, by=None)
    enter_result(section, plays[1].pk, {"assigned": {"ns": [[50, 420], [50, -50]]}}, by=None)
    answer = page(director, section, round=2, table=3)
    sent = field_data(answer)
    assert sent[f"line-{plays[0].pk}"] == "4ss= h10"
    assert sent[f"line-{plays[1].pk}"] == ""  # no line can say it
    assert "50 % +420" in words(answer)
    send(director, section, plays, "4ss= h10", "", "p")
    assert [
        result["number"] for result in Result.objects.filter(play=plays[0]).values("number")
    ] == [1]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("4ss+1", {**FOUR_SPADES, "tricks": 11, "lead": "HT"}),
        ("4ss+1 c2", {**FOUR_SPADES, "tricks": 11, "lead": "C2"}),
        ("4ss=", FOUR_SPADES),
        ("4hs+1", {**FOUR_HEARTS, "lead": "HT"}),
        ("4sn=", {**FOUR_SPADES, "declarer": "N"}),
        ("p", {"passed": True}),
    ],
    ids=["kept", "another lead", "lead deleted", "other strain", "other declarer", "passed out"],
)
def test_a_line_typed_anew_keeps_the_lead_against_the_same_declarer(
    director, section, plays, typed, expected
):
    enter_result(section, plays[0].pk, {**FOUR_SPADES, "lead": "HT"}, by=None)
    send(director, section, plays, typed)
    assert standing(plays)[0] == expected


def test_a_traveller_has_the_board_at_every_table_so_far(director, section):
    plays = list(section.plays.filter(board=4))
    answer = page(director, section, board=4)
    text = words(answer)
    assert "Traveller: board 4" in text
    assert len(plays) == 2
    for play in plays:
        assert f"Round {play.round}, table {play.table}" in text
    assert send(director, section, plays, "4ss=", "3ns-1", board=4).url == address(section, board=5)
    assert standing(plays) == [FOUR_SPADES, {"contract": "3NT", "declarer": "S", "tricks": 8}]


def test_the_same_at_other_tables_is_said(director, section, plays):
    other = section.plays.filter(board=plays[0].board).exclude(pk=plays[0].pk).get()
    enter_result(section, other.pk, FOUR_SPADES, by=None)
    enter_result(section, plays[0].pk, FOUR_SPADES, by=None)
    assert "same as 1 other" in words(page(director, section, round=2, table=3))


def test_the_last_slip_leads_to_the_round(director, section):
    for play in section.plays.filter(round=2).exclude(table=7):
        enter_result(section, play.pk, {"passed": True}, by=None)
    plays = section.plays.filter(round=2, table=7)
    answer = send(director, section, plays, "p", "p", "p", round=2, table=7)
    assert answer.url == f"{reverse('results', args=[section.code])}?round=2"


def test_without_a_table_the_first_slip_that_misses_something_comes(director, section):
    for play in section.plays.filter(round=2, table__in=(1, 2)):
        enter_result(section, play.pk, {"passed": True}, by=None)
    answer = page(director, section)
    assert "Slip: table 3, round 2" in words(answer)
    assert "2 slips of 7 are complete." in words(answer)


@pytest.mark.parametrize("query", [{"round": 9, "table": 99}, {"round": "x"}, {"board": 999}])
def test_an_address_that_nobody_wrote_shows_a_slip(director, section, query):
    page(director, section, **query)


def test_before_the_first_round_there_are_no_slips(client):
    section = section_with(8, "howell")
    client.force_login(director_of(section.club))
    assert client.get(address(section)).url == reverse("results", args=[section.code])
    assert client.post(address(section), {}).url == reverse("results", args=[section.code])


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [
        (13, "mitchell", "pairs"),
        (12, "individual", "individual"),
        (8, "team-round-robin", "teams"),
        (9, "swiss", "teams"),
        (20, "share-and-relay", "pairs"),
    ],
)
def test_every_contest_has_slips_for_all_its_boards(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    played = section.plays.exclude(ns=None).exclude(ew=None)
    tables = set(played.values_list("table", flat=True))
    found = [field_data(page(client, section, round=1, table=table)) for table in tables]
    keys = {int(name[5:]) for item in found for name in item if name.startswith("line-")}
    assert keys == {play.pk for play in played}


# ── reading back ──


def reading(client, section, play, line):
    where = reverse("slip-reading", args=[section.code, play.pk])
    return client.get(where, {f"line-{play.pk}": line})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("4ss=", "4 by South, 10 tricks"),
        ("1nw-6", "1 NT by West, 1 trick"),
        ("p", "passed 0"),
        ("4s", "Who was declarer? N E S W"),
        ("4hs+5", "Not +5 tricks: at most +3, at least −10."),
        ("-", "not played"),
        ("-100", "only the points −100"),
        ("", ""),
    ],
)
def test_a_line_is_read_back_while_it_is_typed(director, section, plays, line, says):
    text = words(reading(director, section, plays[0], line)).strip()
    assert text.startswith(says)
    assert bool(text) == bool(says)


def test_only_what_more_keys_cannot_mend_is_called_wrong(director, section, plays):
    for line, is_wrong in (
        *(("4", False), ("4h", False), ("4hs", False), ("4hs+", False), ("-5", False)),
        *(("4q", True), ("4hq", True), ("4hs+9", True), ("x", True)),
    ):
        text = reading(director, section, plays[0], line).content.decode()
        assert ("field-error" in text) == is_wrong, line


def test_what_is_typed_is_read_back_as_text(director, section, plays):
    text = reading(director, section, plays[0], "4hs= <b>x").content.decode()
    assert "<b>" not in text


def test_reading_is_for_directors_of_the_club_and_boards_of_the_section(
    client, director, section, plays
):
    other = section_with(8, "howell", round=1)
    assert reading(director, section, other.plays.first(), "p").status_code == 204
    client.logout()
    assert reading(client, section, plays[0], "p").status_code == 302
    client.force_login(director_of(other.club))
    assert reading(client, section, plays[0], "p").status_code == 404


def test_slips_of_another_section_are_not_stored_here(director, section):
    other = section_with(8, "howell", round=2, club=section.club)
    Section.objects.filter(pk=other.pk).update(session=section.session, name="B")
    Section.objects.filter(pk=section.pk).update(name="A")
    play = other.plays.first()
    answer = director.post(address(section, round=2, table=3), {f"line-{play.pk}": "p"})
    assert answer.status_code == 409
    assert not Result.objects.exists()


def test_nobody_else_stores_slips(client, section, plays):
    client.force_login(director_of(section_with(8).club))
    fields = {f"line-{plays[0].pk}": "p"}
    assert client.post(address(section, round=2, table=3), fields).status_code == 404
    assert not Result.objects.exists()


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("5", {"round": 2, "table": 5}),
        (" 05 ", {"round": 2, "table": "05"}),
        ("1/5", {"round": 1, "table": 5}),
        ("1-5", {"round": 1, "table": 5}),
        ("B4", {"board": 4}),
        ("b 4", {"board": 4}),
        ("Board 4", {"board": 4}),
        ("Tisch 6", {"round": 2, "table": 6}),
    ],
)
def test_one_field_opens_every_slip(director, section, typed, query):
    answer = director.get(address(section, round=2, table=3, to=typed))

    assert answer.url == address(section, **query)
    assert (
        director.get(answer.url)
        .context["stack"]
        .is_asked_for({key: str(value) for key, value in query.items()})
    )


@pytest.mark.parametrize("typed", ["8", "3/1", "B99", "x", "", "2/5/1", "²", "0", "١", "5" * 30])
def test_a_slip_that_is_not_there_is_named_and_the_page_stays(director, section, typed):
    answer = director.get(address(section, round=2, table=3, to=typed))

    assert answer.url == address(section, round=2, table=3)
    assert f"No slip is called “{typed[:20]}”." in words(director.get(answer.url))


def test_a_number_alone_is_a_table_on_a_traveller_too(director, section):
    opened = page(director, section, board=4)

    assert 'name="board" value="4"' in opened.content.decode()
    answer = director.get(address(section, board=4, to="5"))
    assert answer.url == address(section, round=2, table=5)
