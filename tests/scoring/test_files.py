"""Results as files: read back, they equal the document and its results."""

import csv
import io
import re
from collections import defaultdict
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.federation_numbers import NotANumber, stored_number
from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.files.exports import (
    FORMATS,
    exported_file,
    exported_session,
    people_of_session,
)
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.files.csv import csv_text
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.handing_in import store_federation_data
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.web.template_tags import long_date
from tests.events.test_sections import divided
from tests.factories import begun, director_of
from tests.scoring.test_leaving import let_leave, played_on
from tests.scoring.test_solving import DEALS, FACTS, STRAINS
from tests.scoring.test_tonight import enter_by_chance, scored_section
from tests.usebio import problems_of

pytestmark = pytest.mark.django_db

ODD = ("=SUM(A1) <b>O'Neill</b>", 'Jürgen "Jo" Škvor & Söhne')
AVERAGE = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
WEIGHTED = {"assigned": {"ns": [[60, 620], [40, -100]]}}


def evening(pairs=13, family="mitchell", rounds=7, contest="pairs", **kwargs):
    """An evening with odd names, an average, a weighted score and a board that was passed."""
    section = scored_section(pairs, family, rounds=rounds, contest=contest, **kwargs)
    plays = section.plays.exclude(ns=None).exclude(ew=None).order_by("pk")
    for play, outcome in zip(plays, (AVERAGE, WEIGHTED, {"passed": True}), strict=False):
        enter_result(section, play.pk, outcome, by=None)
    people = section.entries.first().players
    for person, name in zip(people, ODD, strict=False):
        Person.objects.filter(pk=person.pk).update(name=name)
    section.refresh_from_db()
    return section


def scored_of(section):
    return ScoredSession(SessionSnapshot(section))


def rows_of(scored):
    return {
        (standing.section, standing.contestant.slug): standing.row
        for found in scored.main_lists
        for standing in found.standings
    }


@pytest.mark.parametrize(
    ("pairs", "family"), [(13, "mitchell"), (8, "howell"), (14, "scrambled-mitchell")]
)
def test_a_pairs_matchpoints_in_usebio_add_to_its_total(pairs, family):
    scored = scored_of(evening(pairs, family, rounds=4))
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))

    sums = defaultdict(float)
    for line in root.iter("TRAVELLER_LINE"):
        for side in ("NS", "EW"):
            value = line.findtext(f"{side}_MATCH_POINTS")
            sums[line.findtext(f"{side}_PAIR_NUMBER")] += float(value)
    named = {
        (tuple(element.text for element in pair.iter("PLAYER_NAME"))): pair
        for pair in root.iter("PAIR")
    }
    assert len(named) == len({pair.findtext("PAIR_NUMBER") for pair in named.values()}) == pairs
    assert ODD in named
    for contestant in scored.tonight.contestants.values():
        pair, row = named[contestant.players], rows_of(scored)["A", contestant.slug]
        assert float(pair.findtext("PERCENTAGE")) == row.percent
        assert pair.findtext("PLACE") == row.place
        assert sums[pair.findtext("PAIR_NUMBER")] == pytest.approx(row.total, abs=0.01)
    lines = list(root.iter("TRAVELLER_LINE"))
    assert len(lines) == scored.entered_count
    assert [line.findtext("SCORE") for line in lines].count("A6040") == 1
    assert [line.findtext("CONTRACT") for line in lines].count("PASS") == 1


def test_usebio_has_two_points_for_each_result_beaten_whatever_is_shown():
    section = evening(8, "howell", rounds=4)
    plain, halved = (
        ElementTree.fromstring(
            FORMATS["usebio"].file(exported_session(ScoredSession(SessionSnapshot(section))))
        )
        for profile in ({}, {"preset": "ACBL"})
        if ScoringSettings.objects.update_or_create(
            session=section.session, defaults={"profile": profile}
        )
    )

    points = [
        [float(element.text) for element in root.iter() if element.tag.endswith("MATCH_POINTS")]
        for root in (plain, halved)
    ]

    assert points[0] == points[1]
    assert 5 < max(points[0]) <= 6  # three others can be beaten


