"""Draws that come with results: the rounds of a Swiss and of a knock-out.

A Swiss ranks the contestants after each round and draws neighbours against each other, 1 v 2,
3 v 4, …, but nobody against an opponent they have met. A knock-out plays in brackets of 9 to 16
teams, in which matches of three teams bring the field to four for the semi-finals. A Soloway is
a Swiss whose best teams go on to a knock-out: `knockout_round` of the head of the ranking.

Everything here is a function of what is known: who plays, in which order they stand, who has met. A
movement whose last rounds are still open (`Movement.open_rounds`) gets the next of them from `with_draw`.
Which standings a draw goes by, and what a director asks of it, is known where results are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from random import Random
from typing import Literal

from .errors import NoDraw
from .model import Exemption, Movement, Seating, Triangle, set_name

FirstRound = Literal["slide", "fold", "random"]
OddOneOut = Literal["bye", "triangle", "long-triangle"]

MOST_IN_BRACKET = 16
LEFT = "has left"
DRAWN_LATER = "drawn when results are in"
MET_AGAIN = "two meet again"
TABLES = "as many tables as the round needs"
SWISS = Exemption("draw", 1, "not everybody meets everybody")
KNOCK_OUT = Exemption("draw", 2, "two who went on from a triangle may meet again")

DRAWN_ON_RESULTS = frozenset({"swiss", "knockout"})
"""The families of which nobody knows beforehand who plays whom: that is known when results are."""

_REACH = 6  # places in the ranking within which opponents are looked for first
_MOST_TRIALS = 50  # choices of who is spared before a draw is given up


@dataclass(frozen=True, slots=True)
class Draw:
    """Who meets whom in one round: matches from the top down, triangles, and who has a bye.

    `tables` are those of the matches, and of the bye after them; empty: 1, 2, 3 … from the top down.
    """

    matches: tuple[tuple[int, int], ...]
    triangles: tuple[tuple[int, int, int], ...] = ()
    bye: int | None = None
    tables: tuple[int, ...] = ()

    @property
    def contestants(self) -> frozenset[int]:
        everybody = {one for group in (*self.matches, *self.triangles) for one in group}
        return frozenset(everybody | ({self.bye} if self.bye is not None else set()))

    @property
    def couples(self) -> tuple[frozenset[int], ...]:
        """Everybody who meets in it, two by two."""
        groups = (*self.matches, *self.triangles)
        return tuple(frozenset(two) for group in groups for two in combinations(group, 2))


# ── Swiss ──


@dataclass(frozen=True, slots=True)
class SwissAdvice:
    """How many rounds a Swiss should have.

    After `fewest` it is certain that two undefeated contestants have met. With more than `most`
    the event is over-Swissed: the best have met each other and go on to meet the rest; up to there
    a draw without a second meeting can always be found. In a small field `fewest` is more than
    `most`, and a round robin is the better event.
    """

    fewest: int
    most: int

    def is_overswissed(self, rounds: int) -> bool:
        return rounds > self.most


def swiss_advice(contestants: int) -> SwissAdvice:
    """Return how many rounds suit a number of contestants. Source: QBA, Swiss pairs.

    >>> swiss_advice(32)
    SwissAdvice(fewest=7, most=16)
    """
    return SwissAdvice(fewest=(contestants - 1).bit_length() + 2, most=contestants // 2)


def chance(seed: int, round: int) -> Random:
    """Return what a round is drawn by at random: the same wherever it is drawn again."""
    return Random(seed * 100 + round)


def first_draw(
    ranking: Sequence[int],
    method: FirstRound = "slide",
    *,
    odd: OddOneOut = "bye",
    met: Collection[frozenset[int]] = (),
    spared: Collection[int] = (),
    rng: Random | None = None,
) -> Draw:
    """Draw a round by seed, before there are results: the first, or the second as well.

    `ranking` lists the contestants, strongest first. "slide" plays 1 v n/2 + 1, 2 v n/2 + 2, …;
    "fold" plays 1 v n, 2 v n - 1, …; "random" needs `rng`. Where somebody has met already, the
    lower half is moved on until nobody has; where that does not help, neighbours meet. Of an odd number
    the last has the bye, or the last three play a triangle. Source: QBA, Swiss pairs.

    Raises `NoDraw` when everybody would meet somebody again.

    >>> first_draw(range(1, 9)).matches
    ((1, 5), (2, 6), (3, 7), (4, 8))
    """
    if method == "random":
        if rng is None:
            raise TypeError("a random draw needs a source of chance")
        shuffled = list(ranking)
        rng.shuffle(shuffled)
        return _draw(shuffled, odd, met, spared, _neighbours)
    return _draw(ranking, odd, met, spared, _slide if method == "slide" else _fold)


def swiss_draw(
    ranking: Sequence[int],
    *,
    odd: OddOneOut = "bye",
    met: Collection[frozenset[int]] = (),
    spared: Collection[int] = (),
) -> Draw:
    """Draw a Swiss round: neighbours in the ranking, nobody against an opponent they have met.

    Of all such draws the one whose opponents are closest in the ranking is taken (the smallest sum
    of squared distances; between equals the one that is closer at the top), so 1 and 2 having met,
    1 plays 3 and 2 plays 4. Of an odd number the lowest who was not yet `spared` has the bye, or
    the lowest three who have not met play a triangle (a bye where there are no such three); leaders
    stay out of it. Source: QBA, Swiss.

    Raises `NoDraw` when everybody would meet somebody again.

    >>> swiss_draw([4, 1, 3, 2], met=[frozenset({4, 1})]).matches
    ((4, 3), (1, 2))
    """
    return _draw(ranking, odd, met, spared, _neighbours)


_PairUp = Callable[[Sequence[int], Collection[frozenset[int]]], list[tuple[int, int]] | None]


def _draw(
    ranking: Sequence[int],
    odd: OddOneOut,
    met: Collection[frozenset[int]],
    spared: Collection[int],
    pair_up: _PairUp,
) -> Draw:
    met = frozenset(met)
    sizes = [0] if len(ranking) % 2 == 0 else [1] if odd == "bye" else [3, 1]
    choices = (islice(_left_out(size, ranking, met, spared), _MOST_TRIALS) for size in sizes)
    for out in chain.from_iterable(choices):
        rest = [one for one in ranking if one not in out]
        matches = pair_up(rest, met)
        if matches is None:
            continue
        if len(out) < 3:
            return Draw(tuple(matches), bye=out[0] if out else None)
        # while a long triangle goes on the same others play each other in a second round
        if odd == "triangle" or pair_up(rest, met | set(map(frozenset, matches))) is not None:
            return Draw(tuple(matches), triangles=((out[0], out[1], out[2]),))
    raise NoDraw("swiss", contestants=len(ranking))


def _left_out(
    size: int, ranking: Sequence[int], met: frozenset[frozenset[int]], spared: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Yield who may be left out of the matches, so many at a time, from the bottom of the ranking."""
    if size == 0:
        yield ()
        return
    from_below = list(reversed(ranking))
    for times_spared in range(size + 1):  # whoever was spared once comes last
        for best in range(size - 1, len(from_below)):
            for others in combinations(from_below[:best], size - 1):
                group = (from_below[best], *reversed(others))
                if sum(one in spared for one in group) == times_spared and not any(
                    frozenset(two) in met for two in combinations(group, 2)
                ):
                    yield group


