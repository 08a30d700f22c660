"""Files of every kind of contest: built as other programs build them, and read back by other readers.

PBN is read by endplay, USEBIO against what other programs' files have (`data/usebio.toml`).
"""

import csv
import io
import shlex
from collections import defaultdict
from random import Random
from xml.etree import ElementTree

import pytest
from django.utils import timezone
from endplay.parsers import pbn

from bridgebuddy.clubs.models import Person
from bridgebuddy.scoring.files.exports import FORMATS, exported_session, file_name
from bridgebuddy.scoring.models import Penalty, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import begun, director_of
from tests.scoring.test_deals import ONE
from tests.scoring.test_drawing import play_on, swiss
from tests.scoring.test_tonight import enter_by_chance, scored_section
from tests.scoring.written_files import PBN, document
from tests.scoring.written_files import exported as written_exported
from tests.usebio import hands_of, problems_of, scorecards_of, scores_of

pytestmark = pytest.mark.django_db

#: how many, what they play, in what contest, how it is scored → EVENT_TYPE, BOARD_SCORING_METHOD
CONTESTS = {
    "two lines": (13, "mitchell", "pairs", {}, "PAIRS", "MATCH_POINTS"),
    "one field, in halves": (
        8,
        "howell",
        "pairs",
        {"display": {"half": True}},
        "PAIRS",
        "MATCH_POINTS",
    ),
    "Butler": (8, "howell", "pairs", {"method": "butler"}, "PAIRS", "BUTLER_IMPS"),
    "cross-IMPs": (8, "howell", "pairs", {"method": "cross-imps"}, "PAIRS", "CROSS_IMPS"),
    "total points": (8, "howell", "pairs", {"method": "aggregate"}, "PAIRS", "AGGREGATE"),
    "Swiss of pairs": (8, "swiss", "pairs", {}, "SWISS_PAIRS", "MATCH_POINTS"),
    "Swiss of pairs in IMPs": (
        *(8, "swiss", "pairs"),
        {"method": "cross-imps"},
        *("SWISS_PAIRS", "CROSS_IMPS"),
    ),
    "single players": (12, "individual", "individual", {}, "INDIVIDUAL", "MATCH_POINTS"),
    "round robin": (6, "team-round-robin", "teams", {}, "TEAMS", "IMPS"),
    "league": (6, "team-round-robin", "teams", {"vp": "wbf-discrete"}, "TEAMS", "IMPS"),
    "Swiss of teams": (9, "swiss", "teams", {}, "SWISS_TEAMS", "IMPS"),
    "point a board": (6, "team-round-robin", "teams", {"method": "bam"}, "TEAMS", "PAB"),
    "board a match": (
        *(6, "team-round-robin", "teams"),
        {"method": "bam", "bam": [1, 0.5, 0]},
        *("TEAMS", "BAM"),
    ),
    "knock-out": (8, "knockout", "teams", {}, "TEAMS", "IMPS"),
    "teams, boards travel": (6, "mitchell-teams", "teams", {}, "TEAMS", "IMPS"),
}
AVERAGE = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
WEIGHTED = {"assigned": {"ns": [[60, 620], [40, -100]]}}
FIXED = {"artificial": {"ns": 55, "ew": 45}}
NO_SCORES = (AVERAGE, WEIGHTED)


def scored_of(section):
    return ScoredSession(SessionSnapshot(section))


@pytest.fixture(params=CONTESTS)
def contest(request):
    """Return a contest with an average, a weighted score and a passed board, and the content of its files."""
    pairs, family, kind, profile, event, method = CONTESTS[request.param]
    rounds = 1 if family in ("swiss", "knockout") else 3
    choice = {"options": {"contest": kind, "first": "slide"}} if family == "swiss" else {}
    section = scored_section(pairs, family, rounds=rounds, contest=kind, **choice)
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"profile": profile})
    plays = section.plays.exclude(ns=None).exclude(ew=None).order_by("pk")
    for play, outcome in zip(plays, (*NO_SCORES, {"passed": True}), strict=False):
        enter_result(section, play.pk, outcome, by=None)
    section.refresh_from_db()
    return scored_of(section), event, method


