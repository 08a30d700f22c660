"""The tie-break that decided a place is shown everywhere beside the place: pages, phones, paper, the room and files."""

import csv
import io

import pypdf
import pytest
from django.urls import reverse

from bridgebuddy.players.room_display.room_ranking import deciding_value
from bridgebuddy.scoring.files.exports import FORMATS, exported_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import ScoreSheet
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import percent, places, points
from tests.events.test_sections import divided
from tests.factories import begun, director_of, section_with
from tests.players.reading import words
from tests.scoring.test_several_sessions import second
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db


def by_victory_points(client):
    """A Swiss of pairs by matchpoints: no percentage decides."""
    return scored_section(8, "swiss", rounds=1), "total"


def by_average(client):
    """Nine pairs by IMPs of which some have sat out: fewer boards, a greater or smaller total."""
    section = scored_section(9, "howell", rounds=3)
    publishing.set_scoring_profile(section, {"method": "cross-imps"}, by=None)
    return section, "average"


def by_both_sessions(client):
    """The second session of an event, counted with the first."""
    _, [again] = second(client, scored_section(8, "howell", rounds=7), sit="same")
    again = begun(again, 2)
    enter_by_chance(again, seed=9)
    publishing.set_scoring_profile(again, {"sessions": "weighted"}, by=None)
    return again, "overall"


def carried_forward(client):
    """The same, with a part of the first session's score."""
    section, decides = by_both_sessions(client)
    publishing.set_scoring_profile(section, {"sessions": "carry-forward"}, by=None)
    return section, decides


def by_percentages(client):
    return scored_section(8, "howell", rounds=2), "percent"


EVENINGS = [by_victory_points, by_average, by_both_sessions, carried_forward, by_percentages]


def paper(client, section, sheet):
    """Return the words on the pages of a sheet."""
    answer = client.get(f"/s/{section.code}/print/{sheet}")
    assert answer["Content-Type"] == "application/pdf"
    return "\n".join(
        page.extract_text() for page in pypdf.PdfReader(io.BytesIO(answer.content)).pages
    )


@pytest.mark.parametrize("evening", EVENINGS)
def test_what_decides_stands_beside_the_place(client, evening):
    section, decides = evening(client)
    scored = ScoredSession(SessionSnapshot(section))
    [found] = scored.main_lists
    order = [getattr(standing.row, decides) for standing in found.standings if standing.place]
    assert order == sorted(order, reverse=True)
    assert {standing.deciding_number for standing in found.standings} == {decides}
    write = {"percent": percent, "average": places}.get(
        decides, lambda number: places(number, scored.total_places)
    )
    if evening is by_both_sessions:
        write = percent
    token = publishing.publish_results(section, by=None).token
    client.force_login(director_of(section.club))
    code = section.code
    lists = [
        words(client.get(reverse("ranking", args=[code]))),
        words(client.get(reverse("public-results", args=[token]))),
        paper(client, section, "ranking.pdf"),
    ]
    sheets = paper(client, section, "score-sheets.pdf")

    for place, row in enumerate(found.standings):
        number, slug = write(getattr(row.row, decides)), row.contestant.slug
        assert all(number in text for text in (*lists, sheets))
        assert deciding_value(scored, row) == number
        if place % 3:
            continue  # their pages are made alike
        for name, args in (("score-sheet", [code, slug]), ("public-sheet", [token, "A", slug])):
            page = words(client.get(reverse(name, args=args)))
            wanted = (
                number if decides != "average" else f"{points(row.row.total)} ({number} a board)"
            )
            said = f"Place {row.place} of {len(found.standings)}"
            beside = "Result" if name == "public-sheet" else "·"
            assert f"{said} {beside} {wanted}" in page


def test_the_sections_letter_stands_with_every_number(client):
    by = director_of(section_with(8).club)
    sections = [begun(item, 2) for item in divided(16, club=by.clubs.get(), by=by, family="howell")]
    for seed, section in enumerate(sections):
        enter_by_chance(section, seed)
    token = publishing.publish_results(sections[0], by=None).token

    text = words(client.get(reverse("public-results", args=[token])))

    for standing in ScoredSession(SessionSnapshot(sections[0])).main_lists[0].standings:
        assert f" {standing.section}{standing.contestant.short} " in text
        sheet = client.get(
            reverse("public-sheet", args=[token, standing.section, standing.contestant.slug])
        )
        found = words(sheet).replace("\xa0", " ")
        assert f" {standing.section}{standing.contestant.short} {standing.names} " in found