def test_a_single_player_has_a_number_and_four_stand_in_a_line():
    scored = scored_of(evening(12, "individual", rounds=3, contest="individual"))
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))
    numbers = [element.findtext("PLAYER_NUMBER") for element in root.iter("PLAYER")]
    assert len(set(numbers)) == 12
    for line in root.iter("TRAVELLER_LINE"):
        four = [line.findtext(f"{seat}_PLAYER_NUMBER") for seat in "NSEW"]
        assert len(set(four) & set(numbers)) == 4


@pytest.mark.parametrize("family", ["team-round-robin", "swiss"])
def test_a_match_of_teams_has_both_tables_the_home_pair_first(family):
    scored = scored_of(evening(8, family, rounds=1, contest="teams"))
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))
    matches = list(root.iter("MATCH"))
    played = [match for match in scored.results.matches if match.rule == "match"]
    assert len(matches) >= len(played) == 4
    totals = {
        match.findtext("TEAM"): match.findtext("TEAM_SCORE")
        for match in matches
        if match.findtext("ROUND_NUMBER") == "1"
    }
    # victory points where matches are scored in them, else the difference
    assert totals == {
        re.search(r"\d+$", match.home)[0]: f"{(match.vps or match.imps).home:g}" for match in played
    }
    for board in matches[0].iter("BOARD"):
        assert [element.findtext("DIRECTION") for element in board.iter("TRAVELLER_LINE")] == [
            "NS",
            "EW",
        ]


def test_every_board_is_a_game_in_pbn_with_all_its_results():
    scored = scored_of(evening())
    text = FORMATS["pbn"].file(exported_session(scored)).decode("latin-1")
    games = text.split("[Event ")[1:]
    boards = {line.board for line in scored.tonight.lines if line.outcome}
    assert [int(re.search(r'\[Board "(\d+)"', game)[1]) for game in games] == sorted(boards)
    assert '[Dealer "S"]' in games[2]
    assert '[Vulnerable "EW"]' in games[2]

    sums = defaultdict(float)
    for game in games:
        columns = re.search(r'\[ScoreTable "([^"]+)"\]', game)[1].split(";")
        for line in game.split('ScoreTable "' + ";".join(columns))[1].splitlines()[1:]:
            if line:
                cells = dict(zip(columns, line.split(" "), strict=True))
                sums[cells["PairId_NS"]] += float(cells["MP_NS"].removeprefix("^"))
                sums[cells["PairId_EW"]] += float(cells["MP_EW"].removeprefix("^"))
    rows = rows_of(scored)
    assert sums == {slug: pytest.approx(row.total, abs=0.01) for (_, slug), row in rows.items()}
    assert '"=SUM(A1) <b>O\'Neill</b>;Jürgen \\"Jo\\" Skvor & Söhne"' in games[0]


def test_a_spreadsheet_gets_every_result_and_no_formula():
    scored = scored_of(evening())
    text = FORMATS["csv"].file(exported_session(scored)).decode("utf-8")
    assert text.startswith("\ufeffplace,")
    ranking, lines = (
        list(csv.DictReader(io.StringIO(part)))
        for part in text.removeprefix("\ufeff").split("\r\n\r\n")
    )
    rows = rows_of(scored)
    assert {row["label"]: float(row["percent"]) for row in ranking} == {
        slug: row.percent for (_, slug), row in rows.items()
    }
    assert [row["names"] for row in ranking if "SUM" in row["names"]] == ["'" + " & ".join(ODD)]
    assert len(lines) == scored.entered_count
    scores = [line["score_ns"] for line in lines]
    assert "-100" in scores  # a number stays one
    assert "" in scores  # an adjusted one has none


@pytest.mark.parametrize("first", "=+-@\t\r")
def test_no_sign_begins_a_formula_in_a_spreadsheet(first):
    [[cell]] = csv.reader(io.StringIO(csv_text([[f"{first}SUM(A1)"]]), newline=""))

    assert cell == f"'{first}SUM(A1)"


def test_bridgewebs_has_a_list_for_each_line_and_knows_pairs_alone(capsys):
    section = evening()
    text = FORMATS["bridgewebs"].file(exported_session(scored_of(section))).decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][0] == "#VERSION"
    assert [row[0] for row in rows].count("#SCORES") == 2
    assert [row[0] for row in rows].count("#BOARD") == 21
    teams = scored_section(8, "swiss", rounds=1, contest="teams")
    with pytest.raises(SystemExit) as left:
        call_command("export", teams.code, "--format", "bridgewebs")
    assert left.value.code == 2
    assert capsys.readouterr().err == "bridgewebs knows nothing of this contest: teams.\n"