def test_each_contest_is_written_as_other_programs_write_it(contest):
    scored, event, method = contest
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))

    assert problems_of(root) == []
    assert root.find("EVENT").get("EVENT_TYPE") == event
    assert root.findtext("EVENT/BOARD_SCORING_METHOD") == method
    has_vps = bool(scored.profile.vp)
    assert (root.findtext("EVENT/MATCH_SCORING_METHOD") == "VPS") is has_vps
    lines = list(root.iter("TRAVELLER_LINE"))
    assert len(lines) == len(in_files(scored))
    for line in lines:
        assert line.findtext("SCORE") != "A0000"
    check_readers_of_usebio(root, scored)
    if event in ("TEAMS", "SWISS_TEAMS"):
        assert_teams_have_pairs(root, lines)
    check_totals_of_usebio(root, scored)

    check_pbn(scored)
    check_tables(scored)


def check_readers_of_usebio(root, scored):
    """Public readers find every contestant with their result, and every line on the scorecards of those who sat
    there.
    """
    scores, cards = scores_of(root), scorecards_of(root)
    seats = 4 if scored.tonight.contest == "individual" else 2
    assert len(scores) == len(scored.tonight.contestants)
    assert sum(cards.values()) == seats * len(in_files(scored))
    is_of_teams = scored.tonight.contest == "teams"
    numbers = {(section, number.split("-")[0]) for section, number in cards}
    assert numbers <= set(scores)
    assert not is_of_teams or all("-" in number for _, number in cards)
    for place, percentage, total in scores.values():
        assert place
        assert total or (percentage and seats == 4)


def in_files(scored):
    """Return the rows with any value."""
    return [row for row in scored.results.plays if row.has_value]


def assert_teams_have_pairs(root, lines):
    """Assert that every row names both pairs, which their teams list, and their values."""
    assert root.findtext("EVENT/TEAM_PAIRING_AVAILABLE") == "Y"
    assert root.findtext("EVENT/PAIRWISE_SCORING_METHOD") == "CROSS_IMPS"
    listed = {}
    for team in root.iter("TEAM"):
        for pair in team.iter("PAIR"):
            listed[pair.findtext("PAIR_NUMBER")] = pair
            assert pair.findtext("PAIR_NUMBER").startswith(f"{team.get('TEAM_ID')}-")
            assert len(list(pair.iter("PLAYER"))) == 2
    sums, boards = defaultdict(float), defaultdict(int)
    for line in lines:
        for side in ("NS", "EW"):
            pair = line.findtext(f"{side}_PAIR_NUMBER")
            sums[pair] += float(line.findtext(f"{side}_CROSS_IMP_POINTS"))
            boards[pair] += 1
    assert set(boards) == set(listed)
    for pair, element in listed.items():
        assert int(element.findtext("BOARDS_PLAYED")) == boards[pair]
        assert float(element.findtext("PAIR_IMPS")) == pytest.approx(sums[pair], abs=0.05)


def check_totals_of_usebio(root, scored):
    rows = {
        standing.label: standing.row
        for ranking in scored.main_lists
        for standing in ranking.standings
    }
    participants = list(root.find(".//PARTICIPANTS"))
    assert len(participants) == len(rows)
    told = sorted(
        float(participant.findtext("PERCENTAGE") or participant.findtext("TOTAL_SCORE"))
        for participant in participants
    )
    scale = exported_session(scored).scale
    usual = [row.percent if row.percent is not None else scale * row.total for row in rows.values()]
    assert told == pytest.approx(sorted(usual), abs=0.01)
    for match in root.iter("MATCH"):
        assert len(list(match.iter("BOARD"))) > 0


def games_of(scored):
    return pbn.loads(FORMATS["pbn"].file(exported_session(scored)).decode("latin-1"))


