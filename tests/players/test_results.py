"""Published results are open to all with their address; a pair's own ones need the code."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club, PublicName
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import rounds
from bridgebuddy.printing.context import PrintJob
from bridgebuddy.printing.results.score_sheets import score_sheets
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import ScoreSheet
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of
from tests.scoring.test_leaving import let_leave, played_on
from tests.scoring.test_tonight import scored_section

from .reading import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    return scored_section(14, "mitchell", rounds=7)


@pytest.fixture
def token(section):
    return publishing.publish_results(section, by=director_of(section.club)).token


def text_of(answer):
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_everybody_reads_what_is_published_without_code_or_account(client, section, token):
    text = text_of(client.get(reverse("public-results", args=[token])))
    assert "Anna North1" in text
    assert section.code not in text


def test_nothing_is_there_before_it_is_published_or_after_it_was_taken_back(client, section, token):
    publishing.unpublish_results(section, by=director_of(section.club))
    for name, args in (
        ("public-results", ()),
        ("public-sheets", ()),
        ("public-boards", ()),
        ("public-sheet", ("A", "NS1")),
        ("public-board", ("A", 1)),
    ):
        assert client.get(reverse(name, args=[token, *args])).status_code == 404


def test_a_deleted_session_has_no_results(client, section, token):
    section.session.deleted_at = timezone.now()
    section.session.save()
    assert client.get(reverse("public-results", args=[token])).status_code == 404


@pytest.mark.parametrize("wrong", ["x", "A" * 12, "'; drop", "²" * 12])
def test_a_token_that_is_not_one_leads_nowhere(client, token, wrong):
    assert client.get(f"/r/{wrong}/").status_code == 404


def test_a_score_sheet_has_every_board_against_whom(client, section, token):
    text = text_of(client.get(reverse("public-sheet", args=[token, "A", "NS1"])))
    assert "Round 1, table 1" in text
    assert "Place" in text
    assert client.get(reverse("public-sheet", args=[token, "A", "NS99"])).status_code == 404
    assert client.get(reverse("public-sheet", args=[token, "Z", "NS1"])).status_code == 404


def test_a_sheet_has_the_value_of_boards_that_were_sat_out(client):
    section = scored_section(9, "mitchell", rounds=5)
    by = director_of(section.club)
    publishing.set_scoring_profile(section, {"sit_outs": 60}, by=by)
    token = publishing.publish_results(section, by=by).token
    scored = ScoredSession(SessionSnapshot(section))
    with_sit_out = [
        sheet
        for contestant in scored.tonight.plans[section.pk].drawn.contestants.values()
        if (sheet := ScoreSheet(scored, section, contestant)).sat_out
    ]

    assert len(with_sit_out) == 5
    sheet = with_sit_out[0]
    ((boards, percent),) = sheet.sat_out
    assert (boards, percent) == ("4–6", 60)
    shares = [entry.percent for stage in sheet.begun_stages for entry in stage.entries]
    mean = (sum(shares) + 3 * percent) / 15
    assert round(float(mean), 2) == sheet.standing.row.percent
    address = reverse("public-sheet", args=[token, "A", sheet.contestant.slug])
    assert "Sat out: boards 4–6 60" in text_of(client.get(address))


def test_a_board_says_who_deals_and_who_is_vulnerable(client, token):
    answer = client.get(reverse("public-board", args=[token, "A", 2]))
    assert 'aria-label="Board 2, North-South vulnerable"' in answer.content.decode()
    assert "Board 2 Dealer East North-South vulnerable" in text_of(answer)


def test_players_read_the_reason_of_a_ruling_where_its_score_stands(client, section, token):
    play = section.plays.filter(board=1).exclude(ns=None).exclude(ew=None).first()
    awards = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    enter_result(section, play.pk, awards, reason="Card exposed on the floor", by=None)
    line = SessionSnapshot(section).line_of(play.pk)
    slug, other = line.ns[0].slug, "NS7"

    for address in (
        reverse("public-board", args=[token, "A", 1]),
        reverse("public-sheet", args=[token, "A", slug]),
        reverse("my-results", args=[section.code, slug]),
    ):
        assert text_of(client.get(address)).count("Card exposed on the floor") == 1, address
    assert slug != other
    assert "Card exposed" not in text_of(
        client.get(reverse("public-sheet", args=[token, "A", other]))
    )


def test_a_reason_names_players_in_public_as_they_wish(client, section, token):
    """Everybody reads the pages, and a director may write a name into the reason."""
    play = section.plays.filter(board=1).exclude(ns=None).exclude(ew=None).first()
    name = play.north.name
    surname = name.split()[-1]
    awards = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    enter_result(section, play.pk, awards, reason=f"{name} exposed a card", by=None)
    addresses = [
        reverse("public-board", args=[token, "A", 1]),
        reverse(
            "public-sheet", args=[token, "A", SessionSnapshot(section).line_of(play.pk).ns[0].slug]
        ),
        reverse("public-results", args=[token]),
    ]

    for address in addresses:
        assert f"{name} exposed a card" in text_of(client.get(address))
    Club.objects.filter(pk=section.club.pk).update(public_names=PublicName.INITIALS)
    for address in addresses:
        text = text_of(client.get(address))
        assert "exposed a card" in text
        assert surname not in text.partition("exposed a card")[0][-40:]


def test_the_public_ranking_has_the_footnotes_of_the_paper_one(client):
    section = played_on(let_leave(scored_section(14, "mitchell", rounds=1), 1), 7)
    play = section.plays.filter(board=11).exclude(ns=None).exclude(ew=None).first()
    awards = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    enter_result(section, play.pk, awards, reason="Card exposed on the floor", by=None)
    by = director_of(section.club)
    token = publishing.publish_results(section, by=by).token

    page = text_of(client.get(reverse("public-results", args=[token])))
    client.force_login(by)
    paper = text_of(client.get(reverse("print-preview", args=[section.code, "ranking"])))

    for note in (
        "EW 3 left before half of the boards: their results count for nobody.",
        "1) Board 11: N/S average plus, E/W average minus by ruling. Card exposed on the floor.",
    ):
        assert note in page
        assert note in paper
    assert len(re.findall(r" 1 \d\d[.]\d\d", page)) == 2  # the mark beside both pairs


def test_the_list_of_boards_says_what_its_numbers_are(client, token):
    page = text_of(client.get(reverse("public-boards", args=[token])))

    assert "Choose a board Board 1 Board 2 Board 3" in page


def test_after_the_end_a_phone_says_the_published_place_and_result_first(
    client, section, django_assert_max_num_queries
):
    by = director_of(section.club)
    finished = rounds.finish_session(section, round=7, by=by)
    address = reverse("player", args=[section.code, "NS1"])
    assert "The session is over Thank you for playing" in text_of(client.get(address))

    publishing.publish_results(finished, by=by)

    scored = ScoredSession(SessionSnapshot(finished))
    _list, standing = scored.list_with_contestant("A", "NS1")
    place = f"The session is over Place {standing.place} of 7 {standing.row.percent:.2f} %"
    page = text_of(client.get(address))
    assert place in page
    assert page.index(place) < page.index("The whole session")
    with django_assert_max_num_queries(3):
        client.get(address)
    publishing.unpublish_results(finished, by=by)
    assert "Place" not in text_of(client.get(address))


def test_a_phone_says_no_place_while_results_are_missing(client, section):
    by = director_of(section.club)
    play = section.plays.filter(round=7).exclude(ns=None).exclude(ew=None).first()
    enter_result(section, play.pk, None, by=by)
    finished = rounds.finish_session(section, round=7, by=by)
    publishing.publish_results(finished, by=by)

    page = text_of(client.get(reverse("player", args=[section.code, "NS1"])))
    assert "The session is over Thank you for playing" in page


def test_the_reason_of_a_correction_is_the_directors_alone(client, section, token):
    play = section.plays.filter(board=1).exclude(ns=None).exclude(ew=None).first()
    enter_result(section, play.pk, {"score": 420}, reason="The slip was misread", by=None)

    page = text_of(client.get(reverse("public-board", args=[token, "A", 1])))
    assert "+420" in page
    assert "misread" not in page


def test_a_board_has_all_its_results(client, section, token):
    page = client.get(reverse("public-board", args=[token, "A", 1])).content.decode()
    traveller = page.partition("How often")[0]
    assert traveller.count("<tr>") == 1 + section.plays.filter(board=1).exclude(ns=None).count()
    assert client.get(reverse("public-board", args=[token, "A", 99])).status_code == 404
    assert client.get(reverse("public-boards", args=[token])).status_code == 200


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [(8, "howell", "pairs"), (12, "individual", "individual"), (8, "swiss", "teams")],
)
def test_every_contest_can_be_published(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    token = publishing.publish_results(section, by=None).token
    for name in ("public-results", "public-sheets", "public-boards"):
        assert client.get(reverse(name, args=[token])).status_code == 200
    assert client.get(reverse("public-sheet", args=[token, "A", "1"])).status_code == 200
    # in drawn matches a number is another board in every match: these stand with their match
    status = 404 if contest == "teams" else 200
    assert client.get(reverse("public-board", args=[token, "A", 1])).status_code == status


def test_my_results_name_opponents_with_their_line_as_the_plan_does(client):
    section = scored_section(10, "mitchell")

    page = words(client.get(reverse("my-results", args=[section.code, "NS1"])))

    assert "against EW 1 North2 & South2" in page


@pytest.mark.parametrize(
    ("teams", "family", "rounds"),
    [(8, "swiss", 1), (7, "team-round-robin", 2), (8, "mitchell-teams", 3)],
)
def test_a_match_of_teams_is_counted_once_on_a_sheet(client, teams, family, rounds):
    section = scored_section(teams, family, contest="teams", rounds=rounds)
    token = publishing.publish_results(section, by=None).token
    job = PrintJob(SectionPlan.of(section), "a4", "")
    client.force_login(director_of(section.club))

    sheets = [
        client.get(reverse("score-sheet", args=[section.code, "1"])).context["sheet"],
        score_sheets(job, SheetSelection())[0].halves[0].sheet,
        client.get(reverse("public-sheet", args=[token, "A", "1"])).context["sheet"],
        client.get(reverse("my-results", args=[section.code, "1"])).context["sheet"],
    ]

    mine = TeamMatches(ScoredSession(SessionSnapshot(section))).matches_of_team(section, "1")
    matches = [match for match in mine if match.is_over]
    net = sum(match.net.home if match.home.slug == "1" else match.net.away for match in matches)
    for sheet in sheets:
        assert sum(stage.shown_value or 0 for stage in sheet.begun_stages) == pytest.approx(net)
        assert len([entry for stage in sheet.begun_stages for entry in stage.entries]) == 2 * sum(
            len(match.boards) for match in matches
        )


def test_nobody_learns_from_a_phone_what_came_of_a_board_that_is_still_played(client):
    section = scored_section(14, "mitchell", rounds=2)
    page = client.get(reverse("my-results", args=[section.code, "NS1"])).content.decode()
    assert page.count(">entered, shown later<") == 6
    assert 'class="con"' not in page
    assert "Place" not in page
    assert set(re.findall(r'<td class="r">\s*([^<]*?)\s*</td>', page)) == {""}


def test_at_the_end_a_player_sees_percentages_and_the_place(client, section):
    text = text_of(client.get(reverse("my-results", args=[section.code, "NS1"])))
    assert re.search(r"Place \d+=? of 7", text)
    assert "All results" not in text
    publishing.publish_results(section, by=None)
    assert "All results" in text_of(client.get(reverse("my-results", args=[section.code, "NS1"])))


def test_nobody_elses_label_breaks_the_page(client, section):
    assert client.get(reverse("my-results", args=[section.code, "XX9"])).status_code == 302


def test_each_session_has_a_token_of_its_own():
    first, second = (
        publishing.publish_results(scored_section(8, "howell", rounds=1), by=None) for _ in "ab"
    )
    assert first.token != second.token
    assert ScoringSettings.objects.count() == 2


def test_a_teams_phone_has_each_match_once_with_imps_and_victory_points(client):
    section = scored_section(8, "swiss", contest="teams", rounds=1)

    page = client.get(reverse("my-results", args=[section.code, "1"]))

    [match] = TeamMatches(ScoredSession(SessionSnapshot(section))).matches_of_team(section, "1")
    team = match.home if match.home.slug == "1" else match.away
    [shown] = page.context["matches"]
    assert (shown.against, shown.net, shown.vps) == (
        match.opponent_of(team).surnames,
        match.part_of_team(match.net, team),
        match.score_of_team(team),
    )
    assert f"Round 1, {shown.against}" in text_of(page)


def test_a_published_board_names_who_played_it_and_a_sheet_has_bars(client, section, token):
    board = text_of(client.get(reverse("public-board", args=[token, "A", 1])))
    sheet = client.get(reverse("public-sheet", args=[token, "A", "NS1"]))

    [one] = [entry for entry in section.entries.all() if entry.players[0].name == "Anna North1"]
    assert one.surnames.replace("&", "&amp;") in board
    assert sheet.content.decode().count('class="bar ') == len(
        [entry for stage in sheet.context["sheet"].begun_stages for entry in stage.entries]
    )


def test_a_name_leads_to_its_line_of_the_published_list(client, section, token):
    page, find = reverse("public-results", args=[token]), reverse("public-find", args=[token])

    answer = client.get(find, {"name": "north3"})

    assert answer.url == f"{page}#row-A-NS2"
    assert 'id="row-A-NS2"' in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Anna", "Which line is yours?"),
        ("Nroth3", "called “Nroth3”. Did you mean: 2 Anna North3"),
        ("Qwxyz", "No player here is called “Qwxyz”."),
        ("<i>qq", "No player here is called “&lt;i&gt;qq”."),
    ],
)
def test_of_a_name_that_is_no_line_those_are_named_who_could_be_meant(client, token, typed, said):
    answer = client.get(reverse("public-find", args=[token]), {"name": typed})
    assert said in text_of(answer)


def test_what_was_typed_is_in_nobody_elses_page(client, token):
    find = reverse("public-find", args=[token])
    text_of(client.get(find, {"name": "Qwxyz"}))
    assert "Qwxyz" not in text_of(client.get(find, {"name": "Anna"}))
    assert "Qwxyz" not in text_of(client.get(reverse("public-results", args=[token])))


def test_a_team_is_found_by_one_of_its_members(client):
    section = scored_section(8, "swiss", contest="teams", rounds=1)
    token = publishing.publish_results(section, by=director_of(section.club)).token
    page, find = reverse("public-results", args=[token]), reverse("public-find", args=[token])

    anchor = client.get(find, {"name": "East5"}).url.removeprefix(f"{page}#")

    assert f'id="{anchor}"' in client.get(page).content.decode()