def test_the_command_writes_the_same_file_as_the_page(client, capsysbinary):
    section = evening(8, "howell", rounds=2)
    client.force_login(director_of(section.club))
    call_command("export", section.code, "--format", "usebio")
    written = capsysbinary.readouterr().out
    answer = client.get(reverse("results-file", args=[section.code, "usebio"]))
    assert answer.content == written
    assert (
        'filename="2026-11-24-tuesday-pairs-usebio-provisional.xml"'
        in answer["Content-Disposition"]
    )


@pytest.mark.parametrize("same_deals", [True, False])
def test_of_several_sections_every_pair_and_board_is_told_apart(club, alice, same_deals):
    halves = divided(12, by=alice, club=club, family="howell", same_deals=same_deals)
    for section in halves:
        enter_by_chance(begun(section, 1))
    scored = scored_of(halves[0])

    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))
    assert [element.get("SECTION_ID") for element in root.iter("SECTION")] == ["A", "B"]
    assert len(list(root.iter("TRAVELLER_LINE"))) == scored.entered_count == 18
    games = FORMATS["pbn"].file(exported_session(scored)).decode("latin-1").split("[Event ")[1:]
    boards = {(line.section.name, line.board) for line in scored.tonight.lines if line.outcome}
    apart = {board for _, board in boards} if same_deals else boards
    assert len(games) == len(apart)
    assert "A1" in games[0]
    assert "B1" in "".join(games)
    for name in FORMATS:
        assert FORMATS[name].file(exported_session(scored))


def test_what_nobody_could_play_any_more_stands_in_the_files_with_its_averages():
    section = let_leave(scored_section(14, "mitchell", rounds=5), 5)
    scored = scored_of(played_on(section, 7))
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))
    scores = [element.findtext("SCORE") for element in root.iter("TRAVELLER_LINE")]
    assert (
        sum(score.startswith("A60") for score in scores)
        == len(scored.tonight.unplayable_lines)
        == 6
    )


def test_other_methods_can_be_written_too():
    section = evening(8, "howell", rounds=2)
    for method in ("cross-imps", "butler", "aggregate"):
        ScoringSettings.objects.update_or_create(
            session=section.session, defaults={"profile": {"method": method}}
        )
        for name in FORMATS:
            assert FORMATS[name].file(exported_session(scored_of(section)))


def test_there_is_no_file_before_the_first_result(client):
    section = scored_section(8, "howell", rounds=0)
    client.force_login(director_of(section.club))
    answer = client.get(reverse("results-file", args=[section.code, "pbn"]))
    assert answer["Location"] == reverse("ranking", args=[section.code])
    assert b"begins with the first result" in client.get(answer["Location"]).content
    assert client.get(reverse("results-file", args=[section.code, "docx"])).status_code == 404
    with pytest.raises(SystemExit):
        call_command("export", section.code)
    with pytest.raises(SystemExit):
        call_command("export", "ZZZZZZ")


def test_the_ranking_has_the_address_its_code_and_every_file(client):
    section = evening(8, "howell", rounds=2)
    client.force_login(director_of(section.club))
    address = reverse("ranking", args=[section.code])
    assert client.get(reverse("publish", args=[section.code]))["Location"] == address
    assert b"Who sees which names?" in client.get(address).content

    answer = client.post(reverse("results-state", args=[section.code]), {"do": "publish"})

    assert answer["Location"] == address
    text = client.get(address).content.decode()
    scoring = ScoringSettings.objects.get()
    assert f"/r/{scoring.token}/</a>" in text
    assert text.count('class="qr"') == 2  # beside the address, and large
    assert text.count("/results/file/") == 6
    assert text.count("/results/hand-in/") == 1


def test_sections_with_deals_of_their_own_stand_apart_until_they_are_joined(club, alice):
    halves = divided(12, by=alice, club=club, family="howell", same_deals=False)
    for section in halves:
        enter_by_chance(begun(section, 1))

    apart = [item.section for item in scored_of(halves[0]).main_lists]
    publishing.set_scoring_profile(halves[0], {"scope": "field"}, by=alice)
    joined = [item.section for item in scored_of(halves[0]).main_lists]

    assert (apart, joined) == (["A", "B"], [None])


