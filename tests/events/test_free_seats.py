"""The half table is at the director's choice: a pair takes the free seat before the start."""

from dataclasses import replace

import pytest

from bridgebuddy.events.errors import AlreadyStarted, NotSeated
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.events.services.setup.own_movements import store_own_movement
from movements.engine import catalogue
from tests.factories import section_with

pytestmark = pytest.mark.django_db


def seats(section):
    """Return the seats by label: {"NS 1": "Anna North1 & Bob South1"}."""
    section = Section.objects.get(pk=section.pk)
    return {
        section.movement.without_seatings.label(entry.contestant): entry.names
        for entry in section.entries.all()
    }


def free_seat(section):
    """Return the table and line of the empty seat in round 1."""
    played = section.movement.movement.in_round(1)
    return next(
        {"table": seating.table, "line": line}
        for seating in played
        for line in ("ns", "ew")
        if getattr(seating, line) is None
    )


@pytest.mark.parametrize(
    ("pairs", "family", "label", "taken"),
    [
        (17, "mitchell", "NS 4", "EW 9"),
        (13, "mitchell", "EW 2", "EW 7"),
        (19, "share-and-relay", "NS 6", "EW 10"),
        (9, "howell", "3", "10"),
    ],
)
def test_the_half_table_is_where_the_one_sat_who_took_the_free_seat(
    club, alice, pairs, family, label, taken
):
    section = section_with(pairs, family, club=club, by=alice)
    was, before = section.movement.movement, seats(section)

    changed = movement.take_free_seat(
        section, was.contestant(label), by=alice, **free_seat(section)
    )

    now = Section.objects.get(pk=section.pk)
    wanted = catalogue.build_movement(family, was.tables, was.rounds, label)
    assert now.movement.movement.seatings == wanted.seatings
    mover = before.pop(label)
    assert seats(section) == {**before, taken: mover}
    assert (changed.seating, now.boards_per_round, now.plan) == ("hand", 3, section.plan + 1)


@pytest.mark.parametrize("line", ["ns", "ew"])
def test_the_half_table_stays_in_its_line_when_more_pairs_come(club, alice, line):
    section = section_with(13, "mitchell", club=club, by=alice, missing_line=line)

    entries.add_pairs(section, [(f"Eve Late{n}", f"Max Late{n}") for n in range(4)], by=alice)

    assert free_seat(Section.objects.get(pk=section.pk))["line"] == line


@pytest.mark.parametrize(("label", "line"), [("NS 4", "ns"), ("EW 2", "ew")])
def test_a_movement_chosen_anew_has_the_half_table_in_the_line_of_who_moved(
    club, alice, label, line
):
    section = section_with(17, "mitchell", club=club, by=alice)
    one = section.movement.movement.contestant(label)

    section = movement.take_free_seat(section, one, by=alice, **free_seat(section))

    assert section.missing_line == line


def test_who_took_the_free_seat_can_go_back(club, alice):
    section = section_with(17, "mitchell", club=club, by=alice)
    before = seats(section)
    changed = movement.take_free_seat(section, 4, table=9, line="ew", by=alice)
    mover = next(entry for entry in changed.entries.all() if entry.names == before["NS 4"])

    movement.take_free_seat(changed, mover.contestant, table=4, line="ns", by=alice)

    assert seats(section) == before


def test_a_pair_more_gets_the_free_seat_wherever_it_is(club, alice):
    section = section_with(17, "mitchell", club=club, by=alice)
    movement.take_free_seat(section, 4, table=9, line="ew", by=alice)
    before = seats(section)

    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    assert seats(section) == {**before, "NS 4": "Eve Adams & Max Late"}


@pytest.mark.parametrize(
    ("one", "table", "line"), [(4, 9, "ns"), (4, 8, "ew"), (4, 10, "ew"), (18, 9, "ew")]
)
def test_nobody_takes_a_seat_that_is_not_free(club, alice, one, table, line):
    section = section_with(17, "mitchell", club=club, by=alice)
    before = seats(section)

    with pytest.raises(NotSeated):
        movement.take_free_seat(section, one, table=table, line=line, by=alice)

    assert seats(section) == before


def test_a_movement_that_no_family_makes_keeps_its_half_table(club, alice):
    section = section_with(9, club=club, by=alice)
    ours = replace(catalogue.build_movement("mitchell", 5, missing="EW5"), family="ours")
    own = store_own_movement(club, ours, name="Ours", by=alice)
    section = movement.choose_own_movement(section, own, boards_per_round=3, by=alice)

    with pytest.raises(NotSeated):
        movement.take_free_seat(section, 1, table=5, line="ew", by=alice)


def test_after_the_start_the_half_table_stays(club, alice):
    section = section_with(17, "mitchell", round=1, club=club, by=alice)

    with pytest.raises(AlreadyStarted):
        movement.take_free_seat(section, 4, table=9, line="ew", by=alice)
