"""Rounds that are drawn after results: no sit-outs in them, nor in a triangle."""

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Entry, EntryPerson
from bridgebuddy.events.queries.plan.evening import SessionEvening
from movements.engine.families.team_movements.drawn import knockout, swiss
from movements.services import store_movement
from tests.factories import SectionFactory

pytestmark = pytest.mark.django_db


def evening_of(movement) -> SessionEvening:
    section = SectionFactory(boards_per_round=4, contest=movement.contest)
    section.movement = store_movement(movement, boards_per_round=4)
    section.save()
    for number in movement.contestants:
        entry = Entry.objects.create(section=section, position=number, contestant=number)
        person = Person.objects.create(club=section.club, name=f"Pat Player{number}")
        EntryPerson.objects.create(entry=entry, section=section, person=person, position=1)
    return SessionEvening(section)


def test_nobody_sits_out_in_a_round_not_yet_drawn():
    evening = evening_of(swiss(5, 3, contest="pairs", half=True))

    assert evening.open_rounds == {2, 3}
    assert [len(evening.sit_outs(round)) for round in (1, 2, 3)] == [1, 0, 0]
    assert [evening.round_turn(1, round).is_open for round in (1, 2, 3)] == [False, True, True]


def test_teams_in_a_triangle_play():
    evening = evening_of(knockout(7))

    assert evening.sit_outs(1) == ()
    assert [team.label for team in evening.round_turn(6, 1).triangle.teams if team.number != 6] == [
        "5",
        "7",
    ]
    assert not evening.round_turn(6, 1).is_open
