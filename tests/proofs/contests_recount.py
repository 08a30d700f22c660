"""Matches and standings a second time, from rows alone: seats, boards and outcomes.

Written from the laws and the White Book; it shares no code with the rules of scoring. Contestants are the keys
of their entries. `tests/scoring/recount.py` does the same for evenings without matches.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from bridgebuddy.scoring import rules

Couple = frozenset[int]
Two = dict[int, Fraction]

IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
BYE = Fraction(12)  # 60 % of 20
ALL = Fraction(20)
#: the printed table of Swiss pairs is data, and the same for everybody
SWISS_PAIRS = Path(rules.__file__).parent / "scales" / "swiss-pairs.toml"


Parts = tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True, slots=True)
class Weighted:
    """A director's assigned score: for each side weights, which add to 1, and N-S's scores."""

    ns: Parts
    ew: Parts


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A board at a table; `outcome` is N-S's score, weighted ones, two awards, "none", or nothing while it is open."""

    round: int
    table: int
    board: int
    ns: int
    ew: int
    outcome: int | Weighted | tuple[str, str] | None

    @property
    def couple(self) -> Couple:
        return frozenset((self.ns, self.ew))

    @property
    def is_compared(self) -> bool:
        return isinstance(self.outcome, int | Weighted)

    def parts(self, is_north: bool) -> Parts:
        """Return the weights of a side, as this side sees them."""
        sign = 1 if is_north else -1
        if isinstance(self.outcome, Weighted):
            said = self.outcome.ns if is_north else self.outcome.ew
            return tuple((weight, sign * score) for weight, score in said)
        assert isinstance(self.outcome, int)
        return ((Fraction(1), sign * self.outcome),)


@dataclass(frozen=True, slots=True)
class Fine:
    """A penalty or bonus of a contestant: in a unit, in a round."""

    who: int
    unit: str
    amount: Fraction
    round: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """A director's ruling on a whole match: points of both, averages of both, a missing side, or a share of each."""

    points: Mapping[int, Fraction] | None = None
    awards: Mapping[int, str] | None = None
    missing: int | None = None
    share: Fraction | None = None


NOT_PLAYED = ("none", "none")