def test_other_programs_are_given_the_session_and_a_spreadsheet_both(client):
    section, _ = by_both_sessions(client)
    scored = ScoredSession(SessionSnapshot(section))
    alone = ScoredSession(scored.tonight, scored.tonight.session_only_document)
    files = {name: FORMATS[name].file(exported_session(scored)) for name in ("usebio", "ranking")}
    assert files["usebio"] == FORMATS["usebio"].file(exported_session(alone))

    rows = csv.DictReader(io.StringIO(files["ranking"].decode("utf-8-sig")))

    told = [(row["label"], row["place_overall"], float(row["overall"])) for row in rows]
    [found] = scored.main_lists
    mine = [
        (standing.contestant.slug, standing.place, standing.row.overall)
        for standing in found.standings
    ]
    assert sorted(told) == sorted(mine)


def test_what_a_swiss_of_pairs_is_scored_by_is_no_percentage_in_files(client):
    section, _ = by_victory_points(client)
    scored = ScoredSession(SessionSnapshot(section))

    web, pbn = (
        FORMATS[name].file(exported_session(scored)).decode("latin-1")
        for name in ("bridgewebs", "pbn")
    )

    [first, *_] = scored.main_lists[0].standings
    assert "Name2,Score" in web
    assert f",{first.row.total}" in web
    assert "Rank;PairId;Names;TotalVP;NrBoards" in pbn


@pytest.mark.parametrize(
    ("number", "most", "written"),
    [(62.5, 0, "63"), (37.5, 0, "37"), (50.5, 0, "51"), (49.5, 0, "49"), (43.75, 1, "43.7")],
)
def test_a_percentage_and_its_opponents_add_to_a_hundred(number, most, written):
    assert percent(number, most) == written
    assert float(percent(100 - number, most)) == 100 - float(written)


def test_points_round_halves_away_from_nothing():
    assert (places(9.625), places(-9.625), points(0.125), points(-3.0)) == (
        "9.63",
        "−9.63",
        "0.13",
        "−3",
    )


def test_a_single_players_sheet_adds_to_their_score(client):
    """With AVE+ each of both has their own average, which may be better than 60 %."""
    section = scored_section(12, "individual", rounds=11, contest="individual", seed=7)
    best = ScoredSession(SessionSnapshot(section)).main_lists[0].standings[0].contestant
    play = next(
        line.play
        for line in SessionSnapshot(section).lines
        if best.slug in [item.slug for item in line.ns]
    )
    enter_result(section, play, {"artificial": {"ns": "AVE+", "ew": "AVE-"}}, by=None)
    scored = ScoredSession(SessionSnapshot(section))
    averages = set()

    for standing in scored.main_lists[0].standings:
        sheet = ScoreSheet(scored, scored.tonight.section, standing.contestant)
        sides = [entry.side for stage in sheet.begun_stages for entry in stage.entries]
        assert sum(side.value for side in sides) == pytest.approx(standing.row.total, abs=0.006)
        averages |= {side.percent for side in sides if side.rule == "AVE+"}

    assert len(averages) == 2
    assert max(averages) > 60


def test_numbers_given_by_the_director_are_told_in_the_sessions_unit(client):
    section = scored_section(8, "howell", rounds=2)
    line = SessionSnapshot(section).lines[0]
    enter_result(section, line.play, {"artificial": {"ns": 3, "ew": -3}}, by=None)
    client.force_login(director_of(section.club))
    told = []
    for method in ("matchpoints", "butler"):
        ScoringSettings.objects.update_or_create(
            session=section.session, defaults={"profile": {"method": method}}
        )
        address = reverse("score-sheet", args=[section.code, line.ns[0].slug])
        told.append(words(client.get(address)))

    assert "N/S 3 %, E/W -3 %" in told[0].replace("−", "-")
    assert "N/S +3 IMPs, E/W −3 IMPs" in told[1]
