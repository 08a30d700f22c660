"""The referee of simulated evenings: checks rows, and none of a proposal's own facts.

After every change it compares the rows before and after with the proposal: no law is broken (the rows
are counted once more, see `recount`), no fixed part has changed except for those named by the change,
no contestant is lost, all are seated or sit out, and every stated consequence is in the rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from movements.engine import laws
from movements.engine.changes import (
    Change,
    LineSatElsewhere,
    PairArrives,
    PairLeaves,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Proposal,
    Rebuild,
    SatInEachOthersPlace,
    TookOtherBoards,
)
from movements.engine.changes.change import amended_rounds
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.model import Movement

from . import recount

Row = dict[str, Any]
SEATS = ("ns", "ew", "n", "s", "e", "w")


class Broken(AssertionError):
    """A proposal did a forbidden thing, or differs from its description."""


def referee(
    name: str,
    fixed: int,
    change: Change,
    proposal: Proposal,
    rows_before: list[Row],
    rows_after: list[Row],
    wholes: Mapping[str, str] | None = None,
) -> None:
    """Raise `Broken` if a law is broken, a fixed part changed, a contestant is lost, or a sentence is untrue.

    `wholes` names for every part of a divided set the set it is a part of.
    """

    def claim(is_true: bool, what: str) -> None:
        if not is_true:
            raise Broken(f"{name}, after round {fixed}, {proposal.kind}: {what}")

    movement = proposal.movement
    broken = laws.find_errors(movement)
    claim(not broken, "; ".join(v.sentence(movement) for v in broken))
    counted = recount.broken_laws(movement_dict(MovementDocument(movement)))
    claim(not counted, f"counted from the rows, the laws {sorted(counted)} are broken")
    for round in range(1, fixed + 1):
        before, after = (_by_table(rows, round) for rows in (rows_before, rows_after))
        changed = {t for t in {*before, *after} if before.get(t) != after.get(t)}
        may_change = _named(change, proposal.before, rows_before, round, fixed)
        claim(
            changed <= may_change,
            f"round {round} is fixed, and changed at tables {sorted(changed - may_change)}",
        )
    _nobody_is_lost(change, fixed, proposal, claim)
    _only_the_past_is_forgiven(proposal, fixed, claim)
    _fields_stay_apart(proposal, fixed, claim)
    _everybody_is_somewhere(movement, rows_after, claim)
    _words_are_true(proposal, rows_before, rows_after, wholes or {}, claim)


def _named(change: Change, before: Movement, rows: list[Row], round: int, fixed: int) -> set[int]:
    """The tables at which a fixed round may differ: those of a mistake, and half tables for a pair
    that still joins the round being played."""
    if isinstance(change, Rebuild):
        change = change.happened or change
    at = _by_table(rows, round)
    if isinstance(change, PairArrives):
        joins = change.joins_running and round == fixed
        return {t for t, here in at.items() if joins and len(_people(here)) < _full(before)}
    if isinstance(change, PlayedOtherBoards) and round == change.round:
        return {change.table, change.other_table}
    if isinstance(change, TookOtherBoards) and round == change.round:
        return {change.table}
    if isinstance(change, PlayedTheOtherWay) and round == change.round:
        return {change.table}
    if isinstance(change, LineSatElsewhere) and round in amended_rounds(change, fixed):
        return set(at)
    if isinstance(change, SatInEachOthersPlace) and round == change.round:
        both = {before.label(n).replace(" ", "") for n in (change.one, change.other)}
        return {t for t, here in at.items() if both & set(_seated(before, here, round))}
    return set()


def _full(movement: Movement) -> int:
    """Return the number of contestants at a full table that plays its round in one part."""
    return 4 // movement.contest.seats


def _nobody_is_lost(change: Change, fixed: int, proposal: Proposal, claim: Any) -> None:
    """Claim that all contestants are still there, except for those the change removes."""
    before, after = proposal.before, proposal.movement
    leaving: set[int] = set()
    if isinstance(change, PairLeaves):
        leaving = {change.contestant}
    if isinstance(change, Rebuild):
        leaving = set(change.leaves)
    for round in range(1, min(before.rounds, after.rounds) + 1):
        gone = leaving if round > fixed else set()
        there = {
            proposal.numbers[n] for n in before.contestants if n not in before.absent(round) | gone
        }
        found = {n for n in after.contestants if n not in after.absent(round)}
        lost = sorted(after.label(n) for n in there - found)
        claim(not lost, f"round {round}: {', '.join(lost)} lost")
        claim(
            found - there <= {proposal.newcomer}, f"round {round}: somebody has come from nowhere"
        )


def _only_the_past_is_forgiven(proposal: Proposal, fixed: int, claim: Any) -> None:
    """Claim that a proposal declares no exceptions of laws for rounds to come.

    But single players, who meet several times as it is, may meet once more after a mistake; and where no repair
    is found the rest stays as planned, with its broken laws.
    """
    if proposal.kind == "as-planned":
        return
    known = {
        (item.law, item.limit, item.rounds, tuple(proposal.numbers[c] for c in item.contestants))
        for item in proposal.before.exemptions
    }
    for item in proposal.movement.exemptions:
        if item.law not in ("meet-once", "board-once", "copies"):
            continue
        is_old = (item.law, item.limit, item.rounds, item.contestants) in known
        has_happened = bool(item.rounds) and max(item.rounds) <= fixed
        if item.law == "meet-once" and proposal.movement.contest.plays_alone:
            continue
        claim(is_old or has_happened, f"{item.law} is forgiven in rounds to come")


def _by_table(rows: list[Row], round: int) -> dict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["round"] == round:
            found[row["table"]].append({k: v for k, v in row.items() if k != "derived"})
    return dict(found)


def _people(rows: list[Row]) -> set[str]:
    """Return the contestants at a table, by line and label."""
    return {f"{seat} {row[seat]}" for row in rows for seat in SEATS if row.get(seat) is not None}


def _name(movement: Movement, row: Row, seat: str) -> str:
    """Return the label of a seat's contestant as the room knows it."""
    label = str(row[seat])
    fields = {field.name: field.prefix for field in movement.fields}
    return f"{seat.upper()}{label}" if fields.get(seat) and label.isdigit() else label