@dataclass
class Contest:
    """Data of a contest. `left` has the round after which a contestant has left for good."""

    rows: list[PlayedRow]
    people: Sequence[int]
    method: str
    is_teams: bool
    is_round_robin: bool  # all that two play is one match
    are_triangles_long: bool  # over two rounds
    last_round: int
    byes: set[tuple[int, int]] = field(default_factory=set)  # (round, who)
    missed: set[tuple[int, int, int]] = field(
        default_factory=set
    )  # (round, who waits, who has gone)
    left: Mapping[int, int] = field(default_factory=dict)
    carry: Mapping[tuple[int, int, int], float] = field(default_factory=dict)
    planned: Mapping[int, int] = field(default_factory=dict)  # matches in all, of who left
    given: Mapping[tuple[int, Couple], Two] = field(default_factory=dict)  # while they are open
    is_knock_out: bool = False
    threes: Collection[tuple[int, Couple]] = ()  # as drawn: who has left plays in none
    fines: Sequence[Fine] = ()
    rulings: Mapping[tuple[int, Couple], Ruling] = field(default_factory=dict)
    drawn: int = (
        0  # the most matches of a round that is drawn, begun or not: results to be expected
    )

    # ── who met ──

    def met(self, rounds: Iterable[int]) -> set[Couple]:
        wanted = set(rounds)
        return {row.couple for row in self.rows if row.round in wanted}

    @property
    def rounds(self) -> set[int]:
        return {row.round for row in self.rows}

    def triangles(self, round: int) -> set[Couple]:
        """Return the triangles of a round: groups of three in which each met both others."""
        opponents: defaultdict[int, set[int]] = defaultdict(set)
        for couple in self.met([round]):
            one, other = couple
            opponents[one].add(other)
            opponents[other].add(one)
        return {frozenset((item, *two)) for item, two in opponents.items() if len(two) > 1}

    @cached_property
    def matches(self) -> dict[tuple[int, Couple], list[PlayedRow]]:
        """Return all plays of two contestants against each other: in one round, or in the two of a long triangle."""
        found: defaultdict[tuple[int, Couple], list[PlayedRow]] = defaultdict(list)
        for row in self.rows:
            found[self.match_round(row), row.couple].append(row)
        return dict(found)

    @cached_property
    def long_triangles(self) -> set[tuple[int, Couple]]:
        """Return the first rounds of long triangles with their teams; the last round has none.

        Two of them stay where the third had left before: they have one table, and so each board once.
        """
        found: set[tuple[int, Couple]] = set()
        for round in range(1, self.last_round if self.are_triangles_long else 1):
            threes = self.triangles(round)
            alone = {
                couple
                for couple in self.met([round])
                if not any(couple <= three for three in threes)
                and self._has_one_table(round, couple)
            }
            for teams in threes | alone:
                if not any(teams <= known for first, known in found if first == round - 1):
                    found.add((round, teams))
        return found

    def _has_one_table(self, round: int, couple: Couple) -> bool:
        boards = [row.board for row in self.rows if (row.round, row.couple) == (round, couple)]
        return len(boards) == len(set(boards))

    def match_round(self, row: PlayedRow) -> int:
        if self.is_round_robin:
            return max(play.round for play in self.rows if play.couple == row.couple)
        for first, three in self.long_triangles:
            if row.couple <= three and row.round in (first, first + 1):
                return first + 1
        return row.round

    def is_half(self, round: int, couple: Couple) -> bool:
        """Return whether a couple's match belongs to a triangle in one round."""
        if self.is_round_robin:
            return False
        is_long = any(
            couple <= three and first == round - 1 for first, three in self.long_triangles
        )
        threes = self.triangles(round) | {three for when, three in self.threes if when == round}
        return not is_long and any(couple <= three for three in threes)

    # ── what they have ──

    def net(self, round: int, couple: Couple) -> tuple[Two, int] | None:
        """Return both sides' net IMPs (for pairs, the input of the scale) and the number of boards; None while open."""
        rows = self.matches[round, couple]
        if not self.is_teams and any(row.outcome is None for row in rows):
            return None
        is_awarded = all(isinstance(r.outcome, tuple) and r.outcome != NOT_PLAYED for r in rows)
        if self.are_triangles_long and round not in {row.round for row in rows} and not is_awarded:
            return None  # its second round is to come, and counts
        found = self._of_teams(rows) if self.is_teams else self._of_pairs(rows)
        if found is None:
            return None
        net = {
            contestant: value + self._fined(round, contestant, found[1])
            for contestant, value in found[0].items()
        }
        return net, found[1]

    def _fined(self, round: int, contestant: int, boards: int) -> Fraction:
        """Return the penalties of a side before the scale: IMPs, or per cent of a top."""
        total = Fraction(0)
        for fine in self.fines:
            if (fine.who, fine.round) == (contestant, round) and fine.unit != "vps":
                total += 100 * fine.amount / boards if fine.unit == "top" else fine.amount
        return total

    def lead(self, round: int, couple: Couple) -> Two | None:
        """Return each team's lead: the won difference, less its whole penalties."""
        found = self.net(round, couple)
        if found is None:
            return None
        one, other = sorted(couple)
        fine, others = (self._fined(round, contestant, 1) for contestant in (one, other))
        won = (found[0][one] - fine) - (found[0][other] - others)
        return {one: won / 2 + fine - others, other: others - fine - won / 2}

    def _of_teams(self, rows: Sequence[PlayedRow]) -> tuple[Two, int] | None:
        boards: defaultdict[int, list[PlayedRow]] = defaultdict(list)
        for row in rows:
            boards[row.board].append(row)
        one, other = sorted(rows[0].couple)
        total, counted = {one: Fraction(0), other: Fraction(0)}, 0
        last = rows[-1].round
        is_over = last + 1 < max(self.rounds) or any(
            self.left.get(contestant, self.last_round) <= last < self.last_round
            for contestant in (one, other)
        )
        for at in boards.values():
            if is_over and len(at) < 2:
                continue  # somebody had left before it came to the other table: no award counts for it
            has = dict.fromkeys((one, other), Fraction(0))
            awards = [
                row for row in at if isinstance(row.outcome, tuple) and row.outcome != NOT_PLAYED
            ]
            if awards:
                row = awards[0]
                assert isinstance(row.outcome, tuple)
                for contestant, award in zip((row.ns, row.ew), row.outcome, strict=True):
                    has[contestant] += {"AVE+": 3, "AVE-": -3}.get(award, 0)
            elif any(row.outcome == NOT_PLAYED for row in at) or len(at) != 2:
                continue
            elif any(row.outcome is None for row in at):
                return None
            else:
                for row, across in (at, reversed(at)):
                    for weight, score in row.parts(True):
                        for share, against in across.parts(False):
                            has[row.ns] += weight * share * imps(score + against)
            if self.is_knock_out:  # Law 12C4: each side has half of the difference
                has = {one: (has[one] - has[other]) / 2, other: (has[other] - has[one]) / 2}
            total = {contestant: total[contestant] + value for contestant, value in has.items()}
            counted += 1
        for (round, home, away), brought in self.carry.items():
            if {home, away} == {one, other} and round == rows[-1].round:
                total[home] += Fraction(str(brought))
                total[away] -= Fraction(str(brought))
        return (total, counted) if counted else None

    def _of_pairs(self, rows: Sequence[PlayedRow]) -> tuple[Two, int] | None:
        counted = [row for row in rows if row.outcome != NOT_PLAYED]
        if not counted:
            return None
        found: Two = {}
        for contestant in rows[0].couple:
            values = {row: self._value(row, contestant) for row in counted}
            own = [
                value
                for row, value in values.items()
                if row.is_compared and not self._is_single(row)
            ]
            average = sum(own, Fraction(0)) / len(own) if own else None
            for row in counted:
                if isinstance(row.outcome, tuple):
                    values[row] = self._award(row.outcome[contestant == row.ew], average)
            if self.method == "cross-imps":
                found[contestant] = self._quotient(values, contestant)
            elif self.method == "butler":
                found[contestant] = sum(values.values(), Fraction(0))
            else:
                found[contestant] = to_hundredths(sum(values.values(), Fraction(0)) / len(values))
        return found, len(counted)

    def _award(self, award: str, own: Fraction | None) -> Fraction:
        plus, minus, middle = (60, 40, 50) if self.method == "matchpoints" else (3, -3, 0)
        if award == "AVE+":
            return max(Fraction(plus), own if own is not None else Fraction(plus))
        if award == "AVE-":
            return min(Fraction(minus), own if own is not None else Fraction(minus))
        return Fraction(middle)

    @cached_property
    def _at_board(self) -> dict[int, list[PlayedRow]]:
        found: defaultdict[int, list[PlayedRow]] = defaultdict(list)
        for row in self.rows:
            found[row.board].append(row)
        return dict(found)

    @cached_property
    def _expected(self) -> int:
        return max(self.drawn, *map(len, self._at_board.values()))

    def _field(self, row: PlayedRow) -> list[PlayedRow]:
        """Return all results of a board."""
        return [item for item in self._at_board[row.board] if item.is_compared]

    def _is_waiting(self, row: PlayedRow) -> bool:
        return any(result.outcome is None for result in self._at_board[row.board])

    def _is_single(self, row: PlayedRow) -> bool:
        return len(self._field(row)) == 1 and not self._is_waiting(row)

    def _compared(self, row: PlayedRow, contestant: int, of: Callable[[int, int], int]) -> Fraction:
        """Return a side's score against all others on a board, each part by its weight."""
        is_north, total = contestant == row.ns, Fraction(0)
        for weight, mine in row.parts(is_north):
            for other in self._field(row):
                for share, theirs in other.parts(is_north) if other is not row else ():
                    total += weight * share * of(mine, theirs)
        return total

    def _value(self, row: PlayedRow, contestant: int) -> Fraction:
        """Return a side's value on a board: per cent of the top, or IMPs."""
        if not row.is_compared:
            return Fraction(0)
        many, expected = len(self._field(row)), self._expected
        if many == 1 and self.method != "matchpoints":
            return Fraction(0)
        if self.method == "butler":
            datum = self._datum(row, contestant == row.ns)
            parts = row.parts(contestant == row.ns)
            return sum((weight * imps(score - datum) for weight, score in parts), Fraction(0))
        if self.method == "cross-imps":
            total = self._compared(row, contestant, lambda mine, other: imps(mine - other))
            return total * expected / (many * (expected - 1))
        points = self._compared(row, contestant, lambda a, b: 2 if a > b else 1 if a == b else 0)
        if many == expected:
            return 100 * points / (2 * (expected - 1)) if expected > 1 else Fraction(50)
        if not self._is_waiting(row):
            if many == 1:
                return Fraction(60 if expected > 2 else 50)
            if many in (2, 3) and 3 * many <= expected:
                return 60 + 5 * (points - many + 1)
        return 100 * ((points + 1) * expected / many - 1) / (2 * (expected - 1))

    def _datum(self, row: PlayedRow, is_north: bool) -> int:
        """The mean without the ends, to the nearest 10, an exact 5 away from nothing."""
        field, expected = self._field(row), self._expected
        many = len(field)
        trim = 0 if many < 5 else 1 if many < 12 else 2
        low, high, position = Fraction(trim), Fraction(expected - trim), Fraction(0)
        total = mass = Fraction(0)
        every = [(score, weight) for item in field for weight, score in item.parts(is_north)]
        for score, share in sorted(every):
            weight = share * expected / many
            kept = max(Fraction(0), min(position + weight, high) - max(position, low))
            total, mass, position = total + kept * score, mass + kept, position + weight
        return 10 * rounded(total / mass / 10)

    def _quotient(self, values: Mapping[PlayedRow, Fraction], contestant: int) -> Fraction:
        """White Book 3.1.3: the sum of cross-IMPs over the root of the comparisons, board by board."""
        with localcontext() as context:
            context.prec = 50
            total = Decimal(0)
            for row, value in values.items():
                many = len(self._field(row))
                if not row.is_compared or many < 2:
                    total += Decimal(value.numerator) / value.denominator
                    continue
                summed = self._compared(row, contestant, lambda mine, other: imps(mine - other))
                whole = Decimal(summed.numerator) / summed.denominator
                total += whole / (Decimal(many * (many - 1)) / 2).sqrt()
        return Fraction(total)

    def points(self, round: int, couple: Couple) -> Two | None:
        """Victory points of both; None while the match is open."""
        if ruling := self.rulings.get((round, couple)):
            return self._ruled(round, couple, ruling)
        found = self.net(round, couple)
        if found is None:
            return self.given.get((round, couple))
        net, boards = found
        if self.method == "matchpoints" and not self.is_teams:
            return {contestant: swiss_pairs(boards, share) for contestant, share in net.items()}
        return self._of_margins(round, couple, net, boards)

    def _of_margins(self, round: int, couple: Couple, net: Two, boards: int) -> Two:
        vps = {
            contestant: continuous(boards, rounded(margin)) for contestant, margin in net.items()
        }
        if self.is_half(round, couple):
            return {contestant: Fraction(half_of(vp), 100) for contestant, vp in vps.items()}
        return {contestant: Fraction(vp, 100) for contestant, vp in vps.items()}

    def _ruled(self, round: int, couple: Couple, ruling: Ruling) -> Two:
        """Return both sides' points of a match by the director's ruling."""
        if ruling.points is not None:
            return dict(ruling.points)
        if ruling.share is not None:
            return dict.fromkeys(couple, ruling.share * ALL / 100)
        if ruling.missing is not None:
            [here] = couple - {ruling.missing}
            return {here: self._without_opponent(here, ruling.missing), ruling.missing: Fraction(0)}
        assert ruling.awards is not None
        many = len({row.board for row in self.matches[round, couple]})
        half = (many + 1) // 2
        fined = {contestant: self._fined(round, contestant, many) for contestant in couple}
        if self.method == "matchpoints" and not self.is_teams:
            shares = {"AVE+": 60, "AVE": 50, "AVE-": 40}
            averages = {
                contestant: to_hundredths(Fraction(half * shares[award] + (many - half) * 50, many))
                for contestant, award in ruling.awards.items()
            }
            return {
                contestant: swiss_pairs(many, averages[contestant] + fined[contestant])
                for contestant in couple
            }
        margins = {
            contestant: half * {"AVE+": 3, "AVE": 0, "AVE-": -3}[award] + fined[contestant]
            for contestant, award in ruling.awards.items()
        }
        return self._of_margins(round, couple, margins, many)

    def _without_opponent(self, here: int, gone: int) -> Fraction:
        """Apply White Book 2.4.2: the best of 60 %, the own average, and the complement of the opponent's average."""
        options = [BYE]
        if (mine := self._averages.get(here)) is not None:
            options.append(mine)
        if (theirs := self._averages.get(gone)) is not None:
            options.append(ALL - theirs)
        return max(options)

    @cached_property
    def _averages(self) -> dict[int, Fraction]:
        """Return each contestant's average points a match, over played and given ones; a match of one round of a
        triangle counts half.
        """
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        many: defaultdict[int, Fraction] = defaultdict(Fraction)
        for round, couple in self.matches:
            ruling = self.rulings.get((round, couple))
            if couple & self.cancelled or (ruling is not None and ruling.points is None):
                continue
            for contestant, points in (self.points(round, couple) or {}).items():
                found[contestant] += points
                many[contestant] += Fraction(1, 2) if self.is_half(round, couple) else 1
        return {contestant: all / many[contestant] for contestant, all in found.items()}

    # ── standings ──

    @cached_property
    def cancelled(self) -> set[int]:
        """Return the contestants who left before half of their matches: these count for no opponent."""
        return {
            contestant
            for contestant, after in self.left.items()
            if 2 * sum(contestant in couple and round <= after for round, couple in self.matches)
            < self.planned.get(contestant, 0)
        }

    @cached_property
    def earned(self) -> list[tuple[int, int, Fraction, Fraction | None]]:
        """Yield all counting matches: round, contestant, victory points, and the opponent's (none for a bye)."""
        found: list[tuple[int, int, Fraction, Fraction | None]] = []
        for round, couple in self.matches:
            if couple & self.cancelled:
                continue
            points = self.points(round, couple)
            if points is None:
                continue
            for contestant in couple:
                [other] = couple - {contestant}
                found.append((round, contestant, points[contestant], points[other]))
        found += [(round, contestant, BYE, None) for round, contestant in self.byes]
        for round, contestant, gone in self.missed:
            if gone in self.cancelled:
                continue
            best = self._without_opponent(contestant, gone)
            found.append((round, contestant, best, Fraction(0)))
            found.append((round, gone, Fraction(0), best))
        return found

    def totals(self, round: int) -> dict[int, Fraction]:
        """Victory points after a round."""
        found = dict.fromkeys(self.people, Fraction(0))
        for when, contestant, points, _ in self.earned:
            if when <= round:
                found[contestant] += points
        for fine in self.fines:
            if fine.unit == "vps" and fine.round <= round:
                found[fine.who] += fine.amount
        return found

    def won(self, round: int, contestant: int) -> list[int]:
        """Return the numbers of matches won, drawn and lost by a contestant."""
        found = [0, 0, 0]
        for when, item, mine, theirs in self.earned:
            if item == contestant and when <= round and theirs is not None:
                found[0 if mine > theirs else 1 if mine == theirs else 2] += 1
        return found

    def between(self, round: int, one: int, other: int) -> int:
        """Compare two equals by the matches between them: 1, -1, or 0 if these do not decide."""
        mine = theirs = Fraction(0)
        for when, couple in self.matches:
            if couple == {one, other} and when <= round and not couple & self.cancelled:
                points = self.points(when, couple)
                if points:
                    mine, theirs = mine + points[one], theirs + points[other]
        return (mine > theirs) - (mine < theirs)


