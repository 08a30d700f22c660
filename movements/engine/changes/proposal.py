"""A proposal: a complete new movement for the session, and the consequences of accepting it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, gcd
from typing import Literal

from movements.engine.board_copies.borrowed_sets import borrowed_set

from .. import laws
from ..fairness.balance import balance
from ..model import Movement, Seating, Side, players_of
from ..options import remove_contestant
from .absences import drop_outdated_declarations

Kind = Literal[
    "free-seat",
    "rover",
    "two-way-rover",
    "party-table",
    "new-table",
    "drawn-again",
    "drawn-later",
    "appendix-table",
    "waiting-place",
    "fewer-tables",
    "half-table",
    "places-taken",
    "places-exchanged",
    "table-kept",
    "skip",
    "no-skip",
    "shorter",
    "longer",
    "fewer-boards",
    "arrow-switch",
    "as-played",
    "as-planned",
    "repaired",
    "rebuilt",
]


@dataclass(frozen=True, slots=True)
class TableDifference:
    """The seatings of a table in a round before and after a change; empty if there are none."""

    round: int
    table: int
    before: tuple[Seating, ...]
    after: tuple[Seating, ...]


@dataclass(frozen=True, slots=True)
class ChangeConsequences:
    """The consequences of a proposal from its first round on, for the director to compare.

    `sit_outs` lists contestant, round and share of each sit-out. `affected` are contestants that play elsewhere,
    against others or with other boards. `replaced` are those of them that do not play at their place in some round.
    `moved` are those that play at another one; a sit-out has no place except at a half table. `shares` are tables
    that share and did not. `new_sets` must be prepared. `repeats` are couples that meet again, and contestants that
    play a set again. `contestants_never_playing` are contestants that play in no round any more. `score` is the fairness, 0 to 100.
    """

    sit_outs: tuple[tuple[int, int, Fraction], ...]
    sit_outs_before: tuple[tuple[int, int, Fraction], ...]
    affected: tuple[int, ...]
    replaced: tuple[int, ...]
    moved: tuple[int, ...]
    shares: tuple[tuple[int, tuple[int, ...]], ...]
    copies_before: int
    copies: int
    new_sets: tuple[str, ...]
    repeats: tuple[tuple[int, ...], ...]
    contestants_never_playing: tuple[int, ...]
    score_before: int
    score: int
    differences: tuple[TableDifference, ...]


@dataclass(frozen=True)
class Proposal:
    """A movement for the whole session, without broken laws, that the director may choose to deal with a change.

    `from_round` is the first round that differs or may differ. `numbers` maps each contestant to its new number (a
    newcomer may shift others). `parts` gives for divided sets the share of the original set: (set, from, to), 0 to 1.
    `facts` are for the sentence that names the proposal. `sizes` are the boards of every set before, if known.
    """

    kind: Kind
    before: Movement
    movement: Movement
    from_round: int
    numbers: Mapping[int, int]
    newcomer: int = 0
    parts: Mapping[str, tuple[str, Fraction, Fraction]] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def sizes_after(self) -> dict[str, int]:
        """Return the number of boards of every set under the proposal; a part of a divided set has its share."""
        sizes_by_name = {}
        for name in self.movement.sets:
            if name in self.parts:
                whole, low, high = self.parts[name]
                boards = self._boards_in_set(whole, 2)
                sizes_by_name[name] = ceil(boards * high) - ceil(boards * low)
            else:
                sizes_by_name[name] = self._boards_in_set(name, max(self.sizes.values(), default=1))
        return sizes_by_name

    def _boards_in_set(self, name: str, usual_count: int) -> int:
        """Return the number of boards of a set before the change, `usual_count` if it is unknown."""
        of_others = borrowed_set(name)
        return self.sizes.get(name) or (len(of_others.boards) if of_others else usual_count)

    @cached_property
    def consequences(self) -> ChangeConsequences:
        """Return what the proposal changes from its first round on."""
        return consequences(self)

    @cached_property
    def cost(self) -> tuple[float, ...]:
        """Return the sort key of proposals, lower is better: harm to play, then inconvenience, then fairness."""
        totals = self.consequences
        rounds: defaultdict[int, Fraction] = defaultdict(Fraction)
        for contestant, _, share in totals.sit_outs:
            rounds[contestant] += share
        again = sum(float(share - 1) for share in rounds.values() if share > 1)
        waiting = float(sum(rounds.values()))
        trouble = (
            8 * again
            + 3 * waiting
            + 1.5 * len(totals.shares)
            + 6 * max(0, totals.copies - totals.copies_before)
            + 4 * len(totals.new_sets)
            + 0.4 * len(totals.replaced)
            + 0.1 * len(totals.affected)
            + (6 if self.parts else 0)
            + 4 * max(0, self.before.rounds - self.movement.rounds)
            + 0.3 * max(0, totals.score_before - totals.score)
            - 6 * self.facts.get("running", 0)  # two pairs play instead of waiting
        )
        return (len(totals.repeats) + len(totals.contestants_never_playing), trouble)


def identity_numbers(movement: Movement) -> dict[int, int]:
    """Return the mapping of each contestant's number to itself, for changes that renumber nobody."""
    return {number: number for number in movement.contestants}


