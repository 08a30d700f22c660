"""Par from the table of tricks: as a solver has it, and as each side would want it."""

import json
from pathlib import Path

import pytest

from bridgebuddy.scoring.rules.par import Par, par

FACTS = json.loads((Path(__file__).parent.parent / "data" / "scoring" / "par.json").read_text())
STRAINS = ("S", "H", "D", "C", "NT")


def table(written):
    rows = [[int(digit, 16) for digit in row] for row in written.split("/")]
    return {
        seat: {strain: rows[n][place] for n, strain in enumerate(STRAINS)}
        for place, seat in enumerate("NESW")
    }


@pytest.mark.parametrize("board", range(1, 17))
def test_par_is_what_the_solver_of_most_programs_says(board):
    for one in FACTS["tables"]:
        score, *contracts = one["par"][board - 1].split()

        assert par(board, table(one["tricks"])) == Par(int(score), tuple(contracts)), one


def test_a_board_on_which_nobody_makes_anything_is_passed_out():
    six = {seat: dict.fromkeys(STRAINS, 6) for seat in "NESW"}

    assert par(1, six) == Par(0)


def test_whoever_opens_has_what_both_could_make():
    seven = {seat: dict.fromkeys(STRAINS, 7) for seat in "NESW"}

    assert [par(board, seven).score for board in (1, 4, 7, 10)] == [90, -90, 90, -90]
