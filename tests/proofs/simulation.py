"""Random evenings with live changes, watched by a referee.

Every evening takes a movement of the catalogue, lets rounds pass, and makes things happen at random moments: pairs
come and leave, sit at wrong tables, take wrong boards, the skip is moved, the evening becomes shorter. One of the
best proposals is taken; sometimes the change is undone. After every step the referee compares the changes with the
proposal's description. Past plays are those stored when a round began, never the movement's. A seed gives the same
evenings again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Literal

from movements.engine import catalogue
from movements.engine.boards import MatchBoards, movement_boards
from movements.engine.changes import (
    ArrowsTurn,
    BoardSpan,
    Change,
    FewerBoards,
    LengthChanges,
    LineSatElsewhere,
    PairArrives,
    PairLeaves,
    PairReturns,
    PairStays,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Proposal,
    Rebuild,
    SatInEachOthersPlace,
    SkipIsMoved,
    TookOtherBoards,
    proposals,
)
from movements.engine.changes.change import Mistake
from movements.engine.changes.numbering import numbers_after_change
from movements.engine.errors import MovementError
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.model import Movement
from movements.engine.plays import BoardPlay, movement_with_past, plays_of

from .referee import Broken, Row, referee

__all__ = ["Broken", "Counts", "PlayedEvening", "played", "simulated"]

SMALLEST, LARGEST = 3, 20
MOST_CHANGES = 4
USUAL = ("mitchell", "skip-mitchell", "howell")
"""What clubs play most, and therefore what is played more often here too."""
BOARDS_A_SET = 12
BOARDS_A_MATCH = MatchBoards(6)
EFFORT = 0.05
"""How long a rebuild may search: little, since there are many evenings."""


@dataclass
class PlayedEvening:
    """An evening: the present movement, past plays, events, and their history."""

    name: str
    movement: Movement
    numbers: Mapping[str, range]
    fixed: int = 0
    plays: dict[int, tuple[BoardPlay, ...]] = field(default_factory=dict)
    wholes: dict[str, tuple[str, int]] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    undone: int = 0

    def begin(self, until: int) -> None:
        """Let rounds begin, up to one: their plays are written down."""
        for round in range(self.fixed + 1, until + 1):
            self.plays[round] = plays_of(self.movement, round, self.numbers, BOARDS_A_MATCH)
        self.fixed = max(self.fixed, until)

    def as_played(self) -> Movement:
        """The evening as one value: the past from the plays, the rounds to come from the movement."""
        past = [play for plays in self.plays.values() for play in plays]
        return movement_with_past(self.movement, past, self.fixed, self.numbers)

    def follow(self, proposal: Proposal, numbers: Mapping[str, range]) -> None:
        """Follow a proposal; past plays from its first round on are replaced by the proposal's."""
        self.movement, self.numbers = proposal.movement, numbers
        for round, plays in self.plays.items():
            self.plays[round] = tuple(play.renumbered(proposal.numbers) for play in plays)
            if round >= proposal.from_round:
                self.plays[round] = plays_of(self.movement, round, numbers, BOARDS_A_MATCH)

    def rows(self, movement: Movement) -> list[Row]:
        """The rows of a movement; a set that was divided is written whole where all of it is played."""
        rows = movement_dict(MovementDocument(movement))["rows"]
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

    def _with_wholes(self, share: dict[str, Any], boards: list[str]) -> dict[str, Any]:
        """A share of parts is one of the whole too, where all of it is played."""
        if not share.get("boards"):
            return share
        names = dict.fromkeys(share["boards"])
        for name in list(names):
            while name in self.wholes:
                name = self.wholes[name][0]
                names[name] = None
        return {**share, "boards": [name for name in names if name in boards]}

    def document(self) -> dict[str, Any]:
        """The evening as one JSON object, the form in which movements are read."""
        movement = self.as_played()
        whole = movement_dict(MovementDocument(movement))
        rows = self.rows(movement)
        named = [whole["boards"], *(item["boards"] for item in (*rows, *whole["stands"]))]
        boards = list(dict.fromkeys(name for names in named for name in names))
        return {
            **whole,
            "name": self.name,
            "boards": boards,
            "shared": [self._with_wholes(share, boards) for share in whole["shared"]],
            "rows": rows,
            "history": self.history,
        }


@dataclass
class Counts:
    """Counts of the events in all evenings, by kind of change."""

    evenings: int = 0
    wishes: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    clean: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
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


