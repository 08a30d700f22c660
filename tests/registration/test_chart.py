"""A club's chart: every line can be played, goes out and comes in as a file, and stands first in the suggestions."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.planning.charts import (
    chart_of_club,
    default_line,
    own_chart,
    own_chart_line,
    store_chart,
    store_chart_line,
)
from bridgebuddy.planning.models import ClubChart
from bridgebuddy.planning.rules.chart import (
    LONGEST_REASON,
    BadChart,
    ChartLine,
    MovementChoice,
    build_movement,
    chart_line_for,
    chart_text,
    read_chart,
    usual_chart,
    usual_line,
)
from bridgebuddy.planning.rules.filling import suggested_line
from movements.engine.adviser import Wishes
from movements.engine.laws import find_errors
from tests.factories import section_with

LINE = {"pairs": 15, "family": "share-and-relay", "rounds": 8, "boards": 3}


def test_every_line_of_the_chart_that_clubs_start_with_can_be_played():
    chart = usual_chart()

    assert [item.pairs for item in chart] == list(range(3, 61))
    for line in chart:
        for choice in (line.choice, *line.others):
            movement = build_movement(line.pairs, choice)
            assert find_errors(movement) == (), (line.pairs, choice)
            assert len(movement.contestants) == line.pairs
            assert (movement.tables, movement.rounds) == (choice.tables, choice.rounds)


@pytest.mark.parametrize("pairs", [5, 9, 15, 16, 22])
def test_the_chart_that_clubs_start_with_is_what_is_suggested(pairs):
    assert suggested_line(Wishes(pairs=pairs, missing_line="")) == chart_line_for(
        usual_chart(), pairs
    )


def test_one_line_of_it_is_that_line_and_builds_no_other():
    assert [usual_line(number) for number in range(3, 61)] == list(usual_chart())
    assert [usual_line(number) for number in (0, 2, 61)] == [None] * 3


def test_what_the_chart_says_of_so_many_pairs_is_the_line_of_it(club):
    assert default_line(club, 15) == chart_line_for(chart_of_club(club), 15)

    store_chart_line(club, ChartLine(15, MovementChoice("howell", 8, 15, 2, "ew"), "our own"))

    assert default_line(club, 15).reason == "our own"
    assert default_line(club, 16) == chart_line_for(chart_of_club(club), 16)


def test_a_line_that_a_club_has_taken_out_is_none_and_not_the_usual_one(club):
    usual = chart_of_club(club)
    store_chart(club, [line for line in usual if line.pairs != 15])

    assert [default_line(club, pairs) for pairs in (14, 15)] == [chart_line_for(usual, 14), None]


def test_what_is_written_is_read_again():
    assert read_chart(chart_text(usual_chart())) == usual_chart()
    assert read_chart(chart_text(())) == ()


def test_the_longest_reason_is_read_again():
    longest = "x" * LONGEST_REASON

    (line,) = read_chart(json.dumps({"lines": [LINE | {"reason": longest}]}))

    assert line.reason == longest


def test_another_choice_says_no_more_than_its_name():
    (line,) = read_chart(
        json.dumps({"lines": [LINE | {"missing": "ew", "others": [{"family": "crisscross"}]}]})
    )

    assert line.others == (MovementChoice("crisscross", 8, 8, 3, "ew"),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"pairs": 2}, "lines[0].pairs: 2 is less than 3"),
        ({"pairs": 61}, "lines[0].pairs: 61 is more than 60"),
        ({"family": "waltz"}, "lines[0].family: 'waltz' is no movement known here"),
        ({"rounds": 0}, "lines[0].rounds: 0 is less than 1"),
        ({"boards": 21}, "lines[0].boards: 21 is more than 20"),
        ({"tables": 9}, "lines[0].tables: 9 is not 8"),
        ({"missing": "north"}, "lines[0].missing: 'north' is not ns or ew"),
        ({"options": {"speed": 3}}, "lines[0].options.speed: is not known"),
        ({"reason": "x" * 201}, "lines[0].reason: is longer than 200 letters"),
        ({"why": "?"}, "lines[0].why: is not known"),
        ({"others": [{"family": "waltz"}]}, "lines[0].others[0].family: 'waltz' is no movement known here"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_chart_is_one_sentence(line, said):
    with pytest.raises(BadChart) as refused:
        read_chart(json.dumps({"lines": [LINE | line]}))

    assert str(refused.value) == said


def test_a_number_of_pairs_has_one_line_and_a_movement_that_cannot_be_is_refused():
    with pytest.raises(BadChart, match=r"^lines\[1\]\.pairs: 15 twice$"):
        read_chart(json.dumps({"lines": [LINE, LINE]}))
    with pytest.raises(BadChart, match=r"^lines\[0\]\.family: Skip Mitchell needs an even number"):
        read_chart(
            json.dumps({"lines": [LINE | {"pairs": 18, "family": "skip-mitchell", "rounds": 7}]})
        )


# ── of a club ──

pytestmark = pytest.mark.django_db


def test_a_line_whose_movement_there_no_longer_is_leaves_the_others(club):
    lines = [LINE, LINE | {"pairs": 16, "family": "waltz"}]
    ClubChart.objects.create(club=club, lines=lines)

    assert [item.pairs for item in own_chart(club)] == [15]
    assert own_chart_line(club, 16) is None
    assert own_chart_line(club, 17) is None


def test_the_suggestions_begin_with_what_the_club_plays(club, alice, signed_in):
    section = section_with(14, club=club, by=alice)
    page = reverse("choose-movement", args=[section.code])
    before = signed_in(alice).get(page)
    assert "Best for tonight" in before.content.decode()
    assert before.context["rows"][0].name != "howell"
    store_chart_line(
        club, ChartLine(14, MovementChoice("howell", 7, 13, 2), "We like to meet everybody")
    )

    found = signed_in(alice).get(page)

    first = found.context["rows"][0]
    assert (first.name, first.size.rounds, first.size.boards_per_round) == ("howell", 13, 2)
    assert [row.name for row in found.context["rows"][:20]].count("howell") == 1
    reasons = {row.name: row.reason_below for row in before.context["rows"]}
    others = found.context["rows"][1:]  # the chart is no reason against them
    assert all(row.reason_below == reasons[row.name] for row in others if row.name in reasons)
    text = found.content.decode()
    assert "As your chart says" in text
    assert "We like to meet everybody" in text
    assert (
        found.context["fairer"].advice.score - first.advice.score == found.context["fairer_by"] > 0
    )
    chosen = dict(found.context["answers"]) | {"family": "howell", "size": first.size_value}
    assert signed_in(alice).post(page, chosen).status_code == 302
    section.refresh_from_db()
    assert (section.movement.family, section.stored.rounds) == ("howell", 13)


def test_a_chart_is_changed_line_by_line_filled_again_and_carried_to_another_club(
    club, alice, signed_in
):
    browser, page = signed_in(alice), reverse("club-chart", args=[club.pk])
    assert browser.get(page).context["is_own"] is False
    said = {"pairs": "15", "family": "crisscross", "rounds": "8", "boards": "3", "missing": "ew"}

    assert browser.post(page, said | {"reason": "no stand"}).status_code == 302
    line = own_chart_line(club, 15)
    assert (line.choice, line.reason) == (MovementChoice("crisscross", 8, 8, 3, "ew"), "no stand")
    assert line.others[0].family == "share-and-relay"
    assert len(own_chart(club)) == 58
    file = browser.get(reverse("chart-file", args=[club.pk]))
    assert read_chart(file.content.decode()) == own_chart(club)

    browser.post(page, {"fill": "1"})
    assert own_chart(club) == usual_chart()
    browser.post(page, {"file": SimpleUploadedFile("chart.json", file.content)})
    assert own_chart_line(club, 15).reason == "no stand"


@pytest.mark.parametrize(
    "sent",
    [
        {"pairs": "14", "family": "skip-mitchell", "rounds": "7", "boards": "3"},
        {"pairs": "15", "family": "howell", "rounds": "", "boards": "3"},
        {"pairs": "99", "family": "howell", "rounds": "5", "boards": "3"},
        {"pairs": "x"},
        {},
        {"file": SimpleUploadedFile("chart.json", b"\xff\xfe")},
        {"file": SimpleUploadedFile("chart.json", b'{"lines": [{}]}')},
        {"file": SimpleUploadedFile("chart.json", b"")},
    ],
)
def test_what_cannot_be_played_is_refused_in_words_and_changes_nothing(
    club, alice, signed_in, sent
):
    answer = signed_in(alice).post(reverse("club-chart", args=[club.pk]), sent)

    assert answer.status_code == 422
    assert answer.context["problem"]
    assert own_chart(club) == ()
    assert chart_of_club(club) == usual_chart()


def test_the_command_prints_a_chart_reads_it_and_keeps_it_for_a_club(club, tmp_path, capsys):
    path = tmp_path / "chart.json"
    path.write_text(json.dumps({"lines": [LINE | {"reason": "Łódź"}]}))
    out = io.StringIO()

    call_command(
        "chart", "--read", str(path), "--club", str(club.pk), "--format", "json", stdout=out
    )
    assert json.loads(out.getvalue())["lines"][0]["reason"] == "Łódź"
    assert own_chart_line(club, 15).reason == "Łódź"
    out = io.StringIO()
    call_command("chart", stdout=out)
    assert " 15  share-and-relay: 8 tables, 8 × 3" in out.getvalue()

    store_chart(club, ())
    for arguments in (["--club", "nobody"], ["--read", "nowhere.json"]):
        with pytest.raises(SystemExit) as left:
            call_command("chart", *arguments)
        said = capsys.readouterr()
        assert (left.value.code, said.out, len(said.err.strip().splitlines())) == (2, "", 1)


def test_the_page_begins_with_the_numbers_of_pairs_that_come(club, alice, signed_in):
    browser, page = signed_in(alice), reverse("club-chart", args=[club.pk])
    before = [line.pairs for line, *_ in browser.get(page).context["lines"]]
    section_with(10, "mitchell", round=1, club=club, by=alice)
    section_with(14, club=club, by=alice)  # entered, but not played

    shown = browser.get(page)
    whole = browser.get(page, {"all": 1})

    assert before == list(range(6, 25))
    assert [line.pairs for line, *_ in shown.context["lines"]] == list(range(7, 14))
    assert shown.context["hidden"] + 7 == len(whole.context["lines"])
    assert (whole.context["lines"][0][0].pairs, whole.context["hidden"]) == (3, 0)


def test_the_reasons_of_the_demo_clubs_chart_are_read_in_ones_language(client):
    director = make_demo_club("a long password")
    client.force_login(director)
    address = reverse("club-chart", args=[director.memberships.get().club_id])

    german = client.get(address, {"all": "1"}, headers={"accept-language": "de"}).content.decode()

    assert "Jedes Paar trifft jedes andere." in german
    assert "Everybody meets everybody." not in german
