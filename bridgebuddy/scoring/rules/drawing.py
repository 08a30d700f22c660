"""The next round of an event: who meets whom, by the standings. The draws themselves are the engine's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from movements.engine import draws
from movements.engine.errors import NoDraw

from .errors import NoStage, ScoringError
from .matches import Matches, MatchResult, match_session
from .model import Session, Stage, Who
from .profile import Profile
from .ranking import number_of
from .standings import standings_after


def draw(session: Session, profile: Profile) -> dict[str, Any]:
    """Return the next round's matches, with the standings they were drawn from.

    Raises `NoStage` where the document does not say how, `ScoringError` where a result is missing or
    no lawful draw exists.
    """
    if session.stage is None:
        raise NoStage("stage", "is missing: it says how rounds are drawn")
    return _Drawing(session, profile, session.stage).document()


class _Drawing:
    def __init__(self, session: Session, profile: Profile, stage: Stage) -> None:
        self.session = session
        self.profile = profile
        self.stage = stage
        self.found: Matches | None = match_session(session, profile) if session.matches else None
        self.results: Sequence[MatchResult] = self.found.results if self.found else ()
        self.round = max((max(one.match.its_rounds) for one in self.results), default=0) + 1
        self.reasons: list[str] = []
        if stage.rounds is not None and self.round > stage.rounds:
            raise ScoringError("stage.rounds", f"all {stage.rounds} rounds are drawn")
        self.ranking = self._ranking()

    # ── who, in which order ──

    def _ranking(self) -> list[Who]:
        here = [
            one.who
            for one in self.session.contestants
            if one.left is None or one.left.after_round >= self.round
        ]
        counting = self._counting
        if self.found is None or counting < 1:
            seeds = {one.who: one.seed for one in self.session.contestants}
            return sorted(
                here, key=lambda who: (seeds[who] is None, seeds[who] or 0, number_of(who))
            )
        rows = standings_after(self.found, counting).rows
        order = {row.standing.who: row.order for row in rows}
        return sorted(here, key=lambda who: order[who])

    @cached_property
    def _counting(self) -> int:
        """Return the last round whose results count for the draw."""
        last = self.round - 1 - self.stage.behind
        missing = [
            one
            for one in self.results
            if one.match.round <= last
            and (one.rule == "open" or (one.match.provisional and self.stage.late == "wait"))
        ]
        if not missing:
            return last
        first = missing[0].match
        if self.stage.late == "last-complete":
            complete = min(one.match.round for one in missing) - 1
            self.reasons.append(f"drawn from the standings after round {complete}")
            return complete
        raise ScoringError(
            f"matches[{first.index}]",
            f"round {first.round}, {first.home} v {first.away}: no result yet",
        )

    def _met(self) -> frozenset[frozenset[int]]:
        since = self.stage.ignore_before or 1
        index = self._index
        return frozenset(
            frozenset(index[side] for side in one.match.sides)
            for one in self.results
            if len(one.match.sides) == 2
            and one.match.round >= since
            and all(side in index for side in one.match.sides)
        )

    @property
    def _index(self) -> Mapping[Who, int]:
        return {who: place for place, who in enumerate(self.ranking, 1)}

    # ── the draw ──

    def _drawn(self) -> draws.Draw:
        stage, many = self.stage, len(self.ranking)
        if many < 2:
            raise ScoringError("contestants", f"{many} cannot be drawn against each other")
        met = self._met()
        index = self._index
        spared = [
            index[one.match.sides[0]]
            for one in self.results
            if one.rule == "bye" and one.match.sides[0] in index
        ]
        order = range(1, many + 1)
        try:
            if stage.kind == "knock-out":
                return self._knock_out()
            if stage.kind == "round-robin":
                return self._round_robin()
            if self.round == 1 or self._counting < 1:
                rng = Random(stage.seed) if stage.first == "random" else None
                return draws.first_draw(
                    order, stage.first, odd=stage.odd, met=met, spared=spared, rng=rng
                )
            return draws.swiss_draw(order, odd=stage.odd, met=met, spared=spared)
        except NoDraw:
            raise ScoringError("stage", "everybody would meet somebody again") from None

    def _knock_out(self) -> draws.Draw:
        """1 v n, 2 v n - 1 … of those who go on."""
        through = list(range(1, len(self.ranking) + 1))
        if self.round == 1 or not any(len(one.match.sides) == 2 for one in self.results):
            if self.stage.qualifiers:
                through = through[: self.stage.qualifiers]
        else:
            last = [one for one in self.results if one.match.round == self.round - 1]
            winners = {_winner(one) for one in last}
            through = [place for place, who in enumerate(self.ranking, 1) if who in winners]
        if len(through) < 2:
            raise ScoringError("stage", "the knock-out is over")
        bye = through.pop(0) if len(through) % 2 else None
        half = len(through) // 2
        return draws.Draw(
            tuple(zip(through[:half], reversed(through[half:]), strict=True)), bye=bye
        )

    def _round_robin(self) -> draws.Draw:
        """Everybody meets everybody: the circle, in the order of seeds and numbers."""
        everybody = sorted(
            self.session.contestants,
            key=lambda one: (one.seed is None, one.seed or 0, number_of(one.who)),
        )
        circle: list[Who | None] = [one.who for one in everybody]
        if len(circle) % 2:
            circle.append(None)
        if self.round >= len(circle):
            raise ScoringError("stage", "everybody has met everybody")
        first, *rest = circle
        turn = (self.round - 1) % len(rest)
        turned = [first, *rest[-turn:], *rest[:-turn]] if turn else circle
        half = len(turned) // 2
        index = self._index
        matches, bye = [], None
        for one, other in zip(turned[:half], reversed(turned[half:]), strict=True):
            gone = [who for who in (one, other) if who is None or who not in index]
            here = [index[who] for who in (one, other) if who is not None and who in index]
            if gone and here:
                bye = here[0]
            elif here:
                matches.append((here[0], here[1]))
        return draws.Draw(tuple(matches), bye=bye)

    def _exchanged(self, matches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Exchange opponents as the director asks."""
        found = [list(match) for match in matches]
        labels = {who.label: place for who, place in self._index.items()}
        met = self._met()
        for one, other in self.stage.exchange:
            if one not in labels or other not in labels:
                raise ScoringError("stage.exchange", f"{one} and {other} are not both drawn")
            places = {labels[one]: labels[other], labels[other]: labels[one]}
            found = [[places.get(side, side) for side in match] for match in found]
            self.reasons.append(f"{one} and {other} exchanged")
        for match in found:
            if frozenset(match) in met:
                names = " and ".join(self.ranking[side - 1].label for side in match)
                raise ScoringError("stage.exchange", f"{names} have met")
        return [(match[0], match[1]) for match in found]

    def _table_order(self, matches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Keep who is stationary at the table they have."""
        kept: dict[int, tuple[int, int]] = {}
        last = [one.match for one in self.results if one.match.round == self.round - 1]
        for table, match in enumerate(last, 1):
            for side in match.sides:
                if side.label not in self.stage.stationary or side not in self._index:
                    continue
                mine = [one for one in matches if self._index[side] in one]
                if mine and table not in kept and table <= len(matches):
                    kept[table] = mine[0]
        rest = [one for one in matches if one not in kept.values()]
        return [
            kept[table] if table in kept else rest.pop(0) for table in range(1, len(matches) + 1)
        ]

    def _sides(self, match: tuple[int, int]) -> tuple[int, int]:
        """Let who was home less often be home, where a balance is wished."""
        if not self.stage.balance:
            return match
        times = Counter(one.match.sides[0] for one in self.results if len(one.match.sides) == 2)
        one, other = match
        return (
            match
            if times[self.ranking[one - 1]] <= times[self.ranking[other - 1]]
            else (other, one)
        )

    def document(self) -> dict[str, Any]:
        drawn = self._drawn()
        matches = self._table_order(self._exchanged(drawn.matches))
        names = [who.label for who in self.ranking]
        return {
            "round": self.round,
            "matches": [
                {
                    "table": table,
                    "home": names[home - 1],
                    "away": names[guest - 1],
                    "why": f"{_ordinal(one)} v {_ordinal(other)}",
                }
                for table, (one, other) in enumerate(matches, 1)
                for home, guest in (self._sides((one, other)),)
            ],
            "bye": None if drawn.bye is None else names[drawn.bye - 1],
            "triangle": [names[one - 1] for one in drawn.triangles[0]] if drawn.triangles else None,
            "standings": names,
            "reasons": self.reasons,
        }


def _winner(one: MatchResult) -> Who:
    home, *rest = one.match.sides
    if not rest:
        return home
    two = one.vps or one.imps or one.points or one.percent
    if two is None or two[0] == two[1]:
        raise ScoringError(
            f"matches[{one.match.index}]",
            f"round {one.match.round}, {one.match.home} v {one.match.away}: nobody has won yet",
        )
    return home if two[0] > two[1] else rest[0]


def _ordinal(place: int) -> str:
    return f"{place}."