def imps(difference: int) -> int:
    """Law 78B."""
    size = sum(abs(difference) >= step for step in IMP_STEPS)
    return size if difference > 0 else -size


def to_hundredths(share: Fraction) -> Fraction:
    """Per cent to 0.01, a half away from 50."""
    return 50 + Fraction(rounded(100 * (share - 50)), 100)


def rounded(value: Fraction) -> int:
    """The nearest whole number, a half away from nothing."""
    size = int(abs(value) + Fraction(1, 2))
    return size if value > 0 else -size


@cache
def _scale(boards: int) -> tuple[int, ...]:
    """The winner's hundredths for margins 0, 1 …: WBF 2013. The golden ratio to the third is √5 - 2."""
    with localcontext() as context:
        context.prec = 40
        ratio, blitz = Decimal(5).sqrt() - 2, 15 * Decimal(boards).sqrt()
        found = []
        margin = 0
        while margin < blitz:
            share = (1 - ratio ** (margin / blitz)) / (1 - ratio)
            found.append(int(1000 + 1000 * share + Decimal("0.5")))
            margin += 1
    found.append(2000)
    is_concave = False
    while not is_concave:
        is_concave = True
        for i in range(2, len(found)):
            if found[i] - found[i - 1] > found[i - 1] - found[i - 2]:
                found[i - 1] += 1
                is_concave = False
                break
    return tuple(found)


