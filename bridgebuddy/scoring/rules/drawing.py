"""The next round of a Swiss: from standings, history and wishes to who meets whom, and why.

The one draw: pages, rehearsals, simulated contests and the command line all ask here. Contestants are
the numbers of the movement, which is as it was played so far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from movements.engine import draws, open_rounds
from movements.engine.draws import Draw, FirstRound, OddOneOut
from movements.engine.model import Movement
from movements.engine.placing import exchanged, last_met, placed


@dataclass(frozen=True, slots=True)
class How:
    """How a contest is drawn, and what its director asks of this round.

    `since` is the first round whose meetings are avoided; the last round of a `danish` one avoids none.
    `exchanges` are two contestants each, in the order in which they were asked for.
    """

    odd: OddOneOut = "bye"
    first: FirstRound = "slide"
    seed: int = 1
    danish: bool = False
    since: int = 1
    stationary: tuple[int, ...] = ()
    exchanges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match that is proposed, and what there is to say about it.

    `orders` are both places in the order of the draw. Where it is not the next in that order, the two
    that were kept apart (`apart`: their orders, and the round in which they met).
    """

    table: int
    home: int
    away: int | None
    orders: tuple[int, ...]
    met_in: int = 0
    apart: tuple[int, int, int] | None = None
    is_odd: bool = False  # not the next in order
    is_by_hand: bool = False


def next_open(movement: Movement) -> int:
    """Return the round that is drawn next; 0 where all are."""
    return movement.open_rounds[0] if movement.open_rounds else 0


def due(movement: Movement, behind: int) -> int:
    """Return the last round whose results should count for the next draw."""
    return max(0, next_open(movement) - 1 - behind)


def after_complete(due: int, missing: Collection[int]) -> int:
    """Return the last round before those of which a result is `missing`, of those that are due."""
    return min(missing) - 1 if missing else due


class SwissRound:
    """A Swiss's next open round, drawn by a ranking of all who are to play: see `open_rounds.to_be_drawn`.

    `counted` is the round after which the ranking stands; 0: the order of seeds. What says who meets
    raises `NoDraw` where everybody would meet somebody again.
    """

    def __init__(
        self, movement: Movement, ranking: Sequence[int], how: How, *, counted: int
    ) -> None:
        self.movement, self.how, self.counted = movement, how, counted
        self.ranking = list(ranking)
        self.round = next_open(movement)

    @property
    def since(self) -> int:
        """The first round whose meetings are avoided; this round itself where none is."""
        is_last = self.how.danish and self.round == self.movement.rounds
        return self.round if is_last else self.how.since

    @cached_property
    def by_rule(self) -> Draw:
        """The draw as the rules have it."""
        how = self.how
        met = open_rounds.meetings(self.movement, self.since)
        spared = open_rounds.spared(self.movement)
        if self.counted:
            return draws.swiss_draw(self.ranking, odd=how.odd, met=met, spared=spared)
        rng = draws.chance(how.seed, self.round) if how.first == "random" else None
        return draws.first_draw(
            self.ranking, how.first, odd=how.odd, met=met, spared=spared, rng=rng
        )

    @cached_property
    def exchanges(self) -> list[tuple[int, int]]:
        """Whom the director exchanged, as far as both are drawn."""
        playing = self.by_rule.contestants
        return [two for two in self.how.exchanges if set(two) <= playing and two[0] != two[1]]

    @cached_property
    def drawn(self) -> Draw:
        """The draw with what the director has exchanged, and its tables."""
        found = self.by_rule
        for contestant, other in self.exchanges:
            found = exchanged(found, contestant, other)
        return placed(self.movement, found, self.how.stationary)

    @cached_property
    def after(self) -> Movement:
        """The movement with the round drawn."""
        is_long = self.how.odd == "long-triangle"
        again = any(two in self._met for two in self.drawn.couples)
        return open_rounds.with_draw(self.movement, self.drawn, is_long=is_long, again=again)

    # ── what there is to say ──

    @cached_property
    def _met(self) -> Mapping[frozenset[int], int]:
        return last_met(self.movement)

    @cached_property
    def meetings(self) -> list[Meeting]:
        """The matches in the order of the draw, the bye last."""
        drawn, tables = self.drawn, self.drawn.tables
        order = {number: index for index, number in enumerate(self.ranking, start=1)}
        moved = {number for two in self.exchanges for number in two}
        odd = dict(self._odd(order))
        found = []
        for index, (home, away) in enumerate(drawn.matches):
            couple = frozenset((home, away))
            by_hand = bool(moved & couple)
            found.append(
                Meeting(
                    table=tables[index] if tables else 0,
                    home=home,
                    away=away,
                    orders=tuple(sorted((order[home], order[away]))),
                    met_in=self._met.get(couple, 0),
                    apart=None if by_hand else odd.get(couple),
                    is_odd=couple in odd and not by_hand,
                    is_by_hand=by_hand,
                )
            )
        if drawn.bye is not None:
            found.append(
                Meeting(
                    table=tables[-1] if tables else 0,
                    home=drawn.bye,
                    away=None,
                    orders=(order[drawn.bye],),
                    is_by_hand=drawn.bye in moved,
                )
            )
        return found

    def _odd(
        self, order: Mapping[int, int]
    ) -> Iterator[tuple[frozenset[int], tuple[int, int, int] | None]]:
        """Yield the matches that are not between the next two, with who was kept apart."""
        if not self.counted:
            return
        opponent = {a: b for match in self.by_rule.matches for a, b in (match, match[::-1])}
        left = [number for number in self.ranking if number in opponent]
        while left:
            first, following = left[0], left[1]
            other = opponent[first]
            if other != following:
                met = self._met.get(frozenset((first, following)), 0)
                apart = (order[first], order[following], met) if met >= self.since else None
                yield frozenset((first, other)), apart if met else None
            left = [number for number in left if number not in (first, other)]

    @property
    def is_lowest_spared(self) -> bool:
        """Whether the bye has the lowest who had none yet, so that nobody below was passed over."""
        bye = self.drawn.bye
        if bye is None:
            return False
        spared = open_rounds.spared(self.movement)
        below = self.ranking[self.ranking.index(bye) + 1 :]
        return all(number in spared for number in below)