KINDS = [
    (13, "mitchell", "pairs"),
    (8, "howell", "pairs"),
    (8, "swiss", "pairs"),
    (12, "individual", "individual"),
    (6, "team-round-robin", "teams"),
    (8, "swiss", "teams"),
]


@pytest.mark.parametrize(("number", "family", "contest"), KINDS)
def test_usebio_has_elements_in_the_order_of_real_files(number, family, contest):
    section = evening(number, family, rounds=1 if family == "swiss" else 3, contest=contest)
    Person.objects.filter(name=ODD[1]).update(name="Jürgen Škvor")  # " & " parts two names
    section.club.federation_number = "LC123"
    section.club.save()
    for record in people_of_session(section.session):
        Person.objects.filter(pk=record.pk).update(
            national_number=f"00{record.pk}", member_number=f"M{record.pk}"
        )
    store_federation_data(
        section, charge_code="10", point_scale="CLUB", points_awarded=True, by=None
    )

    root = ElementTree.fromstring(exported_file(section, "usebio"))

    assert problems_of(root) == []
    assert root.findtext("CLUB/CLUB_ID_NUMBER") == "LC123"
    assert [
        root.findtext(f"EVENT/{name}")
        for name in ("P2P_CHARGE_RATE", "MASTER_POINT_SCALE", "MPS_AWARDED_FLAG")
    ] == ["10", "CLUB", "Y"]
    people = [element for element in root.iter() if element.find("PLAYER_NAME") is not None]
    assert {person.findtext("NATIONAL_ID_NUMBER") for person in people} == {
        f"00{person.pk}" for person in people_of_session(section.session)
    }
    assert all(person.findtext("CLUB_ID_NUMBER")[0] == "M" for person in people)


@pytest.mark.parametrize("wrong", ["=1+1", "12<3", "x" * 21, "0\n1"])
def test_what_is_no_number_is_refused_or_written_in_one_line(wrong):
    if "\n" in wrong:
        assert stored_number(wrong) == "0 1"
        return
    with pytest.raises(NotANumber):
        stored_number(wrong)


@pytest.mark.parametrize("format", ["pbn", "bridgewebs"])
def test_numbers_are_in_files_for_everybody_only_where_the_club_says_so(format):
    section = evening(6, "mitchell", rounds=3)
    first, second = section.entries.first().players
    Person.objects.filter(pk=first.pk).update(national_number="00777")
    Person.objects.filter(pk=second.pk).update(national_number="00888", public_name="none")

    def numbers():
        text = exported_file(Section.objects.get(pk=section.pk), format).decode("latin-1")
        return [item for item in ("00777", "00888") if item in text]

    assert numbers() == []
    type(section.club).objects.update(shows_numbers=True)
    assert numbers() == ["00777"]  # who is shown as "Guest" has none


def test_pbn_says_what_could_be_made_where_somebody_has_worked_it_out():
    section = evening(6, "mitchell", rounds=3)
    store_deals(section, {1: DEALS[1], 2: DEALS[1]}, by=None)
    tricks = FACTS[0]["tricks"]
    letters = "".join(f"{tricks[seat][strain]:X}" for seat in "NESW" for strain in STRAINS)
    DoubleDummy.objects.create(deal=DEALS[1], tricks=letters)

    first, second, third = exported_file(section, "pbn").decode("latin-1").split("[Event ")[1:4]

    rows = re.search(
        r'\[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"\]\n((?:[NESW] .*\n){20})',
        first,
    )
    found = [line.split() for line in rows[1].splitlines()]
    assert {(seat, strain): int(taken) for seat, strain, taken in found} == {
        (seat, strain): tricks[seat][strain] for seat in "NESW" for strain in tricks["N"]
    }
    assert re.search(r'\[OptimumScore "(NS|EW) \d+"\]', second)
    assert "Optimum" not in third


def test_the_ranking_is_text_with_the_names_that_may_be_read():
    section = evening(6, "mitchell", rounds=3)
    second = section.entries.first().players[1]
    Person.objects.filter(pk=second.pk).update(public_name="none")

    lines = exported_file(section, "text").decode().splitlines()

    assert lines[0].endswith(f", {long_date(section.session.date)}")
    assert lines[2] == "North-South"
    assert re.fullmatch(r"1=?\. .+, \d\d\.\d\d %", lines[3])
    assert any("Guest" in line for line in lines)
