"""Simulated evenings: the referee finds nothing, and would have found something."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from movements.engine import catalogue, laws
from movements.engine.boards import movement_boards
from movements.engine.changes import (
    FewerBoards,
    PairArrives,
    PairLeaves,
    SatInEachOthersPlace,
    proposals,
)
from movements.engine.changes.numbering import numbers_after_change
from movements.engine.changes.proposal import Kind
from movements.engine.declarations import Exemption
from movements.engine.files.document import MovementDocument, movement_dict, read_json
from tests.proofs.referee import Broken, referee
from tests.proofs.simulation import Counts, PlayedEvening, simulated

#: with so many, every kind of proposal is made
EVENINGS = int(os.environ.get("EVENINGS") or 150)


@pytest.fixture(scope="module")
def season():
    """Return the counts of a season of random evenings; the referee has checked every change."""
    counts = Counts()
    return list(simulated(EVENINGS, 9, counts)), counts


def test_the_referee_finds_nothing_in_a_season_of_random_evenings(season):
    evenings, counts = season

    assert (len(evenings), counts.evenings) == (EVENINGS, EVENINGS)
    assert {evening.fixed == evening.movement.rounds for evening in evenings} == {True}


def test_every_kind_of_proposal_is_made_in_a_season_or_on_the_page_of_proposals(season):
    """`as-planned` is left where nothing repairs a mistake, in one of a thousand: `tests.proofs.mistakes` makes it."""
    page = (Path(__file__).parents[1] / "data" / "proposed.txt").read_text(encoding="utf-8")
    on_the_page = set(re.findall(r"^([a-z-]+) from round", page, re.MULTILINE))

    assert set(season[1].offered) | on_the_page | {"as-planned"} == set(get_args(Kind))


def test_some_changes_are_undone(season):
    evenings, counts = season

    undone = [
        change for evening in evenings for change in evening.history if "undo" in change["change"]
    ]

    assert len(undone) == counts.undone > 10


def test_a_seed_plays_the_same_evenings_again():
    first, again = Counts(), Counts()

    documents = [evening.document() for evening in simulated(8, 3, first)]

    assert [evening.document() for evening in simulated(8, 3, again)] == documents
    assert again == first


def test_the_history_of_an_evening_leads_to_its_rows(season):
    for evening in season[0]:
        rows = [change["rows_after"] for change in evening.history]
        for change, rows_before in zip(evening.history[1:], rows, strict=False):
            assert change["rows_before"] == rows_before
        if rows:
            assert evening.document()["rows"] == rows[-1]


def test_an_evening_in_which_tables_share_divided_sets_can_be_read_as_a_movement():
    [shorter] = proposals(catalogue.build_movement("rover-party", 6), 3, FewerBoards(2, 3))
    wholes = {part: (whole, 2) for part, (whole, _, _) in shorter.parts.items()}
    numbers = numbers_after_change(movement_boards(shorter.before, per_round=3), shorter, 3)
    evening = PlayedEvening("an evening", shorter.movement, numbers, wholes=wholes)
    evening.begin(3)

    read = read_json(json.dumps(evening.document())).movement

    assert laws.find_errors(read) == ()
    assert [s.sets for s in read.seatings_at_table(3, 6)] == [("A",)]
    assert [s.sets for s in read.seatings_at_table(4, 6)] == [("D1",)]


# ── the referee sees what is wrong ──


def watch(fixed, change, proposal):
    """Let the referee look at a proposal."""
    before, after = (
        movement_dict(MovementDocument(movement))["rows"]
        for movement in (proposal.before, proposal.movement)
    )
    referee("an evening", fixed, change, proposal, before, after)


def doctored(proposal, **consequences):
    """The same proposal, telling other consequences."""
    other = replace(proposal)
    other.__dict__["consequences"] = replace(proposal.consequences, **consequences)
    return other


def with_seating(proposal, round, table, **changes):
    """The same proposal with something else at a table."""
    movement = proposal.movement
    there = movement.at(round, table)
    seatings = tuple(replace(s, **changes) if s is there else s for s in movement.seatings)
    return replace(proposal, movement=replace(movement, seatings=seatings))


LEAVES = PairLeaves(3)


@pytest.fixture
def half_table():
    """Seven tables, three rounds fixed, and NS 3 goes home."""
    options = proposals(catalogue.build_movement("mitchell", 7), 3, LEAVES)
    assert [proposal.kind for proposal in options] == ["half-table"]
    return options[0]


def test_an_honest_proposal_passes(half_table):
    watch(3, LEAVES, half_table)


def test_a_moved_fixed_seating_is_seen(half_table):
    there = half_table.movement.at(2, 5)
    wrong = with_seating(half_table, 2, 5, ns=there.ew, ew=there.ns)

    with pytest.raises(Broken, match=r"round 2 is fixed, and changed at tables \[5\]"):
        watch(3, LEAVES, wrong)


def test_an_untold_sit_out_is_seen(half_table):
    wrong = doctored(half_table, sit_outs=half_table.consequences.sit_outs[1:])

    with pytest.raises(Broken, match="the sit-outs are not those told"):
        watch(3, LEAVES, wrong)


def test_an_untold_difference_is_seen(half_table):
    wrong = doctored(half_table, differences=half_table.consequences.differences[1:])

    with pytest.raises(Broken, match="other tables differ than told"):
        watch(3, LEAVES, wrong)


def test_a_lost_pair_is_seen(half_table):
    gone = Exemption("present", 0, "left", (5,), (6,))
    lost = with_seating(half_table, 6, 5, ns=None)
    movement = replace(lost.movement, exemptions=(*lost.movement.exemptions, gone))

    with pytest.raises(Broken, match="round 6: NS 5 lost"):
        watch(3, LEAVES, replace(lost, movement=movement))


def test_a_broken_law_is_seen(half_table):
    wrong = with_seating(half_table, 5, 2, sets=half_table.movement.at(1, 2).sets)

    with pytest.raises(Broken, match="board-once"):
        watch(3, LEAVES, wrong)


def test_a_law_forgiven_in_rounds_to_come_is_seen(half_table):
    wrong = with_seating(half_table, 5, 2, sets=half_table.movement.at(1, 2).sets)
    there = wrong.movement.at(5, 2)
    forgiven = (
        *wrong.movement.exemptions,
        *(
            Exemption("board-once", 2, "so what", (number,), rounds)
            for number in there.contestants
            for rounds in [
                tuple(s.round for s in wrong.movement.seatings_of(number) if s.sets == there.sets)
            ]
        ),
        Exemption("copies", 2, "so what", (), (5,)),
    )
    wrong = replace(wrong, movement=replace(wrong.movement, exemptions=forgiven))

    with pytest.raises(Broken, match="board-once is forgiven in rounds to come"):
        watch(3, LEAVES, wrong)


def test_somebody_from_nowhere_is_seen(half_table):
    came = proposals(half_table.before, 3, PairArrives())[0]

    watch(3, PairArrives(), came)
    with pytest.raises(Broken, match="somebody has come from nowhere"):
        watch(3, PairArrives(), replace(came, newcomer=0))


def test_tables_that_share_untold_are_seen():
    movement = proposals(catalogue.build_movement("mitchell", 7), 1, PairArrives())[0].movement
    party = next(
        proposal
        for proposal in proposals(movement, 3, PairArrives())
        if proposal.kind == "party-table"
    )

    watch(3, PairArrives(), party)
    with pytest.raises(Broken, match="tables share that were not told"):
        watch(3, PairArrives(), doctored(party, shares=()))


def test_new_sets_untold_are_seen():
    movement = catalogue.build_movement("mitchell", 7)
    larger = next(
        proposal
        for proposal in proposals(movement, 1, PairArrives())
        if proposal.kind == "new-table"
    )

    watch(1, PairArrives(), larger)
    with pytest.raises(Broken, match=r"new sets not told: \['H'\]"):
        watch(1, PairArrives(), doctored(larger, new_sets=()))


def test_a_mistake_may_change_the_tables_of_those_two_and_no_other():
    movement = catalogue.build_movement("mitchell", 7)
    change = SatInEachOthersPlace(3, 1, 2)
    honest = proposals(movement, 4, change)[0]
    there = honest.movement.at(3, 6)

    watch(4, change, honest)
    with pytest.raises(Broken, match=r"round 3 is fixed, and changed at tables \[6\]"):
        watch(4, change, with_seating(honest, 3, 6, ns=there.ew, ew=there.ns))