def continuous(boards: int, margin: int) -> int:
    """Hundredths of victory points.

    >>> continuous(16, 14), continuous(20, -13), continuous(8, 40)
    (1375, 680, 1974)
    """
    scale = _scale(boards)
    points = scale[min(abs(margin), len(scale) - 1)]
    return points if margin >= 0 else 2000 - points


def half_of(hundredths: int) -> int:
    """Half of them, an odd one away from the middle.

    >>> half_of(1371), half_of(629)
    (686, 314)
    """
    return (hundredths + (hundredths > 1000)) // 2


def swiss_pairs(boards: int, share: Fraction) -> Fraction:
    """White Book 3.1.7: points of a percentage, first to 0.01 away from 50.

    >>> int(swiss_pairs(8, Fraction(5624, 100))), int(swiss_pairs(8, Fraction(4377, 100)))
    (15, 6)
    """
    hundredths = rounded(100 * (share - 50))
    for name, bounds in _swiss_table().items():
        first, _, last = name.partition("-")
        if int(first) <= max(boards, 2) <= int(last or first):
            above = sum(abs(hundredths) > round(100 * bound) - 5000 for bound in bounds)
            return Fraction(10 + above if hundredths >= 0 else 10 - above)
    raise ValueError(boards)


@cache
def _swiss_table() -> dict[str, list[Any]]:
    return dict(tomllib.loads(SWISS_PAIRS.read_text(encoding="utf-8"))["most"])


