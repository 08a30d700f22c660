"""The draw of a round on paper."""

import random

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import searchable
from bridgebuddy.printing.slips.draw_slips import draw_slips
from bridgebuddy.scoring.draws.drawing import DrawWishes
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.draws.drawing import publish_draw
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_drawing import publish, score

from .test_long_names import LONG, squeezed

pytestmark = pytest.mark.django_db


def sheet(client, section):
    client.force_login(director_of(section.club))
    return client.get(reverse("print-preview", args=[section.code, "draw"]))


def test_the_newest_draw_is_a_sheet_with_tables_opponents_and_who_sits_out(client):
    options = {"contest": "pairs", "first": "slide"}
    section = section_with(9, "swiss", round=1, rounds=4, options=options)
    score(section, random.Random(1))
    publish(section, director_of(section.club))
    movement = section.movement.movement
    drawn = [s for s in movement.in_round(2) if s.is_played]
    [bye] = [s.ns for s in movement.in_round(2) if not s.is_played]

    said = text(sheet(client, section))

    assert "Draw for round 2" in said
    for seating in drawn:
        assert (
            f"{seating.table} {seating.ns} North{seating.ns} & South{seating.ns} {seating.ew}"
            in said
        )
    assert f"Sits out {bye} North{bye} & South{bye}" in said


def test_teams_have_the_tables_of_both_and_a_triangle_of_three(client):
    section = section_with(
        7, "swiss", contest="teams", rounds=3, options={"first": "slide", "odd": "triangle"}
    )

    said = text(sheet(client, section))

    assert "1, 3 1 North1 – 3 North3" in said
    assert "5, 6, 7 5 North5 – 6 North6 – 7 North7" in said


def test_where_nothing_is_drawn_there_is_no_such_sheet(client):
    assert sheet(client, section_with(8, "howell")).status_code == 422


# ── slips: everybody's own ──


def slips_of(job, section, paper="a4"):
    return [slip for sheet in draw_slips(job(section, paper)) for slip in sheet.slips]


def test_everybody_has_a_slip_with_the_table_opponents_and_boards_of_the_round_drawn_last(job):
    options = {"contest": "pairs", "first": "slide"}
    section = section_with(9, "swiss", round=1, rounds=4, options=options)
    score(section, random.Random(1))
    publish(section, director_of(section.club))
    drawn = {}
    for seating in section.movement.movement.in_round(2):
        drawn[seating.ns] = [(seating.table, str(seating.ew))] if seating.is_played else []
        if seating.is_played:
            drawn[seating.ew] = [(seating.table, str(seating.ns))]

    slips = slips_of(job, section)

    assert {
        slip.contestant.number: [(seat.table, seat.against.split()[0]) for seat in slip.seats]
        for slip in slips
    } == drawn
    assert {seat.boards for slip in slips for seat in slip.seats} == {"Boards 4–6"}


def test_a_teams_slip_says_which_pair_goes_where_in_a_triangle_too(job):
    section = section_with(
        7, "swiss", contest="teams", rounds=3, options={"first": "slide", "odd": "triangle"}
    )

    slips = slips_of(job, section)

    def seats_of(slip):
        return [(x.part, x.table, str(x.chair), x.against.split()[0], x.boards) for x in slip.seats]

    assert seats_of(slips[0]) == [
        ("", 1, "North-South", "3", "Boards 1–2, 3"),
        ("", 3, "East-West", "3", "Boards 3, 1–2"),
    ]
    assert [item[:4] for item in seats_of(slips[4])] == [
        ("1a", 5, "North-South", "7"),
        ("1a", 6, "East-West", "6"),
        ("1b", 5, "North-South", "6"),
        ("1b", 7, "East-West", "7"),
    ]


def test_who_went_out_of_a_knock_out_has_no_slip_and_the_page_leads_to_the_sheets(client, job):
    section = section_with(4, "knockout", round=1, contest="teams", boards_per_round=4)
    director = director_of(section.club)
    client.force_login(director)
    drawn = KnockOut(
        ScoredSession(SessionSnapshot(section)), section, DrawWishes(through=("1", "3"))
    )
    publish_draw(section, drawn.wishes, key=drawn.key, plan=section.plan, by=director)
    section.refresh_from_db()

    page = client.get(reverse("draw", args=[section.code])).content.decode()

    assert [slip.contestant.number for slip in slips_of(job, section)] == [1, 3]
    for name in ("draw", "draw-slips"):
        assert reverse("print-pdf", args=[section.code, name]) in page


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_names_of_sixty_letters_are_whole_on_a_slip(client, job, pdf, paper):
    section = section_with(5, "swiss", contest="teams", rounds=2, options={"odd": "triangle"})
    for entry in section.entries.all():
        for place, person in enumerate(entry.players):
            person.name = f"{'ABCDE'[entry.position - 1]}{place} {LONG[0][3:]}"
            person.search = searchable(person.name)
            person.save()

    director = director_of(section.club)
    pages = pdf(director, section, f"draw-slips.pdf?paper={paper}").pages
    text = squeezed("".join(page.extract_text() for page in pages))

    assert len(pages) == 2
    for slip in slips_of(job, section, paper):
        for seat in slip.seats:
            place = f"Table {seat.table} {seat.chair} {seat.pair} against {seat.against}"
            assert squeezed(f"{place} {seat.boards}") in text