def _seated(movement: Movement, rows: list[Row], round: int) -> Counter[str]:
    """Return how often each contestant is named in a round."""
    return Counter(
        _name(movement, row, seat)
        for row in rows
        if row["round"] == round
        for seat in SEATS
        if row.get(seat) is not None
    )


def _plays(movement: Movement, rows: list[Row], round: int) -> dict[str, Fraction]:
    """Return the share of a round that each contestant plays."""
    parts = Counter(row["table"] for row in rows if row["round"] == round)
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for row in rows:
        if row["round"] != round:
            continue
        seats = [seat for seat in SEATS if seat in row]
        if all(row[seat] is not None for seat in seats):
            for name in {_name(movement, row, seat) for seat in seats}:
                share = Fraction(1, parts[row["table"]])
                found[name] = min(Fraction(1), found[name] + share)
    return dict(found)


def _there(movement: Movement, round: int) -> set[str]:
    away = {
        contestant
        for item in movement.exemptions
        if item.law == "present" and round in item.rounds
        for contestant in item.contestants
    }
    return {movement.label(n).replace(" ", "") for n in movement.contestants if n not in away}


def _waits(movement: Movement, rows: list[Row], round: int) -> dict[str, Fraction]:
    """Return the contestants that are present and do not play the whole round, read off the rows."""
    plays = _plays(movement, rows, round)
    shares = {name: Fraction(1) - plays.get(name, 0) for name in _there(movement, round)}
    return {name: share for name, share in shares.items() if share}