def _slide(ranking: Sequence[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]] | None:
    return _against_lower_half(ranking, met, list(ranking[len(ranking) // 2 :]))


def _fold(ranking: Sequence[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]] | None:
    return _against_lower_half(ranking, met, list(reversed(ranking[len(ranking) // 2 :])))


def _against_lower_half(
    ranking: Sequence[int], met: Collection[frozenset[int]], lower: list[int]
) -> list[tuple[int, int]] | None:
    for shift in range(len(lower)):
        moved = lower[shift:] + lower[:shift]
        matches = list(zip(ranking, moved, strict=False))
        if not any(frozenset(match) in met for match in matches):
            return matches
    return _neighbours(
        ranking, met
    )  # the halves have met too often: somebody meets one of their own


def _neighbours(
    ranking: Sequence[int], met: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """The closest draw, by a matching of greatest weight; None when not everybody finds an opponent.

    Only opponents within reach are looked at. Whoever went farther would add more to the sum by their
    match alone than the draw found costs more than a draw of nothing but neighbours: so it is the closest.
    """
    size, reach = len(ranking), _REACH
    while True:
        places = _closest(ranking, met, reach)
        if reach >= size:
            break
        if places is not None:
            cost = sum((below - above) ** 2 for above, below in places)
            if cost < (reach + 1) ** 2 + size // 2 - 1:
                break
        reach *= 2
    return None if places is None else [(ranking[above], ranking[below]) for above, below in places]


def _closest(
    ranking: Sequence[int], met: Collection[frozenset[int]], reach: int
) -> list[tuple[int, int]] | None:
    """The closest draw, as places in the ranking, in which nobody goes farther than some places."""
    # slow to import, and needed only between two rounds of a Swiss
    import networkx  # type: ignore[import-untyped]

    size = len(ranking)
    graph = networkx.Graph()
    for above in range(size):
        for below in range(above + 1, min(size, above + reach + 1)):
            if frozenset((ranking[above], ranking[below])) not in met:
                distance = below - above
                # of equal sums of squares, the draw that is closer at the top
                weight = -(distance**2) * size**3 - (size - above) * distance
                graph.add_edge(above, below, weight=weight)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < size:
        return None
    return sorted((min(couple), max(couple)) for couple in matching)


# ── the rounds of a movement that is drawn as it goes ──


def to_be_drawn(movement: Movement) -> list[int]:
    """Return who is to have an opponent in the next open round: who is there, and in no long triangle.

    Raises `LookupError` when every round is drawn.
    """
    round = _next_open(movement)
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    away = movement.absent(round) | busy
    return [n for n in movement.contestants if n not in away and not _has_left(movement, n)]


def meetings(movement: Movement, since: int = 1) -> frozenset[frozenset[int]]:
    """Return who has met whom, in matches and in triangles, from a round on."""
    met = {
        frozenset(two)
        for seating in movement.seatings
        if seating.is_played and seating.round >= since
        for two in combinations(seating.contestants, 2)
    }
    return frozenset(
        met
        | {
            frozenset(two)
            for t in movement.triangles
            if t.rounds[-1] >= since
            for two in combinations(t.teams, 2)
        }
    )


def spared(movement: Movement) -> frozenset[int]:
    """Return who has had a bye, opponents who left among them, or played in a triangle."""
    threes = {team for t in movement.triangles for team in t.teams}
    idle = {
        one
        for round in range(1, movement.rounds + 1)
        if round not in movement.open_rounds
        for one in _idle(movement, round)
    }
    return frozenset(idle | threes)


def _idle(movement: Movement, round: int) -> set[int]:
    """Who is there in a round that is drawn, and meets nobody."""
    playing = {one for s in movement.in_round(round) if s.is_played for one in s.contestants}
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    return {*movement.contestants} - playing - busy - movement.absent(round)


def with_draw(
    movement: Movement, draw: Draw, *, is_long: bool = False, again: bool = False
) -> Movement:
    """Return the movement with a draw for its next open round.

    A bye is a seating without opponents. A triangle is the short one, in this round alone, or the
    long one, in this round and the next, if there is a next. A team that is there and not in the draw
    has left: it lost its match in a knock-out, or went home. With `again` two may meet once more. Where
    pairs need more tables than before, or fewer, this round has them.

    Raises `LookupError` when every round is drawn.
    """
    round = _next_open(movement)
    sides: list[tuple[int, int | None]] = [*draw.matches]
    if draw.bye is not None:
        sides.append((draw.bye, None))
    tables = draw.tables or range(1, len(sides) + 1)
    sets = _sets_of(movement, round)
    seatings = tuple(
        seated(movement, Seating(round, table, home, away, sets))
        for table, (home, away) in sorted(zip(tables, sides, strict=True))
    )
    rounds = (round, round + 1) if is_long and round < movement.rounds else (round,)
    triangles = tuple(Triangle(rounds, teams) for teams in draw.triangles)
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    playing = draw.contestants | busy | movement.absent(round)
    left = tuple(one for one in movement.contestants if one not in playing)
    exemptions = tuple(_without_round(item, round) for item in movement.exemptions)
    if again:
        exemptions += tuple(_meeting_again(movement, draw))
    if left and not movement.sets:
        exemptions += (Exemption("draw", 0, LEFT, left, (round,)),)
    drawn = replace(
        movement,
        seatings=movement.seatings + seatings,
        triangles=movement.triangles + triangles,
        exemptions=tuple(item for item in exemptions if item.law != "structure" or item.rounds),
    )
    return _with_tables(drawn, round, len(sides)) if movement.sets else drawn


def seated(movement: Movement, match: Seating) -> Seating:
    """Return a match of a drawn round without boards that one of the two has had by mistake.

    Where none are left nobody plays there.
    """
    if not (match.is_played and match.sets):
        return match
    before = {
        name
        for one in match.contestants
        for seating in movement.of(one)
        if seating.is_played and seating.round < match.round
        for name in seating.sets
    }
    kept = tuple(name for name in match.sets if name not in before)
    return replace(match, sets=kept) if kept else replace(match, ew=None)


def _sets_of(movement: Movement, round: int) -> tuple[str, ...]:
    """The set of a round of pairs, which is the one of its place, or its parts; teams have none."""
    whole = set_name(round - 1)
    return tuple(name for name in movement.sets if name.rstrip("0123456789.") == whole)


def _next_open(movement: Movement) -> int:
    if not movement.open_rounds:
        raise LookupError("every round is drawn")
    return movement.open_rounds[0]


def _meeting_again(movement: Movement, draw: Draw) -> Iterator[Exemption]:
    """Declare who meets once more in a draw: those who have met already."""
    met = Counter(
        frozenset(two)
        for group in (
            *(seating.contestants for seating in movement.seatings if seating.is_played),
            *(triangle.teams for triangle in movement.triangles),
        )
        for two in combinations(group, 2)
    )
    for couple in draw.couples:
        if met[couple]:
            law = "meet-once" if movement.sets else "draw"
            who = tuple(sorted(couple)) if movement.sets else ()
            yield Exemption(law, met[couple] + 1, MET_AGAIN, who)


def _with_tables(movement: Movement, round: int, tables: int) -> Movement:
    """Let a round of pairs have so many tables, with a copy of the boards for each."""
    if tables == movement.tables:
        return movement
    if tables < movement.tables:
        fewer = Exemption("tables", tables, TABLES, (), (round,))
        return replace(movement, exemptions=(*movement.exemptions, fewer))
    known = {r for item in movement.exemptions if item.law == "tables" for r in item.rounds}
    before = tuple(r for r in range(1, round) if r not in known)
    exemptions = movement.exemptions
    if before:
        exemptions += (Exemption("tables", movement.tables, TABLES, (), before),)
    return replace(
        movement, tables=tables, copies=max(movement.copies, tables), exemptions=exemptions
    )


def _without_round(item: Exemption, round: int) -> Exemption:
    if item.law != "structure":
        return item
    return replace(item, rounds=tuple(r for r in item.rounds if r != round))


def _has_left(movement: Movement, contestant: int) -> bool:
    return any(item.why == LEFT and contestant in item.contestants for item in movement.exemptions)


def opened(rounds: int) -> Exemption:
    """Return what a movement declares of which no round is drawn yet: see `with_draw`."""
    return Exemption("structure", 0, DRAWN_LATER, rounds=tuple(range(1, rounds + 1)))


# ── knock-out ──


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a knock-out: two teams, or three in a triangle, and how many of them go on."""

    teams: tuple[int, ...]
    go_on: int = 1
    event: Literal["main", "consolation", "third place"] = "main"


def brackets(teams: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the brackets of a knock-out, of 16 teams at most and as equal as can be.

    >>> [len(bracket) for bracket in brackets(range(1, 42))]
    [14, 14, 13]
    """
    count = -(-len(teams) // MOST_IN_BRACKET)
    sizes = [len(teams) // count + (index < len(teams) % count) for index in range(count)]
    starts = [sum(sizes[:index]) for index in range(count)]
    return tuple(
        tuple(teams[start : start + size]) for start, size in zip(starts, sizes, strict=True)
    )


def knockout_round(
    teams: Sequence[int],
    *,
    met: Collection[frozenset[int]] = (),
    losers: Sequence[int] = (),
    compact: bool = False,
) -> tuple[Match, ...]:
    """Return the matches of a bracket for the teams that are still in, in the order of the chart.

    From 9 to 16 teams four rounds lead to one winner. Matches are head to head as far as possible;
    triangles, of which two teams go on, bring the number to 8 or 6, then to 4 for the semi-finals.
    Three teams play a triangle for the title, and of five one goes on from a triangle. Teams that
    have `met`, in a triangle from which both went on, are kept apart as long as that is possible.

    In the compact form (two short matches a session, one day) nobody goes home: `losers` of the
    semi-finals play for the third place, `losers` before that go into a consolation.

    Raises `ValueError` for fewer than 2 or more than 16 teams: see `brackets`. Source: catalogue 4
    (Wikipedia, knock-out teams).

    >>> [(match.teams, match.go_on) for match in knockout_round(range(1, 8))]
    [((1, 2), 1), ((3, 4), 1), ((5, 6, 7), 2)]
    """
    size = len(teams)
    if not 2 <= size <= MOST_IN_BRACKET:
        raise ValueError(f"a bracket has 2 to {MOST_IN_BRACKET} teams, not {size}")
    threes = 2 * _target(size) - size if size not in (3, 5) else 1
    matches = [
        Match(group, go_on=2 if len(group) == 3 and size not in (3, 5) else 1)
        for group in _groups(teams, threes, frozenset(met))
    ]
    if compact:
        matches += beside(losers, met=met, event="third place" if size == 2 else "consolation")
    return tuple(matches)


def beside(
    losers: Sequence[int],
    *,
    met: Collection[frozenset[int]] = (),
    event: Literal["consolation", "third place"] = "consolation",
) -> tuple[Match, ...]:
    """Return the matches of those who have lost and play on, in their order; one alone has none.

    >>> [match.teams for match in beside([5, 6, 7, 8], met=[frozenset({5, 6})])]
    [(5, 7), (6, 8)]
    """
    if len(losers) < 2:
        return ()
    groups = _groups(losers, len(losers) % 2, frozenset(met))
    return tuple(Match(group, go_on=len(group) - 1, event=event) for group in groups)


def seeded_chart(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket in the order of its chart: 1 meets the last, and 2 not before the end.

    Where the first round has triangles, the best seeds have two-way matches.

    >>> seeded_chart(8)
    (1, 8, 4, 5, 3, 6, 2, 7)
    >>> [match.teams for match in knockout_round(seeded_chart(7))]
    [(1, 6), (2, 5), (3, 4, 7)]
    """
    sizes = [len(match.teams) for match in knockout_round(range(size))]
    groups, twos = len(sizes), sizes.count(2)
    heads = [*_apart_to_the_end(twos), *range(twos + 1, groups + 1)]
    thirds = iter(range(size, 2 * groups, -1))
    found: list[int] = []
    for head, many in zip(heads, sizes, strict=True):
        found += [head, 2 * groups + 1 - head, *([next(thirds)] if many > 2 else [])]
    return tuple(found)


def seeded_round(teams: Sequence[int], met: Collection[frozenset[int]] = ()) -> tuple[Match, ...]:
    """Return the matches of a bracket whose teams are seeded anew for each round, by their numbers.

    Where all are head to head 1 meets the last, and so on; those who have met are kept apart.

    >>> [match.teams for match in seeded_round([5, 1, 8, 3], [frozenset({1, 8})])]
    [(1, 5), (3, 8)]
    """
    order = sorted(teams)
    by_chart = [order[seed - 1] for seed in seeded_chart(len(order))]
    matches = knockout_round(by_chart, met=met)
    if all(len(match.teams) == 2 for match in matches):
        with suppress(NoDraw):
            return tuple(Match(two) for two in first_draw(order, "fold", met=met).matches)
    return matches


def _apart_to_the_end(count: int) -> list[int]:
    """Return 1 to so many in such an order that of neighbours, and neighbours of these, the best are apart."""
    order = [1]
    while len(order) < count:
        last = 2 * len(order) + 1
        pairs = [(one, last - one) for one in order]
        order = [one for i, two in enumerate(pairs) for one in (two if i % 2 == 0 else two[::-1])]
    return [one for one in order if one <= count]


def first_knockout_draw(teams: Sequence[int], *, seeded: bool = False) -> Draw:
    """Return the first round of teams in the order of the chart, or of their seeds, bracket by bracket.

    >>> first_knockout_draw(range(1, 9), seeded=True).matches
    ((1, 8), (4, 5), (3, 6), (2, 7))
    """
    charts = brackets(teams)
    if seeded:
        charts = tuple(tuple(chart[i - 1] for i in seeded_chart(len(chart))) for chart in charts)
    return knockout_draw([match for chart in charts for match in knockout_round(chart)])


def knocked_on(teams: Sequence[int], matches: Sequence[tuple[int, ...]]) -> tuple[Match, ...]:
    """Return the matches of a bracket's round as they were drawn, with how many go on from each."""
    mine = [match for match in matches if set(match) <= set(teams)]
    size = sum(map(len, mine))
    return tuple(
        Match(match, go_on=2 if len(match) == 3 and size not in (3, 5) else 1) for match in mine
    )


def knockout_rounds(size: int) -> int:
    """Return how many rounds a bracket of so many teams takes.

    >>> [knockout_rounds(size) for size in (2, 3, 4, 5, 6, 8, 9, 16)]
    [1, 1, 2, 2, 3, 3, 4, 4]
    """
    return len(knockout_sizes(size))


def knockout_sizes(size: int) -> tuple[int, ...]:
    """Return how many teams of a bracket are still in, round by round.

    >>> knockout_sizes(12), knockout_sizes(7)
    ((12, 8, 4, 2), (7, 4, 2))
    """
    found = []
    while size > 1:
        found.append(size)
        size = sum(match.go_on for match in knockout_round(range(size)))
    return tuple(found)


def knockout_draw(matches: Sequence[Match]) -> Draw:
    """Return the draw of a knock-out's matches."""
    return Draw(
        tuple((match.teams[0], match.teams[1]) for match in matches if len(match.teams) == 2),
        tuple(
            (match.teams[0], match.teams[1], match.teams[2])
            for match in matches
            if len(match.teams) == 3
        ),
    )


def _target(size: int) -> int:
    """How many teams are to go on: 8 or 6, then 4, 2 and 1."""
    return next(
        target for least, target in ((12, 8), (9, 6), (6, 4), (4, 2), (2, 1)) if size >= least
    )


def _groups(
    teams: Sequence[int], threes: int, met: frozenset[frozenset[int]]
) -> list[tuple[int, ...]]:
    """Divide teams, in order, into groups of two and so many of three at the end.

    Where that can be, nobody is in a group with somebody they have met.
    """
    twos = (len(teams) - 3 * threes) // 2
    sizes = [2] * twos + [3] * threes
    groups = _apart(list(teams), sizes, met) or _apart(list(teams), sizes[::-1], met)
    return sorted(groups or _apart(list(teams), sizes, frozenset()) or [], key=len)


def _apart(
    teams: list[int], sizes: list[int], met: frozenset[frozenset[int]]
) -> list[tuple[int, ...]] | None:
    if not sizes:
        return []
    first, *others = teams
    for rest in combinations(others, sizes[0] - 1):
        group = (first, *rest)
        if not any(frozenset(two) in met for two in combinations(group, 2)):
            remaining = [team for team in others if team not in rest]
            tail = _apart(remaining, sizes[1:], met)
            if tail is not None:
                return [group, *tail]
    return None
