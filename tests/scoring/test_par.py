"""Par from the table of tricks: as a solver has it, and as each side would want it."""

import json
import random
from pathlib import Path

import pytest

from bridgebuddy.scoring.rules.par import ParScore, par_of_board

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
    for row in FACTS["tables"]:
        score, *contracts = row["par"][board - 1].split()

        assert par_of_board(board, table(row["tricks"])) == ParScore(
            int(score), tuple(contracts)
        ), row


def test_a_board_on_which_nobody_makes_anything_is_passed_out():
    six = {seat: dict.fromkeys(STRAINS, 6) for seat in "NESW"}

    assert par_of_board(1, six) == ParScore(0)


def test_whoever_opens_has_what_both_could_make():
    seven = {seat: dict.fromkeys(STRAINS, 7) for seat in "NESW"}

    assert [par_of_board(board, seven).score for board in (1, 4, 7, 10)] == [90, -90, 90, -90]


def worth(level, strain, tricks, vulnerable):
    """Return a contract's score for its declarer, doubled if it fails: Law 77 written once more."""
    down = level + 6 - tricks
    if down > 0:
        if vulnerable:
            return -(300 * down - 100)
        return -(100, 300, 500)[down - 1] if down <= 3 else -(300 * down - 400)
    a_trick = 20 if strain in "CD" else 30
    below = a_trick * level + (10 if strain == "NT" else 0)
    bonus = (500 if vulnerable else 300) if below >= 100 else 50
    slam = {6: (500, 750), 7: (1000, 1500)}.get(level, (0, 0))[vulnerable]
    return below + bonus + slam - a_trick * down


def score_that_north_south_can_insist_on(board, tricks):
    """Return par without an auction: the best score for which North-South have the higher contract.

    For any score each side has a highest contract that suits it. The side with the higher one has the last word; with
    equal ones, the side that may bid first.
    """
    vulnerable = {"NS": board % 16 in {2, 4, 5, 7, 10, 12, 13, 15}}
    vulnerable["EW"] = board % 16 in {0, 3, 4, 6, 7, 9, 10, 13}
    scores = {
        side: [
            sign
            * worth(level, strain, max(tricks[seat][strain] for seat in side), vulnerable[side])
            for level in range(1, 8)
            for strain in ("C", "D", "H", "S", "NT")
        ]
        for side, sign in (("NS", 1), ("EW", -1))
    }
    opens = "NS" if board % 2 else "EW"

    def insists(wished):
        highest = {
            "NS": max((n for n, item in enumerate(scores["NS"]) if item >= wished), default=-1),
            "EW": max((n for n, item in enumerate(scores["EW"]) if item < wished), default=-1),
        }
        if highest["NS"] == highest["EW"] == -1:
            return wished <= 0
        return highest["NS"] > highest["EW"] or (highest["NS"] == highest["EW"] and opens == "NS")

    return max(item for item in {0, *scores["NS"], *scores["EW"]} if insists(item))


def test_par_of_1000_tables_is_what_a_second_way_finds():
    dice = random.Random(7)
    for _ in range(1000):
        board, tricks = dice.randint(1, 16), {seat: {} for seat in "NESW"}
        for strain in STRAINS:
            north_south = dice.choices(range(14), [1, 1, 2, 3, 5, 7, 9, 9, 7, 5, 3, 2, 1, 1])[0]
            for seat in "NS":
                tricks[seat][strain] = max(0, north_south - (dice.random() < 0.2))
            for seat in "EW":
                tricks[seat][strain] = max(0, 13 - north_south - (dice.random() < 0.2))

        assert par_of_board(board, tricks).score == score_that_north_south_can_insist_on(
            board, tricks
        )
