"""The draw of a round on paper."""

import random

import pytest
from django.urls import reverse

from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_drawing import publish, score

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
    for one in drawn:
        assert f"{one.table} {one.ns} North{one.ns} & South{one.ns} {one.ew}" in said
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
