"""Draws from results: the pairings in a round of a Swiss (for a knock-out: `knockouts`).

A Swiss ranks the contestants after each round and draws neighbours against each other, 1 v 2, 3 v 4, …, without
repeating a meeting. All functions depend only on the contestants, their ranking and their meetings.
`open_rounds.apply_draw` adds the next draw to a movement with open rounds. The standings used and the director's
wishes are handled where results are known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from random import Random
from typing import Literal

from ..errors import NoDraw

FirstRound = Literal["slide", "fold", "random"]
OddOneOut = Literal["bye", "triangle", "long-triangle"]
DRAWN_ON_RESULTS = frozenset({"swiss", "knockout"})
"""The families whose matches depend on results and so are not known beforehand."""

_REACH = 6  # places in the ranking within which opponents are sought first
_MOST_TRIALS = 50  # attempts to choose the spared before a draw is given up


@dataclass(frozen=True, slots=True)
class Draw:
    """The pairings of one round: matches in order, three-way matches, and the bye.

    `tables` are those of the matches, and of the bye after them; empty: 1, 2, 3 … from the top down.
    """

    matches: tuple[tuple[int, int], ...]
    triangles: tuple[tuple[int, int, int], ...] = ()
    bye: int | None = None
    tables: tuple[int, ...] = ()

    @property
    def contestants(self) -> frozenset[int]:
        """Return all contestants in the draw."""
        everybody = {
            contestant for group in (*self.matches, *self.triangles) for contestant in group
        }
        return frozenset(everybody | ({self.bye} if self.bye is not None else set()))

    @property
    def couples(self) -> tuple[frozenset[int], ...]:
        """Return every two contestants that meet, in matches and three-way matches."""
        groups = (*self.matches, *self.triangles)
        return tuple(frozenset(two) for group in groups for two in combinations(group, 2))


# ── Swiss ──


@dataclass(frozen=True, slots=True)
class SwissAdvice:
    """The advisable number of rounds of a Swiss.

    After `fewest` rounds two undefeated contestants have certainly met. With more than `most` the event is
    over-Swissed: the best have met each other and continue against the rest. Up to there a draw without a repeated
    meeting can always be found. In a small field `fewest` is more than `most`, and a round robin is the better event.
    """

    fewest: int
    most: int


def swiss_advice(contestants: int) -> SwissAdvice:
    """Return how many rounds suit a number of contestants. Source: QBA, Swiss pairs.

    >>> swiss_advice(32)
    SwissAdvice(fewest=7, most=16)
    """
    return SwissAdvice(fewest=(contestants - 1).bit_length() + 2, most=contestants // 2)


def round_random(seed: int, round: int) -> Random:
    """Return the random generator for drawing a round; the same seed repeats the draw."""
    return Random(seed * 100 + round)


def first_draw(
    ranking: Sequence[int],
    method: FirstRound = "slide",
    *,
    odd: OddOneOut = "bye",
    meetings: Collection[frozenset[int]] = (),
    exempt: Collection[int] = (),
    rng: Random | None = None,
) -> Draw:
    """Draw a round by seeds, before there are results: round 1, or round 2 as well.

    `ranking` lists the contestants, strongest first. "slide" plays 1 v n/2 + 1, 2 v n/2 + 2, …; "fold" plays 1 v n, 2
    v n - 1, …; "random" needs `rng`. If a meeting would repeat, the lower half is rotated until none does; if that
    fails, neighbours meet. With an odd number the last has the bye, or the last three play a triangle. Source: QBA,
    Swiss pairs. Raises `NoDraw` if every draw repeats a meeting.

    >>> first_draw(range(1, 9)).matches
    ((1, 5), (2, 6), (3, 7), (4, 8))
    """
    if method == "random":
        if rng is None:
            raise TypeError("a random draw needs a source of chance")
        shuffled = list(ranking)
        rng.shuffle(shuffled)
        return _draw_round(shuffled, odd, meetings, exempt, _closest_pairing)
    return _draw_round(
        ranking, odd, meetings, exempt, _slide_pairing if method == "slide" else _fold_pairing
    )


def swiss_draw(
    ranking: Sequence[int],
    *,
    odd: OddOneOut = "bye",
    meetings: Collection[frozenset[int]] = (),
    exempt: Collection[int] = (),
) -> Draw:
    """Draw a Swiss round: neighbours in the ranking meet, without repeated meetings. Raises `NoDraw`.

    Of all such draws the one with the closest opponents is taken: the smallest sum of squared distances. Between
    equals the one that is closer at the top is taken. So if 1 and 2 have met, 1 plays 3 and 2 plays 4. With an odd
    number the lowest that was not yet `exempt` has the bye. Or the lowest three that have not met play a triangle (a
    bye if there are no such three); leaders stay out of it. Source: QBA, Swiss. Raises `NoDraw` if every draw repeats
    a meeting.

    >>> swiss_draw([4, 1, 3, 2], meetings=[frozenset({4, 1})]).matches
    ((4, 3), (1, 2))
    """
    return _draw_round(ranking, odd, meetings, exempt, _closest_pairing)


_PairUp = Callable[[Sequence[int], Collection[frozenset[int]]], list[tuple[int, int]] | None]


def _draw_round(
    ranking: Sequence[int],
    odd: OddOneOut,
    meetings: Collection[frozenset[int]],
    exempt: Collection[int],
    pair_up: _PairUp,
) -> Draw:
    """Return the first draw that `pair_up` completes, with a bye or three-way match for an odd number."""
    meetings = frozenset(meetings)
    sizes = [0] if len(ranking) % 2 == 0 else [1] if odd == "bye" else [3, 1]
    choices = (
        islice(_possible_byes(size, ranking, meetings, exempt), _MOST_TRIALS) for size in sizes
    )
    for out in chain.from_iterable(choices):
        rest = [contestant for contestant in ranking if contestant not in out]
        matches = pair_up(rest, meetings)
        if matches is None:
            continue
        if len(out) < 3:
            return Draw(tuple(matches), bye=out[0] if out else None)
        # during a long triangle, the other pairs may meet in a second round
        if odd == "triangle" or pair_up(rest, meetings | set(map(frozenset, matches))) is not None:
            return Draw(tuple(matches), triangles=((out[0], out[1], out[2]),))
    raise NoDraw("swiss", contestants=len(ranking))


def _possible_byes(
    size: int, ranking: Sequence[int], meetings: frozenset[frozenset[int]], exempt: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Yield who may have the bye or play a three-way match, from the bottom of the ranking up."""
    if size == 0:
        yield ()
        return
    from_below = list(reversed(ranking))
    for times_spared in range(size + 1):  # contestants spared once come last
        for best in range(size - 1, len(from_below)):
            for others in combinations(from_below[:best], size - 1):
                group = (from_below[best], *reversed(others))
                if sum(contestant in exempt for contestant in group) == times_spared and not any(
                    frozenset(two) in meetings for two in combinations(group, 2)
                ):
                    yield group