def check_pbn(scored):
    """Every result stands once, under a game of its own deal, and matchpoints add to the totals."""
    games = games_of(scored)
    lines = in_files(scored)
    tables = [game.info["ScoreTable"] for game in games]
    assert sum(len(table["rows"]) for table in tables) == len(lines)
    dealt = defaultdict(set)
    for line in (*scored.tonight.lines, *scored.tonight.unplayable_lines):
        if any(row.play == line.index for row in lines):
            dealt[scored.tonight.cards_of(line)].add(line.index)
    assert sorted(len(table["rows"]) for table in tables) == sorted(map(len, dealt.values()))
    sums = defaultdict(float)
    for table in tables:
        for row in table["rows"]:
            cells = dict(zip(table["headers"], row, strict=True))
            for side in ("NS", "EW"):
                worth = cells.get(f"MP_{side}", "-").removeprefix("^")
                sums[cells[f"PairId_{side}"]] += float(worth) if worth != "-" else 0
    totals = games[0].info["TotalScoreTable"]
    if "TotalMP" in totals["headers"] and scored.tonight.contest == "pairs":
        for row in totals["rows"]:
            names_whole = shlex.split(" ".join(row))
            cells = dict(zip(totals["headers"], names_whole, strict=True))
            assert float(cells["TotalMP"]) == pytest.approx(sums[cells["PairId"]], abs=0.01)


def check_tables(scored):
    text = FORMATS["csv"].file(exported_session(scored)).decode("utf-8-sig")
    ranking, lines = (list(csv.DictReader(io.StringIO(part))) for part in text.split("\r\n\r\n"))
    assert {row["state"] for row in ranking} == {"provisional"}
    assert len(ranking) == len(scored.tonight.contestants)
    assert len(lines) == len(in_files(scored))


def with_all_cards(section):
    """Store the same cards for every board of a session."""
    store_deals(section, dict.fromkeys(range(1, 41), ONE), by=None)
    section.refresh_from_db()
    return section


def round_robin(teams=6, rounds=3, **scoring):
    section = scored_section(teams, "team-round-robin", rounds=rounds, contest="teams")
    ScoringSettings.objects.update_or_create(session=section.session, defaults=scoring)
    return with_all_cards(section)


@pytest.mark.parametrize(
    ("pairs", "family", "kind"),
    [(8, "howell", "pairs"), (12, "individual", "individual"), (6, "mitchell-teams", "teams")],
)
def test_public_readers_find_the_cards(pairs, family, kind):
    section = with_all_cards(scored_section(pairs, family, rounds=3, contest=kind))
    scored = scored_of(section)
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))

    assert problems_of(root) == []
    assert hands_of(root) == len({line.board for line in scored.tonight.lines if line.outcome})


def in_two_sections(kind, seats, **match):
    """A document of two sections of which each has the same numbers and one board."""
    sections = [{"section": name, "winners": 1, "deals": name} for name in "AB"]
    numbers = "1234" if kind == "individual" else "12"
    people = [
        {"section": name, "label": label, "field": "all", "names": [f"{name}{label} X"]}
        for name in "AB"
        for label in numbers
    ]
    plays = [
        {"section": name, "round": 1, "table": table, "board": 1, "outcome": {"score": 90 * table}}
        | dict(zip(seats, numbers if table == 1 else numbers[::-1], strict=True))
        for name in "AB"
        for table in (1, 2)
    ]
    matches = [match | {"section": name, "round": 1} for name in "AB"] if match else []
    return document(kind, sections, people, plays, matches=matches)


@pytest.mark.parametrize(
    ("told", "numbers"),
    [
        (in_two_sections("individual", "nsew"), "1 2 3 4 1001 1002 1003 1004"),
        (in_two_sections("teams", ("ns", "ew"), home="1", away="2", boards=[1]), "1 2 1001 1002"),
    ],
)
def test_contestants_of_two_sections_have_different_numbers(told, numbers):
    cards = {("", 1): ONE} if told["contest"] == "teams" else {("A", 1): ONE, ("B", 1): PBN}
    whole = written_exported(
        told, cards=cards, dealt=[(play["section"], 1) for play in told["plays"]]
    )
    root = ElementTree.fromstring(FORMATS["usebio"].file(whole))

    assert {number for _, number in scores_of(root)} == set(numbers.split())
    assert problems_of(root) == []
    assert len(root.findall("HANDSET")) == (2 if told["contest"] == "individual" else 0)


