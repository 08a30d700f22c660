"""Laws of teams: no-self, full-match, draw."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from ..model import Movement, players_of
from .asked import contestants_sometimes_away
from .violation import Violation


def teams_against_themselves(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each team that plays against itself."""
    for seating in movement.seatings:
        if seating.ns is not None and seating.ns == seating.ew:
            yield Violation("no-self", seating.round, seating.table, players_of(seating.ns))


def incomplete_matches(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each match whose boards are not played at both tables."""
    played: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for seating in movement.seatings:
        if isinstance(seating.ns, int) and isinstance(seating.ew, int):
            played[seating.ns, seating.ew].extend(seating.sets)
    left = contestants_sometimes_away(movement)
    for home, away in {tuple(sorted(couple)) for couple in played}:
        there, back = sorted(played[home, away]), sorted(played[away, home])
        if there != back and not {home, away} & left:
            missing = Counter(there) - Counter(back) + (Counter(back) - Counter(there))
            yield Violation("full-match", contestants=(home, away), sets=tuple(sorted(missing)))


def draw_violations(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each team that a draw leaves out or places twice."""
    for round in range(1, movement.rounds + 1):
        if round in movement.open_rounds:
            continue
        times = Counter(
            team for seating in movement.in_round(round) for team in seating.contestants
        )
        in_triangles = [team for t in movement.triangles if round in t.rounds for team in t.teams]
        # if one of the three is missing, the two others play each other
        times.update(team for team in in_triangles if team not in movement.absent(round))
        for team in movement.contestants:
            if times[team] != (0 if _has_left(movement, team, round) else 1):
                yield Violation("draw", round, contestants=(team,))
    met: Counter[frozenset[int]] = Counter()
    for seating in movement.seatings:
        met[frozenset(seating.contestants)] += 1
    for triangle in movement.triangles:
        for couple in combinations(triangle.teams, 2):
            if any(not movement.absent(round) & {*couple} for round in triangle.rounds):
                met[frozenset(couple)] += 1
    limits = [e.limit for e in movement.exemptions if e.law == "draw" and not e.contestants]
    away = contestants_sometimes_away(movement)
    for couple in combinations(movement.contestants, 2):
        times_met = met[frozenset(couple)]
        need_not_meet = limits or away.intersection(couple)
        if times_met > max([1, *limits]) or (not times_met and not need_not_meet):
            yield Violation("draw", contestants=couple)


def _has_left(movement: Movement, team: int, round: int) -> bool:
    """Return whether an exemption says that a team does not play a round, for any reason."""
    return any(
        item.law in ("draw", "present") and team in item.contestants and round in item.rounds
        for item in movement.exemptions
    )