def simulated(evenings: int, seed: int, counts: Counts, first: int = 0) -> Iterator[PlayedEvening]:
    """Play random evenings from the number `first` on, and yield each when it is over. Raises `Broken`."""
    for index in range(first, first + evenings):
        rng = Random(f"{seed}-{index}")
        yield played(rng, f"evening {index} of seed {seed}", counts)


def played(rng: Random, name: str, counts: Counts) -> PlayedEvening:
    """Play one evening to its end."""
    movement = _movement(rng)
    evening = PlayedEvening(name, movement, _boards(movement))
    evening.name = f"{name}: {evening.movement.family}, {evening.movement.tables} tables"
    counts.evenings += 1
    for _ in range(rng.randint(1, MOST_CHANGES)):
        if evening.fixed >= evening.movement.rounds:
            break
        if rng.random() < 0.8:  # otherwise something more happens in the same break
            evening.begin(rng.randint(evening.fixed, evening.movement.rounds - 1))
        change = _change(rng, evening)
        if change:
            _happen(rng, evening, change, counts)
    evening.begin(evening.movement.rounds)
    return evening


def _boards(movement: Movement) -> dict[str, range]:
    """The boards of every set: so many that a set can be divided more than once."""
    try:
        return movement_boards(movement, total=BOARDS_A_SET * len(movement.sets))
    except MovementError:
        return movement_boards(movement, per_round=6)


def _movement(rng: Random) -> Movement:
    """Return a movement of any family, sometimes with a contestant missing, sometimes curtailed."""
    while True:
        is_usual = rng.random() < 0.25
        family = (
            catalogue.find_family(rng.choice(USUAL)) if is_usual else rng.choice(catalogue.FAMILIES)
        )
        tables = rng.randint(SMALLEST, LARGEST)
        possible = list(family.possible_rounds(tables))
        if not possible:
            continue
        rounds = rng.choice([None, rng.choice(possible)])
        try:
            whole = catalogue.build_movement(family.name, tables, rounds)
            if whole.rounds < 2:
                continue
            if family.takes_missing_pair and rng.random() < 0.3:
                missing = whole.label(rng.choice(list(whole.contestants)))
                return catalogue.build_movement(family.name, tables, rounds, missing)
            return whole
        except MovementError:
            continue


def _change(rng: Random, evening: PlayedEvening) -> Change | None:
    movement, fixed = evening.movement, evening.fixed
    there = [n for n in movement.contestants if n not in movement.absent(fixed + 1)]
    if len(there) < 4:
        return None
    has_lines = movement.family.endswith("mitchell") and movement.copies == 1
    kind = rng.choice("aaalllsklfbmmwwoovvrt" + 4 * "s" * has_lines)
    gone = [n for n in movement.absent(fixed + 1) if n not in movement.absent(1)]
    if gone and (rng.random() < 0.3 or movement.open_rounds):
        kind = "c"
    if kind == "r":
        return _rebuild(rng, movement, fixed, there, gone)
    if kind == "c":
        return PairReturns(rng.choice(sorted(gone)))
    return _small_change(rng, kind, movement, fixed, there)


def _rebuild(
    rng: Random, movement: Movement, fixed: int, there: list[int], gone: list[int]
) -> Change:
    """Return a rebuild of the rest: without a reason, for a pair more or less, for a returning pair, or after a
    mistake.
    """
    match rng.choice("nalm" + "c" * len(gone)):
        case "c":
            return Rebuild(EFFORT, returns=rng.choice(sorted(gone)))
        case "a":
            return Rebuild(EFFORT, arrives=True)
        case "l":
            return Rebuild(EFFORT, leaves=tuple(rng.sample(there, rng.randint(1, 2))))
        case "m" if fixed:
            return Rebuild(EFFORT, happened=_mistake(rng, movement, fixed, there))
    return Rebuild(EFFORT)


