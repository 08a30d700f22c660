"""Random evenings with live changes, and a referee who looks at the rows and at nothing else.

Every evening takes a movement of the catalogue, lets rounds pass, and makes things happen at random
moments: pairs come and leave, sit at wrong tables, the skip is moved, the evening becomes shorter. One
of the best proposals is taken; sometimes the change is undone. After every step the referee compares
what changed with what the proposal said would. A seed gives the same evenings again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from . import catalogue, laws
from .changes import (
    ArrowsTurn,
    Change,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Proposal,
    SatInEachOthersPlace,
    SkipIsMoved,
    proposals,
)
from .document import Document, to_dict
from .errors import MovementError
from .model import Movement

SMALLEST, LARGEST = 3, 20
MOST_CHANGES = 4
Row = dict[str, Any]


class Broken(AssertionError):
    """A proposal did what it must not do, or not what it said. Carries the evening so far."""


@dataclass
class Evening:
    """One evening: the movement as it stands, what has happened, and how it came."""

    name: str
    movement: Movement
    fixed: int = 0
    wholes: dict[str, tuple[str, int]] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    undone: int = 0

    def rows(self, movement: Movement) -> list[Row]:
        """The rows of a movement; a set that was divided is written whole where all of it is played."""
        rows = to_dict(Document(movement))["rows"]
        for row in rows:
            row["boards"] = self._whole(row["boards"])
        return rows  # type: ignore[no-any-return]

    def _whole(self, names: list[str]) -> list[str]:
        """Put divided sets together again, those divided twice too."""
        while True:
            parts = Counter(self.wholes[n][0] for n in names if n in self.wholes)
            full = {w for w, count in parts.items() if count == self._parts_of(w)}
            if not full:
                return names
            names = list(
                dict.fromkeys(
                    self.wholes[n][0] if self.wholes.get(n, ("",))[0] in full else n for n in names
                )
            )

    def _parts_of(self, whole: str) -> int:
        return sum(name == whole for name, _ in self.wholes.values())

    def document(self) -> dict[str, Any]:
        """The evening as one JSON object."""
        whole = to_dict(Document(self.movement))
        return {
            **whole,
            "name": self.name,
            "rows": self.rows(self.movement),
            "history": self.history,
        }


@dataclass
class Counts:
    """What happened in all evenings, by kind of change."""

    evenings: int = 0
    wishes: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    clean: Counter[str] = field(default_factory=Counter)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    undone: int = 0

    def table(self) -> str:
        """The counts as a table: how often something was wished, answered, and answered cleanly."""
        lines = [f"{'change':<24}{'wished':>8}{'possible':>10}{'clean':>8}  taken"]
        for wish in sorted(self.wishes):
            taken = ", ".join(
                f"{kind} {count}" for (of, kind), count in self.taken.most_common() if of == wish
            )
            lines.append(
                f"{wish:<24}{self.wishes[wish]:>8}{self.answered[wish]:>10}{self.clean[wish]:>8}  {taken}"
            )
        lines.append(f"{self.evenings} evenings, {self.undone} changes undone")
        return "\n".join(lines)


def simulated(evenings: int, seed: int, counts: Counts) -> Iterator[Evening]:
    """Play random evenings and yield each when it is over. Raises `Broken`."""
    for index in range(evenings):
        rng = Random(f"{seed}-{index}")
        yield played(rng, f"evening {index} of seed {seed}", counts)


def played(rng: Random, name: str, counts: Counts) -> Evening:
    """Play one evening to its end."""
    evening = Evening(name, _movement(rng))
    evening.name = f"{name}: {evening.movement.family}, {evening.movement.tables} tables"
    counts.evenings += 1
    for _ in range(rng.randint(1, MOST_CHANGES)):
        if evening.fixed >= evening.movement.rounds:
            break
        evening.fixed = rng.randint(evening.fixed, evening.movement.rounds - 1)
        change = _change(rng, evening)
        if change:
            _happen(rng, evening, change, counts)
    evening.fixed = evening.movement.rounds
    return evening


def _movement(rng: Random) -> Movement:
    """A movement of any family, sometimes with somebody missing, sometimes curtailed."""
    while True:
        family = rng.choice(catalogue.FAMILIES)
        tables = rng.randint(SMALLEST, LARGEST)
        possible = list(family.possible_rounds(tables))
        if not possible:
            continue
        rounds = rng.choice([None, rng.choice(possible)])
        try:
            whole = catalogue.build(family.name, tables, rounds)
            if whole.rounds < 2:
                continue
            if family.takes_missing_pair and rng.random() < 0.3:
                missing = whole.label(rng.choice(list(whole.contestants)))
                return catalogue.build(family.name, tables, rounds, missing)
            return whole
        except MovementError:
            continue


def _change(rng: Random, evening: Evening) -> Change | None:
    movement, fixed = evening.movement, evening.fixed
    there = [n for n in movement.contestants if n not in movement.absent(fixed + 1)]
    if len(there) < 4:
        return None
    match rng.choice("aaalllsklfbmmwo"):
        case "a":
            return PairArrives(joins_running=rng.random() < 0.5)
        case "l":
            return PairLeaves(rng.choice(there))
        case "s":
            return SkipIsMoved()
        case "k":
            return LengthChanges(rng.randint(max(fixed, 1), movement.rounds + 1))
        case "f":
            return FewerBoards(2, 3)
        case "b":
            return ArrowsTurn((rng.randint(fixed + 1, movement.rounds),))
        case "m" if fixed:
            return SatInEachOthersPlace(rng.randint(1, fixed), *rng.sample(there, 2))
        case "w" if fixed and movement.tables > 1:
            return PlayedOtherBoards(
                rng.randint(1, fixed), *rng.sample(range(1, movement.tables + 1), 2)
            )
        case "o" if fixed:
            return PlayedTheOtherWay(rng.randint(1, fixed), rng.randint(1, movement.tables))
    return None


def _happen(rng: Random, evening: Evening, change: Change, counts: Counts) -> None:
    wish = type(change).__name__
    counts.wishes[wish] += 1
    found = proposals(evening.movement, evening.fixed, change)
    if not found:
        return
    counts.answered[wish] += 1
    counts.clean[wish] += not found[0].consequences.repeats
    proposal = found[0] if rng.random() < 0.6 else rng.choice(found)
    before, wholes = evening.movement, dict(evening.wholes)
    for part, (name, _, _) in proposal.parts.items():
        evening.wholes[part] = (name, 2)
    rows_before, rows_after = evening.rows(before), evening.rows(proposal.movement)
    referee(evening, proposal, rows_before, rows_after)
    counts.taken[wish, proposal.kind] += 1
    evening.movement = proposal.movement
    after_round = proposal.from_round - 1
    evening.history.append(
        {
            "after_round": after_round,
            "change": f"{wish}: {proposal.kind}",
            "rows_before": rows_before,
            "rows_after": rows_after,
        }
    )
    if rng.random() < 0.15:
        counts.undone += 1
        evening.movement, evening.wholes = before, wholes
        evening.history.append(
            {
                "after_round": after_round,
                "change": f"undo {proposal.kind}",
                "rows_before": rows_after,
                "rows_after": rows_before,
            }
        )


# ── the referee: reads rows, and recomputes what a proposal says ──


def referee(
    evening: Evening, proposal: Proposal, rows_before: list[Row], rows_after: list[Row]
) -> None:
    """Raise `Broken` when a law is broken, what is fixed changed, somebody is lost, or a word is untrue."""

    def claim(is_true: bool, what: str) -> None:
        if not is_true:
            raise Broken(f"{evening.name}, after round {evening.fixed}, {proposal.kind}: {what}")

    movement = proposal.movement
    broken = laws.errors(movement)
    claim(not broken, "; ".join(v.sentence(movement) for v in broken))
    claim(
        proposal.from_round > evening.fixed
        or proposal.kind in ("free-seat", "as-played", "repaired"),
        "a round that is fixed would change",
    )
    again = proposal.from_round  # in this round only what the change names may differ
    for round in range(1, evening.fixed + 1):
        before, after = (_by_table(rows, round) for rows in (rows_before, rows_after))
        changed = {t for t in {*before, *after} if before.get(t) != after.get(t)}
        if round != again:
            claim(not changed, f"round {round} is fixed, and changed at tables {sorted(changed)}")
        elif proposal.kind == "free-seat":
            claim(
                all(len(_people(before[t])) < 2 for t in changed),
                f"somebody was playing in round {round} at tables {sorted(changed)}",
            )
        else:
            claim(len(changed) <= 2, f"more than two tables changed in round {round}")
    _everybody_is_somewhere(movement, rows_after, claim)
    _words_are_true(proposal, rows_before, rows_after, claim)


def _by_table(rows: list[Row], round: int) -> dict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["round"] == round:
            found[row["table"]].append({k: v for k, v in row.items() if k != "derived"})
    return dict(found)


SEATS = ("ns", "ew", "n", "s", "e", "w")


def _people(rows: list[Row]) -> set[str]:
    """Who is at a table, by line and label."""
    return {f"{seat} {row[seat]}" for row in rows for seat in SEATS if row.get(seat) is not None}


def _name(movement: Movement, row: Row, seat: str) -> str:
    """The label of whoever sits there as everybody in the room knows it."""
    label = str(row[seat])
    fields = {one.name: one.prefix for one in movement.fields}
    return f"{seat.upper()}{label}" if fields.get(seat) and label.isdigit() else label


def _seated(movement: Movement, rows: list[Row], round: int) -> Counter[str]:
    """How often everybody is named in a round."""
    return Counter(
        _name(movement, row, seat)
        for row in rows
        if row["round"] == round
        for seat in SEATS
        if row.get(seat) is not None
    )


def _plays(movement: Movement, rows: list[Row], round: int) -> dict[str, Fraction]:
    """Which share of a round everybody plays."""
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
    """Who is there and does not play, or not all the round, read off the rows."""
    plays = _plays(movement, rows, round)
    shares = {name: Fraction(1) - plays.get(name, 0) for name in _there(movement, round)}
    return {name: share for name, share in shares.items() if share}


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
    proposal: Proposal, rows_before: list[Row], rows_after: list[Row], claim: Any
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
    sharing = _sharing(movement, rows_after, rounds) - _sharing(before, rows_before, rounds)
    shown = {(round, table) for round, tables in told.shares for table in tables}
    claim(sharing <= shown, "tables share that were not told")
    sets = {name for row in rows_after for name in row["boards"]}
    known = {name for row in rows_before for name in row["boards"]} | set(before.sets)
    new = sets - known - set(proposal.parts)
    claim(new <= set(told.new_sets), f"new sets not told: {sorted(new)}")


def _told(rows: list[Row]) -> list[tuple[Any, ...]]:
    """What is worth telling of a table: who plays, and what; nothing where nobody is."""
    return [
        (*(row.get(seat) for seat in SEATS), tuple(sorted(row["boards"])))
        for row in rows
        if any(row.get(seat) is not None for seat in SEATS)
    ]


def _sharing(movement: Movement, rows: list[Row], rounds: range) -> set[tuple[int, int]]:
    """The (round, table) at which a set is played that more tables want than there are copies."""
    wanted: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for row in rows:
        seats = [seat for seat in SEATS if seat in row]
        if row["round"] in rounds and all(row[seat] is not None for seat in seats):
            for name in row["boards"]:
                wanted[row["round"], name].add(row["table"])
    return {
        (round, table)
        for (round, _), tables in wanted.items()
        if len(tables) > movement.copies
        for table in tables
    }
