"""Rulings: shown before they are given, given as shown, and only for the session's own directors."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.desk.log import latest_events
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import OtherRuling
from bridgebuddy.scoring.models import FouledBoard, Penalty, Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import percent
from tests.factories import director_of, section_with
from tests.scoring.test_doubts import usual, written_down
from tests.scoring.test_team_evenings import team_evening
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    section = section_with(14, "mitchell", round=7)
    return written_down(section, lambda play: {**usual(play.board), "tricks": 7 + play.table % 4})


@pytest.fixture
def play(section):
    return section.plays.filter(board=5).first()


def plain(answer):
    return " ".join(answer.content.decode().split())


def counters(section):
    now = Section.objects.get(pk=section.pk)
    return now.plan, now.results


def hidden(text, name):
    match = re.search(rf'name="{name}" value="([^"]*)"', text)
    return match[1].replace("&quot;", '"') if match else ""


def give(browser, name, args, said):
    """Look at the effect of a ruling, then give exactly this ruling; return both answers."""
    address = reverse(name, args=args)
    shown = browser.post(address, {**said, "do": "show"})
    assert shown.status_code == 200, plain(shown)
    text = plain(shown)
    answer = browser.post(address, {**said, "do": "give", "shown": hidden(text, "shown")})
    return text, answer


def standing(play):
    return play.results.get(stands=True).outcome


WEIGHTED = {
    "kind": "weighted",
    "result_ns_1": "+110",
    "share_ns_1": "60",
    "result_ns_2": "2sn-1",
    "share_ns_2": "40",
}
SPLIT_FIELDS = ("result_ns_1", "result_ns_2", "result_ew_1", "result_ew_2")
RULINGS = {
    "weighted": (WEIGHTED, {"assigned": {"ns": [[60, 110], [40, -100]]}}),
    "one part": (
        {"kind": "weighted", "result_ns_1": "2sn="},
        {"assigned": {"ns": [[100, 110]]}},
    ),
    "thirds": (
        {
            "kind": "weighted",
            "result_ns_1": "110",
            "share_ns_1": "1/3",
            "result_ns_2": "0",
            "share_ns_2": "2/3",
        },
        {"assigned": {"ns": [["1/3", 110], ["2/3", 0]]}},
    ),
    "split": (
        {**WEIGHTED, "kind": "split", "result_ew_1": "+140", "share_ew_1": ""},
        {"assigned": {"ns": [[60, 110], [40, -100]], "ew": [[100, 140]]}},
    ),
    "averages": (
        {"kind": "average", "award_ns": "AVE+", "award_ew": "AVE-"},
        {"artificial": {"ns": "AVE+", "ew": "AVE-"}},
    ),
    "nobody's fault": (
        {"kind": "average", "award_ns": "AVE+", "award_ew": "AVE+", "outside": "on"},
        {"artificial": {"ns": "AVE+", "ew": "AVE+"}, "outside": True},
    ),
    "fixed": (
        {"kind": "average", "award_ns": "fixed", "fixed_ns": "55", "award_ew": "none"},
        {"artificial": {"ns": 55, "ew": None}},
    ),
    "cancelled": ({"kind": "not_played", "why_not": "cancelled"}, {"not_played": "cancelled"}),
    "missing": (
        {"kind": "not_played", "why_not": "missing-ew"},
        {"not_played": "missing", "side": "ew"},
    ),
    "later": ({"kind": "not_played", "why_not": "later"}, {"pending": True}),
}


@pytest.mark.parametrize("name", RULINGS)
def test_every_ruling_is_shown_and_then_given(director, section, play, name):
    said, outcome = RULINGS[name]
    was, before = standing(play), counters(section)
    text, answer = give(
        director, "results-line", [section.code, play.pk], {**said, "after": 1, "reason": "misled"}
    )
    assert "Effect" in text
    assert 'name="do" value="give"> Save' in text
    assert answer.headers["Location"] == reverse("board-results", args=[section.code, 5])
    assert standing(play) == outcome
    assert [result.outcome for result in play.results.all()] == [was, outcome]
    assert counters(section) == (before[0], before[1] + 1)
    last = play.results.last()
    assert (last.source, last.reason) == ("ruling", "misled")


def test_until_when_a_board_is_played_later_stands_before_why(director, section, play):
    said = {
        "kind": "not_played",
        "why_not": "later",
        "until": "22:20",
        "after": 1,
        "reason": "at table 5",
    }

    give(director, "results-line", [section.code, play.pk], said)

    assert play.results.last().reason == "You have until 22:20. at table 5"


def test_what_is_shown_is_what_comes_of_it(director, section, play):
    said = {**WEIGHTED, "after": 1}
    text, _answer = give(director, "results-line", [section.code, play.pk], said)
    scored = ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))
    line = scored.tonight.line_of(play.pk)
    table = text[text.index("Effect") :]
    for side, player in (("ns", line.ns[0]), ("ew", line.ew[0])):
        assert f"{percent(scored.side(line, side).percent, 1)} %" in table
        standing = scored.list_with_contestant("A", player.slug)[1]
        assert f"{standing.row.percent:.2f} %" in table
        assert f"place {standing.place}" in table


def test_showing_changes_nothing(director, section, play):
    before = counters(section)
    director.post(
        reverse("results-line", args=[section.code, play.pk]),
        {**WEIGHTED, "after": 1, "do": "show"},
    )
    assert counters(section) == before
    assert play.results.count() == 1


def test_what_was_not_shown_is_not_given(director, section, play):
    address = reverse("results-line", args=[section.code, play.pk])
    shown = hidden(plain(director.post(address, {**WEIGHTED, "after": 1})), "shown")
    other = {**WEIGHTED, "share_ns_1": "70", "share_ns_2": "30", "after": 1}
    answer = director.post(address, {**other, "do": "give", "shown": shown})
    assert answer.status_code == 200
    assert "Effect" in plain(answer)
    assert play.results.count() == 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"result_ns_1": "4h"}, "Type it like 4hs= or like +420."),
        ({"result_ns_1": ""}, "Type it like 4hs= or like +420."),
        ({"share_ns_1": "30"}, "The shares of a side add to 100 %."),
        ({"share_ns_1": "much"}, "A share is a number like 60, or 1/3."),
        ({"share_ns_1": "NaN"}, "A share is a number like 60, or 1/3."),
        ({"share_ns_1": "1/0"}, "The shares of a side add to 100 %."),
        ({"result_ns_1": "+36000"}, "Type it like 4hs= or like +420."),
        ({"kind": "average", "award_ns": "fixed"}, "Enter an amount of at most 100."),
        ({"kind": "average", "award_ns": "fixed", "fixed_ns": "101"}, "Enter an amount"),
        ({"kind": "nonsense"}, "nonsense"),
        ({"reason": "x" * 201}, "200"),
        ({"after": ""}, ""),
    ],
)
def test_what_cannot_be_read_is_said_beside_it(director, section, play, said, told):
    answer = director.post(
        reverse("results-line", args=[section.code, play.pk]),
        {**WEIGHTED, "after": 1, **said, "do": "give"},
    )
    assert answer.status_code == 422
    assert told in plain(answer)
    assert play.results.count() == 1


def test_of_two_directors_the_second_is_told_what_stands_now(director, section, play):
    said = {**WEIGHTED, "after": 1}
    address = reverse("results-line", args=[section.code, play.pk])
    shown = hidden(plain(director.post(address, said)), "shown")
    enter_result(section, play.pk, {"passed": True}, by=None)
    answer = director.post(address, {**said, "do": "give", "shown": shown})
    assert answer.status_code == 409
    assert "Somebody else has entered another result meanwhile: passed." in plain(answer)
    assert standing(play) == {"passed": True}


def test_a_ruling_that_stands_fills_the_form(director, section, play):
    outcome = {"assigned": {"ns": [[60, 110], [40, -100]], "ew": [["1/1", 140]]}}
    enter_result(section, play.pk, outcome, by=None)
    text = plain(director.get(reverse("results-line", args=[section.code, play.pk])))
    assert re.search(r'value="split"[^>]* checked', text)
    assert 'value="+110"' in text
    assert 'value="-100"' in text
    assert 'value="+140"' in text


def test_the_form_of_a_split_score_has_the_scores_of_each_side(director, section, play):
    outcome = {"assigned": {"ns": [[60, 110], [40, -100]], "ew": [["1/1", 140]]}}
    enter_result(section, play.pk, outcome, by=None)

    page = director.get(reverse("results-line", args=[section.code, play.pk]))

    fields = {name: page.context["form"][name].initial for name in SPLIT_FIELDS}
    assert fields == dict(zip(SPLIT_FIELDS, ["+110", "-100", "+140", None], strict=True))


# ── fouled boards ──


def test_a_fouled_board_is_shown_and_then_given(director, section):
    before = counters(section)
    text, answer = give(
        director,
        "fouled-board",
        [section.code, 5],
        {"where": "round", "from_round": 4, "reason": "two cards"},
    )
    assert "The two groups" in text
    assert answer.status_code == 302
    fouled = FouledBoard.objects.get()
    assert (fouled.board, fouled.from_round, fouled.tables, fouled.reason) == (
        *(5, 4, []),
        "two cards",
    )
    assert counters(section) == (before[0], before[1] + 1)
    director.post(reverse("unfoul-board", args=[section.code, fouled.pk]))
    fouled.refresh_from_db()
    assert fouled.taken_back_at is not None


def test_tables_can_be_named_instead_of_a_round(director, section):
    said = {"where": "tables", "tables": [2, 1], "from_round": 4}
    give(director, "fouled-board", [section.code, 5], said)
    fouled = FouledBoard.objects.get()
    assert (fouled.from_round, fouled.tables) == (None, [1, 2])


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"where": "tables"},
        {"where": "round"},
        {"where": "round", "from_round": 99},
        {"where": "tables", "tables": ["x"]},
    ],
)
def test_a_fouled_board_without_a_place_is_asked_for_again(director, section, said):
    answer = director.post(reverse("fouled-board", args=[section.code, 5]), {**said, "do": "give"})
    assert answer.status_code == 422
    assert not FouledBoard.objects.exists()


# ── penalties ──


def sheet(section, contestant=1):
    return [section.code, section.stored.without_seatings.label(contestant).replace(" ", "")]


FINE = {"kind": "procedural", "amount": "10", "unit": "top", "board": "", "reason": "late"}


@pytest.mark.parametrize(("family", "is_shown"), [("mitchell", False), ("howell", True)])
def test_a_sheet_names_directions_only_if_they_change(client, family, is_shown):
    section = scored_section(8 if family == "howell" else 10, family, rounds=3)
    client.force_login(director_of(section.club))
    label = "2" if family == "howell" else "NS2"

    text = client.get(reverse("score-sheet", args=[section.code, label])).content.decode()

    assert (">Direction<" in text) == is_shown


def test_a_penalty_is_shown_and_then_given_and_taken_back(director, section):
    before = counters(section)
    text, answer = give(director, "score-sheet", sheet(section), FINE)
    assert "Effect" in text
    assert answer.status_code == 302
    penalty = Penalty.objects.get()
    assert (float(penalty.amount), penalty.unit, penalty.reason) == (-0.1, "top", "late")
    page = plain(director.get(reverse("score-sheet", args=sheet(section))))
    assert "procedural penalty: −10 % of a top" in page
    assert counters(section) == (before[0], before[1] + 1)
    director.post(reverse("penalty-back", args=[section.code, penalty.pk]))
    penalty.refresh_from_db()
    assert penalty.taken_back_at is not None


def test_a_bonus_gives(director, section):
    give(director, "score-sheet", sheet(section), {**FINE, "kind": "bonus", "unit": "percent"})
    assert float(Penalty.objects.get().amount) == 10


@pytest.mark.parametrize(
    "said",
    [{"amount": "-1"}, {"amount": "x"}, {"unit": "imps"}, {"kind": "x"}, {"board": "99"}],
)
def test_a_penalty_that_cannot_be_read_is_asked_for_again(director, section, said):
    answer = director.post(
        reverse("score-sheet", args=sheet(section)), {**FINE, **said, "do": "give"}
    )
    assert answer.status_code == 422
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("unit", "is_of_match"), [("top", True), ("percent", True), ("vps", False)]
)
def test_what_gives_victory_points_is_taken_from_a_match(client, unit, is_of_match):
    section = scored_section(8, "swiss", rounds=1)
    client.force_login(director_of(section.club))
    said = {"kind": "procedural", "amount": "10", "unit": unit, "reason": ""}

    address = reverse("score-sheet", args=sheet(section))

    answer = client.post(address, said | {"do": "show"})

    assert answer.status_code == (422 if is_of_match else 200)
    assert ("The penalty counts in a match" in answer.content.decode()) == is_of_match
    before = ScoredSession(SessionSnapshot(section)).results.matches
    give(client, "score-sheet", sheet(section), said | {"round": "1"})
    after = ScoredSession(SessionSnapshot(section)).results.matches
    assert (before != after) == is_of_match
    assert Penalty.objects.filter(round=1).exists()


def test_what_was_ruled_stands_in_the_log_in_words(director, section, play):
    give(director, "results-line", [section.code, play.pk], {**WEIGHTED, "after": 1})
    ruling = play.results.last()
    director.post(reverse("results-undo", args=[section.code, ruling.pk]))
    give(director, "score-sheet", sheet(section), FINE)
    give(director, "fouled-board", [section.code, 5], {"where": "round", "from_round": 4})
    director.post(reverse("results-profile", args=[section.code]), {"method": "matchpoints"})
    told = [line.sentence for line in latest_events(Section.objects.get(pk=section.pk))]
    names = section.entries.get(contestant=1).names
    round, table = play.round, play.table
    assert told[:5] == [
        "Scored by Matchpoints.",
        "Board 5 had other cards at some tables: two groups.",
        f"{names}: −10 % of a top.",
        f"The ruling on board 5, table {table}, round {round} was taken back.",
        f"A ruling on board 5, table {table}, round {round}.",
    ]


# ── who may ──


def test_nobody_else_sees_or_gives_a_ruling(client, section, play):
    penalty = Penalty.objects.create(
        entry=section.entries.first(), unit="percent", amount=-1, kind="time"
    )
    fouled = FouledBoard.objects.create(section=section, board=5, from_round=4)
    result = Result.objects.filter(play=play).get()
    before = counters(section)
    client.force_login(director_of(scored_section(8, "howell", rounds=1).club))
    for name, args in (
        ("boards", [section.code]),
        ("board-results", [section.code, 5]),
        ("results-line", [section.code, play.pk]),
        ("fouled-board", [section.code, 5]),
        ("score-sheet", sheet(section)),
        ("look-at", [section.code]),
    ):
        assert client.get(reverse(name, args=args)).status_code == 404
    for name, args in (
        ("results-line", [section.code, play.pk]),
        ("fouled-board", [section.code, 5]),
        ("unfoul-board", [section.code, fouled.pk]),
        ("score-sheet", sheet(section)),
        ("penalty-back", [section.code, penalty.pk]),
        ("results-undo", [section.code, result.pk]),
        ("results-doubt", [section.code]),
    ):
        sent = {**WEIGHTED, **FINE, "after": 1, "do": "give", "kind": "weighted"}
        assert client.post(reverse(name, args=args), sent).status_code == 404
    assert counters(section) == before


def test_what_is_another_sections_is_not_found_by_ones_own(director, section):
    other = scored_section(8, "howell", rounds=1)
    penalty = Penalty.objects.create(
        entry=other.entries.first(), unit="percent", amount=-1, kind="time"
    )
    fouled = FouledBoard.objects.create(section=other, board=1, from_round=1)
    play = other.plays.first()
    assert director.get(reverse("results-line", args=[section.code, play.pk])).status_code == 404
    for name, key in (("penalty-back", penalty.pk), ("unfoul-board", fouled.pk)):
        assert director.post(reverse(name, args=[section.code, key])).status_code == 404
    penalty.refresh_from_db()
    assert penalty.taken_back_at is None


def test_at_the_other_table_of_a_match_another_artificial_score_is_refused_in_words(client):
    """Two of them cannot be scored: the ranking of the whole evening would be gone."""
    section = team_evening(7, "team-round-robin")
    director = director_of(section.club)
    client.force_login(director)
    triangle = section.stored.movement.triangles[0]
    first = section.plays.filter(round=triangle.rounds[0]).first()
    team = {first.ns_id, first.ew_id}
    other = next(
        play
        for play in section.plays.filter(board=first.board, round__in=triangle.rounds)
        if {play.ns_id, play.ew_id} == team and play.pk != first.pk
    )
    assert other.ns_id == first.ew_id
    enter_result(section, first.pk, {"artificial": {"ns": "AVE+", "ew": "AVE-"}}, by=director)
    before = counters(section)
    address = reverse("results-line", args=[section.code, other.pk])
    said = {"kind": "average", "award_ns": "AVE", "award_ew": "AVE", "reason": "x"}

    shown = client.post(address, {**said, "after": 1, "do": "show"})
    with pytest.raises(OtherRuling) as refused:
        enter_result(section, other.pk, {"artificial": {"ns": "AVE", "ew": "AVE"}}, by=director)
    assert refused.value.fields == {"board": first.board, "table": first.table}

    assert shown.status_code == 422
    assert f"has a different artificial score at table {first.table}" in plain(shown)
    assert "Effect" not in plain(shown)
    assert counters(section) == before
    assert not ScoredSession(SessionSnapshot(section)).problem
    enter_result(section, other.pk, {"artificial": {"ns": "AVE-", "ew": "AVE+"}}, by=director)
    assert not ScoredSession(SessionSnapshot(section)).problem
    with pytest.raises(OtherRuling):  # what stood before would stand again beside it
        enter_result(section, first.pk, {"artificial": {"ns": "AVE", "ew": "AVE"}}, by=director)