def _small_change(
    rng: Random, kind: str, movement: Movement, fixed: int, there: list[int]
) -> Change | None:
    match kind:
        case "a":
            return PairArrives(joins_running=rng.random() < 0.5)
        case "l":
            return PairLeaves(rng.choice(there))
        case "t":
            return PairStays(rng.choice(there))
        case "s":
            return SkipIsMoved()
        case "k":
            return LengthChanges(rng.randint(max(fixed, 1), movement.rounds + 1))
        case "f":
            return FewerBoards(2, 3)
        case "b":
            return ArrowsTurn((rng.randint(fixed + 1, movement.rounds),))
        case "m" if fixed:
            return _in_each_others_place(rng, fixed, there)
        case "w" if fixed and movement.tables > 1:
            return _other_boards(rng, movement, fixed)
        case "o" if fixed:
            return _turned(rng, movement, fixed)
        case "v" if fixed and not movement.is_one_winner:
            up = rng.choice([up for up in (-2, -1, 1, 2) if up % movement.tables] or [1])
            line: Literal["ns", "ew"] = rng.choice(["ns", "ew"])
            return LineSatElsewhere(rng.randint(1, fixed), line, up, since=rng.random() < 0.4)
    return None


def _turned(rng: Random, movement: Movement, fixed: int) -> Mistake:
    """A table that sat the other way round, for all boards of a round or for half of a set."""
    round, table = rng.randint(1, fixed), rng.randint(1, movement.tables)
    names = [name for s in movement.seatings_at_table(round, table) for name in s.sets]
    if not names or rng.random() < 0.5:
        return PlayedTheOtherWay(round, table)
    half = Fraction(1, 2)
    low, high = rng.choice([(Fraction(0), half), (half, Fraction(1))])
    return PlayedTheOtherWay(round, table, (BoardSpan(rng.choice(names), low, high),))


def _mistake(rng: Random, movement: Movement, fixed: int, there: list[int]) -> Mistake:
    if rng.random() < 1 / 2 or movement.tables == 1:
        return _in_each_others_place(rng, fixed, there)
    return _other_boards(rng, movement, fixed)


def _in_each_others_place(rng: Random, fixed: int, there: list[int]) -> Mistake:
    return SatInEachOthersPlace(rng.randint(1, fixed), *rng.sample(there, 2))


def _other_boards(rng: Random, movement: Movement, fixed: int) -> Mistake:
    """Boards of another table, which has theirs; or any boards, wherever they should have been."""
    round, table = rng.randint(1, fixed), rng.randint(1, movement.tables)
    if rng.random() < 1 / 2:
        others = [number for number in range(1, movement.tables + 1) if number != table]
        return PlayedOtherBoards(round, table, rng.choice(others))
    many = sum(len(seating.sets) for seating in movement.seatings_at_table(round, table))
    return TookOtherBoards(
        round, table, tuple(map(BoardSpan, rng.sample(sorted(movement.sets), many)))
    )


def _happen(rng: Random, evening: PlayedEvening, change: Change, counts: Counts) -> None:
    wish = type(change).__name__
    counts.wishes[wish] += 1
    found = [
        proposal
        for proposal in proposals(evening.as_played(), evening.fixed, change)
        if all(numbers_after_change(evening.numbers, proposal, BOARDS_A_SET).values())
    ]
    if not found:
        return
    counts.answered[wish] += 1
    counts.offered.update(proposal.kind for proposal in found)
    counts.clean[wish] += not found[0].consequences.repeats
    proposal = found[0] if rng.random() < 0.6 else rng.choice(found)
    before, wholes, numbers = evening.as_played(), dict(evening.wholes), evening.numbers
    plays = dict(evening.plays)
    for part, (name, _, _) in proposal.parts.items():
        evening.wholes[part] = (name, 2)
    rows_before = evening.rows(before)
    evening.follow(proposal, numbers_after_change(numbers, proposal, BOARDS_A_SET))
    rows_after = evening.rows(evening.as_played())
    parts = {part: whole for part, (whole, _) in evening.wholes.items()}
    referee(evening.name, evening.fixed, change, proposal, rows_before, rows_after, parts)
    counts.taken[wish, proposal.kind] += 1
    after_round = proposal.from_round - 1
    evening.history.append(
        {
            "after_round": after_round,
            "fixed": evening.fixed,
            "change": f"{wish}: {proposal.kind}",
            "rows_before": rows_before,
            "rows_after": rows_after,
        }
    )
    if rng.random() < 0.15:
        counts.undone += 1
        evening.movement, evening.wholes = before, wholes
        evening.numbers, evening.plays = numbers, plays
        evening.history.append(
            {
                "after_round": after_round,
                "fixed": evening.fixed,
                "change": f"undo {proposal.kind}",
                "rows_before": rows_after,
                "rows_after": rows_before,
            }
        )
