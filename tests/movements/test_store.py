"""Keeping a movement: checked once more, as rows and as the JSON that made them."""

from dataclasses import replace

import pytest

from movements.engine import catalogue
from movements.engine.errors import TooFewBoards
from movements.models import SeatingRow, StoredMovement
from movements.services import BrokenMovement, store_movement

pytestmark = pytest.mark.django_db


def test_rows_and_json_hold_the_same_movement():
    movement = catalogue.build_movement("skip-mitchell", 8, None, "EW 8")

    stored = StoredMovement.objects.get(pk=store_movement(movement, boards_per_round=3).pk)

    assert stored.movement == movement
    rows = {(row.round, row.table): (row.ns, row.ew, row.sets) for row in stored.rows.all()}
    assert rows == {(s.round, s.table): (s.ns, s.ew, " ".join(s.sets)) for s in movement.seatings}
    assert list(stored.numbers["B"]) == [4, 5, 6]
    assert stored.without_seatings.label(9) == movement.label(9) == "EW 1"


def test_a_broken_movement_is_not_kept():
    movement = catalogue.build_movement("mitchell", 5)
    broken = replace(movement, seatings=(*movement.seatings[1:], replace(movement.seatings[1])))

    with pytest.raises(BrokenMovement) as refused:
        store_movement(broken, boards_per_round=3)

    assert {violation.law for violation in refused.value.violations} == {"board-once", "structure"}
    assert not StoredMovement.objects.exists()
    assert not SeatingRow.objects.exists()


def test_a_total_that_leaves_a_set_empty_is_refused():
    with pytest.raises(TooFewBoards):
        store_movement(catalogue.build_movement("mitchell", 11), total_boards=28)


def test_the_last_set_is_shorter_when_the_total_asks_for_it():
    stored = store_movement(catalogue.build_movement("mitchell", 5), total_boards=24)

    assert [len(stored.numbers[name]) for name in "ABCDE"] == [5, 5, 5, 5, 4]


def test_a_database_may_keep_the_fields_in_an_order_of_its_own():
    movement = catalogue.build_movement("mitchell", 5)
    stored = store_movement(movement, boards_per_round=3)
    other = {"ew": stored.fields["ew"], "ns": stored.fields["ns"]}  # as PostgreSQL has it

    stored.fields, stored.document["field"] = other, other
    stored.save()

    stored = StoredMovement.objects.get(pk=stored.pk)
    assert [stored.without_seatings.label(number) for number in (1, 6)] == ["NS 1", "EW 1"]
    assert stored.movement == movement