# ── draws ──


def closest(order: Sequence[int], met: set[Couple]) -> int | None:
    """The least sum of squared distances of a draw without repeated meetings; None if there is none.

    >>> closest([1, 2, 3, 4], {frozenset((1, 2))})
    8
    """
    full = (1 << len(order)) - 1
    known: dict[int, int | None] = {full: 0}

    def least(taken: int) -> int | None:
        if taken not in known:
            first = next(i for i in range(len(order)) if not taken >> i & 1)
            best: int | None = None
            for other in range(first + 1, len(order)):
                if taken >> other & 1 or frozenset((order[first], order[other])) in met:
                    continue
                gap = (other - first) ** 2
                if best is not None and gap >= best:
                    break
                rest = least(taken | 1 << first | 1 << other)
                if rest is not None and (best is None or gap + rest < best):
                    best = gap + rest
            known[taken] = best
        return known[taken]

    return least(0) if len(order) % 2 == 0 else None


def freshest(
    order: Sequence[int], size: int, met: set[Couple], spared: set[int]
) -> tuple[int, set[Couple]]:
    """Return the smallest number of already spared contestants to leave out so that the rest can be drawn, and all such
    groups.
    """
    for times in range(size + 1):
        groups = {
            frozenset(group)
            for group in combinations(order, size)
            if len(set(group) & spared) == times
            and not any(frozenset(two) in met for two in combinations(group, 2))
            and closest([item for item in order if item not in group], met) is not None
        }
        if groups:
            return times, groups
    return size + 1, set()