def _fields_stay_apart(proposal: Proposal, fixed: int, claim: Any) -> None:
    """Claim that with two winners no contestant meets its own field in rounds to come, unless it was planned."""

    def mixed(movement: Movement) -> list[tuple[int, int]]:
        return [
            (s.round, s.table)
            for s in movement.seatings
            if s.round > fixed and s.is_played and len({*map(movement.field_of, s.contestants)}) < 2
        ]

    is_pairs = proposal.movement.contest.fills_a_side and not proposal.movement.is_one_winner
    if is_pairs and not mixed(proposal.before):
        claim(not mixed(proposal.movement), f"a field meets itself: {mixed(proposal.movement)[:3]}")


def _everybody_is_somewhere(movement: Movement, rows: list[Row], claim: Any) -> None:
    if not movement.sets or movement.open_rounds:
        return
    for round in range(1, movement.rounds + 1):
        there = _there(movement, round)
        seated = set(_seated(movement, rows, round))
        claim(seated <= there, f"round {round}: {sorted(seated - there)} are not there")
        waits = {movement.label(n).replace(" ", ""): share for n, share in movement.sit_outs(round)}
        claim(_waits(movement, rows, round) == waits, f"round {round}: the sit-outs are not those")


def _words_are_true(
    proposal: Proposal,
    rows_before: list[Row],
    rows_after: list[Row],
    wholes: Mapping[str, str],
    claim: Any,
) -> None:
    """Recompute the consequences from the rows alone."""
    told, movement, before = proposal.consequences, proposal.movement, proposal.before
    if not movement.sets or movement.open_rounds:
        return
    rounds = range(proposal.from_round, movement.rounds + 1)
    waits = {
        (name, round): share
        for round in rounds
        for name, share in _waits(movement, rows_after, round).items()
    }
    said = {(movement.label(n).replace(" ", ""), round): share for n, round, share in told.sit_outs}
    claim(said == waits, "the sit-outs are not those told")
    changed = {
        (round, table)
        for round in range(proposal.from_round, max(movement.rounds, before.rounds) + 1)
        for old, new in [(_by_table(rows_before, round), _by_table(rows_after, round))]
        for table in {*old, *new}
        if _told(old.get(table, [])) != _told(new.get(table, []))
    }
    claim(
        changed == {(d.round, d.table) for d in told.differences},
        f"other tables differ than told: {sorted(changed)[:5]}",
    )
    shared_before = _sharing(before, rows_before, rounds, wholes)
    sharing = _sharing(movement, rows_after, rounds, wholes) - shared_before
    shown = {(round, table) for round, tables in told.shares for table in tables}
    claim(sharing <= shown, "tables share that were not told")
    sets = {name for row in rows_after for name in row["boards"]}
    known = {name for row in rows_before for name in row["boards"]} | set(before.sets)
    new = sets - known - set(proposal.parts)
    claim(new <= set(told.new_sets), f"new sets not told: {sorted(new)}")


def _told(rows: list[Row]) -> list[tuple[Any, ...]]:
    """Return contestants and boards of each table with contestants."""
    return [
        (*(row.get(seat) for seat in SEATS), tuple(sorted(row["boards"])))
        for row in rows
        if any(row.get(seat) is not None for seat in SEATS)
    ]


def _sharing(
    movement: Movement, rows: list[Row], rounds: range, wholes: Mapping[str, str]
) -> set[tuple[int, int]]:
    """The (round, table) at which a set is played that more tables want than there are copies."""
    wanted: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for row in rows:
        seats = [seat for seat in SEATS if seat in row]
        if row["round"] in rounds and all(row[seat] is not None for seat in seats):
            for name in row["boards"]:
                for part in _smallest_parts(name, wholes):
                    wanted[row["round"], part].add(row["table"])
    return {
        (round, table)
        for (round, _), tables in wanted.items()
        if len(tables) > movement.copies
        for table in tables
    }


def _smallest_parts(name: str, wholes: Mapping[str, str]) -> list[str]:
    parts = [part for part, whole in wholes.items() if whole == name]
    return [small for part in parts for small in _smallest_parts(part, wholes)] or [name]
