"""The next round of a Swiss: from standings, history and wishes to pairings with reasons.

This is the only implementation: pages, rehearsals, simulations and the command line use it. Contestants are numbers
of the movement, which includes all rounds played so far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from movements.engine.drawing import draws, open_rounds
from movements.engine.drawing.draws import Draw, FirstRound, OddOneOut
from movements.engine.drawing.placing import assign_tables, exchanged_draw, last_meeting_rounds
from movements.engine.model import Movement


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The rules by which a Swiss round is drawn, and the director's wishes for it.

    `since` is the first round whose meetings are avoided; the last round of a `danish` Swiss avoids none. `exchanges`
    are pairs of contestants, in the order of request.
    """

    odd: OddOneOut = "bye"
    first: FirstRound = "slide"
    seed: int = 1
    danish: bool = False
    since: int = 1
    stationary: tuple[int, ...] = ()
    exchanges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match of a proposed draw, and what is unusual about it.

    `orders` are both places in the order of the draw. If the pairing is not with the next in that order, `apart`
    explains it: the two kept apart, and the round of their meeting.
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
    """Return the next round of a movement that has no draw yet; 0 if all rounds are drawn."""
    return movement.open_rounds[0] if movement.open_rounds else 0


def last_round_due(movement: Movement, behind: int) -> int:
    """Return the last round whose results should count for the next draw; `behind` ignores the current one."""
    return max(0, next_open(movement) - 1 - behind)


def last_complete_round(highest: int, missing_rounds: Collection[int]) -> int:
    """Return the last round up to `highest` without a missing result (`missing_rounds`) up to it."""
    return min(missing_rounds) - 1 if missing_rounds else highest


class SwissRound:
    """The draw of a Swiss event's next round from a ranking of the contestants.

    `counted` is the round after which the ranking applies; 0 is the order of seeds. Drawing raises `NoDraw` if all
    pairings would repeat a meeting.
    """

    def __init__(
        self, movement: Movement, ranking: Sequence[int], rules: DrawRules, *, counted_rounds: int
    ) -> None:
        self.movement, self.how, self.counted = movement, rules, counted_rounds
        self.ranking = list(ranking)
        self.round = next_open(movement)

    @property
    def since(self) -> int:
        """Return the first round that counts when repeated meetings are avoided; the drawn round if none does."""
        is_last = self.how.danish and self.round == self.movement.rounds
        return self.round if is_last else self.how.since

    @cached_property
    def draw_by_rule(self) -> Draw:
        """Return the draw by the rules, before the director's exchanges."""
        how = self.how
        met = open_rounds.drawn_meetings(self.movement, self.since)
        spared = open_rounds.contestants_without_further_bye(self.movement)
        if self.counted:
            return draws.swiss_draw(self.ranking, odd=how.odd, meetings=met, exempt=spared)
        rng = draws.round_random(how.seed, self.round) if how.first == "random" else None
        return draws.first_draw(
            self.ranking, how.first, odd=how.odd, meetings=met, exempt=spared, rng=rng
        )

    @cached_property
    def exchanges(self) -> list[tuple[int, int]]:
        """Return the director's exchanges of two contestants that are both in the draw."""
        playing = self.draw_by_rule.contestants
        return [two for two in self.how.exchanges if set(two) <= playing and two[0] != two[1]]

    @cached_property
    def drawn(self) -> Draw:
        """Return the draw after the director's exchanges, with tables."""
        draw = self.draw_by_rule
        for contestant, other in self.exchanges:
            draw = exchanged_draw(draw, contestant, other)
        return assign_tables(self.movement, draw, self.how.stationary)

    @cached_property
    def after(self) -> Movement:
        """Return the movement with the drawn round added."""
        is_long = self.how.odd == "long-triangle"
        again = any(two in self._last_meetings for two in self.drawn.couples)
        return open_rounds.apply_draw(self.movement, self.drawn, is_long=is_long, is_repeated=again)

    # ── sentences ──

    @cached_property
    def _last_meetings(self) -> Mapping[frozenset[int], int]:
        """Return the round in which each two contestants met last."""
        return last_meeting_rounds(self.movement)

    @cached_property
    def meetings(self) -> list[DrawnMatch]:
        """Return the matches in the order of the draw, the bye last."""
        drawn, tables = self.drawn, self.drawn.tables
        order = {number: index for index, number in enumerate(self.ranking, start=1)}
        moved = {number for two in self.exchanges for number in two}
        odd = dict(self._unusual_matches(order))
        meetings = []
        for index, (home, away) in enumerate(drawn.matches):
            couple = frozenset((home, away))
            by_hand = bool(moved & couple)
            meetings.append(
                DrawnMatch(
                    table=tables[index] if tables else 0,
                    home=home,
                    away=away,
                    orders=tuple(sorted((order[home], order[away]))),
                    met_in=self._last_meetings.get(couple, 0),
                    apart=None if by_hand else odd.get(couple),
                    is_odd=couple in odd and not by_hand,
                    is_by_hand=by_hand,
                )
            )
        if drawn.bye is not None:
            meetings.append(
                DrawnMatch(
                    table=tables[-1] if tables else 0,
                    home=drawn.bye,
                    away=None,
                    orders=(order[drawn.bye],),
                    is_by_hand=drawn.bye in moved,
                )
            )
        return meetings

    def _unusual_matches(
        self, order: Mapping[int, int]
    ) -> Iterator[tuple[frozenset[int], tuple[int, int, int] | None]]:
        """Yield matches not between neighbours in the ranking, with the earlier meeting that is the reason."""
        if not self.counted:
            return
        opponent = {a: b for match in self.draw_by_rule.matches for a, b in (match, match[::-1])}
        left = [number for number in self.ranking if number in opponent]
        while left:
            first, following = left[0], left[1]
            other = opponent[first]
            if other != following:
                met = self._last_meetings.get(frozenset((first, following)), 0)
                apart = (order[first], order[following], met) if met >= self.since else None
                yield frozenset((first, other)), apart if met else None
            left = [number for number in left if number not in (first, other)]

    @property
    def bye_goes_to_lowest(self) -> bool:
        """Return whether the bye goes to the lowest contestant that has not had one."""
        bye = self.drawn.bye
        if bye is None:
            return False
        spared = open_rounds.contestants_without_further_bye(self.movement)
        below = self.ranking[self.ranking.index(bye) + 1 :]
        return all(number in spared for number in below)
