"""Laws of live changes: every movement stays lawful, fixed rounds stay, and the sentences are true."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.changes import (
    ArrowsTurn,
    BoardSpan,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairStays,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Rebuild,
    SatInEachOthersPlace,
    SkipIsMoved,
    TookOtherBoards,
    proposals,
)
from movements.engine.errors import MovementError
from movements.engine.files.document import MovementDocument, movement_dict
from tests.proofs.referee import referee


@st.composite
def movements(draw):
    """Any movement of the catalogue with 3 to 14 tables."""
    family = draw(st.sampled_from(catalogue.FAMILIES))
    sizes = [tables for tables in range(3, 15) if family.possible_rounds(tables)]
    tables = draw(st.sampled_from(sizes or [family.smallest]))
    rounds = draw(st.sampled_from(sorted(family.possible_rounds(tables))))
    try:
        return catalogue.build_movement(family.name, tables, rounds)
    except MovementError:
        return catalogue.build_movement("mitchell", 7)


def pieces():
    """Whole sets, or boards of a set of three."""
    thirds = st.integers(0, 2).flatmap(
        lambda low: st.integers(low + 1, 3).map(lambda high: (Fraction(low, 3), Fraction(high, 3)))
    )
    return st.builds(lambda name, ends: BoardSpan(name, *ends), st.sampled_from("ABCDEFG"), thirds)


@st.composite
def changes(draw):
    """A movement, how many rounds are fixed, and a change."""
    movement = draw(movements())
    fixed = draw(st.integers(0, movement.rounds))
    somebody = st.sampled_from(list(movement.contestants))
    past, table = st.integers(1, max(fixed, 1)), st.integers(1, movement.tables)
    mistake = st.one_of(
        st.builds(SatInEachOthersPlace, past, somebody, somebody),
        st.builds(PlayedOtherBoards, past, table, table),
        st.builds(
            TookOtherBoards, past, table, st.tuples(pieces()), st.tuples(pieces()) | st.just(())
        ),
        st.builds(PlayedTheOtherWay, past, table),
    )
    change = draw(
        st.one_of(
            st.builds(PairArrives, st.booleans()),
            st.builds(PairLeaves, somebody),
            st.builds(PairStays, somebody),
            st.just(SkipIsMoved()),
            st.builds(LengthChanges, st.integers(0, movement.rounds + 3)),
            st.builds(FewerBoards, st.integers(0, 4), st.just(3)),
            st.builds(ArrowsTurn, st.tuples(st.integers(0, movement.rounds + 1))),
            mistake,
            st.builds(
                Rebuild,
                st.just(0.02),
                st.booleans(),
                st.lists(somebody, max_size=2, unique=True).map(tuple),
                st.none() | mistake,
            ),
        )
    )
    return movement, fixed, change


@settings(max_examples=150, deadline=None)
@given(changes())
def test_every_proposal_is_lawful_keeps_what_is_fixed_and_tells_the_truth(case):
    movement, fixed, change = case

    for proposal in proposals(movement, fixed, change):
        assert laws.find_errors(proposal.movement) == ()
        parts = {part: whole for part, (whole, _, _) in proposal.parts.items()}
        rows = [joined(m, parts) for m in (movement, proposal.movement)]
        before, after = ([r for r in some if r["round"] < proposal.from_round] for some in rows)
        assert after == before
        referee("an evening", fixed, change, proposal, *rows, parts)


def joined(movement, parts):
    """The rows of a movement; a set that the change divided is itself where all of it is played."""
    rows = movement_dict(MovementDocument(movement))["rows"]
    for row in rows:
        names = row["boards"]
        for whole in dict.fromkeys(parts.values()):
            pieces = [part for part in parts if parts[part] == whole]
            if set(pieces) <= set(names):
                names = [whole if name == pieces[0] else name for name in names]
                names = [name for name in names if name not in pieces]
        row["boards"] = names
    return rows


@settings(max_examples=40, deadline=None)
@given(changes())
def test_proposals_are_ranked_and_the_same_every_time(case):
    movement, fixed, change = case

    first, again = (proposals(movement, fixed, change) for _ in range(2))

    assert [(proposal.kind, proposal.movement) for proposal in first] == [
        (o.kind, o.movement) for o in again
    ]
    assert [item.cost for item in first] == sorted(item.cost for item in first)
