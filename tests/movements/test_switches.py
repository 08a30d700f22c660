"""Turned boards as sentences."""

import os

import pytest

from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.fairness.switching import RoundSwitch
from movements.engine.offers import movement_for
from movements.services import store_movement
from movements.switches.choices import can_be_switched, switch_announcements, switch_choices
from movements.switches.turning import turns_between


@pytest.mark.parametrize(
    ("turns", "sentences"),
    [
        (
            [RoundSwitch(7)],
            ["Round 7: arrow-switch: turn the boards, North-South play as East-West."],
        ),
        (
            [RoundSwitch(6), RoundSwitch(7)],
            ["Rounds 6 and 7: arrow-switch: turn the boards, North-South play as East-West."],
        ),
        ([RoundSwitch(3, (), (2,))], ["In round 3 everybody turns board 2 of the set."]),
        ([RoundSwitch(3, (), (1, 3))], ["In round 3 everybody turns boards 1 and 3 of the set."]),
        ([RoundSwitch(2, (4,), (1,))], ["In round 2 table 4 turns board 1 of the set."]),
        ([RoundSwitch(2, (1, 4, 6))], ["In round 2 tables 1, 4 and 6 turn all boards."]),
        (
            [RoundSwitch(round, (4,), (2,)) for round in range(1, 10)],
            ["In rounds 1–9 table 4 turns board 2 of the set."],
        ),
        (
            [RoundSwitch(1, (), (3,)), RoundSwitch(2, (5,)), RoundSwitch(4, (), (3,))],
            [
                "In rounds 1 and 4 everybody turns board 3 of the set.",
                "In round 2 table 5 turns all boards.",
            ],
        ),
        ([], []),
    ],
)
def test_what_is_turned_is_said_in_as_few_sentences_as_possible(turns, sentences):
    assert list(switch_announcements(turns)) == sentences


@pytest.mark.django_db
@pytest.mark.parametrize(
    "pairs", [8, 12, 13]
)  # with which all families are there but two small ones
def test_whatever_can_be_switched_keeps_laws_boards_and_who_meets_whom(pairs, monkeypatch):
    trials = int(os.environ.get("TRIALS") or 60)  # how good what is found is, others test
    monkeypatch.setattr("movements.switches.choices.TRIALS", trials)
    monkeypatch.setattr("movements.engine.fairness.switching_search.FEWEST_TRIALS", trials)

    for family in (item for item in catalogue.FAMILIES if item.contest == "pairs"):
        try:
            plain = store_movement(movement_for(family.name, pairs), boards_per_round=4)
        except MovementError:
            continue
        assert can_be_switched(plain), family.name
        for choice in switch_choices(plain)[1:]:
            switched = store_movement(choice.movement, numbers=choice.numbers)  # checks the laws
            turns = turns_between(
                plain.movement, plain.numbers, switched.movement, switched.numbers
            )
            assert turns is not None, (family.name, choice.level)
            assert len(turns) > 0
