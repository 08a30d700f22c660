"""The desk's pages of teams: matches, cross table, one match, and the pairs' list."""

import re
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.urls import reverse

from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.services.rulings import rule_match
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.teams import column_places, signed_places
from tests.factories import director_of, section_with
from tests.scoring.test_team_evenings import after_leaving, scored, team_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    section = team_evening(4, "team-round-robin")
    scored(section, vp="wbf-discrete")
    return section


def first_match(section):
    found = TeamMatches(ScoredSession(SessionSnapshot(section))).all[0]
    return [found.round, found.home.slug, found.away.slug]


def page(client, name, *args, **query):
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_every_page_of_teams_is_there(director, section):
    assert "Everybody against everybody" in page(director, "matches", section.code)
    assert "Open room" in page(director, "match", section.code, *first_match(section))
    assert "played best" in page(director, "butler", section.code)
    assert "W–D–L" in page(director, "ranking", section.code)


def test_published_pages_of_teams_are_there(client, section):
    publish_results(section, by=None)
    token = ScoringSettings.objects.get().token

    assert "W–D–L" in page(client, "public-results", token)
    assert "Everybody against everybody" in page(client, "public-matches", token)
    assert "Open room" in page(client, "public-match", token, "A", *first_match(section))
    assert "Butler" in page(client, "public-pairs", token)


def test_a_match_by_boards_is_ruled_on_in_no_victory_points_whatever_the_federations_scale(
    director,
):
    """It has none: a federation's rules bring a scale, for matches in IMPs."""
    section = team_evening(4, "team-round-robin")
    scored(section, method="bam", preset="ACBL")
    director.force_login(director_of(section.club))

    assert "Rule on the whole match" not in page(
        director, "match", section.code, *first_match(section)
    )


@pytest.mark.parametrize("asked", ["", "0", "²", "٣", "-1", "1" * 5000, "9" * 400])
def test_any_round_may_be_asked_for(director, section, asked):
    shown = page(director, "matches", section.code, round=asked)

    assert "Everybody against everybody" in shown


def test_matches_that_do_not_count_are_not_still_to_be_played(client):
    found = after_leaving("team-round-robin", 6, 2, played=2)
    section = found.scored.tonight.section
    client.force_login(director_of(section.club))

    matrix = page(client, "matches", section.code).partition('class="xmat"')[2]

    matrix = matrix.partition("</table>")[0]
    assert matrix.count("A team has left: this match does not count.</span>–") == 10
    assert "plays" not in matrix
    assert "·" not in matrix


OWN = {"method": "team-imps", "vp": "own", "own_total": "30", "own_cap": "25"}
LEAST = "2 5 8 11 14 17 20 23 26 29 33 37 41 45 49"


def choose(director, section, **said):
    return director.post(reverse("results-profile", args=[section.code]), OWN | said)


def test_a_club_types_a_table_of_victory_points_of_its_own(director, section):
    assert choose(director, section, own_least=LEAST).status_code == 302

    vp = ScoringSettings.objects.get().profile["vp"]
    assert vp["least"] == [int(part) for part in LEAST.split()]
    assert (vp["total"], vp["draw"], vp["cap"]) == (30, 15, 25)
    shown = page(director, "ranking", section.code)
    assert LEAST in shown
    assert "the club’s own table" in page(director, "match", section.code, *first_match(section))
    assert all(
        match.score.home + match.score.away <= 30 and match.score.greater_first[0] <= 25
        for match in TeamMatches(ScoredSession(SessionSnapshot(section))).all
        if match.score
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"own_least": ""}, "Enter the number of IMPs for each point."),
        ({"own_least": "1 3 x"}, "Only whole numbers, with spaces between."),
        ({"own_least": "1 7 3"}, "Each number is greater than the one before it."),
        (
            {"own_least": LEAST + " 60"},
            ("A match has at most 15 points above half. Enter fewer numbers."),
        ),
        ({"own_least": LEAST, "own_total": "31"}, "Half of it must be a whole number."),
        (
            {"own_least": LEAST, "own_cap": "15"},
            ("Enter a number between half and all of the points."),
        ),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_is_wrong(director, section, said, words):
    before = ScoringSettings.objects.get().profile
    answer = choose(director, section, **said)

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert ScoringSettings.objects.get().profile == before


def test_what_stands_in_a_table_that_is_not_chosen_stops_nothing(director, section):
    assert choose(director, section, vp="acbl-20", own_least="x").status_code == 302
    assert ScoringSettings.objects.get().profile["vp"] == "acbl-20"


def test_a_league_is_ranked_by_victory_points_unless_the_club_says_imps(client):
    section = section_with(6, contest="teams")
    client.force_login(director_of(section.club))

    chosen = client.post(
        reverse("choose-movement", args=[section.code]),
        {"family": "team-round-robin", "size": "5x4"},
        follow=True,
    )
    assert "Matches count in victory points" in chosen.content.decode()
    fold = f"{reverse('entries', args=[section.code])}?open=boards#boards"
    assert chosen.redirect_chain[-1][0] == fold
    section.refresh_from_db()
    assert SessionSnapshot(section).document.profile.vp == "wbf-continuous"

    client.post(reverse("results-profile", args=[section.code]), {"method": "team-imps", "vp": ""})
    assert SessionSnapshot(section).document.profile.vp is None


@pytest.mark.parametrize(
    ("family", "teams", "vp"),
    [("team-awl", 5, "wbf-continuous"), ("knockout", 4, None), ("head-to-head", 2, None)],
)
def test_a_knock_out_and_one_match_alone_go_by_imps(family, teams, vp):
    section = section_with(teams, family, round=1, contest="teams")

    assert SessionSnapshot(section).document.profile.vp == vp


def columns_of(html, kind):
    """The texts of a table's cells, column by column."""
    table = html.split(f'class="{kind}"')[1].split("</table>")[0].split("<tbody>")[1]
    rows = [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row)]
        for row in table.split("</tr>")
        if "<td" in row
    ]
    return list(zip(*rows, strict=True))


def test_numbers_of_a_column_have_one_form_where_a_match_is_whole(director, section):
    """A match of 12 : 8 stands beside others of 12.29 : 7.71."""
    scored(section, vp="wbf-continuous")
    match = TeamMatches(ScoredSession(SessionSnapshot(section))).all[0]
    rule_match(
        section,
        match.round,
        match.home.entry,
        match.away.entry,
        kind="given",
        points=(Decimal(12), Decimal(8)),
        by=None,
    )

    crossed = columns_of(page(director, "matches", section.code), "xmat")
    boxes = page(director, "match", section.code, *first_match(section))
    listed = page(director, "matches", section.code, round=match.round)

    cells = [cell for column in crossed for cell in column if cell]
    assert {"12.00", "8.00"} < set(cells)
    assert all(re.fullmatch(r"\d+\.\d\d", cell) for cell in cells)
    assert "12.00 <small>:</small> 8.00" in boxes
    assert re.search(r"12\.00 : 8\.00", listed)


@pytest.mark.parametrize(
    ("totals", "written"),
    [((22, 21.72, None), ["+22.00", "+21.72", ""]), ((22, -3), ["+22", "−3"]), ((), [])],
)
def test_one_number_that_is_not_whole_gives_the_whole_column_decimals(totals, written):
    rows = [SimpleNamespace(row=SimpleNamespace(net=total)) for total in totals]

    most = column_places(rows, "row.net")

    assert [signed_places(row.row.net, most) for row in rows] == written