def lawful_proposal(proposal: Proposal) -> Proposal | None:
    """Return the proposal if its movement breaks no law; otherwise None.

    A contestant that was declared to play in no round, and plays now, is not declared any more.
    """
    movement = proposal.movement
    if any(item.law == "field" for item in movement.exemptions):
        proposal = replace(proposal, movement=drop_outdated_declarations(movement))
    return None if laws.find_errors(proposal.movement) else proposal


def renumbered_side(side: Side, numbers: Mapping[int, int]) -> Side:
    """Return a side of a table with contestants' numbers replaced by `numbers`."""
    if side is None:
        return None
    return (numbers[side[0]], numbers[side[1]]) if isinstance(side, tuple) else numbers[side]


def renumber_seatings(
    seatings: tuple[Seating, ...], numbers: Mapping[int, int]
) -> tuple[Seating, ...]:
    """Return the seatings with contestants' numbers replaced by `numbers`."""
    return tuple(
        replace(
            seating,
            ns=renumbered_side(seating.ns, numbers),
            ew=renumbered_side(seating.ew, numbers),
        )
        for seating in seatings
    )


def consequences(proposal: Proposal) -> ChangeConsequences:
    """Compare a proposal's movement with the one before, from the proposal's first round on."""
    before, after = proposal.before, proposal.movement
    rounds = range(proposal.from_round, max(before.rounds, after.rounds) + 1)
    called_anew = replace(before, seatings=renumber_seatings(before.seatings, proposal.numbers))
    differences = tuple(
        difference
        for round in rounds
        for table in range(1, max(before.tables, after.tables) + 1)
        if (difference := _table_difference(proposal, called_anew, round, table))
    )
    places_before = _places_by_round(called_anew.seatings, rounds)
    places_after = _places_by_round(after.seatings, rounds)
    seats_before = _places_by_round(called_anew.seatings, rounds, with_waiting=True)
    there = [number for number in after.contestants if number not in after.absent(after.rounds)]
    ended = range(after.rounds + 1, before.rounds + 1)
    elsewhere = {
        number: [
            round
            for round in rounds
            if round not in ended
            and places_before.get((number, round)) != places_after.get((number, round))
        ]
        for number in there
    }
    shared_before = {(r, t) for r, tables in _shared_tables(before, rounds) for t in tables}
    return ChangeConsequences(
        sit_outs=_sit_outs(after, rounds, identity_numbers(after)),
        sit_outs_before=_sit_outs(before, rounds, proposal.numbers),
        affected=_affected_contestants(differences, there, ended),
        replaced=tuple(number for number in there if elsewhere[number]),
        moved=tuple(
            number
            for number in there
            if any(
                {*places_after.get((number, round), ())} - {*seats_before.get((number, round), ())}
                for round in elsewhere[number]
            )
        ),
        shares=tuple(
            (round, tables)
            for round, tables in _shared_tables(after, rounds)
            if any((round, table) not in shared_before for table in tables)
        ),
        copies_before=before.copies,
        copies=after.copies,
        new_sets=tuple(
            name
            for name in after.sets
            if name not in before.sets and name not in proposal.parts and not borrowed_set(name)
        ),
        repeats=_new_repeats(before, after, proposal.from_round),
        contestants_never_playing=_newly_without_play(proposal, there),
        score_before=_fairness_score(before, proposal.sizes),
        score=_fairness_score(after, proposal.sizes_after),
        differences=differences,
    )


def _fairness_score(movement: Movement, sizes: Mapping[str, int]) -> int:
    """Return the fairness of a movement with these set sizes; 100 for a draw, which cannot be judged."""
    if not movement.sets or movement.open_rounds:
        return 100  # a draw cannot be judged before the results are in
    return _score_with(movement, tuple(sizes.items()))


