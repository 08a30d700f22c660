"""Movements as values: equality, cached facts, and pickling for another process."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

from movements.engine import catalogue
from movements.engine.board_copies.copies import copy_places
from movements.engine.model import Movement

#: reads a movement as another process does, in which texts hash otherwise
ELSEWHERE = """
import pickle, sys
from movements.engine import catalogue
read = pickle.loads(sys.stdin.buffer.read())
print({catalogue.build_movement("mitchell", 5): "found"}.get(read))
"""


def test_equal_movements_are_one_whatever_was_worked_out_of_them():
    one, other = catalogue.build_movement("mitchell", 5), catalogue.build_movement("mitchell", 5)
    copy_places(one)

    assert one is not other
    assert (one == other, hash(one) == hash(other)) == (True, True)
    assert len({one, other, replace(one, copies=2), replace(one, family="howell")}) == 3


def test_a_movement_is_the_same_in_another_process():
    movement = catalogue.build_movement("mitchell", 5)
    assert {movement: "kept"}[movement] == "kept"
    written = pickle.dumps(movement)

    read = pickle.loads(written)
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=written,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )

    assert (read, vars(read).keys()) == (movement, Movement.__dataclass_fields__.keys())
    assert done.stdout.strip() == b"found", done.stderr


def test_who_plays_one_of_two_parts_of_a_round_sits_out_for_half_of_it():
    mitchell = catalogue.build_movement("mitchell", 3)
    first, *others = mitchell.seatings
    half, other_half = replace(first, sets=("A",)), replace(first, ew=None, sets=("D",))
    movement = replace(mitchell, sets=("A", "B", "C", "D"), seatings=(half, other_half, *others))

    assert movement.sit_outs(1) == ((1, Fraction(1, 2)), (4, Fraction(1, 2)))