def test_the_same_cards_of_two_sections_are_one_set():
    told = in_two_sections("individual", "nsew")
    for section in told["sections"]:
        section["deals"] = None
    root = ElementTree.fromstring(
        FORMATS["usebio"].file(
            written_exported(told, cards={("", 1): ONE}, dealt=[("", 1)] * len(told["plays"]))
        )
    )

    assert [text.get("HANDSET_ID") for text in root.findall("HANDSET")] == ["A"]
    assert hands_of(root) == 1


@pytest.mark.parametrize("same_cards", [True, False])
def test_under_a_deal_of_matches_stand_its_own_results_alone(same_cards):
    scored = scored_of(round_robin(same_cards=same_cards))
    games = games_of(scored)

    rounds = defaultdict(list)
    for game in games:
        table = game.info["ScoreTable"]
        cells = [dict(zip(table["headers"], row, strict=True)) for row in table["rows"]]
        assert {cell["Round"] for cell in cells} == {game.info["Round"]}
        assert len(cells) == (6 if same_cards else 2)
        if not same_cards:
            assert len({frozenset((x["PairId_NS"], x["PairId_EW"])) for x in cells}) == 1
            assert game.info["HomeTeam"] != game.info["VisitTeam"]
        rounds[game.info["Round"]].append(game.board_num)
    a_round = list(range(1, 4)) if same_cards else [1, 2, 3] * 3
    assert {item: sorted(boards) for item, boards in rounds.items()} == {
        digit: sorted(a_round) for digit in "123"
    }
    assert [game.info["Round"] for game in games] == sorted(game.info["Round"] for game in games)


def test_cards_of_the_one_round_of_a_draw_stand_under_its_results():
    section = swiss(8, rounds=2, contest="teams")
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"same_cards": True})
    enter_by_chance(section)

    games = games_of(scored_of(with_all_cards(section)))

    assert {str(game.deal).split(":")[1].split()[0] for game in games} == {ONE[2:].split()[0]}


@pytest.mark.parametrize("same_cards", [True, False])
def test_cards_of_which_nobody_knows_the_round_or_the_match_stand_under_no_result(same_cards):
    section = round_robin(same_cards=same_cards)

    assert {str(game.deal) for game in games_of(scored_of(section))} == {"N:... ... ... ..."}
    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored_of(section))))
    assert list(root.iter("HAND")) == []


def test_a_long_triangle_is_one_match_of_two_rounds():
    section = swiss(9, rounds=2, contest="teams", odd="long-triangle")
    enter_by_chance(section)
    play_on(section, director_of(section.club), Random(1))
    enter_by_chance(section)
    scored = scored_of(section)

    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))

    assert problems_of(root) == []
    assert "1-2" in {game.info["Round"] for game in games_of(scored)}
    check_pbn(scored)