def _slide_pairing(
    ranking: Sequence[int], meetings: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """Return matches of the upper half against the lower half: first against middle, and so on."""
    return _against_lower_half(ranking, meetings, list(ranking[len(ranking) // 2 :]))


def _fold_pairing(
    ranking: Sequence[int], meetings: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """Return matches of the first against the last, the second against the last but one, and so on."""
    return _against_lower_half(ranking, meetings, list(reversed(ranking[len(ranking) // 2 :])))


def _against_lower_half(
    ranking: Sequence[int], meetings: Collection[frozenset[int]], lower: list[int]
) -> list[tuple[int, int]] | None:
    """Return matches of the upper half against the lower half without repeated meetings; or None."""
    for shift in range(len(lower)):
        moved = lower[shift:] + lower[:shift]
        matches = list(zip(ranking, moved, strict=False))
        if not any(frozenset(match) in meetings for match in matches):
            return matches
    return _closest_pairing(ranking, meetings)  # some must meet contestants of their own half


def _closest_pairing(
    ranking: Sequence[int], meetings: Collection[frozenset[int]]
) -> list[tuple[int, int]] | None:
    """Return the pairing in which opponents are as close in the ranking as possible; None if none is possible.

    Only opponents within reach are tried. A more distant one would alone add more to the sum than the excess of the
    draw found over pure neighbours. So the draw found is the closest.
    """
    size, reach = len(ranking), _REACH
    while True:
        places = _closest_places(ranking, meetings, reach)
        if reach >= size:
            break
        if places is not None:
            cost = sum((below - above) ** 2 for above, below in places)
            if cost < (reach + 1) ** 2 + size // 2 - 1:
                break
        reach *= 2
    return None if places is None else [(ranking[above], ranking[below]) for above, below in places]


def _closest_places(
    ranking: Sequence[int], meetings: Collection[frozenset[int]], reach: int
) -> list[tuple[int, int]] | None:
    """Return the closest pairing, as positions in the ranking at most `reach` apart; None if none is possible."""
    # slow to import, and only needed between two rounds of a Swiss
    import networkx  # type: ignore[import-untyped]

    size = len(ranking)
    graph = networkx.Graph()
    for above in range(size):
        for below in range(above + 1, min(size, above + reach + 1)):
            if frozenset((ranking[above], ranking[below])) not in meetings:
                distance = below - above
                # among equal sums of squares, the draw that is closer at the top
                weight = -(distance**2) * size**3 - (size - above) * distance
                graph.add_edge(above, below, weight=weight)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < size:
        return None
    return sorted((min(couple), max(couple)) for couple in matching)