@lru_cache(maxsize=4)
def _score_with(movement: Movement, sizes: tuple[tuple[str, int], ...]) -> int:
    """Return the fairness of a movement; cached because all proposals for a change begin with the same one."""
    unit = gcd(*(size for _, size in sizes)) or 1
    return balance(
        _without_idle_contestants(movement), {name: size // unit for name, size in sizes}
    ).score


def _without_idle_contestants(movement: Movement) -> Movement:
    """Return the movement without contestants that never play."""
    playing = {n for seating in movement.seatings if seating.is_played for n in seating.contestants}
    for label in [movement.label(n) for n in movement.contestants if n not in playing]:
        movement = remove_contestant(movement, label)
    return movement


def _plays_of_seatings(
    seatings: tuple[Seating, ...], parts: Mapping[str, tuple[str, Fraction, Fraction]]
) -> list[tuple[Side, Side, frozenset[str]]]:
    """Return both sides and the board sets of each seating; a set with all its parts is named as a whole."""
    wholes = Counter(whole for whole, _, _ in parts.values())
    plays = []
    for seating in seatings:
        here = Counter(parts[name][0] for name in seating.sets if name in parts)
        names = frozenset(
            parts[n][0] if n in parts and here[parts[n][0]] == wholes[parts[n][0]] else n
            for n in seating.sets
        )
        plays.append((seating.ns, seating.ew, names))
    return plays


def _table_difference(
    proposal: Proposal, called_anew: Movement, round: int, table: int
) -> TableDifference | None:
    """Return how a table in a round differs under the proposal; None if it does not."""
    before = called_anew.seatings_at_table(round, table)
    after = proposal.movement.seatings_at_table(round, table)
    if before == after and not proposal.parts:
        return None
    nobody = [s for s in (*before, *after) if not s.contestants]
    if len(nobody) == len(before) + len(after):
        return None
    if _plays_of_seatings(before, {}) == _plays_of_seatings(after, proposal.parts):
        return None
    return TableDifference(round, table, before, after)


def _affected_contestants(
    differences: tuple[TableDifference, ...], present: list[int], ended_rounds: range
) -> tuple[int, ...]:
    """Return the contestants of these differences, without those of rounds that no longer exist."""
    changed = {
        contestant
        for difference in differences
        if difference.round not in ended_rounds
        for seating in (*difference.before, *difference.after)
        for contestant in seating.contestants
    }
    return tuple(number for number in present if number in changed)


def _places_by_round(
    seatings: tuple[Seating, ...], rounds: range, *, with_waiting: bool = False
) -> dict[tuple[int, int], tuple[tuple[int, str], ...]]:
    """Return the table and direction of each contestant in every round."""
    places: defaultdict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    for seating in seatings:
        if seating.round in rounds and (seating.is_played or with_waiting):
            for line, side in (("ns", seating.ns), ("ew", seating.ew)):
                for number in players_of(side):
                    places[number, seating.round].append((seating.table, line))
    return {place: tuple(seats) for place, seats in places.items()}


def _sit_outs(
    movement: Movement, rounds: range, numbers: Mapping[int, int]
) -> tuple[tuple[int, int, Fraction], ...]:
    """Return who sits out in these rounds, under new numbers, and for which share of the round."""
    return tuple(
        (numbers[contestant], round, share)
        for round in rounds
        if round <= movement.rounds
        for contestant, share in movement.sit_outs(round)
    )


def _shared_tables(movement: Movement, rounds: range) -> list[tuple[int, tuple[int, ...]]]:
    """Return the rounds and tables at which boards are shared."""
    return sorted(
        {
            (round, tables)
            for round in rounds
            for tables in movement.shares(round).values()
            if len(tables) > movement.copies
        }
    )


def _new_repeats(
    old_movement: Movement, new_movement: Movement, from_round: int
) -> tuple[tuple[int, ...], ...]:
    """Return the meetings and board sets that a change causes to be repeated.

    For single players, who all meet more than once, these are couples that meet more often than any before.
    """
    if new_movement.contest.has_halves:
        return ()
    usual = 1
    if new_movement.contest.plays_alone:
        usual = max([1, *(len(rounds) for rounds in _rounds_of_meetings(old_movement).values())])
    played: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for seating in new_movement.seatings:
        if seating.is_played:
            for contestant in seating.contestants:
                for name in seating.sets:
                    played[contestant, name].add(seating.round)
    met = _rounds_of_meetings(new_movement).items()
    again = {couple for couple, r in met if len(r) > usual and max(r) >= from_round}
    again |= {(number,) for (number, _), r in played.items() if len(r) > 1 and max(r) >= from_round}
    return tuple(sorted(again))


def _newly_without_play(proposal: Proposal, present: list[int]) -> tuple[int, ...]:
    """Return the contestants that a proposal leaves without any play although they are present."""
    if proposal.movement.open_rounds or not proposal.movement.sets:
        return ()
    before, after = (
        {n for s in movement.seatings if s.is_played for n in s.contestants}
        for movement in (proposal.before, proposal.movement)
    )
    planned = {proposal.numbers[number] for number in before if number in proposal.numbers}
    return tuple(number for number in present if number in planned - after)


def _rounds_of_meetings(movement: Movement) -> dict[tuple[int, ...], set[int]]:
    """Return the rounds in which each two contestants meet."""
    met: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    for seating in movement.seatings:
        if seating.is_played:
            for couple in combinations(sorted(seating.contestants), 2):
                met[couple].add(seating.round)
    return met


def sets_together(movement: Movement, from_round: int) -> list[tuple[str, ...]]:
    """Return the groups of board sets that a table plays in the same round, from round `from_round` on.

    The parts of a set that is divided at some table are played together at the others.
    """
    groups: dict[tuple[str, ...], None] = {}
    grouped: set[str] = set()
    places = {
        (seating.round, seating.table)
        for seating in movement.seatings
        if seating.round >= from_round
    }
    for round, table in sorted(places):
        here = movement.seatings_at_table(round, table)
        names = tuple(dict.fromkeys(name for s in here for name in s.sets))
        if names and grouped.isdisjoint(names):
            groups[names] = None
            grouped.update(names)
    return list(groups)