@pytest.mark.parametrize("profile", [{}, {"preset": "ACBL"}])
@pytest.mark.parametrize(("unit", "amount"), [("percent", -2.5), ("matchpoints", -1)])
def test_a_penalty_is_an_adjustment_with_which_total_and_percentage_agree(profile, unit, amount):
    section = scored_section(8, "howell", rounds=3)
    ScoringSettings.objects.update_or_create(session=section.session, defaults={"profile": profile})
    before = scored_of(section)
    entry = section.entries.get(contestant=3)
    Penalty.objects.create(entry=entry, unit=unit, amount=amount, kind="procedural")
    scored = scored_of(section)
    label = next(
        contestant.slug
        for contestant in scored.tonight.contestants.values()
        if contestant.entry == entry.pk
    )

    def of(scored):
        file = exported_session(scored)
        row = file.rows["A", label]
        return file, row, file.total_of(row)

    _, _, was = of(before)
    file, row, has = of(scored)
    top = file.scale * row.top
    assert 100 * float(has.total) / top == pytest.approx(row.percent, abs=0.01)
    taken = float(was.total - has.total)
    assert float(-has.adjustment) == pytest.approx(taken, abs=0.001)
    expected = 2.5 * top / 100 if unit == "percent" else file.scale
    assert taken == pytest.approx(expected, abs=0.01)

    root = ElementTree.fromstring(FORMATS["usebio"].file(file))
    adjusted = [element for element in root.iter("PAIR") if element.findtext("ADJUSTMENT")]
    assert [element.findtext("PAIR_NUMBER") for element in adjusted] == [label]
    assert float(adjusted[0].findtext("ADJUSTMENT")) == pytest.approx(-taken, abs=0.01)
    totals = games_of(scored)[0].info["TotalScoreTable"]
    rows = [shlex.split(" ".join(row)) for row in totals["rows"]]
    [mine] = [dict(zip(totals["headers"], row, strict=True)) for row in rows if row[1] == label]
    assert float(mine["TotalMP"]) == pytest.approx(float(has.total), abs=0.01)
    [table] = [
        row
        for row in csv.DictReader(io.StringIO(FORMATS["ranking"].file(file).decode("utf-8-sig")))
        if row["label"] == label
    ]
    assert 100 * float(table["total"]) / float(table["top"]) == pytest.approx(
        float(table["percent"]), abs=0.02
    )
    assert float(table["penalty"]) == pytest.approx(-taken / file.scale, abs=0.01)


@pytest.mark.parametrize("method", ["cross-imps", "butler"])
def test_in_imps_no_score_is_written_as_nothing_for_both(method):
    section = scored_section(8, "howell", rounds=7)
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": {"method": method}}
    )
    plays = section.plays.exclude(ns=None).exclude(ew=None).order_by("pk")
    fixed = {"artificial": {"ns": 3, "ew": -6}}
    for play, outcome in zip(plays, (AVERAGE, WEIGHTED, fixed), strict=False):
        enter_result(section, play.pk, outcome, by=None)

    root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored_of(section))))

    lines = [
        element
        for element in root.iter("TRAVELLER_LINE")
        if element.findtext("SCORE").startswith("A")
    ]
    assert {"A6040", "A6030"} < {line.findtext("SCORE") for line in lines}
    weighted = next(line for line in lines if line.findtext("SCORE") not in ("A6040", "A6030"))
    worth = float(weighted.findtext("NS_CROSS_IMP_POINTS"))
    ns, ew = (int(weighted.findtext("SCORE")[place : place + 2]) for place in (1, 3))
    assert ((ns - 50) * worth > 0, (ew - 50) * worth < 0) == (True, True)


def test_a_file_says_whether_it_is_provisional(club, alice):
    section = scored_section(8, "howell", club=club, by=alice)
    begun(section, 7)
    enter_by_chance(section)
    section.finished_at = timezone.now()
    section.save()

    def told():
        scored = scored_of(section)
        root = ElementTree.fromstring(FORMATS["usebio"].file(exported_session(scored)))
        ranking = FORMATS["ranking"].file(exported_session(scored)).decode("utf-8-sig")
        return (
            file_name(scored, "usebio"),
            root.findtext("EVENT/EVENT_DESCRIPTION"),
            games_of(scored)[0].info["Event"],
            {row["state"] for row in csv.DictReader(io.StringIO(ranking))},
        )

    title = "Tuesday Pairs (provisional)"
    assert told() == (
        "2026-11-24-tuesday-pairs-usebio-provisional.xml",
        title,
        title,
        {"provisional"},
    )
    publishing.make_list_final(section, by=alice)
    title = "Tuesday Pairs"
    assert told() == ("2026-11-24-tuesday-pairs-usebio.xml", title, title, {"final"})


def test_names_of_all_scripts_are_letters_in_pbn():
    section = scored_section(8, "howell", rounds=1)
    for person, name in zip(
        section.entries.first().players, ("Łukasz Żak", "Đặng Jürgen"), strict=True
    ):
        Person.objects.filter(pk=person.pk).update(name=name)

    assert "Lukasz Zak;Dang Jürgen" in FORMATS["pbn"].file(
        exported_session(scored_of(section))
    ).decode("latin-1")
